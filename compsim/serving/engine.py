"""Computations of the service: a method that is opened once, and jobs with deadlines.

>>> from compsim.serving.due import Due
>>> engine = Engine.open(Settings(options={"vectors": "builtin"}))
>>> documents = ["The man bit the dog.", "It rained. A dog has bitten the man."]
>>> ranked = engine.rank("The dog bit the man.", documents, Due.within(60))
>>> [row["corpus_id"] for row in ranked]
[1, 0]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from compsim.guard.guard import Guard
from compsim.registry import options as options_of
from compsim.registry import resolved
from compsim.retrieval import Documents, Reranker
from compsim.serving.settings import Settings

if TYPE_CHECKING:
    from compsim.batches import Encoded
    from compsim.explanation import Explanation
    from compsim.method import Method
    from compsim.retrieval import Contrast, Ranking
    from compsim.serving.due import Due

__all__ = ["Engine"]

#: Sentences that are encoded, and pairs that are compared, before the clock is looked at.
_STEP: Final = 128
#: And so many characters, since what is long takes longer still to be compared.
_CHARACTERS: Final = 20_000
#: Parses that are kept in memory; none is on disk, where the texts of clients have no business.
_PARSES: Final = 1000

_EXAMPLES: Final = ("The dog bit the man.", "The man was bitten by the dog. It rained.")


class Engine:
    """A method and its reranker, with the calls that requests need."""

    def __init__(self, reranker: Reranker) -> None:
        self.reranker = reranker
        self.method: Method[Any] = reranker.method

    @classmethod
    def open(cls, settings: Settings) -> Engine:
        """Open the method of some settings; raises what ``compsim.load`` raises."""
        name, options = resolved(settings.method, settings.options)
        if "cache" in options_of(name) and "cache" not in options:
            from compsim.parsers.cache import ParseCache

            options["cache"] = ParseCache(None, max_memory=_PARSES)
        return cls(Reranker(name, **options))

    @property
    def name(self) -> str:
        """The method's name."""
        return self.method.info.name

    def warm_up(self) -> None:
        """Do all kinds of work once, for which kernels are compiled or loaded."""
        self.method.warm_up()
        self.reranker.rank(_EXAMPLES[0], _EXAMPLES)
        self.reranker.explain(*_EXAMPLES)
        self.method.explain(*_EXAMPLES).to_html()
        few = self.method.encode(_EXAMPLES * _STEP)  # many pairs take another way than a few
        self.method.similarity_pairwise(few, few)

    def rank(
        self, query: str, documents: Sequence[str], due: Due, top: int | None = None
    ) -> list[dict[str, Any]]:
        """The documents, best first, as ``Reranker.rank`` has them.

        Raises ``InputError`` for a query without a word, ``RefusedError`` when it is too late.
        """
        self.reranker.scores(query, [])  # tells what is wrong with a query before the long part
        encoded = Documents.encode(documents, lambda texts: self._encoded(texts, due), due.check)
        due.check()
        return self.reranker.rank(query, encoded, top)

    def similarity(
        self, first: Sequence[str], second: Sequence[str], due: Due
    ) -> list[list[float]]:
        """Return the scores of each of n with each of m sentences (n, m), nan for none.

        Raises ``RefusedError`` when it is too late.
        """
        a, b = self._encoded(list(first), due), self._encoded(list(second), due)
        scores: list[list[float]] = []
        width = sum(map(len, second))
        for start, stop in _steps([len(text) * len(second) + width for text in first]):
            due.check()
            scores += self.method.similarity(a[start:stop], b).tolist()
        return scores

    def similarity_pairwise(
        self, first: Sequence[str], second: Sequence[str], due: Due
    ) -> list[float]:
        """Return the score of each pair (n,), nan for none; raises ``RefusedError``."""
        scores: list[float] = []
        lengths = [len(a) + len(b) for a, b in zip(first, second, strict=True)]
        for start, stop in _steps(lengths):
            due.check()
            a, b = list(first[start:stop]), list(second[start:stop])
            scores += self.method.similarity_pairwise(a, b).tolist()
        return scores

    def same(
        self, first: Sequence[str], second: Sequence[str], max_false: float, due: Due
    ) -> list[dict[str, Any]]:
        """Return whether each pair says the same, as plain values.

        Raises ``InputError`` for a method without a calibration, and ``RefusedError``.
        """
        guard = Guard(self.method, max_false=max_false)
        verdicts: list[dict[str, Any]] = []
        lengths = [len(a) + len(b) for a, b in zip(first, second, strict=True)]
        for start, stop in _steps(lengths):
            due.check()
            for verdict in guard.same(list(first[start:stop]), list(second[start:stop])):
                due.check()  # what differs is found one by one
                verdicts.append(verdict.to_dict())
        return verdicts

    def explain(self, first: str, second: str) -> Explanation:
        """Explain the score of two sentences."""
        return self.method.explain(first, second)

    def explain_document(self, query: str, document: str) -> Ranking:
        """Explain the score of a document; raises ``InputError`` as ``rank`` does."""
        return self.reranker.explain(query, document)

    def compare(self, query: str, first: str, second: str) -> Contrast:
        """Compare two documents; raises ``InputError`` as ``rank`` does."""
        return self.reranker.compare(query, first, second)

    def _encoded(self, texts: list[str], due: Due) -> Encoded:
        parts: list[Encoded] = []
        for start, stop in _steps([len(text) for text in texts]):
            due.check()
            parts.append(self.method.encode(texts[start:stop]))
        kind: type[Encoded] = self.method.encoded
        return parts[0] if len(parts) == 1 else kind.concat(parts)


def _steps(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Stretches ``[start, stop)`` of texts of these lengths, each at most a step.

    >>> list(_steps([10, 10, 30_000, 10]))
    [(0, 2), (2, 3), (3, 4)]
    """
    start = size = 0
    for i, length in enumerate(lengths):
        if i > start and (i - start == _STEP or size + length > _CHARACTERS):
            yield start, i
            start, size = i, 0
        size += length
    if lengths:
        yield start, len(lengths)
