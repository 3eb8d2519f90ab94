"""Comparison of two ranked documents: the parts of the difference of their scores.

>>> from compsim import Reranker
>>> reranker = Reranker("hybrid", vectors="builtin")
>>> why = reranker.compare("Ada sued a bank.", "Ada sued the bank.", "The bank sued Ada.")
>>> print(why.verdict)
A is above B by 0.63: B contradicts the query (who does what to whom).
>>> abs(sum(part.difference for part in why.parts) - why.difference) < 1e-6
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from compsim.explanation.json_text import json_text
from compsim.explanation.plain_names import CONCEPT, WHOLES, plain_name

if TYPE_CHECKING:
    from compsim.explanation import RoleRow
    from compsim.retrieval.ranking import Ranking

__all__ = ["Contrast", "ContrastPart", "parts_of"]

Kind = Literal["agreement", "conflict", "whole", "exclusion", "sentences", "empty"]

#: What a part must make of the difference to be told in the verdict, as a share of the largest.
_TOLD: Final = 0.5
#: Parts on one side that a verdict names.
_NAMED: Final = 2
#: Below this two scores are the same to a reader.
_EQUAL: Final = 5e-5


@dataclass(frozen=True, slots=True)
class ContrastPart:
    """One thing that adds to the score of two documents, and how much to each.

    Attributes:
        kind: ``"agreement"``: a phrase of the query and what answers to it; ``"conflict"``: what a
            document says against the query; ``"whole"``: sentences, or roles, as a whole;
            ``"exclusion"``: what the query leaves out; ``"sentences"``: how much further sentences
            lower the mean, where more than the best one count; ``"empty"``: all else, where a
            document has nothing to compare.
        name: The phrase of the query, else the name of the part in plain words.
        first: What the first document has there: a phrase, or a reason; empty for nothing.
        second: What the second has.
        in_first: What it adds to the score of the first document.
        in_second: What it adds to that of the second.

    Examples:
        >>> part = ContrastPart("agreement", "2019", "2019", "", 0.14, 0.0)
        >>> part.difference, part.sentence
        (0.14, 'only A has "2019"')
    """

    kind: Kind
    name: str
    first: str
    second: str
    in_first: float
    in_second: float

    @property
    def difference(self) -> float:
        """Contribution to the difference of the scores: above 0, it speaks for the first."""
        return self.in_first - self.in_second

    @property
    def sentence(self) -> str:
        """The same in a few words, without a full stop."""
        if abs(self.difference) < _EQUAL:
            return f"{self.name}: the same in both"
        ahead, behind = ("A", "B") if self.difference >= 0 else ("B", "A")
        has, lacks = (self.first, self.second)[:: 1 if ahead == "A" else -1]
        if self.kind == "conflict":
            more = "more strongly " if has else ""
            return f"{behind} contradicts the query {more}({self.name})"
        if self.kind == "exclusion":
            return f"{behind} has more of what the query leaves out ({self.name})"
        if self.kind == "sentences":
            more = " more" if (self.in_second if ahead == "B" else self.in_first) else ""
            return f"the other sentences of {behind} lower its score{more}"
        if self.kind == "empty":
            return f"{behind} has nothing to compare"
        if self.kind == "whole":
            return f"{self.name} are nearer in {ahead}"
        if not lacks:
            return f'only {ahead} has "{self.name}"'
        if has.lower() == lacks.lower():
            return f'"{self.name}" weighs more in {ahead}, which has less other content'
        return f'"{has}" in {ahead} is nearer to "{self.name}" than "{lacks}" in {behind}'


@dataclass(frozen=True, repr=False)
class Contrast:
    """Comparison of two documents for a query, the result of ``Reranker.compare``.

    Attributes:
        query: What was looked for.
        first: Why the first document, A, has its score.
        second: Why the second, B, has its.
        parts: What adds up to the difference of the scores, the largest first.

    Examples:
        >>> from compsim import Reranker
        >>> reranker = Reranker("verbnet-cn", vectors="builtin")
        >>> why = reranker.compare("Dogs bark.", "A cat barks.", "A dog barked.")
        >>> why.difference < 0, why.parts[0].sentence
        (True, '"dog" in B is nearer to "Dogs" than "cat" in A')
    """

    query: str
    first: Ranking
    second: Ranking
    parts: tuple[ContrastPart, ...]

    @property
    def difference(self) -> float:
        """The score of the first document less that of the second."""
        return self.first.score - self.second.score

    @property
    def verdict(self) -> str:
        """One plain sentence: which document is above, by how much, and mostly for what.

        Probabilities of relevance are told where the reranker was fitted.
        """
        if abs(self.difference) < _EQUAL:
            sure = _sure(self.first.probability)
            return f"A and B have the same score{sure}."
        ahead, behind = ("A", "B") if self.difference > 0 else ("B", "A")
        sign = 1.0 if self.difference > 0 else -1.0
        pro = [part for part in self.parts if sign * part.difference > 0]
        contra = [part for part in self.parts if sign * part.difference < 0]
        least = _TOLD * abs(pro[0].difference) if pro else 0.0
        sentences = [part.sentence for part in pro[:_NAMED] if abs(part.difference) >= least]
        rankings = (self.first, self.second) if ahead == "A" else (self.second, self.first)
        sure = _sure(*(ranking.probability for ranking in rankings))
        text = (
            f"{ahead} is above {behind} by {abs(self.difference):.2f}{sure}: {'; '.join(sentences)}"
        )
        if contra and abs(contra[0].difference) >= least:
            text += f"; though {contra[0].sentence}"
        return f"{text}."

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON types.

        Returns:
            Query, verdict, difference, the parts, and each document as ``Ranking.to_dict`` has it.
        """
        return {
            "query": self.query,
            "verdict": self.verdict,
            "difference": self.difference,
            "parts": [
                {
                    "kind": part.kind,
                    "name": part.name,
                    "sentence": part.sentence,
                    "first": part.first,
                    "second": part.second,
                    "in_first": part.in_first,
                    "in_second": part.in_second,
                    "difference": part.difference,
                }
                for part in self.parts
            ],
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
        }

    def to_json(self, indent: int | None = None) -> str:
        """The same as JSON text.

        Args:
            indent: How many spaces a level is indented by; None for one line.

        Returns:
            The text.
        """
        return json_text(self.to_dict(), indent)

    def to_html(self) -> str:
        """A small page that stands alone: no scripts, no external files, light and dark.

        Returns:
            The page.
        """
        from compsim.retrieval.contrast_html import page

        return page(self)

    def _repr_html_(self) -> str:
        from compsim.retrieval.contrast_html import fragment

        return fragment(self)

    def __repr__(self) -> str:
        return f"Contrast({self.difference:+.4f}, {len(self.parts)} parts)"

    def __str__(self) -> str:
        from compsim.retrieval.contrast_text import text

        return text(self)


