from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from toys import ToyParser, toy_vectors

import compsim
from compsim.errors import InputError, MissingExtraError, UnknownNameError


@pytest.fixture
def options() -> dict[str, object]:
    return {"parser": ToyParser(), "vectors": toy_vectors()}


TESTS = Path(__file__).parent


def test_two_strings_give_a_float(options: dict[str, object]) -> None:
    score = compsim.similarity("Cats chase mice", "Cats chase mice", **options)
    assert type(score) is float
    assert score == pytest.approx(1, abs=1e-6)


def test_two_lists_give_an_array(options: dict[str, object]) -> None:
    first = ["Cats chase mice", "Dogs help birds"]
    scores = compsim.similarity(first, tuple(first), **options)
    assert isinstance(scores, np.ndarray)
    np.testing.assert_allclose(scores, [1, 1], atol=1e-6)
    other = compsim.similarity((s for s in first), np.array(first), **options)
    np.testing.assert_array_equal(scores, other)
    assert compsim.similarity([], [], **options).shape == (0,)


def test_mixed_and_wrong_arguments(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r'load\("verbnet-cn"\)\.similarity'):
        compsim.similarity("Cats", ["Cats"], **options)  # type: ignore[call-overload]
    with pytest.raises(InputError, match="2 sentences and the second 1"):
        compsim.similarity(["a", "b"], ["a"], **options)
    with pytest.raises(InputError, match=r"the second list\[0\] is a int"):
        compsim.similarity(["a"], [1], **options)  # type: ignore[list-item]
    with pytest.raises(InputError, match="NoneType"):
        compsim.similarity(None, None, **options)  # type: ignore[call-overload]
    with pytest.raises(InputError, match="NoneType"):
        compsim.explain("a", None, **options)  # type: ignore[arg-type]


def test_unknown_names_and_options_tell_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="'verbnet-cn'"):
        compsim.similarity("a", "b", method="verbnet-nc")
    with pytest.raises(UnknownNameError, match="no method 7"):
        compsim.load(7)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"no option 'weigths': did you mean 'weights'"):
        compsim.load("verbnet-cn", weigths="paper")
    with pytest.raises(UnknownNameError, match="no parser 'slr'"):
        compsim.load("verbnet-cn", parser="slr", vectors=toy_vectors())


def test_a_method_is_loaded_once(options: dict[str, object]) -> None:
    from compsim.api import _load_once

    before = _load_once.cache_info()
    for _ in range(3):
        compsim.similarity("Cats chase mice", "Dogs help birds", **options)
    compsim.explain("Cats chase mice", "Dogs help birds", **options)
    after = _load_once.cache_info()
    assert (after.misses - before.misses, after.hits - before.hits) == (1, 3)


def test_explain(options: dict[str, object]) -> None:
    explanation = compsim.explain("Cats chase mice", "Dogs help birds", **options)
    expected = compsim.similarity("Cats chase mice", "Dogs help birds", **options)
    assert explanation.score == pytest.approx(expected, abs=1e-6)


PLUGIN = """
from compsim.registry import load
from compsim.rolesim.method import RoleSimMethod
from dataclasses import replace

class Plugged(RoleSimMethod):
    info = replace(RoleSimMethod.info, name="plugged")

class Needy(Plugged):
    info = replace(RoleSimMethod.info, name="needy", needs=("transformers",))
    def __init__(self):
        import a_module_that_is_not_there
"""


def test_methods_of_other_packages(tmp_path: Path) -> None:
    (tmp_path / "plug.py").write_text(PLUGIN)
    info = tmp_path / "plug-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plug\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[compsim.methods]\nplugged = plug:Plugged\nneedy = plug:Needy\n"
        "broken = plug_that_is_not_there:X\n"
    )
    code = (
        "import warnings, compsim\n"
        "from compsim.errors import MissingExtraError\n"
        "from toys import ToyParser, toy_vectors\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    names = [info.name for info in compsim.methods()]\n"
        "assert names == ['verbnet-cn', 'plugged', 'needy'] or {'plugged', 'needy'} <= set(names)\n"
        "assert 'broken' in str(caught[0].message)\n"
        "method = compsim.load('plugged', parser=ToyParser(), vectors=toy_vectors())\n"
        "assert method.similarity(['Cats chase mice'], ['Cats chase mice']).round(5) == 1\n"
        "for name in ('needy', 'broken'):\n"
        "    try:\n"
        "        compsim.load(name)\n"
        "    except MissingExtraError as error:\n"
        "        print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path(__file__).parent)]),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert "pip install 'compsim[transformers]'" in first
    assert "plug_that_is_not_there" in second


def test_public_names_are_there() -> None:
    assert set(compsim.__all__) <= set(dir(compsim))
    for name in compsim.__all__:
        assert getattr(compsim, name) is not None
    assert compsim.MissingExtraError is MissingExtraError
    with pytest.raises(AttributeError, match="similarty"):
        compsim.similarty  # type: ignore[attr-defined]  # noqa: B018


def test_import_is_light() -> None:
    code = (
        "import sys, time; t = time.perf_counter(); import compsim; "
        "print(time.perf_counter() - t); "
        "print([m for m in ('torch', 'spacy', 'numba', 'gensim', 'rich') if m in sys.modules])"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        for _ in range(3)
    ]
    assert {modules for _, modules in outputs} == {"[]"}
    assert min(float(seconds) for seconds, _ in outputs) < 0.15


def test_methods_does_not_import_numba() -> None:
    code = "import sys, compsim; compsim.methods(); assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
