"""A meaning graph as one line of text, for a transformer to read.

The graph is walked depth first from its root, as PENMAN notation is. Variables are left out, or
written as pointers that are counted in the order of reading; a node met again is written as its
pointer or, without pointers, as its concept.

>>> from compsim.graph.penman import from_penman
>>> graph = from_penman("(w / want-01 :ARG0 (b / boy) :ARG1 (s / sleep-01 :ARG0 b))")
>>> linear(graph)
'( <pointer:0> want-01 :ARG0 ( <pointer:1> boy ) :ARG1 ( <pointer:2> sleep-01 :ARG0 <pointer:1> ) )'
>>> linear(graph, pointers=False)
'( want-01 :ARG0 ( boy ) :ARG1 ( sleep-01 :ARG0 boy ) )'
"""

from __future__ import annotations

import json
from typing import Any

from compsim.graph import RoleGraph
from compsim.graph.penman_layout import Layout

__all__ = ["linear"]


def linear(graph: RoleGraph, pointers: bool = True) -> str:
    """The graph depth first on one line; empty for a graph without nodes."""
    if not graph.nodes:
        return ""
    words: list[str] = []
    names: dict[str, str] = {}  # what a variable is written as when it is met again
    # A stack, since a graph may be nested more deeply than functions can be.
    waiting: list[Any] = [Layout(graph).tree]
    while waiting:
        part = waiting.pop()
        if not isinstance(part, tuple):
            words.append(names.get(part, part))
            continue
        variable, branches = part
        concept = _bare(branches[0][1])
        pointer = f"<pointer:{len(names)}>"
        names[variable] = pointer if pointers else concept
        words += ["(", pointer, concept] if pointers else ["(", concept]
        waiting.append(")")
        for role, target in reversed(branches[1:]):
            waiting += [target, role]
    return " ".join(words)


def _bare(concept: str) -> str:
    """A concept without the quotes that PENMAN notation puts around a phrase."""
    return " ".join(str(json.loads(concept)).split()) if concept.startswith('"') else concept
