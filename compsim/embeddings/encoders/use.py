"""Universal Sentence Encoder: any model that takes sentences as strings and gives their vectors.

Source: Cer et al. 2018. The published models are TensorFlow's; an ONNX export, together with its
tokeniser, runs without TensorFlow::

    from compsim import load
    method = load("use", model="universal-sentence-encoder_4")  # the unpacked folder
    method = load("use", model="use.onnx")
    method.similarity_pairwise(["Cats chase mice."], ["Mice chase cats."])
"""

from __future__ import annotations

import hashlib
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from compsim.embeddings.encoders.exported_graphs import (
    Graph,
    open_onnx,
    open_saved_model,
    resolve_hub,
)
from compsim.embeddings.method import EmbeddingMethod, rows_of
from compsim.errors import DataError, ServiceError
from compsim.http import host_of, is_loopback, offline, without_password
from compsim.method import MethodInfo
from compsim.storage.files import file_sha256
from compsim.storage.places import home
from compsim.storage.reading import expanded
from compsim.transformers.token_states import check_batch_size

if TYPE_CHECKING:
    from compsim.embeddings.postprocess import Normalizer

__all__ = ["UniversalSentenceEncoder"]

_PUBLISHED: Final = "https://www.kaggle.com/models/google/universal-sentence-encoder"


class UniversalSentenceEncoder(EmbeddingMethod):
    """The cosine of the vectors that a sentence encoder gives.

    - ``model``: an ``.onnx`` file whose input is strings, the folder of a SavedModel, or its
      address on TensorFlow Hub; by default the folder ``use`` in the user-data folder, which holds
      ``model.onnx`` or a SavedModel;
    - ``batch_size``: sentences at a time, those of like length together;
    - ``normalize``: see ``EmbeddingMethod``.

    A blank sentence has no vector.
    """

    info = MethodInfo(
        name="use",
        summary="cosine of the Universal Sentence Encoder's vectors (Cer et al. 2018)",
        needs=("use",),
    )

    def __init__(
        self,
        model: str | Path | None = None,
        batch_size: int = 256,
        normalize: str | Path | Normalizer = "none",
    ) -> None:
        super().__init__(normalize)
        self.batch_size = check_batch_size(batch_size)
        self.model = _find(home() / "use" if model is None else model)

    @cached_property
    def space(self) -> str:
        """The model's content or, of one on the network, its address."""
        if isinstance(self.model, str):
            return f"use {self.model}"
        digest = hashlib.blake2b(digest_size=8)
        for path in sorted(self.model.rglob("*")) if self.model.is_dir() else [self.model]:
            if path.is_file():
                name = path.relative_to(self.model).as_posix()
                digest.update(f"{name} {file_sha256(path)}\n".encode("utf-8", "surrogateescape"))
        return f"use {digest.hexdigest()}"

    def embed(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        """The vector of each sentence, float32 (n, dim); zeros where it is blank."""
        # Texts of one length are ordered too, so that a set of texts has one order.
        texts = sorted({text for text in sentences if text.strip()}, key=lambda t: (len(t), t))
        vectors: dict[str, npt.NDArray[np.float32]] = {}
        for start in range(0, len(texts), self.batch_size):
            batch = texts[start : start + self.batch_size]
            vectors.update(zip(batch, self._run(batch), strict=True))
        return rows_of(sentences, vectors, self._dim)

    @cached_property
    def _graph(self) -> Graph:
        if isinstance(self.model, Path) and self.model.is_file():
            return open_onnx(self.model)
        return open_saved_model(
            resolve_hub(self.model) if isinstance(self.model, str) else self.model
        )

    @cached_property
    def _dim(self) -> int:
        return int(self._run(["length"]).shape[1])

    def _run(self, texts: list[str]) -> npt.NDArray[np.float32]:
        rows = self._graph(texts)
        if rows.ndim != 2 or len(rows) != len(texts) or rows.dtype.kind != "f":
            raise DataError(
                f"the model {self.model} gives {rows.dtype} {rows.shape} for {len(texts)} "
                "sentences and not one vector for each: give a sentence encoder"
            )
        vectors = rows.astype(np.float32)
        if not np.isfinite(vectors).all():
            raise DataError(
                f"the model {self.model} gives vectors with NaN or infinity: give another export"
            )
        return vectors


def _find(model: str | Path) -> Path | str:
    """The ONNX file, the folder of the SavedModel, or the address, which may be asked."""
    if isinstance(model, str) and model.startswith(("http://", "https://")):
        if not host_of(model):
            raise DataError(f"{without_password(model)!r} is no address of a model: mend it")
        if _forbidden() and not is_loopback(model):
            raise ServiceError(
                f"the model {model} is not fetched since COMPSIM_OFFLINE or HF_HUB_OFFLINE is set: "
                "unset it, or give the folder of a model on this machine"
            )
        return model
    path = expanded(model)
    if path.is_file() and path.suffix == ".onnx":
        return path
    if (path / "model.onnx").is_file():
        return path / "model.onnx"
    if (path / "saved_model.pb").is_file():
        return path
    raise DataError(
        f"there is no model.onnx and no saved_model.pb at {path}: download the TensorFlow 2 model "
        f"from {_PUBLISHED} and unpack it there, or say where a model is with the option model"
    )


def _forbidden() -> bool:
    hub = os.environ.get("HF_HUB_OFFLINE", "").lower() not in ("", "0", "false", "no")
    return offline() or hub
