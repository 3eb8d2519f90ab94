"""Word vectors, and the mean of the content words of a phrase.

>>> from compsim.vectors import WordVectors
>>> vectors = WordVectors.open("builtin")
>>> vectors.phrase("the friendly dog").shape == (vectors.dim,)
True
>>> "dog" in vectors, "zzyzzx" in vectors
(True, False)

A word is looked up as it is; if the table does not hold it, its base forms are tried, the verb's
first. A phrase is the mean of its word vectors, as the table holds them; a phrase without a known
word is the zero vector.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError, InputError
from compsim.storage.places import home, weights_folder
from compsim.storage.reading import expanded, shortened
from compsim.vectors.files import ensure_table
from compsim.vectors.means import stretch_means
from compsim.vectors.table import Table, check_content, read_table
from compsim.vectors.words import content_words, lemma_candidates, normalize, spellings

if TYPE_CHECKING:
    from compsim.graph import Node, RoleGraph

__all__ = ["KeyedVectors", "WordVectors"]

_UNKNOWN = -1
_CACHE_LIMIT = 1 << 16


@runtime_checkable
class KeyedVectors(Protocol):
    """Words and their vectors as gensim holds them; any object with both will do.

    Attributes:
        index_to_key: n words.
        vectors: A row for each (n, dim).

    Examples:
        >>> from types import SimpleNamespace
        >>> held = SimpleNamespace(index_to_key=["cat"], vectors=[[1.0, 0.0]])
        >>> WordVectors.open(held)
        WordVectors('keyed-vectors', words=1, dim=2)
    """

    index_to_key: Sequence[str]
    vectors: npt.ArrayLike


class WordVectors:
    """A table of word vectors; make one with ``open`` or ``from_arrays``.

    ``len`` is the number of words, and ``in`` says whether the table holds a word.

    Attributes:
        name: ``"builtin"``, ``"numberbatch"``, or the stem of the file.
        dim: The length of a vector.
        words: The words, a row each.
        frequencies: The share of each word in running text, float32 (n,); None where the table does
            not say.
        fingerprint: A short hash of the content, equal for equal tables.

    Examples:
        >>> vectors = WordVectors.open("builtin")
        >>> "dog" in vectors, vectors.phrase("the friendly dog").shape
        (True, (256,))
    """

    content_words = staticmethod(content_words)

    def __init__(self, table: Table) -> None:
        self.name = table.name
        self.fingerprint = table.fingerprint
        self.dim = int(table.matrix.shape[1])
        self.words: Sequence[str] = table.words
        self.frequencies: npt.NDArray[np.float32] | None = table.frequencies
        self._table = table
        self._matrix = table.matrix
        self._scale = table.scale
        self._row_of = {word: row for row, word in enumerate(table.words)}
        self._tokens: dict[str, int] = {}
        self._in_phrase: dict[str, int] = {}

    @classmethod
    def open(cls, spec: str | Path | WordVectors | KeyedVectors | None = None) -> WordVectors:
        """Open vectors by name or by path.

        Args:
            spec: ``"builtin"``, ``"numberbatch"`` (after ``compsim download numberbatch``), the
                path of a vector file (word2vec text or binary, GloVe, Numberbatch; converted once
                into the user's data folder) or of a table folder, or gensim's ``KeyedVectors``.
                None means ``"builtin"``, whatever was downloaded. ``WordVectors`` are given back
                as they are.

        Returns:
            The table, its rows on disk until they are used.

        Raises:
            DataError: A file is missing or malformed, or ``KeyedVectors`` are.
            InputError: ``spec`` is none of these.
        """
        if isinstance(spec, WordVectors):
            return spec
        if isinstance(spec, KeyedVectors):
            return cls.from_arrays(spec.index_to_key, spec.vectors, name="keyed-vectors")
        if spec is None or spec == "builtin":
            return cls(read_table(weights_folder() / "builtin"))
        if spec == "numberbatch":
            return cls(read_table(_numberbatch_folder()))
        if not isinstance(spec, str | Path):
            raise InputError(
                f"vectors is a {type(spec).__name__}: give a name, a path, WordVectors or the "
                "KeyedVectors of gensim"
            )
        path = expanded(spec)
        if os.path.exists(path / "meta.json"):  # which takes a path of any length
            return cls(read_table(path))
        if not os.path.exists(path):
            raise DataError(
                f"there are no vectors at {shortened(str(path))}; give the path of a vector file, "
                "or one of the names builtin, numberbatch"
            )
        stem = path.name.removesuffix(".gz").rsplit(".", 1)[0]
        place = hashlib.sha256(str(path.resolve()).encode("utf-8", "surrogateescape")).hexdigest()
        folder = home() / "vectors" / f"{stem}-{place[:12]}"
        return cls(read_table(ensure_table(path, folder, name=stem)))

    @classmethod
    def from_arrays(
        cls,
        words: Iterable[str],
        matrix: npt.ArrayLike,
        *,
        name: str = "arrays",
        frequencies: npt.ArrayLike | None = None,
    ) -> WordVectors:
        """Make a table in memory.

        Args:
            words: n words.
            matrix: Their vectors (n, dim).
            name: What results call the table.
            frequencies: The share of each in running text (n,), if known.

        Returns:
            The table.

        Raises:
            DataError: They do not fit, a value is NaN or infinite, or a frequency is not above 0
                and at most 1.
        """
        listed = list(words)
        rows = np.ascontiguousarray(matrix, dtype=np.float32)
        shares = None if frequencies is None else np.array(frequencies, dtype=np.float32)
        check_content(listed, rows, name, shares)
        digest = hashlib.sha256("\n".join(listed).encode("utf-8", "surrogatepass"))
        digest.update(repr(rows.shape).encode())
        digest.update(rows.tobytes())
        if shares is not None:
            digest.update(shares.tobytes())
        return cls(Table(listed, rows, None, name, digest.hexdigest()[:16], None, shares))

    def __reduce__(self) -> tuple[Callable[..., WordVectors], tuple[Any, ...]]:
        # A worker process maps the same file rather than receive a copy of all rows.
        if self._table.folder is not None:
            return _reopen, (self._table.folder,)
        return WordVectors, (self._table,)

    @property
    def space(self) -> str:
        """The name and the fingerprint."""
        return f"{self.name}:{self.fingerprint}"

    def __repr__(self) -> str:
        return f"WordVectors({self.name!r}, words={len(self)}, dim={self.dim})"

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._row_of

    def rows(self, words: Iterable[str]) -> npt.NDArray[np.int64]:
        """The row of each raw token or ``_``-joined entry, after back-off to its base forms.

        Args:
            words: n words; stop words are looked up like any other.

        Returns:
            The rows, int64 (n,), -1 for what is unknown.
        """
        known = self._tokens
        results = [known[w] if w in known else self._look_up(w) for w in words]
        return np.array(results, dtype=np.int64)

    def take(self, rows: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """The vectors of rows.

        Args:
            rows: Rows (n,).

        Returns:
            Their vectors, float32 (n, dim); the zero vector for row -1.
        """
        index = np.asarray(rows, dtype=np.int64)
        vectors: npt.NDArray[np.float32] = np.asarray(self._matrix[index], dtype=np.float32)
        if self._scale is not None:
            vectors *= self._scale
        vectors[index < 0] = 0.0
        return vectors

    def phrase(self, text: str) -> npt.NDArray[np.float32]:
        """The mean of the vectors of the content words.

        Args:
            text: A phrase or a sentence.

        Returns:
            The mean, float32 (dim,); zeros if no word is known.
        """
        mean: npt.NDArray[np.float32] = self.texts([text])[0]
        return mean

    def phrases(
        self, graphs: Sequence[RoleGraph], nodes: Sequence[Sequence[Node]]
    ) -> npt.NDArray[np.float32]:
        """The vectors of nodes, one graph's behind another's.

        A node is the mean of the words of its label, wherever it stands.

        Args:
            graphs: Parses.
            nodes: The wanted nodes of each, n in all.

        Returns:
            The vectors, float32 (n, dim).
        """
        return self.texts([node.label for row in nodes for node in row])

    def texts(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """The means of the content words of many texts at once.

        Args:
            texts: n texts.

        Returns:
            The means, float32 (n, dim).
        """
        return self.means(*self.content_rows(texts))

    def content_rows(
        self, texts: Sequence[str]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The rows of the known content words of all texts, one text behind another.

        Args:
            texts: n texts.

        Returns:
            The rows, int64 (words,), and their ends, int64 (n + 1,): text i has those from
            ``ends[i]`` to ``ends[i + 1]``.
        """
        known = self._in_phrase
        rows: list[int] = []
        ends = np.empty(len(texts) + 1, dtype=np.int64)
        ends[0] = 0
        for number, text in enumerate(texts, start=1):
            for token in text.split():
                row = known.get(token)
                if row is None:
                    row = self._look_up_content(token)
                if row >= 0:
                    rows.append(row)
            ends[number] = len(rows)
        return np.array(rows, dtype=np.int64), ends

    def means(
        self,
        rows: npt.NDArray[np.int64],
        ends: npt.NDArray[np.int64],
        weights: npt.NDArray[np.float32] | None = None,
    ) -> npt.NDArray[np.float32]:
        """The means over stretches of rows, as ``content_rows`` gives them.

        Args:
            rows: Rows (words,).
            ends: Where each stretch begins and ends (n + 1,).
            weights: How much each word counts (words,), all of them alike if None.

        Returns:
            The means, float32 (n, dim); the mean of nothing is the zero vector.
        """
        means = stretch_means(self._matrix, rows, ends, weights)
        if self._scale is not None:
            means *= self._scale
        return means

    # A full dictionary is replaced and not emptied: another thread may be reading it.

    def _look_up(self, token: str) -> int:
        if len(self._tokens) >= _CACHE_LIMIT:
            self._tokens = {}
        row = self._tokens[token] = self._resolve(spellings(token))
        return row

    def _look_up_content(self, token: str) -> int:
        if len(self._in_phrase) >= _CACHE_LIMIT:
            self._in_phrase = {}
        row = self._look_up(token) if normalize(token) else _UNKNOWN
        self._in_phrase[token] = row
        return row

    def _resolve(self, forms: Sequence[str]) -> int:
        row_of = self._row_of
        for form in forms:
            if form in row_of:
                return row_of[form]
        for form in forms:
            for base in lemma_candidates(form):
                if base in row_of:
                    return row_of[base]
        return _UNKNOWN


def _reopen(folder: Path) -> WordVectors:
    return WordVectors(read_table(folder))


def _numberbatch_table() -> Path:
    return home() / "vectors" / "numberbatch"


def _numberbatch_folder() -> Path:
    from compsim.storage.downloads import local_path

    source, folder = local_path("numberbatch"), _numberbatch_table()
    if source.exists():
        return ensure_table(source, folder, name="numberbatch")
    if not folder.exists():
        raise DataError("the Numberbatch vectors are not there; run `compsim download numberbatch`")
    return folder
