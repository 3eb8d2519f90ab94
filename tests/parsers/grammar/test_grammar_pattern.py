"""The pattern language: what its steps and conditions are, and what it refuses."""

from __future__ import annotations

import re

import pytest

from compsim.errors import DataError
from compsim.parsers.grammar.pattern import Condition, Step, parse


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("a -nsubj-> b", Step("dependency", "a", "b", frozenset(["nsubj"]))),
        ("a -nsubj|nsubjpass-> b", Step("dependency", "a", "b", frozenset(["nsubj", "nsubjpass"]))),
        ("a-nsubj->b", Step("dependency", "a", "b", frozenset(["nsubj"]))),
        ("a =agent|patient=> b", Step("edge", "a", "b", frozenset(["agent", "patient"]))),
        ("first_verb2[pos=VERB]", Step("token", "first_verb2")),
    ],
)
def test_a_first_step(text: str, step: Step) -> None:
    assert parse(text).steps == (step,)


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("b -conj*-> c", Step("closure", "b", "c", frozenset(["conj"]))),
        ("b -conj|appos*-> c", Step("closure", "b", "c", frozenset(["conj", "appos"]))),
        ("a < b", Step("order", "a", "b")),
        ("c -amod-> b", Step("dependency", "c", "b", frozenset(["amod"]))),
        ("b[lemma=dog]", Step("token", "b")),
        ("not a < b", Step("order", "a", "b", negative=True)),
        ("not b -neg-> c", Step("dependency", "b", "c", frozenset(["neg"]), negative=True)),
        ("maybe b =part=> c", Step("edge", "b", "c", frozenset(["part"]), optional=True)),
    ],
)
def test_a_later_step(text: str, step: Step) -> None:
    assert parse(f"a -dobj-> b; {text}").steps[1] == step


def test_conditions_belong_to_the_pattern() -> None:
    pattern = parse("a[pos=VERB,lemma!=be|have] -dobj-> b; b[class=partitive]; a -nsubj-> c[x=yes]")
    assert pattern.conditions == {
        "a": (
            Condition("pos", frozenset(["VERB"]), False),
            Condition("lemma", frozenset(["be", "have"]), True),
        ),
        "b": (Condition("class", frozenset(["partitive"]), False),),
        "c": (Condition("x", frozenset(["yes"]), False),),
    }


def test_conditions_of_a_negative_step_belong_to_it_alone() -> None:
    pattern = parse("a[pos=VERB] -dobj-> b; not a[lemma=be] -nsubj-> c[pos=PRON]; not a -prep-> c")
    assert set(pattern.conditions) == {"a"}
    assert pattern.steps[1].conditions == {
        "a": (Condition("lemma", frozenset(["be"]), False),),
        "c": (Condition("pos", frozenset(["PRON"]), False),),
    }
    assert pattern.steps[2].conditions == {}


def test_names_that_a_match_binds() -> None:
    pattern = parse("a -dobj-> b; not a -neg-> n; maybe b -amod-> m; b -conj*-> c")
    assert pattern.names == {"a", "b", "c", "m"}
    assert pattern.optional == {"m"}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "begins with no token or edge"),
        ("not a -neg-> b", "begins with no token or edge"),
        ("maybe a -neg-> b", "begins with no token or edge"),
        ("a < b", "begins with no token or edge"),
        ("a -conj*-> b", "begins with a repeated dependency"),
        ("a -x-> b; c -y-> d", "c and d hang on nothing"),
        ("a -x-> b; c[pos=NOUN]", "c hang on nothing"),
        ("a -x-> b; a < c", "a and c hang on nothing"),
        ("a -x-> b; not a -y-> c; c -z-> d", "c and d hang on nothing"),
        ("a -x-> b; c -conj*-> b", "starts from a known token"),
        ("a -x-> b; maybe a -y-> c; c -z-> d", "'c' may be missing"),
        ("a -x-> b; maybe a -y-> b", "'maybe' names a new token"),
        ("a -x-> a", "joins 'a' with itself"),
        ("a -x- b", "'a -x- b' is no step"),
        ("a => b", "'a => b' is no step"),
        ("A -x-> b", "'A -x-> b' is no step"),
        ("a[pos] -x-> b", "'pos' is no condition"),
        ("a[] -x-> b", "'' is no condition"),
        ("a[pos=NOUN,] -x-> b", "'' is no condition"),
        ("a[pos=] -x-> b", "'pos=' is no condition"),
        ("a[pos=NOUN|] -x-> b", "'pos=NOUN|' has an empty alternative"),
        ("a -x|-> b", "has an empty alternative"),
        ("a -x-> b; not", "'' is no step"),
    ],
)
def test_a_pattern_that_cannot_be_read(text: str, fault: str) -> None:
    with pytest.raises(DataError, match=re.escape(fault)):
        parse(text)
