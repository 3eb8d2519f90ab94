"""compsim methods as mteb models, rated sentence pairs and triples as mteb tasks.

mteb compares vectors; what a method encodes need not be vectors. So ``encode`` keeps the encoded
sentences and gives mteb their numbers, and ``similarity`` looks them up. Read ``spearman`` and
``pearson``: mteb's ``cosine_`` figures are of those numbers and mean nothing.

>>> from compsim import load
>>> model = MtebModel(load("verbnet-cn"))  # doctest: +SKIP
>>> task = sts_task(open_sts3k("compositional-semantics-eval"))  # doctest: +SKIP
>>> mteb.evaluate(model, task)  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from compsim._version import __version__
from compsim.batches import Encoded
from compsim.integrations.mteb_tasks import (
    events_adapt_task,
    import_mteb,
    pairs_task,
    sts3k_task,
    sts_task,
    sugarcrepe_pp_task,
    triples_task,
)
from compsim.method import Method

__all__ = [
    "MtebModel",
    "events_adapt_task",
    "pairs_task",
    "sts3k_task",
    "sts_task",
    "sugarcrepe_pp_task",
    "triples_task",
]


class MtebModel:
    """A method with the interface of an mteb encoder; any mteb task that compares pairs will do."""

    def __init__(self, method: Method[Any]) -> None:
        self.method = method
        self._batches: list[Encoded] = []
        self._joined: Encoded | None = None
        self._count = 0

    @property
    def mteb_model_meta(self) -> Any:
        """The model's metadata: a similarity function of its own."""
        import_mteb()
        from mteb.models.model_meta import ModelMeta, ScoringFunction

        # What mteb asks for is mostly about weights on a hub, of which a method need have none.
        unknown = {
            name: None for name, field in ModelMeta.model_fields.items() if field.is_required()
        }
        return ModelMeta(
            **unknown
            | {
                "name": f"compsim/{self.method.info.name}",
                "revision": __version__,
                "languages": ["eng-Latn"],
                "similarity_fn_name": ScoringFunction.CUSTOM,
                "framework": ["NumPy"],
                "use_instructions": False,
            }
        )

    def encode(self, inputs: Iterable[Any], **_: Any) -> npt.NDArray[np.float64]:
        """Encode batches of ``{"text": [...]}``; one row for each sentence, its number and 1."""
        texts = [text for batch in inputs for text in batch["text"]]
        if not texts:
            return np.zeros((0, 2))
        self._batches.append(self.method.encode(texts))
        self._joined = None
        numbers = np.arange(self._count, self._count + len(texts), dtype=np.float64)
        self._count += len(texts)
        return np.column_stack([numbers, np.ones(len(texts))])

    def similarity(self, embeddings1: Any, embeddings2: Any) -> npt.NDArray[np.float32]:
        """Score all pairs of two lists of what ``encode`` gave, float32 (n, m)."""
        return self.method.similarity(self._taken(embeddings1), self._taken(embeddings2))

    def similarity_pairwise(self, embeddings1: Any, embeddings2: Any) -> npt.NDArray[np.float64]:
        """Score pairs of what ``encode`` gave, float64 (n,)."""
        first, second = self._taken(embeddings1), self._taken(embeddings2)
        return self.method.similarity_pairwise(first, second)

    def _taken(self, embeddings: Any) -> Encoded:
        if self._joined is None:
            self._joined = type(self._batches[0]).concat(self._batches)
            self._batches = [self._joined]
        rows = np.atleast_2d(np.asarray(embeddings))
        return self._joined[rows[:, 0].round().astype(np.int64)]
