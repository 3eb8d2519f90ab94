"""A meaning graph as one line of text, for a transformer to read.

The graph is walked depth first from its root, as PENMAN notation is. Variables are left out, or
written as pointers that are counted in the order of reading; a node met again is written as its
pointer or, without pointers, as its concept.

>>> from compsim.graph import RoleGraph
>>> graph = RoleGraph.from_penman("(w / want-01 :ARG0 (b / boy) :ARG1 (s / sleep-01 :ARG0 b))")
>>> linear(graph)
'( <pointer:0> want-01 :ARG0 ( <pointer:1> boy ) :ARG1 ( <pointer:2> sleep-01 :ARG0 <pointer:1> ) )'
>>> linear(graph, pointers=False)
'( want-01 :ARG0 ( boy ) :ARG1 ( sleep-01 :ARG0 boy ) )'
"""

from __future__ import annotations

import json

from compsim.graph import RoleGraph
from compsim.graph.penman_layout import Layout

__all__ = ["linear"]


def linear(graph: RoleGraph, pointers: bool = True) -> str:
    """The graph depth first on one line; empty for a graph without nodes."""
    if not graph.nodes:
        return ""
    words: list[str] = []
    names: dict[str, str] = {}  # what a variable is written as when it is met again
    depth = 0
    for closed, role, target, concept in Layout(graph).steps:
        words += [")"] * closed
        depth -= closed
        if role:
            words.append(role)
        if concept is None:
            words.append(names.get(target, target))
            continue
        concept, depth = _bare(concept), depth + 1
        pointer = f"<pointer:{len(names)}>"
        names[target] = pointer if pointers else concept
        words += ["(", pointer, concept] if pointers else ["(", concept]
    return " ".join(words + [")"] * depth)


def _bare(concept: str) -> str:
    """A concept without the quotes that PENMAN notation puts around a phrase."""
    return " ".join(str(json.loads(concept)).split()) if concept.startswith('"') else concept
