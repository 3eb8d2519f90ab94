"""An explanation in one plain sentence, and a score in words.

>>> from compsim.explanation import Explanation, RoleRow
>>> from compsim.graph import Node
>>> row = RoleRow("concept", Node("ran"), Node("ran"), 1.0, 0.9, 0.9)
>>> quickly = RoleRow("concept", Node("quickly"), None, None, 0.1, 0.0)
>>> verdict(Explanation("verbnet-cn", ("She ran quickly.", "She ran."), (row, quickly)))
'Nearly the same: no conflicts; only the first says "quickly".'
>>> level(0.55), level(-0.2)
('related', 'far apart')
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from compsim.explanation.columns import clean, cut
from compsim.explanation.plain_names import CONCEPT, WHOLES

if TYPE_CHECKING:
    from compsim.explanation.rows import Explanation, RoleRow

__all__ = ["LEVELS", "UNLIKE", "level", "listed", "only_in", "quoted", "verdict"]

#: From which score on a word holds, by reading. `hybrid` best tells apart pairs of STSb's training
#: set that people rated above and below 4.5, 3.5, 1.5 and 0.5 of 5 at .75, .65, .55 and .35.
LEVELS: Final = (
    (0.9, "the same"),
    (0.75, "nearly the same"),
    (0.4, "related"),
    (0.2, "little in common"),
    (-math.inf, "far apart"),
)
#: What conflicts must cost together for the sentences to be called different: about half of the
#: step from one word to the next.
_DECISIVE: Final = 0.1
#: From here on nothing lowers the score.
_FULL: Final = 0.9995
#: Below this cosine two phrases are told as unlike.
UNLIKE: Final = 0.8
#: Phrases that are named at a time, and the columns that each may take.
_NAMED: Final = 2
_WIDTH: Final = 40


def level(score: float) -> str:
    """Return the word of the scale for a score, nothing for NaN."""
    return next((word for least, word in LEVELS if score >= least), "")


def verdict(explanation: Explanation) -> str:
    """Return how alike two sentences are, and the costliest conflict or what else differs."""
    if math.isnan(explanation.score):
        return "No score: at least one sentence could not be compared."
    conflicts = explanation.conflicts
    results = [conflicts[0].conflicts[0].sentence] if conflicts else _differences(explanation)
    word = explanation.level
    if -sum(row.contribution for row in conflicts) >= _DECISIVE:
        word = "different"
    elif results and word == LEVELS[0][1]:
        word = LEVELS[1][1]
    word = word[0].upper() + word[1:]
    if not conflicts and any(row.role == CONCEPT for row in explanation.rows):
        results.insert(0, "no conflicts")
    if results:
        return f"{word}: {'; '.join(results)}."
    whole = all(row.role in WHOLES for row in explanation.rows)
    return f"{word}, compared as a whole." if whole else f"{word}."


def _differences(explanation: Explanation) -> list[str]:
    """Return the rows that lower the score most, where no conflict does."""
    differences: list[str] = []
    if explanation.score >= _FULL:
        return differences
    gaps = explanation.gaps
    row = max(explanation.agreements, key=_loss, default=None)
    if row is not None and _loss(row) > max((abs(gap.weight) for gap in gaps), default=0.0):
        assert row.first
        assert row.second
        first, second = quoted(row.first.label), quoted(row.second.label)
        if first != second:
            differences.append(f"the first says {first}, the second {second}")
    for side in (0, 1):
        labels = [node.label for row in gaps if (node := (row.first, row.second)[side])]
        differences += [only_in(side, labels)] * bool(labels)
    return differences


def _loss(row: RoleRow) -> float:
    """Return the loss of score by an unlike pair of phrases, 0 for an alike pair."""
    cosine = 1.0 if row.cosine is None or row.role in WHOLES else row.cosine
    return abs(row.weight) * (1.0 - cosine) if cosine < UNLIKE else 0.0


def only_in(side: int, labels: Sequence[str]) -> str:
    """Return a sentence for what the first text (0) or the second (1) alone says.

    >>> only_in(1, ["quickly"])
    'only the second says "quickly"'
    """
    return f"only the {('first', 'second')[side]} says {listed(labels)}"


def listed(labels: Iterable[str]) -> str:
    """Return some labels, quoted, in one phrase.

    >>> listed(["a", "b"]), listed(["a", "b", "c"])
    ('"a" and "b"', '"a", "b" and more')
    """
    names = list(dict.fromkeys(map(quoted, labels)))
    if len(names) > _NAMED:
        return ", ".join(names[:_NAMED]) + " and more"
    return " and ".join(names)


def quoted(label: str) -> str:
    """Return a label in quotation marks, on one line, without its middle where it is long."""
    return f'"{cut(clean(label), _WIDTH)}"'
