"""The three tests of adjectives with nouns, one phrase at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product

import numpy as np

Distance = Callable[[str, str], float]
Classes = Mapping[str, Sequence[str]]


def single(d: Distance, adjectives: Sequence[str], nouns: Sequence[str]) -> float:
    """Test 1 on one adjective."""
    phrases = [(a, n, f"{a} {n}") for a in adjectives for n in nouns]
    return float(np.mean([d(p, a) <= d(a, n) and d(p, n) <= d(a, n) for a, n, p in phrases]))


def double(
    d: Distance, firsts: Sequence[str], seconds: Sequence[str], nouns: Sequence[str]
) -> float:
    """Test 1 on two adjectives."""
    results = []
    for a, b, n in product(firsts, seconds, nouns):
        if a != b:
            splits = [(a, f"{b} {n}"), (b, f"{a} {n}"), (n, f"{a} {b}")]
            words = [d(f"{a} {b} {n}", word) for word in (a, b, n)]
            results.append(all(word <= d(x, y) for word in words for x, y in splits))
    return float(np.mean(results))


def nearer_nouns(
    d: Distance,
    firsts: Sequence[str],
    seconds: Sequence[str],
    nouns: Sequence[str],
    authors: bool = False,
) -> float:
    """Test 2; with ``authors`` the mean over first nouns of their means."""
    by_noun: dict[str, list[bool]] = {}
    for n, m in combinations(nouns, 2):
        for a, b in product(firsts, seconds):
            if a != b:
                won = d(f"{a} {n}", f"{a} {m}") < d(f"{b} {n}", f"{b} {m}")
                by_noun.setdefault(n, []).append(won)
    if authors:
        return float(np.mean([np.mean(value) for value in by_noun.values()]))
    return float(np.mean([won for value in by_noun.values() for won in value]))


def nearer(d: Distance, adjectives: Sequence[str], nouns: Sequence[str]) -> float:
    """Test 3."""
    phrases = [(a, n, f"{a} {n}") for a in adjectives for n in nouns]
    return float(np.mean([d(p, a) < d(p, n) for a, n, p in phrases]))


def p_of_shares(shares: Sequence[float], first: int) -> float:
    """The share of all ways to draw the first group whose means are as far apart."""

    def apart(group: Sequence[int]) -> float:
        others = [i for i in range(len(shares)) if i not in group]
        return abs(
            float(np.mean([shares[i] for i in group]) - np.mean([shares[i] for i in others]))
        )

    real = apart(range(first)) - 1e-12
    return float(np.mean([apart(g) >= real for g in combinations(range(len(shares)), first)]))


def p_of_table(won: Callable[[int, int], float], units: int, first: int) -> float:
    """The same for how far the mean over pairs of units of both groups is from one half."""

    def apart(group: Sequence[int]) -> float:
        others = [i for i in range(units) if i not in group]
        return abs(float(np.mean([won(i, j) for i in group for j in others])) - 0.5)

    real = apart(range(first)) - 1e-12
    return float(np.mean([apart(g) >= real for g in combinations(range(units), first)]))
