from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import naive
import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from new_process import in_a_new_process
from strategies import respaced
from tiny_models import MODELS
from toys import KNOWN, UNKNOWN, ToyParser, toy_options, toy_vectors

from compsim.embeddings.arithmetic import MeanMethod
from compsim.errors import InputError, ParseError
from compsim.graph import RoleGraph
from compsim.graph_method import GraphMethod
from compsim.method import Method, check_sentences
from compsim.parsers.cache import ParseCache
from compsim.registry import load, methods
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.method import RoleSimMethod

NAMES = [info.name for info in methods()]
#: Of the methods that run a transformer, those that the others inherit everything from.
ONE_OF_EACH_BASE = ("sbert", "transformer", "bertscore", "s3bert", "amrbart")
OWN = [name for name in NAMES if name not in MODELS or name in ONE_OF_EACH_BASE]
_built: dict[str, Method[Any]] = {}

known_sentences = st.lists(st.sampled_from((*KNOWN, "in")), min_size=1, max_size=7).map(" ".join)
any_sentences = st.lists(st.sampled_from((*KNOWN, *UNKNOWN, "in", "the", "é")), max_size=7).map(
    " ".join
)


def build(name: str) -> Method[Any]:
    if name not in _built:
        _built[name] = load(name, **toy_options(name))
    return _built[name]


def verbnet(**options: Any) -> RoleSimMethod:
    """The method of the paper, on toys."""
    defaults = {"parser": ToyParser(), "vectors": toy_vectors(), "weights": "paper"}
    return RoleSimMethod(**{**defaults, **options})


# --- what holds for every method -----------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_info_is_complete(name: str) -> None:
    info = build(name).info
    assert info.name == name
    assert info.summary
    assert info.lowest < info.highest


def examples(name: str) -> int:
    """How many examples a property is tried with: few where what is tested is inherited."""
    if name not in OWN:
        return 2
    return 10 if name in (*MODELS, "infersent") else 50


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
                assert alone == pytest.approx(scores[i, j], abs=1e-6)
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
        assert explanation.score == pytest.approx(score, abs=1e-6)
        assert sum(row.contribution for row in explanation.rows) == explanation.score
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
        assert alone == pytest.approx(scores[0, 0], abs=1e-6)
        assert method.explain(altered, s2).score == pytest.approx(scores[0, 0], abs=1e-6)

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
    np.testing.assert_array_equal(method.similarity(joined, batch), method.similarity(batch, batch))


@pytest.fixture(scope="module")
def outputs() -> list[dict[str, str]]:
    """A hash of the scores of each method, from processes that differ in seed and threads."""
    code = (
        "import hashlib, sys\n"
        "from compsim.registry import load\n"
        "from toys import KNOWN, toy_options\n"
        "sentences = [' '.join([x, v, y]) for x in KNOWN for v in KNOWN[:3] for y in KNOWN[3:9]]\n"
        "for name in sys.argv[1:]:\n"
        "    try:\n"
        "        method = load(name, **toy_options(name))\n"
        "        scores = method.similarity(sentences, sentences).tobytes()\n"
        "        scores += method.similarity_pairwise(sentences, sentences[::-1]).tobytes()\n"
        "        print(name, hashlib.sha256(scores).hexdigest())\n"
        "    except Exception as error:\n"
        "        print(name, 'failed:', repr(error).replace('\\n', ' '))\n"
    )
    found = []
    for seed, threads in [("0", "1"), ("77", "3")]:
        told = in_a_new_process(code, *OWN, PYTHONHASHSEED=seed, COMPSIM_THREADS=threads)
        found.append(dict(line.split(" ", 1) for line in told.splitlines()))
    return found


@pytest.mark.parametrize("name", OWN)
def test_same_scores_whatever_the_hash_seed_and_threads(
    name: str, outputs: list[dict[str, str]]
) -> None:
    assert len({output[name] for output in outputs}) == 1
    assert "failed" not in outputs[0][name]


@pytest.mark.parametrize("name", NAMES)
def test_wrong_input_is_named(name: str) -> None:
    method = build(name)
    with pytest.raises(InputError, match=r"sentences\[1\] is a NoneType"):
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
    with pytest.raises(InputError, match=r"\[1\] is a float"):
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
@settings(max_examples=200)
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


