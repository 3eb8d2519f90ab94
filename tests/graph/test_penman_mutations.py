"""Broken notation: three thousand mutations of AMRs of our own, read as the penman package does."""

from __future__ import annotations

import random
import re

import pytest
from naive.penman import read_naively
from penman.exceptions import PenmanError

from compsim.errors import CompsimError, DataError
from compsim.graph import RoleGraph
from compsim.graph.penman_reader import read_amr

# "The cook who burnt the soup did not want to say so.", "Anna Berg moved 3 boxes ...", and so on.
OWN = (
    """(w / want-01 :polarity -
    :ARG0 (c / cook
        :ARG0-of (b / burn-01
            :ARG1 (s / soup)))
    :ARG1 (s2 / say-01
        :ARG0 c
        :ARG1 b))""",
    """(m / move-01~e.2
    :ARG0 (p / person :name (n / name :op1 "Anna"~e.0 :op2 "Berg"~e.1))
    :ARG1~e.3,4 (b / box :quant 3)
    :ARG2 (h / house :mod (o / old) :consist-of (s / stone)))""",
    """(s / shut-01 :mode imperative
    :ARG0 (y / you)
    :ARG1 (d / door :location-of (p / paint-02 :ARG1 (c / cat))))""",
    """(0 / and
    :op1 (0.0 / rain-01 :time (0.0.0 / date-entity :month 7 :year 1998))
    :op2 (0.1 / flood-01 :ARG1 (0.1.0 / "old town") : (ü / river :domain-of 0.1)))""",
    """(r / rise-01 :ARG1 (p / price :quant 2.5 :unit (d / dollar))
    :manner (s / slow :degree (v / very)) :value-of "a \\"quoted\\" word" :wiki "Q(1):~/#")""",
)
ODD = (
    *("0", "0.1.1", "ü", "-", "NULL", "c", "\\", "\xa0", "\ufeff", "\x85", "\u2028", "\v", "\r"),
    *('"x y"', '"("', '"a\\"b"', '"\\x"', '"open', "#", "# note\n", "\n# ::snt Note.\n", "\n\n"),
    *("~e.1", "~1,2", "~", "()", "(", ")", "/", ":", ":-of", ":ARG0-of", ":ARG0-of-of"),
    *(":instance", ":mod", ":consist-of", "::"),
)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\s+|[()/]|[^\s()/"]+')


def mutated(rng: random.Random) -> str:
    """One of the AMRs with one or two tokens or characters lost, added, doubled or exchanged."""
    tokens = TOKEN.findall(rng.choice(OWN))
    for _ in range(rng.choice((1, 1, 2))):
        place, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        kind = rng.randrange(6)
        if kind == 0:
            del tokens[place]
        elif kind == 1:
            tokens.insert(place, rng.choice(ODD))
        elif kind == 2:
            tokens[place] = rng.choice(ODD)
        elif kind == 3:
            tokens.insert(place, tokens[other])
        elif kind == 4:
            tokens[place], tokens[other] = tokens[other], tokens[place]
        else:
            cut = rng.randrange(len(tokens[place]) + 1)
            token = tokens[place]
            tokens[place] = token[:cut] + rng.choice('()/:~"\\# \na1.-é') + token[cut:]
    return "".join(tokens)


def read_by_penman(text: str) -> list[RoleGraph] | None:
    """Return penman's graphs of the lines; None where it refuses them in any way."""
    lines = re.split("\r\n?|\n", text)
    try:
        return list(read_naively(line.removeprefix("\ufeff") for line in lines))
    except (PenmanError, CompsimError, KeyError, AttributeError, TypeError):
        return None


def is_documented(text: str, reason: str, theirs: list[RoleGraph] | None) -> bool:
    """Return whether the reader documents that it reads this text otherwise than penman."""
    if not reason:
        return "#" in text.rstrip().rpartition("\n")[2]  # a comment behind the last graph
    return (
        not theirs  # penman passes over a text without a graph
        or "follows the bracket that closes the graph" in reason  # where penman stops, silently
        or re.search(r"\n\s*\n\(", text) is not None  # where the next entry starts
        or ":instance" in text
        or ("()" in text and "a bracket opens without a variable" in reason)
    )


def test_broken_notation_is_read_as_by_penman() -> None:
    rng = random.Random(20)
    read, refused, differing = 0, 0, 0
    for _ in range(3000):
        text = mutated(rng)
        ours = list(read_amr(text))
        reasons = "; ".join(graph.reason for graph in ours if graph.reason)
        theirs = read_by_penman(text)
        if not reasons and ours == theirs:
            read += 1
        elif reasons and theirs is None:
            refused += 1
        else:
            assert is_documented(text, reasons, theirs), (text, reasons, theirs)
            differing += 1
        if len(ours) == 1 and not reasons:
            assert RoleGraph.from_penman(text) == ours[0]
        else:
            with pytest.raises(DataError):
                RoleGraph.from_penman(text)
    assert read > 1000
    assert refused > 1000
    assert differing < 300


@pytest.mark.parametrize(
    "text",
    ["\ufeff(d / dog)", "(d / dog) # a note", "(d / dog)\r\r", "(d\r/ dog)", "\n\ufeff(d / dog)"],
)
def test_marks_notes_and_returns_are_no_part_of_a_graph(text: str) -> None:
    assert RoleGraph.from_penman(text) == RoleGraph.from_penman("(d / dog)")
    assert list(read_amr(text)) == [RoleGraph.from_penman(text)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(d / dog :op1 #1)", "line 1, column 15: a comment starts inside of a graph"),
        ("(d / dog # a note\n :mod (b / big))", "column 10: a comment starts inside of a graph"),
        ("(d / ~e.1)", "line 1, column 6: '~' stands alone"),
        ("(d / dog) # a note\n:mod c", "line 2, column 1: ':' follows the bracket"),
        ("(d / dog))) (c / cat)", "line 1, column 10: ')' follows the bracket"),
    ],
)
def test_what_penman_refuses_is_refused(text: str, reason: str) -> None:
    with pytest.raises(DataError, match=re.escape(reason)):
        RoleGraph.from_penman(text)


def test_a_forest_without_stars_is_no_reason_to_stop() -> None:
    for body in ("()", "(a)", "(a :x 1)", "(a :x a)", "(a :x (b) :y b :x-of (c :z a))"):
        text = f'# ::compsim {{"forest":true}}\n{body}'
        assert len(list(read_amr(text))) == 1


def test_many_errors_behind_one_another_take_linear_time() -> None:
    bad = list(read_amr("\n".join(["(a / b :x (", "(c / d)"] * 3000)))
    assert len([graph for graph in bad if graph.reason]) == 3000
