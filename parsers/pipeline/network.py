"""The shipped pipeline's network, read out of spaCy and run on whole batches.

spaCy trains, stores and loads the pipeline; for parsing in bulk its arithmetic is done here, since
most of its time goes into what is not arithmetic. A word's embedding depends on nothing but the
word, so each is computed once (by spaCy), and so is what it gives to the first convolution; the
others are one matrix product each over all words of a batch; tags and what the transitions look at
follow from two more. The results are those of spaCy up to rounding, and the tests hold them to
that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from compsim.kernels.compilation import compiled
from compsim.kernels.locks import SharedLock
from compsim.parsers.pipeline.transitions import Moves

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["PAD", "Network"]

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

#: Rows of zeros between sentences: one for each convolution, so that no sentence sees another.
PAD = 4
#: Odd factors of a 64-bit hash of a word's attributes.
_MIX = np.array([pow(0x9E3779B97F4A7C15, i, 2**64) for i in range(1, 9)], dtype=np.uint64)
#: Words whose embeddings are kept (400 bytes each).
_KEPT = 50_000


class Network:
    """Weights of a pipeline of ``weights/pipeline.cfg``: a CNN under a tagger and a parser.

    ``tags`` are the tagger's labels in the order of its scores.
    """

    def __init__(self, nlp: Language) -> None:
        embed, encode = nlp.get_pipe("tok2vec").model.layers  # type: ignore[attr-defined]
        self._embed = embed
        self.columns: list[str] = list(embed.layers[0].attrs["columns"])
        self._layers = [_Convolution(layer) for layer in encode.layers[0].layers]
        tagger: Any = nlp.get_pipe("tagger")
        softmax = tagger.model.get_ref("softmax")
        self.tags: list[str] = list(tagger.labels)
        self._tag = softmax.get_param("W").T.copy(), softmax.get_param("b")
        parser: Any = nlp.get_pipe("parser")
        reduce = parser.model.get_ref("tok2vec").layers[-1]
        self._reduce = reduce.get_param("W").T.copy(), reduce.get_param("b")
        self.moves = Moves(parser)
        self._kept = _Kept(embed.get_dim("nO"))

    def run(
        self, features: npt.NDArray[np.uint64], starts: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], Floats]:
        """Tags and transition inputs of all words.

        ``features`` (words, columns) are spaCy's lexical attributes, ``starts`` (sentences + 1)
        where each sentence begins. Returns tag numbers (words,) and float32 (words, hidden).
        """
        words = len(features)
        lengths = np.diff(starts)
        place = np.arange(words) + PAD * (1 + np.repeat(np.arange(len(lengths)), lengths))
        x = np.zeros((words + PAD * (len(lengths) + 1), self._kept.table.shape[1]), np.float32)
        table, rows = self._embeddings(features)
        x[place] = table[rows]
        reached = _reached(place, len(x), len(self._layers))
        first, *others = self._layers
        window = first.apply_to_words(x, reached[0], reached[1], place, table, rows)
        for layer, own, following in zip(others, reached[1:-1], reached[2:], strict=True):
            window = layer.apply(x, own, following, window)
        encoded = x[place]
        tags = (encoded @ self._tag[0] + self._tag[1]).argmax(axis=1)
        return tags, encoded @ self._reduce[0] + self._reduce[1]

    def _embeddings(self, features: npt.NDArray[np.uint64]) -> tuple[Floats, npt.NDArray[np.int64]]:
        """A table of embeddings (m, width), each computed once, and the row of each word (n,)."""
        features, place = _distinct(features)
        words = [word.tobytes() for word in features]
        kept = self._kept
        if len(kept.row) > _KEPT:
            kept = self._kept = _Kept(kept.table.shape[1])
        rows = [kept.row.get(word, -1) for word in words]
        if -1 in rows:
            fresh = {words[i]: i for i, row in enumerate(rows) if row < 0}
            kept.add(list(fresh), self._new(features[list(fresh.values())]))
            rows = [kept.row[word] for word in words]
        # Read last: it holds every row that was met above.
        return kept.table, np.array(rows, dtype=np.int64)[place]

    def _new(self, features: npt.NDArray[np.uint64]) -> Floats:
        """Embeddings of words that were not met before, by spaCy's own layers."""
        from thinc.types import Ragged

        data: Any = Ragged(features, np.array([len(features)], dtype=np.int32))  # type: ignore[arg-type]
        for layer in self._embed.layers[2:4]:
            data = layer.predict(data)
        rows: Floats = data.dataXd
        return rows


def _distinct(words: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.uint64], Rows]:
    """The distinct ones of words (n, columns), most of which come often, and the place of each."""
    mixed = words @ _MIX[: words.shape[1]]
    _, first, place = np.unique(mixed, return_index=True, return_inverse=True)
    rows = words[first]
    if np.array_equal(rows[place], words):  # as ever, but for words that share a hash
        return rows, place
    return words, np.arange(len(words))


class _Kept:
    """Embeddings that are kept: the row of each word in a table that grows by doubling.

    Rows are never changed, so a thread may read while another adds.
    """

    def __init__(self, width: int) -> None:
        self.row: dict[bytes, int] = {}
        self.table: Floats = np.zeros((1024, width), dtype=np.float32)
        self._lock = SharedLock()

    def add(self, words: list[bytes], vectors: Floats) -> None:
        """Keep the embeddings of words; one that another thread has added meanwhile stays."""
        with self._lock:
            new = [i for i, word in enumerate(words) if word not in self.row]
            start, stop = len(self.row), len(self.row) + len(new)
            if stop > len(self.table):
                grown = np.zeros((2 * stop, self.table.shape[1]), dtype=np.float32)
                grown[:start] = self.table[:start]
                self.table = grown
            self.table[start:stop] = vectors[new]
            for row, i in enumerate(new, start):
                self.row[words[i]] = row


