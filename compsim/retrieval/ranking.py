"""Explanation of a document's score: its sentences, the deciding ones, their shared parts.

>>> from compsim import Reranker
>>> reranker = Reranker("verbnet-cn", vectors="builtin")
>>> why = reranker.explain("Who bit the man?", "It rained. The dog bit the man.")
>>> [(sentence.text, sentence.counts) for sentence in why.sentences]
[('It rained.', False), ('The dog bit the man.', True)]
>>> [row.role for row in why.best if row.contribution > 0.1]
['concept', 'concept', 'roles']
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from compsim.explanation.json_text import json_text

if TYPE_CHECKING:
    from compsim.explanation import Explanation

__all__ = ["Ranking", "SentenceScore"]


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """A sentence of a document.

    Attributes:
        text: Its words.
        span: Its characters ``[start, end)`` in the document.
        score: Its score with the query.
        counts: Whether the document's score is made of it.

    Examples:
        >>> from compsim import Reranker
        >>> reranker = Reranker("verbnet-cn", vectors="builtin")
        >>> why = reranker.explain("Who bit the man?", "It rained. The dog bit the man.")
        >>> why.sentences[1].text, why.sentences[1].span, why.sentences[1].counts
        ('The dog bit the man.', (11, 31), True)
    """

    text: str
    span: tuple[int, int]
    score: float
    counts: bool


@dataclass(frozen=True, repr=False)
class Ranking:
    """Explanation of a document's score for a query, the result of ``Reranker.explain``.

    Attributes:
        query: What was looked for.
        document: The text.
        score: The mean of the scores of the sentences that count, with ``combine="max"`` that of
            one, less ``penalty``.
        sentences: The sentences of the document, in order.
        best: What the highest of their scores is made of; None for a document without a word.
        excluded: The phrases that the query leaves out.
        penalty: What the document has of these.
        probability: That the document is relevant, where the reranker was fitted, else None.

    Examples:
        >>> from compsim import Reranker
        >>> reranker = Reranker("verbnet-cn", vectors="builtin")
        >>> why = reranker.explain("Who bit the man?", "The dog bit the man.")
        >>> round(why.score, 2) == round(why.best.score, 2)
        True
    """

    query: str
    document: str
    score: float
    sentences: tuple[SentenceScore, ...]
    best: Explanation | None
    excluded: tuple[str, ...] = ()
    penalty: float = 0.0
    probability: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON types.

        Returns:
            Query, score, probability, sentences, exclusions, and the explanation as
            ``Explanation.to_dict`` has it.
        """
        return {
            "query": self.query,
            "score": self.score,
            "probability": self.probability,
            "sentences": [
                {
                    "text": one.text,
                    "span": list(one.span),
                    "score": one.score,
                    "counts": one.counts,
                }
                for one in self.sentences
            ],
            "excluded": list(self.excluded),
            "penalty": self.penalty,
            "best": None if self.best is None else self.best.to_dict(),
        }

    def to_json(self, indent: int | None = None) -> str:
        """The same as JSON text.

        Args:
            indent: How many spaces a level is indented by; None for one line.

        Returns:
            The text.
        """
        return json_text(self.to_dict(), indent)

    def __repr__(self) -> str:
        return f"Ranking({self.score:.4f}, {len(self.sentences)} sentences)"

    def __str__(self) -> str:
        sure = "" if self.probability is None else f", probability {self.probability:.4f}"
        lines = [f"score {self.score:.4f}{sure}; * marks the sentences that count"]
        lines += [
            f"{'*' if one.counts else ' '} {one.score:7.4f}  {' '.join(one.text.split())}"
            for one in self.sentences
        ]
        if self.excluded:
            text = ", ".join(self.excluded)
            lines.append(f"  {-self.penalty:7.4f}  left out by the query: {text}")
        return "\n".join(lines + ([] if self.best is None else ["", str(self.best)]))
