"""A score as steps from 0: what each kind of row adds, what each type of conflict takes off.

The figures are rounded where a step begins and ends, so that they add up to the rounded score.

>>> from compsim.explanation import Explanation, RoleRow
>>> rows = [RoleRow(role, None, None, None, 1.0, part) for role, part in (("a", 0.204), ("b", 0.3))]
>>> for step in steps(Explanation("verbnet-cn", ("", ""), tuple(rows))):
...     print(step.figure, step.name, step.start, step.end)
0.20 a 0.0 0.204
0.30 b 0.204 0.504
0.50 score 0.0 0.504
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from compsim.explanation.plain_names import LIMIT, plain_name

if TYPE_CHECKING:
    from compsim.explanation.rows import Conflict, Explanation

__all__ = ["Step", "steps"]

#: Steps that a reader can take in; the smallest of more are one.
_MOST: Final = 8


class Step(NamedTuple):
    """A bar of the waterfall from ``start`` to ``end``, and the conflicts that it stands for."""

    name: str
    start: float
    end: float
    conflicts: tuple[Conflict, ...] = ()
    total: bool = False

    @property
    def figure(self) -> str:
        """Contribution of the row, with two decimals."""
        return f"{round(self.end, 2) - round(self.start, 2) + 0.0:.2f}"


def steps(explanation: Explanation) -> list[Step]:
    """Return the steps of a score, conflicts last, then the score; none for NaN."""
    if not math.isfinite(explanation.score):
        return []
    sums: dict[str, float] = {}
    results: dict[str, tuple[Conflict, ...]] = {}
    others = [row for row in explanation.rows if not row.conflicts]
    last = [row for row in others if row.role == LIMIT]
    for row in (*(row for row in others if row not in last), *explanation.conflicts, *last):
        sums[row.role] = sums.get(row.role, 0.0) + row.contribution
        results[row.role] = row.conflicts
    sums = {role: part for role, part in sums.items() if part or results[role]}
    small = sorted((role for role in sums if not results[role]), key=lambda role: -abs(sums[role]))
    rest = small[_MOST - 1 :] if len(small) > _MOST else []
    parts = [(plain_name(role), sums[role], results[role]) for role in sums if role not in rest]
    if rest:
        parts.insert(_MOST - 1, ("all else", math.fsum(sums[role] for role in rest), ()))
    result, start = [], 0.0
    for place, (name, part, conflicts) in enumerate(parts, 1):
        # The rows sum to the score but for a last bit.
        end = explanation.score if place == len(parts) else start + part
        result.append(Step(name, start, end, conflicts))
        start = end
    return [*result, Step("score", 0.0, explanation.score, total=True)]
