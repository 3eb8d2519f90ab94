"""Sentences that differ in one wording alone."""

from __future__ import annotations

from difflib import SequenceMatcher

import numpy as np
import pytest
from concept_encoder import opened
from hypothesis import given
from hypothesis import strategies as st

from compsim import Guard, load
from compsim.comparison.batch import ConceptBatch
from compsim.comparison.clauses import compare_pair
from compsim.comparison.concepts import TERMS
from compsim.comparison.kernel import terms_at
from compsim.comparison.single import compare_one
from compsim.comparison.words import words_of
from compsim.graph import Node, RoleGraph
from compsim.guard.features import feature_names, signs
from compsim.guard.names import LIGHT_METHOD
from compsim.parsers import load as open_parser

#: Words of which some are synonyms, opposites or numbers.
FORMS = ["sofa", "couch", "hot", "cold", "two", "2", "cat", "violin", "table", "zorblat"]
WORDING, NEARNESS = TERMS.index("wording"), TERMS.index("nearness")


def encoded(*texts: str) -> ConceptBatch:
    """Encode texts of which each word is a concept, and every word is told by its form alone."""
    graphs = []
    for text in texts:
        ends = np.cumsum([len(word) + 1 for word in text.split()]).tolist()
        nodes = [
            Node(word, (end - 1 - len(word), end - 1))
            for word, end in zip(text.split(), ends, strict=True)
        ]
        graphs.append(RoleGraph(tuple(nodes), (), 0, text))
    return opened().encode(graphs)


def strength(first: str, second: str) -> float:
    """Return the term of two texts, in plain Python."""
    batch = encoded(first, second)
    return float(compare_one(batch, 0, batch, 1)[0][WORDING])


def nearness(first: str, second: str) -> float:
    """Return the nearness of two texts, in plain Python."""
    batch = encoded(first, second)
    return float(compare_one(batch, 0, batch, 1)[0][NEARNESS])


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("red violin near table", 1.0),
        ("red lawyer near table", 1.0),
        ("red violin near", 1.0),
        ("red lawyer near lamp", 0.5),
        ("red tall lawyer table", 0.5**0.5),
        ("table violin near red", 0.5),
        ("blue tall lawyer lamp", 0.0),
    ],
)
def test_nearness_falls_with_places_and_words(second: str, expected: float) -> None:
    assert nearness("red violin near table", second) == pytest.approx(expected)
    assert nearness(second, "red violin near table") == pytest.approx(expected)


def test_one_place_counts_more_than_two() -> None:
    one = strength("red violin near table", "red lawyer near table")
    two = strength("red violin near table", "red lawyer near lamp")
    assert one > 0.8
    assert two == pytest.approx(one / 2)


def test_related_words_stand_less_against_each_other() -> None:
    related = strength("red violin near table", "red orchestra near table")
    assert 0.3 < related < strength("red violin near table", "red lawyer near table") - 0.2


def test_what_vectors_hold_to_be_nearly_one_still_stands_against_it() -> None:
    assert strength("red lessee near table", "red lessor near table") >= 0.4


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("red sofa near it", "red couch near it"),
        ("red violin near table", "red violin"),
        ("red violin near table", "violin table red near"),
        ("red violin near table", "tables and lamps and trumpet"),
        ("red violin near table", "red violin near table"),
    ],
)
def test_no_wording_stands_against_another(first: str, second: str) -> None:
    assert strength(first, second) == 0.0


@given(*[st.lists(st.sampled_from(FORMS), min_size=1, max_size=6)] * 2)
def test_strength_is_a_symmetric_share_and_that_of_the_kernel(
    first: list[str], second: list[str]
) -> None:
    batch = encoded(" ".join(first), " ".join(second))
    terms, *_ = compare_one(batch, 0, batch, 1)
    turned, *_ = compare_one(batch, 1, batch, 0)
    assert 0.0 <= terms[WORDING] <= 1.0
    assert terms[WORDING] == turned[WORDING]
    assert terms[WORDING] == terms_at(batch, np.array([0]), batch, np.array([1]))[0, WORDING]


