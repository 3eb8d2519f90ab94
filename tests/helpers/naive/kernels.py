"""Slow, obvious twins of the kernels: one pair at a time, dicts and plain Python floats."""

from __future__ import annotations

import math

Vector = list[float]
Star = dict[str, Vector]


def cosine(x: Vector, y: Vector) -> float:
    """Cosine of two vectors of any length; 0 where one is zero."""
    product = sum(p * q for p, q in zip(x, y, strict=True))
    length = math.sqrt(sum(p * p for p in x)) * math.sqrt(sum(q * q for q in y))
    return 0.0 if length == 0 else max(-1.0, min(1.0, product / length))


def treat_as(a: Star, b: Star, align: list[tuple[str, str]]) -> tuple[Star, Star, list[str]]:
    """Rename y to x as METHODS says; also the names the two then share, in the order found."""
    a, b = dict(a), dict(b)
    used = [role for role in a if role in b]
    left_a = {role for role in a if role not in used}
    left_b = {role for role in b if role not in used}
    renamed_a: Star = {role: a[role] for role in used}
    renamed_b: Star = {role: b[role] for role in used}
    for x, y in align:
        if x in left_a and y in left_b:
            first, second = x, y
        elif y in left_a and x in left_b:
            first, second = y, x
        else:
            continue
        left_a.remove(first)
        left_b.remove(second)
        # Another pair may count as the same role: keep both.
        name = x
        while name in renamed_a:
            name += "'"
        renamed_a[name], renamed_b[name] = a[first], b[second]
    shared = list(renamed_a)
    renamed_a |= {f"{role} alone": a[role] for role in left_a}
    renamed_b |= {f"{role} alone": b[role] for role in left_b}
    return renamed_a, renamed_b, shared


def score(
    a: Star,
    b: Star,
    weights: dict[str, float],
    align: list[tuple[str, str]],
    normalize: str,
    divisor: float,
) -> float:
    """Score of two stars."""

    def weight(name: str) -> float:
        return weights[name.removesuffix(" alone").rstrip("'")]

    a, b, shared = treat_as(a, b, align)
    total = sum(weight(name) * cosine(a[name], b[name]) for name in shared)
    both = sum(weight(name) for name in shared)
    either = both + sum(weight(name) for star in (a, b) for name in star if name not in shared)
    half = (sum(weight(name) for name in a) + sum(weight(name) for name in b)) / 2
    ways = {"fixed": divisor, "matched": both, "union": either, "dice": half}
    n = ways[normalize]
    return total / n if n > 0 else 0.0


def top_k(row: list[float], k: int, score_cutoff: float | None = None) -> list[int]:
    """Places of the k best scores, ties by place, NaN left out."""
    fit = [i for i, value in enumerate(row) if not math.isnan(value)]
    if score_cutoff is not None:
        fit = [i for i in fit if row[i] >= score_cutoff]
    return sorted(fit, key=lambda i: (-row[i], i))[:k]
