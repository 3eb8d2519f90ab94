"""Comparison of two ranked documents as text.

>>> from compsim import Reranker
>>> reranker = Reranker("hybrid", vectors="builtin")
>>> print(reranker.compare("Who sued the bank?", "The town sued the bank.", "The bank sued it."))
A is above B by ...
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from compsim.explanation.columns import clean, cut, filled, wrapped

if TYPE_CHECKING:
    from compsim.retrieval.contrast import Contrast
    from compsim.retrieval.ranking import Ranking

__all__ = ["decisive", "scored", "text"]

_WIDTH: Final = 80
_NAME, _PHRASE = 26, 14


def text(contrast: Contrast) -> str:
    """The verdict, both documents with the sentences that count, and what each part adds."""
    return "\n".join(_lines(contrast))


def decisive(ranking: Ranking) -> list[str]:
    """The sentences of a document that count, each on one line.

    >>> from compsim import Reranker
    >>> why = Reranker("mean-cn", vectors="builtin").explain("Dogs bark.", "It rained. Dogs bark.")
    >>> decisive(why)
    ['Dogs bark.']
    """
    return [" ".join(clean(one.text).split()) for one in ranking.sentences if one.counts]


def scored(ranking: Ranking) -> str:
    """The score of a document, and the probability that it is relevant where that is known."""
    sure = "" if ranking.probability is None else f" (probability {ranking.probability:.4f})"
    return f"{ranking.score:.4f}{sure}"


def _lines(contrast: Contrast) -> Iterator[str]:
    yield from wrapped(clean(contrast.verdict), _WIDTH)
    yield from wrapped(f"query: {clean(contrast.query)}", _WIDTH, "  ")
    for name, ranking in (("A", contrast.first), ("B", contrast.second)):
        result = " / ".join(decisive(ranking)) or "(nothing to compare)"
        yield from wrapped(f"{name} {scored(ranking)}: {result}", _WIDTH, "  ")
    yield ""
    yield _row("what", "in A", "in B", "A", "B", "A - B")
    for part in contrast.parts:
        phrases = (part.first, part.second) if part.kind == "agreement" else ("", "")
        adds = (f"{number:.4f}" for number in (part.in_first, part.in_second))
        yield _row(part.name, *(each or "-" for each in phrases), *adds, _signed(part.difference))
        if part.kind == "conflict":
            for name, reason in (("A", part.first), ("B", part.second)):
                if reason:
                    result = f"{name}: {clean(reason)}"
                    yield from (f"  {line}" for line in wrapped(result, _WIDTH - 2, "   "))
    scores = (f"{ranking.score:.4f}" for ranking in (contrast.first, contrast.second))
    yield _row("score", "", "", *scores, _signed(contrast.difference))
    if any(part.kind == "conflict" for part in contrast.parts):
        yield "In a conflict the first sentence is the query, the second the document's."


def _signed(number: float) -> str:
    return f"{round(number, 4) + 0.0:+.4f}"  # the sum makes -0.0 a 0.0


def _row(name: str, first: str, second: str, *numbers: str) -> str:
    words = [filled(cut(clean(name), _NAME), _NAME)]
    words += [filled(cut(clean(phrase), _PHRASE), _PHRASE) for phrase in (first, second)]
    return " ".join([*words, *(filled(number, 7, right=True) for number in numbers)]).rstrip()
