"""Every example in a docstring shows what the code prints."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import warnings

import pytest

import compsim

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def modules(package: str, path: list[str]) -> list[str]:
    """The names of a package's modules; a part that is mapped elsewhere is walked there."""
    results = []
    for module in pkgutil.iter_modules(path, f"{package}."):
        results.append(module.name)
        if module.ispkg:
            results += modules(module.name, list(importlib.import_module(module.name).__path__))
    return results


def all_modules() -> list[str]:
    """Those of compsim, and of the folders that install as parts of it."""
    result = modules("compsim", list(compsim.__path__))
    for part in ("parsers", "weights", "benchmarks"):
        name = f"compsim.{part}"
        if name not in result:  # an editable install
            result += [name, *modules(name, list(importlib.import_module(name).__path__))]
    return [name for name in result if not name.endswith("__main__")]


@pytest.mark.parametrize("name", all_modules())
def test_examples(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            module = importlib.import_module(name)
        except ImportError as error:  # what an extra brings, or a recipe needs
            pytest.skip(str(error))
        result = doctest.testmod(module, optionflags=FLAGS)
    assert result.failed == 0
