"""One score for a corpus: triples counted over all pairs, with a bootstrap confidence interval.

Precision, recall and F1 are micro averages, as the public Smatch tool gives them for two files. The
interval is the percentile bootstrap over pairs (Efron and Tibshirani 1993, chapter 13), with a
fixed seed.

>>> from compsim.amr.smatch.corpus import corpus_score
>>> score = corpus_score([4, 6], [6, 6], [6, 8])
>>> score.precision, round(score.f1, 3)
(0.8333333333333334, 0.769)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError

__all__ = ["CorpusScore", "corpus_score", "micro"]

#: Pairs drawn at a time: half a MiB, which a processor's cache holds.
_DRAWN_AT_ONCE: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class CorpusScore:
    """Micro precision, recall and F1 of a number of pairs.

    Attributes:
        precision: Matched triples over those of the first side.
        recall: Matched triples over those of the second.
        f1: The harmonic mean of the two.
        matched: The matching triples of all pairs.
        total_a: The triples of the first side.
        total_b: The triples of the second.
        pairs: How many pairs.
        interval: The confidence interval of F1, None for fewer than two pairs.

    Examples:
        >>> score = corpus_score([4, 6], [6, 6], [6, 8])
        >>> score.pairs, score.total_a, score.total_b, score.interval is None
        (2, 12, 14, False)
    """

    precision: float
    recall: float
    f1: float
    matched: float
    total_a: int
    total_b: int
    pairs: int
    interval: tuple[float, float] | None


def corpus_score(
    matched: npt.ArrayLike,
    total_a: npt.ArrayLike,
    total_b: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> CorpusScore:
    """Score a corpus by the matched and all triples of its pairs.

    Args:
        matched: The matching triples of each pair (n,).
        total_a: The triples of its first graph (n,).
        total_b: The triples of its second (n,).
        confidence: The share of resamples in the interval.
        resamples: How many samples of the pairs are drawn.
        seed: Where the random numbers start.

    Returns:
        Micro averages, as the public Smatch tool gives them, with a bootstrap interval.

    Raises:
        InputError: The arrays are not equally long, or an option is out of range.

    Examples:
        >>> score = corpus_score([4, 6], [6, 6], [6, 8])
        >>> score.precision, round(score.f1, 3)
        (0.8333333333333334, 0.769)
    """
    counts = [np.asarray(column, dtype=np.float64) for column in (matched, total_a, total_b)]
    size = len(counts[0])
    if any(column.shape != (size,) for column in counts):
        raise InputError("matched and total triples are not three lists of one length: pair them")
    if not 0 < confidence < 1 or resamples < 1:
        raise InputError(
            f"confidence={confidence} or resamples={resamples} is out of range: give a share "
            "between 0 and 1 and a number above 0"
        )
    table = np.stack(counts, axis=1).reshape(size, 3)
    interval = None
    if size > 1:
        rng = np.random.default_rng(seed)
        step = max(1, _DRAWN_AT_ONCE // size)
        parts = []
        for start in range(0, resamples, step):
            drawn = rng.integers(size, size=(min(step, resamples - start), size))
            parts.append(np.stack([column.take(drawn).sum(axis=1) for column in counts], axis=1))
        tails = [(1 - confidence) / 2, (1 + confidence) / 2]
        low, high = np.quantile(micro(np.concatenate(parts))[:, 2], tails)
        interval = (float(low), float(high))
    total = table.sum(axis=0)
    precision, recall, f1 = micro(total[None, :])[0].tolist()
    return CorpusScore(
        precision, recall, f1, float(total[0]), int(total[1]), int(total[2]), size, interval
    )


def micro(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Precision, recall and F1 (n, 3) of rows of matched triples, those of a, those of b (n, 3).

    Where neither side has a triple all three are 1; where one side has none, they are 0.
    """
    matched, own, other = counts.T
    empty = own + other == 0
    with np.errstate(invalid="ignore", divide="ignore"):
        scores = np.stack([matched / own, matched / other, 2 * matched / (own + other)], axis=1)
    return np.where(empty[:, None], 1.0, np.nan_to_num(scores, nan=0.0, posinf=0.0))
