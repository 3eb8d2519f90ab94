"""The alignment of one pair of graphs that are given as arrays.

>>> alignment = align_graphs([[1.0, 0.2], [0.2, 1.0]], [(0, 1, 0)], [(1, 0, 0)], turned=[[0.5]])
>>> alignment.pairs, alignment.score, alignment.exact
(((0, 0), (1, 1)), 2.5, True)
>>> alignment.edges
(EdgeMatch(a=0, b=0, worth=0.5, turned=True),)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.alignment.scratch import make_scratch
from compsim.errors import InputError

__all__ = ["NODES", "STEPS", "Alignment", "EdgeMatch", "align_graphs"]

#: Nodes and elementary steps that the search of a pair may take.
NODES: Final = 2_000
STEPS: Final = 1 << 26


class EdgeMatch(NamedTuple):
    """Two edges that an alignment satisfies: their numbers, their worth, whether one is turned."""

    a: int
    b: int
    worth: float
    turned: bool


@dataclass(frozen=True, slots=True)
class Alignment:
    """The alignment of two graphs.

    Attributes:
        pairs: The aligned nodes of A and B, in the order of A.
        score: The sum of the worths of pairs and edges.
        upper_bound: No alignment has a larger score.
        edges: The satisfied edges, in the order of A.

    Examples:
        >>> Alignment(((0, 0),), 0.5, 1.5, ()).exact
        False
    """

    pairs: tuple[tuple[int, int], ...]
    score: float
    upper_bound: float
    edges: tuple[EdgeMatch, ...]

    @property
    def exact(self) -> bool:
        """Whether it is proven that no alignment has a larger score."""
        return self.upper_bound <= self.score + 1e-9


class _Edges(NamedTuple):
    """Edges as ``align`` takes them."""

    source: npt.NDArray[np.int32]
    target: npt.NDArray[np.int32]
    role: npt.NDArray[np.int32]
    weight: npt.NDArray[np.float64]


def align_graphs(
    unary: npt.ArrayLike,
    edges_a: npt.ArrayLike,
    edges_b: npt.ArrayLike,
    *,
    weights_a: npt.ArrayLike | None = None,
    weights_b: npt.ArrayLike | None = None,
    compat: npt.ArrayLike | None = None,
    turned: npt.ArrayLike | None = None,
    nodes: int = NODES,
    steps: int = STEPS,
) -> Alignment:
    """Return the one-to-one alignment of two graphs with the largest score.

    The score is the sum of the worths of the aligned nodes and of the edges whose ends are aligned,
    as ``compsim.alignment.graphs`` describes.

    Args:
        unary: Worth of each node of A and node of B (nodes of A, nodes of B), not negative; 0
            forbids a pair.
        edges_a: Source, target and role of each edge of A, whole numbers from 0 (edges of A, 3).
        edges_b: The same for B.
        weights_a: Weights of the edges of A, not negative; None: all 1.
        weights_b: The same for B.
        compat: Worth of a role of A and one of B in edges that run the same way, in [0, 1] (roles,
            roles); None: 1 for equal roles, else 0.
        turned: Their worth in edges that run against each other; None: 0.
        nodes: How many nodes the search may visit.
        steps: How many elementary steps it may take, about 1e9 a second.

    Returns:
        The alignment, the same in every run.

    Raises:
        InputError: An array has the wrong shape or a value out of range, or a limit is below 1.

    Examples:
        >>> dog_chases_cat, cat_is_chased = [(0, 1, 0), (0, 2, 1)], [(1, 2, 0), (1, 0, 1)]
        >>> likeness = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
        >>> align_graphs(likeness, dog_chases_cat, cat_is_chased).pairs
        ((0, 1), (1, 2), (2, 0))
    """
    worths = _numbers("unary", unary, 2)
    n, m = worths.shape
    a = _edges("edges_a", edges_a, weights_a, n)
    b = _edges("edges_b", edges_b, weights_b, m)
    roles = 1 + max(a.role.max(initial=0), b.role.max(initial=0))
    straight = np.eye(roles) if compat is None else _table("compat", compat, roles)
    against = np.zeros((roles, roles)) if turned is None else _table("turned", turned, roles)
    if nodes < 1 or steps < 1:
        raise InputError(f"nodes={nodes} and steps={steps} leave no search: give 1 or more")
    from compsim.alignment.kernel import align

    scratch = make_scratch(n, m, len(a.source), len(b.source))
    score, bound, _ = align(n, m, worths.ravel(), *a, *b, straight, against, nodes, steps, scratch)
    pairs = tuple((i, j) for i, j in enumerate(scratch.mapping.tolist()) if j >= 0)
    partners = zip(
        scratch.partner.tolist(),
        scratch.partner_worth.tolist(),
        scratch.partner_turned.tolist(),
        strict=True,
    )
    edges = tuple(
        EdgeMatch(e, f, worth, bool(turn)) for e, (f, worth, turn) in enumerate(partners) if f >= 0
    )
    return Alignment(pairs, score, bound, edges)


def _numbers(name: str, values: npt.ArrayLike, dimensions: int) -> npt.NDArray[np.float64]:
    """Return an array of numbers that are not negative, or raise ``InputError``."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.ndim != dimensions:
        raise InputError(
            f"{name} has {array.ndim} dimensions where {dimensions} are needed: reshape it"
        )
    if not (np.isfinite(array) & (array >= 0)).all():
        raise InputError(f"{name} has a value that is negative or not finite: worths are 0 or more")
    return array


def _table(name: str, values: npt.ArrayLike, roles: int) -> npt.NDArray[np.float64]:
    """Return a table of roles by roles in [0, 1], or raise ``InputError``."""
    array = _numbers(name, values, 2)
    if min(array.shape) < roles:
        raise InputError(
            f"{name} has shape {array.shape}, too small for role {roles - 1}: give each role a row "
            "and a column"
        )
    if (array > 1).any():
        raise InputError(f"{name} has a value above 1: worths of roles lie in [0, 1]")
    return array


def _edges(name: str, rows: npt.ArrayLike, weights: npt.ArrayLike | None, nodes: int) -> _Edges:
    """Return edges as arrays, or raise ``InputError``."""
    array = np.asarray(rows)
    if array.size == 0:
        array = np.zeros((0, 3), dtype=np.int32)
    if array.ndim != 2 or array.shape[1] != 3 or array.dtype.kind not in "iu":
        raise InputError(
            f"{name} is no table of whole numbers: give source, target and role of each edge"
        )
    if array.min(initial=0) < 0 or array[:, :2].max(initial=-1) >= nodes:
        raise InputError(f"{name} has an end that is none of the {nodes} nodes: number them from 0")
    source, target, role = np.ascontiguousarray(array.T, dtype=np.int32)
    if weights is None:
        return _Edges(source, target, role, np.ones(len(array)))
    weight = _numbers(f"the weights of {name}", weights, 1)
    if len(weight) != len(array):
        raise InputError(f"{name} has {len(array)} edges but {len(weight)} weights: give each one")
    return _Edges(source, target, role, weight)
