"""The recipe of the token vectors on tiny data: its texts, its pairs, its training."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from compsim.parsers.files.conll import Tree
from compsim.weights.build_static import Start, directions, pairs_of, start, train
from compsim.weights.treebank.captions import captions
from compsim.weights.treebank.recombination import recombined

DOGS = Tree(
    words=["The", "old", "dogs", "are", "chasing", "cats", "in", "gardens", "."],
    tags=["DT", "JJ", "NNS", "VBP", "VBG", "NNS", "IN", "NNS", "."],
    pos=[],
    lemmas=["the", "old", "dog", "be", "chase", "cat", "in", "garden", "."],
    heads=[2, 2, 4, 4, 4, 4, 4, 6, 4],
    deps=["det", "amod", "nsubj", "aux", "ROOT", "dobj", "prep", "pobj", "punct"],
    spaces=[True] * 7 + [False] * 2,
)
TREES = [
    DOGS,
    replace(
        DOGS,
        words=["A", "tired", "nurse", "was", "reading", "letters", "with", "friends", "."],
        tags=["DT", "JJ", "NN", "VBD", "VBG", "NNS", "IN", "NNS", "."],
        lemmas=["a", "tired", "nurse", "be", "read", "letter", "with", "friend", "."],
    ),
]


def test_phrases_are_exchanged_for_others_of_their_kind() -> None:
    texts = recombined(TREES, 24, random.Random(1))
    assert len(texts) == len(set(texts)) == 24
    assert "gardens" in " ".join(texts)
    assert texts == recombined(TREES, 24, random.Random(1))
    sentences = [text for text in texts if text.endswith(".")]
    assert any("dogs" in text and "letters" in text for text in sentences)
    assert all(text.split()[0][0].isupper() or "A tired" in text for text in sentences)


def test_captions_are_made_of_the_words_of_the_trees() -> None:
    texts = captions(TREES, 400, random.Random(2))
    assert len(texts) == len(set(texts)) >= 400
    said = " ".join(texts).lower()
    for part in ("is chasing", "is not", "there is no", "who is", "cats", "with friends"):
        assert part in said
    assert texts == captions(TREES, 400, random.Random(2))


def test_pairs_count_once_a_text() -> None:
    assert pairs_of([[1, 2, 1, 2], [3, 4], [3, 4, 1]], 2) == [(3, 4), (1, 2)]


def test_training_brings_sums_to_their_targets() -> None:
    pytest.importorskip("torch")
    generator = np.random.default_rng(4)
    hidden = generator.normal(size=(12, 6)).astype(np.float32)
    rows = [generator.integers(0, 12, size=4) for _ in range(1024)]
    targets = np.array([hidden[row].sum(axis=0) for row in rows])
    targets = (targets / np.linalg.norm(targets, axis=1, keepdims=True)).astype(np.float32)
    begin = start(hidden[:, ::-1].copy(), [row.tolist() for row in rows], 0)
    assert isinstance(begin, Start)
    results: list[str] = []
    train(begin, rows, targets, 60, results.append)
    first, last = (float(line.rpartition(" ")[2]) for line in (results[0], results[-1]))
    assert last > first + 0.1


def test_directions_are_those_of_most_length() -> None:
    vectors = np.diag([1.0, 3.0, 2.0]).astype(np.float32)
    assert np.abs(directions(vectors, 2)).argmax(axis=0).tolist() == [1, 2]