# --- VerbNet-CN ----------------------------------------------------------------------------------


def word_cosine(first: str, second: str) -> float:
    vectors = toy_vectors()
    return naive.cosine(vectors.phrase(first).tolist(), vectors.phrase(second).tolist())


def test_verbnet_cn_by_hand() -> None:
    agent, patient = word_cosine("cats", "dogs"), word_cosine("mice", "birds")
    pair = ["Cats chase mice"], ["Dogs chase birds in the park"]
    total = 3 + 2 * agent + 2 * patient
    for normalize, n in [("matched", 7), ("union", 7.5), ("fixed", 11)]:
        got = verbnet(normalize=normalize).similarity_pairwise(*pair)[0]
        assert got == pytest.approx(total / n, abs=1e-6)
    uniform = verbnet(weights="uniform").similarity_pairwise(*pair)[0]
    assert uniform == pytest.approx((1 + agent + patient) / 3, abs=1e-6)


def test_fixed_does_not_promise_identity() -> None:
    assert verbnet(normalize="fixed").info.identity is None
    assert verbnet().info.identity == 1
    assert RoleSimMethod.info.identity == 1


def test_aligned_roles_are_named_in_the_explanation() -> None:
    explanation = verbnet().explain("Cats visit mice quickly", "Dogs chase birds")
    rows = {row.role: row for row in explanation}
    assert list(rows) == ["Verb", "Agent", "Theme~Patient", "Manner"]
    theme = rows["Theme~Patient"]
    assert theme.weight == 2
    assert theme.first is not None
    assert theme.second is not None
    assert (theme.first.span, theme.second.span) == ((11, 15), (11, 16))
    manner = rows["Manner"]
    assert (manner.second, manner.cosine, manner.contribution) == (None, None, 0)
    assert explanation.divisor == 7
    assert explanation.vectors == "toy-vectors"
    assert explanation.parser == "toy"
    other_way = verbnet().explain("Dogs chase birds", "Cats visit mice")
    assert [row.role for row in other_way] == ["Verb", "Agent", "Patient~Theme"]


def test_unknown_words_count_as_present_with_cosine_0() -> None:
    method = verbnet()
    assert method.similarity_pairwise(["zzyzx chase mice"], ["zzyzx chase mice"])[0] == (
        pytest.approx(5 / 7, abs=1e-6)
    )


def test_fallback_is_the_cosine_of_whole_sentences() -> None:
    method = verbnet()
    expected = word_cosine("cats mice", "dogs chase birds")
    explanation = method.explain("cats mice", "Dogs chase birds")
    assert explanation.score == pytest.approx(expected, abs=1e-6)
    assert explanation.statuses == ("failed", "ok")
    assert "first sentence has no role (no verb)" in explanation.note
    assert method.similarity(["Dogs chase birds", "x"], ["cats mice"])[0, 0] == (
        pytest.approx(expected, abs=1e-6)
    )
    # Neither has a word with a vector: equal texts that are not blank score 1, all else 0.
    wordless = ["zzyzx", " zzyzx ", "qwrt", "", "  "]
    expected_table = np.zeros((5, 5))
    expected_table[:2, :2] = 1
    expected_table[2, 2] = 1
    np.testing.assert_array_equal(method.similarity(wordless, wordless), expected_table)
    for i, s1 in enumerate(wordless):
        for j, s2 in enumerate(wordless):
            assert method.explain(s1, s2).score == expected_table[i, j]
    assert method.similarity_pairwise(["cats"], [""])[0] == 0


def test_on_failure_nan_and_raise() -> None:
    method = verbnet(on_failure="nan")
    scores = method.similarity(["Cats chase mice", "cats"], ["Cats chase mice", ""])
    assert np.isnan(scores).tolist() == [[False, True], [True, True]]
    assert np.isnan(method.similarity_pairwise(["cats"], ["Cats chase mice"]))[0]
    explanation = method.explain("cats", "Cats chase mice")
    assert math.isnan(explanation.score)
    assert explanation.to_dict()["score"] is None
    assert "undefined" in str(explanation)
    assert "nan" in explanation.to_html()
    indices, _ = method.top_k(["Cats chase mice"], ["cats", "Cats chase mice"], 2)
    assert indices.tolist() == [[1, -1]]
    with pytest.raises(ParseError, match=r"sentence 1, 'cats'.*no verb"):
        verbnet(on_failure="raise").encode(["Cats chase mice", "cats"])


