"""What explains a hybrid score: the explanation of its roles, weighed, and what is beside them.

The rows add up to the score: the whole sentences, each role's part, what roles of unrelated
sentences would add, what an exchange cost and what the same words with another meaning cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from compsim.explanation import Explanation, RoleRow

if TYPE_CHECKING:
    from compsim.graph import Node
    from compsim.hybrid.scheme import Parts

__all__ = ["explained"]

#: The place of rows that belong to no frame.
_NOWHERE: Final = -1


def explained(
    roles: Explanation,
    whole: float,
    parts: Parts | None = None,
    exchanged: Sequence[Node] = (),
) -> Explanation:
    """The explanation of the roles made that of the hybrid.

    ``whole`` is the cosine of the whole sentences; without ``parts``, where a sentence has no
    parse, the score is that. ``exchanged`` are the first sentence's two phrases that change places,
    and what the second has in the place of the first of them.
    """
    row = replace(RoleRow.whole(roles.sentences, whole), frame=_NOWHERE)
    if parts is None:
        who = roles.note.partition(", so the score is")[0]
        note = f"{who}, so the score is that of the whole sentences."
        return replace(roles, rows=(row,), divisor=1.0, normalize="", note=note, frames=())
    scale = parts.whole / whole if whole else 1.0
    rows = [replace(row, weight=scale, contribution=parts.whole)]
    rows.append(_alone("unrelated roles", parts.neutral, "what the roles of any two sentences add"))
    if parts.exchange:
        one, other, instead = exchanged
        reason = f'"{one.label}" and "{other.label}" change places'
        row = _alone("exchange", parts.exchange, reason)
        rows.append(replace(row, first=one, second=instead))
    if parts.difference:
        reason = "nearly the same words that say something else, as the roles below tell"
        rows.append(_alone("difference", parts.difference, reason))
    rows += [replace(each, contribution=parts.of_roles * each.contribution) for each in roles.rows]
    frames = tuple(replace(frame, share=parts.of_roles * frame.share) for frame in roles.frames)
    return replace(roles, rows=tuple(rows), divisor=1.0, normalize="", frames=frames)


def _alone(name: str, contribution: float, reason: str) -> RoleRow:
    return RoleRow(name, None, None, None, 1.0, contribution, _NOWHERE, reason)
