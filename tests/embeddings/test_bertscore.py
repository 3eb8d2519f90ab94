"""Token matching, against a twin in plain Python, and its batches."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import kernels as naive
from tiny_models import KNOWN, transformer

from compsim.embeddings import bertscore
from compsim.embeddings.bertscore import BertScore
from compsim.embeddings.token_batch import TokenBatch
from compsim.errors import InputError
from compsim.kernels.ragged import Ragged

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

CORPUS = ["the cats chase mice", "the dogs help", "the birds in the park", "cats"]
_kept: dict[bool, BertScore] = {}


def method(idf: bool = False) -> BertScore:
    if idf not in _kept:
        _kept[idf] = BertScore(transformer("bert"), layer=1, idf=CORPUS if idf else None)
    return _kept[idf]


@cache
def tokens_of(text: str) -> tuple[list[int], list[list[float]]]:
    """The numbers and states of a text's tokens, without the special ones at either end."""
    encoder = method().encoder
    numbers = encoder.tokenizer(text, return_tensors="pt")["input_ids"]
    with torch.no_grad():
        out = encoder.model(input_ids=numbers, output_hidden_states=True)
    return numbers[0, 1:-1].tolist(), out.hidden_states[1][0, 1:-1].tolist()


def f1(s: str, t: str, idf: bool = False) -> float:
    """The twin: every cosine by itself."""

    def weight(number: int) -> float:
        if not idf:
            return 1.0
        count = sum(number in tokens_of(text)[0] for text in CORPUS)
        return math.log((len(CORPUS) + 1) / (count + 1))

    (p, x), (q, y) = tokens_of(s), tokens_of(t)
    if not x or not y:
        return float(not x and not y and s.strip() == t.strip() and bool(s.strip()))

    def mean(numbers: list[int], ours: Any, theirs: Any) -> float:
        weights = [weight(number) for number in numbers]
        weights = weights if sum(weights) > 0 else [1.0] * len(weights)
        best = [max(naive.cosine(u, v) for v in theirs) for u in ours]
        return sum(w * c for w, c in zip(weights, best, strict=True)) / sum(weights)

    precision, recall = mean(p, x, y), mean(q, y, x)
    if precision <= 0 or recall <= 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)


sentences = st.lists(st.sampled_from((*KNOWN, "xyz")), max_size=6).map(" ".join)


@pytest.mark.parametrize("idf", [False, True])
@given(a=st.lists(sentences, max_size=3), b=st.lists(sentences, max_size=3))
@settings(max_examples=15)
def test_scores_are_the_naive_ones(idf: bool, a: list[str], b: list[str]) -> None:
    scores = method(idf).similarity(a, b)
    for i, s in enumerate(a):
        for j, t in enumerate(b):
            assert scores[i, j] == pytest.approx(f1(s, t, idf), abs=1e-5)
            assert method(idf).similarity_pairwise([s], [t])[0] == pytest.approx(
                scores[i, j], abs=1e-6
            )


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    a = [f"{x} chase {y}" for x in KNOWN[:4] for y in KNOWN[:4]]
    b = ["", *a[::2], " ", "cats", "\u200b"]
    whole = method().similarity(a, b)
    monkeypatch.setattr(bertscore, "_COSINES_AT_ONCE", 12)
    np.testing.assert_allclose(method().similarity(a, b), whole, atol=1e-6)
    assert [s.stop - s.start for s in bertscore._blocks(np.array([2, 4, 9, 10]), 4)] == [2, 1, 1]


def test_odd_sentences() -> None:
    odd = ["", "  ", "\u200b", "\U0001f600", "cats " * 10_000]
    scores = method().similarity(odd, odd)
    np.testing.assert_allclose(np.diag(scores)[[0, 1, 3, 4]], [0, 0, 1, 1], atol=1e-6)
    assert np.isfinite(scores).all()
    np.testing.assert_allclose(method().similarity_pairwise(odd, odd), np.diag(scores), atol=1e-6)


def test_the_explanation_names_the_matched_tokens() -> None:
    explanation = method().explain("Cats chase mice", "the birds help")
    assert [row.role for row in explanation] == ["first"] * 3 + ["second"] * 3
    assert [row.first.label for row in explanation if row.role == "first"] == [
        "Cats",
        "chase",
        "mice",
    ]
    assert [row.second.span for row in explanation if row.role == "second"] == [
        (0, 3),
        (4, 9),
        (10, 14),
    ]
    score = method().similarity_pairwise(["Cats chase mice"], ["the birds help"])[0]
    assert explanation.score == pytest.approx(score, abs=1e-6)
    assert "precision" in explanation.note
    assert method().explain("", "cats").score == 0


def test_idf_counts_sentences_once_and_knows_the_rare() -> None:
    weights = method(idf=True).encode(["the the cats park mice query"]).weight
    common, again, cats, park, mice, query = weights.tolist()
    assert common == again == pytest.approx(math.log(5 / 4))
    assert cats == pytest.approx(math.log(5 / 3))
    assert park == mice == pytest.approx(math.log(5 / 2))
    assert query == pytest.approx(math.log(5))
    with pytest.raises(InputError, match="encoded differently"):
        method(idf=True).similarity(method().encode(["cats"]), ["cats"])
    with pytest.raises(InputError, match="idf is a single str"):
        BertScore(transformer("bert"), idf="cats")


def test_batches_are_cut_joined_and_kept(tmp_path: Path) -> None:
    texts = ["Cats chase mice", "", "dogs", "the birds help"]
    batch = method().encode(texts)
    assert repr(batch) == "TokenBatch(4 sentences, 7 tokens)"
    for index, places in ((2, [2]), ([3, 0], [3, 0]), (slice(None, None, -1), [3, 2, 1, 0])):
        part = batch[index]
        assert part.texts == [texts[i] for i in places]
        assert [part.words(i) for i in range(len(part))] == [batch.words(i) for i in places]
    assert batch[np.array([True, False, True, False])].texts == ["Cats chase mice", "dogs"]
    batch.save(tmp_path / "batch")
    for mmap in (True, False):
        back = TokenBatch.load(tmp_path / "batch", mmap=mmap)
        joined = TokenBatch.concat([back[:1], back[1:]])
        np.testing.assert_array_equal(joined.vector, batch.vector)
        assert [joined.words(i) for i in range(4)] == [batch.words(i) for i in range(4)]
    with pytest.raises(InputError, match="no batch to join"):
        TokenBatch.concat([])
    with pytest.raises(InputError, match="has no 9"):
        batch[9]
    with pytest.raises(InputError, match="a vector, a weight and a span"):
        TokenBatch(Ragged(np.array([0]), {}), texts=[])
    other = BertScore(transformer("bert"), layer=0).encode(["cats"])
    with pytest.raises(InputError, match="encoded differently"):
        TokenBatch.concat([batch, other])
