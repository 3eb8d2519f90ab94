"""Every public name is in the reference, and says what it takes, gives and raises."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
from typing import Any

import pytest
from pages import REPOSITORY

#: The packages whose names users import; those of the others are for this package itself.
PUBLIC = (
    "compsim",
    "compsim.amr",
    "compsim.amr.smatch",
    "compsim.benchmarks",
    "compsim.benchmarks.datasets",
    "compsim.benchmarks.rewriting",
    "compsim.corpus",
    "compsim.distributed",
    "compsim.explanation",
    "compsim.graph",
    "compsim.parsers",
    "compsim.retrieval",
    "compsim.serving",
    "compsim.vectors",
)
REFERENCE = "\n".join(
    page.read_text(encoding="utf-8") for page in sorted((REPOSITORY / "docs" / "api").glob("*.md"))
)
#: These raise nothing.
HARMLESS = {"compsim.registry.methods", "compsim.amr.smatch.score.warm_up"} | {
    f"compsim.benchmarks.rewriting.{name}"
    for name in (
        "clause.written", "cleft.cleft", "dative.dative", "fronting.fronted", "swap.swapped",
        "voice.active", "voice.passive",
    )
}  # fmt: skip


def public_names() -> list[tuple[str, str]]:
    results = []
    for package in PUBLIC:
        try:
            module = importlib.import_module(package)
            for name in module.__all__:
                getattr(module, name)  # an extra may be missing
                results.append((package, name))
        except ImportError:
            continue
    return results


NAMES = public_names()


def thing(package: str, name: str) -> Any:
    return getattr(importlib.import_module(package), name)


def full_name(value: Any) -> str:
    return f"{value.__module__}.{value.__qualname__}"


def is_own(value: Any) -> bool:
    return inspect.isclass(value) or inspect.isfunction(value)


@pytest.mark.parametrize(("package", "name"), NAMES)
def test_is_in_the_reference(package: str, name: str) -> None:
    if name == "__version__":
        return
    value = thing(package, name)
    # A name that several packages export stands there once.
    paths = [f"{other}.{n}" for other, n in NAMES if n == name and thing(other, n) is value]
    if not is_own(value):
        assert any(f"`{path}`" in REFERENCE for path in paths)
    else:
        assert any(re.search(rf"^::: {re.escape(path)}$", REFERENCE, re.M) for path in paths)


@pytest.mark.parametrize(("package", "name"), NAMES)
def test_says_what_it_takes_gives_and_raises(package: str, name: str) -> None:
    value = thing(package, name)
    if not is_own(value):
        return
    text = inspect.getdoc(value) or ""
    assert text
    if inspect.isclass(value):
        if issubclass(value, Exception) and not issubclass(value, Warning):
            return
        if dataclasses.is_dataclass(value):
            # Those of a base stand in its own.
            wanted = [one for one in vars(value).get("__annotations__", {}) if one[0] != "_"]
            assert not missing(wanted, text)
        assert ">>>" in text
        for member in members(value):
            check(member, example=False)
        return
    check(value, example=True)


def members(kind: type[Any]) -> list[Any]:
    """The functions that a class has of its own package and users call."""
    package = kind.__module__.rpartition(".")[0]
    bases = [base for base in kind.__mro__ if base.__module__.rpartition(".")[0] == package]
    every = [value for base in bases for value in vars(base).values()]
    own = [v.__func__ if isinstance(v, classmethod) else v for v in every]
    return [v for v in own if inspect.isfunction(v) and not v.__name__.startswith("_")]


def missing(names: list[str], text: str) -> list[str]:
    return [name for name in names if not re.search(rf"^ +\*{{0,2}}{name}: ", text, re.M)]


def check(function: Any, *, example: bool) -> None:
    text = inspect.getdoc(function) or ""
    assert text, full_name(function)
    signature = inspect.signature(function)
    given = [name for name in signature.parameters if name not in ("self", "cls")]
    assert not missing(given, text), f"{full_name(function)} does not tell {given}"
    if signature.return_annotation not in ("None", None):
        assert re.search(r"^(Returns|Yields):$", text, re.M), full_name(function)
    if example:
        assert ">>>" in text, full_name(function)
        unchecked = full_name(function) in HARMLESS or full_name(function).endswith(".encode")
        assert unchecked or re.search(r"^Raises:$", text, re.M), full_name(function)


def test_no_exception_is_out_of_date() -> None:
    known = {full_name(value) for value in (thing(*pair) for pair in NAMES) if is_own(value)}
    assert len(known) > 50
    stale = HARMLESS - known
    assert not {name for name in stale if not name.startswith("compsim.distributed")}
