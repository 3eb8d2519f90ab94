from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import kernels as naive
from new_process import in_a_new_process
from strategies import respaced
from tiny_models import MODELS, is_inherited
from toys import KNOWN, UNKNOWN, digest, toy_options, toy_vectors, verbnet

from compsim.embeddings.arithmetic import MeanMethod
from compsim.errors import InputError
from compsim.graph_method import GraphMethod
from compsim.method import Method
from compsim.registry import load, methods
from compsim.sentences import check_sentences

NAMES = [info.name for info in methods()]
#: Those that run a recurrent network.
RECURRENT = ("infersent", "skipthought", "quickthought", "gensen")
OWN = [name for name in NAMES if not is_inherited(name)]
_built: dict[str, Method[Any]] = {}

known_sentences = st.lists(st.sampled_from((*KNOWN, "in")), min_size=1, max_size=7).map(" ".join)
any_sentences = st.lists(st.sampled_from((*KNOWN, *UNKNOWN, "in", "the", "é")), max_size=7).map(
    " ".join
)

#: Products of float32 vectors of length 1, summed in another order, differ by a few of its units.
ROUNDING = 3e-6


def build(name: str) -> Method[Any]:
    if name not in _built:
        _built[name] = load(name, **toy_options(name))
    return _built[name]


# --- what holds for every method -----------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_info_is_complete(name: str) -> None:
    info = build(name).info
    assert info.name == name
    assert info.summary
    assert info.lowest < info.highest


def examples(name: str) -> int:
    """Return the number of examples for a property: few where the tested code is inherited."""
    if name not in OWN or name == "llm-rating":  # a request for each pair
        return 2
    return 10 if name in (*MODELS, *RECURRENT, "synwmd") else 30


def holds(name: str, check: Callable[..., None], **strategies: st.SearchStrategy[Any]) -> None:
    """Try a property of one method with as many examples as it is worth."""
    settings(max_examples=examples(name))(given(**strategies)(check))()


@pytest.mark.parametrize("name", NAMES)
def test_identity(name: str) -> None:
    method = build(name)

    def check(sentences: list[str]) -> None:
        scores = method.similarity_pairwise(sentences, sentences)
        np.testing.assert_allclose(scores, method.info.identity, atol=1e-6)

    if method.info.identity is not None:
        known = known_sentences.filter(lambda s: s.strip("in "))
        holds(name, check, sentences=st.lists(known, min_size=1, max_size=4))


@pytest.mark.parametrize("name", NAMES)
def test_range_symmetry_batches_and_order(name: str) -> None:
    method, info = build(name), build(name).info

    def check(a: list[str], b: list[str]) -> None:
        scores = method.similarity(a, b)
        assert scores.dtype == np.float32
        assert scores.shape == (len(a), len(b))
        assert ((scores >= info.lowest - 1e-6) & (scores <= info.highest + 1e-6)).all()
        if info.symmetric:
            np.testing.assert_allclose(scores, method.similarity(b, a).T, atol=1e-6)
        for i, s1 in enumerate(a):
            for j, s2 in enumerate(b):
                alone = method.similarity_pairwise([s1], [s2])[0]
                assert alone == pytest.approx(scores[i, j], abs=ROUNDING)
        np.testing.assert_allclose(method.similarity(a[::-1], b), scores[::-1], atol=1e-6)
        encoded = method.encode(a)
        assert len(encoded) == len(a)
        np.testing.assert_allclose(method.similarity(encoded, b), scores, atol=1e-6)
        np.testing.assert_allclose(method.similarity(encoded[::-1], b), scores[::-1], atol=1e-6)

    some = st.lists(any_sentences, max_size=4)
    holds(name, check, a=some, b=some)


@pytest.mark.parametrize("name", NAMES)
def test_explanation_is_the_score(name: str) -> None:
    method = build(name)

    def check(s1: str, s2: str) -> None:
        explanation = method.explain(s1, s2)
        score = method.similarity_pairwise([s1], [s2])[0]
        assert explanation.score == score  # to the last bit
        assert abs(math.fsum(row.contribution for row in explanation) - explanation.score) < 1e-12

    holds(name, check, s1=any_sentences, s2=any_sentences)


