"""Words that deny the event of a clause (Quirk et al. 1985, 10.54 to 10.60).

Adverbs do (*not*, *never*, *hardly ever*), and phrases with *no* before an inverted verb: *at no
time did he leave* denies the leaving, *in no time he left* does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.features.quantities import NEGATORS, Quantities, word_set
from compsim.parsers.roles.labeller import Argument, Frame

__all__ = ["denies", "marked", "negative_phrase"]

Kids = Sequence[Sequence[int]]

_DENYING: Final = NEGATORS | word_set("never hardly barely scarcely rarely seldom nowhere neither")
#: What makes "ever" mean "never".
_BEFORE_EVER: Final = word_set("hardly scarcely barely rarely seldom")
#: "not only" denies nothing, "not until he left" not the leaving.
_ONLY: Final = word_set("only just merely simply solely necessarily until")
_MARKED: Final = frozenset(("ever", "no"))
#: PropBank's label of a phrase that only denies.
_DENIAL: Final = "ARGM-NEG"


def denies(tree: Tree, quantities: Quantities, i: int, adverb: int) -> bool:
    """Whether an adverb that hangs on verb ``i`` denies its event."""
    word, dep = tree.lemmas[adverb], tree.deps[adverb]
    after = tree.lemmas[adverb + 1] if adverb + 1 < len(tree) else ""
    if word in _DENYING or (word == "no" and dep == "neg"):
        # After a full verb "not" denies a phrase: "came not by train but by bus".
        late = word == "not" and adverb > i and tree.lemmas[i] != "be"
        return not late and after not in _ONLY and not quantities.bound(adverb)
    if word == "long":
        return tree.lemmas[adverb - 1] == "no"
    return _hardly_ever(tree, adverb)


def negative_phrase(tree: Tree, kids: Kids, i: int, preposition: int) -> bool:
    """Whether a phrase before verb ``i`` denies it: it says "no", and the verb is inverted."""
    inner = next((kid for kid in kids[preposition] if tree.deps[kid] == "pobj"), -1)
    if inner < 0 or not any(tree.lemmas[kid] == "no" for kid in kids[inner]):
        return False
    later = [kid for kid in kids[i] if kid > preposition]
    auxiliary = next((kid for kid in later if tree.deps[kid] in ("aux", "auxpass")), -1)
    subject = next((kid for kid in later if tree.deps[kid] in ("nsubj", "nsubjpass")), -1)
    return 0 <= auxiliary < subject


def marked(tree: Tree, kids: Kids, frames: list[Frame]) -> list[Frame]:
    """The frames, with phrases that only deny as marks of denial, which are not compared."""
    if _MARKED.isdisjoint(tree.lemmas):
        return frames
    return [_marked(tree, kids, frame) for frame in frames]


def _marked(tree: Tree, kids: Kids, frame: Frame) -> Frame:
    def read(argument: Argument) -> Argument:
        at, i = argument.head, frame.predicate
        if tree.deps[at] == "prep":
            only = tree.heads[at] == i and negative_phrase(tree, kids, i, at)
        else:
            only = tree.deps[at] == "advmod" and _hardly_ever(tree, at)
        return argument._replace(label=_DENIAL) if only else argument

    return frame._replace(arguments=tuple(map(read, frame.arguments)))


def _hardly_ever(tree: Tree, adverb: int) -> bool:
    return tree.lemmas[adverb] == "ever" and tree.lemmas[adverb - 1] in _BEFORE_EVER
