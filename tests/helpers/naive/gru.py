"""Gated recurrent units, a step at a time, as their papers write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def theano(weights: Mapping[str, Any], prefix: str, rows: Sequence[Any]) -> Array:
    """Kiros' layer: the product with the state is reset."""
    w = {name: np.asarray(weights[f"{prefix}_{name}"], float) for name in
         ("W", "b", "U", "Wx", "bx", "Ux")}  # fmt: skip
    states = w["Ux"].shape[0]
    h = np.zeros(states)
    for x in rows:
        gates = sigmoid(x @ w["W"] + w["b"] + h @ w["U"])
        reset, update = gates[:states], gates[states:]
        new = np.tanh(x @ w["Wx"] + w["bx"] + reset * (h @ w["Ux"]))
        h = update * h + (1 - update) * new
    return h


def tensorflow(cell: Sequence[Any], rows: Sequence[Any]) -> Array:
    """TensorFlow's cell: the state is reset before the product."""
    gates, gate_bias, candidate, candidate_bias = (np.asarray(one, float) for one in cell)
    states = len(candidate_bias)
    h = np.zeros(states)
    for x in rows:
        both = sigmoid(np.concatenate([x, h]) @ gates + gate_bias)
        reset, update = both[:states], both[states:]
        new = np.tanh(np.concatenate([x, reset * h]) @ candidate + candidate_bias)
        h = update * h + (1 - update) * new
    return h


def pytorch(state: Mapping[str, Any], layer: int, suffix: str, rows: Sequence[Any]) -> list[Array]:
    """PyTorch's layer in one direction: the state after each step."""
    w = {
        kind: np.asarray(state[f"encoder.{kind}_l{layer}{suffix}"], float)
        for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    }
    states = w["weight_hh"].shape[1]
    h, seen = np.zeros(states), []
    for x in rows:
        a = np.split(w["weight_ih"] @ x + w["bias_ih"], 3)
        b = np.split(w["weight_hh"] @ h + w["bias_hh"], 3)
        reset, update = sigmoid(a[0] + b[0]), sigmoid(a[1] + b[1])
        h = (1 - update) * np.tanh(a[2] + reset * b[2]) + update * h
        seen.append(h)
    return seen
