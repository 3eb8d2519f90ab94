from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr
from sklearn.neural_network import MLPRegressor
from toys import ToyParser, toy_vectors

from compsim.benchmarks.datasets import Dataset, SentencePair, open_sts3k
from compsim.benchmarks.task import Spec, run
from compsim.benchmarks.tasks.training.finetune import Networks, finetune
from compsim.benchmarks.training.finetune import (
    SIZES,
    Features,
    Split,
    _mean_and_sd,
    fine_tuning_study,
    fold_splits,
    splits,
)
from compsim.benchmarks.workspace import Workspace
from compsim.embeddings.method import EmbeddingMethod
from compsim.errors import InputError
from compsim.method import MethodInfo
from compsim.registry import load

WORDS = ("cats", "dogs", "mice", "birds", "help", "chase")


class WordCounts(EmbeddingMethod):
    """Vectors of word counts, which anyone can check."""

    info = MethodInfo(
        name="counts",
        summary="word counts",
        lowest=0.0,
        highest=1.0,
        symmetric=True,
        identity=1.0,
        deterministic=True,
    )

    @property
    def space(self) -> str:
        return "counts"

    def embed(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        rows = [[text.lower().count(word) for word in WORDS] for text in sentences]
        return np.array(rows, dtype=np.float32).reshape(-1, len(WORDS))


def toy_data(count: int = 60) -> Dataset:
    rng = np.random.default_rng(4)
    pairs = []
    for _ in range(count):
        a, b, c, d = rng.choice(WORDS[:4], 4)
        rating = ((a == c) + (b == d)) / 2 + rng.normal(0, 0.01)
        pairs.append(SentencePair(f"{a} chase {b}.", f"{c} help {d}.", float(rating)))
    half = count // 2
    parts = {"all": range(count), "non": range(half), "adv": range(half, count)}
    return Dataset("toy", tuple(pairs), {k: tuple(v) for k, v in parts.items()}, "the test")


def distinct_data() -> Dataset:
    """Toy pairs of other words each: components of the same words differ by rounding alone."""
    data = toy_data(200)
    rows = Features.of(WordCounts(), data).columns
    kept = np.sort(np.unique(rows, axis=0, return_index=True)[1])[:60]
    return replace(toy_data(), pairs=tuple(data.pairs[i] for i in kept))


def toy_roles() -> Any:
    return load("verbnet-cn", parser=ToyParser(), vectors=toy_vectors(), weights="paper")


def test_features_are_cosines_of_roles_or_both_vectors() -> None:
    data = toy_data(12)
    result = Features.of(WordCounts(), data)
    texts = [pair.first + " | " + pair.second for pair in data.pairs]
    for row, text in zip(result.columns, texts, strict=True):
        expected = [side.count(word) for side in text.split(" | ") for word in WORDS]
        assert row.tolist() == expected
    roles = Features.of(method := toy_roles(), data)
    assert roles.columns.shape == (12, 8)
    for row, pair in zip(roles.columns, data.pairs, strict=True):
        parts = method.explain(pair.first, pair.second).rows
        cosines = {part.role: part.cosine for part in parts if part.cosine is not None}
        expected = [cosines.get(role, 0.0) for role in method.scheme.roles]
        np.testing.assert_allclose(row, expected, atol=1e-6)
    with pytest.raises(InputError, match="neither role cosines nor sentence vectors"):
        Features.of(load("amr-smatch", parser=ToyParser()), data)


@settings(deadline=None)
@given(st.integers(0, 1000))
def test_splits_cut_the_rows_in_two(seed: int) -> None:
    data = toy_data(30)
    # Twenty pairs of sentences of their own, so that groups are small.
    more = tuple(SentencePair(f"a{i} x", f"b{i} y", 0.1) for i in range(20))
    data = Dataset("toy", data.pairs + more, data.parts, "")
    made = splits(data, seed)
    assert [split.name for split in made] == ["random", "grouped", "adversarial"]
    for split in made[:2]:
        both = np.concatenate([split.train, split.test])
        assert sorted(both.tolist()) == list(range(50))
    assert len(made[0].test) == 10
    train, test = (
        {text for row in rows for text in data.pairs[row][:2]}
        for rows in (made[1].train, made[1].test)
    )
    assert not train & test
    assert made[2].test.tolist() == list(data.parts["adv"])
    assert [s.name for s in splits(Dataset("n", more, {"all": tuple(range(20))}, ""), seed)] == [
        "random",
        "grouped",
    ]


def test_each_pair_is_in_one_fold() -> None:
    more = tuple(SentencePair(f"a{i} x", f"b{i} y", 0.1) for i in range(40))
    folds = fold_splits(Dataset("toy", more, {"all": tuple(range(40))}, ""), 10)
    assert len(folds) == 10
    for place, name in enumerate(("random", "grouped")):
        assert {made[place].name for made in folds} == {name}
        tested = np.concatenate([made[place].test for made in folds])
        assert sorted(tested.tolist()) == list(range(40))
        for made in folds:
            both = [*made[place].train.tolist(), *made[place].test.tolist()]
            assert sorted(both) == list(range(40))
    with pytest.raises(InputError, match="cannot be cut into 20 folds"):
        fold_splits(toy_data(50), 20)
    names = [split.name for split in fold_splits(toy_data(30), 5)[0]]  # one group of all pairs
    assert names == ["random", "adversarial"]


def test_a_study_in_folds_trains_once_for_each() -> None:
    data = toy_data(40)
    seen: list[str] = []
    cells = fine_tuning_study(
        data,
        [WordCounts()],
        sizes=[()],
        folds=4,
        components=3,
        advance=lambda method, count: seen.append(method),
    )
    assert {cell.split: (len(cell.spearman), cell.test) for cell in cells} == {
        "random": (4, 10), "adversarial": (4, 20),
    }  # fmt: skip
    assert len(seen) == 8
    split = fold_splits(data, 4)[1][0]
    columns = Features.of(WordCounts(), data).columns
    train, test = slow_pca(columns[split.train], columns[split.test], 3)
    network = MLPRegressor(hidden_layer_sizes=(), random_state=1, batch_size=20, max_iter=1000)
    ratings = np.array([pair.rating for pair in data.pairs])
    network.fit(train, ratings[split.train])
    rho = spearmanr(network.predict(test), ratings[split.test]).statistic
    assert cells[0].spearman[1] == pytest.approx(rho, abs=0.05)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_networks_as_published_are_scikit_learns_own(tmp_path: Path) -> None:
    data = toy_data(60)
    (cell, *_) = fine_tuning_study(data, [WordCounts()], sizes=[(4,)], seeds=1, as_published=True)
    split = splits(data, 0)[0]
    columns = Features.of(WordCounts(), data).columns
    train, test = slow_pca(columns[split.train], columns[split.test], 8)
    network = MLPRegressor(hidden_layer_sizes=(4,), random_state=0)
    ratings = np.array([pair.rating for pair in data.pairs])
    network.fit(train, ratings[split.train])
    rho = spearmanr(network.predict(test), ratings[split.test]).statistic
    assert cell.spearman[0] == pytest.approx(rho, abs=0.05)
    spec = Spec("mean-cn", {"vectors": toy_vectors()})
    tasks = [Networks(data, [spec], 1, as_published=own) for own in (False, True)]
    figures = [run(task, workspace=Workspace(tmp_path)).rows[0].figures for task in tasks]
    assert figures[0]["10"].value != figures[1]["10"].value


def slow_pca(train: Any, test: Any, count: int) -> Any:
    """Components as eigenvectors of the covariance, with scikit-learn's choice of signs."""
    mean = train.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov((train - mean).T))
    axes = vectors[:, np.argsort(-values)[:count]]
    axes *= np.sign(axes[np.abs(axes).argmax(axis=0), range(count)])
    return (train - mean) @ axes, (test - mean) @ axes


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_study_is_what_scikit_learn_gives_step_by_step() -> None:
    data = distinct_data()
    seen: list[str] = []
    cells = fine_tuning_study(
        data,
        [WordCounts(), toy_roles()],
        sizes=[(), (10,)],
        seeds=2,
        components=3,
        advance=lambda method, count: seen.append(method),
    )
    assert len(cells) == 2 * len({cell.split for cell in cells}) * 2
    assert len(seen) == 2 * len(cells)
    ratings = np.array([pair.rating for pair in data.pairs])
    for cell in cells:
        features = Features.of(WordCounts() if cell.method == "counts" else toy_roles(), data)
        if cell.split != "adversarial" and cell.hidden:
            continue  # enough is checked by the others
        rhos = []
        for seed in range(2):
            split = next(s for s in splits(data, seed) if s.name == cell.split)
            train, test = features.columns[split.train], features.columns[split.test]
            if cell.method == "counts":
                train, test = slow_pca(train, test, 3)
            network = MLPRegressor(
                hidden_layer_sizes=cell.hidden, random_state=seed, batch_size=20, max_iter=1000
            )
            network.fit(train, ratings[split.train])
            rhos.append(spearmanr(network.predict(test), ratings[split.test]).statistic)
            assert (len(split.train), len(split.test)) == (cell.train, cell.test)
        assert cell.spearman == pytest.approx(rhos, abs=1e-6)
        assert cell.mean == pytest.approx(np.mean(rhos))
        assert cell.sd == pytest.approx(np.std(rhos, ddof=1))
        inputs = 3 if cell.method == "counts" else 8
        assert cell.weights == (inputs * 10 + 10 if cell.hidden else inputs)


