"""The moves of the shipped parser: heads and labels of words, by the transitions that it learned.

Labels such as ``pobj||prep`` lift an arc to keep the tree projective (Nivre and Nilsson 2005); it
is lowered again at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.parsers.pipeline.transitions import KINDS, Scorer, parse

__all__ = ["Moves"]

Floats = npt.NDArray[np.float32]

_LIFTED: Final = "||"


class Moves:
    """The scoring weights and moves of a parser that looks at eight words.

    ``names`` of the moves are spaCy's ("L-nsubj"), ``weights`` those of the pipeline by name.
    ``labels`` are the dependency labels by the numbers that :meth:`run` gives.
    """

    def __init__(self, names: Sequence[str], weights: Mapping[str, Floats]) -> None:
        labels = {name[2:] for name in names if name[2:]}
        # Those that lifted arcs are lowered to as well: nothing is added while texts are read.
        labels |= {label.partition(_LIFTED)[0] for label in labels}
        self.labels = ["ROOT", *sorted(labels - {"ROOT"})]
        self._lifted = np.array([_LIFTED in label for label in self.labels])
        kinds = np.array([KINDS.index(name[0]) for name in names])
        order = np.argsort(kinds, kind="stable")  # moves of one kind are neighbours
        self._starts = np.searchsorted(kinds[order], np.arange(len(KINDS) + 1))
        self._label = np.array(
            [self.labels.index(names[i][2:]) if names[i][2:] else 0 for i in order], dtype=np.int32
        )
        # Pieces of the maxout first, so that the maximum runs over whole vectors.
        lower = weights["lower_weights"].transpose(0, 2, 1, 3)  # (words, pieces, hidden, in)
        self._project = np.ascontiguousarray(lower.reshape(-1, lower.shape[3]).T)
        self._missing = weights["lower_missing"][0].transpose(0, 2, 1).ravel()
        self._scorer = Scorer(
            np.ascontiguousarray(weights["lower_bias"].T.ravel()),
            lower.shape[1],
            np.ascontiguousarray(weights["upper_weights"][order].T),
            weights["upper_bias"][order],
        )

    def run(
        self,
        vectors: npt.NDArray[np.float32],
        starts: npt.NDArray[np.int64],
        spaces: npt.NDArray[np.bool_],
        compiled: bool,
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Heads, counted from the sentence's first word, and label numbers, int32 (words,) each.

        ``vectors`` (words, in) are float32; a sentence is its words ``starts[i]:starts[i + 1]``;
        ``spaces`` marks white space, which no lowered arc may point to. A root is its own head.
        """
        flat = np.empty((len(vectors) + 1, len(self._missing)), dtype=np.float32)
        np.matmul(vectors, self._project, out=flat[:-1])
        flat[-1] = self._missing
        projected = flat.reshape(len(flat), -1, len(self._scorer.bias))
        heads = np.empty(len(vectors), dtype=np.int32)
        labels = np.empty(len(vectors), dtype=np.int32)
        run = parse
        if compiled:
            from compsim.parsers.pipeline import kernel

            run = kernel.parse
        run(projected, starts, self._scorer, self._starts, self._label, heads, labels)
        for i in np.flatnonzero(self._lifted[labels]).tolist():
            sentence = int(np.searchsorted(starts, i, side="right")) - 1
            own = slice(starts[sentence], starts[sentence + 1])
            self._lower(i - int(starts[sentence]), heads[own], labels[own], spaces[own])
        return heads, labels

    def _lower(
        self,
        word: int,
        heads: npt.NDArray[np.int32],
        labels: npt.NDArray[np.int32],
        spaces: npt.NDArray[np.bool_],
    ) -> None:
        """Give a lifted arc the nearest word below its head that has the label it names."""
        own, wanted = self.labels[labels[word]].split(_LIFTED)
        labels[word] = self.labels.index(own)
        level = [int(heads[word])]
        while level:
            below = [
                kid
                for top in level
                for kid in np.flatnonzero(heads == top).tolist()
                if kid not in (top, word) and not spaces[kid]
            ]
            results = [kid for kid in below if self.labels[labels[kid]] == wanted]
            if results:
                heads[word] = results[0]
                return
            level = below
