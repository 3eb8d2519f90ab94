"""Statistics of ratings, against the same done slowly, and against the paper."""

from __future__ import annotations

import dataclasses
import json
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from openpyxl import Workbook
from scipy.stats import ks_2samp
from sklearn.metrics import cohen_kappa_score

from compsim.benchmarks.datasets import open_sts3k
from compsim.benchmarks.datasets.sts.ratings import read_ratings
from compsim.benchmarks.stats import agreement as module
from compsim.benchmarks.stats.agreement import Statistics, describe, of_sts3k, statistics
from compsim.errors import DataError, InputError

NAN = float("nan")
cells = st.one_of(st.just(NAN), st.integers(1, 7).map(float))
tables = arrays(np.float64, st.tuples(st.integers(4, 9), st.integers(3, 6)), elements=cells)


def enough(table: npt.NDArray[np.float64]) -> bool:
    there = ~np.isnan(table)
    return bool(there.any(axis=1).sum() >= 3 and there.any(axis=0).sum() >= 2)


@settings(max_examples=25)
@given(tables.filter(enough))
def test_statistics_are_what_loops_find(table: npt.NDArray[np.float64]) -> None:
    splits = 25  # the loops take a while for each
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SPLITS", splits)
        result = describe(table, low=1, high=7)
    rated = [[x for x in row if x == x] for row in table.tolist()]
    means = [(sum(row) / len(row) - 1) / 6 for row in rated if row]
    assert (result.pairs, result.ratings) == (len(means), sum(map(len, rated)))
    assert result.mean == pytest.approx(np.mean(means))
    assert result.deviation == pytest.approx(np.std(means, ddof=1))
    assert (result.minimum, result.maximum) == pytest.approx((min(means), max(means)))
    assert sum(result.observed) == sum(result.shuffled) == len(means)
    agreement = result.agreement["all"]
    spreads = [np.std(row, ddof=1) / 6 for row in rated if len(row) > 1]
    assert agreement.deviation == (pytest.approx(np.mean(spreads)) if spreads else None)

    reliability, kappas = [], []
    rng = np.random.default_rng(module._SEED)
    for _ in range(splits):
        raters = rng.permutation(table.shape[1])
        half = set(raters[: len(raters) // 2].tolist())
        a, b = [], []
        for row in table.tolist():
            one = [x for j, x in enumerate(row) if x == x and j in half]
            other = [x for j, x in enumerate(row) if x == x and j not in half]
            if one and other:
                a.append(sum(one) / len(one))
                b.append(sum(other) / len(other))
        if len(a) < 3:
            continue
        if len(set(a)) > 1 and len(set(b)) > 1:
            reliability.append(np.corrcoef(a, b)[0, 1])
        rounded = [[int(x + 0.5) for x in side] for side in (a, b)]
        if len(set(rounded[0] + rounded[1])) > 1:
            kappas.append(cohen_kappa_score(*rounded, weights="linear", labels=list(range(1, 8))))
    assert (agreement.reliability is None) == (not reliability)
    if reliability:
        r = np.mean(reliability)
        assert agreement.reliability == pytest.approx(2 * r / (1 + r) if r > 0 else r)
    assert agreement.kappa == (pytest.approx(np.mean(kappas)) if kappas else None)


@given(st.lists(st.tuples(st.integers(1, 7), st.integers(1, 7)), min_size=1, max_size=9))
def test_kappa_is_that_of_all_pairings(rows: list[tuple[int, int]]) -> None:
    x, y = np.array(rows, dtype=np.float64).T
    chance = np.mean([abs(a - b) for a, b in product(x, y)])
    naive = None if chance == 0 else pytest.approx(1 - np.mean(abs(x - y)) / chance)
    assert module._kappa(x, y, whole=True) == naive
    assert module._kappa(x, y, whole=False) == naive


def test_shuffling_keeps_who_rated_what_and_how() -> None:
    table = np.array([[1, NAN, 3], [4, 5, NAN], [2, 7, 6], [NAN, 1, 2.0]])
    shuffled = module._shuffled(table)
    assert (np.isnan(shuffled) == np.isnan(table)).all()
    assert (np.sort(shuffled, axis=0)[:3] == np.sort(table, axis=0)[:3]).all()
    result = describe(table)
    means = [np.nanmean((t - 1) / 6, axis=1) for t in (table, shuffled)]
    assert (result.distance, result.p) == pytest.approx(tuple(ks_2samp(*means, method="asymp")))


def test_perfect_and_undefined_agreement() -> None:
    table = np.repeat(np.arange(1.0, 6)[:, None], 4, axis=1)
    perfect = describe(table).agreement["all"]
    assert (perfect.deviation, perfect.reliability, perfect.kappa) == (0, pytest.approx(1), 1)
    alone = np.full((4, 4), NAN)
    np.fill_diagonal(alone, [1, 2, 3, 4])
    result = describe(alone).agreement["all"]
    assert dataclasses.astuple(result) == (4, None, None, None, None)


def test_sliders_are_not_rounded() -> None:
    table = np.array([[0.1, 0.2], [0.4, 0.45], [0.8, 0.7], [0.9, 0.9]])
    kappa = describe(table, low=0, high=1).agreement["all"].kappa
    assert kappa is not None
    assert 0 < kappa < 1


def test_statistics_are_frozen_and_json() -> None:
    rng = np.random.default_rng(0)
    table = np.clip(rng.integers(1, 6, (20, 1)) + rng.integers(0, 3, (20, 6)), 1, 7).astype(float)
    table[3] = NAN
    result = describe(table, parts={"all": [0], "some": (0, 1, 2, 4)})
    assert result.pairs == 19
    assert result.agreement["some"].pairs == 4
    assert json.loads(json.dumps(result.to_dict())) == result.to_dict()
    assert result == describe(table, parts={"some": (0, 1, 2, 4)})
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.pairs = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("table", "options", "error", "says"),
    [
        ([1, 2, 3], {}, InputError, "1 axes"),
        ([[1, 2], [3, 4]], {}, DataError, "2 pairs by 2 raters"),
        ([[1], [3], [4]], {}, DataError, "3 pairs by 1 raters"),
        ([[1, NAN], [3, NAN], [4, NAN]], {}, DataError, "3 pairs by 1 raters"),
        ([[1, np.inf], [3, 4], [4, 4]], {}, InputError, "infinite"),
        ([[1, 1], [1, 1], [1, 1]], {}, InputError, "from 1 to 1"),
        ([[1, 2], [3, 4], [8, 1]], {"low": 1, "high": 7}, InputError, "from 1 to 8"),
        ([[1, 2], [3, 4], [8, 1]], {"parts": {"x": [3]}}, InputError, "'x' has rows 3 to 3"),
    ],
)
def test_bad_tables(
    table: object, options: dict[str, object], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        describe(np.array(table), **options)  # type: ignore[arg-type]


# --- files ---------------------------------------------------------------------------------------


def test_a_csv_a_tsv_and_a_workbook_give_the_same(tmp_path: Path) -> None:
    rows = [
        ["ID", "pair", 1, 2, 3],
        [4, "a, b", 1, None, 3],
        [5, "c", 4, 5, None],
        [6, "d", 7, 6, 7],
    ]
    book = Workbook()
    for row in rows:
        assert book.active is not None
        book.active.append(row)
    book.save(tmp_path / "r.xlsx")
    for name, mark in (("r.csv", ","), ("r.tsv", "\t")):
        quoted = [
            [f'"{x}"' if isinstance(x, str) else "" if x is None else x for x in r] for r in rows
        ]
        (tmp_path / name).write_text("".join(mark.join(map(str, r)) + "\n" for r in quoted))
    for name in ("r.xlsx", "r.csv", "r.tsv"):
        ratings = read_ratings(tmp_path / name)
        np.testing.assert_array_equal(ratings, [[1, NAN, 3], [4, 5, NAN], [7, 6, 7]])
    named = read_ratings(tmp_path / "r.csv", ["3", "ID"])
    np.testing.assert_array_equal(named, [[3, 4], [NAN, 5], [7, 6]])
    assert statistics(tmp_path / "r.csv", low=1, high=7).source.endswith("r.csv")


@pytest.mark.parametrize(
    ("text", "raters", "says"),
    [
        (None, None, "there is no file"),
        ("", None, "is empty"),
        ("a,b\n1,2\n", None, "no columns named 1, 2, 3.*among a, b"),
        ("a,b\n1,2\n", ["c"], "no column 'c'"),
        ("1,2\n1,2\n3,x\n", None, "row 3, column 2: 'x' is not a number"),
        ("1,2\n1,inf\n", None, "row 2, column 2: 'inf'"),
        ("1,2\n1,2\n\n3\nNA,4\n", ["1", "2"], None),
    ],
)
def test_bad_files(
    tmp_path: Path, text: str | None, raters: list[str] | None, says: str | None
) -> None:
    path = tmp_path / "r.csv"
    if text is not None:
        path.write_text(text)
    if says is None:
        np.testing.assert_array_equal(read_ratings(path, raters), [[1, 2], [3, NAN], [NAN, 4]])
        return
    with pytest.raises(DataError, match=says):
        read_ratings(path, raters)


def test_a_damaged_workbook(tmp_path: Path) -> None:
    (tmp_path / "r.xlsx").write_bytes(b"PK no zip")
    with pytest.raises(DataError, match=r"r\.xlsx is no workbook"):
        read_ratings(tmp_path / "r.xlsx")


# From here on, the real data.


@pytest.fixture(scope="module")
def development(data_dir: Path) -> Statistics:
    if not (data_dir / "compositional-semantics-eval").is_dir():
        pytest.skip(f"{data_dir} has no compositional-semantics-eval")
    data = open_sts3k(data_dir)
    result = of_sts3k(data)
    assert result is not None
    return result


def test_the_development_part_is_as_the_paper_says(development: Statistics) -> None:
    """Section 5.1 is about all 2,800 pairs; these are 1,140 of them."""
    result = development
    assert (result.pairs, result.raters) == (1140, 501)
    assert result.mean == pytest.approx(0.442, abs=0.01)
    assert result.deviation == pytest.approx(0.242, abs=0.01)
    assert result.p < 1e-40
    printed = {"all": (0.953, 0.832), "non": (0.950, 0.825), "adv": (0.940, 0.804)}
    for part, (reliability, kappa) in printed.items():
        assert result.agreement[part].reliability == pytest.approx(reliability, abs=0.01)
        assert result.agreement[part].kappa_all == pytest.approx(kappa, abs=0.015)
    assert result.agreement["all"].deviation == pytest.approx(0.216, abs=0.002)