def test_networks_are_of_the_sizes_of_the_paper() -> None:
    data = toy_data(30)
    cells = fine_tuning_study(data, [toy_roles()], seeds=1)
    weights = {cell.hidden: cell.weights for cell in cells}
    assert weights == dict(zip(SIZES, (8, 90, 1090, 11810), strict=True))
    assert all(cell.sd is None for cell in cells)


def test_a_network_that_dies_is_counted_and_in_no_mean() -> None:
    # No column differs, so that whatever is learned is the same for every pair.
    same = Features("same", np.zeros((20, 8)), np.arange(20.0), reduce=False)
    for made in fine_tuning_study(toy_data(20), [same], sizes=[(10,)], seeds=2):
        assert (made.defined, made.mean, made.sd) == (0, None, None)


def test_a_study_as_a_task(tmp_path: Path) -> None:
    spec = Spec("verbnet-cn", {"vectors": "builtin", "weights": "paper"})
    results = [run(Networks(toy_data(), [spec], 2), workspace=Workspace(tmp_path)) for _ in "ab"]
    head, rows = results[0].table()
    assert head == ("method", "split", "test", "untrained", "linear", "10", "60-10", "100-100-10")
    assert {row[0] for row in rows} == {"verbnet-cn"}
    assert {"random", "adversarial"} <= {row[1] for row in rows}
    row = results[0].rows[0]
    assert [cell["mean"] for cell in row.details["cells"]] == [
        figure.value for name, figure in row.figures.items() if name not in ("test", "untrained")
    ]
    dumped = [json.dumps({**result.to_dict(), "created": ""}, sort_keys=True) for result in results]
    assert dumped[0] == dumped[1]


