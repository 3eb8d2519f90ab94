"""Explanations in a terminal and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

import pytest
from explanations import LONG, NEGATIVE, SEVERAL, SINGLE, UNCOMMON, WORDS
from hypothesis import given
from hypothesis import strategies as st

from compsim.explanation import Explanation, FrameRow, RoleRow
from compsim.explanation.columns import clean, columns
from compsim.explanation.text import text
from compsim.graph import Node

ALL = [SINGLE, SEVERAL, UNCOMMON, LONG, NEGATIVE]


def test_each_pair_of_frames_has_a_section() -> None:
    assert str(SEVERAL).split("\n\n", 1)[1] == (
        """\
said / told: 0.84, counts 0.60
role             1                2                 cosine  weight  contribution
Verb             said             told              0.7000     1.0        0.1400
Agent            The old…xt door  He                1.0000     1.0        0.2000
                 he = the old man
Theme            that th…sterday  that th…e house   0.8300     1.0        0.1660
Patient          -                us                     -     1.0        0.0000

bitten / was bitten: 0.13, counts 0.40
  negated in one (times 0.50)
role             1                2                 cosine  weight  contribution
Verb             bitten           was bitten       -0.2000     1.0       -0.0133
                 same lemma
Agent            the dog          Zyxwqu's dog      0.6000     1.0        0.0400
                 no vector: compared as names
Location~Manner  in the garden    behind …e house   0.4000     1.0        0.0267

left over:
  laughed: only in 1, counts 0.10 (Agent the cook)
  went: only in 2, counts 0.10 (Manner quickly)

