"""Scores as probabilities of relevance: fitted, in order, and thresholds that may leave nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from compsim import InputError, Reranker
from compsim.retrieval import Calibration
from compsim.retrieval.calibration import fit_calibration

OPTIONS = {"vectors": "builtin"}
QUERY = "Who sold the house?"
TEXTS = [
    *("The baker sold the house.", "It rained. A nurse has sold the house.", "Ada sold her house."),
    *("The house sold the baker.", "The nurse bought a car.", "Prices fell.", "A house is a home."),
]
JUDGEMENTS = [(QUERY, text, int(i < 3)) for i, text in enumerate(TEXTS)]


def test_a_fit_finds_the_curve_that_labels_were_drawn_from() -> None:
    rng = np.random.default_rng(5)
    scores = rng.random(20_000)
    truth = Calibration(8.0, -5.0)
    result = fit_calibration(scores, rng.random(len(scores)) < truth.probabilities(scores))
    assert result.slope == pytest.approx(truth.slope, rel=0.05)
    assert result.intercept == pytest.approx(truth.intercept, rel=0.05)
    # The same on any scale.
    other = fit_calibration(
        1000 * scores - 7, rng.random(len(scores)) < truth.probabilities(scores)
    )
    assert other.probabilities([1000 * 0.5 - 7]) == pytest.approx(
        result.probabilities([0.5]), abs=0.02
    )


def test_labels_that_a_score_tells_apart_give_finite_probabilities() -> None:
    result = fit_calibration([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1])
    low, high = result.probabilities([0.1, 0.9])
    assert 0 < low < 0.4 < 0.6 < high < 1
    assert result.probabilities([-1e9, 1e9]).tolist() == pytest.approx([0, 1])


def test_scores_are_probabilities_after_a_fit_in_the_same_order() -> None:
    reranker = Reranker("verbnet-cn", **OPTIONS)
    before = reranker.rank(QUERY, TEXTS)
    raw = reranker.explain(QUERY, TEXTS[0])
    assert raw.probability is None
    assert reranker.fit(JUDGEMENTS) is reranker
    after = reranker.rank(QUERY, TEXTS)
    assert [one["corpus_id"] for one in after] == [one["corpus_id"] for one in before]
    scores = reranker.scores(QUERY, TEXTS)
    assert ((scores > 0) & (scores < 1)).all()
    assert scores[:3].min() > 0.5 > scores[3:].max()
    assert reranker.predict([(QUERY, text) for text in TEXTS]) == pytest.approx(scores, abs=1e-6)
    assert reranker.decided(QUERY, TEXTS)[0].tolist() == scores.tolist()
    why = reranker.explain(QUERY, TEXTS[0])
    assert why.probability == pytest.approx(scores[0], abs=1e-6)
    assert why.score == raw.score  # what its rows add up to
    assert why.to_dict()["probability"] == why.probability
    again = Reranker("verbnet-cn", calibration=reranker.calibration, **OPTIONS)
    assert again.scores(QUERY, TEXTS).tolist() == scores.tolist()
    # Judgements of a fitted reranker are of its scores, not of its probabilities.
    assert reranker.fit(JUDGEMENTS).calibration == again.calibration


def test_nothing_relevant_is_an_answer() -> None:
    reranker = Reranker("verbnet-cn", **OPTIONS).fit(JUDGEMENTS)
    assert len(reranker.rank(QUERY, TEXTS, score_threshold=0.5)) == 3
    assert reranker.rank(QUERY, ["Prices fell.", ""], score_threshold=0.5) == []
    assert len(reranker.rank(QUERY, TEXTS, 2, score_threshold=0.5)) == 2
    assert len(reranker.rank(QUERY, TEXTS, score_threshold=0)) == len(TEXTS)


@pytest.mark.parametrize(
    ("judgements", "said"),
    [
        ([], "all judgements are alike"),
        (JUDGEMENTS[:3], "all judgements are alike"),
        ([(q, d, 1 - r) for q, d, r in JUDGEMENTS], "not more often relevant"),
        ([(QUERY, TEXTS[0])], r"judgements\[0\] is none"),
        ([(QUERY, TEXTS[0], "yes")], r"judgements\[0\] is none"),
        ([*JUDGEMENTS, (QUERY, TEXTS[0], float("nan"))], r"judgements\[7\] is none"),
        ([{"query": QUERY, "document": TEXTS[0], "grade": 1}], r"judgements\[0\] is none"),
        ([{QUERY, TEXTS[0], 1}], r"judgements\[0\] is none"),
        ([3], r"judgements\[0\] is none"),
        ("Who", r"judgements\[0\] is none"),
        (3, "judgements=3 is no list"),
        ([("?", TEXTS[0], 1)], "without a word"),
    ],
)
def test_judgements_that_are_of_no_use(judgements: list[tuple[str, str, float]], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Reranker("verbnet-cn", **OPTIONS).fit(judgements)


@pytest.mark.parametrize("kind", ["int64", "float32", "bool", "object"])
def test_judgements_with_numbers_of_numpy(kind: str) -> None:
    queries, documents, grades = zip(*JUDGEMENTS, strict=True)
    reranker = Reranker("verbnet-cn", **OPTIONS)
    expected = reranker.fit(JUDGEMENTS).calibration
    numbers = np.array(grades, dtype=kind)
    assert reranker.fit(zip(queries, documents, numbers, strict=True)).calibration == expected
    assert reranker.fit(np.array(JUDGEMENTS, dtype=object)).calibration == expected


@pytest.mark.parametrize(
    "given", [(6, -3), [6.0, -3.0], np.array([6, -3]), {"slope": 6, "intercept": -3}]
)
def test_a_calibration_is_given_as_its_numbers(given: Any) -> None:
    reranker = Reranker("verbnet-cn", calibration=given, **OPTIONS)
    assert reranker.calibration == Calibration(6.0, -3.0)
    assert type(reranker.calibration.slope) is float
    assert 0 < reranker.rank(QUERY, TEXTS)[-1]["score"] < 0.5


@pytest.mark.parametrize(
    "given", [(1,), (1, 2, 3), 5, "6,-3", {"slope": 1}, {"slope": 1, "hue": 2}, (1, "a"), (0, 1)]
)
def test_what_is_given_for_a_calibration_and_is_none(given: Any) -> None:
    with pytest.raises(InputError, match=r"calibration.*two numbers|no calibration"):
        Reranker("verbnet-cn", calibration=given, **OPTIONS)


def test_a_document_without_a_word_has_a_probability() -> None:
    reranker = Reranker("verbnet-cn", calibration=(6, -3), **OPTIONS)
    assert reranker.explain(QUERY, "").probability == reranker.scores(QUERY, [""])[0]


@pytest.mark.parametrize("values", [(0.0, 0.0), (-1.0, 0.0), (float("nan"), 0.0), (1.0, 1e400)])
def test_what_is_no_calibration(values: tuple[float, float]) -> None:
    with pytest.raises(InputError, match="no calibration"):
        Calibration(*values)
