"""Sentences to role graphs of concepts: the tree, the labeller's frames, then the grammar."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from compsim.graph import Edge, Node, RoleGraph
from compsim.graph.nodes import Span
from compsim.parsers.grammar.draft import CONTRACTED, Draft
from compsim.parsers.grammar.grammar import Grammar
from compsim.parsers.grammar.trace import TracedDraft
from compsim.parsers.roles.analysis import Analysis, AnalysisParser
from compsim.plain_text import PlainText
from compsim.vectors.measures import measured

__all__ = ["ConceptParser"]


class ConceptParser(AnalysisParser):
    """Role graphs whose nodes are concepts, by the rules of ``weights/grammar``.

    ``pipeline`` is what ``AnalysisParser`` takes; ``rules`` a file of rules to use beside the
    shipped ones, or in place of the group that has the file's name. Raises DataError where the
    rules cannot be read.
    """

    name = credit = "concepts"

    def __init__(self, pipeline: str | Path = "builtin", rules: str | Path | None = None) -> None:
        super().__init__(pipeline)
        self.rules = rules
        if rules is not None:
            _ = self.grammar

    @property
    def settings(self) -> dict[str, Any]:
        """The pipeline and the file of rules."""
        return {**super().settings, "rules": self.rules}

    @cached_property
    def grammar(self) -> Grammar:
        """The rules and words that it applies."""
        return Grammar.open(self.rules)

    @cached_property
    def version(self) -> str:
        """As for roles, and the rules and words of the grammar."""
        return f"{super().version}/{self.grammar.version}"

    def read(self, text: str) -> PlainText:
        """The text as the pipeline gets it: its measures are written in one way."""
        return measured(super().read(text))

    def graph(self, analysis: Analysis) -> RoleGraph:
        """The role graph of a tree and its frames."""
        return self.graph_of(self.draft(analysis), analysis)

    def graph_of(self, draft: Draft, analysis: Analysis) -> RoleGraph:
        """The role graph of what the rules have left in the draft of an analysis."""
        senses = {frame.predicate: frame.sense for frame in analysis.frames}
        return _graph(draft, senses, self.grammar.helpers, self.credit)

    def draft(self, analysis: Analysis) -> Draft:
        """The tokens of a tree with the edges and features that the rules have added."""
        draft = Draft(analysis.tree, self.grammar.lexicon)
        _add_arguments(draft, analysis)
        self.grammar.apply(draft)
        return draft

    def trace(self, analysis: Analysis) -> TracedDraft:
        """The same draft, with each match of a rule and what it changed."""
        draft = TracedDraft(analysis.tree, self.grammar.lexicon)
        _add_arguments(draft, analysis)
        for rule in self.grammar.traced_functions:
            rule(draft)
        return draft


#: Words of which features say nothing more than that they are there.
_EMPTY: Final = ("be", "have", "do", "a", "an", "the")
#: What "not" is cut short to.
_NOT: Final = ("n't", "n\u2019t")


def _add_arguments(draft: Draft, analysis: Analysis) -> None:
    """Add the labeller's arguments as edges that rules can read; none of a relative word."""
    for frame in analysis.frames:
        for argument in frame.arguments:
            if not argument.label.startswith("R-"):
                for head in (argument.head, *argument.more):
                    draft.add(frame.predicate, argument.label, head)


def _said_by(draft: Draft) -> dict[int, str]:
    """Return which words have become features of a concept, each with its number: "not.0 many.0".

    The number counts equal words before it, since the characters of a text may move.
    """
    result: dict[int, str] = {}
    for word, token in sorted(draft.taken_up.items()):
        if word in draft.concepts or token not in draft.concepts or draft.lemmas[word] in _EMPTY:
            continue
        known = draft.words[word]
        name = known if known.isalpha() and known not in CONTRACTED else draft.lemmas[word]
        name = "not" if name in _NOT else name
        before = draft.words[:word].count(known)
        result[token] = (
            f"{result[token]} {name}.{before}" if token in result else f"{name}.{before}"
        )
    return result


def _graph(
    draft: Draft, senses: Mapping[int, str | None], helpers: frozenset[str], parser: str
) -> RoleGraph:
    """The concepts of a draft and the edges between them, without those of the labeller."""
    tree = draft.tree
    tokens = sorted(draft.concepts)
    if not tokens:
        reason = "no word found" if tree.text.strip() else "empty text"
        return RoleGraph.failed(tree.text, reason, parser=parser)
    number = {token: i for i, token in enumerate(tokens)}
    nodes = []
    text, starts, ends = tree.text, tree.starts, tree.ends
    said_by = _said_by(draft)
    for token in tokens:
        features = {"pos": tree.pos[token], **draft.features[token], "lemma": draft.lemmas[token]}
        if token in said_by:
            features["said_by"] = said_by[token]
        listed = tuple(sorted(features.items()))
        span: Span = (starts[token], ends[token])
        parts: tuple[Span, ...] = ()
        label = text[span[0] : span[1]]
        if len(draft.concepts[token]) > 1:
            parts = tuple((starts[i], ends[i]) for i in sorted(draft.concepts[token]))
            label = " ".join(text[start:end] for start, end in parts)
            span = (parts[0][0], parts[-1][1])
        nodes.append(Node(label, span, senses.get(token), None, parts, listed))
    edges = [
        Edge(number[a], role, number[b], None, confidence)
        for a, role, b, confidence in draft.edges()
        if a in number and b in number and role not in helpers and not role.startswith("ARG")
    ]
    root = next((number[i] for i, h in enumerate(tree.heads) if h == i and i in number), 0)
    return RoleGraph(tuple(nodes), tuple(edges), root, tree.text, parser=parser)
