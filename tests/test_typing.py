"""What the README shows passes the type checker, which knows the methods' own calls."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

from conftest import REPOSITORY

from compsim import registry

#: What the README's examples take for granted.
GIVEN = """
from __future__ import annotations
from pathlib import Path
import compsim
from compsim.embeddings.services.openai import Cost
FOLDER = Path("model")
corpus = sentences = first_sentences = second_sentences = ["Cats sleep."]
def my_scores(first: list[str], second: list[str]) -> list[float]: return [0.0 for _ in first]
"""

OWN_CALLS = """
graphs: list[compsim.RoleGraph] = compsim.load("verbnet-cn").parse(sentences)
cost: Cost = compsim.load("openai").cost(sentences)
compsim.load("sbert", normalize="zscore").fit(sentences).normalizer.save("zscore.npz")
any_method: compsim.Method[compsim.Encoded] = compsim.load(str(FOLDER))
any_parser: compsim.Parser = compsim.load("amr-cn").parser
compsim.similarty  # type: ignore[attr-defined]
"""


def test_examples_of_the_readme_pass_mypy(tmp_path: Path) -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 4
    files = []
    for number, block in enumerate([*blocks, OWN_CALLS]):
        files.append(tmp_path / f"block{number}.py")
        files[-1].write_text(GIVEN + block, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(REPOSITORY / ".ci" / "typecheck.py"), *map(str, files)],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / ".ci")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_load_tells_the_class_of_every_method() -> None:
    tree = ast.parse(Path(registry.__file__).read_text(encoding="utf-8"))
    told: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "load":
            names = [n.value for n in ast.walk(node.args) if isinstance(n, ast.Constant)]
            told |= {str(name): ast.unparse(node.returns or node) for name in names}
    for name in registry._METHODS.built_in:
        bases = [base.__name__ for base in registry._METHODS.find(name).__mro__]
        assert told[name] in bases[: bases.index("Method")], name
