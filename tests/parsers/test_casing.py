from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim import similarity
from compsim.parsers.amr_rules.parser import BuiltinAmrParser
from compsim.parsers.pipeline.casing import recased
from compsim.parsers.roles.srl import SrlParser

SENTENCES = (
    "The dog bit the man in New York on Monday.",
    "Police question the mayor of London about a stolen car.",
    "She gave her sister a book. It was about Germany.",
)


def titled(text: str) -> str:
    return " ".join(word[0].upper() + word[1:] for word in text.split())


@pytest.mark.parametrize("text", SENTENCES)
def test_capitals_are_undone(text: str) -> None:
    assert recased(text.upper()) == text
    assert recased(titled(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "NASA",
        "STOP!",
        "IBM and NASA",
        "Anna Brown met Paul Smith in New York.",
        "Queen Elizabeth and Prince Philip visited President Bush.",
        "I do NOT know.",
        "He said: Anna!",
        "the dog bit the man",
        "Dogs Bark",
        "12 + 13",
    ],
)
def test_other_texts_stay(text: str) -> None:
    assert recased(text) == text


def test_what_is_an_abbreviation_stays() -> None:
    assert recased("THE U.S. ARMY SAW IT ON TV AND I'M SAD.") == (
        "The U.S. Army saw it on TV and I'm sad."
    )


@given(st.text() | st.text(st.sampled_from("ABab\u0130\u00df. '")))
def test_the_length_is_kept(text: str) -> None:
    result = recased(text)
    assert len(result) == len(text)
    assert result.upper() == text.upper()
    assert recased(text.lower()) == text.lower()


@pytest.mark.parametrize("change", [str.upper, titled])
def test_the_words_of_a_graph_are_those_of_the_text(change: Callable[[str], str]) -> None:
    texts = [change(text) for text in SENTENCES]
    for text, plain, graph in zip(
        texts, SrlParser().parse(SENTENCES), SrlParser().parse(texts), strict=True
    ):
        assert graph.text == text
        assert [node.span for node in graph.nodes] == [node.span for node in plain.nodes]
        for node in graph.nodes:
            assert node.label == " ".join(text[start:end] for start, end in node.spans)


def test_capitals_do_not_change_an_amr() -> None:
    first, second = BuiltinAmrParser().parse([SENTENCES[0], SENTENCES[0].upper()])
    assert second.nodes == first.nodes
    assert similarity(SENTENCES[0], SENTENCES[0].upper(), method="amr-smatch") == 1


def test_real_sentences_keep_their_predicate(data_dir: Path) -> None:
    with gzip.open(data_dir / "text" / "sentences.tsv.gz", "rt", encoding="utf8") as lines:
        texts = [line.rstrip("\n").split("\t")[-1] for line in lines]
    texts = random.Random(2).sample([text for text in texts if len(text.split()) > 3], 500)

    def predicates(texts: list[str]) -> list[str | None]:
        graphs = SrlParser().parse(texts)
        return [
            None if graph.root is None else graph.nodes[graph.root].label.lower()
            for graph in graphs
        ]

    expected = predicates(texts)
    for change, least in ((str.upper, 0.96), (titled, 0.95)):
        result = predicates([change(text) for text in texts])
        same = [one == other for one, other in zip(expected, result, strict=True)]
        assert sum(same) >= least * len(same)
