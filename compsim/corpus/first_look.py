"""The first look: what a method's score can be at most by the vector of the whole sentence.

``hybrid`` says how much a cosine of whole sentences allows; the score of a method of sentence
vectors is that cosine. Other methods have no such vector: all their documents are compared.

>>> from compsim import load
>>> look = FirstLook.of(load("mean-cn", vectors="builtin"))
>>> look.slope, look.most
(1.0, 0.0)
>>> FirstLook.of(load("verbnet-cn", vectors="builtin")) is None
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.batches import Encoded
from compsim.embeddings.batch import VectorBatch
from compsim.embeddings.method import EmbeddingMethod
from compsim.errors import InputError
from compsim.hybrid.batch import HybridBatch
from compsim.hybrid.method import HybridMethod
from compsim.kernels.quantization import Coded, as_it_is, quantized
from compsim.method import Method

__all__ = ["PRECISIONS", "FirstLook", "check_normalization", "coded_vectors"]

#: How the vectors of the first look are held.
PRECISIONS: Final = {"int8": quantized, "float32": as_it_is}
#: What a bound may be off by, rounded to float32.
_ROUNDING: Final = 1e-5


class FirstLook(NamedTuple):
    """A score is at most ``slope`` V + ``most``, or V; V is the cosine of ``whole``'s vectors."""

    whole: Callable[[Any], VectorBatch]
    slope: float
    most: float

    @classmethod
    def of(cls, method: Method[Any]) -> FirstLook | None:
        """That of a method; None for one whose score is bound by no cosine of whole sentences."""
        if isinstance(method, HybridMethod):
            return cls(lambda batch: batch.whole, *method.most) if _plain(method.whole) else None
        return cls(lambda batch: batch, 1.0, 0.0) if _plain(method) else None

    def unit(self, batch: Encoded) -> npt.NDArray[np.float32]:
        """The vectors of a batch at unit length, float32 (n, dim)."""
        return self.whole(batch).unit

    def bound(self, whole: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The most that the scores can be by the most that the cosines can be."""
        most = np.float32(self.slope) * whole + np.float32(self.most)
        bound: npt.NDArray[np.float32] = np.maximum(most, whole) + np.float32(_ROUNDING)
        return bound


def coded_vectors(batch: Encoded, precision: str) -> Coded:
    """The vectors of a batch as a segment holds them, whatever normalises them afterwards."""
    whole = batch.whole if isinstance(batch, HybridBatch) else batch
    assert isinstance(whole, VectorBatch)
    return PRECISIONS[precision](whole.unit)


def _plain(method: Method[Any]) -> bool:
    """Return whether a method's score is the cosine of vectors as they were encoded."""
    own = isinstance(method, EmbeddingMethod) and type(method)._matrix is EmbeddingMethod._matrix
    return own and method.normalize == "none"


def check_normalization(method: Method[Any]) -> None:
    """Raise ``InputError`` for a normalisation that would be fitted anew in each search."""
    whole = method.whole if isinstance(method, HybridMethod) else method
    if isinstance(whole, EmbeddingMethod) and whole.normalize != "none":
        try:
            whole.normalizer  # noqa: B018
        except InputError as error:
            raise InputError(
                f"normalize={whole.normalize!r} is not fitted, and a corpus has no fixed set of "
                "sentences to fit it to: give a fitted Normalizer, or the path of one"
            ) from error
