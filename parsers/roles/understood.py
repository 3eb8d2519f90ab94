"""Arguments that a clause leaves out because the words around it tell them.

The subject of an infinitive is that of the verb above (*promised his wife to come*) or its object
(*asked the boy to leave*), that of a second verb is the first one's (*bit the man and slept*), and
a participle tells something of its noun (*the girl reading a book*, *the man bitten by the dog*).
The trained labeller finds many of them; here they are read off the tree, for what it has missed or
taken for something else::

    frames = share_subjects(tree, tree.children(), frames)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from compsim.parsers.pipeline.tree import RELATIVE_PRONOUNS, Tree
from compsim.parsers.roles.events import Events, verb_of
from compsim.parsers.roles.labeller import Argument, Frame, core

__all__ = ["SUBJECTS", "controller", "share_subjects"]

SUBJECTS = frozenset(["nsubj", "nsubjpass", "csubj", "csubjpass"])
_OBJECTS = ("dobj", "dative")
_OWN = SUBJECTS | {"expl"}
_SHARING = frozenset(["xcomp", "conj", "advcl", "pcomp", "acl"])
#: Prepositions before a gerund that is said of the object (*stopped him from leaving*).
_OF_OBJECTS = frozenset(["from", "of", "into"])
_RELATIVE = RELATIVE_PRONOUNS | {"WRB", "WP$"}
_FUNCTIONS = frozenset(["nsubj", "nsubjpass", "dobj"])
#: What is no object that a relative clause lacks beside one of these.
_COMPLEMENTS = frozenset(["dobj", "attr", "acomp", "ccomp", "xcomp"])
_EMPTY = frozenset(["it", "there"])
_MAX_CLIMB = 6

Kids = Sequence[Sequence[int]]


class _Shared(NamedTuple):
    """The token that is understood as an argument, and the function it has in the clause."""

    token: int
    function: str


def share_subjects(tree: Tree, kids: Kids, frames: list[Frame], events: Events) -> list[Frame]:
    """The frames, with the subjects that their clauses share with others."""
    deps = tree.deps
    passive = {frame.predicate for frame in frames if frame.passive}
    for frame in frames:
        if deps[frame.predicate] == "conj" and _shares_voice(tree, kids, frame.predicate, passive):
            passive.add(frame.predicate)
    shared = []
    for frame in frames:
        at = frame.predicate
        if deps[at] in _SHARING and not any(deps[kid] in _OWN for kid in kids[at]):
            found = _understood(tree, kids, at, at in passive, events)
            if found is not None:
                frame = _with(tree, frame, found, at in passive, events)
        elif deps[at] == "relcl":
            frame = _with_noun(tree, kids, frame, events)
        shared.append(frame)
    return shared


def _shares_voice(tree: Tree, kids: Kids, at: int, passive: set[int]) -> bool:
    """Whether a second participle has the first one's auxiliary (*was caught and eaten*)."""
    bare = not any(tree.deps[kid] in ("aux", "auxpass") for kid in kids[at])
    return bare and tree.tags[at] == "VBN" and tree.heads[at] in passive


def _understood(tree: Tree, kids: Kids, at: int, passive: bool, events: Events) -> _Shared | None:
    """What a clause without a subject is said of."""
    dep, head = tree.deps[at], tree.heads[at]
    function = "nsubjpass" if passive else "nsubj"
    if dep == "acl":
        if tree.tags[at] in ("VBG", "VBN"):
            return _Shared(head, function)
        # "his plan to leave", but "a book to read": other nouns may be anything.
        owner = next((kid for kid in kids[head] if tree.deps[kid] == "poss"), None)
        sense = events.nouns.get(tree.lemmas[head])
        if owner is None or sense is None or verb_of(sense) in events.object_control:
            return None
        return _Shared(owner, function)
    token = controller(tree, kids, at, events)
    # "It is fun to watch" does not say who watches.
    if token is None or (dep == "xcomp" and tree.word(token).lower() in _EMPTY):
        return None
    return _Shared(token, function)


def controller(
    tree: Tree, kids: Kids, at: int, events: Events, left: int = _MAX_CLIMB
) -> int | None:
    """The token that a verb without a subject is said of, at most so many steps above."""
    own = next((kid for kid in kids[at] if tree.deps[kid] in SUBJECTS), None)
    if own is not None:
        return own
    dep, head = tree.deps[at], tree.heads[at]
    if left == 0 or head == at or any(tree.deps[kid] == "expl" for kid in kids[at]):
        return None
    if dep == "acl" and tree.tags[at] in ("VBG", "VBN"):
        return head
    if dep in ("conj", "advcl") and tree.pos[head] in ("VERB", "AUX"):
        return controller(tree, kids, head, events, left - 1)
    if dep == "xcomp":
        if tree.lemmas[head] in events.object_control:
            controlling = [kid for kid in kids[head] if tree.deps[kid] in _OBJECTS and kid < at]
            if controlling:
                return _noun(tree, kids, controlling[-1])
        if tree.pos[head] in ("VERB", "AUX"):
            return controller(tree, kids, head, events, left - 1)
    if dep == "pcomp" and tree.deps[head] == "prep":
        verb = tree.heads[head]
        if tree.pos[verb] not in ("VERB", "AUX") or tree.lemmas[head] == "for":
            return None
        objects = [kid for kid in kids[verb] if tree.deps[kid] == "dobj" and kid < head]
        if tree.lemmas[head] in _OF_OBJECTS and objects:
            return objects[-1]
        return controller(tree, kids, verb, events, left - 1)
    return None