class _Convolution:
    """One residual layer: window of three words, maxout of three pieces, layer norm."""

    def __init__(self, layer: Any) -> None:
        maxout, norm = (
            next(part for part in layer.walk() if part.name == name)
            for name in ("maxout", "layernorm")
        )
        weights, bias = maxout.get_param("W"), maxout.get_param("b")  # (out, pieces, in)
        flat = weights.transpose(1, 0, 2).reshape(-1, weights.shape[2])
        self._weights = np.ascontiguousarray(flat.T)
        # What a word gives to the window of the next, to its own and to that of the one before.
        self._of_word = np.hstack(np.split(self._weights, 3))
        self._bias = np.ascontiguousarray(bias.T)  # (pieces, out)
        self._gain, self._shift = norm.get_param("G"), norm.get_param("b")

    def apply(self, x: Floats, rows: Rows, following: Rows, window: Floats) -> Floats:
        """Add the layer's output to ``x[rows]``, in place.

        ``window`` (len(rows), 3 * width) has those rows, each with the ones before and after it;
        returns the windows of the ``following`` rows.
        """
        return self._activate(window @ self._weights, x, rows, following)

    def apply_to_words(
        self,
        x: Floats,
        rows: Rows,
        following: Rows,
        place: Rows,
        table: Floats,
        entries: Rows,
    ) -> Floats:
        """``apply`` where ``x[place]`` is ``table[entries]`` and the rest zero: once for a word."""
        words = np.flatnonzero(np.bincount(entries))
        parts = np.zeros((len(words) + 1, self._of_word.shape[1]), dtype=np.float32)
        np.matmul(table[words], self._of_word, out=parts[:-1])
        word = np.full(len(x), len(words))
        word[place] = np.searchsorted(words, entries)
        pieces = np.empty((len(rows), self._bias.size), dtype=np.float32)
        _add_windows(parts.reshape(len(parts), 3, -1), word, rows, pieces)
        return self._activate(pieces, x, rows, following)

    def _activate(self, pieces: Floats, x: Floats, rows: Rows, following: Rows) -> Floats:
        slot = np.full(len(x), -1)
        slot[following] = np.arange(len(following))
        window = np.empty((len(following), 3 * x.shape[1]), dtype=np.float32)
        pieces = pieces.reshape(len(pieces), *self._bias.shape)
        _activate(pieces, self._bias, self._gain, self._shift, x, rows, slot, window)
        return window


def _reached(place: Rows, count: int, layers: int) -> list[Rows]:
    """The rows that each layer is asked for, and none for the one that does not come.

    ``place`` are the rows of words among ``count``: what the last layer is asked for. A layer
    before is asked for one row more on each side.
    """
    asked = np.zeros(count, dtype=np.bool_)
    asked[place] = True
    results = [np.empty(0, dtype=np.int64)]
    for _ in range(layers):
        results.append(np.flatnonzero(asked))
        asked[:-1] |= asked[1:]
        asked[results[-1] + 1] = True
    return results[::-1]


@compiled()
def _add_windows(parts: Any, word: Any, rows: Any, out: Any) -> None:
    """Into out (rows, k): what three words in a row give; parts (words, 3, k), word (n,)."""
    for r in range(rows.shape[0]):
        i = rows[r]
        before, own, after = parts[word[i - 1], 0], parts[word[i], 1], parts[word[i + 1], 2]
        for j in range(out.shape[1]):
            out[r, j] = before[j] + own[j] + after[j]


# Sums may be split into vector lanes; the values are finite.
@compiled(fastmath={"reassoc", "contract", "nsz", "nnan"}, error_model="numpy")
def _activate(
    pieces: Any, bias: Any, gain: Any, shift: Any, x: Any, rows: Any, slot: Any, window: Any
) -> None:
    """Add to the rows of x (n, w) the normalised maximum over pieces (rows, p, w), float32 all.

    A row is put into the windows (m, 3 w) of the next row, of its own and of the last, where these
    have a slot (n,) and not -1.
    """
    width = x.shape[1]
    best = np.empty(width, dtype=np.float32)
    for r in range(rows.shape[0]):
        i = rows[r]
        # One simple loop after another: each is done in vector lanes.
        for j in range(width):
            best[j] = pieces[r, 0, j] + bias[0, j]
        for k in range(1, bias.shape[0]):
            for j in range(width):
                best[j] = max(best[j], pieces[r, k, j] + bias[k, j])
        mean = np.float32(0.0)
        for j in range(width):
            mean += best[j]
        mean /= np.float32(width)
        variance = np.float32(0.0)
        for j in range(width):
            variance += (best[j] - mean) * (best[j] - mean)
        scale = np.float32(1.0) / np.sqrt(variance / np.float32(width) + np.float32(1e-8))
        for j in range(width):
            x[i, j] += (best[j] - mean) * scale * gain[j] + shift[j]
        if slot[i] >= 0:
            window[slot[i], width : 2 * width] = x[i]
        if slot[i - 1] >= 0:
            window[slot[i - 1], 2 * width :] = x[i]
        if slot[i + 1] >= 0:
            window[slot[i + 1], :width] = x[i]
