"""Re-ordering what a first stage found, by who did what to whom.

>>> reranker = Reranker("hybrid", whole="mean-cn", vectors="builtin")
>>> documents = ["The man bit the dog.", "It rained. A dog has bitten the man.", "Prices fell."]
>>> [(found["corpus_id"]) for found in reranker.rank("The dog bit the man.", documents)]
[1, 0, 2]

A document is split into sentences, each is scored, and the best decides. Keywords and questions
are queries like others. A question's "who" is open: it matches whatever stands in its role. A bare
noun phrase is a frame of its head noun; what ``hybrid`` adds for it is mostly what the sentence and
the phrase share in any role.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.method import Method, check_sentences
from compsim.plain_text import plain
from compsim.registry import load
from compsim.retrieval.combination import best_of, combined, counted
from compsim.retrieval.documents import Documents
from compsim.retrieval.fusion import Blend, check_blend, first_scores, fused
from compsim.retrieval.ranking import Ranking, SentenceScore

if TYPE_CHECKING:
    from compsim.method import Encoded

__all__ = ["Reranker"]


class Reranker:
    """Ranks documents for a query, with the calls of a sentence-transformers ``CrossEncoder``.

    - ``method``: a name of the registry, with its ``options``, or a ``Method``;
    - ``combine``: what the scores of a document's sentences make: ``"max"``, ``"mean"``, or a
      number, the mean of so many of the best;
    - ``blend``: how the scores of a first stage come in where they are given: ``"score"``, both
      stretched from 0 to 1 over the candidates, or ``"rrf"``, reciprocal rank fusion;
    - ``weight``: the share of the reranker's own score in that.

    A document's score has the method's range, or from 0 to 1 where it is blended. A document of
    which nothing can be compared, such as an empty one, has the method's lowest score.
    """

    def __init__(
        self,
        method: str | Method[Any] = "hybrid",
        *,
        combine: str | int = "max",
        blend: Blend = "score",
        weight: float = 0.5,
        **options: Any,
    ) -> None:
        if isinstance(method, Method) and options:
            raise InputError(
                f"the method is made already: leave out {', '.join(options)}, or give its name"
            )
        self._best = best_of(combine)
        check_blend(blend, weight)
        self.combine, self.blend, self.weight = combine, blend, float(weight)
        self.method: Method[Any] = load(method, **options) if isinstance(method, str) else method

    def __repr__(self) -> str:
        return f"Reranker({self.method!r}, combine={self.combine!r})"

    def encode(self, documents: Iterable[str]) -> Documents:
        """Split documents into sentences and encode them, for ``rank`` and ``scores``."""
        return Documents.encode(documents, self.method)

    def scores(
        self,
        query: str,
        documents: Documents | Iterable[str],
        first: npt.ArrayLike | None = None,
    ) -> npt.NDArray[np.float64]:
        """The score of each document, float64 (documents,).

        ``first`` are the scores of a first stage (documents,), NaN for a document that it did not
        find, which then counts as the worst of them. Raises ``InputError`` for a query without a
        word, and for scores that do not fit.
        """
        (text,) = _queries([query])
        docs = self._documents(documents)
        given = None if first is None else first_scores(first, len(docs))
        if docs.batch is None:
            own = np.full(len(docs), np.nan)
        else:
            own = self._own(self.method.encode([text]), docs)
        if given is not None:
            return fused(own, given, self.blend, self.weight)
        return self._known(own)

    def rank(
        self,
        query: str,
        documents: Documents | Iterable[str],
        top_k: int | None = None,
        return_documents: bool = False,
        *,
        first: npt.ArrayLike | None = None,
    ) -> list[dict[str, Any]]:
        """The documents, best first: a list of ``{"corpus_id", "score"}``, and ``"text"`` if asked.

        ``corpus_id`` is the place of a document in what was given; equal ones, and equal scores,
        stay in that order. Arguments are those of ``scores``; ``top_k`` is how many are wanted.
        """
        if top_k is not None and (
            isinstance(top_k, bool) or not isinstance(top_k, int | np.integer) or top_k < 1
        ):
            raise InputError(f"top_k={top_k!r} is not a whole number above 0, or None for all")
        docs = self._documents(documents)
        scores = self.scores(query, docs, first)
        found = [
            {"corpus_id": i, "score": float(scores[i])}
            for i in np.argsort(-scores, kind="stable")[:top_k].tolist()
        ]
        if return_documents:
            return [{**one, "text": docs.texts[one["corpus_id"]]} for one in found]
        return found

    def predict(
        self, pairs: Sequence[Sequence[str]] | Sequence[str]
    ) -> npt.NDArray[np.float32] | np.float32:
        """Score pairs of a query and a document, float32 (pairs,); of one pair, a single number.

        Each distinct query and sentence is encoded once. Raises ``InputError`` for what is no pair
        of strings, or a query without a word.
        """
        if len(pairs) == 2 and all(isinstance(one, str) for one in pairs):
            one: np.float32 = self._predicted([pairs])[0]  # type: ignore[list-item]
            return one
        return self._predicted(pairs)

    def explain(self, query: str, document: str) -> Ranking:
        """Which sentences of a document decided its score, and which of their roles."""
        (text,) = _queries([query])
        docs = self._documents([document])
        if docs.batch is None:
            return Ranking(text, document, self.method.info.lowest, (), None)
        each = self.method.similarity([text], docs.batch)[0].astype(np.float64)[docs.places]
        chosen = counted(each, docs.starts, self._best)
        told = docs.sentences(0)
        score = float(self._known(combined(each, docs.starts, self._best))[0])
        best = self.method.explain(text, told[int(np.nanargmax(each))]) if chosen.any() else None
        rows = zip(told, docs.spans.tolist(), each.tolist(), chosen.tolist(), strict=True)
        scored = tuple(SentenceScore(one, (s, e), value, c) for one, (s, e), value, c in rows)
        return Ranking(text, document, score, scored, best)

    def _documents(self, documents: Documents | Iterable[str]) -> Documents:
        return documents if isinstance(documents, Documents) else self.encode(documents)

    def _own(self, query: Encoded, docs: Documents) -> npt.NDArray[np.float64]:
        """The scores of one encoded query, NaN where nothing can be compared."""
        assert docs.batch is not None
        batch, places = docs.batch, docs.places
        if len(batch) > len(places):  # a part of the documents that were encoded
            used, places = np.unique(places, return_inverse=True)
            batch = batch[used]
        each = self.method.similarity(query, batch)[0].astype(np.float64)
        return combined(each[places], docs.starts, self._best)

    def _known(self, scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.where(np.isnan(scores), self.method.info.lowest, scores)

    def _predicted(self, pairs: Sequence[Sequence[str]]) -> npt.NDArray[np.float32]:
        for i, pair in enumerate(pairs):
            if isinstance(pair, str) or len(pair) != 2:
                raise InputError(f"pairs[{i}] is no pair: give a query and a document")
        queries = _queries([query for query, _ in pairs])
        texts = list(dict.fromkeys(check_sentences([text for _, text in pairs], "documents")))
        out = np.full(len(queries), np.nan)
        docs = self.encode(texts)
        if docs.batch is None:
            return self._known(out).astype(np.float32)
        asked: dict[str, list[int]] = {}
        for i, query in enumerate(queries):
            asked.setdefault(query, []).append(i)
        place = {text: i for i, text in enumerate(texts)}
        encoded = self.method.encode(list(asked))
        for k, rows in enumerate(asked.values()):
            wanted = [place[check_sentences([pairs[i][1]])[0]] for i in rows]
            out[rows] = self._own(encoded[k], docs[wanted])
        return self._known(out).astype(np.float32)


def _queries(queries: Iterable[str]) -> list[str]:
    checked = check_sentences(queries, "queries")
    for i, query in enumerate(checked):
        if not any(map(str.isalnum, plain(query))):
            raise InputError(f"query {i} is {query!r}, without a word: give at least one")
    return checked
