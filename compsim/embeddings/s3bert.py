"""S3BERT: a sentence vector cut into pieces, one for each of fifteen aspects of meaning.

Opitz and Frank 2022 train a sentence transformer so that the cosine of a piece of its vectors
follows one similarity of the two sentences' AMRs, of negation say; what is left of the vector, the
residual, holds the rest. The score is the cosine of the whole vectors, to which each piece adds its
share.

>>> ASPECTS[0], ASPECTS[3], len(ASPECTS)
('concepts', 'negation', 15)
>>> from compsim import load
>>> method = load("s3bert", model="FOLDER")  # doctest: +SKIP
>>> method.aspects(["Cats sleep."], ["Cats do not sleep."])["negation"]  # doctest: +SKIP
array([0.31])
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from compsim.embeddings.batch import VectorBatch
from compsim.embeddings.sentence_transformer import SentenceTransformerMethod
from compsim.errors import DataError, InputError
from compsim.explanation import RoleRow
from compsim.graph import Node
from compsim.kernels.cosine import cosines, unit_rows
from compsim.method import MethodInfo
from compsim.storage.places import home
from compsim.transformers import hub

if TYPE_CHECKING:
    from compsim.embeddings.postprocess import Normalizer

__all__ = ["ASPECTS", "S3Bert"]

#: What each piece follows, in the order of the authors' configuration.
ASPECTS: Final = (
    *("concepts", "frames", "named entities", "negation", "coreference", "semantic roles"),
    *("smatch", "unlabelled smatch", "in-degree", "out-degree", "degree", "root"),
    *("quantifiers", "wlk", "wwlk"),
)

_RESIDUAL: Final = "residual"
_MODEL: Final = "s3bert_all-mpnet-base-v2"
_SOURCE: Final = f"https://www.cl.uni-heidelberg.de/~opitz/data/{_MODEL}.tar.gz"


class S3Bert(SentenceTransformerMethod):
    """The cosine of S3BERT vectors, and of their pieces.

    - ``model``: the folder of an unpacked model; by default the authors' s3bert_all-mpnet-base-v2
      in ``models/`` of compsim's data folder;
    - ``aspect_size``: the length of a piece, as the model's configuration names it; by default one
      twenty-fourth of the vector's: 16 of 384, as the authors publish it for MiniLM;
    - ``device``, ``batch_size``, ``normalize``: see ``SentenceTransformerMethod``.

    Tested on a random sentence transformer; the published models have not been run.
    """

    info = MethodInfo(
        name="s3bert",
        summary="cosine of S3BERT vectors, in fifteen aspects and a rest (Opitz and Frank 2022)",
        needs=("transformers",),
    )

    def __init__(
        self,
        model: str | Path | None = None,
        aspect_size: int | None = None,
        device: str | None = None,
        batch_size: int = 32,
        normalize: str | Path | Normalizer = "none",
    ) -> None:
        chosen = _MODEL if model is None else model
        if model is None and hub.find(_MODEL).folder is None:
            raise DataError(
                f"the model {_MODEL} is not on this machine: unpack {_SOURCE} as the folder "
                f"{home() / 'models' / _MODEL}, or give model=FOLDER"
            )
        super().__init__(chosen, device, batch_size=batch_size, normalize=normalize)
        self.aspect_size = max(1, self.dim // 24) if aspect_size is None else aspect_size
        most = self.dim // len(ASPECTS)
        if isinstance(aspect_size, bool) or not 1 <= self.aspect_size <= most:
            raise InputError(
                f"aspect_size={aspect_size!r} does not fit a vector of {self.dim}: give a whole "
                f"number from 1 to {most}, as the model's configuration names it"
            )

    def pieces(self) -> dict[str, slice]:
        """Return the slice of the vector of each aspect, and of the residual."""
        size = self.aspect_size
        result = {name: slice(i * size, (i + 1) * size) for i, name in enumerate(ASPECTS)}
        return {**result, _RESIDUAL: slice(len(ASPECTS) * size, self.dim)}

    def aspects(
        self, a: VectorBatch | Iterable[str], b: VectorBatch | Iterable[str]
    ) -> dict[str, npt.NDArray[np.float64]]:
        """The cosine of each sentence of a and the one at its place in b, by aspect: float64 (n,).

        Raises ``InputError`` where a and b are not equally long.
        """
        first, second = self._batch(a), self._batch(b)
        if len(first) != len(second):
            raise InputError(
                f"the first list has {len(first)} sentences and the second {len(second)}: give as "
                "many of each"
            )
        first.check(second)
        result = {}
        for name, place in self.pieces().items():
            x, y = (unit_rows(batch.vector[:, place]) for batch in (first, second))
            result[name] = cosines(x, y, first.texts, second.texts)
        return result

    def _rows(self, sentences: list[str], score: float) -> tuple[list[RoleRow], str]:
        """A row for each piece: its cosine, and the share of the two vectors that it is."""
        batch = self.encode(sentences)
        x, y = batch.unit.astype(np.float64)
        if self._normalizer is not None or not x.any() or not y.any():
            return super()._rows(sentences, score)
        rows = []
        for name, place in self.pieces().items():
            p, q = x[place], y[place]
            weight = float(np.sqrt(p @ p) * np.sqrt(q @ q))
            product = float(p @ q)
            where = Node(f"{place.start}:{place.stop}")
            cosine = max(-1.0, min(1.0, product / weight)) if weight > 0 else 0.0
            rows.append(RoleRow(name, where, where, cosine, weight, product))
        note = "A row is a piece of the vectors, its weight the product of that piece's lengths."
        return rows, note
