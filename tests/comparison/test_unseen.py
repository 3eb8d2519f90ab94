"""260 triples that two people wrote who knew nothing of the library, each with its own phenomenon.

They are for measuring: no rule, word or constant was made from them, and the fit of the guard
leaves them out. Nearly half of the paraphrases are worded freely, and a third of the foils too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from compsim import Guard, load
from compsim.benchmarks.datasets.pairs import pairs_of_triples
from compsim.benchmarks.datasets.triples import read_triples
from compsim.guard.report import area

TRIPLES = read_triples(Path(__file__).with_name("unseen.tsv"))


@pytest.fixture(scope="module", params=["hybrid", "verbnet-cn"])
def method(request: pytest.FixtureRequest) -> Any:
    return load(request.param, vectors="builtin", cache=False)


def test_paraphrases_score_more_than_foils(method: Any) -> None:
    text, same, foil = (
        method.encode([getattr(triple, part) for triple in TRIPLES])
        for part in ("text", "same", "other")
    )
    won = method.similarity_pairwise(text, same) > method.similarity_pairwise(text, foil)
    assert won.mean() >= 0.75


def test_the_guard_tells_them_apart(method: Any) -> None:
    pairs = pairs_of_triples(TRIPLES)
    guard = Guard(method)
    verdicts = guard.same([pair.first for pair in pairs], [pair.second for pair in pairs])
    labels = np.array([pair.same for pair in pairs])
    probabilities = np.array([verdict.probability for verdict in verdicts])
    assert area(probabilities, labels) >= 0.75
    decided = np.array([verdict.answer != "unsure" for verdict in verdicts])
    right = np.array([bool(verdict) for verdict in verdicts]) == labels
    assert right[decided].mean() >= 0.82
