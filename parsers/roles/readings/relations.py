"""Where one thing is, told from the other: what hangs above the sofa has the sofa below it.

A preposition of relative place relates two things as a verb does (Huddleston and Pullum 2002, 7.6;
Talmy's figure and ground), and most have an opposite (Quirk et al. 1985, 9.15 to 9.20). The reading
has that relation as its predicate, with both things as its participants: *above*, whether the
sentence says *above* or *below*; what tells how the figure is there, *hangs*, is its manner::

    The sofa is below the picture.    above(Agent: the picture, Patient: the sofa)

What is near, beside or opposite is so from both sides. What is before another thing precedes it;
what is in it is contained.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.labeller import Argument, Frame

__all__ = ["of_relation"]

_AS_TOLD, _TURNED, _MUTUAL = (False,), (True,), (False, True)
#: The word of a preposition that says where, the lemma of its relation, and from which side.
_RELATIONS = {
    **dict.fromkeys(("above", "over"), ("above", _AS_TOLD)),
    **dict.fromkeys(("below", "beneath", "under", "underneath"), ("above", _TURNED)),
    **dict.fromkeys(("front", "ahead"), ("in_front_of", _AS_TOLD)),
    "behind": ("in_front_of", _TURNED),
    "left": ("left_of", _AS_TOLD),
    "right": ("left_of", _TURNED),
    "north": ("north_of", _AS_TOLD),
    "south": ("north_of", _TURNED),
    "west": ("west_of", _AS_TOLD),
    "east": ("west_of", _TURNED),
    **dict.fromkeys(("near", "close"), ("near", _MUTUAL)),
    **dict.fromkeys(("beside", "next", "alongside", "adjacent"), ("beside", _MUTUAL)),
    "opposite": ("opposite", _MUTUAL),
}
#: Those that only *be* relates with, by the verbs that say the same.
_WITH_BE = {
    "before": ("precede", _AS_TOLD),
    "after": ("precede", _TURNED),
    **dict.fromkeys(("in", "inside", "within"), ("contain", _TURNED)),
}
#: Label and function of the things that a relation has.
_FIRST, _SECOND = ("ARG0", "nsubj"), ("ARG1", "dobj")
_SUBJECTS = ("nsubj", "nsubjpass")
_OBJECTS = ("dobj", "dative")
#: "Nearer than" compares.
_COMPARING = ("than", "as")
#: The most words of a preposition: "to the left of", "in front of".
_LONGEST = 3

Kids = Sequence[Sequence[int]]


def of_relation(tree: Tree, kids: Kids, frame: Frame) -> Iterator[Frame]:
    """The relation of subject and ground, with what is above, before or to the left first."""
    figure = next((a for a in frame.arguments if a.relation in _SUBJECTS), None)
    if figure is None or any(a.relation in _OBJECTS for a in frame.arguments):
        return
    copula = tree.lemmas[frame.predicate] == "be"
    for place in frame.arguments:
        found = _ground(tree, kids, place.head, copula) if place is not figure else None
        if found is None:
            continue
        lemma, sides, ground = found
        if not copula and sides is _MUTUAL:
            return  # who sits next to another may be the only one who sits
        noun = _noun(frame, figure)
        rest = [a for a in frame.arguments if a not in (figure, noun, place)]
        if not copula:
            rest.append(Argument(frame.predicate, "ARGM-MNR", ""))
        for turned in sides:
            own, its = (_SECOND, _FIRST) if turned else (_FIRST, _SECOND)
            told = (*rest, Argument(noun.head, *own, noun.more), Argument(ground, *its))
            features = (("lemma", lemma),)
            yield Frame(frame.predicate, frame.sense, tuple(sorted(told)), False, features)
        return


def _noun(frame: Frame, figure: Argument) -> Argument:
    """The noun that a relative word stands for; any other figure itself."""
    label = figure.label.removeprefix("R-")
    return next((a for a in frame.arguments if a.label == label), figure)


def _ground(
    tree: Tree, kids: Kids, top: int, copula: bool
) -> tuple[str, tuple[bool, ...], int] | None:
    """The relation that a preposition names, from which side, and the noun that it governs."""
    found = None
    at = top
    for _ in range(_LONGEST):
        word = tree.lemmas[at]
        if word in _COMPARING:
            return None
        found = found or _RELATIONS.get(word)
        below = [kid for kid in kids[at] if kid > at and tree.deps[kid] in ("pobj", "prep")]
        if not below:
            return None
        last, at = at, below[0]
        ends = tree.deps[at] == "pobj" and not (
            tree.lemmas[at] in _RELATIONS and _of(tree, kids, at)
        )
        if ends:
            if found is None and copula and last == top:
                found = _WITH_BE.get(word)
            number = tree.tags[at] == "CD" and tree.lemmas[at] != "one"
            return None if found is None or number else (*found, at)
    return None


def _of(tree: Tree, kids: Kids, noun: int) -> bool:
    return any(tree.lemmas[kid] == "of" for kid in kids[noun])
