"""Examples of README.md and the pages pass the type checker, with each method's overloads."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

from pages import PAGES, REPOSITORY, blocks

from compsim import method_options, registry

#: What examples take for granted.
GIVEN = """
from __future__ import annotations
from pathlib import Path
import compsim
from compsim.embeddings.services.openai import Cost
FOLDER = Path("model")
sentences = first_sentences = second_sentences = ["Cats sleep."]
def my_scores(first: list[str], second: list[str]) -> list[float]: return [0.0 for _ in first]
"""

OWN_CALLS = """
graphs: list[compsim.RoleGraph] = compsim.load("verbnet-cn").parse(sentences)
cost: Cost = compsim.load("openai").cost(sentences)
compsim.load("sbert", normalize="zscore").fit(sentences).normalizer.save("zscore.npz")
any_method: compsim.Method[compsim.Encoded] = compsim.load(str(FOLDER))
any_parser: compsim.Parser = compsim.load("amr-cn").parser
compsim.similarty  # type: ignore[attr-defined]
score: float = compsim.similarity("a", "b", whole="sbert")
compsim.load("hybrid", whol="sbert")  # type: ignore[call-overload]
compsim.similarity("a", "b", vector="builtin")  # type: ignore[call-overload]
compsim.explain("a", "b", wieghts="paper")  # type: ignore[call-arg]
compsim.rank("a", ["b"], on_falure="nan")  # type: ignore[call-arg]
compsim.Reranker("hybrid", combin=2)  # type: ignore[call-arg]
compsim.same("a", "b", max_false=0.1, parsr="srl")  # type: ignore[call-overload]
"""


#: Examples are short: their functions need no annotations, and what may be None is there.
UNTYPED = """# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, no-any-return, type-arg, union-attr"
"""


def test_examples_of_the_documentation_pass_mypy(tmp_path: Path) -> None:
    files = []
    pages = {
        page: "\n".join(
            block.code for block in blocks(page.read_text()) if block.language == "python"
        )
        for page in PAGES
    }
    assert sum(map(bool, pages.values())) > 10
    for number, code in enumerate([*filter(None, pages.values()), OWN_CALLS]):
        files.append(tmp_path / f"page{number}.py")
        files[-1].write_text(GIVEN + UNTYPED + code, encoding="utf-8")
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
