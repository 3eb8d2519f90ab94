"""Every evaluation of a folder in one run, and methods side by side on the same items."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import cut_off, violations
from scipy.stats import pearsonr, spearmanr

from compsim.benchmarks import Spec, run
from compsim.benchmarks.report import page
from compsim.benchmarks.stats.correlation import p_value
from compsim.benchmarks.stats.paired import Sample, difference, draws, interval
from compsim.benchmarks.task import Figure, Row, Task
from compsim.benchmarks.tasks import profile as module
from compsim.benchmarks.tasks.finding import KINDS, find
from compsim.benchmarks.tasks.profile import Profile, profile
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.errors import CompsimError, DataError, InputError, UnknownNameError

RNG = np.random.default_rng(7)
SIZE = 14
SAMPLES: dict[str, dict[str, Any]] = {
    "mean": {},
    "weighted mean": {"weights": np.arange(1.0, SIZE + 1)},
    "mean of units": {"units": np.arange(SIZE) // 2, "scale": 100},
    "mean of strata": {"strata": np.array([0] * 4 + [1] * 10)},
    "spearman": {"kind": "spearman", "ratings": np.round(RNG.random(SIZE), 1)},
    "spearman of units": {
        "kind": "spearman",
        "ratings": np.round(RNG.random(SIZE), 1),
        "units": np.array([0, 0, 0, *range(1, SIZE - 2)]),
        "scale": 100,
    },
    "pearson": {"kind": "pearson", "ratings": RNG.random(SIZE)},
    "auc": {"kind": "auc", "ratings": np.arange(SIZE) % 2},
    "auc of units": {
        "kind": "auc",
        "ratings": np.arange(SIZE) % 3 == 0,
        "units": np.arange(SIZE) // 3,
    },
}


def slow_auc(values: list[Any], same: list[bool]) -> float:
    """Return how often an item of one label is above one of the other, a tie as one half."""
    won = [
        1.0 if high > low else 0.5 if high == low else 0.0
        for high, first in zip(values, same, strict=True)
        for low, second in zip(values, same, strict=True)
        if first and not second
    ]
    return float(np.mean(won)) if won else float("nan")


def slow_figure(sample: Sample, places: list[int]) -> float:
    """The figure of items, each as often as it is named."""
    values = [sample.values[i] for i in places]
    if sample.kind == "auc":
        assert sample.ratings is not None
        return slow_auc(values, [bool(sample.ratings[i]) for i in places])
    if sample.kind != "mean":
        assert sample.ratings is not None
        statistic: Any = spearmanr if sample.kind == "spearman" else pearsonr
        return float(sample.scale * statistic(values, [sample.ratings[i] for i in places])[0])
    if sample.strata is not None:
        groups: dict[int, list[float]] = {}
        for i in places:
            groups.setdefault(int(sample.strata[i]), []).append(float(sample.values[i]))
        return float(np.mean([np.mean(of) for of in groups.values()]))
    weights = [1.0 if sample.weights is None else float(sample.weights[i]) for i in places]
    total = sum(w * v for w, v in zip(weights, values, strict=True))
    return float(sample.scale * total / sum(weights))


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.filterwarnings("ignore::scipy.stats.ConstantInputWarning")
def test_a_difference_is_what_a_slow_twin_finds(name: str) -> None:
    rng = np.random.default_rng(3)
    values = rng.random((2, SIZE))
    first, second = (Sample(of, **SAMPLES[name]) for of in values)
    result = difference(first, second)
    every = list(range(SIZE))
    assert result.value == pytest.approx(slow_figure(first, every) - slow_figure(second, every))
    times = draws(first)
    assert times is not None
    resampled = []
    for row in times:
        places = [i for i in every for _ in range(int(row[i]))]
        resampled.append((slow_figure(first, places), slow_figure(second, places)))
    own, other = np.array(resampled).T
    assert [result.low, result.high] == pytest.approx(np.nanpercentile(own - other, [2.5, 97.5]))
    assert result.p == p_value(own, other)
    assert interval(first) == pytest.approx(tuple(np.nanpercentile(own, [2.5, 97.5])))
    units = SAMPLES[name].get("units")
    assert result.items == (SIZE if units is None else len(np.unique(units)))


def test_units_are_drawn_together_and_strata_keep_their_size() -> None:
    units = np.array([0, 0, 1, 2, 2])
    times = draws(Sample(np.zeros(5), units=units), 50)
    assert times is not None
    assert (times[:, 0] == times[:, 1]).all()
    assert (times[:, [0, 2, 3]].sum(axis=1) == 3).all()
    times = draws(Sample(np.zeros(5), strata=units), 50)
    assert times is not None
    assert (times[:, 3:].sum(axis=1) == 2).all()
    assert draws(Sample(np.zeros(2), units=np.zeros(2, dtype=np.int64))) is None


def test_only_items_that_both_have_count() -> None:
    first = Sample(np.array([1.0, 1, np.nan, 1, 0]))
    second = Sample(np.array([0.0, 1, 1, np.nan, 0]))
    result = difference(first, second)
    assert (result.value, result.items, result.cut) == (pytest.approx(1 / 3), 3, True)
    assert not difference(first, first).cut
    nothing = Sample(np.full(5, np.nan))
    assert difference(first, nothing) == (None, None, None, None, 0, True)
    flat = Sample(np.ones(5), "spearman", np.arange(5.0))
    assert difference(flat, flat).p is None
    with pytest.raises(ValueError, match="not of the same items"):
        difference(first, flat)
    with pytest.raises(ValueError, match="not known"):
        Sample(np.ones(3), "median")


# --- a folder -----------------------------------------------------------------------------------

SENTENCES = [
    ("Dogs chase cats.", "Cats chase dogs."),
    ("Birds sing.", "A bird sings."),
    ("The man bit the dog.", "The dog bit the man."),
    ("It rained.", "It snowed."),
    ("A child sleeps.", "A child is asleep."),
    ("Mary sold a car.", "A car was sold by Mary."),
    ("The king ate bread.", "The queen drank water."),
    ("Boys play football.", "Girls play chess."),
    ("She opened the door.", "The door was opened."),
    ("Rain falls.", "The sun shines."),
    ("He wrote a letter.", "He read a letter."),
    ("Fish swim.", "A fish can swim."),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    for name in ("pairs", "rewritten", "triples", "relations", "broken"):
        (root / name).mkdir(parents=True)
    rated = [f"{a},{b},{i % 5}" for i, (a, b) in enumerate(SENTENCES)]
    (root / "pairs" / "mine.csv").write_text("\n".join(["sentence1,sentence2,score", *rated]))
    (root / "pairs" / "mine-train.csv").write_text("\n".join(["first,second,rating", *rated]))
    head = "sentence1,relation,relationscore,structure,structurescore"
    rows = [f"{a},{b},{i % 3},{b.upper()},{5 - i % 2}" for i, (a, b) in enumerate(SENTENCES)]
    (root / "rewritten" / "own.csv").write_text("\n".join([head, *rows]))
    triples = [f"kind {i % 2}\t{a}\t{b}\tIt rained." for i, (a, b) in enumerate(SENTENCES[:3])]
    text = "\n".join(["phenomenon\tsentence\tsame\tother", *triples])
    (root / "triples" / "mine.tsv").write_text(text)
    relation = "".join(f"{a}\t{b}\n" for a, b in SENTENCES)
    (root / "relations" / "order.tsv").write_text(relation)
    (root / "broken" / "twelve.csv").write_text("sentence1,sentence2,score\na,b,no number\n")
    return root


METHODS = "mean-cn,mult-cn"


def nowhere(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "kept")


def test_data_is_told_by_what_files_hold(folder: Path) -> None:
    result = find(folder, list(KINDS), {"methods": METHODS})
    assert [(one.task, one.label) for one in result.data] == [
        ("sts", "broken/twelve.csv"),
        ("sts", "pairs/mine.csv"),
        ("contrasts", "triples/mine.tsv"),
        ("sr", "rewritten"),
        ("analogies", "relations"),
    ]
    (folder / "pairs" / "up").symlink_to(folder)
    assert find(folder, list(KINDS), {"methods": METHODS}).left_out == result.left_out
    assert "not run: pairs/mine-train.csv (sts): a split to train on" in result.left_out
    missing = {line.split(":")[1].strip() for line in result.left_out if "not found" in line}
    assert missing == {
        "sts3k", "triples", "pairs", "modifiers", "evalrank", "sugarcrepe", "bamboo", "rerank"
    }  # fmt: skip


def test_triples_and_pairs_are_told_from_captions_and_ratings(folder: Path) -> None:
    place = folder / "theirs"
    place.mkdir()
    captions = {"caption": "a", "caption2": "b", "negative_caption": "c"}
    for name in ("swap_obj", "swap_att"):
        (place / f"{name}.json").write_text(json.dumps([captions]))
    (place / "old.json").write_text('{"0": {"caption": "a", "negative_caption": "c"}}')
    head = "original_sentence,modified_sentence,modification_type,paraphrase"
    (place / "smith.csv").write_text(f"{head}\na,c,RS,b\n")
    for name in ("dev", "train"):
        paws = "id\tsentence1\tsentence2\tlabel\n1\ta\tb\t0\n2\ta\ta\t1\n"
        (place / f"{name}.tsv").write_text(paws)
    (place / "guard.tsv").write_text("kind\tfirst\tsecond\tsame\nx\ta\tb\t0\nx\ta\ta\t1\n")
    result = find(place, list(KINDS), {"methods": METHODS, "vectors": "builtin"})
    assert [(one.task, one.label) for one in result.data] == [
        ("triples", "theirs"),
        ("triples", "smith.csv"),
        ("pairs", "dev.tsv"),
        ("pairs", "guard.tsv"),
    ]
    assert "not run: train.tsv (pairs): a split to train on" in result.left_out
    assert "not run: sugarcrepe: no rated pairs that tell what scores mean" in result.left_out
    names = [task.data[0] for one in result.data for task in one.make()]  # type: ignore[union-attr]
    assert names == ["SugarCrepe++", "Sentence Smith", "PAWS", "pairs"]


def test_every_evaluation_has_a_row_and_methods_stand_side_by_side(
    folder: Path, tmp_path: Path
) -> None:
    task = profile(folder, methods=METHODS, vectors="builtin")
    assert any("not run: broken/twelve.csv (sts): " in line for line in task.problems)
    assert str(task.problems[0]).startswith("to run: pairs/mine.csv (sts), ")
    results = run(task, workspace=nowhere(tmp_path))
    assert [row.of["data"] for row in results.rows] == [
        "pairs/mine.csv", "triples/mine.tsv", "rewritten", "relations"
    ]  # fmt: skip
    assert list(results.columns) == ["mean-cn", "mult-cn"]
    assert results.complete
    for one, part, row in zip(results.comparisons, results.parts, results.rows, strict=True):
        assert (one.first, one.second) == ("mean-cn", "mult-cn")
        values = [row.figures[method].value for method in ("mean-cn", "mult-cn")]
        assert None not in values
        assert one.difference == pytest.approx(values[0] - values[1])  # type: ignore[operator]
        assert part.name == one.data == row.of["data"]
        assert [c.difference for c in part.comparisons] == [one.difference]
    written = json.loads(json.dumps(results.to_dict()))
    assert [item["data"] for item in written["side_by_side"]] == [p.name for p in results.parts]
    assert [item["task"] for item in written["parts"]] == ["sts", "contrasts", "sr", "analogies"]
    for text in (results.to_markdown(), results.to_latex()):
        assert "mean-cn - mult-cn" in text
        assert "pairs/mine.csv" in text
    html = task.report(results)
    assert "What is each method good at?" in html
    assert '<h2 id="part-0">pairs/mine.csv: ' in html
    assert "Do the methods differ, on the same items?" in html


def test_its_page_is_read_on_a_phone_and_on_a_desk(folder: Path, tmp_path: Path) -> None:
    methods = f"hybrid:mean-cn,{METHODS}"
    task = profile(folder, methods=methods, vectors="builtin")
    made = page([(task, run(task, workspace=nowhere(tmp_path)))])
    assert "Do scores rise with people" in made
    assert made.count('class="compsim"') > 4  # explanations
    for style in set(re.findall("<style>.*?</style>", made, re.DOTALL)):
        assert made.count(style) == 1
    assert len(re.findall(r' id="([^"]*)"', made)) == len(set(re.findall(r' id="([^"]*)"', made)))
    assert cut_off({"profile": made}, tmp_path, (390, 1280)) == []
    assert violations({"profile": made}, tmp_path, (390, 1280)) == []


def test_a_finished_evaluation_is_not_run_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[int] = []
    task = profile(folder, methods="mean-cn", vectors="builtin", only="sts,contrasts,sr")
    kept = nowhere(tmp_path)
    first = run(task, workspace=kept, advance=lambda name, count: steps.append(count))
    assert sum(steps) == task.total

    def never(*given: Any, **more: Any) -> Any:
        raise AssertionError("computed anew")

    monkeypatch.setattr("compsim.benchmarks.tasks.similarity.sts.open_method", never)
    monkeypatch.setattr("compsim.benchmarks.tasks.minimal_pairs.margins.open_method", never)
    task = profile(folder, methods="mean-cn", vectors="builtin", only="sts,contrasts,sr")
    again = run(task, workspace=kept)
    assert again.complete
    assert again.table() == first.table()


class Broken(Task):
    """An evaluation that breaks down in one way or another."""

    name = title = "broken"
    headline = figure = "length"

    def __init__(self, error: Exception, late: bool) -> None:
        self.columns = {"length": 0}
        self.specs = [Spec("mean-cn")]
        self.error, self.late = error, late

    def measure(self, spec: Spec, workspace: Workspace, advance: Any) -> list[Row]:
        if not self.late:
            raise self.error
        return [Row({"method": spec.method}, {"length": Figure(1.0)})]

    def results(self, rows: Any, **more: Any) -> Any:
        if self.late:
            raise self.error
        return super().results(rows, **more)


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("error", [InputError("no such option"), ValueError("oh"), KeyError()])
def test_a_failing_evaluation_does_not_end_the_run(
    folder: Path, tmp_path: Path, error: Exception, late: bool
) -> None:
    good = profile(folder, methods="mean-cn", vectors="builtin", only="contrasts")
    assert isinstance(good, Profile)
    task = Profile({"bad": Broken(error, late), **good.tasks})
    results = run(task, workspace=nowhere(tmp_path))
    bad, fine = results.rows
    assert (bad.status, fine.status) == ("failed", "ok")
    assert str(error) in bad.reason
    assert not results.complete
    assert "failed" in results.to_markdown()
    assert "triples/mine.tsv" in task.report(results)


def test_a_section_that_breaks_down_does_not_end_the_report(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = profile(folder, methods="mean-cn", vectors="builtin", only="contrasts")
    results = run(task, workspace=nowhere(tmp_path))
    (one,) = task.tasks.values()  # type: ignore[attr-defined]
    monkeypatch.setattr(one, "report", lambda results: 1 / 0)
    assert "could not be made: ZeroDivisionError" in task.report(results)


def test_a_method_without_its_extra_is_left_out_with_the_reason(
    folder: Path, tmp_path: Path
) -> None:
    missing = tmp_path / "no such model"
    task = profile(folder, methods=f"mean-cn,sbert:{missing}", vectors="builtin", only="contrasts")
    results = run(task, workspace=nowhere(tmp_path))
    assert list(results.rows[0].figures) == ["mean-cn"]
    assert any("sbert" in note for note in results.rows[0].notes)
    assert results.comparisons == []


def test_what_cannot_be(folder: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(DataError, match="holds no data that an evaluation can be run on"):
        profile(empty)
    with pytest.raises(DataError, match="there is no folder"):
        profile(tmp_path / "none")
    with pytest.raises(UnknownNameError, match="there is no evaluation 'stss'"):
        profile(folder, only="stss")
    with pytest.raises(UnknownNameError, match="there is no evaluation 'x'"):
        profile(folder, skip="x")
    with pytest.raises(DataError, match=r"twelve\.csv has 0 usable pairs"):
        profile(folder / "broken")
    with pytest.raises(CompsimError):
        profile(folder, methods="no-such-method")
    with pytest.raises(InputError, match="needs an evaluation"):
        Profile({})
    task = profile(folder, skip="sr,analogies,sts", methods="mean-cn")
    assert isinstance(task, module.Profile)
    assert list(task.tasks) == ["triples/mine.tsv"]


def test_the_command_writes_everything(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = {name: tmp_path / f"out.{name}" for name in ("json", "markdown", "latex", "html")}
    given = ["--methods", METHODS, "--vectors", "builtin", "--only", "sts,contrasts"]
    written = [part for name, path in out.items() for part in (f"--{name}", str(path))]
    assert main(["bench", "all", "--data", str(folder), *given, *written]) == 0
    said = capsys.readouterr()
    assert "to run: pairs/mine.csv (sts), triples/mine.tsv (contrasts)" in said.err
    assert "mean-cn - mult-cn" in said.out
    assert json.loads(out["json"].read_text())["task"] == "all"
    assert "\\begin{tabular}" in out["latex"].read_text()
    assert "## triples/mine.tsv" in out["markdown"].read_text()
    assert out["html"].read_text().count("<h1>") == 1
