"""Sentence analogies that are made: the rules, the five forms, whole folders, bad sources."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from compsim.benchmarks.datasets.analogies import rules
from compsim.benchmarks.datasets.analogies.distractors import distractors, negated
from compsim.benchmarks.datasets.analogies.generator import (
    SIZES,
    Sources,
    make_relations,
    write_relations,
)
from compsim.benchmarks.datasets.analogies.relations import KINDS, open_relations
from compsim.benchmarks.datasets.analogies.templates import read_templates
from compsim.benchmarks.tasks.vectors.analogies import analogies
from compsim.cli import main
from compsim.errors import DataError, InputError
from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.srl import SrlParser

PARSER = SrlParser()
OPPOSITES = {"likely": ("unlikely", True), "unlikely": ("likely", False), "sure": ("unsure", True)}


def tree(text: str) -> Tree:
    return PARSER.analyse([text])[0].tree


@pytest.mark.parametrize(
    ("rule", "text", "pair"),
    [
        (
            rules.comparative,
            "The boy is taller than his sister.",
            ("The boy is tall.", "The boy is taller than his sister."),
        ),
        (rules.comparative, "The boy is better than his sister.", None),
        (rules.comparative, "The boy is tall.", None),
        (
            partial(rules.opposite, opposites=OPPOSITES),
            "That is not likely.",
            ("That is likely.", "That is unlikely."),
        ),
        (
            partial(rules.opposite, opposites=OPPOSITES),
            "A win is unlikely in May.",
            ("A win is likely in May.", "A win is unlikely in May."),
        ),
        (partial(rules.opposite, opposites=OPPOSITES), "She makes sure that it works.", None),
        (
            rules.plural,
            "He bought three horses in May.",
            ("He bought one horse in May.", "He bought three horses in May."),
        ),
        (rules.plural, "He bought these three horses.", None),
        (rules.plural, "He bought horses.", None),
        (
            partial(rules.conjugation, verbs={"work": "works"}),
            "Mary does not work in London.",
            ("Mary does not work in London.", "Mary works in London."),
        ),
        (partial(rules.conjugation, verbs={"work": "works"}), "They will work in London.", None),
        (
            rules.objective,
            "She said that the dog was hungry.",
            ("She said that the dog was hungry.", "The dog was hungry."),
        ),
        (rules.objective, "She said hello to the dog.", None),
        (
            rules.adjective,
            "He saw an old house.",
            ("He saw an old house.", "He saw a house that is old."),
        ),
        (rules.adjective, "He saw the old house.", None),
        (rules.adjective, "It was a former king.", None),
    ],
)
def test_rules(
    rule: Callable[[Tree], tuple[str, str] | None], text: str, pair: tuple[str, str] | None
) -> None:
    assert rule(tree(text)) == pair


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("A man is eating a pizza", "A man is not eating a pizza"),
        ("A man is not eating a pizza.", "A man is eating a pizza."),
        ("The dog can't swim.", "The dog can swim."),
        ("The dog barked at night.", "The dog did not bark at night."),
        ("The dogs bark at night.", "The dogs do not bark at night."),
        ("An old house in May.", None),
    ],
)
def test_what_is_denied(text: str, other: str | None) -> None:
    assert negated(tree(text)) == other


def test_the_five_forms_of_a_sentence() -> None:
    text = "The old woman is slowly slicing an eggplant in the kitchen."
    words = text.rstrip(".").split()
    for seed in range(30):
        result = distractors(tree(text), seed)
        assert result is not None
        denied, deleted, masked, spanned, turned = result
        assert denied == "The old woman is not slowly slicing an eggplant in the kitchen."
        assert len(result) == len(KINDS)
        assert all(form.endswith(".") for form in result)
        kept = deleted.rstrip(".").split()
        assert len(kept) == 11 - 3  # a fifth, rounded up
        assert {"The", "old", "is", "slowly", "an", "the"} <= set(kept)
        assert masked.count("[MASK]") == 3
        assert len(masked.split()) == len(words)
        assert 11 - 5 <= len(spanned.split()) < 11
        rest = turned.rstrip(".").split()
        assert rest != words
        assert words in [rest[k:] + rest[:k] for k in range(len(rest))]
    assert distractors(tree(text), 1) == distractors(tree(text), 1) != distractors(tree(text), 2)


def test_what_has_no_five_forms() -> None:
    assert distractors(tree("Dogs are barking.")) is None  # three words
    assert distractors(tree("An old house in May.")) is None  # no verb to deny
    assert distractors(tree("It is so very very old.")) is None  # too few words may go


WORDS = """: capital-common-countries
Athens Greece Oslo Norway
: capital-world
Athens Greece Oslo Norway
: currency
Greece euro Norway krone
: city-in-state
Chicago Illinois Houston Texas
: family
boy girl he she
: gram2-opposite
likely unlikely sure unsure
: gram6-nationality-adjective
Greece Greek Norway Norwegian
: gram9-plural-verbs
work works go goes
"""
TEXT = """one\tThe boy is taller than his sister.
two\tYour dog was much bigger than my cat.
\tThat is not likely.
The plan is really improper.
He bought three horses in May.
We need two tables.
Mary does not work in London.
Peter will go to the park.
She said that the dog was very hungry.
He thinks his mother is in the garden.
She owned an old house in the city.
He is eating a big apple in the garden.
Too short.
"""
PAIRS = """pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment
1\tA man is eating a pizza in Rome\tA man is eating some food in Rome\t4\tENTAILMENT
2\tAn egg is being cut by a woman\tA woman is cutting an egg\t4\tENTAILMENT
3\tA man is slicing meat at home\tMeat is being sliced by a man at home\t4\tENTAILMENT
4\tThere is no man eating\tA man is eating at home today\t4\tCONTRADICTION
5\tA dog is running at home\tA dog is not running at home\t4\tCONTRADICTION
6\tNobody is here\tNo man is here\t4\tCONTRADICTION
7\tA cat is sleeping at home\tA dog is eating at home\t2\tNEUTRAL
8\tA cat is eating fish at home\tAn animal is eating fish at home\t4\tENTAILMENT
"""


def sources(tmp_path: Path) -> Sources:
    (tmp_path / "words.txt").write_text(WORDS)
    (tmp_path / "antonyms.txt").write_text("proper\tantonym\timproper\nhot\tantonym\tcold\n")
    (tmp_path / "pairs.txt").write_text(PAIRS)
    with gzip.open(tmp_path / "text.tsv.gz", "wt") as file:
        file.write(TEXT)
    return Sources(
        tmp_path / "words.txt",
        [tmp_path / "text.tsv.gz"],
        [tmp_path / "pairs.txt"],
        tmp_path / "antonyms.txt",
    )


def test_fifteen_relations_are_made(tmp_path: Path) -> None:
    results: list[int] = []
    given = sources(tmp_path)
    made = make_relations(given, 7, results.append)
    assert list(made) == list(SIZES)
    assert sum(results) > 10
    assert made["opposite"] == [
        ("That is likely.", "That is unlikely."),
        ("The plan is really proper.", "The plan is really improper."),
    ]
    assert [row[:2] for row in made["rel-passivization"]] == [
        ("A woman is cutting an egg", "An egg is being cut by a woman"),
        ("A man is slicing meat at home", "Meat is being sliced by a man at home"),
    ]
    assert [row[0] for row in made["rel-negation"]] == [
        "There is no man eating",
        "A dog is not running at home",
    ][: len(made["rel-negation"])]
    for name, rows in made.items():
        for row in rows:
            width = 7 if name.startswith("rel-") else 2
            assert len(set(row)) == len(row) == width
    # What is made of a sentence does not depend on the others.
    (tmp_path / "pairs.txt").write_text(
        "\n".join(line for line in PAIRS.splitlines() if line[:2] != "2\t") + "\n"
    )
    fewer = make_relations(given, 7)
    assert [row[:2] for row in fewer["rel-passivization"]] == [
        row[:2] for row in made["rel-passivization"][1:]
    ]


def test_a_folder_is_made_and_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = sources(tmp_path)
    remarks = write_relations(given, tmp_path / "made")
    assert "capital-common: 12 pairs, the paper has 138" in remarks
    result = {relation.name: relation for relation in open_relations(tmp_path / "made")}
    assert set(result) <= set(SIZES)
    assert not any(relation.problems for relation in result.values())
    with pytest.raises(InputError, match="has TSV files already"):
        write_relations(given, tmp_path / "made")
    command = ["bench", "analogies", "--data", str(tmp_path / "new"), "--generate"]
    command += [str(given.words), "--vectors", "builtin", "--relations", "gender,opposite"]
    command += ["--text", str(given.text[0]), "--antonyms", str(given.antonyms)]
    assert main(command) == 0
    shown = capsys.readouterr()
    assert "not made without pairs: rel-entailment" in shown.err
    assert "gender" in shown.out


def test_templates_of_ones_own(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text(": hauptstadt\nParis Frankreich Rom Italien\n")
    templates = tmp_path / "templates.tsv"
    templates.write_text("stadt\thauptstadt\tIch war in {}.\nstadt\thauptstadt\t{} ist\t{} war\n")
    made = make_relations(Sources(words, templates=templates))
    assert made == {
        "stadt": [
            ("Ich war in Paris.", "Ich war in Frankreich."),
            ("Ich war in Rom.", "Ich war in Italien."),
            ("Paris ist", "Frankreich war"),
            ("Rom ist", "Italien war"),
        ]
    }
    for text, reason in (
        ("a\tb\tnone\n", "line 1: template 'none' has not one {}"),
        ("a\tb\t{}\nc\td\t{} {}\n", "line 2: template '{} {}' has not one {}"),
        ("a\tb\n", "line 1: 2 columns, not 3 or 4"),
        ("a\tb\t{}\na\tc\t{}\n", "line 2: relation 'a' has words of the section 'b' before"),
        ("", "has no template"),
    ):
        templates.write_text(text)
        with pytest.raises(DataError) as error:
            read_templates(templates)
        assert reason in str(error.value)
    templates.write_text("stadt\tnone\tIch war in {}.\n")
    with pytest.raises(DataError, match="no word pairs in the section 'none', of which stadt"):
        make_relations(Sources(words, templates=templates))


def test_sources_that_are_none(tmp_path: Path) -> None:
    given = sources(tmp_path)
    with pytest.raises(InputError, match="give generate too"):
        analogies(tmp_path, text="x.txt")
    (tmp_path / "pairs.txt").write_text("a\tb\tc\n")
    with pytest.raises(DataError, match="line 1: not the columns sentence_A, sentence_B"):
        make_relations(given)
    (tmp_path / "pairs.txt").write_text(PAIRS + "9\tA man\n")
    with pytest.raises(DataError, match="line 10: 2 columns: mend the line"):
        make_relations(given)
    (tmp_path / "antonyms.txt").write_text("a b c d\n")
    with pytest.raises(DataError, match="line 1: 4 columns: give two words"):
        make_relations(given)
    (tmp_path / "empty.txt").write_text("Short.\n")
    with pytest.raises(DataError, match="no sentence of 4 to 30 words"):
        make_relations(Sources(given.words, [tmp_path / "empty.txt"]))
    given.words.write_text(WORDS.replace("gram2-opposite", "other"))
    with pytest.raises(DataError, match="no word pairs in the section 'gram2-opposite'"):
        make_relations(Sources(given.words, given.text))


def test_the_sizes_of_the_paper(data_dir: Path) -> None:
    sick = sorted((data_dir / "sick").glob("SICK_*.txt.gz"), reverse=True)
    words = data_dir / "analogies" / "questions-words.txt"
    if not sick or not words.is_file():
        pytest.skip(f"there is no SICK, or no word analogies, in {data_dir}")
    made = make_relations(Sources(words, pairs=sick))
    counts = {name: len(rows) for name, rows in made.items()}
    # What SICK has of the paper's 256 and 511 whose forms are all different.
    assert counts.pop("rel-passivization") >= 192
    assert counts.pop("rel-negation") >= 490
    assert counts == {name: SIZES[name] for name in counts}
    assert len(counts) == 7
