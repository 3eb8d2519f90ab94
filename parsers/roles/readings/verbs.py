"""Verbs that tell one event from two sides, or with somebody more who makes it happen.

- *converses*: who sells is who is bought from
- *inchoatives*: what melts is what somebody may have melted
- *subjects*: who dies is the subject of that, as of any verb
- *symmetric verbs*: who meets somebody is met by that one, and both meet
- *causatives*: who makes the ice melt melts the ice
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.events import Events, verb_of
from compsim.parsers.roles.labeller import Argument, Frame, core

__all__ = ["of_cause", "of_converse", "of_inchoative", "of_subject", "of_symmetric"]

_CAUSE = "ARGM-CAU"
_SUBJECTS = ("nsubj", "nsubjpass")
#: Prepositions of who gives or gets.
_SIDES = ("to", "from")
_PARTIES = frozenset(["to", "from", "by", "off", "of"])

Kids = Sequence[Sequence[int]]


def of_converse(tree: Tree, frame: Frame, events: Events) -> Iterator[Frame]:
    """The event seen from the other side, then by a more general verb from its own."""
    own = {argument.label: argument for argument in frame.arguments}
    for sense, labels in events.converses.get(frame.sense or "", ()):
        # Verbs of order (precede, follow) exchange ARG1 and ARG2; a subject is the first of them.
        actor, undergoer = ("ARG0", "ARG1") if "ARG0" in labels else ("ARG1", "ARG2")
        if actor == "ARG1" and "ARG0" in own:
            own.setdefault("ARG1", own["ARG0"])
        if labels[actor] not in own and (party := _unlabelled_party(tree, frame, labels)):
            own = {**own, labels[actor]: party}
        theirs = {label: own[ours] for label, ours in labels.items() if ours in own}
        if any(argument.relation == "xcomp" for argument in theirs.values()):
            return  # who is told to go hears no going
        if actor not in theirs or not _is_party(tree, theirs[actor]):
            return  # no other side is named
        acts_on = undergoer == "ARG2" or sense in events.transitive
        arguments = [a for a in frame.arguments if not core(a.label)]
        for label, argument in theirs.items():
            function = {actor: "nsubj", undergoer: "dobj" if acts_on else ""}.get(label, "")
            arguments.append(Argument(argument.head, label, function, argument.more))
        lemma = ("lemma", verb_of(sense))
        yield Frame(frame.predicate, sense, tuple(sorted(arguments)), False, (lemma,))


def _unlabelled_party(tree: Tree, frame: Frame, labels: Mapping[str, str]) -> Argument | None:
    """A phrase with "to" or "from" in no role, or in one that the other side does not know."""
    if tree.lemmas[frame.predicate] != verb_of(frame.sense or ""):
        return None  # a noun, or "according"
    label_of = {argument.head: argument.label for argument in frame.arguments}
    for kid in tree.kids(frame.predicate):
        free = kid not in label_of or (core(label_of[kid]) and label_of[kid] not in labels.values())
        if free and tree.deps[kid] == "prep" and tree.lemmas[kid] in _SIDES:
            return Argument(kid, "", "prep")
    return None


def _is_party(tree: Tree, argument: Argument) -> bool:
    """Whether an argument may be who gives or gets: bought *from*, sold *to*, but not *for*."""
    if argument.relation not in ("prep", "dative"):
        return True
    return tree.tags[argument.head] not in ("IN", "TO") or tree.lemmas[argument.head] in _PARTIES


def of_symmetric(tree: Tree, kids: Kids, frame: Frame, events: Events) -> Iterator[Frame]:
    """The two sides exchanged, or as two where one phrase names both."""
    sides = _sides(tree, frame, events)
    if len(sides) == 2:
        one, other = sides
        swapped = {
            one: one._replace(head=other.head, more=other.more),
            other: other._replace(head=one.head, more=one.more),
        }
        arguments = [swapped.get(argument, argument) for argument in frame.arguments]
        yield frame._replace(arguments=tuple(sorted(arguments)))
    for both in sides if len(sides) == 1 else ():
        joint = [kid for kid in kids[both.head] if tree.deps[kid] == "conj"]
        if len(joint) == 1:
            label = "ARG2" if both.label == "ARG1" else "ARG1"
            arguments = [*frame.arguments, Argument(joint[0], label, "prep")]
            yield frame._replace(arguments=tuple(sorted(arguments)))


def _sides(tree: Tree, frame: Frame, events: Events) -> list[Argument]:
    """The arguments that may change places, one where the other is not named."""
    pairs = events.symmetric[frame.sense or ""]
    own = {argument.label: argument for argument in frame.arguments if core(argument.label)}
    for pair in pairs:
        if own.keys() >= {*pair}:
            return [own[label] for label in pair]
    # The sides of a verb that nobody else makes happen may have labels of others.
    subject = next((a for a in own.values() if a.relation == "nsubj"), None)
    if subject and (frame.sense in events.first or any("ARG0" in pair for pair in pairs)):
        others = [
            a
            for a in frame.arguments
            if a.relation == "dobj" or (a.relation == "prep" and tree.lemmas[a.head] == "with")
        ]
        return [subject, *others] if len(others) < 2 else []
    return [own[first] for first, _ in pairs[:1] if first in own]


def of_subject(frame: Frame) -> Iterator[Frame]:
    """Who changes, as the subject that they are, which other verbs have as their Agent."""
    subject = _undergoer(frame)
    if subject is not None:
        yield _retold(frame, {subject: subject._replace(label="ARG0")})


def of_inchoative(frame: Frame) -> Iterator[Frame]:
    """What melts, as what is melted: only where nobody else may be the one who acts.

    What it melts because of melts it.
    """
    subject = _undergoer(frame)
    if subject is None:
        return
    told = {subject: subject._replace(relation="nsubjpass")}
    yield _retold(frame, told)
    cause = next((a for a in frame.arguments if a.label == _CAUSE and a.relation == "prep"), None)
    if cause is not None:
        yield _retold(frame, {**told, cause: cause._replace(label="ARG0")})


def _undergoer(frame: Frame) -> Argument | None:
    """The subject of an active verb that takes no object, where PropBank has it as ARG1."""
    labels = {argument.label for argument in frame.arguments}
    subject = next((a for a in frame.arguments if a.relation == "nsubj"), None)
    if frame.passive or subject is None or subject.label != "ARG1" or "ARG0" in labels:
        return None
    return None if any(a.relation == "dobj" for a in frame.arguments) else subject


def _retold(frame: Frame, told: Mapping[Argument, Argument]) -> Frame:
    """The frame with some arguments in place of others."""
    return frame._replace(arguments=tuple(told.get(a, a) for a in frame.arguments))


def of_cause(
    tree: Tree, kids: Kids, frame: Frame, frames: Mapping[int, Frame], events: Events
) -> Iterator[Frame]:
    """Who makes the ice melt, as who melts it; who makes a boy cry, as what he cries because of."""
    causer = next((a for a in frame.arguments if a.label == "ARG0"), None)
    for kid in kids[frame.predicate]:
        below = frames.get(kid) if tree.deps[kid] in ("ccomp", "xcomp") else None
        if below is None or causer is None:
            continue
        told: list[Argument] = list(below.arguments)
        subjects = [a for a in told if a.relation in _SUBJECTS]
        if (
            below.sense in events.inchoative
            and len(subjects) == 1
            and not any(a.relation == "dobj" for a in told)
        ):
            told.remove(subjects[0])
            told.append(subjects[0]._replace(label="ARG1", relation="dobj"))
            told.append(causer._replace(label="ARG0"))
            passive = frame.passive
        else:
            told.append(causer._replace(label=_CAUSE, relation=""))
            passive = below.passive
        lemma = ("lemma", tree.lemmas[kid])
        yield Frame(frame.predicate, below.sense, tuple(sorted(told)), passive, (lemma,))
