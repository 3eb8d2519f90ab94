"""The guard in other frameworks: their own interfaces, and its decisions."""

from __future__ import annotations

import pytest

from compsim import Guard, InputError
from compsim.integrations.pytest import assert_same_meaning

OPTIONS = {"whole": "mean-cn", "vectors": "builtin"}
SAID, OTHER = "The dog bit the man.", "The man bit the dog."
PASSIVE = "The man was bitten by the dog."


@pytest.fixture(scope="module")
def guard() -> Guard:
    return Guard(**OPTIONS)


def test_an_assertion_fails_with_what_differs() -> None:
    assert_same_meaning(PASSIVE, SAID, **OPTIONS)
    with pytest.raises(AssertionError, match=r"(?s)^different.*changed places.*expected"):
        assert_same_meaning(SAID, OTHER, **OPTIONS)


def test_gptcache(guard: Guard) -> None:
    evaluation = pytest.importorskip(
        "gptcache.similarity_evaluation", reason="gptcache is not installed"
    )
    from compsim.integrations.gptcache import CompsimEvaluation

    one = CompsimEvaluation(guard)
    assert isinstance(one, evaluation.SimilarityEvaluation)
    assert one.range() == (0.0, 1.0)
    assert one.evaluation({"question": PASSIVE}, {"question": SAID}) == 1.0
    assert one.evaluation({"question": OTHER}, {"question": SAID}) == 0.0


def test_langchain(guard: Guard) -> None:
    pytest.importorskip("langchain_classic", reason="langchain-classic is not installed")
    from compsim.integrations.langchain_evaluation import CompsimStringEvaluator

    one = CompsimStringEvaluator(guard)
    result = one.evaluate_strings(prediction=PASSIVE, reference=SAID)
    assert (result["score"], result["value"]) == (1, "same")
    result = one.evaluate_strings(prediction=OTHER, reference=SAID)
    assert result["score"] == 0
    assert "changed places" in result["reasoning"]
    with pytest.raises(ValueError, match="reference"):
        one.evaluate_strings(prediction=OTHER)


def test_llama_index(guard: Guard) -> None:
    evaluation = pytest.importorskip(
        "llama_index.core.evaluation", reason="llama-index-core is not installed"
    )
    from compsim.integrations.llama_index import CompsimEvaluator

    one = CompsimEvaluator(guard)
    assert isinstance(one, evaluation.BaseEvaluator)
    results = one.evaluate(query="Who bit whom?", response=PASSIVE, reference=SAID)
    assert results.passing
    assert results.score == guard.same(PASSIVE, SAID).probability
    results = one.evaluate(response=OTHER, reference=SAID)
    assert not results.passing
    assert "changed places" in results.feedback
    assert one.get_prompts() == {}
    with pytest.raises(InputError, match="give both"):
        one.evaluate(response=OTHER)
