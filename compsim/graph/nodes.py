"""What a role graph is made of: nodes, edges, and how a parse went.

>>> Node("the dog", span=(0, 7))
Node(label='the dog', span=(0, 7), sense=None, variable=None, parts=())
>>> check_edge(Edge(0, "ARG0-of", 1), size=2)
Traceback (most recent call last):
...
compsim.errors.InputError: role 'ARG0-of' is an inverse: swap source and target and drop the '-of'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from compsim.errors import InputError

__all__ = [
    "FORWARD_OF_ROLES",
    "Edge",
    "Node",
    "Span",
    "Status",
    "check_edge",
    "check_variables",
]

Span = tuple[int, int]

# What PENMAN notation can carry as a variable, or as a role after the colon; control characters and
# lone surrogates would not survive a text file.
_NAME = re.compile(r"[^\s\"()/:~#\x00-\x1f\x7f-\x9f\ud800-\udfff]+")

# AMR relations that end in "-of" without being the inverse of another one.
FORWARD_OF_ROLES = frozenset({"consist-of", "prep-on-behalf-of", "prep-out-of"})


class Status(StrEnum):
    """How a parse went."""

    OK = "ok"
    PARTIAL = "partial"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Node:
    """A predicate, a phrase, an AMR concept or an AMR constant.

    ``label`` is the phrase (``"the friendly dog"``), the concept (``"attack-01"``) or the constant
    (``"-"``); ``span`` its characters ``[start, end)`` in the graph's text; ``sense`` the PropBank
    roleset of a predicate (``"attack.01"``); ``variable`` the AMR variable, None for phrases and
    constants; ``parts`` the pieces of a phrase that is not contiguous (``"gave ... up"``).
    """

    label: str
    span: Span | None = None
    sense: str | None = None
    variable: str | None = None
    parts: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """A labelled edge between two nodes, given by their indices.

    ``role`` has no colon and always runs forward (``"ARG0"``, never ``"ARG0-of"``); ``propbank`` is
    the PropBank label behind a VerbNet-style role (``"ARG1"``, ``"ARGM-TMP"``).
    """

    source: int
    role: str
    target: int
    propbank: str | None = None


def check_edge(edge: Edge, size: int) -> None:
    """Raise ``InputError`` for an edge that leads outside, or a role that cannot be written."""
    if not (0 <= edge.source < size and 0 <= edge.target < size):
        raise InputError(
            f"edge {edge.source} :{edge.role} {edge.target} points outside the {size} nodes: "
            "give indices into nodes"
        )
    role = edge.role
    if role == "instance" or (role and not _NAME.fullmatch(role)):
        raise InputError(
            f"role {role!r} can not be written in PENMAN notation: use a name without a colon, "
            "white space, quotes, brackets, slash, tilde or hash"
        )
    if role.endswith("-of") and role not in FORWARD_OF_ROLES:
        raise InputError(f"role {role!r} is an inverse: swap source and target and drop the '-of'")


def check_variables(variables: list[str]) -> None:
    """Raise ``InputError`` for a variable that cannot be written, or stands for two nodes."""
    seen: set[str] = set()
    for variable in variables:
        if variable in seen:
            raise InputError(f"variable {variable!r} names two nodes: give each its own")
        if not _NAME.fullmatch(variable):
            raise InputError(
                f"{variable!r} is not a variable: use letters and digits, without white space, "
                "quotes, brackets, colon, slash, tilde or hash"
            )
        seen.add(variable)