def test_a_task_without_pca_in_folds_has_curves(tmp_path: Path) -> None:
    spec = Spec("mean-cn", {"vectors": toy_vectors()})
    task = Networks(toy_data(30), [spec], components=None, folds=3)
    assert task.steps == 3 * 2 * len(SIZES)
    results = run(task, workspace=Workspace(tmp_path))
    (cell, *_) = results.rows[0].details["cells"]
    assert cell["weights"] == 2 * 8  # both vectors whole
    html = task.report(results)
    assert html.count("<svg") >= 2
    assert "adversarial split: Spearman" in html


def test_published_roles_are_read_by_one_method(data_dir: Path) -> None:
    task = finetune(data_dir, "verbnet-cn,mean-cn", roles="hand-fixed", pca=False)
    assert [spec.roles for spec in task.specs] == ["hand-fixed", None]
    assert task.components is None
    with pytest.raises(InputError, match="roles are read by verbnet-cn alone"):
        finetune(data_dir, "mean-cn", roles="hand-fixed")


@settings(deadline=None)
@given(st.lists(st.none() | st.floats(-1, 1), min_size=1, max_size=6))
def test_means_are_of_the_seeds_that_have_a_figure(figures: list[float | None]) -> None:
    known = [figure for figure in figures if figure is not None]
    mean = sum(known) / len(known) if known else None
    sd = None
    if mean is not None and len(known) > 1:
        sd = math.sqrt(sum((figure - mean) ** 2 for figure in known) / (len(known) - 1))
    result = _mean_and_sd(figures)
    assert result[0] == (None if mean is None else pytest.approx(mean, abs=1e-12))
    assert result[1] == (None if sd is None else pytest.approx(sd, abs=1e-9))


def test_no_reduction_and_too_little_data() -> None:
    data = toy_data(20)
    whole = fine_tuning_study(data, [WordCounts()], sizes=[()], seeds=1, components=None)
    assert {cell.weights for cell in whole} == {2 * len(WORDS)}
    for bad in ({"seeds": 0}, {"components": 0}):
        with pytest.raises(InputError, match="too few to train on"):
            fine_tuning_study(data, [WordCounts()], **bad)  # type: ignore[arg-type]


def test_published_roles_of_sts3k(data_dir: Path) -> None:
    features = Features.of(toy_roles(), data := open_sts3k(data_dir), "hand-fixed")
    assert features.columns.shape == (len(data), 8)
    cells = fine_tuning_study(data, [features], sizes=[()], seeds=1)
    assert {cell.split: cell.test for cell in cells}["adversarial"] == len(data.parts["adv"])


def test_small_networks_learn_as_large_ones_do(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The paper's curve of adversarial pairs is flat, near .6, from 8 weights to 11,810."""

    def adversarial(data: Dataset, seed: int) -> list[Split]:
        return [one for one in splits(data, seed) if one.name == "adversarial"]

    monkeypatch.setattr("compsim.benchmarks.training.finetune.splits", adversarial)
    method = load("verbnet-cn", weights="paper", vectors="builtin")
    features = Features.of(method, data := open_sts3k(data_dir), "hand-fixed")
    cells = fine_tuning_study(data, [features], sizes=[(), (10,), (60, 10)], seeds=3)
    assert [cell.mean for cell in cells] == pytest.approx([0.62, 0.6, 0.65], abs=0.03)
    assert all(cell.unconverged == 0 for cell in cells)
