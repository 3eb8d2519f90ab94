"""What is the capital is what the capital is; what there is is somewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.labeller import Argument, Frame

__all__ = ["COPULA", "is_copula", "is_definite", "of_copula"]

#: Feature of the frames of "be", which say little by themselves.
COPULA = ("copula", "yes")
_DEFINITE = frozenset(["the", "this", "that", "these", "those", "my", "your", "his", "her", "its"])
_DEFINITE |= {"our", "their", "whose"}

Kids = Sequence[Sequence[int]]


def is_copula(tree: Tree, frame: Frame) -> bool:
    """Whether a frame is that of *be*, used as a verb."""
    return tree.lemmas[frame.predicate] == "be" and "lemma" not in dict(frame.features)


def of_copula(tree: Tree, kids: Kids, frame: Frame) -> Iterator[Frame]:
    """The frame of *be* with its two sides exchanged, or of what there is."""
    at = frame.predicate
    by_dep = {tree.deps[kid]: kid for kid in reversed(kids[at])}
    own = {argument.head: argument for argument in frame.arguments}
    if "expl" in by_dep:
        noun = by_dep.get("attr", by_dep.get("dobj"))
        if noun is None or tree.word(by_dep["expl"]).lower() != "there":
            return
        places = [kid for top in (at, noun) for kid in kids[top] if tree.deps[kid] == "prep"]
        places = [kid for kid in places if kid > noun and tree.lemmas[kid] != "of"]
        rest = tuple(a for a in frame.arguments if a.head not in (noun, *places))
        arguments = (*rest, Argument(noun, "ARG1", "nsubj"))
        if places:
            arguments += (Argument(places[0], "ARG2", "prep", tuple(places[1:])),)
        yield frame._replace(sense="be.01", arguments=tuple(sorted(arguments)))
        return
    subject, told = own.get(by_dep.get("nsubj", -1)), own.get(by_dep.get("attr", -1))
    if subject is None or told is None:
        return
    if is_definite(tree, kids, subject.head) and is_definite(tree, kids, told.head):
        swapped = {
            subject: told._replace(label=subject.label, relation="nsubj"),
            told: subject._replace(label=told.label, relation=told.relation),
        }
        yield frame._replace(arguments=tuple(swapped.get(a, a) for a in frame.arguments))


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
