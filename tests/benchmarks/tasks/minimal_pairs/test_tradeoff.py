"""The trade-off of the hybrid: its rows are the hybrid's own figures by the share of the graphs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr
from toys import ToyParser, toy_pairs, toy_vectors

from compsim.benchmarks import Spec, run
from compsim.benchmarks.datasets import Dataset
from compsim.benchmarks.datasets.triples import read_contrasts
from compsim.benchmarks.tasks.minimal_pairs.tradeoff import Tradeoff, shares_of, tradeoff
from compsim.benchmarks.workspace import Workspace
from compsim.comparison.scheme import Scheme
from compsim.errors import InputError
from compsim.hybrid.method import HybridMethod

TRIPLES = """\
phenomenon\tsentence\tsame\tother
swap\tdogs chase cats.\tdogs chase cats.\tcats chase dogs.
"""


def toy_hybrid(scheme: Scheme | None = None) -> HybridMethod:
    return HybridMethod("mean-cn", scheme, ToyParser(), toy_vectors())


def rated(count: int) -> Dataset:
    data = toy_pairs(count)
    ratings = np.random.RandomState(0).rand(count).tolist()
    pairs = [pair._replace(rating=r) for pair, r in zip(data.pairs, ratings, strict=True)]
    halves = {"all": tuple(range(count)), "half": tuple(range(0, count, 2))}
    return Dataset("toy", tuple(pairs), halves, "made by the test")


def test_rows_are_the_figures_of_the_method(tmp_path: Path) -> None:
    file = tmp_path / "triples.tsv"
    file.write_text(TRIPLES)
    data = rated(30)
    method = toy_hybrid()
    task = Tradeoff(
        [data], [Spec("hybrid", model=method)], (0.0, 0.5), read_contrasts(file), "checksum"
    )
    results = run(task, workspace=Workspace("/dev/null"))
    assert list(results.columns) == ["toy all", "toy half", "contrasts"]
    assert [row.of["share"] for row in results.rows] == ["whole alone", "0", "0.5"]
    first, second = ([pair[i] for pair in data.pairs] for i in (0, 1))
    ratings = np.array([pair.rating for pair in data.pairs])
    half = list(data.parts["half"])

    def scores(share: float) -> np.ndarray:
        own = replace(method.scheme, agreement={**method.scheme.agreement, "words": share})
        return toy_hybrid(own).similarity_pairwise(first, second)

    expected = [method.whole.similarity_pairwise(first, second), scores(0.0), scores(0.5)]
    for row, result in zip(results.rows, expected, strict=True):
        assert row.figures["toy all"].value == pytest.approx(spearmanr(result, ratings).statistic)
        rho = spearmanr(result[half], ratings[half]).statistic
        assert row.figures["toy half"].value == pytest.approx(rho)
    won = [row.figures["contrasts"].value for row in results.rows]
    assert won == [0.0, 1.0, 1.0]
    page = task.report(results)
    assert page.count('class="mark-line') == 3
    assert "whole alone" in page


def test_what_has_no_such_share_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="use hybrid"):
        run(
            Tradeoff([rated(10)], [Spec("mean-cn", {"vectors": toy_vectors()})], (0.0,)),
            workspace=Workspace("/dev/null"),
        )
    for text in ("", "a", "-1", "inf", "nan"):
        with pytest.raises(InputError):
            shares_of(text)


def test_options_make_a_task(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    rows = [f"{pair.first},{pair.second},{pair.rating}" for pair in rated(10).pairs]
    file.write_text("\n".join(["sentence1,sentence2,score", *rows]))
    task = tradeoff(str(file), "hybrid:mean-cn,hybrid:sbert=folder", shares="0,1")
    assert [spec.title for spec in task.specs] == ["hybrid:mean-cn", "hybrid:sbert=folder"]
    assert task.specs[1].options["whole"] == "sbert:folder"
