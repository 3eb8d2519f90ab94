"""Ways of writing one meaning brought to one form, before graphs are compared.

Each is a pure function from a graph to a graph and none is applied unasked; ``standardise`` chains
those that are wanted. ``ARG0-of`` and its like need nothing: a role graph holds every relation
forward.

>>> from compsim.amr.standardise import standardise
>>> from compsim.graph import RoleGraph
>>> graph = RoleGraph.from_penman('(m / man :wiki "Q1" :location (p / park) :domain-of (t / tall))')
>>> print(standardise(graph, domain=True, wiki=True, reified=True).to_penman())
# ::compsim {"nodes":[0,3,1,4,2]}
(m / man
   :ARG1-of (r / be-located-at-91
               :ARG2 (p / park))
   :ARG1-of (r2 / have-mod-91
                :ARG2 (t / tall)))
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final, NamedTuple

from compsim.graph import Edge, Node, RoleGraph

__all__ = [
    "REIFICATIONS",
    "Reification",
    "mod_for_domain",
    "reify",
    "standardise",
    "without_wiki",
]


class Reification(NamedTuple):
    """The concept that stands for a relation, and its roles for the relation's two ends."""

    concept: str
    source: str
    target: str


#: The relations that have a concept of their own: AMR guidelines 1.2.6, "Reification".
REIFICATIONS: Final[dict[str, Reification]] = {
    "accompanier": Reification("accompany-01", "ARG1", "ARG0"),
    "age": Reification("age-01", "ARG1", "ARG2"),
    "beneficiary": Reification("benefit-01", "ARG0", "ARG1"),
    "cause": Reification("cause-01", "ARG1", "ARG0"),
    "concession": Reification("have-concession-91", "ARG1", "ARG2"),
    "condition": Reification("have-condition-91", "ARG1", "ARG2"),
    "cost": Reification("cost-01", "ARG1", "ARG2"),
    "degree": Reification("have-degree-92", "ARG1", "ARG2"),
    "destination": Reification("be-destined-for-91", "ARG1", "ARG2"),
    "duration": Reification("last-01", "ARG1", "ARG2"),
    "employed-by": Reification("have-org-role-91", "ARG0", "ARG1"),
    "example": Reification("exemplify-01", "ARG1", "ARG0"),
    "extent": Reification("have-extent-91", "ARG1", "ARG2"),
    "frequency": Reification("have-frequency-91", "ARG1", "ARG2"),
    "instrument": Reification("have-instrument-91", "ARG1", "ARG2"),
    "li": Reification("have-li-91", "ARG1", "ARG2"),
    "location": Reification("be-located-at-91", "ARG1", "ARG2"),
    "manner": Reification("have-manner-91", "ARG1", "ARG2"),
    "meaning": Reification("mean-01", "ARG1", "ARG2"),
    "mod": Reification("have-mod-91", "ARG1", "ARG2"),
    "name": Reification("have-name-91", "ARG1", "ARG2"),
    "ord": Reification("have-ord-91", "ARG1", "ARG2"),
    "part": Reification("have-part-91", "ARG1", "ARG2"),
    "polarity": Reification("have-polarity-91", "ARG1", "ARG2"),
    "poss": Reification("own-01", "ARG1", "ARG0"),
    "purpose": Reification("have-purpose-91", "ARG1", "ARG2"),
    "quant": Reification("have-quant-91", "ARG1", "ARG2"),
    "role": Reification("have-org-role-91", "ARG0", "ARG2"),
    "source": Reification("be-from-91", "ARG1", "ARG2"),
    "subevent": Reification("have-subevent-91", "ARG1", "ARG2"),
    "subset": Reification("include-91", "ARG2", "ARG1"),
    "superset": Reification("include-91", "ARG1", "ARG2"),
    "time": Reification("be-temporally-at-91", "ARG1", "ARG2"),
    "topic": Reification("concern-02", "ARG0", "ARG1"),
    "value": Reification("have-value-91", "ARG1", "ARG2"),
}


def standardise(
    graph: RoleGraph, *, domain: bool = False, wiki: bool = False, reified: bool = False
) -> RoleGraph:
    """Apply :func:`mod_for_domain`, :func:`without_wiki` and :func:`reify`, where asked."""
    if domain:
        graph = mod_for_domain(graph)
    if wiki:
        graph = without_wiki(graph)
    return reify(graph) if reified else graph


def mod_for_domain(graph: RoleGraph) -> RoleGraph:
    """Write ``:domain`` as the ``:mod`` of which it is the inverse; one to a constant stays."""
    constants = _constants(graph)
    edges = [
        replace(edge, source=edge.target, role="mod", target=edge.source)
        if edge.role == "domain" and edge.target not in constants
        else edge
        for edge in graph.edges
    ]
    return replace(graph, edges=tuple(edges))


def without_wiki(graph: RoleGraph) -> RoleGraph:
    """Leave out the ``:wiki`` links and the constants that only they lead to."""
    constants = _constants(graph)
    dropped = {e.target for e in graph.edges if e.role == "wiki" and e.target in constants}
    kept = [index for index in range(len(graph.nodes)) if index not in dropped]
    place = {old: new for new, old in enumerate(kept)}
    edges = (edge for edge in graph.edges if edge.role != "wiki")
    return replace(
        graph,
        nodes=tuple(graph.nodes[old] for old in kept),
        edges=tuple(replace(e, source=place[e.source], target=place[e.target]) for e in edges),
        root=None if graph.root is None else place[graph.root],
    )


def reify(graph: RoleGraph, roles: Collection[str] = REIFICATIONS.keys()) -> RoleGraph:
    """Replace each relation of these roles by a node for it, as ``REIFICATIONS`` says.

    The new nodes come after the old ones. Roles that the table does not hold are left alone.
    """
    nodes, edges = list(graph.nodes), list[Edge]()
    taken = {node.variable for node in nodes}
    named = taken != {None}
    count = 0
    for edge in graph.edges:
        form = REIFICATIONS.get(edge.role) if edge.role in roles else None
        if form is None:
            edges.append(edge)
            continue
        variable = None
        while named and (variable is None or variable in taken):
            count += 1
            variable = "r" if count == 1 else f"r{count}"
        taken.add(variable)
        edges.append(Edge(len(nodes), form.source, edge.source))
        edges.append(Edge(len(nodes), form.target, edge.target))
        nodes.append(Node(form.concept, variable=variable))
    return replace(graph, nodes=tuple(nodes), edges=tuple(edges))


def _constants(graph: RoleGraph) -> set[int]:
    from compsim.amr.smatch.triples import variables

    return {index for index, result in enumerate(variables(graph)) if not result}
