"""A corpus: documents parsed and encoded once, kept on disk, appended to, deleted from, searched.

>>> import tempfile
>>> folder = tempfile.mkdtemp() + "/corpus"
>>> corpus = Corpus(folder, vectors="builtin")
>>> texts = ["The man bit the dog.", "It rained. A dog has bitten the man.", "Prices fell."]
>>> corpus.add(texts, ids=["a", "b", "c"])
['a', 'b', 'c']
>>> [(hit["corpus_id"], hit["sentence"]) for hit in corpus.search("A dog bit the man.", 2)]
[('b', 'A dog has bitten the man.'), ('a', 'The man bit the dog.')]
>>> corpus.delete(["b"])
1
>>> [hit["corpus_id"] for hit in Corpus.open(folder).search("A dog bit the man.", 2)]
['a', 'c']

On disk a corpus is a folder of segments, each written once, and a manifest that names them and is
replaced in one step. A call that returned has its documents on disk; a writer that is killed leaves
the corpus as it was after its last step. Readers go on while another process writes, and see what
it has done from their next call on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from compsim.corpus.arguments import batches, check_count, check_ids
from compsim.corpus.compaction import compacted, groups
from compsim.corpus.first_look import PRECISIONS, FirstLook, coded_vectors
from compsim.corpus.index import build
from compsim.corpus.manifest import NAME
from compsim.corpus.reader import CorpusReader
from compsim.corpus.repair import repair
from compsim.corpus.scoring import Scoring
from compsim.corpus.store import Store, check_free, read_manifest, require_all
from compsim.corpus.writing import present
from compsim.errors import InputError, check_choice
from compsim.method import Method
from compsim.missing import require
from compsim.retrieval.documents import Documents
from compsim.storage.reading import expanded

__all__ = ["Corpus"]


class Corpus(CorpusReader):
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
            corpus, keys of services aside; others are given again to open it. So are those that
            another's corpus may not decide, since they could run code, read files or send texts
            elsewhere: files, models, services, functions and methods of other packages.
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
        folder = expanded(path)
        scoring = Scoring(folder, method, options, combine=combine, exclude=exclude)
        if precision is not None:
            check_choice("precision", precision, tuple(PRECISIONS))
        if not os.path.exists(folder / NAME):
            check_free(folder)  # before the method is loaded, which takes its time
            Store.make(folder, scoring.manifest(precision or "int8"))
        store = Store(folder)
        scoring.check_made(store.manifest, precision)
        super().__init__(folder, store, scoring)

    @classmethod
    def open(
        cls, path: str | Path, method: str | Method[Any] | None = None, **given: Any
    ) -> Corpus:
        """Open a corpus that is there.

        Args:
            path: The folder.
            method: What it was made with, where that must be given again: see ``Corpus``.
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
        read_manifest(expanded(path))
        return cls(path, method, **given)

    @classmethod
    def repair(
        cls, path: str | Path, method: str | Method[Any] | None = None, **options: Any
    ) -> dict[str, Any]:
        """Rebuild a manifest that was lost or damaged from the segments that check out.

        Segments that do not are set aside in the folder ``damaged`` of the corpus, where no writer
        removes them. Deletions are read from the longest list of each segment that checks out.

        Args:
            path: The folder.
            method: What the corpus was made with, where its segments do not say: those of earlier
                releases. The options go with it.
            **options: Options of the method.

        Returns:
            ``{"path", "method", "documents", "deleted", "segments", "set_aside", "notes"}``: what
            the corpus has now, the segments that were set aside, and sentences on what was assumed
            and what is lost.

        Raises:
            DataError: There are no segments, they were made with another method, another process
                is writing, or the disk is full.
            InputError: The segments do not say how the corpus was made, and neither does
                ``method``.

        Examples:
            >>> import tempfile
            >>> corpus = Corpus(tempfile.mkdtemp(), "mean-cn", vectors="builtin")
            >>> _ = corpus.add(["Cats sleep.", "Dogs bark."])
            >>> _ = corpus.delete(["1"])
            >>> (corpus.path / "corpus.json").unlink()
            >>> Corpus.repair(corpus.path)["documents"], Corpus.open(corpus.path).ids()
            (1, ['0'])
        """
        folder = expanded(path)
        given = method is not None or bool(options)
        made = repair(folder, Scoring(folder, method, options).manifest if given else None)
        segments = made.manifest.segments
        return {
            "path": str(folder),
            "method": made.manifest.method,
            "documents": made.manifest.documents,
            "deleted": sum(entry.gone for entry in segments),
            "segments": len(segments),
            "set_aside": made.set_aside,
            "notes": made.notes,
        }

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
                result = self._numbered(len(texts)) if own is None else check_ids(own)
                again = [
                    one for one, at in zip(result, self._store.find(result), strict=True) if at
                ]
                if again:
                    raise InputError(
                        f"the id {again[0]!r} is there already: delete it first, or give another"
                    )
                docs = texts if isinstance(texts, Documents) else self.encode(texts)
                self._append(docs, result, counted=own is None)
                done += result
                if saved is not None:
                    saved(result)
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
            for number, row in require_all(wanted, self._store.find(wanted)):
                rows.setdefault(number, []).append(row)
            self._store.delete(rows)
        return len(wanted)

    def compact(self, most: int = 65536) -> int:
        """Join small segments and leave deleted documents out.

        All that is read is compared with its checksums, and all that is written is read again
        before what it was joined from is removed. Every joined segment counts from then on, so a
        compaction that was killed goes on with the next call.

        Args:
            most: How many sentences a joined segment has at most, or documents where these have
                none: they are in memory together, with ``hybrid`` some 6 KB each.

        Returns:
            How many segments remain.

        Raises:
            DataError: A segment is not as it was saved, which stays as it is; another process is
                writing, or the disk is full.

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
                precision = self._store.manifest.precision
                with present(self.path):
                    own = self._store.opened(names)
                    made = compacted(own, self.method.encoded, precision)
                self._store.exchange(names, made)
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
            with present(self.path):
                every = [(segment, segment.coded) for segment in self._store.segments()]
            for segment, coded in every:
                if segment.entry.index or coded is None or segment.entry.sentences < least:
                    continue
                self._store.add_index(segment, partial(build, code=coded.code))
                done += 1
        return done

    def _numbered(self, count: int) -> list[str]:
        """So many numbers that are no document's id."""
        results: list[str] = []
        number = self._store.manifest.next_id
        while len(results) < count:
            more = [str(number + i) for i in range(count - len(results))]
            number += len(more)
            results += [
                one for one, at in zip(more, self._store.find(more), strict=True) if at is None
            ]
        return results

    def _append(self, docs: Documents, ids: list[str], counted: bool) -> None:
        manifest = self._store.manifest
        self._store.steadily(lambda segments: self._check_fits(segments, docs.batch))
        look = FirstLook.of(self.method)
        coded = None
        if look is not None and docs.batch is not None:
            coded = coded_vectors(docs.batch, manifest.precision)
        self._store.append(ids, docs, coded, int(ids[-1]) + 1 if counted else manifest.next_id)
