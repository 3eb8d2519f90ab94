"""What the labeller leaves out although it hangs on the verb itself and can be one thing only.

A question's adverb asks for a circumstance (*where does the bank open?*), a phrase with a
preposition of path tells one (*ran out of the house*; Quirk et al. 1985, 9.15 to 9.31)::

    frames = completed(tree, tree.children(), frames)
    frames[0].arguments       # ..., Argument(head=3, label="ARGM-DIR", relation="prep")
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.features.quantities import word_set
from compsim.parsers.roles.labeller import Argument, Frame

__all__ = ["completed"]

_ASKING: Final = {
    "where": "ARGM-LOC",
    "when": "ARGM-TMP",
    "how": "ARGM-MNR",
    "why": "ARGM-CAU",
}
_PATHS: Final = word_set("into onto out off toward towards through across along past up down over")


def completed(tree: Tree, kids: Sequence[Sequence[int]], frames: list[Frame]) -> list[Frame]:
    """The frames with what was overlooked."""
    return [_completed(tree, kids, frame) for frame in frames]


def _completed(tree: Tree, kids: Sequence[Sequence[int]], frame: Frame) -> Frame:
    sure = list(_sure(tree, kids, frame.predicate))
    if not sure:  # as of most frames
        return frame
    taken = {i for argument in frame.arguments for i in (argument.head, *argument.more)}
    more = [argument for argument in sure if argument.head not in taken]
    return frame._replace(arguments=tuple(sorted((*frame.arguments, *more))))


def _sure(tree: Tree, kids: Sequence[Sequence[int]], verb: int) -> Iterator[Argument]:
    """What hangs on a verb and can be one thing only."""
    deps, lemmas = tree.deps, tree.lemmas
    for kid in kids[verb]:
        dep = deps[kid]
        if dep == "prep":
            if lemmas[kid] in _PATHS and any(below > kid for below in kids[kid]):
                yield Argument(kid, "ARGM-DIR", dep)
        elif dep == "advmod" and lemmas[kid] in _ASKING and _opens(tree, kids, kid, verb):
            yield Argument(kid, _ASKING[lemmas[kid]], dep)


def _opens(tree: Tree, kids: Sequence[Sequence[int]], adverb: int, verb: int) -> bool:
    """Whether an adverb by itself opens the question of a main clause."""
    return tree.deps[verb] == "ROOT" and adverb < verb and not kids[adverb]
