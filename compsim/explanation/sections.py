"""The rows of an explanation in the order they are read: by pair of frames, then what was left.

>>> from compsim.explanation import Explanation, FrameRow, RoleRow
>>> from compsim.graph import Node
>>> bit, left = Node("bit", (8, 11)), Node("left", (20, 24))
>>> pair = FrameRow(bit, Node("was bitten"), 1.0, 0.475, 0.5, ("negated in one",))
>>> row = RoleRow("Verb", bit, Node("was bitten"), 0.95, 3.0, 0.475)
>>> texts = ("The dog bit him and left.", "He was not bitten.")
>>> told = Explanation("verbnet-cn", texts, (row,), frames=(pair, FrameRow(left, None)))
>>> for section in sections(told):
...     print(section.title, section.figures, section.remark, len(section.rows), sep=" | ")
bit / was bitten | 0.47, counts 1.00 | negated in one (times 0.50) | 1
left | only in 1 |  | 0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from compsim.explanation.rows import Explanation, FrameRow, RoleRow
    from compsim.graph import Node

__all__ = ["Section", "named", "sections"]


class Section(NamedTuple):
    """A pair of frames, or one that was left, with its rows; ``frame`` None: rows of no frame."""

    frame: FrameRow | None
    rows: tuple[RoleRow, ...]

    @property
    def left_in(self) -> int | None:
        """The number of the sentence, 1 or 2, whose frame has no partner; None for a pair."""
        if self.frame is None or (self.frame.first is None) == (self.frame.second is None):
            return None
        return 1 if self.frame.second is None else 2

    @property
    def title(self) -> str:
        """The predicates; empty where the rows belong to no frame."""
        if self.frame is None:
            return ""
        nodes = (self.frame.first, self.frame.second)
        if self.left_in is not None:
            return named(nodes[self.left_in - 1])
        return " / ".join(map(named, nodes))

    @property
    def figures(self) -> str:
        """How alike the two frames are and what they count; of one that was left, where it is."""
        if self.frame is None:
            return ""
        if self.left_in is None:
            return f"{self.frame.score:.2f}, counts {self.frame.share:.2f}"
        # A frame that lowers the score by being there has a share of its own.
        counts = f", counts {self.frame.share:.2f}" if 0 < self.frame.share < 1 else ""
        return f"only in {self.left_in}{counts}"

    @property
    def remark(self) -> str:
        """What is noted of the pair, and the factor that comes of it."""
        if self.frame is None:
            return ""
        notes = "; ".join(self.frame.notes)
        if self.frame.factor == 1 or self.left_in is not None:
            return notes
        factor = f"times {self.frame.factor:.2f}"
        return f"{notes} ({factor})" if notes else factor


def sections(explanation: Explanation) -> list[Section]:
    """The frames with their rows, pairs first; rows of no frame come before all.

    One pair alone that has nothing to remark gets no title, since it would say the score again.
    """
    frames = explanation.frames
    rows: dict[int, list[RoleRow]] = {}
    for row in explanation.rows:
        place = row.frame if 0 <= row.frame < len(frames) else -1
        rows.setdefault(place, []).append(row)
    found = [Section(frame, tuple(rows.get(i, ()))) for i, frame in enumerate(frames)]
    found.sort(key=lambda section: section.left_in is not None)
    if -1 in rows or not found:
        found.insert(0, Section(None, tuple(rows.get(-1, ()))))
    if len(found) == 1 and not found[0].remark and found[0].left_in is None:
        found[0] = found[0]._replace(frame=None)
    return found


def named(node: Node | None) -> str:
    """A predicate's words; a frame may have none."""
    return "-" if node is None else node.label or "(no predicate)"
