"""Documents ranked by their sentences: orders, shapes, explanations and bad input."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from toys import ToyParser, toy_vectors

import compsim
from compsim import InputError, Reranker
from compsim.method import Method
from compsim.registry import load
from compsim.retrieval import Documents

DOCUMENTS = [
    "Mice chase cats.",
    "Birds visit the park. Cats chase mice quickly.",
    "Dogs help birds in the house.",
    "Mice chase cats.",
]
QUERY = "Cats chase mice."


@pytest.fixture(scope="module")
def hybrid() -> Reranker:
    """The default method, on the words and the parser that ship."""
    return Reranker(whole="mean-cn", vectors="builtin")


def toy(**options: Any) -> Reranker:
    return Reranker("verbnet-cn", parser=ToyParser(), vectors=toy_vectors(), **options)


def test_the_sentence_that_says_so_comes_first(hybrid: Reranker) -> None:
    ranking = hybrid.rank(QUERY, DOCUMENTS)
    order = [one["corpus_id"] for one in ranking]
    assert order[0] == 1
    assert order.index(3) == order.index(0) + 1  # equal ones stay in their order
    assert ranking == sorted(ranking, key=lambda one: -one["score"])
    assert all(set(one) == {"corpus_id", "score"} for one in ranking)
    assert all(type(one["score"]) is float for one in ranking)
    best = hybrid.rank(QUERY, iter(DOCUMENTS), top_k=2, return_documents=True)
    assert [one["text"] for one in best] == [DOCUMENTS[i] for i in order[:2]]
    assert len(hybrid.rank(QUERY, DOCUMENTS, top_k=9)) == 4


@pytest.mark.parametrize("combine", ["max", "mean", 2])
def test_scores_are_those_of_the_sentences(combine: str | int) -> None:
    reranker = toy(combine=combine)
    text = "Cats chase mice. Dogs help cats. Birds visit mice."
    sentences = ["Cats chase mice.", "Dogs help cats.", "Birds visit mice."]
    each = np.sort(reranker.method.similarity([QUERY], sentences)[0])[::-1]
    expected = {"max": each[0], "mean": each.mean(), 2: each[:2].mean()}[combine]
    assert reranker.scores(QUERY, [text])[0] == pytest.approx(expected, abs=1e-6)
    why = reranker.explain(QUERY, text)
    assert why.score == pytest.approx(expected, abs=1e-6)
    counting = [one.score for one in why.sentences if one.counts]
    assert np.mean(counting) == pytest.approx(expected, abs=1e-6)


def test_pairs_are_scored_as_they_are_ranked(hybrid: Reranker) -> None:
    queries = [QUERY, "Dogs help birds."]
    pairs = [(query, text) for text in DOCUMENTS for query in queries]
    scores = hybrid.predict(pairs)
    assert isinstance(scores, np.ndarray)
    assert scores.dtype == np.float32
    for i, query in enumerate(queries):
        np.testing.assert_allclose(scores[i::2], hybrid.scores(query, DOCUMENTS), atol=1e-6)
    one = hybrid.predict((QUERY, DOCUMENTS[0]))
    assert np.ndim(one) == 0
    assert one == scores[0]
    assert hybrid.predict([list(pairs[0])]).tolist() == [scores[0]]
    assert hybrid.predict([]).shape == (0,)
    assert hybrid.predict(iter(pairs)).tolist() == scores.tolist()
    assert type(one) is float
    listed = hybrid.predict(pairs, convert_to_numpy=False)
    assert listed == scores.tolist()
    assert {type(score) for score in listed} == {float}


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([{"query": QUERY, "text": DOCUMENTS[0]}], r"pairs\[0\] is no pair but a dict"),
        ([(QUERY, "a"), {QUERY, "b"}], r"pairs\[1\] is no pair but a set"),
        ({QUERY, DOCUMENTS[0]}, "inputs is a set"),
        ({"query": QUERY, "text": DOCUMENTS[0]}, "inputs is a dict"),
        ([b"ab"], r"pairs\[0\] is no pair but a bytes"),
        (["ab"], r"pairs\[0\] is no pair but a str"),
        ([(QUERY, "a", "b")], r"pairs\[0\] is no pair but a tuple"),
        ([3], r"pairs\[0\] is no pair but a int"),
        (QUERY, "inputs is a str"),
        ([(QUERY, 3)], r"documents\[0\] is a int"),
    ],
)
def test_what_is_no_pair_is_refused(hybrid: Reranker, inputs: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        hybrid.predict(inputs)


def test_rank_takes_what_a_cross_encoder_takes(hybrid: Reranker) -> None:
    given = {
        "prompt_name": None, "prompt": None, "batch_size": 8, "show_progress_bar": False,
        "apply_softmax": True, "convert_to_numpy": True, "convert_to_tensor": False,
        "device": "cpu", "pool": None, "chunk_size": 5, "activation_fn": None,
    }  # fmt: skip
    assert hybrid.rank(QUERY, DOCUMENTS, **given) == hybrid.rank(QUERY, DOCUMENTS)


def test_each_distinct_sentence_is_encoded_once() -> None:
    reranker = toy()
    parser = ToyParser()
    reranker.method.parser = parser
    documents = reranker.encode(["Cats chase mice. Dogs help cats.", "Dogs help cats.", ""])
    assert parser.parsed == ["Cats chase mice.", "Dogs help cats."]
    reranker.rank(QUERY, documents)
    assert parser.parsed[2:] == [QUERY]
    reranker.predict([(QUERY, "Dogs help cats."), (QUERY, "Dogs help cats. Dogs help cats.")])
    assert sorted(parser.parsed[3:]) == sorted(["Dogs help cats.", QUERY])


def test_encoded_documents_and_parts_of_them(hybrid: Reranker) -> None:
    documents = hybrid.encode(DOCUMENTS)
    assert isinstance(documents, Documents)
    assert len(documents[[]]) == 0
    scores = hybrid.scores(QUERY, DOCUMENTS)
    assert hybrid.scores(QUERY, documents).tolist() == scores.tolist()
    for part in ([2, 1], np.array([False, True, False, True]), slice(1, None), slice(0)):
        expected = scores[part]
        # Sums of float32 in another order.
        np.testing.assert_allclose(hybrid.scores(QUERY, documents[part]), expected, atol=1e-6)
    assert documents[[1]].sentences(0) == ["Birds visit the park.", "Cats chase mice quickly."]


def test_an_explanation_says_which_sentence_and_which_roles(hybrid: Reranker) -> None:
    why = hybrid.explain(QUERY, DOCUMENTS[1])
    assert [one.counts for one in why.sentences] == [False, True]
    assert why.best is not None
    assert why.best.sentences == (QUERY, "Cats chase mice quickly.")
    assert why.best.score == pytest.approx(why.score, abs=1e-5)
    assert "concept" in {row.role for row in why.best}
    for one in why.sentences:
        assert DOCUMENTS[1][slice(*one.span)] == one.text
    assert json.loads(why.to_json())["best"]["method"] == "hybrid"
    assert "* " in str(why)
    assert "chase" in str(why)


def test_keywords_and_questions() -> None:
    hybrid = Reranker(whole="mean-cn", vectors="builtin")
    documents = ["The man bit the dog.", "The dog bit the man.", "A cat slept on the roof."]
    # What is asked for is open, and what is known keeps its role.
    assert hybrid.rank("Who bit the man?", documents)[0]["corpus_id"] == 1
    assert hybrid.rank("What did the dog bite?", documents)[0]["corpus_id"] == 1
    # A noun phrase finds its like in any role, and says nothing of who did what.
    assert hybrid.rank("roof", documents)[0]["corpus_id"] == 2
    first, second, other = hybrid.scores("the man", documents)
    assert first == pytest.approx(second, abs=1e-6)
    assert first > other + 0.2


def test_first_stage_scores_are_blended() -> None:
    first = [3.0, 0.0, 1.0, np.nan]
    reranker = toy(weight=0.0)
    ranked = [one["corpus_id"] for one in reranker.rank(QUERY, DOCUMENTS, first=first)]
    assert ranked == [0, 2, 1, 3]
    assert reranker.scores(QUERY, DOCUMENTS, first).tolist() == pytest.approx([1, 0, 1 / 3, 0])
    own = toy().scores(QUERY, DOCUMENTS)
    span = (own - own.min()) / (own.max() - own.min())
    mixed = toy(weight=0.25).scores(QUERY, DOCUMENTS, first)
    np.testing.assert_allclose(mixed, 0.25 * span + 0.75 * np.array([1, 0, 1 / 3, 0]))
    ranks = toy(blend="rrf", weight=0.5).scores(QUERY, DOCUMENTS, first)
    places = {1: 1, 0: 2, 3: 2, 2: 4}
    expected = [0.5 / (60 + places[i]) for i in range(4)]
    for i, place in ((0, 1), (2, 2), (1, 3)):
        expected[i] += 0.5 / (60 + place)
    assert ranks.tolist() == pytest.approx(expected)
    # One that says nothing changes nothing.
    for flat in ([1.0] * 4, [np.nan] * 4):
        alone = [one["corpus_id"] for one in toy().rank(QUERY, DOCUMENTS)]
        assert [one["corpus_id"] for one in toy().rank(QUERY, DOCUMENTS, first=flat)] == alone


def test_what_a_query_leaves_out_counts_against_a_document(hybrid: Reranker) -> None:
    documents = ["Paris lies on the Seine.", "Lyon lies on the Rhone.", "Lyon is old."]
    asked = "French towns, but not Paris"
    as_it_is = Reranker(hybrid.method, exclude=None).scores(asked, documents)
    left_out = Reranker(hybrid.method, exclude=0.0).scores(asked, documents)
    scores = hybrid.scores(asked, documents)
    np.testing.assert_allclose(left_out, hybrid.scores("French towns", documents), atol=1e-6)
    assert as_it_is[0] > left_out[0] > scores[0]
    unwanted = hybrid.scores("Paris", documents)
    np.testing.assert_allclose(scores, left_out - 0.2 * np.maximum(unwanted, 0), atol=1e-6)
    np.testing.assert_allclose(hybrid.predict([(asked, one) for one in documents]), scores)
    why = hybrid.explain(asked, documents[0])
    assert (why.excluded, why.score) == (("Paris",), pytest.approx(scores[0], abs=1e-5))
    assert why.sentences[0].score - why.penalty == pytest.approx(why.score)
    assert "left out by the query: Paris" in str(why)


@pytest.mark.parametrize(
    ("first", "said"),
    [([1.0], "one score for each"), ([1, 2, 3, np.inf], "infinite"), (["a"] * 4, "no numbers")],
)
def test_first_stage_scores_that_cannot_be(first: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        toy().rank(QUERY, DOCUMENTS, first=first)


def test_what_has_nothing_to_compare() -> None:
    reranker = toy()
    lowest = reranker.method.info.lowest
    assert reranker.rank(QUERY, []) == []
    assert reranker.scores(QUERY, []).shape == (0,)
    empty = ["", " \n ", "Cats chase mice.", "\u200b"]
    assert reranker.scores(QUERY, empty).tolist() == pytest.approx([lowest, lowest, 1, lowest])
    assert [one["corpus_id"] for one in reranker.rank(QUERY, empty)] == [2, 0, 1, 3]
    assert reranker.scores(QUERY, ["", ""]).tolist() == [lowest] * 2
    assert reranker.scores(QUERY, ["", "Cats chase mice."], [2, 1]).tolist() == [0.5, 0.5]
    assert reranker.predict([(QUERY, "")]).tolist() == [lowest]
    why = reranker.explain(QUERY, "")
    assert (why.score, why.sentences, why.best) == (lowest, (), None)
    assert "score" in str(why)
    unparsed = toy(on_failure="nan")
    assert unparsed.scores(QUERY, ["zzyzx", "zzyzx. Cats chase mice."]).tolist() == [lowest, 1]
    assert unparsed.explain(QUERY, "zzyzx").best is None


@pytest.mark.parametrize("query", ["", "  ", "?!", "\u200b"])
def test_a_query_without_a_word(query: str) -> None:
    for call in (
        lambda: toy().rank(query, DOCUMENTS),
        lambda: toy().predict([(query, "Cats chase mice.")]),
        lambda: toy().explain(query, "Cats chase mice."),
    ):
        with pytest.raises(InputError, match="without a word"):
            call()


def test_input_of_another_kind() -> None:
    for call, said in (
        (lambda: toy().rank(QUERY, "Cats chase mice."), "list of strings"),
        (lambda: toy().rank(QUERY, [None]), r"documents\[0\]"),
        (lambda: toy().rank(3, DOCUMENTS), r"queries\[0\]"),
        (lambda: toy().rank(QUERY, DOCUMENTS, top_k=0), "top_k=0"),
        (lambda: toy().rank(QUERY, DOCUMENTS, score_threshold="0.5"), "score_threshold='0.5'"),
        (lambda: toy().rank(QUERY, DOCUMENTS, score_threshold=np.nan), "score_threshold=nan"),
        (lambda: toy().predict(["a", "b", "c"]), r"pairs\[0\]"),
        (lambda: toy().predict([("a", "b", "c")]), r"pairs\[0\]"),
        (lambda: toy(combine="min"), "combine"),
        (lambda: toy(combine=0), "combine"),
        (lambda: toy(blend="sum"), "blend"),
        (lambda: toy(weight=2), "weight"),
        (lambda: toy(exclude=-1), "exclude"),
        (lambda: Reranker(load("mean-cn"), vectors="builtin"), "made already"),
        (lambda: Reranker("mean-cn", hue=1), "no option"),
    ):
        with pytest.raises(InputError, match=said):
            call()


def test_other_batches_are_refused(hybrid: Reranker) -> None:
    with pytest.raises(InputError, match="another method"):
        hybrid.rank(QUERY, toy().encode(DOCUMENTS))


def test_many_documents_and_a_long_one() -> None:
    reranker = Reranker("mean-cn", vectors="builtin")
    many = [f"Cats chase {i} mice." for i in range(9_999)] + ["Dogs help birds."]
    assert reranker.rank("Dogs help birds.", many, top_k=1)[0]["corpus_id"] == 9_999
    long = "The dog that bit the man chased a cat. " * 26_000
    assert len(long) > 1_000_000
    documents = reranker.encode([long, "word " * 200_000, "x" * 1_000_000, "Dogs help birds."])
    assert documents.batch is not None
    assert len(documents.batch) < 100
    assert reranker.rank("Dogs help birds.", documents)[0]["corpus_id"] == 3


def test_it_is_the_same_elsewhere(hybrid: Reranker) -> None:
    expected = hybrid.scores(QUERY, DOCUMENTS).tolist()
    for twin in (pickle.loads(pickle.dumps(hybrid)), copy.deepcopy(hybrid)):
        assert twin.scores(QUERY, DOCUMENTS).tolist() == expected
    assert compsim.Reranker is Reranker
    assert "hybrid" in repr(hybrid)


@pytest.mark.parametrize(
    "name", ["amr-cn", "amr-smatch", "amr-wwlk", "mult-cn", "weighted-mean-cn"]
)
def test_any_method_ranks(name: str) -> None:
    method: Method[Any] = load(name)
    texts = ["Prices fell. The dog bit the man.", "Prices fell."]
    assert Reranker(method).rank("The dog bit the man.", texts)[0]["corpus_id"] == 0
