"""Sentence vectors by what stays of the order or the spread of word vectors: DCT, power means.

All words of a sentence count here, stop words too, each as it stands and in its order; a word
without a vector is left out, and a sentence without a word that has one is the zero vector.

>>> from compsim.vectors import WordVectors
>>> vectors = WordVectors.from_arrays(["cats", "mice", "chase"], [[1, 0], [0, 1], [1, 1]])
>>> dct = DctMethod(vectors, k=1)
>>> dct.similarity_pairwise(["cats chase mice"], ["mice chase cats"]).round(3).tolist()
[0.455]
>>> plain = DctMethod(vectors, k=0)
>>> plain.similarity_pairwise(["cats chase mice"], ["mice chase cats"]).round(3).tolist()
[1.0]
"""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from compsim.embeddings.arithmetic import WordVectorMethod
from compsim.errors import InputError
from compsim.method import MethodInfo
from compsim.vectors import KeyedVectors, WordVectors

if TYPE_CHECKING:
    from compsim.embeddings.postprocess import Normalizer

__all__ = ["DctMethod", "PowerMeansMethod"]

Floats = npt.NDArray[np.float64]

#: What stands around words and is no part of them.
_MARKS: Final = "\"'`.,;:!?()[]{}\u2018\u2019\u201c\u201d\u2026"
#: The most coefficients or powers there can be.
_MOST: Final = 64


class _Sequence(WordVectorMethod):
    """A vector made of the sequence of word vectors of a sentence."""

    @property
    @abstractmethod
    def parts(self) -> int:
        """Number of concatenated vectors."""

    @abstractmethod
    def _combined(self, words: Floats) -> Floats:
        """Return the vector of a sentence's word vectors (n, dim), n above 0."""

    def embed(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        """The vector of each sentence, float32 (n, parts * dim)."""
        values = np.zeros((len(sentences), self.parts * self.vectors.dim), dtype=np.float32)
        tokens = [
            [word for token in text.split() if (word := token.strip(_MARKS))] for text in sentences
        ]
        rows = self.vectors.rows([word for words in tokens for word in words])
        ends = np.cumsum([0, *map(len, tokens)])
        for place in range(len(sentences)):
            known = rows[ends[place] : ends[place + 1]]
            known = known[known >= 0]
            if len(known):
                values[place] = self._combined(self.vectors.take(known).astype(np.float64))
        return values


class DctMethod(_Sequence):
    """The cosine of the first coefficients of a discrete cosine transform along the words.

    Almarwani, Aldarmaki and Diab 2019: coefficient j of n words is the sum of word i times
    cos(pi / n * (i + 1/2) * j), scaled as in an orthonormal DCT-II; those from 0 to k are put one
    behind the other, zeros where a sentence has fewer words. Coefficient 0 is the mean times the
    square root of n, so that ``k=0`` is the mean of all words.

    - ``vectors``: what ``WordVectors.open`` takes;
    - ``k``: the last coefficient, from 0; 1 by default;
    - ``normalize``: see ``EmbeddingMethod``.

    Raises ``InputError`` for a ``k`` that is no number of a coefficient.
    """

    info = MethodInfo("dct", "cosine of the first DCT coefficients along the word vectors")

    def __init__(
        self,
        vectors: str | Path | WordVectors | KeyedVectors | None = None,
        k: int = 1,
        normalize: str | Path | Normalizer = "none",
    ) -> None:
        super().__init__(vectors, normalize)
        if isinstance(k, bool) or not isinstance(k, int) or not 0 <= k < _MOST:
            raise InputError(
                f"k={k!r} is no coefficient: give a whole number from 0 to {_MOST - 1}"
            )
        self.k = k

    @property
    def space(self) -> str:
        """The coefficients and the word vectors."""
        return f"{self.info.name} {self.k} {self.vectors.space}"

    @property
    def parts(self) -> int:
        """Number of coefficients."""
        return self.k + 1

    def _combined(self, words: Floats) -> Floats:
        count = len(words)
        orders = np.arange(self.parts)[:, None]
        basis = np.cos(np.pi / count * (np.arange(count) + 0.5) * orders) * np.sqrt(2 / count)
        basis[0] = np.sqrt(1 / count)
        basis[count:] = 0.0
        values: Floats = (basis @ words).reshape(-1)
        return values


class PowerMeansMethod(_Sequence):
    """The cosine of several power means of the word vectors, one behind the other.

    Rueckle, Eger, Peyrard and Gurevych 2018: the mean, the minimum and the maximum of each feature,
    and by its power p, ((x_1^p + ... + x_n^p) / n)^(1/p), of odd p.

    - ``vectors``: what ``WordVectors.open`` takes;
    - ``powers``: "min", "max", and odd whole numbers from 1, with a plus between; "1+min+max" by
      default;
    - ``normalize``: see ``EmbeddingMethod``; the authors take z-scores.

    Raises ``InputError`` for a power that is none of these.
    """

    info = MethodInfo("power-means", "cosine of concatenated power means of the word vectors")

    def __init__(
        self,
        vectors: str | Path | WordVectors | KeyedVectors | None = None,
        powers: str | int = "1+min+max",
        normalize: str | Path | Normalizer = "none",
    ) -> None:
        super().__init__(vectors, normalize)
        self.powers = tuple(map(_power, str(powers).split("+")))

    @property
    def space(self) -> str:
        """The powers and the word vectors."""
        return f"{self.info.name} {'+'.join(map(str, self.powers))} {self.vectors.space}"

    @property
    def parts(self) -> int:
        """Number of means."""
        return len(self.powers)

    def _combined(self, words: Floats) -> Floats:
        return np.concatenate([_power_mean(words, power) for power in self.powers])


def _power(text: str) -> int | str:
    """Return a power by its name or number."""
    name = text.strip()
    if name in ("min", "max"):
        return name
    if not name.isdecimal() or int(name) % 2 == 0 or int(name) >= _MOST:
        raise InputError(
            f"powers has {text!r}: give min, max or odd whole numbers from 1, with a plus between, "
            'such as "1+3+min+max"'
        )
    return int(name)


def _power_mean(words: Floats, power: int | str) -> Floats:
    """Return a power mean (dim,) of word vectors (n, dim); odd roots keep the sign."""
    if power == "min" or power == "max":
        extreme: Any = words.min(axis=0) if power == "min" else words.max(axis=0)
        return np.asarray(extreme, dtype=np.float64)
    mean = (words ** int(power)).mean(axis=0)
    return np.asarray(np.sign(mean) * np.abs(mean) ** (1 / int(power)), dtype=np.float64)
