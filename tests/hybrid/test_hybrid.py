"""The hybrid on toys: search by its bound, sentences without a parse, batches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toys import ToyParser, toy_vectors

from compsim import load
from compsim.embeddings.batch import VectorBatch
from compsim.errors import CompsimError, InputError
from compsim.hybrid.batch import HybridBatch
from compsim.hybrid.method import HybridMethod
from compsim.hybrid.search import STEP
from compsim.method import Method


def toy_hybrid() -> HybridMethod:
    return HybridMethod("mean-cn", parser=ToyParser(), vectors=toy_vectors())


WORDS = ("dogs", "cats", "mice", "birds", "chase", "see", "visit")


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), min_size=1))
@settings(max_examples=5, deadline=None)
def test_the_best_are_found_without_comparing_all(texts: list[str]) -> None:
    method = toy_hybrid()
    documents = method.encode((texts * STEP)[: 2 * STEP + 7])
    queries = method.encode(["dogs chase cats", ""])
    for k, cutoff in ((3, None), (5, 0.4), (2 * STEP + 7, None)):
        best = method.top_k(queries, documents, k, cutoff)
        expected = Method.top_k(method, queries, documents, k, cutoff)
        np.testing.assert_allclose(best[1], expected[1], atol=1e-6)
        scores = method.similarity(queries, documents)
        for row, places in enumerate(best[0]):
            own = scores[row][places[places >= 0]]
            np.testing.assert_allclose(own, best[1][row][places >= 0], atol=1e-6)


def test_a_sentence_without_a_parse_scores_as_a_whole() -> None:
    method = load("hybrid", whole="mean-cn", vectors="builtin", cache=False)
    pair = ["The dog bit the man."], ["?!"]
    (score,) = method.similarity_pairwise(*pair)
    assert score == method.whole.similarity_pairwise(*pair)[0]
    explanation = method.explain(pair[0][0], pair[1][0])
    assert explanation.score == score
    assert "so the score is that of the whole sentences" in explanation.note


def test_batches_are_sliced_joined_and_saved(tmp_path: Path) -> None:
    method = toy_hybrid()
    batch = method.encode(["dogs chase cats", "cats chase dogs", "birds sleep"])
    scores = method.similarity(batch, batch)
    joined = HybridBatch.concat([batch[1:], batch[:1]])
    assert list(joined.texts) == ["cats chase dogs", "birds sleep", "dogs chase cats"]
    batch.save(tmp_path / "batch")
    again = HybridBatch.load(tmp_path / "batch")
    assert list(again.texts) == list(batch.texts)
    np.testing.assert_array_equal(method.similarity(again, again), scores)
    other = HybridBatch(VectorBatch(np.ones((3, 2)), texts=batch.texts), batch.roles)
    with pytest.raises(InputError, match="encoded differently"):
        method.similarity(batch, other)
    with pytest.raises(InputError, match="3 vectors and 1 parses"):
        HybridBatch(batch.whole, batch.roles[:1])


@pytest.mark.parametrize("whole", ["verbnet-cn", "bertscore"])
def test_what_gives_no_sentence_vectors_is_refused(whole: str) -> None:
    with pytest.raises(CompsimError, match=r"gives no sentence vectors|needs a package"):
        HybridMethod(whole, parser=ToyParser(), vectors=toy_vectors())
