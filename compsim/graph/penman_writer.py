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
from typing import TYPE_CHECKING, Any

from compsim.errors import InputError
from compsim.graph.penman_layout import FRAGILE, Layout, Step, quote

if TYPE_CHECKING:
    from compsim.graph.role_graph import RoleGraph

__all__ = ["to_penman"]


def to_penman(graph: RoleGraph) -> str:
    """Write ``graph`` in PENMAN notation with its comments; ``()`` for a graph without nodes.

    Raises InputError for a graph nested more deeply than the penman package can write.
    """
    import penman

    layout = Layout(graph)
    metadata = {}
    sentence = " ".join(graph.text.split())
    plain = not (FRAGILE.search(sentence) or "::" in sentence)
    if sentence and plain:
        metadata["snt"] = sentence
    extras = layout.extras()
    if graph.text != (sentence if plain else ""):
        extras["text"] = graph.text
    if extras:
        metadata["compsim"] = quote(extras).replace("::", r":\u003a")
    try:
        return str(penman.format(penman.Tree(_tree(layout.steps), metadata=metadata)))
    except RecursionError:
        raise InputError(
            "the graph is nested too deeply for PENMAN notation: write it with to_json()"
        ) from None


def _tree(steps: Iterable[Step]) -> tuple[str | None, list[Any]]:
    """Return penman's tree: a variable and its branches, each a role and its target."""
    top: tuple[str | None, list[Any]] = (None, [])
    open_branches: list[list[Any]] = []
    for closed, role, target, concept in steps:
        del open_branches[len(open_branches) - closed :]
        node = target if concept is None else (target, [("/", concept)])
        if open_branches:
            open_branches[-1].append((role, node))
        elif isinstance(node, tuple):
            top = node
        if isinstance(node, tuple):
            open_branches.append(node[1])
    return top
