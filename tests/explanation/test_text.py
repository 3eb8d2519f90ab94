"""Explanations in a terminal and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

import pytest
from explanations import CONFLICTS, LONG, NEGATIVE, SEVERAL, SINGLE, UNCOMMON, WORDS
from hypothesis import given
from hypothesis import strategies as st

from compsim.explanation import Conflict, Explanation, RoleRow
from compsim.explanation.columns import clean, columns
from compsim.explanation.steps import steps
from compsim.explanation.text import text
from compsim.graph import Node

ALL = [CONFLICTS, SINGLE, SEVERAL, UNCOMMON, LONG, NEGATIVE]


def test_the_verdict_then_what_it_rests_on_then_the_table() -> None:
    assert str(CONFLICTS).startswith(
        """\
Different: "dog" and "man" changed places.
hybrid: 0.0000 (far apart)
1: The small dog bit the man in Rome.
2: The man bit the dog in Paris.

both say: dog, bit, man
only the first says: small

 0.30  whole sentences
 0.30  concepts that agree
-0.50  who does what to whom
       "dog" and "man" changed places: in the first sentence "bit" is done by
       "dog", in the second "bit" is done by "man"
       another <b>reason</b>
-0.15  names
       "Rome" in the first sentence, "Paris" in the second
 0.05  limited to 0 to 1
 0.00  score

How was this computed?
role             1"""
    )


def test_roles_have_plain_names_in_the_sum_and_their_own_in_the_table() -> None:
    shown = str(SINGLE)
    assert shown.startswith("The same.\nverbnet-cn: 0.9833 (the same)\n")
    assert "\n 0.33  who does it\n" in shown
    assert "\nAgent    The dog  the dog" in shown
    assert "         same lemma\n" in shown
    assert "both say: bit / was bitten (0.95), The dog, the man" in shown


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
    assert (blue in coloured.getvalue()) == (explanation not in (CONFLICTS, LONG))


@pytest.mark.parametrize("width", [80, 60, 120])
def test_a_word_matrix_is_its_strongest_pairs_and_the_rest(width: int) -> None:
    assert WORDS.words is not None
    lines = text(WORDS, width).split("\n")
    assert max(map(columns, lines)) <= width
    assert all(line == clean(line) for line in lines)
    table = lines[lines.index("", lines.index("How was this computed?")) + 1 :]
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


words = st.text(max_size=50)
nodes = st.none() | st.builds(Node, words, st.tuples(st.just(0), st.integers(0, 60)))
figures = st.floats(-9, 9)
conflicts = st.builds(
    Conflict,
    words,
    st.lists(nodes.filter(bool), max_size=2).map(tuple),
    st.lists(nodes.filter(bool), max_size=2).map(tuple),
    figures,
    words,
)
rows = st.builds(
    RoleRow,
    words,
    nodes,
    nodes,
    st.none() | figures,
    figures,
    figures,
    words,
    st.lists(conflicts, max_size=2).map(tuple),
)


@given(st.tuples(words, words), st.lists(rows, max_size=5).map(tuple), words)
def test_any_explanation_is_shown(
    texts: tuple[str, str], rows: tuple[RoleRow, ...], note: str
) -> None:
    explanation = Explanation("any", texts, rows, note=note)
    lines = str(explanation).encode("utf-8").decode("utf-8").split("\n")
    assert max(map(columns, lines)) <= 80
    assert all(line == clean(line) for line in lines)
    body = explanation.to_html().partition("<body>")[2]
    assert body.count('data-name="cosine"') == len(rows)
    assert json.loads(explanation.to_json()) == explanation.to_dict()
    bars = steps(explanation)
    assert [bar.end for bar in bars[:-2]] == [bar.start for bar in bars[1:-1]]
    assert sum(round(float(bar.figure), 2) for bar in bars[:-1]) == pytest.approx(
        float(bars[-1].figure), abs=1e-9
    )


def test_json_has_the_verdict_conflicts_and_gaps_and_nothing_cut() -> None:
    data = json.loads(CONFLICTS.to_json())
    assert data == CONFLICTS.to_dict()
    assert (data["verdict"], data["level"]) == (CONFLICTS.verdict, "far apart")
    assert sum(row["contribution"] for row in data["roles"]) == pytest.approx(data["score"])
    assert [(item["type"], item["cost"]) for item in data["conflicts"]] == [
        ("roles", 0.5),
        ("name", 0.15),
    ]
    reason, other = data["conflicts"][0]["reasons"]
    assert reason["reason"].startswith('"dog" and "man" changed places: in the first')
    assert [node["span"] for node in reason["first"]] == [[10, 13], [22, 25]]
    assert [node["phrase"] for node in other["second"]] == ["man"]
    (gap,) = data["gaps"]
    assert (gap["sentence"], gap["phrase"], gap["span"]) == (1, "small", [4, 9])
    data = json.loads(SEVERAL.to_json())
    assert data["roles"][1]["reason"] == "he = the old man"
    assert data["roles"][2]["first"]["phrase"].endswith("in the garden yesterday")
    assert data["conflicts"] == []


def test_json_can_be_written_whatever_the_text() -> None:
    broken = Explanation("verbnet-cn", ("\udc80 \\ud", "\x1b"))
    written = broken.to_json().encode("utf-8")
    assert json.loads(written)["sentences"] == ["\udc80 \\ud", "\x1b"]
    str(broken).encode("utf-8")
    broken.to_html().encode("utf-8")
