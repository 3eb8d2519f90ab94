"""Set phrases: the table that lists them, and their graphs beside those of what says the same.

The suites are scored: a trained model reads the sentences.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from compsim import load
from compsim.parsers.grammar.lexicon import Lexicon
from compsim.parsers.grammar.parser import ConceptParser

HEAD = "word\tpos\tclass\tfeatures\tsource\n"
#: What a verb is built into, with its third person, its base form and what it acts on.
FRAMES = (
    "Olga {third} {thing}.", "Olga does not {base} {thing}.", "Does Olga {base} {thing}?",
    "Olga wants to {base} {thing}.", "Olga, who {third} {thing}, is old.",
    "Nobody says that Olga {third} {thing}.", "Olga will {base} {thing} in May.",
)  # fmt: skip
#: A set phrase and a verb, in the third person and the base form, and what they act on.
VERBS = (
    ("puts up with", "put up with", "tolerates", "tolerate", "the noise"),
    ("takes care of", "take care of", "tends", "tend", "the goats"),
    ("makes fun of", "make fun of", "mocks", "mock", "the priest"),
    ("keeps an eye on", "keep an eye on", "watches", "watch", "the kettle"),
    ("catches sight of", "catch sight of", "spots", "spot", "the ferry"),
    ("takes part", "take part", "participates", "participate", "in the race"),
    ("comes to terms with", "come to terms with", "accepts", "accept", "the loss"),
)
#: What is said of something in a set phrase, in a word, and in another phrase.
PREDICATES = (
    ("out of order", "broken", "out of reach"), ("on the rise", "rising", "on the table"),
    ("out of work", "unemployed", "out of sight"), ("up to date", "current", "up to the crew"),
    ("out of danger", "safe", "in danger"), ("in good health", "healthy", "in bad health"),
)  # fmt: skip
#: How something is done, in a set phrase and in a word.
ADVERBS = (
    ("from time to time", "sometimes"), ("on purpose", "deliberately"), ("at once", "immediately"),
    ("in secret", "secretly"), ("by accident", "accidentally"), ("in the end", "finally"),
)  # fmt: skip


@pytest.fixture(scope="module")
def method() -> Any:
    return load("verbnet-cn", vectors="builtin", cache=False)


def share(method: Any, pairs: list[tuple[str, str]], least: float) -> float:
    """Return the share of pairs that score ``least`` or more."""
    first, second = zip(*pairs, strict=True)
    return float((method.similarity_pairwise(first, second) >= least).mean())


def test_verbs_in_all_kinds_of_clauses(method: Any) -> None:
    pairs = []
    for third, base, verb, infinitive, thing in VERBS:
        for frame in FRAMES:
            phrase = frame.format(third=third, base=base, thing=thing)
            pairs.append((phrase, frame.format(third=verb, base=infinitive, thing=thing)))
    assert share(method, pairs, 0.9) >= 0.89


def test_what_is_said_of_something(method: Any) -> None:
    frames = ("The pump is {}.", "Is the pump {}?", "The pump is not {}.", "The pump was {}.")
    same = [(f.format(a), f.format(b)) for a, b, _ in PREDICATES for f in frames]
    other = [(f.format(a), f.format(c)) for a, _, c in PREDICATES for f in frames]
    assert share(method, same, 0.85) >= 0.83
    assert share(method, other, 0.85) <= 0.05


def test_how_something_is_done(method: Any) -> None:
    frames = ("Olga left {}.", "Did Olga leave {}?", "The goats were sold {}.")
    pairs = [(f.format(a), f.format(b)) for a, b in ADVERBS for f in frames]
    assert share(method, pairs, 0.85) >= 0.88


@pytest.mark.parametrize(
    ("text", "lemma"),
    [
        ("Olga made the fun of it all.", "mock"),  # another article
        ("Olga had to go home.", "try"),  # "have a go"
        ("The girls wore coats in short supply.", "briefly"),  # the phrase ends inside another
        ("The soup was taken from time to time.", "time"),
    ],
)
def test_what_only_looks_like_a_set_phrase(text: str, lemma: str) -> None:
    (graph,) = ConceptParser().parse([text])
    assert lemma not in [node.feature("lemma") for node in graph.nodes]


def test_the_table(tmp_path: Path) -> None:
    rows = (
        "give in\tVERB\texpression\tbase=yield particle=yes\tnone\n"
        "give in to\tVERB\texpression\tbase=obey\tnone\n"
    )
    (tmp_path / "words.tsv").write_text(HEAD + rows, encoding="utf-8")
    lexicon = Lexicon.open(tmp_path)
    # The longest comes first, and a verb may be one concept with its particle.
    assert [entry.word for entry in lexicon.expressions["give"]] == ["give in to", "give in"]
    assert lexicon.members("opening") == {"give", "give_in"}


def test_no_word_that_says_the_same_is_a_set_phrase_itself() -> None:
    entries = Lexicon.open().entries("expression")
    assert [
        e.word for e in entries.values() if e.features["base"].replace("_", " ") in entries
    ] == []


def test_no_preposition_is_a_set_phrase() -> None:
    lexicon = Lexicon.open()
    assert not lexicon.members("expression") & lexicon.members("preposition")
