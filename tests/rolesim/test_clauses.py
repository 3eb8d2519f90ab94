"""Sentences of several frames: the kernel, the plain rule, and a twin that tries every pairing."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from role_batches import DIM, SCHEME, batch_of, sentence

from compsim.errors import InputError
from compsim.rolesim import kernel
from compsim.rolesim.batch import RoleBatch
from compsim.rolesim.clauses import (
    EXACT,
    compare_pairs,
    compare_sentences,
    pair_up,
    room_for,
)
from compsim.rolesim.scheme import Scheme


@given(st.lists(st.tuples(sentence, sentence), min_size=1, max_size=3), st.booleans())
@settings(max_examples=60)
def test_the_kernel_is_the_plain_rule_and_symmetric(
    pairs: list[tuple[list[tuple], list[tuple]]],  # type: ignore[type-arg]
    readings: bool,
) -> None:
    a, b = (batch_of([pair[side] for pair in pairs], readings) for side in (0, 1))
    got = kernel.pairwise(a, b, SCHEME)
    plain = [compare_sentences(a, i, b, i, SCHEME).score for i in range(len(a))]
    np.testing.assert_allclose(got, plain, atol=2e-5)
    np.testing.assert_allclose(got, kernel.pairwise(b, a, SCHEME), atol=2e-5)
    np.testing.assert_allclose(kernel.matrix(a, b, SCHEME).diagonal(), got, atol=2e-5)
    assert (np.abs(got) <= 1 + 1e-6).all()


@given(sentence, sentence, st.booleans())
@settings(max_examples=60)
def test_what_the_kernel_pairs_makes_the_same_explanation(
    x: list[tuple],  # type: ignore[type-arg]
    y: list[tuple],  # type: ignore[type-arg]
    readings: bool,
) -> None:
    a, b = batch_of([[], x], readings), batch_of([y], readings)
    paired = kernel.frame_pairs(a, 1, b, 0, SCHEME)
    got = compare_pairs(a, 1, b, 0, SCHEME, paired)
    plain = compare_sentences(a, 1, b, 0, SCHEME)
    assert got.score == pytest.approx(plain.score, abs=2e-5)
    assert got.score == pytest.approx(kernel.pairwise(a[[1]], b, SCHEME)[0], abs=2e-5)
    for found in (got, plain):
        assert sorted([*found.first, *(pair.first for pair in found.pairs)]) == list(
            range(sum(a.places[2][a.frames.indptr[1] :] < 0))
        )
    assert len(got.pairs) == len(plain.pairs)


@given(st.lists(sentence, min_size=1, max_size=3), st.booleans())
@settings(max_examples=60)
def test_a_sentence_with_itself(
    sentences: list[list[tuple]],  # type: ignore[type-arg]
    readings: bool,
) -> None:
    a = batch_of(sentences, readings)
    whole = [
        np.linalg.norm(a.columns[1][start:stop, :DIM], axis=1).all()
        for start, stop in zip(
            a.phrases.indptr[a.frames.indptr[:-1]],
            a.phrases.indptr[a.frames.indptr[1:]],
            strict=True,
        )
    ]
    np.testing.assert_allclose(kernel.pairwise(a, a, SCHEME)[whole], 1.0, atol=1e-5)


@given(
    st.integers(1, 5).flatmap(
        lambda n: st.lists(
            st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), min_size=n, max_size=n),
            min_size=1,
            max_size=n,
        )
    )
)
def test_frames_are_paired_for_the_greatest_sum(worth: list[list[float]]) -> None:
    n, m = len(worth), len(worth[0])
    partner = [0] * n
    pair_up([w for row in worth for w in row], n, m, partner, [0] * m, room_for(m))
    assert len(set(partner)) == n
    best = max(sum(worth[i][j] for i, j in enumerate(p)) for p in permutations(range(m), n))
    assert sum(worth[i][j] for i, j in enumerate(partner)) == pytest.approx(best)


def test_many_frames_are_paired_best_first() -> None:
    size = EXACT + 2
    draw = np.random.RandomState(0).permutation(size)
    worth = np.full((size, size), 0.1)
    worth[np.arange(size), draw] = 1.0
    partner = [0] * size
    pair_up(worth.ravel().tolist(), size, size, partner, [0] * size, room_for(EXACT))
    assert partner == draw.tolist()


def frames_of(*names: str, polarity: int = 1) -> list[tuple]:  # type: ignore[type-arg]
    """Frames of one verb each: a letter is an axis, a small one its opposite."""
    found = []
    for name in names:
        vector = [0.0] * DIM
        vector["ABCD".index(name.upper())] = 1.0 if name.isupper() else -1.0
        agent = [0.0, 0.0, 0.0, 1.0]
        found.append(({0: (vector, 1.0, 0.0, False), 1: (agent, 1.0, 0.0, False)}, polarity, 0))
    return found


def score(x: list[tuple], y: list[tuple], scheme: Scheme = SCHEME) -> float:  # type: ignore[type-arg]
    return compare_sentences(batch_of([x]), 0, batch_of([y]), 0, scheme).score


def test_the_order_of_frames_does_not_matter() -> None:
    assert score(frames_of("A", "B"), frames_of("B", "A")) == pytest.approx(1)


def test_a_frame_without_a_partner_costs_its_share() -> None:
    rule = SCHEME.clauses.unmatched
    assert score(frames_of("A"), frames_of("A", "B")) == pytest.approx(1 / (1 + rule))


def test_what_is_denied_once_costs_and_denied_twice_not() -> None:
    yes, no = frames_of("A"), frames_of("A", polarity=-1)
    assert score(yes, no) == pytest.approx(1 - SCHEME.clauses.negation)
    assert score(no, no) == pytest.approx(1)
    off = replace(SCHEME, clauses=replace(SCHEME.clauses, negation=0.0))
    assert score(yes, no, off) == pytest.approx(1)


def test_opposites_cost_unless_one_is_denied() -> None:
    apart = score(frames_of("A"), frames_of("a"))
    assert apart <= 0
    assert score(frames_of("A"), frames_of("a", polarity=-1)) == pytest.approx(1)


def test_an_open_role_matches_anything_at_a_cost() -> None:
    asked, told = frames_of("A"), frames_of("A")
    asked[0][0][1] = ([0.0, 1.0, 0.0, 0.0], 1.0, 0.0, True)
    assert score(asked, told) == pytest.approx((1 + SCHEME.answer) / 2)
    assert score(asked, asked) == pytest.approx(1)


def test_clauses_in_phrases_are_compared_as_frames() -> None:
    # The last phrase of the second frame, the same in both, holds the clause of the first.
    x, y = (batch_of([frames_of(*names)]) for names in ("BA", "CA"))
    for within in (0.0, SCHEME.clauses.within):
        scheme = replace(SCHEME, clauses=replace(SCHEME.clauses, within=within))
        pair = compare_sentences(x, 0, y, 0, scheme).pairs[1]
        # Of these clauses the agents are alike, the predicates are not.
        assert pair.comparison.cosines == pytest.approx([1, 1 - within / 2])
        assert kernel.pairwise(x, y, scheme)[0] == pytest.approx(
            compare_sentences(x, 0, y, 0, scheme).score
        )


def test_a_batch_with_a_clause_that_is_no_frame_is_refused() -> None:
    batch = batch_of([frames_of("A", "B")])
    batch.phrases.columns["clause"][-1] = 2
    with pytest.raises(InputError, match="no frame of its sentence"):
        RoleBatch({"frame": batch.frames}, status=batch.status, names=batch.names)
