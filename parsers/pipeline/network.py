"""The shipped pipeline's network: tags of words, and what the transitions look at.

A word's embedding depends on nothing but the word (:mod:`words`). Four convolutions let it see its
neighbours; tags and the input of the parser follow from two products more. Many sentences at once
go through compiled steps (:mod:`kernel`): what a word gives to the first convolution is computed
once, and the others are one matrix product each over all words of a batch. A few go through numpy
alone, which needs no compiled code. Results are alike up to rounding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from compsim.parsers.pipeline.words import hashed_rows

__all__ = ["PAD", "Network"]

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

#: Rows of zeros between sentences: one for each convolution, so that no sentence sees another.
PAD = 4


class Network:
    """Weights of a pipeline of ``weights/pipeline.cfg``: a CNN under a tagger and a parser.

    ``weights`` has them by name, ``seeds`` are those of the embedded attributes.
    """

    def __init__(self, weights: Mapping[str, Floats], seeds: Sequence[int]) -> None:
        self._tables = [(weights[f"embedding_{i}"], seed) for i, seed in enumerate(seeds)]
        self._mix = _Maxout("mix", weights)
        self._layers = [_Convolution(f"convolution_{i}", weights) for i in range(PAD)]
        self._tag = weights["tag_weights"].T.copy(), weights["tag_bias"]
        self._reduce = weights["reduce_weights"].T.copy(), weights["reduce_bias"]
        self.width: int = self._mix.gain.shape[0]

    def embed(self, attributes: npt.NDArray[np.uint64]) -> Floats:
        """Return embeddings (n, width) of hashed attributes (n, columns)."""
        parts = []
        for column, (table, seed) in zip(attributes.T, self._tables, strict=True):
            rows = hashed_rows(column, seed, len(table))
            parts.append(table[rows].sum(axis=1))
        return self._mix.apply(np.hstack(parts))

    def run(
        self, table: Floats, rows: Rows, starts: Rows, compiled: bool
    ) -> tuple[npt.NDArray[np.int64], Floats]:
        """Tags and transition inputs of all words.

        ``table`` (m, width) has embeddings, ``rows`` (words,) the one of each word, ``starts``
        (sentences + 1,) where each sentence begins. Returns tag numbers (words,) and float32
        (words, hidden).
        """
        lengths = np.diff(starts)
        place = np.arange(len(rows)) + PAD * (1 + np.repeat(np.arange(len(lengths)), lengths))
        x = np.zeros((len(rows) + PAD * (len(lengths) + 1), self.width), np.float32)
        x[place] = table[rows]
        if compiled:
            reached = _reached(place, len(x), len(self._layers))
            first, *others = self._layers
            window = first.apply_to_words(x, reached[0], reached[1], place, table, rows)
            for layer, own, following in zip(others, reached[1:-1], reached[2:], strict=True):
                window = layer.apply_to(x, own, following, window)
        else:
            for layer in self._layers:
                x += layer.apply(_windows(x))
        encoded = x[place]
        tags = (encoded @ self._tag[0] + self._tag[1]).argmax(axis=1)
        return tags, encoded @ self._reduce[0] + self._reduce[1]


class _Maxout:
    """One layer: products, the maximum of some pieces, normalised."""

    def __init__(self, name: str, weights: Mapping[str, Floats]) -> None:
        own, bias = weights[f"{name}_weights"], weights[f"{name}_bias"]  # (out, pieces, in)
        flat = own.transpose(1, 0, 2).reshape(-1, own.shape[2])
        self.weights = np.ascontiguousarray(flat.T)
        self.bias = np.ascontiguousarray(bias.T)  # (pieces, out)
        self.gain, self.shift = weights[f"{name}_gain"], weights[f"{name}_shift"]

    def apply(self, x: Floats) -> Floats:
        """Return the output (n, out) for rows (n, in)."""
        pieces = (x @ self.weights).reshape(len(x), *self.bias.shape)
        best = (pieces + self.bias).max(axis=1)
        best -= best.mean(axis=1, keepdims=True)
        scale = np.sqrt(np.square(best).mean(axis=1, keepdims=True) + np.float32(1e-8))
        result: Floats = best / scale * self.gain + self.shift
        return result


class _Convolution(_Maxout):
    """One residual layer over windows of three words, in plain numpy or in compiled steps."""

    def __init__(self, name: str, weights: Mapping[str, Floats]) -> None:
        super().__init__(name, weights)
        # What a word gives to the window of the next, to its own and to that of the one before.
        self._of_word = np.hstack(np.split(self.weights, 3))

    def apply_to(self, x: Floats, rows: Rows, following: Rows, window: Floats) -> Floats:
        """Add the layer's output to ``x[rows]``, in place.

        ``window`` (len(rows), 3 * width) has those rows, each with the ones before and after it;
        returns the windows of the ``following`` rows.
        """
        return self._activate(window @ self.weights, x, rows, following)

    def apply_to_words(
        self,
        x: Floats,
        rows: Rows,
        following: Rows,
        place: Rows,
        table: Floats,
        entries: Rows,
    ) -> Floats:
        """``apply_to`` where ``x[place]`` is ``table[entries]``, else zero: once for a word."""
        from compsim.parsers.pipeline.kernel import add_windows

        words = np.flatnonzero(np.bincount(entries))
        parts = np.zeros((len(words) + 1, self._of_word.shape[1]), dtype=np.float32)
        np.matmul(table[words], self._of_word, out=parts[:-1])
        word = np.full(len(x), len(words))
        word[place] = np.searchsorted(words, entries)
        pieces = np.empty((len(rows), self.bias.size), dtype=np.float32)
        add_windows(parts.reshape(len(parts), 3, -1), word, rows, pieces)
        return self._activate(pieces, x, rows, following)

    def _activate(self, pieces: Floats, x: Floats, rows: Rows, following: Rows) -> Floats:
        from compsim.parsers.pipeline.kernel import activate

        slot = np.full(len(x), -1)
        slot[following] = np.arange(len(following))
        window = np.empty((len(following), 3 * x.shape[1]), dtype=np.float32)
        pieces = pieces.reshape(len(pieces), *self.bias.shape)
        activate(pieces, self.bias, self.gain, self.shift, x, rows, slot, window)
        return window


def _windows(x: Floats) -> Floats:
    """Each row of x (n, width) with the ones before and after it: (n, 3 * width)."""
    window = np.zeros((len(x), 3, x.shape[1]), dtype=np.float32)
    window[1:, 0], window[:, 1], window[:-1, 2] = x[:-1], x, x[1:]
    return window.reshape(len(x), -1)


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
