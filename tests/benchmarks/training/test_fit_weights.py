from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.stats import spearmanr
from toys import ToyParser, toy_pairs, toy_vectors

from compsim.benchmarks.datasets import Dataset, SentencePair, open_sts3k
from compsim.benchmarks.sides import encode_sides
from compsim.benchmarks.stats.folds import groups, split
from compsim.benchmarks.training.fit_weights import _loss, best_weights, fit_weights
from compsim.benchmarks.training.rolewise import RoleCosines
from compsim.errors import InputError
from compsim.registry import load
from compsim.rolesim.scheme_file import read_scheme
from compsim.storage.files import write_text

TRUTH = np.array([4.0, 1.0, 2.0, 0.5, 0.0, 1.5, 3.0, 0.25])
UNIFORM = np.ones(8)


def toy(**options: Any) -> Any:
    options = {"weights": "paper", **options}
    return load("verbnet-cn", parser=ToyParser(), vectors=toy_vectors(), **options)


def toy_data(count: int = 90) -> Dataset:
    """Pairs of toy sentences, rated by weights of our own."""
    data = toy_pairs(count)
    scores = RoleCosines.of(method := toy(), *encode_sides(data, method)).scores(TRUTH)
    rated = [pair._replace(rating=(s + 1) / 2) for pair, s in zip(data.pairs, scores, strict=True)]
    return Dataset("toy", tuple(rated), data.parts, data.source)


def random_cosines(rng: np.random.Generator, count: int) -> RoleCosines:
    matched = rng.random((count, 8)) < 0.6
    cosine = np.where(matched, rng.uniform(-1, 1, (count, 8)), 0.0)
    return RoleCosines(tuple(read_scheme().roles), cosine, matched, np.zeros(count))


def slow_scores(pairs: RoleCosines, weights: np.ndarray[Any, Any]) -> list[float]:
    """The definition, written out."""
    scores = []
    for i in range(len(pairs)):
        above = below = 0.0
        for r, weight in enumerate(weights):
            if pairs.matched[i, r]:
                above += weight * pairs.cosine[i, r]
                below += weight
        scores.append((above / below if below else 0.0) + pairs.constant[i])
    return scores


# --- scores and their slopes ---------------------------------------------------------------------


@pytest.mark.parametrize("weights", ["paper", "uniform"])
def test_scores_are_those_of_the_method(weights: str) -> None:
    pairs = [
        *toy_data(30).pairs,
        SentencePair("Cats chase mice.", "Birds park.", 0.2),  # the second has no parse
        SentencePair("Cats visit park.", "Dogs chase cats.", 0.2),  # Theme against Patient
        SentencePair("zzyzx chase qwrt.", "Cats chase mice.", 0.2),
    ]
    data = Dataset("toy", tuple(pairs), {"all": tuple(range(len(pairs)))}, "")
    method = toy(weights=weights)
    a, b = encode_sides(data, method)
    result = RoleCosines.of(method, a, b)
    expected = method.similarity_pairwise([p.first for p in pairs], [p.second for p in pairs])
    np.testing.assert_allclose(result.scores(np.array(method.scheme.weights)), expected, atol=1e-6)
    assert result.constant[30] != 0


@settings(deadline=None)
@given(st.integers(0, 10_000), st.lists(st.just(0.0) | st.floats(0.001, 9), min_size=8, max_size=8))
def test_the_objective_and_its_gradient_are_those_of_the_slow_twin(
    seed: int, given_weights: list[float]
) -> None:
    rng = np.random.default_rng(seed)
    pairs, weights = random_cosines(rng, 15), np.array(given_weights)
    ratings = rng.random(15)
    slow = slow_scores(pairs, weights)
    np.testing.assert_allclose(pairs.scores(weights), slow, atol=1e-12)
    np.testing.assert_allclose(pairs.scores(7 * weights), slow, atol=1e-12)
    loss, gradient = _loss(pairs, ratings, weights)
    if np.ptp(slow) > 1e-6:
        assert loss == pytest.approx(1 - np.corrcoef(slow, ratings)[0, 1], abs=1e-9)
    positive = weights + 0.5  # the score jumps where all weights of a pair reach 0
    loss, gradient = _loss(pairs, ratings, positive)
    numeric = approx_fprime(positive, lambda w: _loss(pairs, ratings, w)[0], 1e-6)
    np.testing.assert_allclose(gradient, numeric, atol=1e-4)


