"""A sentence that is denied, or asked, is not what it says: the examples of the grammar."""

from __future__ import annotations

import re

import pytest

from compsim import load
from compsim.parsers.grammar.rules import read_rules

AUXILIARY = re.compile(r"\b(is|are|was|were|will|can|must|could|would|should|may|might)\b")
#: Sentences whose denial is more than a "not" behind their first auxiliary.
OTHERWISE = re.compile(r"[?]|\b(no|not|never|none|neither|nor|only)\b|nobody|nothing|n't", re.I)
#: The share of sentences of which the denial must be found; the rest are clefts, most of all.
LEAST = 0.985
#: And the share of questions that are told from their statements.
LEAST_ASKED = 0.94


@pytest.fixture(scope="module")
def statements() -> list[str]:
    """The sentences of all examples."""
    return sorted({text for rule in read_rules() for text in rule.sentences})


@pytest.fixture(scope="module")
def denied(statements: list[str]) -> list[tuple[str, str]]:
    """Sentences with an auxiliary, and their denials."""
    pairs = []
    for text in statements:
        result = AUXILIARY.search(text)
        if result and not OTHERWISE.search(text):
            pairs.append((text, f"{text[: result.end()]} not{text[result.end() :]}"))
    return pairs


def without_conflict(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the pairs whose explanation has no conflict; all sentences are parsed at once."""
    method = load("verbnet-cn", vectors="builtin")
    batch = method.encode([text for pair in pairs for text in pair])
    return [
        pair
        for i, pair in enumerate(pairs)
        if not method.explain_encoded(batch[2 * i : 2 * i + 2]).conflicts
    ]


def test_denials_are_conflicts(denied: list[tuple[str, str]]) -> None:
    silent = without_conflict(denied)
    print(*silent, sep="\n")
    assert len(denied) > 400
    assert len(silent) <= (1 - LEAST) * len(denied)


def test_questions_are_no_statements(statements: list[str]) -> None:
    pairs = [(text, asked) for text in statements if (asked := inverted(text))]
    silent = without_conflict(pairs)
    print(*silent, sep="\n")
    assert len(pairs) > 200
    assert len(silent) <= (1 - LEAST_ASKED) * len(pairs)


def inverted(text: str) -> str | None:
    """A statement with a plain subject as a question that yes or no answers."""
    result = re.match(rf"(The|A|An) ((?:\w+ )?\w+) {AUXILIARY.pattern} (?!not)(.*)[.]$", text)
    if not result or OTHERWISE.search(text):
        return None
    article, noun, auxiliary, rest = result.groups()
    return f"{auxiliary.capitalize()} {article.lower()} {noun} {rest}?"


@pytest.mark.parametrize(
    "sentence",
    [
        "Ada is going to bake.",
        "Ada is about to bake.",
        "Ada used a knife to peel the pear.",
        "The clerks have to stamp the form.",
        "The clerks are allowed to stamp the form.",
        "The clerks are able to stamp the form.",
        "The radio is on.",
        "The pond is next to the mill.",
        "The pond is a part of the garden.",
    ],
)
def test_verbs_that_give_way_leave_their_denial(sentence: str) -> None:
    method = load("verbnet-cn", vectors="builtin")
    denial = sentence.replace(" is ", " is not ").replace(" are ", " are not ")
    denial = denial.replace(" have ", " do not have ").replace(" used ", " did not use ")
    why = method.explain(sentence, denial)
    assert [row.role for row in why.conflicts] == ["conflict: polarity"]
    assert why.score < 0.85
