"""A corpus: documents parsed and encoded once, kept on disk, appended to, deleted from, searched.

>>> import tempfile
>>> folder = tempfile.mkdtemp() + "/corpus"
>>> corpus = Corpus(folder, whole="mean-cn", vectors="builtin")
>>> texts = ["The man bit the dog.", "It rained. A dog has bitten the man.", "Prices fell."]
>>> corpus.add(texts, ids=["a", "b", "c"])
['a', 'b', 'c']
>>> [(found["corpus_id"], found["sentence"]) for found in corpus.search("A dog bit the man.", 2)]
[('b', 'A dog has bitten the man.'), ('a', 'The man bit the dog.')]
>>> corpus.delete(["b"])
1
>>> [found["corpus_id"] for found in Corpus.open(folder).search("A dog bit the man.", 2)]
['a', 'c']

On disk a corpus is a folder of segments, each written once, and a manifest that names them and is
replaced in one step. A call that returned has its documents on disk; a writer that is killed leaves
the corpus as it was after its last step. Readers go on while another process writes, and see what
it has done from their next call on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from compsim.corpus.arguments import batches, check_count, check_ids, distinct
from compsim.corpus.compaction import compacted, groups
from compsim.corpus.first_look import PRECISIONS, FirstLook, check_normalization
from compsim.corpus.index import build
from compsim.corpus.manifest import NAME, Manifest
from compsim.corpus.search import Hit, best, ranked, release
from compsim.corpus.segment import Segment
from compsim.corpus.store import Places, Store, places_of
from compsim.errors import DataError, InputError, check_choice
from compsim.method import Encoded, Method
from compsim.missing import require
from compsim.registry import load
from compsim.retrieval.combination import best_of
from compsim.retrieval.documents import Documents
from compsim.retrieval.ranking import Ranking
from compsim.retrieval.reranker import Question, Reranker, check_unmade
from compsim.storage.reading import expanded

__all__ = ["Corpus"]


class Corpus:
    """Documents on disk, searched with the scores of a ``Reranker``.

    The method is loaded when it is first needed, so that a corpus opens in milliseconds. Every
    method of the registry will do. ``hybrid`` and the methods of sentence vectors look at all
    sentences quickly and then compare the best documents in full; others, and those that normalise
    their vectors, compare all documents in each search. One that would fit a normalisation to what
    is scored is refused.

    Args:
        path: The folder; a new corpus is made where there is none.
        method: A name of the registry, or a ``Method``; by default what the corpus was made with,
            ``hybrid`` for a new one. The name and the options that JSON can hold are kept with the
            corpus, keys of services aside; others are given again to open it.
        precision: How a new corpus holds the vectors of whole sentences for the first look,
            ``"int8"`` or ``"float32"``.
        combine: What the scores of a document's sentences make, as for ``Reranker``.
        exclude: What the exclusions of a query cost, as for ``Reranker``.
        **options: Options of the method, where it is given by name.

    Raises:
        DataError: The folder is something else, the corpus is damaged or of another version, or was
            made by another method.
        InputError: An argument is out of range.
        MissingExtraError: The extra ``corpus`` is not installed.

    Examples:
        >>> import tempfile
        >>> corpus = Corpus(tempfile.mkdtemp(), "mean-cn", vectors="builtin")
        >>> corpus.add(["Cats sleep.", "Dogs bark."], ids=["cats", "dogs"])
        ['cats', 'dogs']
        >>> corpus.search("A cat sleeps.", top_k=1)[0]["corpus_id"]
        'cats'
    """

    def __init__(
        self,
        path: str | Path,
        method: str | Method[Any] | None = None,
        *,
        precision: str | None = None,
        combine: str | int = "max",
        exclude: float | None = 0.2,
        **options: Any,
    ) -> None:
        require("pyarrow", "corpus")
        self.path = expanded(path)
        check_unmade(method, options)
        if precision is not None:
            check_choice("precision", precision, tuple(PRECISIONS))
        best_of(combine)  # raises for what is not known, before anything is made
        self._reranker: Reranker | None = None
        self._asked: dict[str, Any] = {"combine": combine, "exclude": exclude}
        self._given = method, options
        self._fits = False
        if not (self.path / NAME).exists():
            self._make(precision or "int8")
        self._store = Store(self.path)
        self._check_made(precision)

    @classmethod
    def open(
        cls, path: str | Path, method: str | Method[Any] | None = None, **given: Any
    ) -> Corpus:
        """Open a corpus that is there.

        Args:
            path: The folder.
            method: What it was made with, where that must be given again.
            **given: The other arguments of ``Corpus``.

        Returns:
            The corpus.

        Raises:
            DataError: There is none.

        Examples:
            >>> Corpus.open("nowhere")
            Traceback (most recent call last):
            ...
            compsim.errors.DataError: nowhere is not a corpus: make one with compsim.Corpus
        """
        Manifest.read(expanded(path))
        return cls(path, method, **given)

    def __len__(self) -> int:
        """How many documents there are."""
        return self._store.fresh().documents

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and bool(id) and self._store.find([id])[0] is not None

    def __repr__(self) -> str:
        return f"Corpus({str(self.path)!r}, {self._store.manifest.documents} documents)"

    @property
    def info(self) -> dict[str, Any]:
        """What the corpus is: its method, options, precision, and how much it holds."""
        told = self._store.fresh()
        return {
            "path": str(self.path),
            "method": told.method,
            "options": dict(told.options),
            "given_again": list(told.absent),
            "precision": told.precision,
            "documents": told.documents,
            "deleted": sum(entry.gone for entry in told.segments),
            "sentences": sum(entry.sentences for entry in told.segments),
            "segments": len(told.segments),
            "indexed": sum(entry.index is not None for entry in told.segments),
        }

    @property
    def method(self) -> Method[Any]:
        """The method, loaded."""
        return self.reranker.method

    @property
    def reranker(self) -> Reranker:
        """What scores documents for a query."""
        if self._reranker is None:
            method, options = self._given
            if not isinstance(method, Method):
                told = self._store.manifest
                absent = [name for name in told.absent if name not in options]
                if absent:
                    raise InputError(
                        f"{self.path} was made with {', '.join(absent)}, which no file can hold: "
                        "give the same again to open it"
                    )
                method = load(told.method, **{**told.options, **options})
            check_normalization(method)
            self._reranker = Reranker(method, **self._asked)
        return self._reranker

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
            >>> corpus = Corpus(tempfile.mkdtemp(), "mean-cn", vectors="builtin")
            >>> _ = corpus.add(["Cats sleep."], ids=["cats"])
            >>> corpus.get("cats")
            'Cats sleep.'
        """

        def text(segments: Sequence[Segment]) -> str:
            ((number, row),) = _all_found([id], places_of(segments, check_ids([id])))
            return segments[number].text(row)

        return self._store.steadily(text)

    def ids(self) -> list[str]:
        """The ids of all documents.

        Returns:
            The ids in the order in which they were added.
        """

        def told(segments: Sequence[Segment]) -> list[str]:
            return [
                one
                for segment in segments
                for one, alive in zip(segment.ids, segment.alive.tolist(), strict=True)
                if alive
            ]

        return self._store.steadily(told)

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

    def add(
        self,
        documents: Documents | Iterable[str],
        ids: Iterable[str] | None = None,
        *,
        batch_size: int = 1000,
        saved: Callable[[list[str]], object] | None = None,
    ) -> list[str]:
        """Append documents.

        Args:
            documents: Texts, of any length and any number, or what ``encode`` gives. Some are
                parsed, encoded and written at a time, so an endless generator will do.
            ids: An id for each, a string that no other document has; by default numbers from 0.
            batch_size: How many are written at a time.
            saved: Called with the ids of each batch when it is on disk, for good.

        Returns:
            The ids.

        Raises:
            InputError: Something is no string, or an id is there already: before anything of that
                batch is written. Batches before that stay.
            DataError: Another process is writing, the disk is full, or the corpus was made with
                other vectors.

        Examples:
            >>> import tempfile
            >>> corpus = Corpus(tempfile.mkdtemp(), "mean-cn", vectors="builtin")
            >>> corpus.add(["Cats sleep.", "Dogs bark."])
            ['0', '1']
            >>> corpus.add(["Mice run."], ids=["1"])
            Traceback (most recent call last):
            ...
            compsim.errors.InputError: the id '1' is there already: delete it first, or give another
        """
        check_count("batch_size", batch_size)
        done: list[str] = []
        with self._store.writing():
            for texts, own in batches(documents, ids, batch_size):
                told = self._numbered(len(texts)) if own is None else check_ids(own)
                again = [one for one, at in zip(told, self._store.find(told), strict=True) if at]
                if again:
                    raise InputError(
                        f"the id {again[0]!r} is there already: delete it first, or give another"
                    )
                docs = texts if isinstance(texts, Documents) else self.encode(texts)
                self._append(docs, told, counted=own is None)
                done += told
                if saved is not None:
                    saved(told)
        return done

    def delete(self, ids: Iterable[str]) -> int:
        """Delete documents; ``compact`` frees their space.

        Args:
            ids: Their ids.

        Returns:
            How many were deleted.

        Raises:
            InputError: An id is not there: before any is deleted.
            DataError: Another process is writing, or the disk is full.

        Examples:
            >>> import tempfile
            >>> corpus = Corpus(tempfile.mkdtemp(), "mean-cn", vectors="builtin")
            >>> _ = corpus.add(["Cats sleep.", "Dogs bark."])
            >>> corpus.delete(["0"]), len(corpus), "0" in corpus
            (1, 1, False)
        """
        wanted = check_ids(ids)
        with self._store.writing():
            rows: dict[int, list[int]] = {}
            for number, row in _all_found(wanted, self._store.find(wanted)):
                rows.setdefault(number, []).append(row)
            self._store.delete(rows)
        return len(wanted)

    def compact(self, most: int = 65536) -> int:
        """Join small segments and leave deleted documents out.

        Every joined segment counts when it is written, so a compaction that was killed goes on with
        the next call.

        Args:
            most: How many sentences a joined segment has at most, or documents where these have
                none: they are in memory together, with ``hybrid`` some 6 KB each.

        Returns:
            How many segments remain.

        Raises:
            DataError: Another process is writing, or the disk is full.

        Examples:
            >>> import tempfile
            >>> corpus = Corpus(tempfile.mkdtemp(), "mean-cn", vectors="builtin")
            >>> _ = corpus.add(["Cats sleep.", "Dogs bark.", "Mice run."], batch_size=1)
            >>> corpus.delete(["1"]), corpus.compact(), corpus.ids()
            (1, 1, ['0', '2'])
        """
        check_count("most", most)
        with self._store.writing():
            for names in groups(self._store.manifest.segments, most):
                own = [one for one in self._store.segments() if one.entry.name in names]
                self._store.exchange(names, compacted(own, self.method.encoded))
            return len(self._store.manifest.segments)

    def build_index(self, least: int = 10_000) -> int:
        """Index the sentences of large segments.

        ``search`` then looks at about ``depth`` sentences of each such segment, not at all of them,
        unless ``depth`` is None: worth while past some million documents. What is added later is
        looked at in full until this is called again; ``compact`` first, since a joined segment has
        no index.

        Args:
            least: How many sentences a segment must have.

        Returns:
            How many segments were indexed.

        Raises:
            MissingExtraError: The extra ``index`` is not installed.
            InputError: The method has no vectors of whole sentences, or the corpus has
                ``precision="float32"``.
            DataError: Another process is writing, or the disk is full.

        Examples:
            >>> import tempfile
            >>> corpus = Corpus(tempfile.mkdtemp(), "mean-cn", vectors="builtin")
            >>> _ = corpus.add(["Cats sleep.", "Dogs bark."])
            >>> corpus.build_index(), corpus.build_index(least=2)
            (0, 1)
        """
        check_count("least", least)
        if FirstLook.of(self.method) is None or self._store.fresh().precision != "int8":
            raise InputError(
                "an index is of int8 vectors of whole sentences: use hybrid or a method of "
                'sentence vectors, without normalisation, and precision="int8"'
            )
        done = 0
        with self._store.writing():
            for segment in self._store.segments():
                coded = segment.coded
                if segment.entry.index or coded is None or segment.entry.sentences < least:
                    continue
                self._store.add_index(segment, partial(build, code=coded.code))
                done += 1
        return done

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
            >>> corpus = Corpus(tempfile.mkdtemp(), "mean-cn", vectors="builtin")
            >>> _ = corpus.add(["Cats sleep.", "Dogs bark.", "The cat is asleep."])
            >>> found = corpus.search("A sleeping cat", candidates=["1", "2"])
            >>> [one["corpus_id"] for one in found]
            ['2', '1']
        """
        check_count("top_k", top_k)
        if depth is not None:
            check_count("depth", depth)
        wanted = None if candidates is None else distinct(candidates)
        question = query if isinstance(query, Question) else self.ask(query)

        def found(segments: Sequence[Segment]) -> list[dict[str, Any]]:
            self._check_fits(segments, question.batch)
            if wanted is None:
                look = FirstLook.of(self.method)
                hits = best(self.reranker, look, question, segments, top_k, depth)
                return [_told(segments[hit.segment], hit) for hit in hits]
            places = _all_found(wanted, places_of(segments, wanted))
            rows: dict[int, list[int]] = {}
            for number, row in sorted(places):
                rows.setdefault(number, []).append(row)
            chosen = [(n, segments[n], np.array(own)) for n, own in rows.items()]
            hits = ranked(self.reranker, question, chosen)
            release(segments)
            hits.sort(key=lambda hit: -hit.score)
            return [_told(segments[hit.segment], hit) for hit in hits[:top_k]]

        return self._store.steadily(found)

    def explain(self, query: str, id: str) -> Ranking:
        """Why a document has its score for a query: see ``Reranker.explain``.

        Args:
            query: What is looked for.
            id: The id of the document.

        Returns:
            The score, the sentences with theirs, and the explanation of the best.

        Raises:
            InputError: The id is not there, or the query has no word.

        Examples:
            >>> import tempfile
            >>> corpus = Corpus(tempfile.mkdtemp(), "verbnet-cn", vectors="builtin")
            >>> _ = corpus.add(["It rained. The dog bit the man."], ids=["a"])
            >>> [each.counts for each in corpus.explain("Who bit the man?", "a").sentences]
            [False, True]
        """
        return self.reranker.explain(query, self.get(id))

    def verify(self) -> None:
        """Read the whole corpus and compare checksums.

        Raises:
            DataError: A file is not as it was saved.
        """

        def read(segments: Sequence[Segment]) -> None:
            for segment in segments:
                segment.verify()

        self._store.steadily(read)

    def _make(self, precision: str) -> None:
        """Write the manifest of a new corpus, unless another process just has."""
        method, options = self._given
        if isinstance(method, Method):
            name, options = method.info.name, method._options
        else:
            name = method or "hybrid"
            self._reranker = Reranker(load(name, **options), **self._asked)
            check_normalization(self._reranker.method)
        kept, absent = _kept(options)
        Store.make(self.path, Manifest(name, kept, absent, precision))

    def _check_made(self, precision: str | None) -> None:
        """Raise ``DataError`` where the corpus was made otherwise than what was asked for."""
        told, (method, _) = self._store.manifest, self._given
        name = method.info.name if isinstance(method, Method) else method
        if name is not None and name != told.method:
            raise DataError(
                f"{self.path} was made with the method {told.method!r}, not {name!r}: open it "
                "without a method, or make another corpus"
            )
        if precision is not None and precision != told.precision:
            raise DataError(
                f"{self.path} was made with precision={told.precision!r}: open it without one, or "
                "make another corpus"
            )

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

    def _numbered(self, count: int) -> list[str]:
        """So many numbers that are no document's id."""
        found: list[str] = []
        number = self._store.manifest.next_id
        while len(found) < count:
            more = [str(number + i) for i in range(count - len(found))]
            number += len(more)
            found += [
                one for one, at in zip(more, self._store.find(more), strict=True) if at is None
            ]
        return found

    def _append(self, docs: Documents, ids: list[str], counted: bool) -> None:
        told = self._store.manifest
        self._store.steadily(lambda segments: self._check_fits(segments, docs.batch))
        look = FirstLook.of(self.method)
        coded = None
        if look is not None and docs.batch is not None:
            coded = look.coded(docs.batch, told.precision)
        self._store.append(ids, docs, coded, int(ids[-1]) + 1 if counted else told.next_id)


def _all_found(ids: Sequence[str], places: Places) -> list[tuple[int, int]]:
    """Raise ``InputError`` for an id that has no place."""
    for one, place in zip(ids, places, strict=True):
        if place is None:
            raise InputError(f"the corpus has no document {one!r}: give ids that it has")
    return [place for place in places if place is not None]


def _told(segment: Segment, hit: Hit) -> dict[str, Any]:
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


def _kept(options: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The options that a manifest can hold, and the names of the others."""
    kept: dict[str, Any] = {}
    absent = []
    for name, value in options.items():
        if "key" in name:  # a secret
            continue
        value = str(value) if isinstance(value, Path) else value
        try:
            same = json.loads(json.dumps(value)) == value
        except (TypeError, ValueError):
            same = False
        if same:
            kept[name] = value
        else:
            absent.append(name)
    return kept, absent
