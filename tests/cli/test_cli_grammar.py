"""The commands that check rules of the grammar and show those that matched."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import call, one_line
from fewer_rules import use_rules
from new_process import in_a_new_process

from compsim.parsers.grammar.grammar import Grammar

REPOSITORY = Path(__file__).resolve().parents[2]
GOOD = """[[rule]]
name = "work as"
source = "test"
match = "verb[lemma=perform] -prep-> as[word=as]; as -pobj-> job; verb =subject=> person"
do = ["add person is job"]
same = [
    ["The judge performs as a referee.", "The judge is a referee."],
    ["A nurse performs as a guide.", "A nurse is a guide."],
]
other = [
    ["The judge performs as a referee.", "The judge sees a referee."],
    ["A nurse performs as a guide.", "A nurse calls a guide."],
]
"""
UNDO = """
[[rule]]
name = "no work"
source = "test"
match = "person =is=> job; verb =subject=> person; verb[lemma=perform]"
do = ["remove person is job"]
"""


@pytest.fixture(scope="module", autouse=True)
def _few_examples() -> Iterator[None]:
    """Leave examples to each twentieth shipped rule: a check looks at those of all rules."""
    rules = [
        rule if number % 20 == 0 else replace(rule, same=(), other=())
        for number, rule in enumerate(Grammar.open().rules)
    ]
    with pytest.MonkeyPatch.context() as patch:
        use_rules(patch, rules)
        yield


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "work.toml"
    path.write_text(GOOD, encoding="utf8")
    return path


def test_rules_that_hold(rules: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "lines.txt"
    corpus.write_text("Ida performs as a cook.\n\nBirds sing.\n", encoding="utf8")
    done = call("grammar", "check", str(rules), "--corpus", str(corpus))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == [
        "never matched in the corpus: none",
        "1 of 1 rules hold in their examples",
    ]


def test_rules_that_do_not_hold(rules: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "lines.txt"
    corpus.write_text("Birds sing.\n", encoding="utf8")
    rules.write_text(GOOD + UNDO, encoding="utf8")
    done = call("grammar", "check", str(rules), "--corpus", str(corpus), "--format", "json")
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert report["unused"] == ["work as", "no work"]
    assert [each["rule"] for each in report["rules"]] == ["work as", "no work"]
    assert report["rules"][0]["where"] == f"{rules}, line 1, rule 'work as'"
    assert len(report["rules"][0]["same"]) == len(report["rules"][0]["other"]) == 2
    faults = "\n".join(report["faults"])
    assert "'no work' has 0 same and 0 other pairs: give 2 of each" in faults
    assert re.search(r"'work as' is undone by 'no work', each of its \d+ changes", faults)


def test_shipped_rules_are_named_where_they_fail() -> None:
    done = call("grammar", "check", "--format", "json")
    report = json.loads(done.stdout)
    failing = [each["rule"] for each in report["rules"] if not each["holds"]]
    assert 0 < len(failing) < len(report["rules"]) == len(Grammar.open().rules)
    assert done.returncode == 1
    faults = report["faults"][: len(failing)]
    for name, fault in zip(failing, faults, strict=True):
        assert fault.startswith(repr(name))
    for fault in report["faults"][len(failing) :]:
        assert re.search("changes nothing|is undone by", fault)
    assert "unused" not in report


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (GOOD.replace("add person", "add worker"), "rule 'work as': action 'add worker is job'"),
        (GOOD.replace("[[rule]]", "[[rule]"), "this is not valid TOML"),
        (GOOD.replace("lemma=perform", "class=work"), "the lexicon has no class 'work'"),
    ],
)
def test_a_file_with_an_error(text: str, fault: str, rules: Path) -> None:
    rules.write_text(text, encoding="utf8")
    done = call("grammar", "check", str(rules))
    assert done.returncode == 2
    error = one_line(done.stderr.decode())
    assert fault in error
    assert str(rules) in error


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    done = call("grammar", "show", "Birds sing.", "--rules", str(tmp_path / "none.toml"))
    assert done.returncode == 2
    assert "none.toml cannot be read" in one_line(done.stderr.decode())


def test_the_rules_of_a_sentence(rules: Path) -> None:
    done = call("grammar", "show", "Ida did not perform as a cook.", "--rules", str(rules))
    assert (done.returncode, done.stderr) == (0, b"")
    graph, matches = done.stdout.decode().rstrip().split("\n\n")
    assert graph.splitlines()[0] == "Ida did not perform as a cook."
    assert "  perform: perform, aspect=simple, negated=yes" in graph
    assert "  Ida -is-> cook" in graph
    lines = matches.splitlines()
    assert lines[0].startswith("content word (concepts): word ")
    assert lines[-2:] == [
        "work as (work): as as, job cook, person ida, verb perform",
        "  ida -is-> cook",
    ]


def test_the_rules_of_a_sentence_as_json() -> None:
    done = call("grammar", "show", "The door was shut by Ida.", "--format", "json")
    shown = json.loads(done.stdout)
    assert shown["graph"]["text"] == "The door was shut by Ida."
    (passive,) = [each for each in shown["matches"] if each["rule"] == "passive subject"]
    assert passive == {
        "rule": "passive subject",
        "group": "functions",
        "tokens": {"first": "door", "noun": "door", "verb": "shut"},
        "changes": ["shut -object-> door", "shut is passive=yes"],
    }


def test_a_text_without_words_in_a_process_that_loads_no_more_than_it_needs() -> None:
    result = in_a_new_process(
        "import sys\n"
        "from compsim.cli import main\n"
        "sys.argv[1:] = ['grammar', 'show', ' ']\n"
        "assert main() == 0\n"
        "assert not {'spacy', 'torch', 'numba'} & set(sys.modules)\n"
    )
    assert "  failed: empty text" in result


def test_the_example_of_the_contributors_page(tmp_path: Path) -> None:
    page = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf8")
    (block,) = re.findall(r"   ```toml\n(   \[\[rule\]\]\n.*?)   ```", page, re.DOTALL)
    example = textwrap.dedent(block)
    assert len(example.splitlines()) <= 10
    path = tmp_path / "working.toml"
    path.write_text(example, encoding="utf8")
    done = call("grammar", "check", str(path))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"1 of 1 rules hold in their examples\n"
    # It is the rule that orders the pairs: with another action they are not in order.
    other = re.sub(r"(?m)^do = .*$", 'do = ["set verb seen yes"]', example)
    path.write_text(other, encoding="utf8")
    done = call("grammar", "check", str(path))
    assert done.returncode == 1
    assert b"Ada locked the door. scores" in done.stdout
