"""What has been read of a graph, kept as long as the graph is.

>>> count = []
>>> length = KeptByGraph(lambda graph: count.append(1) or len(graph.text))
>>> graph = RoleGraph(text="It rains.")
>>> length(graph), length(graph), len(count), len(length.kept)
(9, 9, 1, 1)
>>> del graph
>>> length.kept
{}
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

from compsim.graph import RoleGraph

__all__ = ["KeptByGraph"]

T = TypeVar("T")


class KeptByGraph(Generic[T]):
    """A function of a graph that is called once for each, as long as it is in use.

    Graphs are known by the object: their hash reads all that they hold, which takes as long.
    """

    def __init__(self, read: Callable[[RoleGraph], T]) -> None:
        self._read = read
        #: By the number of the object, with a reference that does not keep it alive.
        self.kept: dict[int, tuple[weakref.ref[RoleGraph], T]] = {}

    def __call__(self, graph: RoleGraph) -> T:
        """Return what the function returns for a graph, from an earlier call if there was one."""
        number = id(graph)
        known = self.kept.get(number)
        if known is not None and known[0]() is graph:
            return known[1]
        value, kept = self._read(graph), self.kept
        kept[number] = weakref.ref(graph, lambda _: kept.pop(number, None)), value
        return value
