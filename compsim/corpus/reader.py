"""A corpus as it is read: its documents by their ids, searches, and why a document has its score.

``Corpus`` has examples; it adds what writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from compsim.batches import Encoded
from compsim.corpus.arguments import check_count, check_ids, distinct
from compsim.corpus.first_look import FirstLook
from compsim.corpus.scoring import Scoring
from compsim.corpus.search import Hit, best, ranked
from compsim.corpus.segment import Segment
from compsim.corpus.store import Store, places_of, require_all
from compsim.errors import DataError, InputError
from compsim.method import Method
from compsim.retrieval.documents import Documents
from compsim.retrieval.queries import Question
from compsim.retrieval.ranking import Ranking
from compsim.retrieval.reranker import Reranker

__all__ = ["CorpusReader"]


class CorpusReader:
    """The documents of a store, which another process may change meanwhile.

    Args:
        path: The folder of the corpus.
        store: Its files.
        scoring: What scores its documents.
    """

    def __init__(self, path: Path, store: Store, scoring: Scoring) -> None:
        self.path = path
        self._store = store
        self._scoring = scoring
        self._fits = False

    def __len__(self) -> int:
        """Return the number of documents."""
        return self._store.fresh().documents

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and bool(id) and self._store.find([id])[0] is not None

    def __repr__(self) -> str:
        return f"Corpus({str(self.path)!r}, {self._store.manifest.documents} documents)"

    @property
    def info(self) -> dict[str, Any]:
        """Description of the corpus: its method, options, precision and size."""
        result = self._store.fresh()
        return {
            "path": str(self.path),
            "method": result.method,
            "options": dict(result.options),
            "required_options": self._scoring.required_options(result),
            "precision": result.precision,
            "documents": result.documents,
            "deleted": sum(entry.gone for entry in result.segments),
            "sentences": sum(entry.sentences for entry in result.segments),
            "segments": len(result.segments),
            "indexed": sum(entry.index is not None for entry in result.segments),
        }

    @property
    def method(self) -> Method[Any]:
        """The method, loaded."""
        return self.reranker.method

    @property
    def reranker(self) -> Reranker:
        """Reranker that scores documents for a query."""
        return self._scoring.reranker(self._store.manifest)

    def get(self, id: str) -> str:
        """The text of a document.

        Args:
            id: Its id.

        Returns:
            The text.

        Raises:
            InputError: The id is not there.

        Examples:
            >>> import tempfile
            >>> from compsim import Corpus
            >>> corpus = Corpus(tempfile.mkdtemp(), "mean-cn", vectors="builtin")
            >>> _ = corpus.add(["Cats sleep."], ids=["cats"])
            >>> corpus.get("cats")
            'Cats sleep.'
        """

        def text(segments: Sequence[Segment]) -> str:
            ((number, row),) = require_all([id], places_of(segments, check_ids([id])))
            return segments[number].text(row)

        return self._store.steadily(text)

    def ids(self) -> list[str]:
        """The ids of all documents.

        Returns:
            The ids in the order in which they were added.
        """

        def read_ids(segments: Sequence[Segment]) -> list[str]:
            return [
                one
                for segment in segments
                for one, alive in zip(segment.ids, segment.alive.tolist(), strict=True)
                if alive
            ]

        return self._store.steadily(read_ids)

    def encode(self, documents: Iterable[str]) -> Documents:
        """Split documents into sentences, parse and encode these, as ``add`` does.

        Args:
            documents: Texts of any length.

        Returns:
            What ``add`` takes in place of the texts.

        Raises:
            InputError: Something in them is no string.
        """
        return self.reranker.encode(documents)

    def ask(self, query: str) -> Question:
        """Parse and encode a query, for more than one search.

        Args:
            query: What is looked for.

        Returns:
            What ``search`` takes in place of the text.

        Raises:
            InputError: The query has no word.
        """
        return self.reranker.ask(query)

    def search(
        self,
        query: str | Question,
        top_k: int = 10,
        candidates: Iterable[str] | None = None,
        *,
        depth: int | None = 1000,
    ) -> list[dict[str, Any]]:
        """The documents that fit a query best, best first; ties in the order they were added.

        Args:
            query: A text, or what ``ask`` gives.
            top_k: How many are wanted.
            candidates: Ids to which the search keeps; all of these are compared.
            depth: How many documents are compared in full at most, those whose whole sentences
                allow the highest scores. Where fewer are enough to know the best for certain, the
                search ends there; with None it goes on until it knows, and uses no index.

        Returns:
            Dicts as ``Reranker.rank`` gives, ``{"corpus_id", "score", "text", "sentence"}``: the
            id, the text, and the sentence of it that decided, None where it has no word. A corpus
            without documents gives an empty list.

        Raises:
            InputError: The query has no word, ``top_k`` or ``depth`` is below 1, or a candidate is
                not there.
            DataError: The corpus was made with other vectors, or is damaged.

        Examples:
            >>> import tempfile
            >>> from compsim import Corpus
            >>> corpus = Corpus(tempfile.mkdtemp(), "mean-cn", vectors="builtin")
            >>> _ = corpus.add(["Cats sleep.", "Dogs bark.", "The cat is asleep."])
            >>> hits = corpus.search("A sleeping cat", candidates=["1", "2"])
            >>> [one["corpus_id"] for one in hits]
            ['2', '1']
        """
        check_count("top_k", top_k)
        if depth is not None:
            check_count("depth", depth)
        wanted = None if candidates is None else distinct(candidates)
        question = query if isinstance(query, Question) else self.ask(query)

        def read_hits(segments: Sequence[Segment]) -> list[dict[str, Any]]:
            self._check_fits(segments, question.batch)
            if wanted is None:
                look = FirstLook.of(self.method)
                hits = best(self.reranker, look, question, segments, top_k, depth)
                return [_row_of(segments[hit.segment], hit) for hit in hits]
            places = require_all(wanted, places_of(segments, wanted))
            rows: dict[int, list[int]] = {}
            for number, row in sorted(places):
                rows.setdefault(number, []).append(row)
            chosen = [(n, segments[n], np.array(own)) for n, own in rows.items()]
            hits = ranked(self.reranker, question, chosen)
            hits.sort(key=lambda hit: -hit.score)
            return [_row_of(segments[hit.segment], hit) for hit in hits[:top_k]]

        return self._store.steadily(read_hits)

    def explain(self, query: str, id: str) -> Ranking:
        """Explain the score of a document for a query: see ``Reranker.explain``.

        Args:
            query: What is looked for.
            id: The id of the document.

        Returns:
            The score, the sentences with theirs, and the explanation of the best.

        Raises:
            InputError: The id is not there, or the query has no word.

        Examples:
            >>> import tempfile
            >>> from compsim import Corpus
            >>> corpus = Corpus(tempfile.mkdtemp(), "verbnet-cn", vectors="builtin")
            >>> _ = corpus.add(["It rained. The dog bit the man."], ids=["a"])
            >>> [each.counts for each in corpus.explain("Who bit the man?", "a").sentences]
            [False, True]
        """
        return self.reranker.explain(query, self.get(id))

    def verify(self) -> None:
        """Read the whole corpus and compare checksums.

        Each file is compared when it is first used, too; but in corpora of more than 100,000
        sentences the vectors and the parses of these, which would all have to be read, are here
        alone.

        Raises:
            DataError: A file is not as it was saved.
        """

        def read(segments: Sequence[Segment]) -> None:
            for segment in segments:
                segment.verify()

        self._store.steadily(read)

    def _check_fits(self, segments: Sequence[Segment], batch: Encoded | None) -> None:
        """Raise ``DataError`` for a batch that cannot be compared with what is in the corpus."""
        if self._fits or batch is None or not len(batch):
            return
        for segment in segments:
            mine = segment.documents(self.method.encoded).batch
            if mine is None:
                continue
            check: Callable[[Any], None] | None = getattr(mine[:1], "check", None)
            try:
                if check is not None:
                    check(batch[:1])
            except InputError as error:
                raise DataError(
                    f"{self.path} was made with other vectors or options than the method now has "
                    f"({error}): open it with those that made it, or make another corpus"
                ) from error
            self._fits = True
            return


def _row_of(segment: Segment, hit: Hit) -> dict[str, Any]:
    """A hit as ``Reranker.rank`` gives it."""
    text = segment.text(hit.row)
    sentence = None
    if hit.sentence >= 0:
        start, end = segment.spans[hit.sentence].tolist()
        sentence = text[start:end]
    return {
        "corpus_id": segment.id(hit.row),
        "score": float(hit.score),
        "text": text,
        "sentence": sentence,
    }
