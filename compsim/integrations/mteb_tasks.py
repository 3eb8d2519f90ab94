"""Rated pairs, labelled pairs and triples as tasks of mteb.

Three sets in which words stay and roles change have all that mteb asks of a task, with the paper's
citation: STS3k, SugarCrepe++ for text alone, and EventsAdapt. mteb reads data from a hub; these
take it from files, and their revision is a hash of it.

>>> from compsim.benchmarks.datasets.triples import read_triples
>>> files = [read_triples(name) for name in ("swap_obj.json", "swap_att.json")]  # doctest: +SKIP
>>> task = sugarcrepe_pp_task([triple for file in files for triple in file])  # doctest: +SKIP
>>> results = mteb.evaluate(model, task)  # doctest: +SKIP
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from compsim.errors import InputError
from compsim.missing import missing

if TYPE_CHECKING:
    from compsim.benchmarks.datasets import Dataset
    from compsim.benchmarks.datasets.pairs import LabelledPair
    from compsim.benchmarks.datasets.triples import Triple

__all__ = [
    "WON",
    "events_adapt_task",
    "import_mteb",
    "pairs_task",
    "sts3k_task",
    "sts_task",
    "sugarcrepe_pp_task",
    "triples_task",
]

#: The main score of triples: the share of them that are won.
WON: Final = "triples_won"
#: Scores of the two pairs of a triple that differ by no more are tied: it is not won.
_TIE: Final = 1e-9

_ENGLISH: Final = {"eval_langs": ["eng-Latn"], "dialect": [], "modalities": ["text"]}

#: Dates run from the first preparation that is known of to print.
_STS3K: Final = {
    "reference": "https://doi.org/10.1162/coli_a_00536",
    "description": (
        "Sentence pairs rated by people, of which many have the same words in other roles: how "
        "alike are they in meaning?"
    ),
    "date": ("2022-01-01", "2025-03-31"),
    "domains": ["Constructed", "Written"],
    "task_subtypes": [],
    "license": "not specified",
    "annotations_creators": "human-annotated",
    "sample_creation": "created",
    "bibtex_citation": r"""
@article{fodor-etal-2025-compositionality,
  author = {Fodor, James and De Deyne, Simon and Suzuki, Shinsuke},
  doi = {10.1162/coli_a_00536},
  journal = {Computational Linguistics},
  number = {1},
  title = {Compositionality and Sentence Meaning: Comparing Semantic Parsing and Transformers on a
Challenging Sentence Similarity Dataset},
  volume = {51},
  year = {2025},
}
""",
}
_SUGARCREPE_PP: Final = {
    "reference": "https://arxiv.org/abs/2406.11171",
    "description": (
        "Two captions of an image that say the same in other words, and one that says something "
        "else in like words: the two must be nearer to each other than either is to the third."
    ),
    "date": ("2023-06-01", "2024-06-17"),
    "domains": ["Written"],
    "task_subtypes": ["Caption Pairing"],
    "license": "cc-by-4.0",
    "annotations_creators": "LM-generated and reviewed",
    "sample_creation": "LM-generated and verified",
    "bibtex_citation": r"""
@article{dumpala-etal-2024-sugarcrepe,
  author = {Dumpala, Sri Harsha and Jaiswal, Aman and Sastry, Chandramouli and Milios, Evangelos and
Oore, Sageev and Sajjad, Hassan},
  journal = {arXiv preprint arXiv:2406.11171},
  title = {{SUGARCREPE}++ Dataset: Vision-Language Model Sensitivity to Semantic and Lexical
Alterations},
  year = {2024},
}
""",
}
_EVENTS_ADAPT: Final = {
    "reference": "https://arxiv.org/abs/2212.01488",
    "description": (
        "An event told in the active and in the passive voice, and one with exchanged roles: the "
        "passive must be nearer to the active than the exchanged event is."
    ),
    "date": ("2020-01-01", "2022-12-02"),
    "domains": ["Constructed", "Written"],
    "task_subtypes": [],
    "license": "not specified",
    "annotations_creators": "expert-annotated",
    "sample_creation": "created",
    "bibtex_citation": r"""
