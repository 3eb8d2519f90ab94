"""Rows of an explanation, which add up to the score, with conflicts and a verdict.

>>> from compsim.explanation import Explanation, RoleRow
>>> from compsim.graph import Node
>>> row = RoleRow("Verb", Node("sleep", (5, 10)), Node("doze", (5, 9)), 0.5, 3.0, 0.5)
>>> result = Explanation("verbnet-cn", ("Cats sleep", "Cats doze"), (row,), divisor=3.0)
>>> result.score, result.verdict
(0.5, 'Related: the first says "sleep", the second "doze".')
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from compsim.explanation.json_text import json_text
from compsim.graph import Node

if TYPE_CHECKING:
    from rich.console import RenderableType

    from compsim.explanation.word_matrix import WordMatrix

__all__ = ["Conflict", "Explanation", "RoleRow"]

#: What rows and a score may differ by, summed in another order or in float32.
_ROUNDING: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Conflict:
    """One thing that the second sentence says otherwise than the first.

    Attributes:
        sentence: What it is, in one plain sentence without a full stop.
        first: The concepts of the first sentence that it is about.
        second: Those of the second.
        strength: How sure it is, up to 1.
        detail: What each sentence says, empty where ``sentence`` tells it.

    Examples:
        >>> Conflict('"Rome" in the first sentence, "Paris" in the second', (), (), 0.9).reason
        '"Rome" in the first sentence, "Paris" in the second'
    """

    sentence: str
    first: tuple[Node, ...]
    second: tuple[Node, ...]
    strength: float
    detail: str = ""

    @property
    def reason(self) -> str:
        """The sentence and the detail."""
        return f"{self.sentence}: {self.detail}" if self.detail else self.sentence


@dataclass(frozen=True, slots=True)
class RoleRow:
    """One part of a score: a role, an aligned pair of concepts, or the conflicts of a type.

    Attributes:
        role: Its name; both names where unlike roles were aligned (``"Theme~Patient"``).
        first: The phrase in the first sentence, None where it has none.
        second: The phrase in the second.
        cosine: How alike the two are; None where only one sentence has the role.
        weight: How much the role counts.
        contribution: What it adds to the score; 0 where only one sentence has the role.
        reason: What decides the cosine where that is not the vectors of their words (``"same
            lemma"``, ``"2, 3: by value"``, ``"Zorblat: no vector, by spelling"``).
        conflicts: What is told of a row that is a type of conflict (``"conflict: roles"``), the
            strongest first; empty for all others.

    Examples:
        >>> row = RoleRow("Verb", Node("sleep"), Node("doze"), 0.5, 3.0, contribution=0.5)
        >>> row.first.label, row.contribution
        ('sleep', 0.5)
    """

    role: str
    first: Node | None
    second: Node | None
    cosine: float | None
    weight: float
    contribution: float
    reason: str = ""
    conflicts: tuple[Conflict, ...] = ()

    @classmethod
    def whole(cls, texts: Sequence[str], score: float) -> RoleRow:
        """The one row of a score that has no parts.

        Args:
            texts: The two sentences.
            score: Their score.

        Returns:
            A row called "whole sentence".
        """
        first, second = (Node(text, (0, len(text))) for text in texts)
        return cls("whole sentence", first, second, score, 1.0, score)


@dataclass(frozen=True, repr=False)
class Explanation:
    """The rows of a comparison; their contributions sum to ``score``, but for a last bit.

    Attributes:
        method: The name of the method.
        sentences: The two sentences.
        rows: What adds up to the score.
        divisor: N, what the weighted cosines were divided by.
        normalize: How N was chosen.
        vectors: The name of the word vectors.
        parser: The name of the parser.
        statuses: How each sentence parsed.
        note: One sentence on how the score came about where it is not the plain sum over roles.
        undefined: Set where the score is NaN by choice (``on_failure="nan"``).
        figure: Draws a picture for the HTML, an ``<svg>`` element that goes in as it is.
        words: What each pair of words adds where a score is a sum over them, else None.
        given: What the method scores (see ``with_score``).

    Examples:
        >>> row = RoleRow("Verb", Node("sleep", (5, 10)), Node("doze", (5, 9)), 0.5, 3.0, 0.5)
        >>> Explanation("verbnet-cn", ("Cats sleep", "Cats doze"), (row,), divisor=3.0).score
        0.5
    """

    method: str
    sentences: tuple[str, str]
    rows: tuple[RoleRow, ...] = ()
    divisor: float = 1.0
    normalize: str = ""
    vectors: str = ""
    parser: str = ""
    statuses: tuple[str, str] = ("ok", "ok")
    note: str = ""
    undefined: bool = False
    figure: Callable[[], str] | None = field(default=None, compare=False, repr=False)
    words: WordMatrix | None = None
    given: float | None = field(default=None, repr=False)

    @property
    def score(self) -> float:
        """The score as the method gives it, else the sum of the contributions."""
        if self.undefined:
            return math.nan
        total = float(sum(row.contribution for row in self.rows))
        return total if self.given is None else self.given

    def with_score(self, score: float) -> Explanation:
        """The same with the score that the method gives, to the last bit.

        What rounding has left between the rows and the score goes to the last row. What differs by
        more than rounding is left as it is.

        Args:
            score: What the method gives.

        Returns:
            An explanation with that score.
        """
        if not self.rows or not abs(score - self.score) <= _ROUNDING:
            return self
        *kept, last = self.rows
        rest = score - sum(row.contribution for row in kept)
        return replace(self, rows=(*kept, replace(last, contribution=rest)), given=score)

    @property
    def verdict(self) -> str:
        """One plain sentence: how alike the two are, and what matters most."""
        from compsim.explanation.verdict import verdict

        return verdict(self)

    @property
    def level(self) -> str:
        """The score in words, from ``"far apart"`` to ``"the same"``; empty for NaN."""
        from compsim.explanation.verdict import level

        return level(self.score)

    @property
    def agreements(self) -> tuple[RoleRow, ...]:
        """The rows that compare a phrase of each sentence."""
        return tuple(row for row in self.rows if row.first and row.second and not row.conflicts)

    @property
    def gaps(self) -> tuple[RoleRow, ...]:
        """The rows of what one sentence alone has, the heaviest first."""
        rows = [row for row in self.rows if (row.first is None) != (row.second is None)]
        return tuple(sorted(rows, key=lambda row: -abs(row.weight)))

    @property
    def conflicts(self) -> tuple[RoleRow, ...]:
        """The rows of what is said against each other, the costliest first."""
        rows = [row for row in self.rows if row.conflicts]
        return tuple(sorted(rows, key=lambda row: row.contribution))

    def __iter__(self) -> Iterator[RoleRow]:
        return iter(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain dicts, lists, strings and numbers.

        Returns:
            A NaN score is None. ``roles`` has all rows, ``conflicts`` and ``gaps`` what the
            sentences say against each other and what one says alone. ``words`` is None, or has the
            words of either sentence and ``values``, a row for each of the first.
        """
        return {
            "method": self.method,
            "verdict": self.verdict,
            "score": None if self.undefined else self.score,
            "level": self.level,
            "sentences": list(self.sentences),
            "statuses": [str(status) for status in self.statuses],
            "normalize": self.normalize,
            "divisor": self.divisor,
            "vectors": self.vectors,
            "parser": self.parser,
            "note": self.note,
            "roles": [
                {
                    "role": row.role,
                    "first": row.first and _plain(row.first),
                    "second": row.second and _plain(row.second),
                    "cosine": row.cosine,
                    "weight": row.weight,
                    "contribution": row.contribution,
                    "reason": row.reason,
                }
                for row in self.rows
            ],
            "conflicts": [
                {
                    "type": row.role.removeprefix("conflict: "),
                    "cost": -row.contribution,
                    "reasons": [
                        {
                            "reason": one.reason,
                            "strength": one.strength,
                            "first": list(map(_plain, one.first)),
                            "second": list(map(_plain, one.second)),
                        }
                        for one in row.conflicts
                    ],
                }
                for row in self.conflicts
            ],
            "gaps": [
                {"sentence": 1 if row.first else 2, "role": row.role, **_plain(node)}
                for row in self.gaps
                if (node := row.first or row.second)
            ],
            "words": None if self.words is None else self.words.to_dict(),
        }

    def to_json(self, indent: int | None = None) -> str:
        """The explanation as JSON text.

        Args:
            indent: How many spaces a level is indented by; None for one line.

        Returns:
            The text.
        """
        return json_text(self.to_dict(), indent)

    def details(self) -> str:
        """One line on what the score rests on.

        Returns:
            Vectors, parser, normalisation and parse status, as far as there are any.
        """
        divisor = f"{round(self.divisor, 3):g}"
        parts = [
            f"vectors {self.vectors}" if self.vectors else "",
            f"parser {self.parser}" if self.parser else "",
            f"normalize {self.normalize} (N = {divisor})" if self.normalize else "",
        ]
        if any(status != "ok" for status in self.statuses):
            parts.append(f"parses {self.statuses[0]}, {self.statuses[1]}")
        return ", ".join(part for part in parts if part)

    def __repr__(self) -> str:
        parts = (f"{row.role} {row.contribution:.4f}" for row in self.rows if row.contribution)
        return f"Explanation({self.method!r}, {', '.join([f'{self.score:.4f}', *parts])})"

    def __str__(self) -> str:
        from compsim.explanation.text import text

        return text(self)

    def __rich__(self) -> RenderableType:
        from compsim.explanation.text import renderable

        return renderable(self)

    def _repr_html_(self) -> str:
        from compsim.explanation.html import fragment

        return fragment(self)

    def to_html(self) -> str:
        """A small page that stands alone: no scripts, no external files, light and dark.

        Returns:
            The page.
        """
        from compsim.explanation.html import page

        return page(self)


def _plain(node: Node) -> dict[str, Any]:
    return {
        "phrase": node.label,
        "span": None if node.span is None else list(node.span),
        "parts": [list(part) for part in node.parts],
    }
