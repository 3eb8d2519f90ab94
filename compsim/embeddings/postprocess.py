"""Post-processing of sentence vectors before comparison: fitted once, applied to any.

- ``zscore`` subtracts each feature's mean and divides by its standard deviation + 0.001, as the
  STS3k paper says of all transformers (section 4.3). The per-pair values that its authors publish
  (the ``_norml`` files) are a little different: the first sentences less the mean of all first
  sentences, the second ones less that of all second ones, repeated ones counted each time, and no
  feature divided by its own deviation;
- ``abtt`` (all but the top) subtracts the mean and removes the top principal components, one for
  each 100 dimensions (Mu and Viswanath 2018);
- ``pcr`` removes the first principal component of the vectors as they are, no mean subtracted
  (Arora, Liang and Ma 2017);
- ``whitening`` makes the features uncorrelated and equally spread (Su et al. 2021);
- ``flow`` brings each feature to zero mean and unit variance and then trains a normalising flow
  (Li et al. 2020, BERT-flow), an invertible map to a standard normal distribution; PyTorch trains
  it, for some seconds with some thousand vectors (see ``compsim.embeddings.flow``).

>>> import numpy as np
>>> fitted = Normalizer.fit("zscore", np.array([[1.0, 5.0], [3.0, 5.0]]))
>>> fitted(np.array([[3.0, 5.0]], dtype=np.float32)).round(2)
array([[1., 0.]], dtype=float32)
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError, InputError
from compsim.storage.files import write_bytes
from compsim.storage.reading import MOST_UNPACKED, UNREADABLE, read_plain, shortened

if TYPE_CHECKING:
    from compsim.embeddings.flow import Flow

__all__ = ["Kind", "Normalizer"]

Kind = Literal["zscore", "abtt", "pcr", "whitening", "flow"]

_SOFTENING: Final = 0.001
_DIMENSIONS_A_COMPONENT: Final = 100
#: Directions with less than this share of the largest variance are noise of few sentences.
_NOISE: Final = 1e-6


class Normalizer:
    """A shift, a linear map of vectors and perhaps a flow; make one with ``fit`` or ``load``.

    ``mean`` float64 (dim,); ``matrix`` float64 (dim, out), or (dim,) where it is diagonal; ``flow``
    maps what comes of these, None where nothing does.
    """

    def __init__(
        self,
        kind: Kind,
        mean: npt.NDArray[np.float64],
        matrix: npt.NDArray[np.float64],
        flow: Flow | None = None,
    ) -> None:
        self.kind: Kind = kind
        self.mean = mean
        self.matrix = matrix
        self.flow = flow

    @classmethod
    def fit(
        cls, kind: Kind, vectors: npt.NDArray[Any], components: int | None = None
    ) -> Normalizer:
        """Fit to vectors (n, dim); rows of zeros, sentences without a vector, do not count.

        ``components`` is how many top components ``abtt`` removes, by default one for each 100
        dimensions.

        Raises ``InputError`` for another kind, ``MissingExtraError`` for a flow without PyTorch.
        """
        if kind not in get_args(Kind):
            raise InputError(
                f"normalize={kind!r} is not known: use none, {', '.join(get_args(Kind))}, or the "
                "path of a fitted one"
            )
        known = vectors[vectors.any(axis=1)].astype(np.float64)
        dim = vectors.shape[1]
        if not len(known):
            return cls(kind, np.zeros(dim), np.ones(dim))
        if kind == "flow":
            return cls._flow(known)
        if kind == "pcr":
            top = np.linalg.eigh(known.T @ known / len(known))[1][:, -1:]
            return cls(kind, np.zeros(dim), np.eye(dim) - top @ top.T)
        mean = known.mean(axis=0)
        if kind == "zscore":
            return cls(kind, mean, 1.0 / (known.std(axis=0) + _SOFTENING))
        centred = known - mean
        variance, directions = np.linalg.eigh(centred.T @ centred / len(known))
        # Few sentences spread in few directions; the others are as rounding left them.
        kept = variance > _NOISE * max(float(variance[-1]), 0.0)
        if kind == "abtt":
            kept[: -(components or max(1, dim // _DIMENSIONS_A_COMPONENT))] = False
            top = directions[:, kept]
            return cls(kind, mean, np.eye(dim) - top @ top.T)
        return cls(kind, mean, directions[:, kept] / np.sqrt(variance[kept]))

    @classmethod
    def _flow(cls, vectors: npt.NDArray[np.float64]) -> Normalizer:
        """Fit a flow to vectors (n, dim), at least one, whatever their order."""
        from compsim.embeddings.flow import train

        # By value and not by bytes: rounding in the last bit then hardly changes the order.
        vectors = vectors[np.lexsort(vectors.T[::-1])]
        mean, spread = vectors.mean(axis=0), vectors.std(axis=0)
        spread[spread <= _NOISE * spread.max()] = 1.0
        return cls("flow", mean, 1 / spread, train((vectors - mean) / spread))

    def __call__(self, vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The vectors (n, dim) as float32 (n, out); rows of zeros stay zero.

        Raises ``InputError`` for vectors of another length.
        """
        moved = self.moved(vectors)
        moved[~vectors.any(axis=1)] = 0.0
        return np.asarray(moved, dtype=np.float32)

    def moved(self, vectors: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """The same as float64 (n, out), whatever the rows.

        But for a flow a mean of rows gives the mean of what they give.


        Raises ``InputError`` for vectors of another length.
        """
        if vectors.shape[1] != len(self.mean):
            raise InputError(
                f"the normaliser was fitted to {len(self.mean)} dimensions and the vectors have "
                f"{vectors.shape[1]}: fit it with the same model"
            )
        centred = vectors - self.mean
        moved: npt.NDArray[np.float64] = (
            centred * self.matrix if self.matrix.ndim == 1 else centred @ self.matrix
        )
        return moved if self.flow is None else self.flow(moved)

    def save(self, path: str | Path) -> None:
        """Write it to a ``.npz`` file, in one step."""
        buffer = io.BytesIO()
        arrays: dict[str, Any] = {} if self.flow is None else self.flow.arrays()
        np.savez(buffer, kind=np.array(self.kind), mean=self.mean, matrix=self.matrix, **arrays)
        write_bytes(Path(path), buffer.getvalue())

    @classmethod
    def load(cls, path: str | Path) -> Normalizer:
        """Read what ``save`` wrote. Raises ``DataError`` for another file."""
        from compsim.embeddings.flow import Flow

        try:
            content = io.BytesIO(read_plain(Path(path)))
            if not zipfile.is_zipfile(content):  # numpy would take it for a bare array
                raise zipfile.BadZipFile("it is no .npz file")
            with zipfile.ZipFile(content) as packed:
                if sum(one.file_size for one in packed.infolist()) > MOST_UNPACKED:
                    raise ValueError(f"it has more than {MOST_UNPACKED >> 20} MiB unpacked")
            with np.load(content, allow_pickle=False) as result:
                kind = str(result["kind"])
                mean, matrix = np.asarray(result["mean"]), np.asarray(result["matrix"])
                flow = Flow.from_arrays(result) if kind == "flow" else None
            if kind not in get_args(Kind):
                raise ValueError(f"it is of kind {kind!r}")
            fits = mean.ndim == 1 and matrix.ndim in (1, 2) and len(matrix) == len(mean)
            fits = fits and (flow is None or (matrix.ndim == 1 and flow.dim == len(mean)))
            if not fits or not all(np.isfinite(part).all() for part in (mean, matrix)):
                raise ValueError("its mean and its matrix are not finite, or do not fit together")
        except (*UNREADABLE, zipfile.BadZipFile) as error:
            raise DataError(
                f"{shortened(str(path))} cannot be read as a fitted normaliser "
                f"({shortened(str(error))}): fit and save it again"
            ) from error
        return cls(kind, mean, matrix, flow)  # type: ignore[arg-type]
