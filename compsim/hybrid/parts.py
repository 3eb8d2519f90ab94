"""What explains a hybrid score: the explanation of its roles, weighed, and what is beside them.

The rows add up to the score: the whole sentences, each role's part, what both say in any roles,
less what unrelated sentences would have of these; what an exchange cost and what the same words
with another meaning cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from compsim.explanation import Explanation, RoleRow

if TYPE_CHECKING:
    from compsim.graph import Node
    from compsim.hybrid.scheme import Parts

__all__ = ["Moved", "explained"]

#: The place of rows that belong to no frame.
_NOWHERE: Final = -1


class Moved(NamedTuple):
    """A phrase of the first sentence, its like in the second, and the role of each."""

    first: Node
    second: Node
    roles: tuple[str, str]


def explained(
    roles: Explanation,
    whole: float,
    parts: Parts | None = None,
    moved: Sequence[Moved] = (),
) -> Explanation:
    """The explanation of the roles made that of the hybrid.

    ``whole`` is the cosine of the whole sentences; without ``parts``, where a sentence has no
    parse, the score is that. ``moved`` are the phrases that changed places.
    """
    row = replace(RoleRow.whole(roles.sentences, whole), frame=_NOWHERE)
    if parts is None:
        who = roles.note.partition(", so the score is")[0]
        note = f"{who}, so the score is that of the whole sentences."
        return replace(
            roles, rows=(row,), divisor=1.0, normalize="", note=note, frames=(), given=None
        )
    scale = parts.whole / whole if whole else 1.0
    rows = [replace(row, weight=scale, contribution=parts.whole)]
    rows.append(_alone("unrelated roles", parts.neutral, "what any two sentences have of both"))
    if parts.cover:
        rows.append(_alone("shared words", parts.cover, "what both say, in any roles"))
    if parts.exchange:
        row = _alone("exchange", parts.exchange, _places(moved))
        rows.append(replace(row, first=moved[0].first, second=moved[0].second))
    if parts.difference:
        reason = "nearly the same words that say something else, as the roles below tell"
        rows.append(_alone("difference", parts.difference, reason))
    rows += [replace(each, contribution=parts.of_roles * each.contribution) for each in roles.rows]
    frames = tuple(replace(frame, share=parts.of_roles * frame.share) for frame in roles.frames)
    return replace(roles, rows=tuple(rows), divisor=1.0, normalize="", frames=frames, given=None)


def _places(moved: Sequence[Moved]) -> str:
    """Which phrases changed places, in words."""
    told = []
    left = list(moved)
    while left:
        one = left.pop(0)
        other = next((each for each in left if each.roles == one.roles[::-1]), None)
        if other is None:
            here, there = one.roles
            told.append(f'"{one.first.label}" is {here} in one and {there} in the other')
        else:
            left.remove(other)
            told.append(f'"{one.first.label}" and "{other.first.label}" change places')
    return ", ".join(told)


def _alone(name: str, contribution: float, reason: str) -> RoleRow:
    return RoleRow(name, None, None, None, 1.0, contribution, _NOWHERE, reason)
