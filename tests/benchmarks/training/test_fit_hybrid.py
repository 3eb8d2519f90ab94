"""The hybrid's constants fitted to ratings: the search, the folds, the file, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr
from toys import ToyParser, toy_pairs, toy_vectors
from typer.testing import CliRunner

from compsim.benchmarks.datasets import Dataset
from compsim.benchmarks.stats.folds import split
from compsim.benchmarks.training.fit_hybrid import FITTED, fit_hybrid
from compsim.cli.app import app
from compsim.errors import InputError
from compsim.hybrid.method import HybridMethod
from compsim.hybrid.scheme import HybridScheme, Schemes, read_scheme
from compsim.registry import load
from compsim.storage.files import write_text

TRUTH = HybridScheme(
    roles=3.0, sharpness=1.0, cover=0.25, exchange=1.5, difference=0.1, neutral=0.5
)


def toy_hybrid(scheme: str | Path | Schemes = "hybrid") -> HybridMethod:
    return HybridMethod("mean-cn", scheme, ToyParser(), toy_vectors())


def sides(data: Dataset) -> tuple[list[str], list[str]]:
    return [pair.first for pair in data.pairs], [pair.second for pair in data.pairs]


def toy_data(count: int = 60) -> Dataset:
    """Pairs of toy sentences, rated by constants of our own."""
    data = toy_pairs(count)
    scores = toy_hybrid(Schemes("truth", TRUTH, TRUTH)).similarity_pairwise(*sides(data))
    rated = [pair._replace(rating=(s + 2) / 3) for pair, s in zip(data.pairs, scores, strict=True)]
    return Dataset("toy", tuple(rated), data.parts, data.source)


def test_cross_validation_and_the_file(tmp_path: Path) -> None:
    data = toy_data()
    steps: list[int] = []
    fit = fit_hybrid(data, toy_hybrid(), folds=3, advance=steps.append)
    assert sum(steps) == 4
    means = {name: fit.mean(name) for name in fit.compared}
    assert list(means) == ["fitted", "hybrid", "roles-first", "whole alone"]
    fitted = means.pop("fitted")
    assert fitted is not None
    assert fitted > 0.97  # ratings without noise
    assert all(mean is not None and fitted > mean for mean in means.values())
    assert json.loads(json.dumps(fit.to_dict()))["mean"]["fitted"] == fitted

    file = tmp_path / "mine.toml"
    write_text(file, fit.to_toml())
    scheme = read_scheme(file).words
    assert tuple(getattr(scheme, name) for name in FITTED) == fit.weights
    assert (scheme.cover, scheme.neutral) == (0.25, 0.5)
    for piece in ("60 pairs", "3 folds", "mean-cn (whole sentences)", "parser: toy"):
        assert piece in file.read_text()
    scores = toy_hybrid(file).similarity_pairwise(*sides(data))
    assert fit.seen == pytest.approx(spearmanr(scores, [p.rating for p in data.pairs]).statistic)


def test_held_out_figures_are_those_of_the_method() -> None:
    data = toy_data()
    fit = fit_hybrid(data, toy_hybrid(), folds=3)
    ratings = np.array([pair.rating for pair in data.pairs])
    scores = {
        name: toy_hybrid(name).similarity_pairwise(*sides(data))
        for name in ("hybrid", "roles-first")
    }
    scores["whole alone"] = toy_hybrid().whole.similarity_pairwise(*sides(data))
    for fold, test in zip(fit.folds, split(data, 3).tests, strict=True):
        for name, found in scores.items():
            expected = spearmanr(found[test], ratings[test]).statistic
            assert fold.spearman[name] == pytest.approx(expected)


def test_what_cannot_be_fitted_is_said(tmp_path: Path) -> None:
    data = toy_data(12)
    same = Dataset("same", tuple(p._replace(rating=0.5) for p in data.pairs), data.parts, "")
    with pytest.raises(InputError, match="all equal"):
        fit_hybrid(same, toy_hybrid(), folds=2)
    with pytest.raises(InputError, match="use hybrid"):
        fit_hybrid(data, load("mean-cn", vectors=toy_vectors()), folds=2)


def test_ratings_of_ones_own_on_the_command_line(tmp_path: Path) -> None:
    file, out = tmp_path / "mine.csv", tmp_path / "mine.toml"
    rows = [f"{pair.first},{pair.second},{pair.rating}" for pair in toy_data(20).pairs]
    file.write_text("\n".join(["sentence1,sentence2,score", *rows]))
    given = ["--ratings", str(file), "--out", str(out), "--folds", "2", "--vectors", "builtin"]
    run = CliRunner(env={"COMPSIM_DATA": None})
    told = run.invoke(app, ["fit-weights", "--method", "hybrid:mean-cn", *given])
    assert told.exit_code == 0, told.output
    assert "for -o scheme=" in told.output
    assert read_scheme(out).name == "mine"
    told = run.invoke(app, ["fit-weights", *given])
    assert told.exit_code == 0, told.output
    assert "for --weights" in told.output
    told = run.invoke(app, ["fit-weights", "--out", str(out)])
    assert told.exit_code == 2
    assert "give one of them" in told.output
