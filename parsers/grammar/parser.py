"""Sentences to role graphs of concepts: the tree, the labeller's frames, then the grammar."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache

from compsim.graph import Edge, Node, RoleGraph
from compsim.parsers.grammar.compilation import compile_rules
from compsim.parsers.grammar.draft import Draft
from compsim.parsers.grammar.lexicon import Lexicon
from compsim.parsers.grammar.rules import read_rules
from compsim.parsers.roles.analysis import Analysis, AnalysisParser
from compsim.storage.places import weights_folder

__all__ = ["ConceptParser"]


class ConceptParser(AnalysisParser):
    """Role graphs whose nodes are concepts, by the rules of ``weights/grammar``."""

    name = credit = "concepts"

    def graph(self, analysis: Analysis) -> RoleGraph:
        """The role graph of a tree and its frames."""
        draft = self.draft(analysis)
        return graph_of(draft, {f.predicate: f.sense for f in analysis.frames})

    def draft(self, analysis: Analysis) -> Draft:
        """The tokens of a tree with the edges and features that the rules have added."""
        tree, frames = analysis
        draft = Draft(tree, Lexicon.open())
        for frame in frames:
            for argument in frame.arguments:
                if not argument.label.startswith("R-"):
                    for head in (argument.head, *argument.more):
                        draft.add(frame.predicate, argument.label, head)
        for rule in grammar():
            rule(draft)
        return draft


@cache
def grammar() -> list[Callable[[Draft], None]]:
    """The compiled rules that compsim ships."""
    return compile_rules(read_rules(), Lexicon.open())


@cache
def helpers() -> frozenset[str]:
    """The roles of edges that the graph does not keep."""
    text = (weights_folder() / "grammar" / "order.toml").read_text(encoding="utf8")
    return frozenset(tomllib.loads(text)["helpers"])


def graph_of(draft: Draft, senses: dict[int, str | None]) -> RoleGraph:
    """The role graph of what the rules have left: concepts, and the edges between them."""
    tree = draft.tree
    tokens = sorted(draft.concepts)
    if not tokens:
        reason = "no word found" if tree.text.strip() else "empty text"
        return RoleGraph.failed(tree.text, reason, parser="concepts")
    number = {token: i for i, token in enumerate(tokens)}
    nodes = []
    for token in tokens:
        words = sorted(draft.concepts[token])
        spans = [(tree.starts[i], tree.ends[i]) for i in words]
        features = {**draft.features[token], "lemma": draft.lemmas[token], "pos": tree.pos[token]}
        label = " ".join(tree.text[a:b] for a, b in spans)
        span = (spans[0][0], spans[-1][1])
        parts = tuple(spans) if len(spans) > 1 else ()
        listed = tuple(sorted(features.items()))
        nodes.append(Node(label, span, senses.get(token), None, parts, listed))
    edges = [
        Edge(number[a], role, number[b], None, confidence)
        for a, role, b, confidence in draft.edges()
        if a in number and b in number and role not in helpers() and not role.startswith("ARG")
    ]
    root = next((number[i] for i, h in enumerate(tree.heads) if h == i and i in number), 0)
    return RoleGraph(tuple(nodes), tuple(edges), root, tree.text, parser="concepts")