@given(st.permutations(FORMS), st.sets(st.integers(0, len(FORMS) - 1), max_size=4))
def test_changes_are_those_of_the_standard_library(forms: list[str], places: set[int]) -> None:
    """Other words in some places: how many they are divides the strength of the strongest."""
    forms = [form for form in forms if form != "2"]
    other = [f"xyzzy{i}" if i in places else form for i, form in enumerate(forms)]
    codes = SequenceMatcher(None, forms, other, autojunk=False).get_opcodes()
    changes = [(start, stop) for kind, start, stop, *_ in codes if kind == "replace"]
    short = [pair for pair in changes if pair[1] - pair[0] <= 2]
    alone = [
        strength(" ".join(forms), " ".join((*forms[:start], *other[start:stop], *forms[stop:])))
        for start, stop in short
    ]
    expected = max(alone, default=0.0) / max(1, len(changes))
    assert strength(" ".join(forms), " ".join(other)) == pytest.approx(expected)


def words(text: str) -> list[str]:
    (graph,) = load("verbnet-cn", vectors="builtin").parser.parse([text])
    return [word.form for word in words_of(graph)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The clerk is here.", "A clerk was here!"),
        ("He can't play.", "He can not play."),
        ("Boil it for half an hour.", "Boil it for 30 minutes."),
        ("She waits by the gate.", "She waits at the gate."),
        ("The U.S. sends aid.", "The US sends aid."),
        ("The hut is located behind a mill.", "The hut is behind a mill."),
        ("He came to help.", "He came and helps."),
    ],
)
def test_wording_without_what_carries_nothing(first: str, second: str) -> None:
    assert words(first) == words(second)


def test_a_pronoun_stands_against_nothing_that_it_may_stand_for() -> None:
    texts = ["The seal ate something.", "The seal ate herring.", "The seal ate cod."]
    batch = opened().encode(open_parser("concepts").parse(texts))
    assert compare_one(batch, 0, batch, 1)[0][WORDING] == 0.0
    assert compare_one(batch, 1, batch, 2)[0][WORDING] > 0.5


def test_words_of_one_concept_are_one_word() -> None:
    first, second = "They put the meeting off.", "They put off the meeting."
    assert words(first) == words(second) == ["they", "put_off", "meeting"]


def test_an_explanation_shows_where_it_stands_and_what_it_costs() -> None:
    first, second = "The mortgagee must insure the barn.", "The mortgagor must insure the barn."
    why = load("hybrid", vectors="builtin").explain(first, second)
    (row,) = [row for row in why.rows if row.role == "conflict: wording"]
    assert row.contribution < 0.0
    assert sum(row.contribution for row in why.rows) == pytest.approx(why.score, abs=1e-6)
    ((one,), (two,)) = ((node.spans for node in side) for side in (
        row.conflicts[0].first, row.conflicts[0].second
    ))  # fmt: skip
    assert [first[slice(*span)] for span in one] == ["mortgagee"]
    assert [second[slice(*span)] for span in two] == ["mortgagor"]


@pytest.mark.parametrize("turned", [False, True])
def test_wordings_stay_with_their_sentence(turned: bool) -> None:
    texts = ["zorblat table near hot violin", "zorblat table near hot tall lawyer"]
    batch = encoded(*(texts[::-1] if turned else texts))
    compared = compare_pair(batch, 0, batch, 1)
    shown = [
        [word.form for word in words_of(graph)][part]
        for graph, part in zip(batch.graphs, compared.wording, strict=True)
    ]
    assert shown == ([["tall", "lawyer"], ["violin"]][:: 1 if turned else -1])


def test_words_that_have_moved_stand_against_nothing() -> None:
    assert strength("hot table near cat", "cat table near hot") == 0.0
    assert strength("hot table near cat", "cold table near cat hot") == 0.0


def test_it_never_raises_a_probability() -> None:
    names = feature_names("words")
    assert signs(names)[names.index("wording")] == -1
    assert signs(names)[names.index("conflict of near-duplicates")] == -1


def test_a_guard_tells_it_apart() -> None:
    guard = Guard(LIGHT_METHOD, vectors="builtin")
    verdict = guard.same(
        "The mortgagee must insure the barn.", "The mortgagor must insure the barn."
    )
    assert verdict.answer != "same"
    (wording,) = [each for each in verdict.differences if each.kind == "wording"]
    assert wording.first == ((4, 13),)
    assert wording.sentence == '"mortgagee" in place of "mortgagor", and the rest is worded alike'
