"""Explanations as pages: the verdict first, one colour for a role, nothing raw."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest
from explanations import CONFLICTS, LONG, SEVERAL, SINGLE, UNCOMMON, WORDS

from compsim.explanation import Explanation, WordMatrix
from compsim.explanation.charts import AGAINST, crossings, waterfall
from compsim.explanation.plain_names import plain_name
from compsim.explanation.style import STYLE
from compsim.graph.drawing.colours import colour, hex_of

ALL = [CONFLICTS, SINGLE, SEVERAL, UNCOMMON, LONG, WORDS]
VOID = {"meta", "br", "wbr", "link", "img"}


class Reader(HTMLParser):
    """The text of a page, its marks, and whether its tags are closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.marks: list[tuple[str, str]] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if tag == "mark":
            table = dict(attrs)
            self.marks.append((table.get("title") or "", table.get("class") or ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "title", "svg"} & set(self.open):
            self.text += data


@pytest.mark.parametrize("explanation", ALL)
def test_pages_are_well_formed_and_hold_nothing_raw(explanation: Explanation) -> None:
    page = explanation.to_html()
    read = Reader(page)
    assert read.open == []
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page)
    assert "<script" not in page
    assert "<b>" not in page
    assert f"{explanation.score:.4f}" in read.text


def test_the_verdict_is_first_and_the_table_is_folded_away() -> None:
    page = CONFLICTS.to_html()
    read = Reader(page)
    assert read.text.strip().startswith('Different: "dog" and "man" changed places.')
    assert page.index("</details>") > page.index("<table") > page.index("<details>")
    for item in ("0.00 of 1", "who does what to whom", "costs 0.50", "costs 0.15", "small"):
        assert item in read.text
    for row in CONFLICTS.conflicts:
        assert all(one.reason in read.text for one in row.conflicts)
    assert [read.text.count(text) for text in CONFLICTS.sentences] == [1, 1]
    assert page.count("<table") == 1
    assert "<table" not in Explanation("m", ("", "")).to_html()


def test_marks_tell_what_agrees_what_is_alone_and_what_is_said_against_each_other() -> None:
    kinds = dict.fromkeys(kind for _, kind in Reader(CONFLICTS.to_html()).marks)
    assert list(kinds)[:2] == ["alone", "against"]
    assert f"c{colour('concept')}" in kinds


def test_a_role_has_one_colour_in_sentences_table_and_drawing() -> None:
    page = SEVERAL.to_html()
    marks = dict(mark for mark in Reader(page).marks if mark[1].startswith("c"))
    for role in ("Verb", "Agent", "Theme"):
        assert marks[plain_name(role)] == f"c{colour(role)}"
    matched = [hex_of(row.role) for row in SEVERAL if row.cosine is not None]
    assert SEVERAL.figure is not None
    for drawing in (SEVERAL.figure(), crossings(SEVERAL)):
        assert re.findall(r'class="pair" stroke="(#\w+)"', drawing) == matched


def test_conflicts_are_red_lines_broken_where_the_words_are_no_pair() -> None:
    drawing = crossings(CONFLICTS)
    lines = re.findall(r'class="pair" stroke="(#\w+)"( stroke-dash)?', drawing)
    # dog, bit and man, then Rome and Paris.
    assert lines == [(AGAINST, ""), (hex_of("concept"), ""), (AGAINST, ""), (AGAINST, lines[-1][1])]
    assert lines[-1][1]
    assert drawing.count('class="alone"') == 1
    assert " ".join(str(int(AGAINST[i : i + 2], 16)) for i in (1, 3, 5)) in STYLE
    # Without places in the sentences, or without pairs, there is nothing to draw.
    assert crossings(WORDS) == crossings(Explanation("m", ("", ""))) == ""


