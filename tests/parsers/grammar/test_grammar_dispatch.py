"""Sorting out rules that cannot match changes nothing that they do."""

from __future__ import annotations

import pytest

from compsim.parsers import load
from compsim.parsers.grammar.compilation import compile_rules
from compsim.parsers.grammar.dispatch import Dispatch
from compsim.parsers.grammar.draft import Draft
from compsim.parsers.grammar.grammar import Grammar
from compsim.parsers.grammar.parser import ConceptParser, _add_arguments


@pytest.fixture(scope="module")
def parser() -> ConceptParser:
    parser = load("concepts")
    assert isinstance(parser, ConceptParser)
    return parser


def state(draft: Draft) -> tuple[object, ...]:
    return list(draft.edges()), draft.features, draft.concepts, draft.lemmas, draft.given


def test_dispatched_rules_do_what_all_rules_called_in_turn_do(parser: ConceptParser) -> None:
    grammar = Grammar.open()
    texts = [text for rule in grammar.rules for text in rule.sentences[:2]]
    functions = [rule.build() for rule in compile_rules(grammar.rules, grammar.lexicon)]
    for analysis in parser.analyse(texts):
        naive = Draft(analysis.tree, grammar.lexicon)
        _add_arguments(naive, analysis)
        for function in functions:
            function(naive)
        assert state(parser.draft(analysis)) == state(naive), analysis.tree.text


class Toy:
    """What a dispatch reads of a draft, and the rules that were applied to it."""

    def __init__(self, words: set[str], deps: set[str]) -> None:
        self.seen, self.by_dep = words, {label: [0] for label in deps}
        self.by_pos: dict[str, list[int]] = {}
        self.applied: list[int] = []


def dispatch(renaming: int | None = None) -> Dispatch:
    def rule(number: int, draft: Toy) -> None:
        draft.applied.append(number)
        if number == renaming:
            draft.seen.add("sell")

    demands = [
        [("seen", frozenset({"sell"}))],
        [],
        [("dep", frozenset({"aux", "cop"})), ("dep", frozenset({"obj"}))],
        [("seen", frozenset({"sell"})), ("dep", frozenset({"obj"}))],
    ]
    return Dispatch([lambda i=i: lambda draft: rule(i, draft) for i in range(4)], demands)


def test_all_demands_of_a_rule_are_to_be_met() -> None:
    for deps, applied in (({"aux"}, [1]), ({"cop", "obj"}, [1, 2]), ({"obj"}, [1])):
        draft = Toy({"buy"}, deps)
        dispatch().apply(draft)
        assert draft.applied == applied


def test_a_lemma_that_a_rule_gives_is_seen_by_later_rules_alone() -> None:
    draft = Toy({"buy"}, {"obj"})
    dispatch(renaming=1).apply(draft)
    assert draft.applied == [1, 3]


def test_no_rules_do_nothing() -> None:
    Dispatch((), ()).apply(Toy(set(), set()))
