"""``synwmd`` against a slow twin; its masses, its limits, and what it does without words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import synwmd as naive
from toys import toy_vectors

from compsim import InputError, load
from compsim.embeddings.word_flow import WordGraph, default_masses
from compsim.parsers.roles.srl import SrlParser
from compsim.vectors.all_words import AllWords
from compsim.vectors.word_vectors import WordVectors

SENTENCES = [
    "The dog bit the man.",
    "The man that the dog had bitten ran away quickly.",
    "Rain.",
    "It's 5 o'clock, isn't it?",
    "Two young boys are playing with a red ball in the park near the old school.",
    "Yes. No. Prices rose, and wages fell.",
    "Zyzzyva zorblats; -- (!)",
]


@st.composite
def trees(draw: st.DrawFn) -> list[tuple[list[str], list[int]]]:
    results = []
    for _ in range(draw(st.integers(1, 5))):
        words = draw(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=8))
        # Each word hangs on one before it, or is a root of its own.
        heads = [draw(st.integers(0, i)) for i in range(len(words))]
        results.append((words, heads))
    return results


@given(trees())
def test_masses_are_the_inverse_pagerank(several: list[tuple[list[str], list[int]]]) -> None:
    graph = WordGraph()
    for words, heads in several:
        graph.add(words, heads)
    result, expected = graph.masses(), naive.masses(several)
    assert result.keys() == expected.keys()
    assert result == pytest.approx(expected, abs=1e-9)
    assert max(result.values()) == 1.0


def test_no_words_have_no_masses() -> None:
    assert WordGraph().masses() == {}
    graph = WordGraph()
    graph.add([], [])
    assert graph.masses() == {}
    graph.add(["alone"], [0])
    assert graph.masses() == {"alone": 1.0}


@pytest.mark.parametrize("kind", ["builtin", "toy"])
@pytest.mark.parametrize("corpus", [None, SENTENCES])
def test_scores_are_those_of_a_slow_twin(kind: str, corpus: list[str] | None) -> None:
    vectors = WordVectors.open("builtin") if kind == "builtin" else toy_vectors()
    method, encoder = load("synwmd", vectors=vectors, sentences=corpus), AllWords(vectors)
    result = SrlParser().trees(SENTENCES)
    mass = default_masses()
    if corpus is not None:
        read = [([t.word(i).lower() for i in range(len(t))], t.heads) for t in result]
        mass = naive.masses(read)
    expected = [[naive.score(a, b, encoder, mass) for b in result] for a in result]
    scores = method.similarity(SENTENCES, SENTENCES)
    np.testing.assert_allclose(scores, expected, atol=2e-6)
    pairs = method.similarity_pairwise(SENTENCES, SENTENCES[::-1])
    np.testing.assert_allclose(pairs, np.diag(np.array(expected)[:, ::-1]), atol=2e-6)


def test_small_words_weigh_little_and_unknown_ones_most() -> None:
    method = load("synwmd", vectors="builtin")
    batch = method.encode(["The zorblat slept."])
    weight = dict(zip(batch.words(0), batch.weight.tolist(), strict=True))
    assert weight["The"] < 0.01 < weight["slept"] < weight["zorblat"] == 1.0
    near, far = method.similarity("A dog slept.", ["The dog slept.", "A cat slept."])
    assert near > far


def test_where_a_word_stands_counts() -> None:
    method = load("synwmd", vectors="builtin")
    result = "A red car stopped beside a blue van."
    same, swapped = method.similarity(result, [result, "A blue car stopped beside a red van."])
    assert same > swapped + 0.01


def test_an_explanation_tells_what_is_moved_where_it_stands() -> None:
    explanation = load("synwmd").explain(" The  dog\tbarks.", "A dog \U0001f600 barked!")
    assert sum(row.weight for row in explanation.rows) == pytest.approx(1)
    for row in explanation.rows:
        assert row.first is not None
        assert row.second is not None
        for node, text in zip((row.first, row.second), explanation.sentences, strict=True):
            start, stop = node.span
            assert text[start:stop] == node.label
    best = max(explanation.rows, key=lambda row: row.contribution)
    assert (best.first.label, best.second.label) in {("dog", "dog"), ("barks", "barked")}


def test_texts_without_words_and_long_ones() -> None:
    method = load("synwmd", vectors="builtin")
    first, second = ["", "?!", "?!", "Cats sleep.", " "], ["", "?!", "...", "?!", "Cats sleep."]
    np.testing.assert_array_equal(method.similarity_pairwise(first, second), [0, 1, 0, 0, 0])
    assert method.explain("?!", "Cats sleep.").score == 0
    long = "Cats sleep and dogs bark. " * 200
    batch = method.encode([long, long[: len(long) // 2 + 40]])
    assert np.diff(batch.indptr).tolist() == [512, 508]
    assert method.similarity_pairwise([long], ["Cats sleep and dogs bark."])[0] > 0.8


def test_corpora_that_are_none_and_spaces() -> None:
    with pytest.raises(InputError, match="sentences is a single str"):
        load("synwmd", sentences="Cats sleep.")
    plain, own = load("synwmd"), load("synwmd", sentences=["Cats sleep.", "Dogs bark."])
    assert plain.space != own.space
    with pytest.raises(InputError, match="encode both"):
        own.similarity(plain.encode(["Cats sleep."]), own.encode(["Cats sleep."]))
    assert load("synwmd", sentences=[]).similarity("Cats sleep.", "Cats sleep.") > 0.9
