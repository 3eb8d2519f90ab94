from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import respaced

from compsim.graph import Edge, Node, RoleGraph
from compsim.graph.respacing import respaced as over
from compsim.graph.respacing import restored
from compsim.plain_text import INVISIBLE, PlainText, plain

texts = st.text(st.sampled_from([*"ab.' \n\t", "\u00a0", "\u2019", "\u2013", "\u2014", *INVISIBLE]))


@given(st.lists(st.sampled_from(["cats", "don't", "a", "(who)"]), max_size=6), st.data())
def test_the_same_words_are_the_same_text(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    assert plain(text) == text
    assert plain(data.draw(respaced(text))) == text


@given(texts)
def test_a_plain_text_is_plain(text: str) -> None:
    result = PlainText.of(text)
    assert result.text == " ".join("".join(c for c in text if c not in INVISIBLE).split())
    assert PlainText.of(result.text) == PlainText(result.text, result.text)
    typed = PlainText.typed(text).text
    assert PlainText.typed(typed).text == typed
    assert plain(typed) == typed


@given(texts, st.data())
def test_spans_lead_to_the_original_and_back(text: str, data: st.DataObject) -> None:
    for item in (PlainText.of(text), PlainText.typed(text)):
        size = len(item.text)
        start = data.draw(st.integers(0, size))
        end = data.draw(st.integers(start, size))
        outer = item.outside((start, end))
        assert 0 <= outer[0] <= outer[1] <= len(text)
        there = PlainText.of(text[slice(*outer)]).text
        here = item.text[start:end]
        if item.text == plain(text):
            assert there == here.strip() or here.isspace()
            if start < end:
                assert item.inside(outer) == (start, end)


@pytest.mark.parametrize(
    ("typographic", "typed"),
    [
        ("She didn\u2019t.", "She didn't."),
        ("\u201cGo\u201d, \u2018he\u2019 said.", "\"Go\", 'he' said."),
        ("1990\u20131995 \u2013 a war", "1990-1995 -- a war"),
        ("cats\u2014which sleep", "cats--which sleep"),
    ],
)
def test_quotes_and_dashes(typographic: str, typed: str) -> None:
    result = PlainText.typed(typographic)
    assert result.text == typed
    assert result.outside((0, len(typed))) == (0, len(typographic))


def test_a_graph_goes_over_to_another_text() -> None:
    nodes = (Node("gave up", (5, 12), parts=((5, 9), (10, 12))), Node("She", (0, 3)), Node("-"))
    graph = RoleGraph(nodes, (Edge(0, "Agent", 1), Edge(0, "polarity", 2)), 0, "She  gave up")
    moved = over(graph, "She\ngave\u200b\nup")
    assert [node.spans for node in moved.nodes] == [((4, 8), (10, 12)), ((0, 3),), ()]
    assert over(moved, graph.text) == graph
    assert over(graph, "They gave up") is graph
    assert restored(graph, PlainText.of("They gave up")) is graph
    read = PlainText.of(" She gave up")
    assert restored(over(graph, read.text), read) == over(graph, read.original)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("The dog bit him \U0001f602\U0001f602", "The dog bit him"),
        ("\U0001f525 The dog \u2764\ufe0f\u200d\U0001f525 bit him \U0001f602!", "The dog bit him!"),
        ("Go \U0001f1eb\U0001f1f7!", "Go!"),
        ("- Did it bark?", "Did it bark?"),
        ("\u2022 Milk", "Milk"),
        ("\u2013 a list", "a list"),
        ("\u2014It barked.", "It barked."),
        ('"It barked."', "It barked."),
        ("\u201cIt barked.\u201d", "It barked."),
        ('"It barked.', "It barked."),
        ("lol the goat ate my boots", "the goat ate my boots"),
        ("Ugh, my landlord sued us \U0001f602", "my landlord sued us"),
        ("lol is a word", "lol is a word"),
        ("Haha!", "Haha!"),
        # What has no word but these, a sign before a number, and quotation marks within stay.
        ("\U0001f602 \U0001f602", "\U0001f602 \U0001f602"),
        ("- 5 degrees", "- 5 degrees"),
        ('"No," he said.', '"No," he said.'),
        ('"No" and "yes"', '"No" and "yes"'),
        ("20 \u20ac, \xa9 Smith \u2460", "20 \u20ac, \xa9 Smith \u2460"),
    ],
)
def test_what_stands_around_a_text_is_not_parsed(text: str, read: str) -> None:
    result = PlainText.typed(text)
    assert result.text == read
    for start, word in ((m.start(), m[0]) for m in re.finditer(r"\w+", read)):
        first, last = result.outside((start, start + len(word)))
        assert text[first:last] == word
