"""Parts of a role graph: nodes, edges, and the status of the parse.

>>> Node("the dog", span=(0, 7))
Node(label='the dog', span=(0, 7), sense=None, variable=None, parts=(), features=())
>>> Node("bit", (8, 11), "bite.01", features=(("tense", "past"),)).feature("tense")
'past'
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["FORWARD_OF_ROLES", "Edge", "Node", "Span", "Status"]

Span = tuple[int, int]

# AMR relations that end in "-of" without being the inverse of another one.
FORWARD_OF_ROLES = frozenset({"consist-of", "prep-on-behalf-of", "prep-out-of"})


class Status(StrEnum):
    """Status of a parse: ``OK``, ``PARTIAL`` (something was left out), or ``FAILED``.

    Examples:
        >>> Status("failed") is Status.FAILED, str(Status.OK)
        (True, 'ok')
    """

    OK = "ok"
    PARTIAL = "partial"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Node:
    """A predicate, a phrase, an AMR concept or an AMR constant.

    Attributes:
        label: The phrase (``"the friendly dog"``), the concept (``"attack-01"``) or the constant
            (``"-"``).
        span: Its characters ``[start, end)`` in the graph's text, None where it has none.
        sense: The PropBank roleset of a predicate (``"attack.01"``).
        variable: The AMR variable, None for phrases and constants.
        parts: The pieces of a phrase that is not contiguous (``"gave ... up"``).
        features: Pairs of a name and a value, in the order of the names, each name once: what the
            words say beside their meaning (``("tense", "past")`` of a predicate, ``("quant",
            "all")`` of a phrase).

    Examples:
        >>> Node("bit", (8, 11), "bite.01", features=(("tense", "past"),)).feature("tense")
        'past'
    """

    label: str
    span: Span | None = None
    sense: str | None = None
    variable: str | None = None
    parts: tuple[Span, ...] = ()
    features: tuple[tuple[str, str], ...] = ()

    def __reduce__(self) -> tuple[type[Node], tuple[object, ...]]:
        """Pickle the fields alone: a third of the time that a dataclass with slots takes."""
        fields = (self.label, self.span, self.sense, self.variable, self.parts, self.features)
        return type(self), fields

    def feature(self, name: str) -> str:
        """The value of a feature.

        Args:
            name: Such as ``"tense"``, ``"polarity"`` or ``"quant"``.

        Returns:
            The value, empty where the node has none of that name.
        """
        for key, value in self.features:
            if key == name:
                return value
        return ""

    @property
    def spans(self) -> tuple[Span, ...]:
        """Spans of the node: its parts, else its one span, else none."""
        return self.parts or (() if self.span is None else (self.span,))


@dataclass(frozen=True, slots=True)
class Edge:
    """A labelled edge between two nodes, given by their indices.

    Attributes:
        source: The node that it leaves.
        role: Its label, without a colon, always forward (``"ARG0"``, never ``"ARG0-of"``).
        target: The node that it reaches.
        propbank: The PropBank label behind a VerbNet-style role (``"ARG1"``, ``"ARGM-TMP"``).
        confidence: How sure the parser is of the edge, above 0 and up to 1: less than 1 where a
            word may belong to either of two others.

    Examples:
        >>> Edge(0, "Agent", 1).role
        'Agent'
    """

    source: int
    role: str
    target: int
    propbank: str | None = None
    confidence: float = 1.0

    def __reduce__(self) -> tuple[type[Edge], tuple[object, ...]]:
        """Pickle the fields alone, as a node does."""
        return type(self), (self.source, self.role, self.target, self.propbank, self.confidence)