score                                                                     0.5593"""
    )


def test_one_pair_without_remarks_has_no_title() -> None:
    shown = str(replace(SINGLE, frames=()))
    assert str(SINGLE) == shown
    assert "bit / was bitten" not in shown
    assert "         same lemma\n" in shown
    noted = replace(SINGLE, frames=(replace(SINGLE.frames[0], notes=("read as sell",)),))
    assert "bit / was bitten: 0.98, counts 1.00\n  read as sell\n" in str(noted)
    factor = replace(SINGLE, frames=(replace(SINGLE.frames[0], factor=0.5),))
    assert "\n  times 0.50\n" in str(factor)


@pytest.mark.parametrize("explanation", ALL)
@pytest.mark.parametrize("width", [80, 60, 120])
def test_no_line_is_wider_than_the_terminal(explanation: Explanation, width: int) -> None:
    lines = text(explanation, width).split("\n")
    assert max(map(columns, lines)) <= width
    assert all(line == clean(line) for line in lines)
    assert lines[-1].split() == ["score", f"{explanation.score:.4f}"]


@pytest.mark.parametrize("explanation", ALL)
@pytest.mark.parametrize("width", [80, 120])
def test_rich_shows_the_same_in_colours(explanation: Explanation, width: int) -> None:
    from rich.console import Console

    plain, coloured = StringIO(), StringIO()
    Console(file=plain, width=width).print(explanation)
    Console(file=coloured, width=width, force_terminal=True, color_system="truecolor").print(
        explanation
    )
    shown = plain.getvalue().rstrip("\n").split("\n")
    assert [line.rstrip() for line in shown] == text(explanation, width).split("\n")
    blue = "\x1b[1;38;2;15;97;211mAgent"
    assert (blue in coloured.getvalue()) == (explanation is not LONG)


@pytest.mark.parametrize("width", [80, 60, 120])
def test_a_word_matrix_is_its_strongest_pairs_and_the_rest(width: int) -> None:
    assert WORDS.words is not None
    lines = text(WORDS, width).split("\n")
    assert max(map(columns, lines)) <= width
    assert all(line == clean(line) for line in lines)
    table = lines[lines.index("", lines.index("") + 1) + 1 :]
    assert table[0].split() == ["pairs", "of", "words", "1", "2", "adds"]
    assert table[1].split() == ["adds", "most", "[CLS]", "[CLS]", "0.2500"]
    assert table[11].startswith("takes off most")
    assert table[21].startswith("160 other pairs")
    figures = [float(line.split()[-1]) for line in table[1:]]
    assert figures[:10] == sorted(figures[:10], reverse=True)
    assert figures[10:20] == sorted(figures[10:20])
    assert sum(figures[:-1]) == pytest.approx(figures[-1], abs=21 * 5e-5)
    assert table[-1].split() == ["sum", f"{WORDS.words.total:.4f}"]
    assert json.loads(WORDS.to_json()) == WORDS.to_dict()
    assert SINGLE.to_dict()["words"] is None


def test_weights_have_three_decimals_and_all_of_them_in_json() -> None:
    shown = [
        line.split()[-2:]
        for line in str(NEGATIVE).split("\n")
        if line.endswith(tuple("0123456789"))
    ]
    assert ["0.963", "-0.1673"] in shown
    assert ["0.799", "-0.0458"] in shown
    assert ">1.094</td>" in NEGATIVE.to_html()
    assert json.loads(NEGATIVE.to_json())["roles"][0]["weight"] == 0.962833
    assert "(N = 3.623)" in replace(NEGATIVE, divisor=3.62276).details()
    # Where all are round, no zeros are needed.
    assert "0.7000     1.0 " in str(SEVERAL)


def test_text_that_belongs_to_no_frame_or_to_none_there() -> None:
    row = RoleRow("Verb", Node("bit"), None, None, 1.0, 0.0, frame=7)
    stray = replace(SEVERAL, rows=(*SEVERAL.rows, row))
    assert str(stray).index("Verb             bit ") < str(stray).index("said / told")
    empty = Explanation("m", ("", ""), frames=(FrameRow(Node(""), None), FrameRow(None, None)))
    assert "(no predicate): only in 1" in str(empty)
    assert "- / -: 0.00, counts 1.00" in str(empty)


words = st.text(max_size=50)
nodes = st.none() | st.builds(Node, words, st.tuples(st.just(0), st.integers(0, 60)))
figures = st.floats(-9, 9)
rows = st.builds(
    RoleRow, words, nodes, nodes, st.none() | figures, figures, figures, st.integers(-1, 4), words
)
notes = st.lists(words, max_size=2).map(tuple)
frames = st.builds(FrameRow, nodes, nodes, figures, figures, figures, notes)


@given(
    st.tuples(words, words),
    st.lists(rows, max_size=5).map(tuple),
    st.lists(frames, max_size=4).map(tuple),
    words,
)
def test_any_explanation_is_shown(
    texts: tuple[str, str],
    rows: tuple[RoleRow, ...],
    frames: tuple[FrameRow, ...],
    note: str,
) -> None:
    explanation = Explanation("any", texts, rows, frames=frames, note=note)
    lines = str(explanation).encode("utf-8").decode("utf-8").split("\n")
    assert max(map(columns, lines)) <= 80
    assert all(line == clean(line) for line in lines)
    # Every row is there: in a table, or among what was left.
    body = explanation.to_html().partition("<body>")[2]
    left = {i for i, f in enumerate(frames) if (f.first is None) != (f.second is None)}
    assert body.count('data-name="cosine"') == sum(row.frame not in left for row in rows)
    assert json.loads(explanation.to_json()) == explanation.to_dict()


def test_json_has_frames_with_their_rows_and_nothing_cut() -> None:
    data = json.loads(SEVERAL.to_json())
    assert data == SEVERAL.to_dict()
    pair, negated, left, other = data["frames"]
    assert pair["first"] == {"phrase": "said", "span": [32, 36], "parts": []}
    assert (pair["rows"], negated["rows"], left["rows"]) == ([0, 1, 2, 3], [4, 5, 6], [7, 8])
    assert (negated["factor"], negated["notes"]) == (0.5, ["negated in one"])
    assert (left["first"]["phrase"], left["second"], other["first"]) == ("laughed", None, None)
    for place, frame in enumerate(data["frames"]):
        rows = [data["roles"][i] for i in frame["rows"]]
        assert {row["frame"] for row in rows} == {place}
        whole = sum(row["contribution"] for row in rows)
        assert whole == pytest.approx(frame["share"] * frame["score"])
    assert data["roles"][1]["reason"] == "he = the old man"
    assert data["roles"][2]["first"]["phrase"].endswith("in the garden yesterday")
    bare = replace(SINGLE, frames=()).to_dict()
    assert bare["frames"] == []
    assert {role["frame"] for role in bare["roles"]} == {None}


def test_json_can_be_written_whatever_the_text() -> None:
    broken = Explanation("verbnet-cn", ("\udc80 \\ud", "\x1b"))
    written = broken.to_json().encode("utf-8")
    assert json.loads(written)["sentences"] == ["\udc80 \\ud", "\x1b"]
    str(broken).encode("utf-8")
    broken.to_html().encode("utf-8")
