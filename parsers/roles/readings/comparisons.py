"""What is compared with what: who is taller than another, who is not as tall.

The standard of a comparison, the *than* phrase, is a participant of its own beside what is said of
both (Huddleston and Pullum 2002, chapter 13; AMR's have-degree-91 has the same three: domain,
attribute, compared-to). *Less* denies what *more* says::

    She is less patient than her sister.    be-(Agent: She, Theme: patient, Patient: her sister)

In the other telling the two change places and the comparison is denied: where she is taller than
he, he is not taller than she, which a word of the opposite meaning denies again (*he is shorter*).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from compsim.parsers.pipeline.tree import NOUN_TAGS, Tree
from compsim.parsers.roles.labeller import STANDARD_LABEL, Argument, Frame

__all__ = ["SAYS", "TURNED", "of_comparison", "with_standards"]

#: A reading that says the contrary of what its frame says.
TURNED = ("polarity", "turned")
#: Feature of a frame whose predicate is not what it says: the label of the argument that is.
SAYS = "says"
#: A comparison of equals, which both sides share, until it is denied: then it is of unequals.
_EQUAL = ("polarity", "+")
_SUBJECTS = ("nsubj", "nsubjpass")
_LESS = frozenset(["less", "few", "fewer"])
#: What the markers may stand beside without a comparison of degree.
_NO_DEGREES = {
    "than": frozenset(["rather", "other", "else", "different"]),
    "as": frozenset(["such", "same", "so", "well", "soon", "long", "far"]),
}
#: Verbs that stand for the one above ("than she does": Huddleston and Pullum 2002, chapter 17).
_ELLIPTIC = frozenset(["be", "do", "have"])
#: How what is compared may hang on a verb.
_COMPARED = ("acomp", "advmod", "dobj", "attr", "npadvmod")
_COMPARATIVES = ("JJR", "RBR")
#: What *than* governs: a noun or a gerund.
_OBJECTS = ("pobj", "pcomp")

Kids = Sequence[Sequence[int]]


class _Comparison(NamedTuple):
    """The tokens of a comparison, -1 for one that it lacks.

    ``compared`` is the head of what is said of both sides, ``less`` the word that denies it,
    ``standard`` the head of the other side, ``verb`` that of an elliptic clause.
    """

    compared: int
    less: int
    standard: int
    verb: int


def with_standards(tree: Tree, kids: Kids, frames: list[Frame]) -> list[Frame]:
    """The frames, each standard a participant of its own; elliptic verbs have no frame."""
    if not any(word in tree.lemmas for word in _NO_DEGREES):
        return frames
    by_token = {frame.predicate: frame for frame in frames}
    for marker, word in enumerate(tree.lemmas):
        found = _comparison(tree, kids, marker) if word in _NO_DEGREES else None
        if found is None:
            continue
        above = tree.heads[found.compared]
        if above in by_token and tree.deps[found.compared] in _COMPARED:
            by_token.pop(found.verb, None)
            by_token[above] = _compared(tree, by_token[above], found, marker)
    return list(by_token.values())


def _comparison(tree: Tree, kids: Kids, marker: int) -> _Comparison | None:
    """What *than* or *as* compares, None where it compares nothing or there is no noun."""
    verb = -1
    above = tree.heads[marker]
    standard = next((kid for kid in kids[marker] if tree.deps[kid] in _OBJECTS), -1)
    if tree.deps[marker] == "mark":
        verb, above = above, tree.heads[above]
        if not _is_elliptic(tree, kids, verb):
            return None
        subjects = (kid for kid in kids[verb] if tree.deps[kid] in _SUBJECTS)
        standard = next(subjects, standard)
    elif tree.deps[marker] != "prep":
        return None
    compared = _degree(tree, kids, above, marker)
    if standard < 0 or compared < 0 or _is_number(tree, kids, standard):
        return None
    before = (kid for kid in kids[compared] if kid < marker and tree.lemmas[kid] in _LESS)
    return _Comparison(compared, next(before, -1), standard, verb)


def _degree(tree: Tree, kids: Kids, above: int, marker: int) -> int:
    """The head of what is compared: what the marker hangs on, or beside that on the same verb."""
    equal = tree.lemmas[marker] == "as"
    for at in (above, *reversed(kids[above])):
        words = [i for i in (at, *kids[at]) if i < marker]
        if at > marker or any(tree.lemmas[i] in _NO_DEGREES[tree.lemmas[marker]] for i in words):
            continue
        if equal and any(tree.lemmas[i] == "as" and i < at for i in words):
            return at
        # Taggers know "later" as the plain adverb that it is too.
        adverb = at == above and tree.tags[at] == "RB"
        if not equal and (adverb or any(tree.tags[i] in _COMPARATIVES for i in words)):
            return at
    return -1


def _is_elliptic(tree: Tree, kids: Kids, verb: int) -> bool:
    """Whether a verb only stands for the one above."""
    known = tree.lemmas[verb] in _ELLIPTIC or tree.tags[verb] == "MD"
    return known and not any(kid > verb and tree.deps[kid] != "punct" for kid in kids[verb])


def _is_number(tree: Tree, kids: Kids, noun: int) -> bool:
    """Whether a standard is a measure: "more than ten", "longer than two days"."""
    if tree.tags[noun] == "CD":
        return tree.lemmas[noun] != "one"
    return any(tree.deps[kid] == "nummod" for kid in kids[noun])


def _compared(tree: Tree, frame: Frame, found: _Comparison, marker: int) -> Frame:
    """The frame with a standard, and denied by *less*."""
    heads = (marker, found.standard, found.verb, found.less)
    own = [argument for argument in frame.arguments if argument.head not in heads]
    top = marker if found.verb < 0 else found.standard
    arguments = [*own, Argument(top, STANDARD_LABEL, "prep")]
    features = [each for each in frame.features if each[0] != SAYS]
    said = next((a.label for a in own if a.head == found.compared), "")
    copula = tree.lemmas[frame.predicate] == "be"
    if not said:
        said = "ARG2" if copula else "ARGM-MNR"
        arguments.append(Argument(found.compared, said, tree.deps[found.compared]))
    if not copula and tree.tags[found.compared] not in NOUN_TAGS:
        features.append((SAYS, said))
    if found.less >= 0:
        arguments.append(Argument(found.less, "ARGM-NEG", "neg"))
        features.append(TURNED)
    return frame._replace(arguments=tuple(sorted(arguments)), features=tuple(features))


def of_comparison(tree: Tree, kids: Kids, frame: Frame) -> Iterator[Frame]:
    """The comparison seen from the other side; an object may be the one that is compared."""
    standard = next((a for a in frame.arguments if a.label == STANDARD_LABEL), None)
    if standard is None:
        return
    noun, marker = _sides(tree, kids, standard.head)
    said = dict(frame.features).get(SAYS, "")
    turned = _EQUAL if tree.lemmas[marker] == "as" else TURNED
    for side in frame.arguments:
        if side.label.startswith("R-"):  # a relative word stands where it does
            continue
        object_ = side.relation == "dobj" and said not in ("", side.label)
        if side.relation in _SUBJECTS or object_:
            exchanged = {
                side: side._replace(head=noun, more=()),
                standard: standard._replace(head=side.head, more=side.more),
            }
            arguments = sorted(exchanged.get(each, each) for each in frame.arguments)
            yield frame._replace(arguments=tuple(arguments), features=(turned,))


def _sides(tree: Tree, kids: Kids, top: int) -> tuple[int, int]:
    """The noun of a standard and its marker."""
    if tree.lemmas[top] in _NO_DEGREES:
        return next(kid for kid in kids[top] if tree.deps[kid] in _OBJECTS), top
    above = top if tree.lemmas[tree.heads[top]] in _NO_DEGREES else tree.heads[top]
    words = (tree.heads[top], *kids[above])
    return top, next((i for i in words if tree.lemmas[i] in _NO_DEGREES), top)