# --- the fit -------------------------------------------------------------------------------------


def test_known_weights_are_found_again() -> None:
    pairs = random_cosines(np.random.default_rng(5), 400)
    ratings = 0.4 * pairs.scores(TRUTH) + 0.3  # on a scale of its own
    result = best_weights(pairs, ratings, [UNIFORM], seed=0)
    np.testing.assert_allclose(result, TRUTH / TRUTH.mean(), atol=2e-3)
    assert result.mean() == pytest.approx(1, abs=1e-3)


@settings(deadline=None, max_examples=6)
@given(st.integers(0, 10_000), st.integers(3, 40))
def test_a_fit_is_no_worse_than_where_it_starts(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    pairs, ratings = random_cosines(rng, count), rng.random(count)
    starts = [UNIFORM, rng.exponential(size=8)]
    result = best_weights(pairs, ratings, starts, seed=0)
    assert (result >= 0).all()
    best = min(_loss(pairs, ratings, w)[0] for w in starts)
    assert _loss(pairs, ratings, result)[0] <= best + 1e-3  # the starts are rounded too


def test_a_role_that_the_pairs_do_not_tell_of_keeps_its_weight() -> None:
    pairs = random_cosines(np.random.default_rng(1), 60)
    pairs.matched[:, 4:] = False
    pairs.cosine[:, 4:] = 0
    start = np.array(read_scheme("paper").weights)
    result = best_weights(pairs, pairs.scores(TRUTH), [start], seed=0)
    np.testing.assert_allclose(result[4:], start[4:] / start.mean(), atol=1e-4)
    np.testing.assert_allclose(result[:4] / result[0], TRUTH[:4] / TRUTH[0], atol=2e-3)
    pairs.matched[:] = False
    assert best_weights(pairs, np.arange(60.0), [start], seed=0).mean() == pytest.approx(1)


# --- folds ---------------------------------------------------------------------------------------

edges = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=6, max_size=40)


def linked(pairs: list[tuple[int, int]]) -> Dataset:
    rows = tuple(SentencePair(f"s {x}", f"S  {y}", 0.5) for x, y in pairs)
    return Dataset("linked", rows, {"all": tuple(range(len(rows)))}, "")


@settings(deadline=None)
@given(edges, st.integers(0, 5))
def test_no_sentence_is_in_both_training_and_test(pairs: list[tuple[int, int]], seed: int) -> None:
    data = linked(pairs)
    # The slow twin: spread the lowest number over shared sentences until nothing changes.
    label = list(range(len(pairs)))
    before: list[int] = []
    while label != before:
        before = list(label)
        for i, j in itertools.combinations(range(len(pairs)), 2):
            if set(pairs[i]) & set(pairs[j]):
                label[i] = label[j] = min(label[i], label[j])
    order = list(dict.fromkeys(label))
    assert groups(data).tolist() == [order.index(x) for x in label]

    folds = split(data, 2, seed)
    assert sorted(np.concatenate(folds.tests).tolist()) == list(range(len(pairs)))
    assert folds.groups == len(order)
    assert folds.largest == max(map(label.count, order))
    for i, test in enumerate(folds.tests):
        assert not set(test) & set(folds.train(i))
        if not folds.note:
            inside = {s for row in test for s in pairs[row]}
            assert not inside & {s for row in folds.train(i) for s in pairs[row]}
    assert bool(folds.note) == (folds.largest > len(pairs) / 2 or folds.groups < 2)


def test_interlinked_sentences_are_said_and_too_few_pairs_refused() -> None:
    chain = linked([(i, i + 1) for i in range(12)])
    folds = split(chain, 3)
    assert "the largest with 12 of 12 pairs" in folds.note
    assert [len(test) for test in folds.tests] == [4, 4, 4]
    with pytest.raises(InputError, match="12 pairs cannot be cut into 5 folds"):
        split(chain, 5)
    with pytest.raises(InputError, match="2 folds or more"):
        split(chain, 1)


# --- the whole -----------------------------------------------------------------------------------


