"""A document as sentences."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim.plain_text import plain
from compsim.retrieval.sentences import _PARAGRAPH, LONGEST, sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def test_sentences() -> None:
    assert split("Dr. Smith slept at 3 p.m. in D.C. yesterday. He woke!") == [
        "Dr. Smith slept at 3 p.m. in D.C. yesterday.",
        "He woke!",
    ]
    assert split("  One line\nbroken in two.  Next. ") == ["One line\nbroken in two.", "Next."]
    assert split("A title\n \nA sentence.\r\n\r\nAnother") == ["A title", "A sentence.", "Another"]
    assert split("Really ?! ... Yes .") == ["Really ?! ...", "Yes ."]


def test_what_is_blank_has_none() -> None:
    assert split("") == split(" \n\n \t") == []


def test_what_does_not_end_is_cut() -> None:
    pieces = split("word " * (2 * LONGEST + 1))
    assert [len(piece.split()) for piece in pieces] == [LONGEST, LONGEST, 1]


def test_long_paragraphs_are_cut_between_sentences() -> None:
    results = [f"Mr. Lee sold boat {i} to Dr. Abe at 3 p.m. on that day." for i in range(2200)]
    assert len(" ".join(results)) > 2 * _PARAGRAPH
    assert split(" ".join(results)) == results
    marks = [*results[:999], "Really ?! ...", *results[999:]]
    assert split(" ".join(marks)) == marks


def test_a_long_paragraph_without_an_end_is_cut_at_spaces() -> None:
    text = "word " * 15_000  # of 75,000 characters, one sentence
    pieces = split(text)
    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")
    assert all(piece.split() == ["word"] * len(piece.split()) for piece in pieces)
    assert max(len(piece.split()) for piece in pieces) == LONGEST
    unbroken = "x" * (_PARAGRAPH + 9)
    assert "".join(split(f"Ada slept. {unbroken} It rained.")).count("x") == len(unbroken)


@given(st.text(alphabet="aB1.?! \n\r\u200b", max_size=60))
def test_nothing_that_is_seen_is_lost(text: str) -> None:
    spans = sentences(text)
    rest = text
    for start, end in reversed(spans):
        assert text[start:end] == text[start:end].strip()
        assert start < end
        rest = rest[:start] + rest[end:]
    assert not plain(rest)
    assert spans == sorted(spans)


@pytest.mark.parametrize("unit", ["'", "(", "\N{GRINNING FACE}", "?!", "a/"])
def test_words_of_marks_take_time_in_proportion_to_their_length(unit: str) -> None:
    def seconds(length: int) -> float:
        results = []
        for _ in range(3):
            text = unit * (length // len(unit))
            start = time.process_time()
            sentences(text)
            results.append(time.process_time() - start)
        return min(results)

    # What is quadratic takes 16 times as long.
    assert seconds(12_000) < 9 * seconds(3_000) + 0.05
