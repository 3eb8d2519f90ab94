"""Arguments that a parser finds, spans and roles, against gold roles.

The gold standard is Parallel SemLink, whose roles are VerbNet's, or Challenge-SRL, which has verbs,
nouns and adjectives as predicates and roles of VerbAtlas or PropBank. Roles of VerbNet and
VerbAtlas are brought to the classes of ``bench roles`` by the table that the parser itself goes by
(``compsim.parsers.roles.consolidation.VERBNET_TO_EIGHT``):

========================  =====================================================================
class                     roles of VerbNet
========================  =====================================================================
Agent                     Agent, Actor, Affector, Cause, Causer, Experiencer, Pivot
Patient/Theme             Patient, Theme, Topic, Stimulus, Recipient, Goal, Source, Product,
                          Result, Beneficiary, Maleficiary, Attribute, Value, Asset, Predicate,
                          Instrument, Material, ...
Location/Trajectory       Location, Initial_Location, Destination, Path, Trajectory
Manner                    Manner, Extent, Purpose, Circumstance
Time                      Time, Duration
========================  =====================================================================

In Parallel SemLink only verbs with a class are annotated, and of their phrases only those that fill
a role of VerbNet; so nothing else is judged: no other predicate, no modifier (PropBank's ARGM), no
relative word beside the noun that it stands for. Challenge-SRL annotates modifiers too, and they
are judged there. Labels of PropBank are compared as they are, as far as the parser has them in a
role (``compsim.parsers.roles.consolidation.MODIFIERS`` and numbered arguments); the second part of
a phrase in two (``C-``) is left out. A span is right where it has the same first and last word.

Predicates are found by the parser (end to end, from plain text); or the gold ones are given to it
beside those that it finds, which is possible with ``srl``. Trees and labels are its own either way.

>>> gold_class("Initial_Location"), gold_class("Experiencer"), gold_class("Axis")
('Location/Trajectory', 'Agent', None)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from compsim.benchmarks.datasets.trees.semlink import GoldSentence, read_semlink
from compsim.benchmarks.task import Advance, Figure, Results, Row, Spec, Task, sha256
from compsim.benchmarks.tasks.parsing.role_classes import CLASSES, scores
from compsim.benchmarks.workspace import Workspace
from compsim.graph import RoleGraph
from compsim.parsers import load
from compsim.parsers.base import Parser
from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.consolidation import MODIFIERS, consolidate
from compsim.parsers.roles.labeller import core
from compsim.parsers.roles.srl import SrlParser
from compsim.plain_text import PlainText

__all__ = ["GoldRoles", "gold_class", "inventory_of"]

#: A class of roles and the span that has it.
Item: TypeAlias = tuple[str, tuple[int, int]]

_FOUND: Final = "found"
_GIVEN: Final = "given"
_ALL: Final = "all"
#: The row of spans, whatever their roles.
_ANY: Final = "any role"
_RELATIVE: Final = "R-"
_PROPBANK: Final = "ARG"


def gold_class(role: str) -> str | None:
    """Return the class that a gold role counts as, None where it is in none.

    Labels of PropBank are their own classes.

    >>> gold_class("ARG2"), gold_class("ARGM-MOD"), gold_class("CO-AGENT")
    ('ARG2', None, 'Patient/Theme')
    """
    if role.startswith(_PROPBANK):
        return role if core(role) or role in MODIFIERS else None
    return CLASSES.get(consolidate(role) or "")


def inventory_of(roles: Iterable[str]) -> str:
    """Return the inventory of gold roles by how they are written.

    >>> inventory_of(["ARG0"]), inventory_of(["THEME"]), inventory_of(["Theme"])
    ('PropBank', 'VerbAtlas', 'VerbNet')
    """
    names = list(roles)
    if any(name.removeprefix("R-").removeprefix("C-").startswith(_PROPBANK) for name in names):
        return "PropBank"
    return "VerbAtlas" if any(name.isupper() for name in names) else "VerbNet"


class GoldRoles(Task):
    """A parser against gold roles, with predicates found and given."""

    name = "roles"
    title = "Arguments found, against gold roles"
    columns = dict.fromkeys(("precision", "recall", "F1", "arguments"), 0)
    form = ".4f"

    def __init__(self, gold: str | Path, parser: str | Parser) -> None:
        self.sentences = read_semlink(gold)
        self.names = sorted(
            {name for s in self.sentences for verb in s.verbs for name, _ in verb.roles}
        )
        self.inventory = inventory_of(self.names)
        self.data = Path(gold).name, str(gold), sha256([gold])
        self.parser = load(parser) if isinstance(parser, str) else parser
        self.specs = [Spec(str(parser), label=_FOUND)]
        if isinstance(self.parser, SrlParser):
            self.specs.append(Spec(str(parser), label=_GIVEN))
        self.steps = len(self.sentences)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """Parse all sentences; a row for each class of roles, for all, and for spans alone."""
        parser = self.parser
        if spec.label == _GIVEN:
            assert isinstance(parser, SrlParser)
            parser = _GivenPredicates(parser.pipeline, self.sentences)
        graphs = parser.parse([sentence.text for sentence in self.sentences])
        advance(spec.method, self.steps)
        failed = sum(graph.root is None for graph in graphs)
        about = {"parser": spec.method, "failed": failed}
        return [
            Row({"predicates": spec.label, "role": role}, figures, details=about)
            for role, figures in _compare(self.sentences, graphs, self.inventory).items()
        ]

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows of all classes, and what is not judged."""
        verbs = sum(len(sentence.verbs) for sentence in self.sentences)
        summary = [
            f"{len(self.sentences)} sentences, {verbs} predicates with roles of {self.inventory}"
        ]
        unknown = [name for name in self.names if gold_class(name) is None]
        remarks = [f"in no class, and so left out: {', '.join(unknown)}"] if unknown else []
        details = {
            "parser": self.specs[0].method,
            "sentences": len(self.sentences),
            "verbs": verbs,
            "failed": rows[0].details.get("failed", 0),
        }
        rows = [replace(row, details={}) for row in rows]
        return super().results(rows, summary=summary, remarks=remarks, details=details)