def test_cross_validation_and_the_file(tmp_path: Path) -> None:
    data = toy_data()
    steps: list[int] = []
    fit = fit_weights(data, toy(), folds=3, advance=steps.append)
    assert sum(steps) == 4
    assert sum(fold.test for fold in fit.folds) == len(data) == fit.pairs
    assert all(fold.train + fold.test == len(data) for fold in fit.folds)
    fitted, paper = fit.mean("fitted"), fit.mean("paper")
    assert fitted is not None
    assert paper is not None
    assert fitted > 0.99 > paper  # ratings without noise
    assert fit == fit_weights(data, toy(), folds=3)
    assert json.loads(json.dumps(fit.to_dict()))["mean"]["fitted"] == fitted

    file = tmp_path / "mine.toml"
    write_text(file, fit.to_toml())
    scheme = read_scheme(file)
    assert scheme.weights == fit.weights
    assert scheme.inventory == read_scheme("paper").inventory
    text = file.read_text()
    for piece in (data.checksum, "90 pairs", "3 folds", "toy-vectors", "parser: toy"):
        assert piece in text
    method = toy(weights=file)
    scores = method.similarity_pairwise(*map(list, zip(*(p[:2] for p in data.pairs), strict=True)))
    ratings = np.array([pair.rating for pair in data.pairs])
    assert np.corrcoef(scores, ratings)[0, 1] > 0.99
    assert fit.seen == spearmanr(scores, ratings).statistic


def test_held_out_figures_are_those_of_the_method_with_such_a_file(tmp_path: Path) -> None:
    data = toy_data()
    fit = fit_weights(data, toy(), folds=3)
    first, second = (list(side) for side in zip(*(p[:2] for p in data.pairs), strict=True))
    ratings = np.array([pair.rating for pair in data.pairs])
    for fold, test in zip(fit.folds, split(data, 3).tests, strict=True):
        file = tmp_path / "fold.toml"
        write_text(file, replace(fit, weights=fold.weights).to_toml())
        for name, weights in (("fitted", file), ("paper", "paper"), ("uniform", "uniform")):
            scores = toy(weights=weights).similarity_pairwise(first, second)
            # To the last bit: rounding parts or joins scores, and so changes ranks.
            assert fold.spearman[name] == spearmanr(scores[test], ratings[test]).statistic


def test_a_name_with_line_breaks_stays_a_comment(tmp_path: Path) -> None:
    data = toy_data(20)
    odd = Dataset('odd\n[weights]\r\x00 "x"', data.pairs, data.parts, "")
    file = tmp_path / "odd.toml"
    write_text(file, fit_weights(odd, toy(), folds=2).to_toml())
    assert len(read_scheme(file).weights) == 8


def test_what_cannot_be_fitted_is_said() -> None:
    data = toy_data(12)
    same = Dataset("same", tuple(p._replace(rating=0.5) for p in data.pairs), data.parts, "")
    with pytest.raises(InputError, match="all equal"):
        fit_weights(same, toy(), folds=2)
    with pytest.raises(InputError, match="no role weights"):
        fit_weights(data, load("amr-smatch", parser=ToyParser()), folds=2)
    with pytest.raises(InputError, match="no published parses of"):
        fit_weights(data, toy(), folds=2, roles="hand-fixed")
    with pytest.raises(InputError, match="normalize='matched', not 'fixed'"):
        fit_weights(data, toy(normalize="fixed"), folds=2)
    bad = (*data.pairs, SentencePair("Birds park.", "Cats chase mice.", 0.5))
    odd = Dataset("bad", bad, data.parts, "")
    with pytest.raises(InputError, match=r'use on_failure="fallback"'):
        fit_weights(odd, toy(on_failure="nan"), folds=2)
    assert fit_weights(odd, toy(), folds=2).unparsed == 1


def test_sts3k_by_its_published_roles(data_dir: Path) -> None:
    data = open_sts3k(data_dir)
    fit = fit_weights(
        data,
        load("verbnet-cn", parser=ToyParser(), vectors="builtin", weights="paper"),
        roles="hand-fixed",
    )
    assert fit.groups > 100
    assert not fit.note
    for fold in fit.folds:
        assert min(fold.weights) >= 0
    fitted, uniform = fit.mean("fitted"), fit.mean("uniform")
    assert fitted is not None
    assert uniform is not None
    assert fitted > uniform
