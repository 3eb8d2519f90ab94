"""Pushing antonyms apart one word and one antonym at a time."""

from __future__ import annotations

import numpy as np


def naive_push(
    vectors: np.ndarray, pairs: np.ndarray, rounds: int, step: float, pull: float
) -> np.ndarray:
    lengths = [np.linalg.norm(vector) for vector in vectors]
    old = [vector / length for vector, length in zip(vectors, lengths, strict=True)]
    others = [
        [int(b if a == i else a) for a, b in pairs if i in (a, b)] for i in range(len(vectors))
    ]
    new = list(old)
    for done in range(rounds):
        fading = pull * (1 - (done + 1) / rounds)
        moved = []
        for i, vector in enumerate(new):
            close = [(new[i] @ new[k] + 0.3, new[k]) for k in others[i]]
            away = [excess * other for excess, other in close if excess > 0]
            push = sum(away) / len(away) if away else 0.0
            turned = vector - step * push + fading * (old[i] - vector) * bool(others[i])
            moved.append(turned / np.linalg.norm(turned))
        new = moved
    return np.array([vector * length for vector, length in zip(new, lengths, strict=True)])
