from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from browser import cut_off, violations
from hypothesis import given, settings
from hypothesis import strategies as st
from toys import ToyParser

from compsim.benchmarks.datasets import Dataset, SentencePair, open_sts3k
from compsim.benchmarks.report import charts, page, pairs_section
from compsim.benchmarks.report.figures import beside_published
from compsim.benchmarks.report.pair_types import (
    TYPES,
    index_types,
    pair_type,
    single_modifier,
)
from compsim.benchmarks.stats.agreement import describe
from compsim.benchmarks.task import Figure, Results, Row, Spec, run
from compsim.benchmarks.tasks.similarity.sts import Sts
from compsim.graph import RoleGraph

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
    for title in (
        "How well does each method follow people?",
        "Do scores rise with people&#x27;s ratings?",
        "Which kinds of pairs are taken for more alike than people find them?",
        "How much does one more word or phrase change?",
        "Which pairs are mis-scored most, and why?",
        "How are ratings and scores spread?",
        "How far do people agree?",
    ):
        assert f"<h2>{title}</h2>" in report
    assert "ceiling 0.9" in report
    assert "not available here: there are no vectors at none.bin" in report
    assert "told from their parses by rules" in report
    assert "<b>girl" not in report
    assert "&lt;b&gt;girl" in report
    assert not re.search(r"(src|href)=.(?!#)|url\(http|@import|<script", report)


def test_every_word_of_the_data_is_explained(report: str) -> None:
    seen = set(re.findall(r"<dt>(.*?)</dt>", report))
    assert {"all", "non", "adv", "adv - non", "ceiling", "normalize", "people"} <= seen
    assert {"verbnet-cn", "amr-wlk"} <= seen
    assert {kind for kind in TYPES if f"<b>{kind}" in report or f">{kind}</text>" in report} <= seen
    assert not any("{" in text for text in re.findall(r"<dd>(.*?)</dd>", report))


def test_the_best_method_stands_beside_those_of_the_paper() -> None:
    rows = [
        Row({"method": "hybrid"}, {"all": Figure(0.75, 20), "adv": Figure(0.7, 12)}),
        Row({"method": "mean-cn"}, {"all": Figure(0.35, 20), "adv": Figure(-0.4, 12)}),
    ]
    results = Results("sts3k", "STS3k", "", "0" * 64, {"all": 20, "adv": 12}, rows)
    drawn = beside_published(results)
    assert "How does hybrid stand beside what is published?" in drawn
    assert "VerbNet-CN, all: 0.672" in drawn
    assert "hybrid (here), adv: 0.700" in drawn
    assert "mean-cn" not in drawn
    assert "those here over 20" in drawn
    assert beside_published(replace(results, name="toy")) == ""


def test_each_chart_is_well_formed(report: str) -> None:
    matches = re.findall(r"<svg .*?</svg>", report, re.DOTALL)
    assert len(matches) > 6
    for svg in matches:
        ElementTree.fromstring(svg)


def test_nothing_is_cut_off(report: str, tmp_path: Path) -> None:
    assert cut_off({"report": report}, tmp_path, (390, 1280)) == []


def test_long_names_fit(tmp_path: Path) -> None:
    names = ["WWWWW WWWWW MMMMM", "a method with a very long name, of many words, and more of them"]
    values: list[float | None] = [0.5, -0.25]
    rows = dict.fromkeys(names, dict.fromkeys(["subsective", *names], 0.5))
    drawn = [
        charts.bars(names, {"adv": values}, title="q", ceiling=0.9),
        charts.bars(names, dict.fromkeys(names, values), title="q", published={names[0]: values}),
        charts.dots(names, dict.fromkeys(names, values), title="q"),
        charts.grid(rows, title="q"),
    ]
    plain = page([]).replace("</main>", "".join(drawn) + "</main>")
    assert cut_off({"charts": plain}, tmp_path, (390, 1280)) == []


def test_everybody_can_read_it(report: str, tmp_path: Path) -> None:
    assert violations({"report": report}, tmp_path, (390, 1280)) == []


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


@settings(max_examples=10, deadline=None)
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
    for figure in drawn:
        assert "NaN" not in figure
        for svg in re.findall(r"<svg .*?</svg>", figure, re.DOTALL):
            ElementTree.fromstring(svg)


def test_the_authors_files_tell_negative_pairs_and_paraphrases(data_dir: Path) -> None:
    if not (data_dir / "compositional-semantics-eval").is_dir():
        pytest.skip(f"{data_dir} has no compositional-semantics-eval")
    data = open_sts3k(data_dir)
    rules = [pair_type(a, b) for a, b in data.roles("hand-fixed")]
    parts = set(data.parts["non"]), set(data.parts["adv"])
    types = index_types(rules, *parts)
    texts = {
        kind: [p.first for p, t in zip(data.pairs, types, strict=True) if t == kind]
        for kind in TYPES
    }
    assert len(texts["negative"]) == len(data) - len(parts[0]) - len(parts[1]) == 29
    assert "Tax cuts promote economic growth." in texts["negative"]
    # About 71 of 2,800 pairs are paraphrases, as many as there are negative pairs.
    assert len(texts["paraphrase"]) == 31
    assert {
        "Time heals all wounds.",
        "Oceans cover about two thirds of the world's surface.",
    } <= set(texts["paraphrase"])
    assert [t for i, t in enumerate(types) if i in parts[0]] == [
        t for i, t in enumerate(rules) if i in parts[0]
    ]
