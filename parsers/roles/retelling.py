"""From the frames of a sentence's verbs to the frames of its events.

Arguments that were overlooked are added (:mod:`.overlooked`). Verbs that only introduce an event
go (:mod:`.constructions`, :mod:`.features.semi_modals`), clauses get the subjects they share
(:mod:`.understood`), nouns that name events get frames (:mod:`.nominal`), and so does who is named
as the source of a statement (*according to the police*: the police said it). What something is
compared with is a participant (:mod:`.readings.comparisons`)::

    kids = tree.children()
    frames = retold(tree, kids, frames)
    frames[0].arguments
"""

from __future__ import annotations

from collections.abc import Sequence

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.constructions import plain
from compsim.parsers.roles.events import Events, events
from compsim.parsers.roles.features.denial import marked
from compsim.parsers.roles.features.semi_modals import fused
from compsim.parsers.roles.labeller import Argument, Frame
from compsim.parsers.roles.nominal import described, event_nouns, headline, undivided
from compsim.parsers.roles.overlooked import completed
from compsim.parsers.roles.questions import asked
from compsim.parsers.roles.readings import event_object, existential, with_standards
from compsim.parsers.roles.understood import share_subjects

__all__ = ["retold"]

_SAYING = "say.01"

Kids = Sequence[Sequence[int]]


def retold(tree: Tree, kids: Kids, frames: list[Frame]) -> list[Frame]:
    """The frames of the events that a text tells, those of its verbs first."""
    tables = events()
    if not frames:
        return headline(tree, kids, tables)
    frames = completed(tree, kids, asked(tree, _sided(tree, kids, frames, tables)))
    frames = marked(tree, kids, fused(tree, kids, frames))
    frames = plain(tree, kids, frames, tables)
    if len(frames) > 1 or tree.deps[frames[0].predicate] != "ROOT":
        frames = share_subjects(tree, kids, frames, tables)
    frames = [
        existential(tree, kids, each) if tree.lemmas[each.predicate] == "be" else each
        for each in frames
    ]
    frames = with_standards(tree, kids, _reported(tree, kids, frames))
    taken = {frame.predicate for frame in frames}
    taken.update(_carried(tree, frames, tables))
    nouns = list(event_nouns(tree, kids, taken, tables))
    if not nouns:
        return frames
    return described(tree, kids, undivided(tree, frames, nouns), nouns)


def _sided(tree: Tree, kids: Kids, frames: list[Frame], tables: Events) -> list[Frame]:
    """The frames, with rolesets of the side that a preposition tells: rented *to*, or *from*."""
    if all(frame.sense not in tables.sides for frame in frames):
        return frames
    found = []
    for frame in frames:
        marker, sense = tables.sides.get(frame.sense or "", ("", None))
        told = any(tree.lemmas[kid] == marker for kid in kids[frame.predicate])
        found.append(frame._replace(sense=sense) if told else frame)
    return found


def _carried(tree: Tree, frames: list[Frame], tables: Events) -> set[int]:
    """The nouns of light verbs: their event is told by a reading of the verb's frame."""
    nouns = (event_object(tree, frame, tables) for frame in frames)
    return {noun for noun in nouns if noun is not None}


def _reported(tree: Tree, kids: Kids, frames: list[Frame]) -> list[Frame]:
    """The frames, with one of saying for *according to*, in place of a phrase of manner."""
    if "according" not in tree.text.lower():
        return frames
    found = list(frames)
    for place, frame in enumerate(frames):
        for argument in frame.arguments:
            at = argument.head
            if tree.word(at).lower() != "according":
                continue
            speaker = _speaker(tree, kids, at) if _is_aside(tree, at) else None
            if speaker is not None and tree.heads[at] == frame.predicate:
                rest = tuple(each for each in frame.arguments if each is not argument)
                found[place] = frame._replace(arguments=rest)
                saying = (
                    Argument(speaker, "ARG0", "nsubj"),
                    Argument(frame.predicate, "ARG1", "ccomp"),
                )
                found.append(Frame(at, _SAYING, saying, False, (("lemma", "say"),)))
    return found


def _speaker(tree: Tree, kids: Kids, at: int) -> int | None:
    """The noun after *according to*."""
    nouns = (noun for low in kids[at] for noun in kids[low] if tree.deps[noun] == "pobj")
    return next(nouns, None)


def _is_aside(tree: Tree, at: int) -> bool:
    """Whether a phrase is said of the whole sentence: it opens it, or stands behind a comma.

    Nothing is said by a size in "they were sorted according to size".
    """
    return at == 0 or tree.word(at - 1) in ",;-(\u2013\u2014"
