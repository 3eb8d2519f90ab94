"""What is the capital is what the capital is; what there is is somewhere.

A definite phrase after *be* names what the subject is told to be, and may stand before it
(Huddleston and Pullum 2002, chapter 4: "a retired nurse is her landlady"). What has something in or
on it is a place of it ("the coat has a hole in it"), and so is a thing that has something.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.features.nouns import Nouns
from compsim.parsers.roles.labeller import Argument, Frame

__all__ = [
    "COPULA",
    "OWNING",
    "existential",
    "is_copula",
    "is_definite",
    "of_copula",
    "of_possession",
]

#: Feature of the frames of "be", which say little by themselves.
COPULA = ("copula", "yes")
#: Verbs that say who or what has something, or lacks it.
OWNING = frozenset(["have", "lack"])
_HAVE = "have.03"
#: Prepositions of places, and pronouns that stand for the owner.
_WITHIN = frozenset(["in", "on", "inside", "around", "within", "under", "at"])
_ITS_OWN = frozenset(["it", "them"])
_ARTICLES = frozenset(["a", "an", "another"])
_DEFINITE = frozenset(["the", "this", "that", "these", "those", "my", "your", "his", "her", "its"])
_DEFINITE |= {"our", "their", "whose"}

Kids = Sequence[Sequence[int]]


def is_copula(tree: Tree, frame: Frame) -> bool:
    """Whether a frame is that of *be*, used as a verb."""
    return tree.lemmas[frame.predicate] == "be" and "lemma" not in dict(frame.features)


def of_copula(tree: Tree, kids: Kids, frame: Frame) -> Iterator[Frame]:
    """The frame of *be* with its two sides exchanged."""
    by_dep = {tree.deps[kid]: kid for kid in reversed(kids[frame.predicate])}
    own = {argument.head: argument for argument in frame.arguments}
    if "expl" in by_dep:
        return
    subject, told = own.get(by_dep.get("nsubj", -1)), own.get(by_dep.get("attr", -1))
    if subject is None or told is None:
        return
    if is_definite(tree, kids, told.head) and _is_one(tree, kids, subject.head):
        swapped = {
            subject: told._replace(label=subject.label, relation="nsubj"),
            told: subject._replace(label=told.label, relation=told.relation),
        }
        yield frame._replace(arguments=tuple(swapped.get(a, a) for a in frame.arguments))


def existential(tree: Tree, kids: Kids, frame: Frame) -> Frame:
    """The frame of *there is*, with what there is as the subject and the place as its attribute."""
    at = frame.predicate
    by_dep = {tree.deps[kid]: kid for kid in reversed(kids[at])}
    noun = by_dep.get("attr", by_dep.get("dobj"))
    if noun is None or "expl" not in by_dep or tree.word(by_dep["expl"]).lower() != "there":
        return frame
    places = [kid for top in (at, noun) for kid in kids[top] if tree.deps[kid] == "prep"]
    places = [kid for kid in places if kid > noun and tree.lemmas[kid] != "of"]
    rest = tuple(a for a in frame.arguments if a.head not in (noun, *places))
    arguments = (*rest, Argument(noun, "ARG1", "nsubj"))
    if places:
        arguments += (Argument(places[0], "ARG2", "prep", tuple(places[1:])),)
    return frame._replace(sense="be.01", arguments=tuple(sorted(arguments)))


def of_possession(tree: Tree, kids: Kids, frame: Frame) -> Iterator[Frame]:
    """What there is on its owner, which is a place: a thing, or told by a pronoun to be one.

    What lacks something has it not.
    """
    by_dep = {tree.deps[kid]: kid for kid in reversed(kids[frame.predicate])}
    owner, thing = by_dep.get("nsubj"), by_dep.get("dobj")
    if owner is None or thing is None:
        return
    denied: tuple[tuple[str, str], ...] = ()
    if tree.lemmas[frame.predicate] != "have":
        denied = (("polarity", "+" if "neg" in by_dep else "-"),)
        yield frame._replace(sense=_HAVE, features=(("lemma", "have"), *denied))
    place = next(_places(tree, kids, frame.predicate, thing), None)
    if place is not None or _is_place(tree, owner):
        rest = [a for a in frame.arguments if a.head not in (owner, thing, place)]
        told = [*rest, Argument(thing, "ARG1", "nsubj"), Argument(owner, "ARG2", "prep")]
        if place is not None:  # the pronoun is in no role of its own
            told.append(Argument(place, "ARGM-DIS", "prep"))
        features = (COPULA, ("lemma", "be"), *denied)
        yield Frame(frame.predicate, "be.01", tuple(sorted(told)), False, features)


def _places(tree: Tree, kids: Kids, verb: int, thing: int) -> Iterator[int]:
    """Phrases with a pronoun that stands for the owner: "in it"."""
    for place in (*kids[verb], *kids[thing]):
        if tree.deps[place] == "prep" and tree.lemmas[place] in _WITHIN:
            within = (kid for kid in kids[place] if tree.deps[kid] == "pobj")
            if any(tree.word(kid).lower() in _ITS_OWN for kid in within):
                yield place


def _is_place(tree: Tree, noun: int) -> bool:
    """Whether a noun names nobody, so that what it has is in or on it: "the house has a cellar"."""
    nouns, lemma = Nouns.shipped(), tree.lemmas[noun]
    people = nouns.lives(lemma) or (lemma in nouns.group and lemma not in nouns.site)
    return tree.tags[noun] in ("NN", "NNS") and not people


def _is_one(tree: Tree, kids: Kids, noun: int) -> bool:
    """Whether a phrase names one thing, known or not."""
    one = any(tree.deps[kid] == "det" and tree.lemmas[kid] in _ARTICLES for kid in kids[noun])
    return one or is_definite(tree, kids, noun)


def is_definite(tree: Tree, kids: Kids, noun: int) -> bool:
    """Whether a phrase names something that there is one of."""
    if tree.tags[noun] in ("NNP", "NNPS", "PRP"):
        return True
    if tree.tags[noun] not in ("NN", "NNS"):
        return False
    return any(
        tree.deps[kid] == "poss" or (tree.deps[kid] == "det" and tree.lemmas[kid] in _DEFINITE)
        for kid in kids[noun]
    )
