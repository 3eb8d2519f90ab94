"""Long texts take steps in proportion to their length."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
import spacy
from spacy.tokens import Doc

from compsim.parsers.amr_rules.parser import BuiltinAmrParser
from compsim.parsers.grammar.parser import ConceptParser
from compsim.parsers.pipeline.long_words import PieceTokenizer
from compsim.parsers.roles.analysis import MAX_CHARACTERS, MAX_PIECES, AnalysisParser
from compsim.parsers.roles.srl import SrlParser

TEXTS = {
    "sentences": "The dog that bit the man chased a cat, and she said that he saw it. ",
    "mended": "The owl drew the mouse and the gardener yawned. By whom was the otter bitten? ",
    "nested": "she said that he thought that ",
    "no verb": "word ",
}


def count_lines(parser: AnalysisParser, text: str) -> int:
    """Return the number of lines of the package that run for a tree, steps of loops among them."""
    (tree,) = parser._trees([text], 1)
    lines = 0

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal lines
        if not frame.f_globals.get("__name__", "").startswith("compsim."):
            return None
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        (analysis,) = parser._label([tree])
        parser.graph(analysis).frames()
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("parser", [SrlParser(), BuiltinAmrParser()], ids=lambda one: one.name)
def test_steps_grow_in_proportion_to_the_text(parser: AnalysisParser, kind: str) -> None:
    unit = TEXTS[kind] * (2000 // len(TEXTS[kind]))
    count_lines(parser, unit)  # tables and caches are filled
    short, long = count_lines(parser, unit), count_lines(parser, unit * 4)
    # A quadratic step would take 16 times as many.
    assert short < long < 5 * short


def test_what_is_far_too_long_is_cut() -> None:
    sentence = "Considerable difficulties surrounded the international conference. "
    text = sentence * (100_000 // len(sentence))
    first, second = SrlParser().parse([text, text[:MAX_CHARACTERS]])
    assert (first.nodes, first.edges) == (second.nodes, second.edges)
    assert f"{MAX_CHARACTERS:,} of {len(text.strip()):,}" in first.reason


@pytest.mark.parametrize("piece", ["a-", "@a #b ", "7,"])
def test_so_are_texts_of_more_words_and_marks_than_prose_has(piece: str) -> None:
    text = (piece * (18_000 // len(piece))).strip()
    (graph,) = SrlParser().parse([text])
    end = MAX_PIECES // len(piece.replace(" ", "")) * len(piece)
    assert graph.text == text
    assert f"first {end:,} of {len(text):,} characters" in graph.reason


class Counting:
    """A tokenizer that notes how long the words are that it is given."""

    def __init__(self, tokenizer: Callable[[str], Doc]) -> None:
        self.tokenizer = tokenizer
        self.longest = 0

    def __call__(self, text: str) -> Doc:
        self.longest = max([self.longest, *map(len, text.split())])
        return self.tokenizer(text)


@pytest.mark.parametrize(
    "word", ["'", '"', "(", ")", "'(", "😀", "'s", "a'", "&lt;", "—", "‘", "k/"]
)
def test_the_tokenizer_gets_no_word_that_takes_it_long(word: str) -> None:
    blank = spacy.blank("en")
    counting = Counting(blank.tokenizer)
    text = f"The dog {word * (20_000 // len(word))} bit the man."
    doc = PieceTokenizer(counting, blank.vocab)(text)
    assert doc.text == text
    assert [token.text for token in doc][:2] == ["The", "dog"]
    assert [token.text for token in doc][-4:] == ["bit", "the", "man", "."]
    assert counting.longest <= 300


@pytest.mark.parametrize(
    "text",
    [
        "“Well...” she said (twice!!!), ‘no’ — and left :-) #1 http://a.b/c?d=e&f=" + "x" * 700,
        "The dog bit the man ------------ and left?!?!?!",
        " two  spaces ",
    ],
)
def test_other_texts_are_tokenized_as_ever(text: str) -> None:
    blank = spacy.blank("en")
    plain, pieces = blank.tokenizer(text), PieceTokenizer(blank.tokenizer, blank.vocab)(text)
    assert [(str(one), one.whitespace_) for one in plain] == [
        (str(one), one.whitespace_) for one in pieces
    ]


@pytest.mark.parametrize(
    "text", ["DOG BIT ", "3 pm on Monday ", "a slice of the ", "a group of ", "steel bridge "]
)
def test_rules_add_edges_in_proportion_to_words(text: str) -> None:
    """A rule over pairs of the dependents of one word adds no edge for each of all pairs."""
    parser = ConceptParser()
    (analysis,) = parser.analyse([text * (20_000 // len(text))])
    draft = parser.draft(analysis)
    assert sum(1 for _ in draft.edges()) < 60 * len(analysis.tree)
