"""Role graphs written in PENMAN notation, to be read back without loss.

The notation carries labels, roles and structure; a ``# ::snt`` comment carries the text and one
``# ::compsim`` comment, a JSON object, what the notation has no place for: status, reason, parser,
character spans, senses and PropBank labels, and the order of nodes or edges where it is not the
order of reading.  Phrases get variables ``v0``, ``v1``, ... that count only inside the text.
Stars that share no phrase hang below one ``multi-sentence`` node, as in AMR.

>>> from compsim.graph import RoleGraph
>>> print(to_penman(RoleGraph.star("", {"Verb": "chase", "Agent": "the dog"})))
# ::compsim {"unnamed":"all"}
(v0 / chase
    :Agent (v1 / "the dog"))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from compsim.graph.penman_layout import FRAGILE, Layout, Step, quote

if TYPE_CHECKING:
    from compsim.graph.role_graph import RoleGraph

__all__ = ["to_penman"]

#: The deepest indentation: the text of a long chain would else grow with the square of its length.
_DEEPEST: Final = 400


def to_penman(graph: RoleGraph) -> str:
    """Write ``graph`` in PENMAN notation with its comments; ``()`` for a graph without nodes."""
    layout = Layout(graph)
    lines = []
    sentence = " ".join(graph.text.split())
    plain = not (FRAGILE.search(sentence) or "::" in sentence)
    if sentence and plain:
        lines.append(f"# ::snt {sentence}")
    extras = layout.extras()
    if graph.text != (sentence if plain else ""):
        extras["text"] = graph.text
    if extras:
        lines.append("# ::compsim " + quote(extras).replace("::", r":\u003a"))
    return "\n".join([*lines, _notation(layout.steps)])


def _notation(steps: Iterable[Step]) -> str:
    parts: list[str] = []
    columns: list[int] = []  # of the relations of each open node
    for closed, role, target, concept in steps:
        parts.append(")" * closed)
        del columns[len(columns) - closed :]
        column = columns[-1] if columns else 0
        if role:
            parts.append("\n" + " " * min(column, _DEEPEST) + role + " ")
            column += len(role) + 1
        if concept is None:
            parts.append(target)
        else:
            parts.append(f"({target} / {concept}")
            columns.append(column + len(target) + 2)
    return "".join(parts) + ")" * len(columns) if parts else "()"
