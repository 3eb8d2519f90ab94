"""Datasets of rated sentence pairs: STS3k, the other STS datasets, files of one's own.

>>> from compsim.benchmarks.datasets import open_dataset, open_sts3k
>>> data = open_sts3k("compositional-semantics-eval")  # doctest: +SKIP
>>> sick = open_dataset("SICK_trial.txt")  # doctest: +SKIP
>>> mine = open_dataset("mine.csv", first="a", second="b", rating="mean")  # doctest: +SKIP
>>> mine.problems  # doctest: +SKIP
('mine.csv, line 7: the rating is empty: left out',)
"""

from compsim.benchmarks.datasets.sts.fetch import fetch_sts3k
from compsim.benchmarks.datasets.sts.opening import open_dataset
from compsim.benchmarks.datasets.sts.pairs import Dataset, SentencePair
from compsim.benchmarks.datasets.sts.sts3k import (
    PUBLISHED_AMR,
    PUBLISHED_ROLES,
    SOURCE,
    STS3k,
    open_sts3k,
)

__all__ = [
    "PUBLISHED_AMR",
    "PUBLISHED_ROLES",
    "SOURCE",
    "Dataset",
    "STS3k",
    "SentencePair",
    "fetch_sts3k",
    "open_dataset",
    "open_sts3k",
]
