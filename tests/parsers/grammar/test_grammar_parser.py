"""The parser of concepts: graphs of plain sentences, their forms, and its version."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from xml.etree import ElementTree

import pytest

from compsim.errors import DataError
from compsim.graph import RoleGraph, Status
from compsim.parsers import load
from compsim.parsers.grammar.draft import Draft
from compsim.parsers.grammar.expansion import expanded
from compsim.parsers.grammar.grammar import Grammar, hash_files, shipped_files
from compsim.parsers.grammar.parser import ConceptParser
from compsim.parsers.grammar.rules import read_order
from compsim.storage.places import weights_folder

#: Sentences with their edges: "head role dependent", by lemma, then the confidence if it is not 1.
GRAPHS = {
    "The baker sold four loaves to her neighbour.": {
        "sell agent baker",
        "sell patient loaf",
        "sell recipient neighbour",
        "loaf quantity four",
        "neighbour kin baker",
    },
    "A bench in front of the school was painted green.": {
        "school behind bench",
        "paint patient bench",
        "bench attribute green",
    },
    "The plumber who fixed the sink did not charge us.": {
        "fix agent plumber",
        "fix patient sink",
        "charge agent plumber",
        "charge recipient us",
    },
    "There is a ladder behind the shed.": {"ladder behind shed"},
    "Rosa might give up chess.": {"give_up agent rosa", "give_up patient chess"},
    "A group of tourists waited under the bridge.": {
        "wait agent tourist",
        "tourist quantity group",
        "bridge above wait",
        "bridge above tourist 0.5",
    },
    "She promised to water the tulips.": {
        "promise agent she",
        "promise content water",
        "water agent she",
        "water patient tulip",
    },
    "Two old men and a girl are sitting on a wall.": {
        "man quantity two",
        "man attribute old",
        "man and girl",
        "man posture sit",
        "girl posture sit",
        "man on wall",
        "girl on wall",
    },
    "Nora's brother has a red bicycle.": {
        "brother kin nora",
        "brother has bicycle",
        "bicycle attribute red",
    },
    "The letter that Ivan wrote was never sent.": {
        "write agent ivan",
        "write patient letter",
        "send patient letter",
    },
    "The nurse lost her keys and the porter found them.": {
        "lose agent nurse",
        "lose patient key",
        "key of nurse",
        "find agent porter",
        "find patient key",
    },
    "The soup is hot.": {"soup attribute hot"},
    "Lena is a dentist.": {"lena is dentist"},
}
#: Features beside lemma and part of speech.
FEATURES = {
    "The plumber who fixed the sink did not charge us.": ("charge", "negated", "yes"),
    "Rosa might give up chess.": ("give_up", "modality", "possible"),
    "The letter that Ivan wrote was never sent.": ("send", "negated", "yes"),
    "A bench in front of the school was painted green.": ("paint", "passive", "yes"),
}


@pytest.fixture(scope="module")
def concepts() -> ConceptParser:
    return ConceptParser()


@pytest.fixture(scope="module")
def graphs(concepts: ConceptParser) -> dict[str, RoleGraph]:
    return dict(zip(GRAPHS, concepts.parse(list(GRAPHS)), strict=True))


def edges_of(graph: RoleGraph) -> set[str]:
    lemmas = [node.feature("lemma") for node in graph.nodes]
    return {
        f"{lemmas[edge.source]} {edge.role} {lemmas[edge.target]}"
        + ("" if edge.confidence == 1 else f" {edge.confidence:g}")
        for edge in graph.edges
    }


@pytest.mark.parametrize("sentence", GRAPHS)
def test_the_graph_of_a_sentence(sentence: str, graphs: dict[str, RoleGraph]) -> None:
    graph = graphs[sentence]
    assert edges_of(graph) == GRAPHS[sentence]
    assert (graph.status, graph.parser) == (Status.OK, "concepts")
    for node in graph.nodes:
        assert node.span is not None
        assert node.label == " ".join(sentence[start:end] for start, end in node.spans)


@pytest.mark.parametrize("sentence", FEATURES)
def test_features_of_concepts(sentence: str, graphs: dict[str, RoleGraph]) -> None:
    lemma, name, value = FEATURES[sentence]
    result = {
        n.feature("lemma"): n.feature(name) for n in graphs[sentence].nodes if n.feature(name)
    }
    assert result == {lemma: value}


def test_senses_and_parts(graphs: dict[str, RoleGraph]) -> None:
    give, chess = graphs["Rosa might give up chess."].nodes[1:]
    assert (give.label, give.parts, give.span) == ("give up", ((11, 15), (16, 18)), (11, 18))
    assert str(give.sense).startswith("give")
    assert chess.sense is None


@pytest.mark.parametrize("sentence", GRAPHS)
def test_a_graph_survives_its_written_forms(sentence: str, graphs: dict[str, RoleGraph]) -> None:
    graph = graphs[sentence]
    assert RoleGraph.from_json(json.loads(json.dumps(graph.to_json()))) == graph
    assert RoleGraph.from_penman(graph.to_penman()) == graph


@pytest.mark.parametrize("sentence", GRAPHS)
def test_a_graph_can_be_drawn(sentence: str, graphs: dict[str, RoleGraph]) -> None:
    graph = graphs[sentence]
    svg = ElementTree.fromstring(graph.to_svg())
    titles = [title.text or "" for title in svg.iter("{http://www.w3.org/2000/svg}title")]
    dot = graph.to_dot()
    for node in graph.nodes:
        assert any(title.startswith(node.label) for title in titles)
    for edge in graph.edges:
        arrow = f"{graph.nodes[edge.source].label} \u2192 {graph.nodes[edge.target].label}"
        assert any(t.startswith(edge.role) and t.endswith(arrow) for t in titles)
        assert f'{edge.source} -> {edge.target} [label="{edge.role}"' in dot


@pytest.mark.parametrize(
    ("text", "reason"), [("", "empty text"), (" \n", "empty text"), ("...", "no word found")]
)
def test_a_text_without_a_word_fails(text: str, reason: str, concepts: ConceptParser) -> None:
    (graph,) = concepts.parse([text])
    assert (graph.status, graph.reason, graph.nodes) == (Status.FAILED, reason, ())


def test_a_batch_is_as_one_by_one(concepts: ConceptParser, graphs: dict[str, RoleGraph]) -> None:
    for text in GRAPHS:
        assert concepts.parse([text]) == [graphs[text]]


def test_a_trace_ends_in_the_same_graph(
    concepts: ConceptParser, graphs: dict[str, RoleGraph]
) -> None:
    for text, analysis in zip(GRAPHS, concepts.analyse(list(GRAPHS)), strict=True):
        draft = concepts.trace(analysis)
        assert concepts.graph_of(draft, analysis) == graphs[text]
        assert draft.matches[0].rule.name == "content word"


def test_the_changes_of_a_trace_are_all_there_are(concepts: ConceptParser) -> None:
    sentences = [text for rule in concepts.grammar.rules for text in rule.sentences]
    for analysis in concepts.analyse(sentences[::7]):
        draft = concepts.trace(analysis)
        held: set[tuple[object, ...]]
        start = Draft(analysis.tree, concepts.grammar.lexicon).lemmas
        held = {("lemma", i, lemma) for i, lemma in enumerate(start)}
        for change in (change for match in draft.matches for change in match.changes):
            key = (change.kind, *change.key)
            assert (key in held) is change.removed or change.kind == "edge"
            (held.discard if change.removed else held.add)(key)
        expected = {("lemma", i, lemma) for i, lemma in enumerate(draft.lemmas)}
        expected |= {("concept", i) for i in draft.concepts}
        expected |= {
            ("feature", i, name, value)
            for i, features in enumerate(draft.features)
            for name, value in features.items()
        }
        edges = {("edge", *edge[:3]) for edge in draft.edges()}
        labelled = {
            ("edge", frame.predicate, argument.label, head)
            for frame in analysis.frames
            for argument in frame.arguments
            for head in (argument.head, *argument.more)
        }
        assert {key for key in held if key[0] != "edge"} == expected
        assert edges - labelled <= {key for key in held if key[0] == "edge"} <= edges


RULE = """
[[rule]]
name = "work of a person"
source = "grammar"
match = "verb[lemma=perform] -prep-> as[word=as]; as -pobj-> job; verb =subject=> person"
do = ["add person is job"]
"""


def test_a_file_of_rules_adds_to_the_shipped_ones(tmp_path: Path) -> None:
    path = tmp_path / "jobs.toml"
    path.write_text(RULE, encoding="utf8")
    more = load("concepts", rules=path)
    (graph,) = more.parse(["Lena performs as a dentist."])
    assert "lena is dentist" in edges_of(graph)
    (graph,) = pickle.loads(pickle.dumps(more)).parse(["Lena performs as a dentist."])
    assert "lena is dentist" in edges_of(graph)
    (graph,) = ConceptParser().parse(["Lena performs as a dentist."])
    assert "lena is dentist" not in edges_of(graph)
    assert more.version != ConceptParser().version


def test_the_version_tells_models_rules_and_words(concepts: ConceptParser) -> None:
    models = load("srl").version
    assert concepts.version == f"{models}/{hash_files(shipped_files())}"
    shipped = {path.relative_to(weights_folder()).as_posix() for path in shipped_files()}
    assert shipped >= {"grammar/order.toml", "lexicon/words.tsv", "lexicon/prepositions.tsv"}
    assert shipped >= {f"grammar/{group}.toml" for group in read_order().groups}


def test_a_hash_changes_with_each_file_and_its_name(tmp_path: Path) -> None:
    files = [tmp_path / "a.toml", tmp_path / "b.tsv"]
    hashes = set()
    for first, second in (("x", "y"), ("x", "z"), ("xy", ""), ("", "xy")):
        files[0].write_text(first, encoding="utf8")
        files[1].write_text(second, encoding="utf8")
        hashes.add(hash_files(files))
        assert hash_files(files) in hashes
    assert len(hashes) == 4
    other = files[1].rename(tmp_path / "c.tsv")
    assert hash_files([files[0], other]) not in hashes
    with pytest.raises(DataError, match=r"b\.tsv cannot be read"):
        hash_files(files)


def test_the_grammar_is_read_once() -> None:
    assert Grammar.open() is Grammar.open()
    assert pickle.loads(pickle.dumps(Grammar.open())) is Grammar.open()


def test_phrases_are_found_where_a_measure_is_read_otherwise() -> None:
    text = "Half an hour later Vera sold two and a half kilos of plums."
    roles = {"Verb": "sold", "Agent": "Vera", "Patient": "two and a half kilos of plums"}
    (graph,) = expanded([RoleGraph.star(text, roles)])
    assert graph.text == text
    edges = {(edge.role, graph.nodes[edge.target].label) for edge in graph.edges}
    assert ("agent", "Vera") in edges
    assert all(text[a:b] for node in graph.nodes for a, b in node.spans)
    assert "two and a half" in [node.label for node in graph.nodes]
