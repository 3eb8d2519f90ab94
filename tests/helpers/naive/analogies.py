"""Analogies by their definition: a loop over questions and candidates."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

TIE = 1e-7

Array = npt.NDArray[np.float64]


def cosine(x: Array, y: Array) -> float:
    lengths = np.linalg.norm(x) * np.linalg.norm(y)
    return float(x @ y / lengths) if lengths > 1e-6 else 0.0


def score(rule: str, x: Array, a: Array, b: Array, c: Array) -> float:
    if rule == "3cosadd":
        return cosine(x, b) - cosine(x, a) + cosine(x, c)
    if rule == "3cosmul":
        to_a, to_b, to_c = ((cosine(x, y) + 1) / 2 for y in (a, b, c))
        return to_b * to_c / (to_a + 0.001)
    if rule == "pairdir":
        return cosine(x - c, b - a)
    return cosine(x, c if rule == "nearest C" else b)


def share(scores: dict[int, float], right: int) -> float:
    """1 where the right candidate is best, 1 / k where it ties with k - 1 others, else 0."""
    best = max((value for x, value in scores.items() if x != right), default=-np.inf)
    if scores[right] > best + TIE:
        return 1.0
    if scores[right] < best - TIE:
        return 0.0
    return 1 / sum(abs(value - scores[right]) <= TIE for value in scores.values())


def answer(
    rule: str, vectors: Array, pairs: list[tuple[int, int]]
) -> list[tuple[float | None, float]]:
    """For each question, in order: the share without A, B and C (None: D is one), and with them."""
    results: list[tuple[float | None, float]] = []
    for i, (a, b) in enumerate(pairs):
        for j, (c, d) in enumerate(pairs):
            if i == j:
                continue
            scores = {
                x: score(rule, vectors[x], vectors[a], vectors[b], vectors[c])
                for x in range(len(vectors))
            }
            within = share(scores, d)
            rest = {x: value for x, value in scores.items() if x not in (a, b, c)}
            results.append((share(rest, d) if d in rest else None, within))
    return results


def choose(
    rule: str, vectors: Array, pairs: list[tuple[int, int]], choices: list[list[int]]
) -> list[list[float]]:
    """For each question, in order, the share of each choice."""
    results = []
    for i, (a, b) in enumerate(pairs):
        for j, (c, _) in enumerate(pairs):
            if i == j:
                continue
            scores = [
                score(rule, vectors[x], vectors[a], vectors[b], vectors[c]) for x in choices[j]
            ]
            best = [value >= max(scores) - TIE for value in scores]
            results.append([one / sum(best) for one in best])
    return results
