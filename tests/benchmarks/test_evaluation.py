from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr
from toy_pairs import DATA, PAIRS
from toys import ToyParser, toy_vectors

from compsim.benchmarks import Spec, bench, evaluate
from compsim.benchmarks import workspace as kept
from compsim.benchmarks.datasets import Dataset
from compsim.benchmarks.datasets.sts.scores import read_scores
from compsim.benchmarks.published import Ran, published
from compsim.benchmarks.results import shown
from compsim.benchmarks.stats.correlation import Bootstrap, correlate, interval, p_value
from compsim.benchmarks.workspace import Workspace, key
from compsim.errors import CompsimError, DataError, InputError, UnknownNameError
from compsim.registry import load

finite = st.floats(-1, 1).map(lambda x: round(x, 2))
tables = st.lists(st.tuples(finite, finite), min_size=3, max_size=12)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPSIM_HOME", str(tmp_path / "home"))


def toy(**options: Any) -> Spec:
    return Spec("verbnet-cn", {"parser": ToyParser(), "vectors": toy_vectors(), **options})


# --- correlation ---------------------------------------------------------------------------------


@given(tables)
def test_spearman_is_the_correlation_of_ranks(rows: list[tuple[float, float]]) -> None:
    x, y = np.array(rows).T
    result = correlate(x, y)
    if result.note:
        assert len(set(x)) == 1 or len(set(y)) == 1
        return
    ranks = [
        [(v > w).sum() + ((v == w).sum() + 1) / 2 for v, w in ((a, z) for a in z)] for z in (x, y)
    ]
    assert result.spearman == pytest.approx(np.corrcoef(ranks)[0, 1], abs=1e-9)
    assert result.pearson == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-9)


def test_where_there_is_no_correlation_it_is_said() -> None:
    ratings = np.array([0.1, 0.2, 0.3, 0.4])
    for scores, rated, why in (
        (np.full(4, 0.5), ratings, "all scores are 0.5"),
        (ratings, np.full(4, 0.5), "all ratings are 0.5"),
        (ratings[:2], ratings[:2], "there are only 2 pairs"),
        (np.array([0.1, math.nan, 0.3, 0.4]), ratings, "1 of 4 scores are NaN"),
    ):
        result = correlate(scores, rated)
        assert (result.spearman, result.pearson, result.kendall) == (None, None, None)
        assert result.note == why


@given(tables)
def test_resamples_are_those_of_the_pairs_written_out(rows: list[tuple[float, float]]) -> None:
    x, y = np.array(rows).T
    sample = Bootstrap(y, resamples=5)
    for times, rho in zip(sample._times, sample.correlations(x), strict=True):
        drawn = np.repeat(np.arange(len(x)), times)
        if len(set(x[drawn])) == 1 or len(set(y[drawn])) == 1:
            assert math.isnan(rho)
        else:
            assert rho == pytest.approx(spearmanr(x[drawn], y[drawn]).statistic, abs=1e-9)


def test_an_interval_holds_the_figure_and_narrows() -> None:
    rng = np.random.default_rng(3)
    widths = []
    for n in (50, 800):
        ratings = rng.random(n)
        scores = ratings + rng.normal(size=n) / 3
        sample = Bootstrap(ratings)
        low, high = sample.interval(sample.correlations(scores))
        assert low < (correlate(scores, ratings).spearman or 0) < high
        widths.append(high - low)
        close = sample.correlations(scores + rng.normal(size=n) / 1000)
        assert p_value(sample.correlations(scores), close) > 0.05
        assert p_value(sample.correlations(scores), sample.correlations(-scores)) < 0.01
    assert widths[1] < widths[0] / 2


