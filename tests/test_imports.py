"""Imports run one way: neither upwards, nor in a circle, nor past a lazy name."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from conftest import REPOSITORY

CI = REPOSITORY / ".ci"


def test_imports_run_downwards_and_in_no_circle() -> None:
    done = subprocess.run(
        [sys.executable, str(CI / "imports.py")],
        env={**os.environ, "PYTHONPATH": str(CI)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "package", ["compsim", "compsim.amr", "compsim.benchmarks", "compsim.serving"]
)
def test_lazy_names_are_where_type_checkers_find_them(package: str) -> None:
    module = import_module(package)
    assert module.__file__ is not None
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    blocks = [node for node in tree.body if isinstance(node, ast.If)]
    imports = [node for node in blocks[0].body if isinstance(node, ast.ImportFrom)]
    typed = {alias.name: node.module for node in imports for alias in node.names}
    (call,) = (node for node in ast.walk(blocks[0]) if isinstance(node, ast.Dict))
    homes = ast.literal_eval(call)
    assert typed == {name: home for home, names in homes.items() for name in names}
    assert set(typed) <= set(module.__all__) <= set(dir(module))
