from __future__ import annotations

import math
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toys import ToyParser

from compsim.benchmarks.datasets import Dataset, SentencePair
from compsim.benchmarks.report import charts, page, pairs_section
from compsim.benchmarks.report.pair_types import TYPES, pair_type, single_modifier
from compsim.benchmarks.stats.agreement import describe
from compsim.benchmarks.task import Results, Spec, run
from compsim.benchmarks.tasks.sts import Sts
from compsim.graph import RoleGraph

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PAIRS = tuple(
    SentencePair(*pair)
    for pair in (
        ("The cat chased the mouse.", "The mouse chased the cat.", 0.4),
        ("The cat chased the mouse.", "The old cat chased the mouse.", 0.9),
        ("The dog helped the boy.", "The dog helped the boy yesterday.", 0.8),
        ("The dog helped the boy.", "The dog helped the <b>girl</b> & left.", 0.6),
        ("The birds sang in the park.", "She paid the bill.", 0.0),
        ("The boy read a book.", "The tall boy read a book.", 0.85),
        ("The girl wrote a letter.", "The young girl wrote a letter.", 0.88),
    )
)
DATA = Dataset("toy", PAIRS, {"all": tuple(range(7)), "non": (1, 2, 4), "adv": (0, 3, 5)}, "a test")


class Rated(Sts):
    """Pairs whose raters are known."""

    def report(self, results: Results) -> str:
        rng = np.random.default_rng(0)
        table = np.arange(1.0, 8)[:, None] + rng.integers(-1, 2, size=(7, 9))
        people = describe(table.clip(1, 7), low=1, high=7)
        return pairs_section(self.pairs, results, self.title, people)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPSIM_HOME", str(tmp_path_factory.mktemp("home")))
        specs = [
            Spec("verbnet-cn", {"vectors": "builtin"}),
            Spec("amr-wlk"),
            Spec("absent", scores=()),
        ]
        specs[-1] = Spec("verbnet-cn", {"vectors": "none.bin"})
        task = Rated(DATA, specs)
        return page([(task, run(task))])


def stars(**phrases: str) -> RoleGraph:
    return RoleGraph.star("", phrases)


def test_a_report_has_every_figure_and_fetches_nothing(report: str) -> None:
    for title in ("Parts of the data", "Models against people", "Kinds of pairs"):
        assert f"<h2>{title}</h2>" in report
    for title in ("Single modifiers", "Most mis-scored", "Distributions", "Raters"):
        assert f"<h2>{title}</h2>" in report
    assert "ceiling 0.9" in report
    assert "not available here: there are no vectors at none.bin" in report
    assert "told from their parses by rules" in report
    assert "<b>girl" not in report
    assert "&lt;b&gt;girl" in report
    assert not re.search(r"(src|href)=|url\(http|@import|<script", report)


def test_each_chart_is_well_formed(report: str) -> None:
    found = re.findall(r"<svg .*?</svg>", report, re.DOTALL)
    assert len(found) > 6
    for svg in found:
        ElementTree.fromstring(svg)


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
@pytest.mark.parametrize("width", [390, 1200])
def test_a_browser_lays_the_report_out(report: str, tmp_path: Path, width: int) -> None:
    probe = (
        "<script>document.title = [document.documentElement.scrollWidth <= window.innerWidth,"
        "[...document.querySelectorAll('section > svg.chart')].every("
        "s => s.getBoundingClientRect().width > 0.8 * Math.min(innerWidth - 40, 700)),"
        "document.querySelectorAll('h2').length].join(' ');</script></body>"
    )
    file = tmp_path / "report.html"
    file.write_text(report.replace("</body>", probe), encoding="utf-8")
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += [f"--window-size={width},900", f"--user-data-dir={tmp_path / 'profile'}"]
    dom = subprocess.run(
        [*command, file.as_uri()], capture_output=True, text=True, timeout=60, check=True
    ).stdout
    assert "<title>true true 8</title>" in dom


def test_kinds_of_pairs() -> None:
    plain = stars(Verb="helped", Agent="the old firm", Patient="the bill")
    for other, kind, modifier in (
        (stars(Verb="helps", Agent="the old firm", Patient="bills"), "modifiers", ""),
        (
            stars(Verb="helped", Agent="the firm", Patient="the bill"),
            "modifiers",
            "subject adjective",
        ),
        (
            stars(Verb="helped", Agent="the old firm", Theme="the bill", Time="now"),
            "modifiers",
            "Time",
        ),
        (stars(Verb="helped", Agent="the bill", Patient="the firm"), "swap-2", ""),
        (stars(Verb="bill", Agent="the help", Patient="the firm"), "swap-3", ""),
        (stars(Verb="helped", Agent="a woman", Patient="the bill"), "single", ""),
        (stars(Verb="sang", Agent="birds", Location="in the park"), "no word shared", ""),
        (RoleGraph.failed("", "no verb"), "other", ""),
    ):
        assert pair_type(plain, other) == pair_type(other, plain) == kind
        assert single_modifier(plain, other) == single_modifier(other, plain) == modifier


@given(st.lists(st.sampled_from(["cats", "dogs", "chase", "help", "quickly", "in", "park"])))
def test_every_pair_has_a_kind(words: list[str]) -> None:
    graphs = ToyParser().parse([" ".join(words), "cats chase dogs"])
    assert pair_type(*graphs) in TYPES
    assert pair_type(*graphs) == pair_type(*graphs[::-1])


numbers = st.floats(-1e6, 1e6, allow_nan=False)


@given(numbers, numbers)
def test_axes_hold_their_values_and_have_few_ticks(one: float, other: float) -> None:
    low, high = charts._rounded(min(one, other), max(one, other))
    assert low <= min(one, other) + 1e-6
    assert high >= max(one, other) - 1e-6
    assert low < high
    assert 2 <= len(charts._ticks((low, high))) <= 12


@given(st.lists(st.none() | numbers, min_size=1, max_size=4))
def test_charts_of_any_values_are_well_formed(values: list[float | None]) -> None:
    groups = [f"<{i}>" for i in range(len(values))]
    drawn = [
        charts.bars(groups, {"a & b": values}, (-1, 1), title='"t"'),
        charts.dots(groups, {"a & b": values, "c": values}, title="t"),
    ]
    finite = np.array([v for v in values if v is not None])
    part = charts.Points(finite, finite, [f"{v}" for v in finite])
    drawn.append(charts.points({"<x>": part} if len(finite) else {}, title="t", across="x", up="y"))
    if len(finite):
        drawn.append(charts.histogram(finite, title="t"))
    for svg in drawn:
        ElementTree.fromstring(svg)
        assert not any(math.isnan(float(x)) for x in re.findall(r' (?:x|cx)="([^"]*)"', svg))