def parts_of(first: Ranking, second: Ranking) -> tuple[ContrastPart, ...]:
    """Return what makes the difference of two documents' scores, the largest first.

    Args:
        first: Why a document has its score.
        second: Why another one has its, for the same query.

    Returns:
        Parts whose differences sum to that of the scores, but for a last bit.
    """
    result: dict[tuple[Kind, Any], _Sides] = {}
    empty = first.best is None or second.best is None
    for side, ranking in enumerate((first, second)):
        if ranking.penalty:
            name = ", ".join(ranking.excluded)
            result.setdefault(("exclusion", ""), _Sides(name)).add(side, -ranking.penalty, name)
        own = ranking.score + ranking.penalty
        if empty or ranking.best is None:
            result.setdefault(("empty", ""), _Sides("what can be compared")).add(side, own, "")
            continue
        for row in ranking.best.rows:
            kind, key, name, phrase = _about(row)
            result.setdefault((kind, key), _Sides(name)).add(side, row.contribution, phrase)
        if sum(one.counts for one in ranking.sentences) > 1:
            rest = own - ranking.best.score
            result.setdefault(("sentences", ""), _Sides("other sentences")).add(side, rest, "")
    parts = [sides.part(kind) for (kind, _), sides in result.items() if any(sides.adds)]
    return tuple(sorted(parts, key=lambda part: -abs(part.difference)))


def _sure(*probabilities: float | None) -> str:
    """Probabilities in brackets, none where the reranker was not fitted."""
    known = [f"{one:.2f}" for one in probabilities if one is not None]
    return f" (probability {' against '.join(known)})" if known else ""


class _Sides:
    """Values of one part in both documents."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.adds = [0.0, 0.0]
        self.phrases: tuple[list[str], list[str]] = ([], [])

    def add(self, side: int, amount: float, phrase: str) -> None:
        self.adds[side] += amount
        if phrase and phrase not in self.phrases[side]:
            self.phrases[side].append(phrase)

    def part(self, kind: Kind) -> ContrastPart:
        first, second = (", ".join(phrases) for phrases in self.phrases)
        return ContrastPart(kind, self.name, first, second, *self.adds)


def _about(row: RoleRow) -> tuple[Kind, Any, str, str]:
    """The kind of a row's part, what tells it from others, its name, and the document's phrase."""
    if row.conflicts:
        reasons = "; ".join(one.reason for one in row.conflicts)
        return "conflict", row.role, plain_name(row.role), reasons
    if row.first is not None and row.role not in WHOLES:
        phrase = "" if row.second is None else row.second.label
        return "agreement", (row.first.label, row.first.span), row.first.label, phrase
    # What the document alone says adds nothing by itself.
    name = "its words" if row.role == CONCEPT else plain_name(row.role)
    return "whole", row.role, name, ""