class _GivenPredicates(SrlParser):
    """The parser ``srl``, which is told some predicates of each text and finds the others."""

    def __init__(self, pipeline: str, sentences: Iterable[GoldSentence]) -> None:
        super().__init__(pipeline)
        self._given: dict[str, set[int]] = {}
        for sentence in sentences:
            plain = PlainText.typed(sentence.text)
            starts = {plain.inside(verb.span)[0] for verb in sentence.verbs}
            self._given.setdefault(plain.text, set()).update(starts)

    def _predicates(self, tree: Tree) -> list[int]:
        result, given = super()._predicates(tree), self._given[tree.text]
        return sorted({*result, *(i for i, start in enumerate(tree.starts) if start in given)})


def _compare(
    sentences: Sequence[GoldSentence], graphs: Sequence[RoleGraph], inventory: str
) -> dict[str, dict[str, Figure]]:
    """The figures of each class of the gold standard, of all, and of spans whatever their role."""
    import numpy as np

    expected = [
        [_gold_items(sentence.text, verb.roles) for verb in sentence.verbs]
        for sentence in sentences
    ]
    parsed = [_parsed_items(graph, inventory) for graph in graphs]
    result = [
        [items.get(verb.span[0], set()) for verb in sentence.verbs]
        for sentence, items in zip(sentences, parsed, strict=True)
    ]
    names = dict.fromkeys(CLASSES.values())
    if inventory == "PropBank":
        both = (items for side in (expected, result) for verbs in side for items in verbs)
        names = dict.fromkeys(sorted({role for items in both for role, _ in items}))
    classes = {role: i for i, role in enumerate(names)}
    # Arguments of both, of the parse, of the gold standard, in each sentence, by class; the last
    # column is for spans whatever their class.
    counts = np.zeros((3, len(sentences), len(classes) + 1))
    for i, verbs in enumerate(zip(expected, result, strict=True)):
        for right, own in zip(*verbs, strict=True):
            for which, items in enumerate((right & own, own, right)):
                for role, _ in items:
                    counts[which, i, classes[role]] += 1
            spans, own_spans = ({span for _, span in items} for items in (right, own))
            for which, these in enumerate((spans & own_spans, own_spans, spans)):
                counts[which, i, -1] += len(these)
    tables = {role: counts[:, :, i] for role, i in classes.items() if counts[2, :, i].any()}
    tables[_ALL] = counts[:, :, :-1].sum(axis=2)
    tables[_ANY] = counts[:, :, -1]
    return {
        role: {**scores(table), "arguments": Figure(float(table[2].sum()))}
        for role, table in tables.items()
    }


def _gold_items(text: str, roles: Iterable[Item]) -> set[Item]:
    return {
        (role, _trimmed(text, span))
        for name, span in roles
        if (role := gold_class(name)) is not None
    }


def _parsed_items(graph: RoleGraph, inventory: str) -> dict[int, set[Item]]:
    """The arguments of each predicate of a graph, by the character at which it begins."""
    # A parser that tells PropBank's labels does so for all but phrases inside of arguments.
    labelled = any(edge.propbank for edge in graph.edges)
    result: dict[int, set[Item]] = {}
    for edge in graph.edges:
        head, span = graph.nodes[edge.source].span, graph.nodes[edge.target].span
        if head is None or span is None or edge.role.startswith(_RELATIVE):
            continue
        labels = (edge.propbank or "").split("+")
        items = result.setdefault(head[0], set())
        if inventory == "PropBank":
            items |= {(label, _trimmed(graph.text, span)) for label in labels if gold_class(label)}
        elif edge.role in CLASSES:
            if labelled and inventory == "VerbNet" and not any(map(core, labels)):
                continue
            items.add((CLASSES[edge.role], _trimmed(graph.text, span)))
    return result


def _trimmed(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """A span without marks at either end."""
    first, last = span
    while first < last and not text[last - 1].isalnum():
        last -= 1
    while first < last and not text[first].isalnum():
        first += 1
    return first, last