def test_options_are_checked(tmp_path: Path) -> None:
    for options in (
        {"on_failure": "ignore"},
        {"normalize": "some"},
        {"parser": 3},
        {"vectors": 3},
        {"cache": 3},
    ):
        with pytest.raises(InputError):
            verbnet(**options)
    with pytest.raises(TypeError, match="colour"):
        verbnet(colour="red")


def test_the_cache_spares_the_parser() -> None:
    parser = ToyParser()
    method = verbnet(parser=parser, cache=ParseCache(None))
    first = method.similarity(["Cats chase mice"], ["Dogs help birds"])
    second = method.similarity(["Cats chase mice"], ["Dogs help birds"])
    assert parser.parsed == ["Cats chase mice", "Dogs help birds"]
    np.testing.assert_array_equal(first, second)
    assert method.vectors.name == "toy-vectors"
    assert method.explain("Cats chase mice", "Dogs help birds").parser == "toy"


def test_cache_true_is_the_users_cache() -> None:
    parser = ToyParser()
    for _ in range(2):
        verbnet(parser=parser, cache=True).encode(["Cats visit mice in the park"])
    assert len(parser.parsed) == 1


def test_one_list_twice_is_parsed_once() -> None:
    parser = ToyParser()
    sentences = ["Cats chase mice"]
    verbnet(parser=parser).similarity(sentences, sentences)
    assert parser.parsed == sentences


def test_a_parser_that_loses_a_sentence_is_found_out() -> None:
    class Lossy(ToyParser):
        def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
            return super().parse(sentences)[1:]

    with pytest.raises(ParseError, match="0 graphs for 1"):
        verbnet(parser=Lossy()).encode(["Cats chase mice"])


def test_batches_of_other_vectors_or_methods_are_refused() -> None:
    method = verbnet()
    batch = method.encode(["Cats chase mice"])
    assert isinstance(batch, RoleBatch)
    batch.space = "other:1"
    with pytest.raises(InputError, match="other:1"):
        method.similarity(batch, ["Cats chase mice"])


# --- how an explanation looks --------------------------------------------------------------------


def test_explanation_as_table() -> None:
    text = str(verbnet().explain("Cats chase mice", "Dogs chase birds in the park"))
    lines = text.splitlines()
    assert lines[0].startswith("verbnet-cn: 0.")
    assert lines[3] == "vectors toy-vectors, parser toy, normalize matched (N = 7)"
    table = lines[lines.index("") + 1 :]
    assert table[0].split() == ["role", "1", "2", "cosine", "weight", "contribution"]
    assert table[1].split() == ["Verb", "chase", "chase", "1.0000", "3.0", "0.4286"]
    assert table[4].split() == ["Location", "-", "the", "park", "-", "0.5", "0.0000"]
    assert len({len(line) for line in table}) == 1


def test_explanation_as_rich_table() -> None:
    from rich.console import Console

    console = Console(width=120)
    with console.capture() as capture:
        console.print(verbnet().explain("[red]Cats chase mice", "Dogs chase birds"))
    assert "[red]Cats" in capture.get()
    assert "0.4286" in capture.get()


def test_explanation_as_html() -> None:
    explanation = verbnet().explain("<b>cats & chase mice", 'Dogs chase "birds"')
    page = explanation.to_html()
    assert page.startswith("<!DOCTYPE html>")
    assert "<b>" not in page
    assert "&lt;b&gt;cats &amp;</mark>" in page
    assert "&quot;birds&quot;" in page
    # Nothing is fetched: the only address is the name of a format.
    assert "http" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "<script" not in page
    assert "color-scheme: light dark" in page
    fragment = explanation._repr_html_()
    assert fragment in page
    assert fragment.count("<mark") == 3 + 3 + 3


def test_explanation_as_dict_and_json() -> None:
    import json

    explanation = verbnet().explain("Cats chase mice", "Dogs visit birds quickly")
    data = json.loads(explanation.to_json())
    assert data == explanation.to_dict()
    assert data["roles"][0]["first"] == {"phrase": "chase", "span": [5, 10], "parts": []}
    assert sum(role["contribution"] for role in data["roles"]) == data["score"]
