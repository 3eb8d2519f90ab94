from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from new_process import HELPERS, in_a_new_process
from toys import ToyParser, toy_vectors

import compsim
from compsim.errors import InputError, MissingExtraError, UnknownNameError


@pytest.fixture
def options() -> dict[str, object]:
    return {"parser": ToyParser(), "vectors": toy_vectors()}


def test_two_strings_give_a_float(options: dict[str, object]) -> None:
    score = compsim.similarity("Cats chase mice", "Cats chase mice", **options)
    assert type(score) is float
    assert score == pytest.approx(1, abs=1e-6)


def test_the_shapes_of_similarity(options: dict[str, object]) -> None:
    cats, dogs, birds = "Cats chase mice", "Dogs help birds", "Birds sing"
    score = compsim.similarity(cats, dogs, **options)
    row = compsim.similarity(cats, [cats, dogs, birds], **options)
    column = compsim.similarity([cats, dogs, birds], dogs, **options)
    matrix = compsim.similarity((cats, dogs), iter([cats, dogs, birds]), **options)
    assert (row.shape, column.shape, matrix.shape) == ((3,), (3,), (2, 3))
    assert row[1] == column[0] == matrix[0, 1] == pytest.approx(score, abs=1e-6)
    np.testing.assert_array_equal(
        matrix,
        compsim.load("hybrid", **options).similarity([cats, dogs], np.array([cats, dogs, birds])),
    )
    pairs = compsim.similarity_pairwise([cats, dogs], [dogs, dogs], **options)
    np.testing.assert_allclose(pairs, [score, 1.0], atol=1e-6)
    assert compsim.similarity([], [], **options).shape == (0, 0)
    assert compsim.similarity(cats, [], **options).shape == (0,)
    assert compsim.similarity_pairwise([], [], **options).shape == (0,)


def test_a_batch_is_a_list_and_a_method_may_be_given(options: dict[str, object]) -> None:
    method = compsim.load("hybrid", **options)
    one = method.encode(["Cats chase mice"])
    assert method.similarity(one, one).shape == (1, 1)
    assert method.similarity("Cats chase mice", one).shape == (1,)
    expected = method.similarity("Cats chase mice", "Dogs help birds")
    assert type(expected) is float
    assert compsim.similarity("Cats chase mice", "Dogs help birds", method) == expected
    assert compsim.explain("Cats chase mice", "Dogs help birds", method).score == pytest.approx(
        expected, abs=1e-6
    )
    assert compsim.rank("Cats", ["Dogs help birds", "Cats chase mice"], method)[0]["corpus_id"] == 1
    assert compsim.same("Cats chase mice", "Cats chase mice", method).answer == "same"
    for call in (compsim.similarity, compsim.explain, compsim.same):
        with pytest.raises(InputError, match="made already: leave out vectors"):
            call("a", "b", method, vectors="builtin")


def test_one_default_method_everywhere() -> None:
    """No function, class or command names another one."""
    from compsim.defaults import DEFAULT_METHOD

    makers = (
        compsim.similarity, compsim.similarity_pairwise, compsim.explain, compsim.rank,
        compsim.same, compsim.Guard, compsim.Reranker,
    )  # fmt: skip
    for maker in makers:
        assert inspect.signature(maker).parameters["method"].default == DEFAULT_METHOD, maker


def test_wrong_arguments(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match="2 sentences and the second 1"):
        compsim.similarity_pairwise(["a", "b"], ["a"], **options)
    with pytest.raises(InputError, match="the first list is a single str"):
        compsim.similarity_pairwise("a", "b", **options)
    with pytest.raises(InputError, match=r"the second argument\[0\] is a int"):
        compsim.similarity(["a"], [1], **options)  # type: ignore[list-item]
    with pytest.raises(InputError, match="the first argument is None"):
        compsim.similarity(None, None, **options)  # type: ignore[call-overload]
    with pytest.raises(InputError, match="explain takes two sentences"):
        compsim.explain("a", None, **options)  # type: ignore[arg-type]


def test_unknown_names_and_options_tell_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="'verbnet-cn'"):
        compsim.similarity("a", "b", method="verbnet-nc")
    with pytest.raises(InputError, match="the method is a int"):
        compsim.load(7)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"no option 'weigths': did you mean 'weights'"):
        compsim.load("verbnet-cn", weigths="paper")
    with pytest.raises(UnknownNameError, match="no parser 'slr'"):
        compsim.load("verbnet-cn", parser="slr", vectors=toy_vectors())


def test_a_method_is_loaded_once(options: dict[str, object]) -> None:
    from compsim.api import _slot

    before = _slot.cache_info()
    for _ in range(3):
        compsim.similarity("Cats chase mice", "Dogs help birds", **options)
    compsim.explain("Cats chase mice", "Dogs help birds", **options)
    after = _slot.cache_info()
    assert (after.misses - before.misses, after.hits - before.hits) == (1, 3)


