"""Real sentences with other white space: the same parse, its spans in the text as given."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import respaced

from compsim import load
from compsim.graph import RoleGraph, Status
from compsim.parsers.amr_rules.parser import BuiltinAmrParser
from compsim.parsers.files.stored_roles import StoredParser, write_jsonl
from compsim.parsers.roles.analysis import MAX_CHARACTERS, AnalysisParser
from compsim.parsers.roles.srl import SrlParser
from compsim.plain_text import plain

ALTERED = {
    "line break": ("{}\n{}", " "),
    "tab": ("{}\t{}", " "),
    "double": ("{}  {}", " "),
    "no-break": ("{}\u00a0{}", " "),
    "CRLF": ("{}\r\n{}", " "),
    "zero width": ("{}\u200be{}", "e"),
    "leading": (" {}", ""),
    "trailing": ("{} ", ""),
}
SENTENCES = (
    "The dog that bit the boy didn't sleep -- it ran away.",
    "She gave the old book up, and he said that cats chase mice.",
    "The queen's letter was written in Paris on Monday.",
)


@pytest.fixture(scope="module", params=[SrlParser, BuiltinAmrParser])
def parser(request: pytest.FixtureRequest) -> AnalysisParser:
    result: AnalysisParser = request.param()
    return result


def content(graph: RoleGraph) -> tuple[object, ...]:
    """Return the content of a graph, and the words at its spans."""
    words = [[plain(graph.text[a:b]) for a, b in node.spans] for node in graph.nodes]
    nodes = [(node.label, node.sense, node.variable) for node in graph.nodes]
    frames = [
        (frame.predicate.label, {role: node.label for role, node in frame.roles.items()})
        for frame in graph.frames()
    ]
    return nodes, words, graph.edges, graph.root, graph.status, graph.reason, frames


def test_white_space_is_no_word(parser: AnalysisParser) -> None:
    expected = dict(zip(SENTENCES, map(content, parser.parse(SENTENCES)), strict=True))

    @settings(max_examples=40)
    @given(st.sampled_from(SENTENCES), st.data())
    def check(sentence: str, data: st.DataObject) -> None:
        altered = data.draw(respaced(sentence))
        (graph,) = parser.parse([altered])
        assert graph.text == altered
        assert content(graph) == expected[sentence]
        assert not any("\n" in node.label for node in graph.nodes)

    check()


def test_quotes_of_typographers_are_quotes(parser: AnalysisParser) -> None:
    curly = "The dog that bit the boy didn\u2019t sleep \u2014 it ran away."
    (graph,) = parser.parse([curly])
    assert graph.text == curly
    assert content(graph)[0] == content(parser.parse(SENTENCES[:1])[0])[0]


@pytest.mark.parametrize("form", ["- {}", "\u2022 {}", "{} \U0001f602", "\U0001f525{}", '"{}"'])
def test_what_stands_around_a_sentence_changes_no_parse(parser: AnalysisParser, form: str) -> None:
    texts = [form.format(sentence) for sentence in SENTENCES]
    for sentence, text, graph in zip(SENTENCES, texts, parser.parse(texts), strict=True):
        assert graph.text == text
        assert content(graph) == content(parser.parse([sentence])[0])


def test_white_space_does_not_move_the_cut(parser: AnalysisParser) -> None:
    text = "Cats chase mice. " * (MAX_CHARACTERS // 17 + 3)
    first, second = parser.parse([text, text.replace(" ", "\n\n")])
    assert first.status is second.status is Status.PARTIAL
    assert second.text == text.replace(" ", "\n\n")
    assert content(first) == content(second)


def test_stored_parses_are_found_whatever_the_white_space(tmp_path: Path) -> None:
    graphs = SrlParser().parse(["The dog\nbarked.", "Cats  sleep."])
    write_jsonl(graphs, tmp_path / "parses.jsonl")
    asked = [" The dog barked.", "Cats\tsleep."]
    result = StoredParser(tmp_path / "parses.jsonl").parse(asked)
    assert [graph.text for graph in result] == asked
    assert [graph.roles()["Agent"].span for graph in result] == [(1, 8), (0, 4)]


def test_real_sentences_keep_their_scores(data_dir: Path) -> None:
    with gzip.open(data_dir / "text" / "sentences.tsv.gz", "rt", encoding="utf8") as lines:
        texts = [line.rstrip("\n").split("\t")[-1] for line in lines]
    texts = random.Random(5).sample([text for text in texts if " " in text and "e" in text], 100)
    method = load("verbnet-cn", vectors="builtin", cache=False)
    others = method.encode(texts[1:] + texts[:1])
    scores = method.similarity_pairwise(texts, others)
    for name, (form, at) in ALTERED.items():
        altered = []
        for text in texts:
            before, _, after = text.partition(at) if at else (text, "", "")
            altered.append(form.format(before, after))
        assert [plain(text) for text in altered] == [plain(text) for text in texts], name
        np.testing.assert_array_equal(method.similarity_pairwise(altered, others), scores, name)
