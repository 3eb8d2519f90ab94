"""Analogies A : B :: C : ? answered by vectors: which candidate D has the best score.

Each ordered two of n pairs are a question: A and B are the first, C and the true D the second. The
rules, with s the cosine and s' = (s + 1) / 2 (Levy, Goldberg 2014, https://aclanthology.org/W14-1618):

- ``3cosadd``: s(x, B) - s(x, A) + s(x, C)
- ``3cosmul``: s'(x, B) s'(x, C) / (s'(x, A) + 0.001)
- ``pairdir``: the cosine of x - C and B - A, of vectors at unit length
- ``nearest C`` and ``nearest B``: s(x, C) and s(x, B), which know nothing of the offset

An answer counts where it is better than every other candidate by more than 1e-7; one that ties with
k - 1 others has a share of 1 / k.

>>> vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.6, 0.8], [0.0, 1.0]])
>>> first, second = np.array([0, 2]), np.array([1, 3])
>>> result = answer(Cosines(vectors), first, second, *questions(2))
>>> result.shares["3cosadd-U"].tolist()
[1.0, 1.0]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.stats.correlation import RESAMPLES

__all__ = [
    "BASELINES",
    "RULES",
    "Answers",
    "Choices",
    "Cosines",
    "Likeness",
    "Scores",
    "answer",
    "choose",
    "over_pairs",
    "questions",
]

Array = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

RULES: Final = ("3cosadd", "3cosmul", "pairdir")
#: What finds an answer without the offset.
BASELINES: Final = ("nearest C", "nearest B")
_TIE: Final = 1e-7
_EPSILON: Final = 1e-3
#: Scores that are held at a time.
_BLOCK: Final = 1 << 20
_SEED: Final = 2024
_PAIRS_AT_A_TIME: Final = 512


class Likeness(Protocol):
    """Similarities of m sentences: the only input that the rules need."""

    #: The squared length of each vector (m,), None where there are none, and so no directions.
    sizes: Array | None

    def __len__(self) -> int: ...

    def rows(self, places: Places) -> Array:
        """The similarity of each of the sentences to all: (len(places), m)."""


class Cosines:
    """Sentences as vectors (m, dim), at unit length or zero."""

    def __init__(self, vectors: Array) -> None:
        self._vectors = vectors
        self.sizes: Array | None = np.einsum("ij,ij->i", vectors, vectors)

    def __len__(self) -> int:
        return len(self._vectors)

    def rows(self, places: Places) -> Array:
        """The cosine of each of the sentences with all: (len(places), m)."""
        result: Array = self._vectors[places] @ self._vectors.T
        return result


class Scores:
    """Sentences that a function compares: places of some to their scores with all m.

    ``missing`` counts the scores that were NaN and count as -1.
    """

    sizes: Array | None = None

    def __init__(self, count: int, scores: Callable[[Places], npt.NDArray[Any]]) -> None:
        self._count, self._scores, self.missing = count, scores, 0

    def __len__(self) -> int:
        return self._count

    def rows(self, places: Places) -> Array:
        """The score of each of the sentences with all: (len(places), m)."""
        values = np.array(self._scores(places), dtype=np.float64)
        none = np.isnan(values)
        self.missing += int(none.sum())
        values[none] = -1.0
        return values


@dataclass(frozen=True)
class Answers:
    """The share (q,) that the true answer has in each question, by rule.

    "RULE" leaves A, B and C out of the candidates, "RULE-U" does not. ``valid`` (q,): the true
    answer is none of A, B and C, so that the first has a meaning.
    """

    shares: Mapping[str, Array]
    valid: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Choices:
    """By rule: the share (q,) of the true answer; that of each choice (c,), the true one first.

    ``against`` (c - 1, 3): the share of questions in which the true answer wins against a wrong
    choice, ties with it and loses.
    """

    shares: Mapping[str, Array]
    chosen: Mapping[str, Array]
    against: Mapping[str, Array]


def questions(count: int, most: int | None = None, seed: int = 1) -> tuple[Places, Places]:
    """The places i and j (q,) of the two pairs of each question, in order; ``most`` at random."""
    total = count * (count - 1)
    if most is None or most >= total:
        chosen = np.arange(total)
    else:
        rng = np.random.default_rng(seed)
        chosen = np.sort(rng.choice(total, most, replace=False, shuffle=False))
    i, j = np.divmod(chosen, count - 1)
    return i, j + (j >= i)


def answer(
    likeness: Likeness,
    first: Places,
    second: Places,
    i: Places,
    j: Places,
    rules: Sequence[str] = RULES,
    advance: Callable[[int], None] = lambda count: None,
) -> Answers:
    """Answer questions among all m sentences.

    ``first`` and ``second`` (n,) are the places among them of each pair's sentences, i and j (q,)
    the pairs of each question. Some million scores are held at a time. ``pairdir`` needs vectors.
    """
    norms = likeness.sizes if likeness.sizes is not None else np.ones(len(likeness))
    names = (*rules, *BASELINES)
    shares = {name + end: np.zeros(len(i)) for name in names for end in ("", "-U")}
    valid = np.zeros(len(i), dtype=bool)
    step = max(1, _BLOCK // len(likeness))
    for start in range(0, len(first), step):
        to_c = likeness.rows(first[start : start + step])
        here = np.flatnonzero((j >= start) & (j < start + step))
        for places in _runs(here, i):
            a, b = first[i[places[0]]], second[i[places[0]]]
            c, d = first[j[places]], second[j[places]]
            near_a, near_b = likeness.rows(np.array([a, b]))
            near_c = to_c[j[places] - start]
            apart = np.array([np.full(len(c), a), np.full(len(c), b), c])
            valid[places] = ~(apart == d).any(axis=0)
            # A sentence that is two of A, B and C is one candidate.
            apart = np.where([apart[0] < 0, apart[1] == a, (c == a) | (c == b)], -1, apart)
            for name in names:
                terms = near_a, near_b, near_c
                sizes = norms, norms[c], norms[a] + norms[b] - 2 * near_a[b]
                scores = _scores(name, *terms, near_a[c], near_b[c], *sizes)
                without, within = _open_shares(scores, d, apart)
                shares[name][places], shares[f"{name}-U"][places] = without, within
            advance(len(places))
    return Answers(shares, valid)


def choose(
    likeness: Likeness,
    first: Places,
    second: Places,
    choices: Places,
    i: Places,
    j: Places,
    rules: Sequence[str] = RULES,
    advance: Callable[[int], None] = lambda count: None,
) -> Choices:
    """Answer questions among the choices (n, c) of each pair, of which the first is true.

    The other arguments are those of ``answer``.
    """
    norms = likeness.sizes if likeness.sizes is not None else np.ones(len(likeness))
    names = (*rules, *BASELINES)
    shares = {name: np.zeros(len(i)) for name in names}
    chosen = {name: np.zeros(choices.shape[1]) for name in names}
    against = {name: np.zeros((choices.shape[1] - 1, 3)) for name in names}
    step = max(1, _BLOCK // len(likeness))
    starts = range(0, len(first), step)
    of_c = np.concatenate(
        [
            np.take_along_axis(likeness.rows(first[k : k + step]), choices[k : k + step], axis=1)
            for k in starts
        ]
    )
    for places in _runs(np.arange(len(i)), i):
        a, b = first[i[places[0]]], second[i[places[0]]]
        own = choices[j[places]]
        c = first[j[places]]
        near_a, near_b = likeness.rows(np.array([a, b]))
        for name in names:
            terms = near_a[own], near_b[own], of_c[j[places]]
            sizes = norms[own], norms[c], norms[a] + norms[b] - 2 * near_a[b]
            scores = _scores(name, *terms, near_a[c], near_b[c], *sizes)
            best = scores >= scores.max(axis=1, keepdims=True) - _TIE
            share = best / best.sum(axis=1, keepdims=True)
            shares[name][places] = share[:, 0]
            chosen[name] += share.sum(axis=0)
            gaps = scores[:, :1] - scores[:, 1:]
            for k, met in enumerate((gaps > _TIE, abs(gaps) <= _TIE, gaps < -_TIE)):
                against[name][:, k] += met.sum(axis=0)
        advance(len(places))
    count = max(len(i), 1)
    return Choices(
        shares,
        {name: result / count for name, result in chosen.items()},
        {name: result / count for name, result in against.items()},
    )


def over_pairs(
    count: int, i: Places, j: Places, values: Array, valid: npt.NDArray[np.bool_]
) -> tuple[float, float] | tuple[None, None]:
    """The middle 95 % of the mean of valid questions over resamples of the n pairs.

    The n (n - 1) questions of n pairs are not independent, so pairs are drawn and not questions.
    ``i`` is in order.
    """
    times = np.random.default_rng(_SEED).multinomial(
        count, np.full(count, 1 / count), size=RESAMPLES
    )
    times = times.astype(np.float32)
    total, number = np.zeros(RESAMPLES), np.zeros(RESAMPLES)
    for start in range(0, count, _PAIRS_AT_A_TIME):
        end = min(start + _PAIRS_AT_A_TIME, count)
        here = slice(*np.searchsorted(i, [start, end]))
        for sums, of in ((total, np.where(valid, values, 0.0)), (number, valid)):
            table = np.zeros((end - start, count), dtype=np.float32)
            table[i[here] - start, j[here]] = of[here]
            sums += np.einsum("ri,ri->r", times[:, start:end], times @ table.T, dtype=np.float64)
    if not (number > 0).all():
        return None, None
    low, high = np.percentile(total / number, [2.5, 97.5])
    return float(low), float(high)


def _runs(places: Places, of: Places) -> Iterator[Places]:
    """Places (q,) in runs that have one value."""
    cuts = np.flatnonzero(np.diff(of[places])) + 1
    return (run for run in np.split(places, cuts) if len(run))


def _scores(
    name: str,
    near_a: Array,
    near_b: Array,
    near_c: Array,
    ac: Array,
    bc: Array,
    size: Array,
    size_c: Array,
    size_ab: float,
) -> Array:
    """The scores (k, m) of candidates by one rule, in an array of their own.

    ``near_a``, ``near_b`` (m,) or (k, m), ``near_c`` (k, m) are the cosines of candidates, ``ac``
    and ``bc`` (k,) of C with A and B; the sizes are squared lengths, of candidates, C and B - A.
    """
    if name == "3cosadd":
        return near_b - near_a + near_c
    if name == "3cosmul":
        # Cosines of modern encoders are often below 0, where products change sides: hence shifted.
        scores: Array = (near_b + 1) / 2 / ((near_a + 1) / 2 + _EPSILON) * ((near_c + 1) / 2)
        return scores
    if name == "pairdir":
        length = np.maximum(size + size_c[:, None] - 2 * near_c, 0.0) * size_ab
        along = near_b - near_a - (bc - ac)[:, None]
        # What does not differ from C has no direction.
        return np.where(length > 1e-12, along / np.sqrt(np.maximum(length, 1e-12)), 0.0)
    if name == "nearest C":
        return near_c.copy()
    return near_b + np.zeros_like(near_c)


def _open_shares(scores: Array, d: Places, apart: Places) -> tuple[Array, Array]:
    """The shares (k,) of the true answers d without the candidates ``apart`` (3, k), and with them.

    -1 in ``apart`` is no candidate. ``scores`` (k, m) are overwritten.
    """
    rows = np.arange(len(d))
    right = scores[rows, d]
    own = np.where((apart < 0) | (apart == d), -np.inf, scores[rows, apart])
    for shut in (d, *apart):
        there = shut >= 0
        scores[rows[there], shut[there]] = -np.inf
    best = scores.max(axis=1)
    both = np.maximum(best, own.max(axis=0))
    results = []
    for other, more in ((best, own[:0]), (both, own)):
        share = (right > other + _TIE).astype(np.float64)
        tied = np.flatnonzero(abs(right - other) <= _TIE)
        least = right[tied] - _TIE
        others = (scores[tied] >= least[:, None]).sum(axis=1) + (more[:, tied] >= least).sum(axis=0)
        share[tied] = 1 / (1 + others)
        results.append(share)
    return results[0], results[1]
