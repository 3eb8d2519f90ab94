"""The example pairs of every rule: it matches in them, and what says the same scores higher."""

from __future__ import annotations

import math

import pytest

from compsim.comparison.examples import ExampleResult, check_examples
from compsim.parsers.grammar.grammar import Grammar
from compsim.parsers.grammar.parser import ConceptParser

#: The share of rules whose pairs all hold, as measured and rounded down to a hundredth.
SHARE = 0.99


@pytest.fixture(scope="module")
def results() -> dict[str, ExampleResult]:
    parser = ConceptParser()
    return {r.rule.name: r for r in check_examples(parser, parser.grammar.rules)}


def test_a_rule_matches_in_its_examples(results: dict[str, ExampleResult]) -> None:
    """One test for all rules: as many would have each process of the tests parse the examples."""
    assert list(results) == [rule.name for rule in Grammar.open().rules]
    failing = [result.fault for result in results.values() if not (result.enough and result.fires)]
    assert not failing, "\n".join(failing)


def test_the_same_scores_higher_than_another(results: dict[str, ExampleResult]) -> None:
    failing = [result.fault for result in results.values() if not result.ordered]
    share = 1 - len(failing) / len(results)
    assert math.floor(100 * share) / 100 >= SHARE, "\n".join(failing)


def test_no_example_stands_with_two_rules() -> None:
    pairs = [pair for rule in Grammar.open().rules for pair in (*rule.same, *rule.other)]
    assert [pair for pair in dict.fromkeys(pairs) if pairs.count(pair) > 1] == []
