"""Question words as arguments of their own verb.

The labeller marks *who* in *the man who stole the car* as relative (``R-ARG0``), since it stands
for the man. In *who stole the car?* and *I wonder who stole the car* it stands for nobody yet, and
is the agent itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.labeller import Frame

__all__ = ["asked"]

_RELATIVE = "R-"
_ABOVE = frozenset(["conj", "xcomp", "ccomp", "advcl"])
#: As many clauses as a question word is ever away from its verb.
_MAX_CLIMB = 6
_WH_TAGS = frozenset(("WDT", "WP", "WP$", "WRB"))


def asked(tree: Tree, frames: Sequence[Frame]) -> list[Frame]:
    """The frames, with the relative words of no relative clause as plain arguments."""
    if _WH_TAGS.isdisjoint(tree.tags):
        return list(frames)
    return [_asked(tree, frame) for frame in frames]


def _asked(tree: Tree, frame: Frame) -> Frame:
    if not any(_is_open(tree, a.head, a.label, frame.predicate) for a in frame.arguments):
        return frame
    labels = {argument.label for argument in frame.arguments}
    arguments = tuple(
        argument._replace(label=plain)
        if (plain := argument.label.removeprefix(_RELATIVE)) not in labels
        else argument
        for argument in frame.arguments
    )
    return frame._replace(arguments=tuple(sorted(arguments)))


def _is_open(tree: Tree, word: int, label: str, verb: int) -> bool:
    """Whether a word that is marked as relative belongs to no relative clause."""
    if not label.startswith(_RELATIVE) or tree.tags[word][0] != "W" or word > verb:
        return False
    for _ in range(_MAX_CLIMB):
        if tree.deps[verb] not in _ABOVE or tree.heads[verb] < word:
            break
        verb = tree.heads[verb]
    return tree.deps[verb] in ("ROOT", "ccomp", "conj")