def test_explain(options: dict[str, object]) -> None:
    explanation = compsim.explain("Cats chase mice", "Dogs help birds", **options)
    expected = compsim.similarity("Cats chase mice", "Dogs help birds", **options)
    assert explanation.score == pytest.approx(expected, abs=1e-6)


PLUGIN = """
from compsim.registry import load
from compsim.rolesim.method import RoleSimMethod
from dataclasses import replace
from toys import ToyParser

class Plugged(RoleSimMethod):
    info = replace(RoleSimMethod.info, name="plugged")

class Needy(Plugged):
    info = replace(RoleSimMethod.info, name="needy", needs=("transformers",))
    def __init__(self):
        import a_module_that_is_not_there

class Parser(ToyParser):
    def __init__(self, place="home"):
        super().__init__()
        self.name = f"plugged at {place}"

class NeedyParser(ToyParser):
    def __init__(self):
        import a_package.that_is_not_there
"""

ENTRY_POINTS = """
[compsim.methods]
plugged = plug:Plugged
needy = plug:Needy
broken = plug_that_is_not_there:X
empty = plug:NothingOfThisName

[compsim.parsers]
plugged = plug:Parser
needy = plug:NeedyParser
broken = plug_that_is_not_there:X
empty = plug:NothingOfThisName
"""

USE = """
import warnings, compsim, compsim.parsers
from toys import ToyParser, toy_vectors
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter('always')
    names = [info.name for info in compsim.methods()]
assert 'verbnet-cn' in names and {'plugged', 'needy'} <= set(names)
assert 'broken' in str(caught[0].message) and 'empty' in str(caught[1].message)
method = compsim.load('plugged', parser='plugged:work', cache=False, vectors=toy_vectors())
assert method.similarity(['Cats chase mice'], ['Cats chase mice']).round(5) == 1
assert method.parser.name == 'plugged at work'
for load in (compsim.load, compsim.parsers.load):
    for name in ('needy', 'broken', 'empty', 'pluged'):
        try:
            load(name)
        except compsim.CompsimError as error:
            print(type(error).__name__, error)
try:
    compsim.parsers.load('plugged', palce='work')
except compsim.InputError as error:
    print(error)
"""


def test_methods_and_parsers_of_other_packages(tmp_path: Path) -> None:
    (tmp_path / "plug.py").write_text(PLUGIN)
    info = tmp_path / "plug-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plug\nVersion: 1\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    paths = os.pathsep.join([str(tmp_path), HELPERS])
    done = subprocess.run(
        [sys.executable, "-c", USE],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for result, package in ((lines[:4], '".[transformers]"'), (lines[4:8], "a_package")):
        assert f"pip install {package}" in result[0]
        assert "pip install plug_that_is_not_there" in result[1]
        assert "plug:NothingOfThisName cannot be used" in result[2]
        assert "did you mean 'plugged'" in result[3]
        kinds = [line.split()[0] for line in result]
        assert kinds == [*["MissingExtraError"] * 2, "DataError", "UnknownNameError"]
    assert lines[8] == "parser 'plugged' has no option 'palce': did you mean 'place'?"


def test_what_python_itself_lacks_is_no_package_to_install() -> None:
    code = (
        "import sys\n"
        "sys.modules['sqlite3'] = None\n"
        "import compsim\n"
        "from compsim.cli import main\n"
        "try:\n"
        "    compsim.load('verbnet-cn', vectors='builtin', cache=True)\n"
        "except compsim.MissingExtraError as error:\n"
        "    print(error)\n"
        "sys.stderr = sys.stdout\n"
        "print(main(['cache', 'clear']))\n"
    )
    loaded, command, status = in_a_new_process(code).splitlines()
    for said, user in ((loaded, "method 'verbnet-cn'"), (command, "compsim: compsim")):
        assert said.startswith(f"{user} needs the module 'sqlite3' of Python itself")
        assert "use a complete Python" in said
        assert "pip install" not in said
    assert status == "2"


def test_public_names_are_there() -> None:
    assert set(compsim.__all__) <= set(dir(compsim))
    for name in compsim.__all__:
        assert getattr(compsim, name) is not None
    assert compsim.MissingExtraError is MissingExtraError
    with pytest.raises(AttributeError, match="similarty"):
        compsim.similarty  # type: ignore[attr-defined]  # noqa: B018


def test_import_is_light() -> None:
    code = (
        "import sys, compsim; "
        "print([m for m in ('numpy', 'torch', 'spacy', 'numba', 'rich') if m in sys.modules])"
    )
    assert in_a_new_process(code).strip() == "[]"


def test_methods_does_not_import_numba() -> None:
    code = "import sys, compsim; compsim.methods(); assert 'numba' not in sys.modules"
    in_a_new_process(code)
