"""The overloads and typed options of ``load`` are those of the methods."""

from __future__ import annotations

import ast
from pathlib import Path

from compsim import method_options, registry


def test_load_tells_the_class_of_every_method() -> None:
    tree = ast.parse(Path(registry.__file__).read_text(encoding="utf-8"))
    result: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "load":
            names = [n.value for n in ast.walk(node.args) if isinstance(n, ast.Constant)]
            result |= {str(name): ast.unparse(node.returns or node) for name in names}
    for name in registry._METHODS.built_in:
        bases = [base.__name__ for base in registry._METHODS.find(name).__mro__]
        assert result[name] in bases[: bases.index("Method")], name


def test_the_typed_options_are_those_of_the_methods() -> None:
    tree = ast.parse(Path(registry.__file__).read_text(encoding="utf-8"))
    typed: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "load" and node.args.kwarg:
            names = [n.value for n in ast.walk(node.args.args[0]) if isinstance(n, ast.Constant)]
            kind = ast.unparse(node.args.kwarg.annotation or node)
            typed |= {str(name): kind.removeprefix("Unpack[").removesuffix("]") for name in names}
    every = set()
    for name in registry._METHODS.built_in:
        fields = set(getattr(method_options, typed[name]).__annotations__)
        assert fields == set(registry.options(name)), name
        every |= fields
    assert set(method_options.AnyOptions.__annotations__) == every