@article{kauf-etal-2023-event,
  author = {Kauf, Carina and Ivanova, Anna A. and Rambelli, Giulia and Chersoni, Emmanuele and
She, Jingyuan Selena and Chowdhury, Zawad and Fedorenko, Evelina and Lenci, Alessandro},
  doi = {10.1111/cogs.13386},
  journal = {Cognitive Science},
  number = {11},
  title = {Event Knowledge in Large Language Models: The Gap Between the Impossible and the
Unlikely},
  volume = {47},
  year = {2023},
}
""",
}


def sts3k_task(data: Dataset) -> Any:
    """Return STS3k as an mteb task, with a split for each part; its main score is ``spearman``.

    :param data: what ``compsim.benchmarks.datasets.open_sts3k`` gives.
    :raises MissingExtraError: without mteb.
    """
    return sts_task(data, _STS3K)


def sugarcrepe_pp_task(triples: Sequence[Triple]) -> Any:
    """Return SugarCrepe++ for text alone as an mteb task, as its authors count.

    A triple is won where both captions are nearer to each other than either is to the foil. Its
    files are splits; the main score is the mean of the shares won.

    :param triples: what ``compsim.benchmarks.datasets.triples.read_triples`` gives of its files.
    :raises InputError: where there are no triples.
    :raises MissingExtraError: without mteb.
    """
    return triples_task(triples, "SugarCrepePlusPlusText", both=True, metadata=_SUGARCREPE_PP)


def events_adapt_task(triples: Sequence[Triple]) -> Any:
    """Return EventsAdapt as an mteb task, as ``compsim bench triples`` counts: splits by type.

    :param triples: what ``compsim.benchmarks.datasets.triples.read_triples`` gives of its file.
    :raises InputError: where there are no triples.
    :raises MissingExtraError: without mteb.
    """
    return triples_task(triples, "EventsAdaptRoles", metadata=_EVENTS_ADAPT)


def sts_task(data: Dataset, metadata: Mapping[str, Any] | None = None) -> Any:
    """Return rated pairs as an mteb task with a split for each part, scored by ``spearman``.

    :param data: the pairs, with ratings from 0 to 1.
    :param metadata: fields of mteb's ``TaskMetadata`` to set, such as a citation.
    :raises MissingExtraError: without mteb.
    """
    import_mteb()
    import datasets
    from mteb.abstasks.sts import AbsTaskSTS
    from mteb.abstasks.task_metadata import TaskMetadata

    name = re.sub(r"[^0-9A-Za-z]+", "", data.name) or "Pairs"
    known = {
        "description": f"{len(data)} sentence pairs with human ratings.",
        "reference": data.source if data.source.startswith("http") else None,
        **(metadata or {}),
    }

    class PairsTask(AbsTaskSTS):  # type: ignore[misc]  # of no known type without mteb
        min_score = 0
        max_score = 1

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

    PairsTask.metadata = TaskMetadata(
        name=name,
        dataset={"path": name, "revision": data.checksum[:12]},
        type="STS",
        category="t2t",
        eval_splits=list(data.parts),
        main_score="spearman",
        **{**_ENGLISH, **known},
    )
    return PairsTask()


def pairs_task(pairs: Sequence[LabelledPair], name: str, paper: str | None = None) -> Any:
    """Return labelled pairs as an mteb task of pair classification, scored by average precision.

    Read ``similarity_ap``: mteb's figures of other similarities are of numbers of sentences.

    :param pairs: the pairs, and whether they say the same.
    :param name: what the task is called, letters and digits.
    :param paper: the address of the paper.
    :raises MissingExtraError: without mteb.
    """
    known = {
        "description": f"{len(pairs)} pairs of texts that say the same or not.",
        "reference": paper,
    }
    rows = [(pair.first, pair.second, int(pair.same)) for pair in pairs]
    return _classification({"test": rows}, name, known, "similarity_ap")


def triples_task(
    triples: Sequence[Triple],
    name: str,
    *,
    both: bool = False,
    metadata: Mapping[str, Any] | None = None,
) -> Any:
    """Return triples as an mteb task, with a split for each kind, scored by the share won.

    A triple makes two labelled pairs, or three: mteb's own figures are of these. The main score,
    ``triples_won``, is the share of triples in which the paraphrase scores higher.

    :param triples: a text, one that says the same, and one that does not, each of some kind.
    :param name: what the task is called, letters and digits.
    :param both: whether the paraphrase, too, must score lower with the foil than with the text.
    :param metadata: fields of mteb's ``TaskMetadata`` to set, such as a citation.
    :raises InputError: where there are no triples.
    :raises MissingExtraError: without mteb.
    """
    if not triples:
        raise InputError(f"{name} has no triples: give at least one")
    splits: dict[str, list[tuple[str, str, int]]] = {}
    for kind, text, same, other in triples:
        rows = [(text, same, 1), (text, other, 0), (same, other, 0)]
        splits.setdefault(kind or "test", []).extend(rows if both else rows[:2])
    known = {
        "description": f"{len(triples)} texts, each with a paraphrase and a foil.",
        **(metadata or {}),
    }
    return _classification(splits, name, known, WON, 3 if both else 2)


def _classification(
    splits: Mapping[str, Sequence[tuple[str, str, int]]],
    name: str,
    known: Mapping[str, Any],
    main_score: str,
    of_triple: int = 0,
) -> Any:
    """Return pairs as a task of pair classification; so many pairs in a row are of one triple."""
    import_mteb()
    import datasets
    from mteb.abstasks.pair_classification import AbsTaskPairClassification
    from mteb.abstasks.task_metadata import TaskMetadata

    digest = hashlib.sha256(json.dumps(splits).encode()).hexdigest()

    class LabelledPairsTask(AbsTaskPairClassification):  # type: ignore[misc]  # as above
        def load_data(self, **_: Any) -> None:
            """Make the splits; nothing is fetched."""
            columns = ("sentence1", "sentence2", "labels")
            self.dataset = datasets.DatasetDict(
                {
                    split: datasets.Dataset.from_dict(
                        dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))
                    )
                    for split, rows in splits.items()
                }
            )
            self.data_loaded = True

        def _compute_metrics(self, similarity_scores: Any, labels: list[int]) -> dict[str, float]:
            figures: dict[str, float] = super()._compute_metrics(similarity_scores, labels)
            if of_triple:
                scores = np.asarray(similarity_scores["similarity_scores"], dtype=np.float64)
                scores = scores.reshape(-1, of_triple)
                margins = scores[:, 0] - scores[:, 1:].max(axis=1)
                figures[WON] = float((margins > _TIE).mean())
            return figures

    LabelledPairsTask.metadata = TaskMetadata(
        name=name,
        dataset={"path": name, "revision": digest[:12]},
        type="PairClassification",
        category="t2t",
        eval_splits=list(splits),
        main_score=main_score,
        **{**_ENGLISH, **known},
    )
    return LabelledPairsTask()


def import_mteb() -> None:
    """Import mteb; raises ``MissingExtraError`` where it is not installed."""
    try:
        import mteb  # noqa: F401
    except ImportError as error:
        raise missing("mteb", "mteb", error) from error
