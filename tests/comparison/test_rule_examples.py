"""The example pairs of the grammar: what says the same scores above what does not, rule by rule."""

from __future__ import annotations

from compsim.comparison.examples import check_examples
from compsim.parsers.grammar.parser import ConceptParser

#: The least share of rules whose pairs all hold, of those that have pairs.
LEAST = 0.8


def test_most_rules_hold_their_examples() -> None:
    parser = ConceptParser()
    rules = [rule for rule in parser.grammar.rules if rule.same and rule.other]
    results = check_examples(parser, rules)
    failing = [rule.name for rule, each in zip(rules, results, strict=True) if not each.holds]
    assert len(results) == len(rules) >= 10
    assert len(failing) <= (1 - LEAST) * len(rules), failing