def test_an_interval_of_any_statistic() -> None:
    right = np.random.default_rng(1).random(400) < 0.7
    low, high = interval(np.mean, right)
    assert low is not None
    assert high is not None
    # The normal approximation.
    half = 1.96 * right.std() / 20
    assert (low, high) == pytest.approx((right.mean() - half, right.mean() + half), abs=0.01)
    assert interval(np.mean, [1.0]) == (None, None)
    assert interval(lambda x, y: np.corrcoef(x, y)[0, 1], [1, 1, 2], [1, 2, 3]) == (None, None)


# --- running -------------------------------------------------------------------------------------


def test_each_sentence_is_encoded_once_for_all_normalisations() -> None:
    parser, result = ToyParser(), []
    options = {"parser": parser, "vectors": toy_vectors()}
    ways = ("matched", "union", "fixed")
    specs = [Spec("verbnet-cn", {**options, "normalize": way}) for way in ways]
    results = evaluate(DATA, specs, advance=lambda name, count: result.append((name, count)))
    assert sorted(parser.parsed) == sorted(DATA.sentences())
    assert sum(count for _, count in result) == 3 * len(DATA.sentences())
    assert [row.of["normalize"] for row in results.rows] == list(ways)
    for way, row in zip(ways, results.rows, strict=True):
        method = load("verbnet-cn", **options, normalize=way)
        expected = [method.similarity_pairwise([a], [b])[0] for a, b, _ in PAIRS]
        assert row.scores == pytest.approx(expected)
        assert row.to_dict()["all"] == pytest.approx(
            spearmanr(expected, [pair.rating for pair in PAIRS]).statistic
        )
        assert (row.of["parser"], row.of["vectors"]) == ("toy", "toy-vectors")
        assert row.details["failed"] == 0
    assert results.columns == {"all": 7, "adv": 3}


def test_a_second_run_is_read_and_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    specs = [Spec("amr-wlk", {"k": 1}), Spec("verbnet-cn", {"vectors": "builtin"})]
    first = evaluate(DATA, specs).to_dict()
    monkeypatch.setattr("compsim.registry.load", None)  # nothing is scored again
    second = evaluate(DATA, specs).to_dict()
    assert first.pop("created") <= second.pop("created")
    assert json.dumps(first) == json.dumps(second)


def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compsim.benchmarks.sides._CHUNK", 4)
    spec = Spec("amr-wlk", {"k": 1})
    encoded: list[str] = []

    def interrupted(name: str, count: int) -> None:
        encoded.append(name)
        if len(encoded) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(DATA, [spec], advance=interrupted)
    left: list[str] = []
    kind = type(load("amr-wlk"))
    whole = kind._encode

    def watched(self: Any, sentences: list[str]) -> Any:
        left.extend(sentences)
        return whole(self, sentences)

    monkeypatch.setattr(kind, "_encode", watched)
    results = evaluate(DATA, [spec])
    assert left == DATA.sentences()[8:]
    monkeypatch.undo()
    anew = evaluate(DATA, [spec], workspace=Workspace(tmp_path / "other"))
    assert results.rows[0].scores == anew.rows[0].scores


def test_keys_stand_for_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text("one")
    before = key("m", {"vectors": file})
    assert before == key("m", {"vectors": file}) != key("m", {"vectors": tmp_path})
    file.write_text("three")
    assert before != key("m", {"vectors": file})
    assert key("m", {"parser": ToyParser()}) is None
    named = key("m")
    monkeypatch.setattr(kept, "_code", lambda: "another version")
    assert key("m") != named


