"""What phrases and predicates say beside their words, as points in a small space.

"All students" and "no students" have nearly the same word vectors, "to Paris" and "from Paris" too.
The parser writes such words as features of the nodes; here each becomes a coordinate, and the
similarity of two phrases is the cosine of their words less half of the squared distance of their
points. So nothing is taken off where the features agree, and where they do not, as much as the
weight of the group says: all of it where they are as far apart as "before" and "after".

>>> from compsim.graph import Node
>>> weights = {"direction": 0.4, "quantity": 0.4}
>>> nodes = [Node("to Paris", features=(("prep", p),)) for p in ("to", "into", "from")]
>>> to, into, away = points(nodes, ["Trajectory"] * 3, weights)
>>> [round(float(((to - other) ** 2).sum() / 2), 2) for other in (to, into, away)]
[0.0, 0.02, 0.4]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from compsim.vectors.numbers import number, value_vector

if TYPE_CHECKING:
    from compsim.graph import Node

__all__ = ["AXES", "GROUPS", "SIZE", "direction", "points"]

Features: TypeAlias = tuple[tuple[str, str], ...]

#: The axes, by the group that a scheme weighs. Values lie in [-1, 1]; 0 where nothing is said.
AXES: Final = {
    "direction": ("towards", "inside", "above", "near", "along", "front"),
    "time": ("later", "bounded"),
    "company": ("with", "for", "because", "like"),
    "quantity": ("quantity",),
    "number": tuple(f"number {i}" for i in range(8)),
    "tense": ("tense", "progressive", "perfect"),
    "modality": ("necessity",),
    "mood": ("question", "imperative", "conditional"),
}
#: The groups that a scheme may weigh.
GROUPS: Final = tuple(AXES)
_PLACE: Final = {
    name: place for place, name in enumerate(axis for axes in AXES.values() for axis in axes)
}
#: How many axes there are.
SIZE: Final = len(_PLACE)

#: Prepositions and subordinators as signs on the axes: senses of place, time, company and cause as
#: in Huddleston and Pullum (2002, chapter 7) and Quirk et al. (1985, chapters 9 and 15). Of those
#: not listed nothing is said.
_PREPOSITIONS: Final[dict[str, dict[str, float]]] = {
    "to": {"towards": 1},
    "toward": {"towards": 1},
    "towards": {"towards": 1},
    "into": {"towards": 1, "inside": 0.5},
    "onto": {"towards": 1, "above": 0.5},
    "from": {"towards": -1},
    "out of": {"towards": -1, "inside": -0.5},
    "out": {"towards": -1, "inside": -0.5},
    "off": {"towards": -1, "above": -0.5},
    "away from": {"towards": -1},
    "in": {"inside": 1},
    "inside": {"inside": 1},
    "within": {"inside": 1},
    "outside": {"inside": -1},
    "outside of": {"inside": -1},
    "on": {"above": 0.7},
    "upon": {"above": 0.7},
    "on top of": {"above": 0.7},
    "above": {"above": 1},
    "over": {"above": 1},
    "up": {"above": 1},
    "down": {"above": -1},
    "under": {"above": -1},
    "underneath": {"above": -1},
    "below": {"above": -1},
    "beneath": {"above": -1},
    "near": {"near": 1},
    "beside": {"near": 1},
    "by": {"near": 0.7},
    "next to": {"near": 1},
    "far from": {"near": -1},
    "in front of": {"front": 1},
    "behind": {"front": -1},
    "through": {"along": 1},
    "across": {"along": 1},
    "along": {"along": 1},
    "past": {"along": 1},
    "before": {"later": -1},
    "prior to": {"later": -1},
    "ahead of": {"later": -1},
    "after": {"later": 1},
    "following": {"later": 1},
    "since": {"later": 0.7, "bounded": -1},
    "until": {"later": -0.7, "bounded": 1},
    "till": {"later": -0.7, "bounded": 1},
    "with": {"with": 1},
    "along with": {"with": 1},
    "together with": {"with": 1},
    "without": {"with": -1},
    "for": {"for": 1},
    "in favour of": {"for": 1},
    "against": {"for": -1},
    "because": {"because": 1},
    "because of": {"because": 1},
    "due to": {"because": 1},
    "owing to": {"because": 1},
    "thanks to": {"because": 1},
    "on account of": {"because": 1},
    "although": {"because": -1},
    "though": {"because": -1},
    "despite": {"because": -1},
    "in spite of": {"because": -1},
    "notwithstanding": {"because": -1},
    "like": {"like": 1},
    "unlike": {"like": -1},
}
#: Shares of what there is; a phrase that says nothing is taken for some of it.
_QUANTITIES: Final = {"no": -1.0, "few": -0.5, "some": 0.0, "many": 0.4, "most": 0.7, "all": 1.0}
#: A number that is the least or the most of what there may be.
_LIMITS: Final = {"least": 0.7, "most": -0.7}
#: Whether an event comes first of two, as a connective tells it; of most nothing is told.
_ORDERS: Final = {"first": -0.7, "then": 0.7}
#: What may be so is as far from what must be as two modalities are.
_MODALITIES: Final = {"possible": -1.0, "necessary": 1.0}
_TENSES: Final = {"past": -0.5, "present": 0.0, "future": 0.5}
#: Only of circumstances do prepositions say more than the role does ("by the dog" is an Agent).
_CIRCUMSTANCES: Final = frozenset(["Location", "Trajectory", "Origin", "Time", "Manner", "Theme"])


def points(
    nodes: Sequence[Node], roles: Sequence[str], weights: Mapping[str, float]
) -> npt.NDArray[np.float32]:
    """The points of nodes in these roles: float32 (n, axes).

    ``weights`` is the weight of each group of axes; of a group that it lacks, 0.
    """
    # The same few things are said again and again.
    told: dict[tuple[Features, str], int] = {((), ""): 0}
    kinds = [
        told.setdefault((node.features, role), len(told)) if node.features else 0
        for node, role in zip(nodes, roles, strict=True)
    ]
    found = np.zeros((len(told), SIZE), dtype=np.float32)
    for (features, role), kind in told.items():
        for name, value in _coordinates(features, role).items():
            found[kind, _PLACE[name]] = value
    # Half of the square of 2, the distance from one end of an axis to the other, is the weight.
    scale = [math.sqrt(weights.get(group, 0.0) / 2) for group, axes in AXES.items() for _ in axes]
    return (found * np.array(scale, dtype=np.float32))[kinds]


def direction(word: str) -> float:
    """Where a preposition leads: above 0 towards what it governs, below 0 away, else 0."""
    return _PREPOSITIONS.get(word, {}).get("towards", 0.0)


@lru_cache(maxsize=4096)
def _of_number(digits: str) -> dict[str, float]:
    """The coordinates of a number, near those of numbers of about its size."""
    axes, value = AXES["number"], number(digits)
    if value is None:
        return {}
    return dict(zip(axes, value_vector(value, len(axes)).tolist(), strict=True))


def _coordinates(features: Features, role: str) -> dict[str, float]:
    told: dict[str, float] = {}
    for name, value in features:
        if (name == "prep" and role in _CIRCUMSTANCES) or name == "connective":
            until = role == "Time" and value == "by"  # "by Friday"
            told |= _PREPOSITIONS.get("until" if until else value, {})
        elif name == "lacks":
            told["with"] = -1.0
        elif name == "number":
            told |= _of_number(value)
        elif name == "limit":
            told["quantity"] = _LIMITS.get(value, 0.0)
        elif name == "quant":
            told["quantity"] = _QUANTITIES.get(value, 0.0)
        elif name == "order":
            told["later"] = _ORDERS.get(value, 0.0)
        elif name == "tense":
            told["tense"] = _TENSES.get(value, 0.0)
        elif name == "aspect":
            told |= dict.fromkeys(value.split(), 0.5)
        elif name == "modality":
            told["necessity"] = _MODALITIES.get(value, 0.0)
        elif name == "mood":
            told[value] = 1.0
    return {key: value for key, value in told.items() if key in _PLACE}