def test_the_bars_begin_where_the_last_one_ends_and_add_up_to_the_score() -> None:
    for explanation in ALL:
        bars = re.findall(r'<rect x="([-.\d]+)" y="\d+" width="([-.\d]+)"', waterfall(explanation))
        ends = [(float(x), float(x) + float(width)) for x, width in bars]
        for before, after in pairwise(ends[:-1]):
            assert min(abs(a - b) for a in before for b in after) < 0.02
        assert ends[-1][1] - ends[-1][0] == pytest.approx(340 * explanation.score, abs=0.5)
    assert waterfall(Explanation("m", ("", ""), undefined=True)) == ""


def test_a_word_matrix_is_a_table_with_headers_and_sums() -> None:
    assert WORDS.words is not None
    page = WORDS.to_html()
    first, second = WORDS.words.first, WORDS.words.second
    assert page.count('scope="row"') == len(first) + 1
    assert page.count('scope="col"') == len(second) + 1
    table = page[page.index('<div class="heat">') :]
    cells = re.findall(r"<td[^>]*>([-.0-9]+)</td>", table)
    assert len(cells) == (len(first) + 1) * (len(second) + 1)
    values = np.array(cells, dtype=float).reshape(len(first) + 1, -1)
    np.testing.assert_allclose(values[:-1, :-1], WORDS.words.values, atol=5.1e-5)
    np.testing.assert_allclose(values[:-1, -1], WORDS.words.sums[0], atol=5.1e-5)
    np.testing.assert_allclose(values[-1, :-1], WORDS.words.sums[1], atol=5.1e-5)
    assert cells[-1] == "0.2500"
    assert "-0.0000" not in cells
    # The strongest has the full colour, what takes off another one.
    assert '<td style="--part:1.00">0.2500</td>' in table
    assert '<td class="minus" style="--part:0.20">-0.0100</td>' in table
    assert table.count('class="added" title="a token that the model adds"') == 4
    assert "takes off <span" in table
    nothing = WordMatrix(first[:1], second[:1], ((0.0,),))
    assert "takes off" not in replace(WORDS, words=nothing).to_html().partition('heat">')[2]
    assert "heat" not in SINGLE.to_html()


def _luminance(colour: tuple[float, ...]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("ground", [0.0, 0.07, 1.0])
def test_words_are_legible_on_their_marks(ground: float) -> None:
    from compsim.graph.drawing.colours import COLOURS

    words = _luminance((1.0 - round(ground),) * 3)
    for tone in COLOURS:
        firm = _luminance(tuple(c / 255 for c in tone))
        for part, least in ((0.22, 7), (0.6, 4.5)):  # a mark, the strongest cell of a matrix
            mixed = _luminance(tuple(part * c / 255 + (1 - part) * ground for c in tone))
            low, high = sorted((words, mixed))
            assert (high + 0.05) / (low + 0.05) > least
        low, high = sorted((firm, _luminance((ground,) * 3)))
        assert (high + 0.05) / (low + 0.05) > 2.7


def test_colours_differ_for_every_reader() -> None:
    from compsim.graph.drawing.colours import COLOURS

    # Machado, Oliveira and Fernandes 2009, full protanopia, deuteranopia and tritanopia.
    sights = [
        np.eye(3),
        np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
        np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
        np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
    ]
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.95]])
    values = np.array(COLOURS) / 255
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    for sight in sights:
        seen = np.clip(linear @ sight.T, 0, 1) @ to_xyz.T / [0.9505, 1, 1.089]
        root = np.where(seen > 0.008856, np.cbrt(seen), 7.787 * seen + 16 / 116)
        lab = np.stack(
            [
                116 * root[:, 1] - 16,
                500 * (root[:, 0] - root[:, 1]),
                200 * (root[:, 1] - root[:, 2]),
            ],
            axis=1,
        )
        apart = np.linalg.norm(lab[:, None] - lab[None], axis=-1)
        assert apart[~np.eye(len(COLOURS), dtype=bool)].min() > 15