def _noun(tree: Tree, kids: Kids, token: int) -> int:
    """The noun of a phrase (*to the boy*)."""
    return next((kid for kid in kids[token] if tree.deps[kid] == "pobj"), token)


def _with(tree: Tree, frame: Frame, found: _Shared, passive: bool, events: Events) -> Frame:
    """The frame with its understood subject, in place of another that the labeller climbed to."""
    label = "ARG1" if passive else events.subject_of(frame.sense)
    if tree.tags[found.token] in _RELATIVE:
        label = "R-" + label
    known = next((a.label for a in frame.arguments if a.head == found.token), "")
    if core(known.removeprefix("R-")):
        label = known
    kept = [
        argument
        for argument in frame.arguments
        if argument.head != found.token
        and (argument.label != label or not _climbed(tree, frame.predicate, argument))
    ]
    if any(argument.label == label for argument in kept):
        return frame._replace(passive=passive)
    kept.append(Argument(found.token, label, found.function))
    return frame._replace(arguments=tuple(sorted(kept)), passive=passive)


def _climbed(tree: Tree, at: int, argument: Argument) -> bool:
    """Whether an argument is the subject or object of another clause, or the noun above."""
    functions = (*SUBJECTS, *_OBJECTS, "")
    return tree.heads[argument.head] != at and argument.relation in functions


def _with_noun(tree: Tree, kids: Kids, frame: Frame, events: Events) -> Frame:
    """The frame of a relative clause, with its noun as what the relative word is in it.

    "The girl who reads": the girl reads. Without a relative word a noun that is ARG1 is the object
    that the clause lacks ("the book the girl read").
    """
    at, noun = frame.predicate, tree.heads[frame.predicate]
    own = next((argument for argument in frame.arguments if argument.head == noun), None)
    below = [*kids[at], *(low for kid in kids[at] for low in kids[kid])]
    pronoun = next((kid for kid in kids[at] if _is_pronoun(tree, kid)), None)
    if pronoun is not None:
        function = tree.deps[pronoun]
        known = next((a.label for a in frame.arguments if a.head == pronoun), "")
        usual = events.subject_of(frame.sense) if function == "nsubj" else "ARG1"
        label = known.removeprefix("R-") or usual
        if known == label:  # the word for the noun that it stands for
            told = (
                a if a.head != pronoun else a._replace(label="R-" + label) for a in frame.arguments
            )
            frame = frame._replace(arguments=tuple(told))
    elif any(tree.tags[kid] in _RELATIVE for kid in below):
        return _with_possession(tree, kids, frame, own)
    elif _lacks_object(tree, kids, at):
        label, function = "ARG1", "dobj"
        if own is None:
            return _with_actor(frame, noun, events)
    else:
        return frame
    if own is None and all(argument.label != label for argument in frame.arguments):
        own = Argument(noun, label, function)
    elif own is None or own.label != label:
        return frame
    others = (argument for argument in frame.arguments if argument.head != noun)
    return frame._replace(arguments=tuple(sorted([*others, own._replace(relation=function)])))


def _with_actor(frame: Frame, noun: int, events: Events) -> Frame:
    """The frame with its subject as who acts on a noun that the labeller left out.

    "The girl the dog bit": of what is done to somebody the subject is not undergone.
    """
    subject = next((a for a in frame.arguments if a.relation == "nsubj"), None)
    labels = [a.label for a in frame.arguments]
    acts = events.subject_of(frame.sense) == "ARG0" and frame.sense not in events.inchoative
    if subject is None or subject.label != "ARG1" or "ARG0" in labels or not acts:
        return frame
    others = (a for a in frame.arguments if a != subject)
    both = subject._replace(label="ARG0"), Argument(noun, "ARG1", "dobj")
    return frame._replace(arguments=tuple(sorted((*others, *both))))


def _with_possession(tree: Tree, kids: Kids, frame: Frame, noun: Argument | None) -> Frame:
    """The frame of a relative clause with "whose", where PropBank has the noun as an argument too.

    "A nurse whose brother yawned": the brother yawned, not the nurse.
    """
    own = next(
        (a for a in frame.arguments if any(tree.tags[kid] == "WP$" for kid in kids[a.head])), None
    )
    if own is None or own == noun:
        return frame
    label = noun.label if noun is not None else own.label.removeprefix("R-")
    others = (argument for argument in frame.arguments if argument not in (own, noun))
    return frame._replace(arguments=tuple(sorted([*others, own._replace(label=label)])))


def _lacks_object(tree: Tree, kids: Kids, at: int) -> bool:
    """Whether a clause has a subject and nothing that an object would not stand beside."""
    own = {tree.deps[kid] for kid in kids[at]}
    return "nsubj" in own and own.isdisjoint(_COMPLEMENTS)


def _is_pronoun(tree: Tree, token: int) -> bool:
    """Whether a token is a relative pronoun as a subject or object."""
    return tree.tags[token] in RELATIVE_PRONOUNS and tree.deps[token] in _FUNCTIONS
