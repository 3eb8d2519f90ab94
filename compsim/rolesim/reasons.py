"""Why two phrases are as alike as they are, in a few words for a reader.

>>> from compsim.graph import Frame, Node
>>> bit = Node("bit", features=(("lemma", "bite"), ("tense", "past")))
>>> bites = Node("does not bite", features=(("lemma", "bite"), ("polarity", "-")))
>>> predicate_notes(Frame(bit), Frame(bites, polarity=-1))
('denied in the second only', 'tense: past / present')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from compsim.graph import Node
from compsim.graph.nodes import ANY
from compsim.rolesim.features import points
from compsim.vectors.all_words import AllWords

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from compsim.graph import Frame
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
    "lacks": "nothing",
    "prep": "none",
    "quant": "none",
    "number": "none",
    "limit": "none",
}
_HOW: Final = {
    "pronoun": "by person, number and gender",
    "number": "by value",
    "date": "by day, month or length of time",
    "spelling": "no vector, by spelling",
}
#: Words of a phrase that are named.
_NAMED: Final = 4
#: What a feature takes off a cosine where it is told.
_COSTS: Final = 0.01


def predicate_notes(
    first: Frame, second: Frame, bases: tuple[Frame, Frame] | None = None
) -> tuple[str, ...]:
    """What two predicates differ in beside their words, and which readings were taken.

    ``bases`` are the frames as the sentences tell them, of which the two may be readings.
    """
    notes = []
    frames = (first, second)
    turned = [_is_turned(*pair) for pair in zip(frames, bases or frames, strict=True)]
    if any(turned):
        notes.append("compared the other way round")
    for frame, base, other_side in zip(frames, bases or frames, turned, strict=True):
        if other_side:
            continue
        if ANY in frame.roles:
            notes.append(f"{frame.predicate.label}: the whole phrase, in any role")
        elif frame.reading_of is not None:
            lemma = frame.predicate.feature("lemma") or frame.predicate.sense or "another frame"
            denied = "not " if frame.polarity < base.polarity else ""
            notes.append(f"{frame.predicate.label}, read as {denied}{lemma.replace('_', ' ')}")
    # What only the other way round denies, neither sentence does.
    if first.polarity != second.polarity and turned[0] == turned[1]:
        notes.append(f"denied in the {'first' if first.polarity < 0 else 'second'} only")
    if ANY in first.roles or ANY in second.roles:
        return tuple(notes)
    return (*notes, *_differences(first.predicate, second.predicate).values())


def _is_turned(frame: Frame, base: Frame) -> bool:
    """Whether a frame is a comparison as the other side has it, "not taller" for "taller".

    No other reading says the contrary of what its sentence says by the same verb.
    """
    same = frame.predicate.feature("lemma") == base.predicate.feature("lemma")
    return frame.reading_of is not None and same and frame.polarity != base.polarity


def phrase_reason(
    first: Phrase,
    second: Phrase,
    encoder: PhraseEncoder,
    weights: Mapping[str, float],
    roles: tuple[str, str],
    within: float = 0.0,
) -> str:
    """What decides how alike two phrases are where it is not the vectors of their words.

    ``weights`` are those of the groups of features, ``roles`` those of the phrases; ``within`` is
    the share of the clauses in them.
    """
    x, y = first.node, second.node
    if first.open != second.open:
        return "asked for: matches anything, at a cost"
    lemma = x.feature("lemma")
    if lemma and lemma == y.feature("lemma"):
        return "same lemma" if x.label.lower() != y.label.lower() else ""
    said = []
    if within and min(first.clause, second.clause) >= 0 and x.label.lower() != y.label.lower():
        said.append("their clauses as frames")
    if isinstance(encoder, AllWords):
        meant = [(node.label, node.feature("antecedent")) for node in (x, y)]
        said += [f"{label} = {noun}" for label, noun in meant if noun]
        words = [noun or label for label, noun in meant]
        if words[0].lower() != words[1].lower():
            decided = encoder.decided_by(words[0], words[1])
            said += [f"{_listed(words)}: {_HOW[how]}" for how, words in decided.items()]
        heads = x.feature("head"), y.feature("head")
        own = not any(noun for _, noun in meant)
        if own and encoder.head and heads[0] != heads[1] and _bag(words[0]) == _bag(words[1]):
            said.append(f"head: {heads[0]} / {heads[1]}")
    if not lemma:
        told = _differences(x, y)
        said += [
            text for name, text in told.items() if _cost(name, (x, y), weights, roles) > _COSTS
        ]
    return ", ".join(said)


def _bag(words: str) -> list[str]:
    """The words of a phrase without their order."""
    return sorted(words.lower().split())


def _listed(words: Sequence[str]) -> str:
    more = " \u2026" if len(words) > _NAMED else ""
    return ", ".join(words[:_NAMED]) + more


def _cost(
    name: str, nodes: tuple[Node, Node], weights: Mapping[str, float], roles: tuple[str, str]
) -> float:
    """What the difference in a feature takes off the cosine of two phrases."""
    bare = [Node("", features=((name, node.feature(name)),)) for node in nodes]
    apart = points(bare, roles, weights)
    return float(((apart[0] - apart[1]) ** 2).sum()) / 2


def _differences(x: Node, y: Node) -> dict[str, str]:
    """The features in which two nodes differ, and how."""
    # However it is told which comes first: by "before" here, by "after" there.
    both = bool(x.feature("order") and y.feature("order"))
    told = {
        name: (x.feature(name) or none, y.feature(name) or none) for name, none in _TOLD.items()
    }
    return {
        name: f"{name}: {first} / {second}"
        for name, (first, second) in told.items()
        if first != second and not (both and name == "connective")
    }