@pytest.mark.parametrize("name", NAMES)
def test_white_space_never_changes_a_score(name: str) -> None:
    method = build(name)

    def check(s1: str, s2: str, data: st.DataObject) -> None:
        scores = method.similarity([s1], [s2])
        altered = data.draw(respaced(s1))
        np.testing.assert_array_equal(method.similarity([altered], [s2]), scores)
        alone = method.similarity_pairwise([altered], [s2])[0]
        assert alone == pytest.approx(scores[0, 0], abs=ROUNDING)
        assert method.explain(altered, s2).score == pytest.approx(scores[0, 0], abs=ROUNDING)

    holds(name, check, s1=any_sentences, s2=any_sentences, data=st.data())


@pytest.mark.parametrize("name", NAMES)
def test_methods_pickle_copy_and_show_themselves(name: str) -> None:
    method = build(name)
    first, second = ["Cats chase mice.", "", "zzyzx"], ["Dogs visit birds in the park."]
    scores = method.similarity(first, second)
    shared = copy.copy(method)
    assert shared is not method
    copies = [shared, pickle.loads(pickle.dumps(method))]
    if name in OWN:
        copies.append(copy.deepcopy(method))
    for twin in copies:
        assert type(twin) is type(method)
        np.testing.assert_array_equal(twin.similarity(first, second), scores)
        assert twin.info == method.info
    assert repr(method).startswith(f"load({name!r}")
    assert "\n" not in repr(method)
    assert len(repr(method)) < 400


def test_what_is_shown_is_short_and_holds_no_key() -> None:
    method = load("openai", url="http://localhost:1/v1", api_key="secret", cache=False)
    assert repr(method) == ("load('openai', url='http://localhost:1/v1', api_key=..., cache=False)")
    shown = repr(MeanMethod(toy_vectors(), normalize="zscore"))
    vectors = "WordVectors('toy-vectors', words=11, dim=8)"
    assert shown == f"load('mean-cn', vectors={vectors}, normalize='zscore')"


def test_what_was_fitted_survives_the_pickle() -> None:
    method = MeanMethod(toy_vectors(), normalize="zscore")
    sentences = [f"{noun} chase {other}" for noun in KNOWN[3:7] for other in KNOWN[4:8]]
    for twin in (method, method.fit(sentences)):
        again = pickle.loads(pickle.dumps(twin))
        scores = twin.similarity(sentences[:5], sentences)
        np.testing.assert_array_equal(again.similarity(sentences[:5], sentences), scores)
    assert again.explain(*sentences[:2]).score == method.explain(*sentences[:2]).score


@pytest.mark.parametrize("name", NAMES)
def test_encoded_batches_survive_the_disk(name: str, tmp_path: Path) -> None:
    method = build(name)
    sentences = ["Cats chase mice.", "", "Dogs visit birds in the park.", "zzyzx"]
    batch = method.encode(sentences)
    batch.save(tmp_path / "batch")
    back = type(batch).load(tmp_path / "batch")
    np.testing.assert_array_equal(method.similarity(back, back), method.similarity(batch, batch))
    joined = type(batch).concat([back[:1], batch[1:]])
    # The product of a matrix with itself may be summed in another order.
    scores = method.similarity(batch, batch)
    np.testing.assert_allclose(method.similarity(joined, batch), scores, atol=1e-6)


def test_same_scores_whatever_the_hash_seed_and_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """One test for all methods: as a fixture, each process of the tests would compute it."""
    monkeypatch.setenv("COMPSIM_THREADS", "1")
    here = {name: digest(build(name)) for name in OWN}
    code = (
        "import sys\n"
        "from compsim.registry import load\n"
        "from toys import digest, toy_options\n"
        "for name in sys.argv[1:]:\n"
        "    print(name, digest(load(name, **toy_options(name))))\n"
    )
    result = in_a_new_process(code, *OWN, PYTHONHASHSEED="77", COMPSIM_THREADS="3")
    assert dict(line.split() for line in result.splitlines()) == here


