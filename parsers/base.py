"""Protocol of parsers: a name, a version, and ``parse``.

A parser is any object of this shape, so a function that labels roles is a parser in a few lines:

>>> from compsim.graph import RoleGraph
>>> class FirstWordActs:
...     name, version = "first-word", "1"
...     def parse(self, sentences):
...         return [RoleGraph.star(s, {"Agent": s.split()[0]}, parser=self.name) for s in sentences]
>>> isinstance(FirstWordActs(), Parser)
True
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from compsim.graph import RoleGraph

__all__ = ["Parser"]


@runtime_checkable
class Parser(Protocol):
    """Turns sentences into role graphs: any object with ``name``, ``version`` and ``parse``.

    A parser whose failures are final, because the same sentence will always fail, may set an
    attribute ``cacheable_failures = True``. One that loads much with its first sentences may have a
    method ``warm_up()`` that does so at once.

    Examples:
        >>> from compsim.graph import RoleGraph
        >>> class FirstWordActs:
        ...     name, version = "first-word", "1"
        ...     def parse(self, sentences):
        ...         return [RoleGraph.star(s, {"Agent": s.split()[0]}) for s in sentences]
        >>> isinstance(FirstWordActs(), Parser)
        True
    """

    @property
    def name(self) -> str:
        """The name it is loaded by."""

    @property
    def version(self) -> str:
        """Changes whenever the output may change: with ``name`` it keys the cache of parses."""

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        """Parse sentences.

        Args:
            sentences: n sentences.

        Returns:
            n graphs, in order; a sentence that fails gives a failed graph.
        """
