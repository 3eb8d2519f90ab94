"""Files of rules: what is read, and errors that name file, line, rule and fault."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compsim.errors import DataError
from compsim.parsers.grammar.actions import ACTIONS
from compsim.parsers.grammar.grammar import Grammar
from compsim.parsers.grammar.rules import (
    Action,
    read_order,
    read_rule_file,
    read_rules,
    rules_folder,
)

RULE = """# A comment.

[[rule]]
name = "object"
source = "grammar"
match = "verb -dobj-> noun"
do = ["add verb object noun .5", "set verb transitive yes"]
same = [["Ann eats figs.", "Figs are eaten by Ann."]]
other = [["Ann eats figs.", "Ann plants figs."]]
"""

DO = 'do = ["add verb object noun .5", "set verb transitive yes"]'


def write(folder: Path, *files: tuple[str, str]) -> Path:
    for name, text in files:
        (folder / f"{name}.toml").write_text(text, encoding="utf8")
    return folder


def test_a_rule_with_all_that_it_has(tmp_path: Path) -> None:
    (rule,) = read_rule_file(write(tmp_path, ("objects", RULE)) / "objects.toml")
    assert (rule.name, rule.source, rule.group) == ("object", "grammar", "objects")
    assert rule.where == f"{tmp_path / 'objects.toml'}, line 3, rule 'object'"
    assert rule.pattern.text == "verb -dobj-> noun"
    assert rule.actions == (
        Action("add", ("verb", "object", "noun", ".5")),
        Action("set", ("verb", "transitive", "yes")),
    )
    assert rule.same == (("Ann eats figs.", "Figs are eaten by Ann."),)
    assert rule.sentences[3] == "Ann plants figs."


def test_groups_are_read_in_their_order(tmp_path: Path) -> None:
    order = 'groups = ["second", "first"]\nhelpers = ["object"]\n'
    other = RULE.replace('"object"', '"another"')
    folder = write(tmp_path, ("order", order), ("first", RULE), ("second", other))
    assert [rule.name for rule in read_rules(folder)] == ["another", "object"]
    assert read_order(folder).helpers == {"object"}


def test_every_shipped_file_is_a_group() -> None:
    names = {path.stem for path in rules_folder().glob("*.toml")} - {"order"}
    assert names == set(read_order().groups)


def test_every_action_in_python_is_used_and_they_are_few() -> None:
    called = {a.words[0] for rule in read_rules() for a in rule.actions if a.name == "call"}
    assert called == set(ACTIONS)
    assert len(ACTIONS) <= 20


@pytest.mark.parametrize(
    ("action", "tokens"),
    [
        ("add verb @noun noun", ("verb", "noun", "noun")),
        ("remove verb object noun", ("verb", "noun")),
        ("keep verb", ("verb",)),
        ("drop noun", ("noun",)),
        ("merge verb noun", ("verb", "noun")),
        ("set verb feature @noun", ("verb", "noun")),
        ("set verb feature noun", ("verb",)),
        ("phrase verb noun verb", ("verb", "noun", "verb")),
        ("rename verb noun", ("verb",)),
        ("call measure verb noun", ("verb", "noun")),
    ],
)
def test_the_tokens_of_actions(action: str, tokens: tuple[str, ...], tmp_path: Path) -> None:
    text = RULE.replace("add verb object noun .5", action)
    (rule,) = read_rule_file(write(tmp_path, ("a", text)) / "a.toml")
    assert rule.actions[0].tokens == tokens


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("match =", "matches =", "unknown key 'matches'"),
        ('match = "verb -dobj-> noun"', "", "'match' is missing"),
        ('match = "verb -dobj-> noun"', "match = 3", "'match' is missing"),
        ('source = "grammar"', 'source = " "', "'source' is missing"),
        ("-dobj->", "-dobj>", "'verb -dobj> noun' is no step"),
        ("add verb", "ad verb", "unknown action 'ad'"),
        ("add verb object noun .5", "", "unknown action ''"),
        ("add verb object noun .5", "add verb object", "too few or too many words"),
        ("add verb object noun .5", "keep verb noun", "too few or too many words"),
        ("add verb object noun .5", "keep adverb", "names 'adverb', which the pattern"),
        ("add verb object noun .5", "add verb @by noun", "names 'by', which the pattern"),
        ("add verb object noun .5", "set verb x @by", "names 'by', which the pattern"),
        ("add verb object noun .5", "remove verb @noun noun", "'@noun' is no role"),
        ("add verb object noun .5", "phrase verb of", "names 'of', which the pattern"),
        ("add verb object noun .5", "call measures verb noun", "calls an unknown function"),
        ("add verb object noun .5", "call measure verb", "too few or too many tokens"),
        ("noun .5", "noun 1.5", "confidence '1.5' is not above 0 and up to 1"),
        ("noun .5", "noun 0", "confidence '0' is not above 0 and up to 1"),
        ("noun .5", "noun nan", "confidence 'nan' is not above 0 and up to 1"),
        ("noun .5", "noun half", "confidence 'half' is not above 0 and up to 1"),
        ('do = ["add', 'do = [7, "add', "unknown action ''"),
        (DO, 'do = "add verb object noun"', "'do' is no list of actions"),
        (DO, "do = []", "'do' is no list of actions"),
        ('same = [["Ann eats figs.", ', "same = [[", "'same' is no list of pairs"),
        ('other = [["Ann eats figs.", "', 'other = [["", "', "'other' is no list of pairs"),
        ('other = [["Ann eats figs.", "Ann plants figs."]]', "other = 3", "'other' is no list"),
    ],
)
def test_an_error_in_a_rule(old: str, new: str, fault: str, tmp_path: Path) -> None:
    assert old in RULE
    text = RULE.replace('"object"', '"first"') + RULE.replace(old, new, 1)
    write(tmp_path, ("objects", text))
    where = re.escape(f"{tmp_path / 'objects.toml'}, line 12, rule 'object': ")
    with pytest.raises(DataError, match=f"^{where}.*{re.escape(fault)}"):
        read_rule_file(tmp_path / "objects.toml")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (RULE.replace('name = "object"', ""), "line 3, rule number 1: 'name' is missing"),
        (RULE.replace('name = "object"', "name = 4"), "line 3, rule number 1: 'name' is missing"),
        ("rule = [3]", "rule number 1: it is no table"),
        ("rule = 3", "'rule' is no list"),
        ("[rule]\nname = 'x'", "'rule' is no list"),
        ("[[rules]]\nname = 'x'", "unknown key 'rules'"),
        (RULE + "name = 'again'", "10: this is not valid TOML"),
        ("[[rule]\nname = 'x'", "1: this is not valid TOML"),
    ],
)
def test_an_error_in_a_file(text: str, fault: str, tmp_path: Path) -> None:
    write(tmp_path, ("objects", text))
    with pytest.raises(DataError, match=re.escape(fault)) as raised:
        read_rule_file(tmp_path / "objects.toml")
    assert str(tmp_path / "objects.toml") in str(raised.value)


@pytest.mark.parametrize(
    ("order", "fault"),
    [
        ("", "'groups' is no list of names"),
        ('groups = ["a"]', "'helpers' is no list of names"),
        ('groups = [1]\nhelpers = ["a"]', "'groups' is no list of names"),
        ('groups = ["absent"]\nhelpers = []', "absent.toml cannot be read"),
        ("groups = [", "order.toml:1: this is not valid TOML"),
    ],
)
def test_an_error_in_the_order(order: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=re.escape(fault)):
        read_rules(write(tmp_path, ("order", order)))


def test_two_rules_of_one_name(tmp_path: Path) -> None:
    order = 'groups = ["a", "b"]\nhelpers = []'
    write(tmp_path, ("order", order), ("a", RULE), ("b", "\n" + RULE))
    with pytest.raises(DataError, match=r"b\.toml, line 4, .*a\.toml, line 3, .*rename one"):
        read_rules(tmp_path)


def test_a_file_beside_the_shipped_rules_runs_last_or_in_place_of_a_group(tmp_path: Path) -> None:
    shipped = Grammar.open()
    write(tmp_path, ("mine", RULE.replace('"object"', '"mine"')))
    grammar = Grammar.open(tmp_path / "mine.toml")
    assert grammar.rules[:-1] == shipped.rules
    assert grammar.rules[-1].name == "mine"
    write(tmp_path, ("functions", RULE.replace('"object"', '"mine"')))
    replaced = Grammar.open(tmp_path / "functions.toml")
    place = [rule.group for rule in shipped.rules].index("functions")
    assert replaced.rules[place].name == "mine"
    assert [r.name for r in replaced.rules if r.group != "functions"] == [
        r.name for r in shipped.rules if r.group != "functions"
    ]


def test_a_file_whose_rule_has_the_name_of_a_shipped_one(tmp_path: Path) -> None:
    write(tmp_path, ("mine", RULE))
    with pytest.raises(DataError, match=r"mine\.toml, line 3, rule 'object': this name stands at"):
        Grammar.open(tmp_path / "mine.toml")


def test_an_unknown_class_is_found_when_rules_are_compiled(tmp_path: Path) -> None:
    text = RULE.replace('"object"', '"mine"').replace("-> noun", "-> noun[class=furry]")
    write(tmp_path, ("mine", text))
    with pytest.raises(DataError, match=r"mine\.toml, line 3, rule 'mine': .* no class 'furry'"):
        Grammar.open(tmp_path / "mine.toml")