@pytest.mark.parametrize("name", NAMES)
def test_wrong_input_is_named(name: str) -> None:
    method = build(name)
    with pytest.raises(InputError, match=r"sentences\[1\] is None"):
        method.encode(["Cats sleep.", None])  # type: ignore[list-item]
    for verb in ("encode", "parse") if isinstance(method, GraphMethod) else ("encode",):
        with pytest.raises(InputError, match="single str: give a list of strings"):
            getattr(method, verb)("Cats sleep.")
    with pytest.raises(InputError, match="2 sentences and the second 1"):
        method.similarity_pairwise(["a", "b"], ["a"])
    with pytest.raises(InputError, match="k=0"):
        method.top_k(["a"], ["b"], 0)


# --- inputs --------------------------------------------------------------------------------------


def test_check_sentences() -> None:
    assert check_sentences(np.array(["a", "b"])) == ["a", "b"]
    assert type(check_sentences(np.array(["a"]))[0]) is str
    assert check_sentences(("a \ud800 b", "\U0001f600")) == ["a \ufffd b", "\U0001f600"]
    by_text = {"b": "x", "a": "y"}
    assert check_sentences(by_text.keys()) == ["b", "a"]
    assert check_sentences(by_text.values()) == ["x", "y"]
    series = pandas.Series(["b", "a"], index=[7, 3])
    assert check_sentences(series) == check_sentences(series.to_numpy()) == ["b", "a"]
    with pytest.raises(InputError, match=r"\[1\] is (nan|a float)"):
        check_sentences(pandas.Series(["a", None]))
    for wrong in ({"a", "b"}, frozenset("a"), {"a": 1}, {"a": 1}.items(), 3, None, b"abc"):
        with pytest.raises(InputError):
            check_sentences(wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"\[0\] is a bytes"):
        check_sentences([b"abc"])  # type: ignore[list-item]


# --- top_k ---------------------------------------------------------------------------------------


@given(
    scores=st.lists(st.sampled_from([-0.5, 0.0, 0.25, 0.5, 1.0, math.nan]), max_size=12),
    k=st.integers(1, 14),
    cutoff=st.sampled_from([None, -1.0, 0.25, 2.0]),
)
def test_top_k_is_the_naive_one(scores: list[float], k: int, cutoff: float | None) -> None:
    from compsim.method import _best

    row = np.array(scores, dtype=np.float32)
    got = _best(row, min(k, len(row)), cutoff).tolist() if scores else []
    assert got == naive.top_k(scores, k, cutoff)


def test_top_k_breaks_ties_by_index_and_fills_up() -> None:
    method = verbnet()
    documents = ["Dogs help birds.", "Cats chase mice.", "Dogs help birds.", "Cats chase mice."]
    indices, scores = method.top_k(["Cats chase mice.", "Dogs help birds."], documents, 3)
    assert indices[:, :2].tolist() == [[1, 3], [0, 2]]
    np.testing.assert_allclose(scores[:, :2], 1, atol=1e-6)
    indices, scores = method.top_k(["Cats chase mice."], documents, 9, score_cutoff=0.99)
    assert indices.tolist() == [[1, 3, -1, -1]]
    assert np.isnan(scores[0, 2:]).all()
    indices, scores = method.top_k(["Cats chase mice."], [], 3)
    assert indices.shape == scores.shape == (1, 0)


def test_top_k_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    method = verbnet()
    sentences = [f"{a} chase {b}" for a in KNOWN for b in KNOWN]
    whole = method.top_k(sentences, sentences, 5)
    monkeypatch.setattr("compsim.method._SCORES_AT_ONCE", 1)
    for one, other in zip(whole, method.top_k(sentences, sentences, 5), strict=True):
        np.testing.assert_array_equal(one, other)
