"""Normal form of texts: white space, case, final stop, contractions, spelling."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim import Guard
from compsim.guard.names import LIGHT_METHOD

#: The two ways of writing a beginning, a middle and an end of a sentence.
BEGINNINGS = [
    ("I am", "I'm"), ("you are", "you're"), ("it is", "it's"), ("they have", "they've"),
    ("we will", "we'll"), ("she would", "she'd"), ("he had", "he'd"), ("who is", "who's"),
    ("he does not", "he doesn't"), ("they were not", "they weren't"), ("you cannot", "you can't"),
    ("we will not", "we won't"), ("she must not", "she mustn't"), ("the nurse", "the nurse"),
    ("Petra's sister", "Petra\u2019s sister"),
]  # fmt: skip
MIDDLES = [
    ("analysed", "analyzed"), ("organising", "organizing"), ("cancelled", "canceled"),
    ("travelling to", "traveling to"), ("criticise", "criticize"), ("honours", "honors"),
    ("labelled", "labeled"), ("sees", "sees"), ("practising", "practicing"),
]  # fmt: skip
ENDS = [
    ("the colour of the centre", "the color of the center"), ("two theatres", "two theaters"),
    ("a grey catalogue", "a gray catalog"), ("his neighbour's jewellery", "his neighbor's jewelry"),
    ("1,200 metres of fibre", "1200 meters of fiber"), ("the cheque", "the check"),
    ("tyres and aluminium", "tires and aluminum"), ("a bridge in London", "a bridge in London"),
]  # fmt: skip
SPACES = [" ", "  ", "\n", "\t ", "\u00a0", " \u200b"]
CASES = [str, str.lower, str.upper, str.title]


@pytest.fixture(scope="module")
def guard() -> Guard:
    return Guard(LIGHT_METHOD, vectors="builtin")


@st.composite
def wordings(draw: st.DrawFn) -> tuple[str, str]:
    """Two ways of writing one sentence."""
    parts = [draw(st.sampled_from(each)) for each in (BEGINNINGS, MIDDLES, ENDS)]
    results = []
    for _ in range(2):
        words = " ".join(draw(st.sampled_from(part)) for part in parts).split()
        text = draw(st.sampled_from(CASES))("".join(
            f"{draw(st.sampled_from(SPACES))}{word}" for word in words
        ))  # fmt: skip
        results.append(text + draw(st.sampled_from(["", ".", " .", ".\n"])))
    return results[0], results[1]


@given(pair=wordings())
def test_one_sentence_is_the_same_however_it_is_written(
    guard: Guard, pair: tuple[str, str]
) -> None:
    verdict = guard.same(*pair)
    assert verdict.answer == "same", pair
    assert verdict.probability == 1.0
    assert guard.same(*reversed(pair)).answer == "same"


@given(text=st.text(max_size=80), space=st.sampled_from(SPACES))
def test_a_text_is_the_same_as_itself_with_other_white_space(
    guard: Guard, text: str, space: str
) -> None:
    other = re.sub(r" +", space, f" {text}\n")
    for verdict in (guard.same(text, text), guard.same(text, other)):
        # Nothing is said of a text without a letter or a digit.
        assert bool(verdict) == any(map(str.isalnum, text)), (text, other)
