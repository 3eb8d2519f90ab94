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

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from compsim._version import __version__
from compsim.batches import Encoded
from compsim.method import Method
from compsim.missing import missing

if TYPE_CHECKING:
    from compsim.benchmarks.datasets import Dataset
    from compsim.benchmarks.datasets.pairs import LabelledPair

__all__ = ["MtebModel", "pairs_task", "sts_task"]


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
        _import_mteb()
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


def sts_task(data: Dataset) -> Any:
    """Rated pairs as an mteb task, with a split for each part; its main score is ``spearman``.

    Raises ``MissingExtraError`` without mteb.
    """
    _import_mteb()
    import datasets
    from mteb.abstasks.sts import AbsTaskSTS
    from mteb.abstasks.task_metadata import TaskMetadata

    name = re.sub(r"[^0-9A-Za-z]+", "", data.name) or "Pairs"

    class PairsTask(AbsTaskSTS):  # type: ignore[misc]  # of no known type without mteb
        min_score = 0
        max_score = 1
        metadata = TaskMetadata(
            name=name,
            dataset={"path": name, "revision": data.checksum[:12]},
            description=f"{len(data)} sentence pairs with human ratings.",
            reference=data.source if data.source.startswith("http") else None,
            type="STS",
            category="t2t",
            modalities=["text"],
            eval_splits=list(data.parts),
            eval_langs=["eng-Latn"],
            main_score="spearman",
        )

        def load_data(self, **_: Any) -> None:
            """Make the splits; nothing is fetched."""
            self.dataset = datasets.DatasetDict(
                {
                    part: datasets.Dataset.from_dict(
                        {
                            "sentence1": [data.pairs[i].first for i in rows],
                            "sentence2": [data.pairs[i].second for i in rows],
                            "score": [data.pairs[i].rating for i in rows],
                        }
                    )
                    for part, rows in data.parts.items()
                }
            )
            self.data_loaded = True

    return PairsTask()


def pairs_task(pairs: Sequence[LabelledPair], name: str, paper: str | None = None) -> Any:
    """Return labelled pairs as an mteb task of pair classification, scored by average precision.

    ``compsim.benchmarks.datasets.pairs.pairs_of_triples`` makes such pairs of triples: SugarCrepe++
    for text alone, EventsAdapt. Read ``similarity_ap``: mteb's figures of other similarities are of
    numbers of sentences.

    :param pairs: the pairs, and whether they say the same.
    :param name: what the task is called, letters and digits.
    :param paper: the address of the paper.
    :raises MissingExtraError: without mteb.
    """
    _import_mteb()
    import datasets
    from mteb.abstasks.pair_classification import AbsTaskPairClassification
    from mteb.abstasks.task_metadata import TaskMetadata

    digest = hashlib.sha256(json.dumps(pairs).encode()).hexdigest()

    class LabelledPairsTask(AbsTaskPairClassification):  # type: ignore[misc]  # as above
        metadata = TaskMetadata(
            name=name,
            dataset={"path": name, "revision": digest[:12]},
            description=f"{len(pairs)} pairs of texts that say the same or not.",
            reference=paper,
            type="PairClassification",
            category="t2t",
            modalities=["text"],
            eval_splits=["test"],
            eval_langs=["eng-Latn"],
            main_score="similarity_ap",
        )

        def load_data(self, **_: Any) -> None:
            """Make the split; nothing is fetched."""
            columns = {
                "sentence1": [pair.first for pair in pairs],
                "sentence2": [pair.second for pair in pairs],
                "labels": [int(pair.same) for pair in pairs],
            }
            self.dataset = datasets.DatasetDict({"test": datasets.Dataset.from_dict(columns)})
            self.data_loaded = True

    return LabelledPairsTask()


def _import_mteb() -> None:
    try:
        import mteb  # noqa: F401
    except ImportError as error:
        raise missing("mteb", "mteb", error) from error
