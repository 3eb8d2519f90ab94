from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import average_precision_score
from toy_pairs import DATA
from toys import ToyParser, toy_vectors

from compsim.benchmarks.datasets.pairs import pairs_of_triples
from compsim.benchmarks.datasets.triples import Triple
from compsim.integrations.mteb import MtebModel, pairs_task, sts_task
from compsim.registry import load

mteb = pytest.importorskip("mteb")


@pytest.mark.filterwarnings("ignore::scipy.stats.ConstantInputWarning")  # of mteb's own cosines
def test_a_task_of_pairs_and_a_model_of_any_method() -> None:
    for name, options in (
        ("verbnet-cn", {"parser": ToyParser(), "vectors": toy_vectors()}),
        ("amr-wlk", {"parser": ToyParser()}),
    ):
        method = load(name, **options)
        model = MtebModel(method)
        assert isinstance(model, mteb.EncoderProtocol)
        assert model.mteb_model_meta.name == f"compsim/{name}"
        result = mteb.evaluate(
            model, sts_task(DATA), cache=None, co2_tracker=False, show_progress_bar=False
        )
        outcome = result.task_results[0].scores
        for part, rows in DATA.parts.items():
            pairs = [DATA.pairs[i] for i in rows]
            scores = method.similarity_pairwise([p.first for p in pairs], [p.second for p in pairs])
            expected = spearmanr(scores, [p.rating for p in pairs]).statistic
            assert outcome[part][0]["spearman"] == pytest.approx(expected, abs=1e-6)
            assert outcome[part][0]["main_score"] == outcome[part][0]["spearman"]


def test_what_was_encoded_is_looked_up() -> None:
    method = load("amr-wlk", parser=ToyParser())
    model = MtebModel(method)
    first = model.encode([{"text": ["Cats chase mice.", "Dogs help cats."]}])
    second = model.encode([{"text": ["Mice chase cats."]}, {"text": ["Dogs help cats."]}])
    assert model.encode([]).shape == (0, 2)
    expected = method.similarity(
        ["Cats chase mice.", "Dogs help cats."], ["Mice chase cats.", "Dogs help cats."]
    )
    np.testing.assert_allclose(model.similarity(first, second), expected)
    np.testing.assert_allclose(
        model.similarity_pairwise(first[::-1], second), expected[[1, 0], [0, 1]]
    )


@pytest.mark.parametrize("name", ["verbnet-cn", "sbert"])
def test_triples_are_pairs_that_say_the_same_or_not(name: str) -> None:
    if name == "sbert":
        pytest.importorskip("sentence_transformers")
    texts = [("nurse", "child"), ("wolf", "shepherd"), ("judge", "singer")]
    triples = [
        Triple(
            "AAN", f"The {a} saw the {b}.", f"The {b} was seen by the {a}.", f"The {b} saw the {a}."
        )
        for a, b in texts
    ]
    method = load(name, **({"vectors": "builtin"} if name == "verbnet-cn" else {}))
    task = pairs_task(pairs_of_triples(triples), "EventsSample", "https://arxiv.org/abs/2212.01488")
    result = mteb.evaluate(
        MtebModel(method), task, cache=None, co2_tracker=False, show_progress_bar=False
    )
    outcome = result.task_results[0].scores["test"][0]
    scores, same = [], []
    for _, text, paraphrase, foil in triples:
        pairs = [(text, paraphrase), (text, foil), (paraphrase, foil)]
        scores += [float(method.similarity_pairwise([a], [b])[0]) for a, b in pairs]
        same += [1, 0, 0]
    assert outcome["main_score"] == pytest.approx(average_precision_score(same, scores), abs=1e-4)
    # Roles tell the pairs apart; the sentence model takes the foil for the nearer.
    assert (outcome["main_score"] == 1.0) == (name == "verbnet-cn")
