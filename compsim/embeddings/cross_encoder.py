"""Cross-encoders: a transformer reads two sentences together and gives one number.

>>> from compsim import load
>>> method = load("cross-encoder", model="cross-encoder/stsb-roberta-base")  # doctest: +SKIP
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from compsim.embeddings.sentence_pairs import PairMethod, SentenceBatch
from compsim.errors import DataError, InputError
from compsim.method import MethodInfo
from compsim.plain_text import plain
from compsim.transformers import hub
from compsim.transformers.token_states import check_batch_size

__all__ = ["CrossEncoderMethod"]


class CrossEncoderMethod(PairMethod):
    """The mean of what a cross-encoder gives two sentences in either order.

    - ``model``: a folder or the hub name of any cross-encoder of sentence-transformers;
    - ``label``: for a model with several classes, the number of the class whose probability is the
      score, such as that of entailment;
    - ``device``, ``batch_size``, ``trust_remote_code``: as for ``sbert``.

    The score lies in [0, 1] and is symmetric; a blank text is like nothing, and what a sentence
    scores with itself is the model's affair. Raises ``DataError`` for a model that is missing or
    damaged, ``InputError`` for a ``label`` that it does not have, or none where it has several.
    """

    info = MethodInfo(
        name="cross-encoder",
        summary="what a cross-encoder of sentence-transformers gives a pair, in either order",
        lowest=0.0,
        identity=None,
        needs=("transformers",),
    )

    def __init__(
        self,
        model: str | Path,
        label: int | None = None,
        device: str | None = None,
        batch_size: int = 32,
        trust_remote_code: bool = False,
    ) -> None:
        self.batch_size = check_batch_size(batch_size)
        self.source = hub.find(model)
        self.model = self._open(device, trust_remote_code)
        classes = int(self.model.config.num_labels)
        if (label is None) != (classes == 1) or not 0 <= (label or 0) < classes:
            raise InputError(
                f"label={label!r} does not fit {self.source.name}, which has {classes} "
                f"class{'es' * (classes > 1)}: give "
                + ("the number of one of them" if classes > 1 else "none")
            )
        self.label = label

    def _open(self, device: str | None, trust: bool) -> Any:
        from sentence_transformers import CrossEncoder

        with hub.opening(self.source):
            return CrossEncoder(
                self.source.name,
                device=hub.check_device(device),
                trust_remote_code=trust,
                local_files_only=self.source.local_only,
            )

    def _pairwise(self, a: SentenceBatch, b: SentenceBatch) -> npt.NDArray[np.float64]:
        sides = zip(map(plain, a.texts), map(plain, b.texts), strict=True)
        pairs = {place: pair for place, pair in enumerate(sides) if all(pair)}
        out = np.zeros(len(a))
        if pairs:
            content = self._read([*pairs.values(), *((y, x) for x, y in pairs.values())])
            out[list(pairs)] = (content[: len(pairs)] + content[len(pairs) :]) / 2.0
        return out

    def _read(self, pairs: list[tuple[str, str]]) -> npt.NDArray[np.float64]:
        """Return the model's scores of the pairs, in [0, 1]."""
        import torch

        activation = torch.nn.Sigmoid() if self.label is None else torch.nn.Softmax(dim=-1)
        given = self.model.predict(
            pairs,
            batch_size=self.batch_size,
            activation_fn=activation,
            show_progress_bar=False,
        )
        scores = np.asarray(given, dtype=np.float64)
        result: npt.NDArray[np.float64] = scores if self.label is None else scores[:, self.label]
        if not np.isfinite(result).all():
            raise DataError(f"{self.source.name} gives no finite number: the model is damaged")
        return result
