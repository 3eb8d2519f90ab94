"""What traces say about rules: unused ones, idle ones, and those that others undo."""

from __future__ import annotations

from pathlib import Path

import pytest
from fewer_rules import use_rules

from compsim.comparison.examples import check_examples
from compsim.parsers.grammar.checks import Undone, Usage, measure_usage
from compsim.parsers.grammar.grammar import Grammar
from compsim.parsers.grammar.parser import ConceptParser

#: Groups of rules that make the concepts which those of the tests change.
KEPT = ("concepts", "functions", "clauses")


@pytest.fixture
def _few_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a few shipped rules: all of them would be compiled with those of each test."""
    rules = Grammar.open().rules
    use_rules(monkeypatch, [r for r in rules if r.group in KEPT or r.name.startswith("denied")])


SENTENCES = ["The mechanic repaired a car.", "Two old women slept.", "The door was not painted."]


def rule(name: str, match: str, *actions: str) -> str:
    listed = ", ".join(f'"{action}"' for action in actions)
    return f'[[rule]]\nname = "{name}"\nsource = "test"\nmatch = "{match}"\ndo = [{listed}]\n\n'


def usage(folder: Path, *rules: str) -> tuple[Usage, ConceptParser]:
    path = folder / "rules.toml"
    path.write_text("".join(rules), encoding="utf8")
    parser = ConceptParser(rules=path)
    traces = [parser.trace(analysis).matches for analysis in parser.analyse(SENTENCES)]
    return measure_usage(traces), parser


ADD = rule("add a mark", "verb -nsubj-> noun", "add verb mark noun", "set noun marked yes")
REMOVE = rule("remove a mark", "verb =mark=> noun", "remove verb mark noun")
CLEAR = rule("mark otherwise", "noun[marked=yes]", "set noun marked no")


@pytest.mark.usefixtures("_few_rules")
@pytest.mark.parametrize(
    ("rules", "undone"),
    [
        ([ADD], []),
        ([ADD, REMOVE], []),  # the feature stays
        ([ADD, CLEAR], []),  # the edge stays
        ([ADD, REMOVE, CLEAR], [Undone("add a mark", ("remove a mark", "mark otherwise"), 4)]),
        (
            [
                rule("drop an adjective", "word[pos=ADJ]", "drop word"),
                rule("keep an adjective", "noun -amod-> word", "keep word"),
            ],
            [Undone("drop an adjective", ("keep an adjective",), 1)],
        ),
        (
            [
                rule("affirm a verb", "verb -neg-> word", "call affirm verb"),
                rule("deny it again", "verb -neg-> word", "call deny verb"),
            ],
            [Undone("affirm a verb", ("deny it again",), 1)],
        ),
        # One of two matches is undone.
        ([ADD, rule("unmark one", "verb[lemma=repair] =mark=> noun", "remove verb mark noun")], []),
    ],
)
def test_rules_that_are_undone(rules: list[str], undone: list[Undone], tmp_path: Path) -> None:
    matched, parser = usage(tmp_path, *rules)
    mine = [each for each in parser.grammar.rules if each.group == "rules"]
    assert matched.undoings(mine) == undone
    assert matched.unused(mine) == matched.idle(mine) == []


@pytest.mark.usefixtures("_few_rules")
def test_an_edge_that_goes_to_another_token_is_not_taken_back(tmp_path: Path) -> None:
    matched, parser = usage(
        tmp_path,
        rule("mark a car", "verb -dobj-> noun; verb -nsubj-> other", "add verb mark noun"),
        rule("move it", "verb =mark=> noun; verb -nsubj-> other", "call measure noun other"),
    )
    mine = [each for each in parser.grammar.rules if each.group == "rules"]
    assert matched.undoings(mine) == []
    assert matched.changes["mark a car"] == 1
    assert matched.changes["move it"] > 2


@pytest.mark.usefixtures("_few_rules")
def test_rules_without_a_match_or_without_a_change(tmp_path: Path) -> None:
    matched, parser = usage(
        tmp_path,
        rule("none", "verb -nsubj-> noun[lemma=zebra]", "keep noun"),
        rule("idle", "verb -nsubj|nsubjpass-> noun", "keep noun"),
        rule("active", "verb -nsubj|nsubjpass-> noun", "set noun seen yes"),
    )
    mine = [each for each in parser.grammar.rules if each.group == "rules"]
    assert (matched.unused(mine), matched.idle(mine)) == (["none"], ["idle"])
    assert (matched.matches["active"], matched.changes["active"]) == (3, 3)


def test_no_shipped_rule_is_idle_or_undone_in_the_examples() -> None:
    parser = ConceptParser()
    rules = parser.grammar.rules
    sentences = [text for rule in rules for text in rule.sentences]
    matched = measure_usage(parser.trace(each).matches for each in parser.analyse(sentences))
    assert (matched.unused(rules), matched.idle(rules), matched.undoings(rules)) == ([], [], [])


EXAMPLES = """same = [
    ["The judge performs as a referee.", "The judge is a referee."],
    ["A nurse performs as a guide.", "A nurse is a guide."],
]
other = [
    ["The judge performs as a referee.", "The judge sees a referee."],
    ["A nurse performs as a guide.", "A nurse calls a guide."],
]
"""
WORK = rule(
    "work as",
    "verb[lemma=perform] -prep-> as[word=as]; as -pobj-> job; verb =subject=> person",
    "add person is job",
)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (WORK.rstrip() + "\n" + EXAMPLES, ""),
        (WORK, "'work as' has 0 same and 0 other pairs: give 2 of each"),
        (
            WORK.replace("lemma=perform", "lemma=toil").rstrip() + "\n" + EXAMPLES,
            "'work as' matches in none of its examples: mend its pattern or the examples",
        ),
        (
            WORK.rstrip() + "\n" + EXAMPLES.replace("is a referee", "met nine boats"),
            "'work as': The judge performs as a referee. / The judge met nine boats. scores ",
        ),
    ],
)
def test_faults_of_examples(text: str, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(text, encoding="utf8")
    parser = ConceptParser(rules=path)
    mine = [each for each in parser.grammar.rules if each.group == "rules"]
    (result,) = check_examples(parser, mine)
    assert result.holds is (not fault)
    assert result.fault.startswith(fault)
    assert bool(result.fault) is bool(fault)
