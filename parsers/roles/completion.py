"""Arguments that the labeller leaves out although they can be one thing only.

A subject is the roleset's first argument and an object ARG1 (*who cut bread*), unless
another phrase is that; beside an object no phrase with a preposition and no clause is. A question's
adverb asks for a circumstance (*where does the bank open?*)::

    frames = complete_frames(tree, frames)
    frames[0].arguments       # ..., Argument(head=2, label="ARG1", relation="dobj")
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from compsim.parsers.pipeline.tree import RELATIVE_PRONOUNS, Tree
from compsim.parsers.roles.events import events
from compsim.parsers.roles.labeller import Argument, Frame

__all__ = ["complete_frames"]

_ASKING: Final = {
    "where": "ARGM-LOC",
    "when": "ARGM-TMP",
    "how": "ARGM-MNR",
    "why": "ARGM-CAU",
}
_DEPENDENTS: Final = frozenset(("advmod", "nsubj", "nsubjpass", "dobj"))
#: What is no object beside one.
_NO_OBJECTS: Final = frozenset(("prep", "ccomp", "xcomp", "advcl"))


def complete_frames(tree: Tree, frames: Sequence[Frame]) -> list[Frame]:
    """Return the frames with the arguments that were overlooked."""
    kids = tree.children()
    return [_completed(tree, kids, frame) for frame in frames]


def _completed(tree: Tree, kids: Sequence[Sequence[int]], frame: Frame) -> Frame:
    frame = _righted(tree, kids, frame)
    deps, taken = tree.deps, {argument.head for argument in frame.arguments}
    loose = [kid for kid in kids[frame.predicate] if deps[kid] in _DEPENDENTS and kid not in taken]
    more = list(_sure(tree, kids, frame, loose)) if loose else ()
    return frame._replace(arguments=tuple(sorted((*frame.arguments, *more)))) if more else frame


def _righted(tree: Tree, kids: Sequence[Sequence[int]], frame: Frame) -> Frame:
    """The frame of an active verb, with the subject as its actor where the object was.

    "The boy that the goat kicked": whoever stands before the verb kicks.
    """
    if frame.passive:
        return frame
    subject = next((a for a in frame.arguments if a.relation == "nsubj"), None)
    if subject is None or subject.label != "ARG1":
        return frame
    actor = next((a for a in frame.arguments if a.label == "ARG0"), None)
    relative = any(
        tree.deps[k] == "dobj" and tree.tags[k] in RELATIVE_PRONOUNS for k in kids[frame.predicate]
    )
    if actor is None or not (actor.relation == "dobj" or (relative and not actor.relation)):
        return frame
    turned = {"ARG0": "ARG1", "R-ARG0": "R-ARG1", "ARG1": "ARG0"}
    arguments = (a._replace(label=turned.get(a.label, a.label)) for a in frame.arguments)
    return frame._replace(arguments=tuple(sorted(arguments)))


def _sure(
    tree: Tree, kids: Sequence[Sequence[int]], frame: Frame, loose: Sequence[int]
) -> Iterator[Argument]:
    """Those of the loose dependents of a verb that can be one thing only."""
    deps, lemmas, verb = tree.deps, tree.lemmas, frame.predicate
    given = [(argument.label, argument.relation) for argument in frame.arguments]
    parts = {i for argument in frame.arguments for i in argument.more}
    for kid in loose:
        dep = deps[kid]
        if kid in parts:
            continue
        if dep == "advmod":
            if lemmas[kid] in _ASKING and _opens(tree, kids, kid, verb):
                yield Argument(kid, _ASKING[lemmas[kid]], dep)
        # The noun of a relative pronoun is the argument, but for an object that is asked for.
        elif tree.tags[kid] not in RELATIVE_PRONOUNS or (dep == "dobj" and deps[verb] == "ROOT"):
            label = events().subject_of(frame.sense) if dep == "nsubj" else "ARG1"
            weaker = _NO_OBJECTS if dep == "dobj" else ()
            if all(label not in other or relation in weaker for other, relation in given):
                given.append((label, dep))
                yield Argument(kid, label, dep)


def _opens(tree: Tree, kids: Sequence[Sequence[int]], adverb: int, verb: int) -> bool:
    """Return whether an adverb by itself opens the question of a main clause."""
    return tree.deps[verb] == "ROOT" and adverb < verb and not kids[adverb]
