"""Features of pairs: what a method measures of two texts, as a calibration takes it.

For the methods over concepts these are the terms of the comparison (agreement, what has no
partner, the conflicts by type, each scaled by length), the strongest conflict of near-duplicates,
whatever their length, the wording in which alone the texts differ
(:mod:`compsim.comparison.wording`), how much more one of two requests says than the other (a
statement with something added may pass for the same, a question or command does not), the
similarity of the whole texts; for any other method its score. A conflict in texts that are else
worded alike is seldom a fault of the parser, and what is unlike in them is what they are about.
How many words two texts share and how long they are is no feature by itself: in sets where the same
pairs are reworded or short ones it would decide, and wrongly so elsewhere.

>>> from compsim import load
>>> from compsim.guard.names import LIGHT_METHOD
>>> method = load(LIGHT_METHOD, vectors="builtin")
>>> kind_of(method), feature_names("none")[:2]
('none', ('agreement', 'gap'))
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.comparison.concepts import CONFLICTS
from compsim.comparison.method import ConceptMethod, mean_sizes, terms_of_pairs
from compsim.comparison.pairs import TERMS
from compsim.comparison.scheme import KINDS, conflict_scale
from compsim.hybrid.method import HybridMethod
from compsim.method import Method

__all__ = [
    "SCORE",
    "feature_names",
    "graphs_of",
    "is_calibrated",
    "kind_of",
    "pair_features",
    "signs",
]

#: The kind of a method of which only the score is known.
SCORE: Final = "score"

_NEAR: Final = "conflict of near-duplicates"
_WORDING: Final = "wording"
_ADDED: Final = "added to a request"
_RAISING: Final = frozenset(("agreement", "whole", "score"))
_NONE: Final = KINDS[-1]
#: The terms of a comparison that are features as they are, and the places of them and of conflicts.
_TERMS: Final = ("agreement", "gap")
_PLAIN: Final = [TERMS.index(name) for name in _TERMS]
_ADDITION, _OF_WORDING = TERMS.index("addition"), TERMS.index(_WORDING)
_NEARNESS: Final = TERMS.index("nearness")
_TYPED: Final = [TERMS.index(name) for name in CONFLICTS]

Floats = npt.NDArray[np.float64]


def kind_of(method: Method[Any]) -> str:
    """Return the kind of calibration of a method: what compares its whole texts, or "score"."""
    if isinstance(method, HybridMethod):
        return method.kind
    return _NONE if isinstance(method, ConceptMethod) else SCORE


def is_calibrated(kind: type[Method[Any]]) -> bool:
    """Return whether a calibration ships for the methods of a class: those over concepts.

    >>> from compsim.registry import method_class
    >>> is_calibrated(method_class("hybrid")), is_calibrated(method_class("mean-cn"))
    (True, False)
    """
    return issubclass(kind, (HybridMethod, ConceptMethod))


def feature_names(kind: str) -> tuple[str, ...]:
    """Return the names of the features of a kind, in their order."""
    if kind == SCORE:
        return (SCORE,)
    whole = () if kind == _NONE else ("whole",)
    return (*_TERMS, *CONFLICTS, _NEAR, _WORDING, _ADDED, *whole)


def signs(names: tuple[str, ...]) -> npt.NDArray[np.int8]:
    """Return for each feature 1 if more of it never lowers a probability, -1 if it never raises it.

    >>> signs(("agreement", "polarity")).tolist()
    [1, -1]
    """
    return np.array([1 if name in _RAISING else -1 for name in names], dtype=np.int8)


def graphs_of(batch: Any) -> Any:
    """Return the role graphs of a batch of a method over concepts."""
    return getattr(batch, "roles", batch)


def pair_features(method: Any, a: Any, b: Any) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return the features of rows of two batches, (n, features), and which rows have them, (n,)."""
    kind = kind_of(method)
    if kind == SCORE:
        scores = np.asarray(method.similarity_pairwise(a, b), dtype=np.float64)
        known = np.isfinite(scores)
        return np.where(known, scores, 0.0)[:, None], known
    x, y = graphs_of(a), graphs_of(b)
    parsed = ~(x.failed | y.failed)
    terms, sizes = terms_of_pairs(x, y), mean_sizes(x, y)
    # Scaled by length alone: by agreement too, more of it could lower a probability.
    conflicts = terms[:, _TYPED] * conflict_scale(np.ones(len(x)), sizes)[:, None]
    added = terms[:, _ADDITION] * (x.requests & y.requests)
    # Squared, since weak ones are seldom what two texts differ in.
    near = terms[:, _TYPED].max(axis=1) ** 2 * terms[:, _NEARNESS]
    worded = terms[:, _OF_WORDING] ** 2
    columns = [terms[:, _PLAIN], conflicts, np.stack([near, worded, added], axis=1)]
    if kind != _NONE:
        columns.append(method.whole.similarity_pairwise(a.whole, b.whole)[:, None])
    out = np.hstack(columns)
    out[~parsed] = 0.0
    return out, parsed
