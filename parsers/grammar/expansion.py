"""Phrase-level parses as role graphs of concepts, through the trees of their sentences.

Parsers that give predicates with phrases in roles (stored roles, a language model, a VerbNet
server) say who did what to whom; what stands inside the phrases is read from the tree. Their
predicates and roles take the place of the labeller's frames, then the grammar goes on as usual.

>>> from compsim.graph import RoleGraph
>>> star = RoleGraph.star("Cats chase mice.", {"Verb": "chase", "Agent": "mice", "Patient": "Cats"})
>>> graph, = expand([star], _shipped())
>>> sorted((edge.role, graph.nodes[edge.target].label) for edge in graph.edges)
[('agent', 'mice'), ('patient', 'Cats')]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from compsim.graph import Frame as PhraseFrame
from compsim.graph import Node, RoleGraph
from compsim.graph.nodes import Span
from compsim.graph.respacing import restored
from compsim.parsers.grammar.parser import ConceptParser
from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.analysis import Analysis
from compsim.parsers.roles.labeller import Argument, Frame
from compsim.plain_text import PlainText

__all__ = ["expand", "expanded", "has_concepts"]

#: The PropBank label that stands for a thematic role; the first that is free.
_LABELS: Final = {
    "Agent": ("ARG0",), "Patient": ("ARG1", "ARG2"), "Theme": ("ARG1", "ARG2"),
    "Location": ("ARGM-LOC",), "Trajectory": ("ARGM-DIR",), "Time": ("ARGM-TMP",),
    "Manner": ("ARGM-MNR",),
}  # fmt: skip
_PASSIVE: Final = ("nsubjpass", "auxpass")


def has_concepts(graph: RoleGraph) -> bool:
    """Whether the nodes of a graph are concepts, not phrases."""
    return any(node.feature("pos") for node in graph.nodes)


def expanded(graphs: Sequence[RoleGraph]) -> list[RoleGraph]:
    """Return the graphs, those of phrases expanded to concepts; failed ones stay as they are."""
    places = [i for i, graph in enumerate(graphs) if graph.nodes and not has_concepts(graph)]
    out = list(graphs)
    if places:
        for place, graph in zip(places, expand([out[i] for i in places], _shipped()), strict=True):
            out[place] = graph
    return out


def expand(graphs: Sequence[RoleGraph], parser: ConceptParser) -> list[RoleGraph]:
    """Return a role graph of concepts for each graph of phrases.

    Args:
        graphs: Parses with phrases in roles, whose nodes have spans.
        parser: Whose pipeline and grammar read the sentences.

    Returns:
        A graph for each, which says that the parser of the phrases made it. A phrase or predicate
        that does not stand in the text is left out.
    """
    result = []
    texts = [graph.text for graph in graphs]
    for graph, text, analysis in zip(
        graphs, map(parser.read, texts), parser.analyse(texts), strict=True
    ):
        made = parser.graph(Analysis(analysis.tree, _frames(graph, text, analysis)))
        made = replace(restored(made, text), text=graph.text, parser=graph.parser)
        status = (made if made.reason else graph).status
        result.append(replace(made, status=status, reason=made.reason or graph.reason))
    return result


def _frames(graph: RoleGraph, text: PlainText, analysis: Analysis) -> list[Frame]:
    """The frames of a graph of phrases over the tokens of a tree, which is that of ``text``."""
    tree = analysis.tree
    spans = [text.outside(span) for span in zip(tree.starts, tree.ends, strict=True)]
    senses = {frame.predicate: frame.sense for frame in analysis.frames}
    result: dict[int, Frame] = {}
    labels = {(edge.source, edge.role): edge.propbank for edge in graph.edges}
    place = {id(node): i for i, node in enumerate(graph.nodes)}
    for frame in graph.frames():
        at = _head(tree, spans, frame.predicate)
        if at is None or at in result:
            continue
        hub = place.get(id(frame.predicate), -1)
        propbank = {role: labels.get((hub, role)) for role in frame.roles}
        arguments = _arguments(tree, spans, frame, at, propbank)
        passive = any(tree.heads[i] == at and tree.deps[i] in _PASSIVE for i in range(len(tree)))
        sense = frame.predicate.sense or senses.get(at)
        result[at] = Frame(at, sense, tuple(arguments), passive)
    return [result[at] for at in sorted(result)]


def _arguments(
    tree: Tree,
    spans: Sequence[Span],
    frame: PhraseFrame,
    predicate: int,
    propbank: dict[str, str | None],
) -> list[Argument]:
    """The arguments of a frame by the head of each phrase, with PropBank labels."""
    result: list[Argument] = []
    taken: set[str] = set()
    for role, node in frame.roles.items():
        head = _head(tree, spans, node)
        own = (propbank[role] or "").partition("+")[0] or (role if role.startswith("ARG") else "")
        label = next((one for one in (own, *_LABELS.get(role, ())) if one and one not in taken), "")
        if head is not None and head != predicate and label:
            taken.add(label)
            result.append(Argument(head, label, tree.deps[head]))
    return result


def _head(tree: Tree, spans: Sequence[Span], node: Node) -> int | None:
    """The token of a phrase whose head stands outside it; None for a phrase without a place.

    ``spans`` are where the tokens stand in the text that has the phrase.
    """
    inside = [
        i
        for i in range(len(tree))
        if any(start <= spans[i][0] and spans[i][1] <= end for start, end in node.spans)
    ]
    tops = [i for i in inside if tree.heads[i] not in inside or tree.heads[i] == i]
    content = [i for i in tops if tree.deps[i] not in ("punct", "det", "aux", "auxpass")]
    return next(iter(content or tops), None)


@cache
def _shipped() -> ConceptParser:
    return ConceptParser()
