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
    found = []
    for frame in frames:
        taken = {i for argument in frame.arguments for i in (argument.head, *argument.more)}
        more = list(_overlooked(tree, kids, frame.predicate, taken))
        if more:
            frame = frame._replace(arguments=tuple(sorted((*frame.arguments, *more))))
        found.append(frame)
    return found


def _overlooked(
    tree: Tree, kids: Sequence[Sequence[int]], verb: int, taken: set[int]
) -> Iterator[Argument]:
    for kid in kids[verb]:
        if kid in taken:
            continue
        dep, lemma = tree.deps[kid], tree.lemmas[kid]
        if dep == "advmod" and kid < verb and lemma in _ASKING and not kids[kid]:
            if tree.deps[verb] == "ROOT":
                yield Argument(kid, _ASKING[lemma], dep)
        elif dep == "prep" and lemma in _PATHS and any(below > kid for below in kids[kid]):
            yield Argument(kid, "ARGM-DIR", dep)
