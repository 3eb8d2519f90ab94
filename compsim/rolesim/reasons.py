"""Why two phrases are as alike as they are, in a few words for a reader.

>>> from compsim.graph import Frame, Node
>>> bit = Node("bit", features=(("lemma", "bite"), ("tense", "past")))
>>> bites = Node("does not bite", features=(("lemma", "bite"), ("polarity", "-")))
>>> predicate_notes(Frame(bit), Frame(bites, polarity=-1))
('denied in the second only', 'tense: past / present')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from compsim.graph.nodes import ANY
from compsim.vectors.all_words import AllWords

if TYPE_CHECKING:
    from compsim.graph import Frame, Node
    from compsim.rolesim.phrasing import Phrase
    from compsim.vectors.encoder import PhraseEncoder

__all__ = ["phrase_reason", "predicate_notes"]

#: Features that are told where they differ, with what stands for none.
_TOLD: Final = {
    "tense": "present",
    "aspect": "none",
    "modality": "none",
    "mood": "statement",
    "connective": "none",
    "order": "none",
    "prep": "none",
    "quant": "none",
    "number": "none",
}
_HOW: Final = {
    "pronoun": "compared by person, number and gender",
    "number": "compared by value",
    "spelling": "no vector: compared as names, by spelling",
}


def predicate_notes(first: Frame, second: Frame) -> tuple[str, ...]:
    """What two predicates differ in beside their words, and which readings were taken."""
    notes = []
    for frame in (first, second):
        if ANY in frame.roles:
            notes.append(f"{frame.predicate.label}: the whole phrase, in any role")
        elif frame.reading_of is not None:
            lemma = frame.predicate.feature("lemma") or frame.predicate.sense or "another frame"
            notes.append(f"{frame.predicate.label}, read as {lemma.replace('_', ' ')}")
    if first.polarity != second.polarity:
        notes.append(f"denied in the {'first' if first.polarity < 0 else 'second'} only")
    if ANY in first.roles or ANY in second.roles:
        return tuple(notes)
    return (*notes, *_differences(first.predicate, second.predicate))


def phrase_reason(first: Phrase, second: Phrase, encoder: PhraseEncoder) -> str:
    """How two phrases were compared where it was not the cosine of their words alone."""
    x, y = first.node, second.node
    if first.open != second.open:
        return "asked for: matches anything, at a cost"
    said = []
    lemma = x.feature("lemma")
    if lemma and lemma == y.feature("lemma"):
        said.append("same lemma" if x.label.lower() != y.label.lower() else "")
    elif isinstance(encoder, AllWords):
        for node in (x, y):
            meant = node.feature("antecedent")
            if meant:
                said.append(f"{node.label} = {meant}")
        how = {way for node in (x, y) for way in _ways(node, encoder)}
        if x.label.lower() != y.label.lower():
            said += [_HOW[way] for way in sorted(how)]
    if not lemma:
        said += _differences(x, y)
    return ", ".join(part for part in said if part)


def _ways(node: Node, encoder: AllWords) -> set[str]:
    """By what the words of a phrase are compared that are not content words of the table."""
    if node.feature("antecedent"):
        return set()
    found = {encoder.how(word) for word in node.label.split()}
    # A pronoun among content words decides little.
    return found - {""} - ({"pronoun"} if "" in found else set())


def _differences(x: Node, y: Node) -> list[str]:
    # However it is told which comes first: by "before" here, by "after" there.
    both = bool(x.feature("order") and y.feature("order"))
    told = [
        (name, x.feature(name) or none, y.feature(name) or none)
        for name, none in _TOLD.items()
        if not (both and name == "connective")
    ]
    return [f"{name}: {first} / {second}" for name, first, second in told if first != second]