def test_what_breaks_down_is_said_and_the_others_finish() -> None:
    def broken(first: list[str], second: list[str]) -> list[float]:
        raise RuntimeError("out of memory")

    def short(first: list[str], second: list[str]) -> list[float]:
        return [0.5]

    specs = [
        Spec("broken", model=broken),
        Spec("nowhere", options={}, optional=True),
        Spec("verbnet-cn", {"vectors": "none.bin"}),
        toy(),
    ]
    results = evaluate(DATA, specs)
    assert [row.status for row in results.rows] == ["failed", "unavailable", "unavailable", "ok"]
    assert results.rows[0].reason == "RuntimeError: out of memory"
    assert "there are no vectors at none.bin" in results.rows[2].reason
    assert not results.complete
    assert evaluate(DATA, specs[1:]).complete
    text = results.to_markdown()
    assert "| broken |  |  |  | failed |" in text
    assert "not available here: there are no vectors" in text
    with pytest.raises(InputError, match="short: there are 1 scores and 7 pairs"):
        evaluate(DATA, [Spec("short", model=short)])
    for wrong, error in ((Spec("verbnet"), UnknownNameError), (toy(pooling="mean"), InputError)):
        with pytest.raises(error):
            evaluate(DATA, [wrong])


def test_several_processes_give_the_same(tmp_path: Path) -> None:
    specs = [Spec("amr-wlk", {"k": 0}), Spec("own", model=lambda a, b: [len(s) for s in a])]
    together = evaluate(DATA, specs, jobs=2, workspace=Workspace(tmp_path))
    for row, same in zip(evaluate(DATA, specs).rows, together.rows, strict=True):
        assert row == same


def test_a_model_of_ones_own_and_files_of_scores(tmp_path: Path) -> None:
    ratings = [pair.rating for pair in PAIRS]
    file = tmp_path / "perfect.txt"
    file.write_text("\n".join(map(str, ratings)))
    results = bench(
        DATA,
        lambda first, second: -np.array(ratings)[:, None],
        name="inverse",
        scores=dict(read_scores([file])),
        methods=["amr-wlk"],
    )
    assert [row.of["method"] for row in results.rows] == ["inverse", "perfect", "amr-wlk"]
    assert results.rows[0].figures["all"].value == pytest.approx(-1)
    assert results.rows[1].figures["adv"].value == pytest.approx(1)
    assert results.rows[1].differs["all"] == 1
    assert results.rows[0].differs["all"] < 0.01
    method = load("amr-wlk")
    assert bench(DATA, method, name="same").rows[0].scores == results.rows[2].scores
    file.write_text("0.5\nhigh\n")
    with pytest.raises(DataError, match=r"perfect\.txt, line 2: 'high' is not a number"):
        read_scores([file])
    with pytest.raises(DataError, match="cannot be read"):
        read_scores([tmp_path / "none.txt"])


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(CompsimError, match=r'pip install "\.\[bench\]"'):
        evaluate(DATA, [toy()])


# --- results -------------------------------------------------------------------------------------


def test_tables_for_papers() -> None:
    data = Dataset("STS3k", DATA.pairs, DATA.parts, "made by the test")
    results = evaluate(data, [toy(normalize="fixed")])
    figures = results.rows[0].figures["all"]
    assert results.rows[0].published == {}  # another parser than the paper's
    printed = published("STS3k", Ran("mpnet", "zscore"))
    results = replace(results, rows=[replace(results.rows[0], published=printed)])
    # So few pairs have no interval in tables.
    assert figures.low is not None
    assert f"| {shown(figures.value)} |" in results.to_markdown()
    markdown = results.to_markdown().splitlines()
    assert markdown[0].startswith("| method | normalize |")
    assert markdown[0].endswith("| all (n=7) | adv (n=3) | published |")
    assert ".580 / .145 |" in markdown[2]
    latex = results.to_latex()
    assert "verbnet-cn & fixed & toy & toy-vectors & " in latex
    assert latex.count(r"\\") == 2
    assert [shown(v) for v in (0.5, -0.25, 1, -0.0001, None)] == [
        ".500",
        "-.250",
        "1.000",
        ".000",
        "undefined",
    ]
    result = results.to_dict()
    assert (result["schema"], result["task"]) == (2, "sts")
    assert result["data"]["sha256"] == data.checksum
    assert result["rows"][0].keys() >= {"method", "normalize", "all", "adv", "n", "scores"}
