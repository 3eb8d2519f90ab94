"""BERT-flow as it is written down: one number at a time, and the density by change of variables."""

from __future__ import annotations

import math
from collections.abc import Sequence

from compsim.embeddings.flow import Flow


def mapped(flow: Flow, vector: Sequence[float]) -> list[float]:
    """Return the vector of the Gaussian: activation norm, permutation and coupling in each step."""
    values, half = list(vector), len(vector) // 2
    for k in range(len(flow.scale)):
        normed = [
            (value + flow.shift[k][d]) * math.exp(flow.scale[k][d])
            for d, value in enumerate(values)
        ]
        values = [normed[source] for source in flow.order[k]]
        first = _layer(values[:half], flow.first[k], flow.first_bias[k], rectified=True)
        second = _layer(first, flow.second[k], flow.second_bias[k], rectified=True)
        added = _layer(second, flow.last[k], flow.last_bias[k], rectified=False)
        values = values[:half] + [a + b for a, b in zip(values[half:], added, strict=True)]
    return values


def log_likelihood(flow: Flow, vector: Sequence[float]) -> float:
    """Return the log density: the normal one, and what each step stretches the space by.

    A permutation and a coupling leave volumes as they are, so only the scales count.
    """
    normal = sum(-(value**2) / 2 - math.log(2 * math.pi) / 2 for value in mapped(flow, vector))
    return normal + sum(float(scale) for step in flow.scale for scale in step)


def _layer(
    inputs: Sequence[float],
    weights: Sequence[Sequence[float]],
    bias: Sequence[float],
    *,
    rectified: bool,
) -> list[float]:
    outputs = [
        sum(value * row[unit] for value, row in zip(inputs, weights, strict=True)) + bias[unit]
        for unit in range(len(bias))
    ]
    return [max(output, 0.0) for output in outputs] if rectified else outputs
