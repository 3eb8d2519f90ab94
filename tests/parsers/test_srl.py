"""The shipped parser on the constructions of English, and on whatever else a user may type."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from toys import make_tree

import compsim
from compsim.errors import DataError, MissingExtraError
from compsim.graph import RoleGraph, Status
from compsim.parsers import load
from compsim.parsers.pipeline.reconciling import reconcile
from compsim.parsers.pipeline.tree import predicates
from compsim.parsers.roles.analysis import WEIGHTS, Analysis
from compsim.parsers.roles.consolidation import (
    MODIFIERS,
    VERBNET_TO_EIGHT,
    consolidate,
    from_propbank,
)
from compsim.parsers.roles.labeller import Argument, Frame
from compsim.parsers.roles.srl import SrlParser
from compsim.plain_text import PlainText
from compsim.roles import VERBNET
from compsim.weights.export_pipeline import restored


def roles(parser: SrlParser, sentence: str) -> dict[str, str]:
    graph = parser.parse([sentence])[0]
    assert graph.status is Status.OK, graph.reason
    return {role: node.label for role, node in graph.roles().items() if role in VERBNET.roles}


#: A dictionary of nouns and adjectives that has none.
NO_WORDS: dict[str, frozenset[str]] = {"noun": frozenset(), "adj": frozenset()}
# What must be there; further roles may be.
CONSTRUCTIONS = {
    "active": ("The dog chased the cat.", {"Verb": "chased", "Agent": "The dog"}, "the cat"),
    "bare plurals": ("Cats chase mice.", {"Verb": "chase", "Agent": "Cats"}, "mice"),
    "swapped": ("Mice chase cats.", {"Verb": "chase", "Agent": "Mice"}, "cats"),
    "passive": (
        "The letter was written by the queen.",
        {"Verb": "written", "Agent": "by the queen"},
        "The letter",
    ),
    "particle": ("She gave up smoking.", {"Verb": "gave up", "Agent": "She"}, "smoking"),
    "copula": ("The soup is cold.", {"Verb": "is", "Agent": "The soup"}, "cold"),
    "imperative": ("Close the door.", {"Verb": "Close"}, "the door"),
    "question": ("Did the teacher help you?", {"Verb": "help", "Agent": "the teacher"}, "you"),
    "negation": ("The boy did not eat the cake.", {"Verb": "eat", "Agent": "The boy"}, "the cake"),
    "auxiliaries": (
        "They should have been reading the book.",
        {"Verb": "reading", "Agent": "They"},
        "the book",
    ),
    "control": ("The girl wants to win.", {"Verb": "wants", "Agent": "The girl"}, "to win"),
}


@pytest.mark.parametrize("name", CONSTRUCTIONS)
def test_construction(parser: SrlParser, name: str) -> None:
    sentence, expected, undergoer = CONSTRUCTIONS[name]
    result = roles(parser, sentence)
    assert expected.items() <= result.items()
    assert undergoer in (result.get("Patient"), result.get("Theme"))


def test_ditransitive_has_two_undergoers(parser: SrlParser) -> None:
    result = roles(parser, "The nurse gave the child a toy.")
    assert {result.get("Patient"), result.get("Theme")} == {"the child", "a toy"}


def test_time_and_place(parser: SrlParser) -> None:
    result = roles(parser, "The children played football in the garden yesterday.")
    assert result["Time"] == "yesterday"
    assert "in the garden" in (result.get("Location"), result.get("Trajectory"))


@pytest.mark.parametrize(
    "text", ["A tram hit the pedestrian.", "The pedestrian was hit by a tram."]
)
def test_what_acts_is_the_agent_in_either_voice(parser: SrlParser, text: str) -> None:
    result = roles(parser, text)
    assert (result["Agent"].split()[-1], result["Patient"].lower()) == ("tram", "the pedestrian")


def test_where_something_is_carried_is_a_path(parser: SrlParser) -> None:
    result = roles(parser, "The porter carried the trunk to the attic.")
    assert result["Trajectory"] == "to the attic"


def test_coordination_gives_a_star_each(parser: SrlParser) -> None:
    graph = parser.parse(["The man opened the window and closed the door."])[0]
    stars = [{r: n.label for r, n in frame.phrases().items()} for frame in graph.frames()]
    assert [star["Verb"] for star in stars] == ["opened", "closed"]
    assert stars[1]["Agent"] == "The man"


def test_relative_clause_has_its_own_star(parser: SrlParser) -> None:
    graph = parser.parse(["The dog that bit the boy was very old."])[0]
    stars = {frame.predicate.label: frame.roles for frame in graph.frames()}
    assert graph.roles()["Verb"].label == "was"
    assert stars["bit"]["Agent"].label == "The dog"


def test_complement_clause_is_an_argument(parser: SrlParser) -> None:
    graph = parser.parse(["The doctor said that the patient needed rest."])[0]
    assert graph.roles()["Verb"].label == "said"
    labels = [node.label for node in graph.roles().values()]
    assert any("the patient needed rest" in label for label in labels)
    assert "needed" in [frame.predicate.label for frame in graph.frames()]


def test_propbank_layer_is_kept(parser: SrlParser) -> None:
    graph = parser.parse(["The nurse gave the child a toy yesterday."])[0]
    assert graph.roles()["Verb"].sense == "give.01"
    labels = {edge.role: edge.propbank for edge in graph.edges if edge.source == graph.root}
    assert labels["Agent"] == "ARG0"
    assert labels["Time"] == "ARGM-TMP"


def test_negation_is_kept_outside_the_eight(parser: SrlParser) -> None:
    graph = parser.parse(["The boy did not eat the cake."])[0]
    assert "ARGM-NEG" in {edge.role for edge in graph.edges}


def test_same_result_alone_and_in_a_batch(parser: SrlParser) -> None:
    sentences = [sentence for sentence, _, _ in CONSTRUCTIONS.values()]
    assert parser.parse(sentences) == [parser.parse([sentence])[0] for sentence in sentences]


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "🐈🐈", "!!!", "\x00\x07", "猫が鼠を追う"])
def test_text_without_a_predicate_fails_softly(parser: SrlParser, text: str) -> None:
    graph = parser.parse([text, "Cats chase mice."])
    assert graph[0].status is Status.FAILED
    assert graph[0].reason
    assert graph[1].status is Status.OK


def test_lone_surrogate(parser: SrlParser) -> None:
    graph = parser.parse(["Cats chase \ud83d mice."])[0]
    assert graph.roles()["Verb"].label == "chase"


def test_long_text_is_cut_and_says_so(parser: SrlParser) -> None:
    text = "The dog chased the cat. " * 4500
    graph = parser.parse([text])[0]
    assert graph.status is Status.PARTIAL
    assert f"of {len(text.rstrip()):,} characters were parsed" in graph.reason
    assert graph.text == text


@given(st.lists(st.text(max_size=60), max_size=4))
def test_anything_gives_one_graph_each(parser: SrlParser, texts: list[str]) -> None:
    graphs = parser.parse(texts)
    assert len(graphs) == len(texts)
    for graph in graphs:
        assert isinstance(graph, RoleGraph)
        for node in graph.nodes:
            assert node.span is not None
            pieces = node.parts or (node.span,)
            said = " ".join(graph.text[start:end] for start, end in pieces)
            # Labels are the words as they are parsed: without soft hyphens and the like.
            assert node.label == PlainText.typed(said).text or node.label == said


def test_missing_pipeline_names_the_command() -> None:
    with pytest.raises(MissingExtraError, match="spacy download en_core_web_nope"):
        load("srl:en_core_web_nope").parse(["Cats sleep."])


def test_missing_pipeline_is_told_through_the_cache_too() -> None:
    with pytest.raises(MissingExtraError, match="spacy download en_core_web_nope"):
        compsim.similarity(
            "Cats sleep.", "Dogs sleep.", vectors="builtin", parser="srl:en_core_web_nope"
        )


def test_pipeline_without_parser(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "bare")
    with pytest.raises(DataError, match="no dependency parser"):
        SrlParser(tmp_path / "bare").parse(["Cats sleep."])


def test_any_pipeline_with_clearnlp_labels(parser: SrlParser, tmp_path: Path) -> None:
    restored(WEIGHTS / "pipeline").to_disk(tmp_path / "own_pipeline")
    own = load("srl", pipeline=str(tmp_path / "own_pipeline"))
    assert own.parse(["Cats chase mice."]) == parser.parse(["Cats chase mice."])
    assert own.version != parser.version


def test_version_needs_no_model() -> None:
    parser = SrlParser(WEIGHTS / "pipeline")  # shares no pipeline with those of other tests
    assert parser.version
    assert "_trees_of" not in vars(parser)
    assert "_labeller" not in vars(parser)


def test_shipped_pipeline_is_small_and_pickle_free() -> None:
    for name in ("pipeline", "roles"):
        files = [path for path in (WEIGHTS / name).rglob("*") if path.is_file()]
        assert sum(path.stat().st_size for path in files) <= 15_000_000
    about = json.loads((WEIGHTS / "roles" / "about.json").read_text(encoding="utf8"))
    assert about["labels"][0] == "NONE"


def test_every_consolidated_role_is_one_of_the_eight() -> None:
    assert {*VERBNET_TO_EIGHT.values(), *MODIFIERS.values()} <= set(VERBNET.roles) - {"Verb"}
    assert consolidate("initial_location") == "Trajectory"
    assert consolidate("co-agent") == "Theme"
    assert consolidate("nonsense") is None


@pytest.mark.parametrize(
    ("label", "verbnet", "function", "role"),
    [
        ("ARG0", "stimulus", "subject", "Agent"),
        ("ARG1", "patient", "subject", "Agent"),
        ("ARG1", "theme", "subject", "Agent"),
        ("ARG1", "theme", "object", "Patient"),
        ("ARG1", "location", "object", "Patient"),
        ("ARG2", "extent", "object", "Patient"),
        ("ARG1", "location", "", "Location"),
        ("ARG2", "recipient", "", "Patient"),
        ("ARG2", "destination", "", "Trajectory"),
        ("ARG1", None, "object", "Patient"),
        ("ARG2", None, "", "Theme"),
        ("ARG4", "result", "", "Trajectory"),
        ("ARG4", "beneficiary", "", "Patient"),
        ("ARGM-TMP", None, "", "Time"),
        ("ARGM-DIR", "Location", "", "Location"),
        ("ARGM-NEG", None, "", None),
        ("R-ARG0", None, "", None),
    ],
)
def test_from_propbank(label: str, verbnet: str | None, function: str, role: str | None) -> None:
    assert from_propbank(label, verbnet, function) == role


def test_a_participle_with_an_agent_is_no_adjective() -> None:
    tags, heads = "NN VBZ VBG JJ IN NNS", [2, 2, 2, 2, 2, 4]
    tree = make_tree("Bread is being eaten by cats", tags, heads, "nsubj aux ROOT acomp prep pobj")
    reconcile(tree, {"eat"}, {"eaten": ["eat"]}, NO_WORDS)
    assert tree.deps == ["nsubjpass", "aux", "auxpass", "ROOT", "agent", "pobj"]
    assert predicates(tree) == [3]
    assert tree.lemmas[3] == "eat"


@pytest.mark.parametrize(
    ("words", "tags", "heads", "deps"),
    [
        ("Turn left here", "VB VBD RB", [1, 1, 1], "nsubj ROOT advmod"),
        ("Turn left here", "VB VBN RB", [0, 0, 1], "ROOT xcomp advmod"),
    ],
)
def test_left_behind_a_verb_of_motion_is_a_direction(
    words: str, tags: str, heads: list[int], deps: str
) -> None:
    tree = make_tree(words, tags, heads, deps)
    reconcile(tree, {"turn", "leave"}, {"left": ["leave"]}, NO_WORDS)
    assert (tree.deps[:2], tree.tags[:2], tree.lemmas[:2]) == (
        ["ROOT", "advmod"],
        ["VB", "RB"],
        ["turn", "left"],
    )
    assert predicates(tree) == [0]


def test_a_noun_in_ing_beside_a_verb_is_one() -> None:
    tags, heads = "PRP VBZ VBG CC NN", [2, 2, 2, 2, 2]
    tree = make_tree("She is eating and singing", tags, heads, "nsubj aux ROOT cc conj")
    assert predicates(tree) == [2]
    reconcile(tree, {"eat", "sing"}, {}, NO_WORDS)
    assert predicates(tree) == [2, 4]


def test_a_noun_in_ing_is_joined_with_the_verb_before_it() -> None:
    tags, heads = "PRP VBZ VBG DT NN CC NN", [2, 2, 2, 4, 2, 4, 4]
    words = "She is beating a drum and singing"
    tree = make_tree(words, tags, heads, "nsubj aux ROOT det dobj cc conj")
    reconcile(tree, {"beat", "sing"}, {}, NO_WORDS)
    assert predicates(tree) == [2, 6]
    assert tree.heads[5:] == [2, 2]


def test_bare_nouns_in_ing_are_joined() -> None:
    tags, heads = "PRP VBZ VBG NN CC NN", [2, 2, 2, 2, 3, 3]
    tree = make_tree(
        "She is teaching music and dancing", tags, heads, "nsubj aux ROOT dobj cc conj"
    )
    reconcile(tree, {"teach", "dance"}, {}, NO_WORDS)
    assert predicates(tree) == [2]


@pytest.mark.parametrize(
    ("words", "tags", "deps", "results"),
    [
        ("They made her cry", "PRP VBD PRP NN", "nsubj ROOT nsubj ccomp", [1, 3]),
        ("They made her captain", "PRP VBD PRP NN", "nsubj ROOT nsubj ccomp", [1]),
        ("They thought her fool", "PRP VBD PRP NN", "nsubj ROOT nsubj ccomp", [1]),
        ("They made her close it", "PRP VBD PRP JJ PRP", "nsubj ROOT nsubj ccomp dobj", [1, 3]),
        ("They made her clear", "PRP VBD PRP JJ", "nsubj ROOT nsubj ccomp", [1]),
    ],
)
def test_a_bare_infinitive_after_make_is_a_verb(
    words: str, tags: str, deps: str, results: list[int]
) -> None:
    heads = [1, 1, 3, 1, 3][: len(words.split())]
    tree = make_tree(words, tags, heads, deps)
    tree.lemmas[1] = {"made": "make", "thought": "think"}[words.split()[1]]
    reconcile(tree, {"make", "think", "cry", "fool", "close", "clear"}, {}, NO_WORDS)
    assert predicates(tree) == results


def test_a_particle_is_no_phrase() -> None:
    tree = make_tree("they pulled over", "PRP VBD RP", [1, 1, 1], "nsubj ROOT prt")
    arguments = (Argument(0, "ARG0", "nsubj"), Argument(2, "ARG2", "prt"))
    graph = SrlParser().graph(Analysis(tree, [Frame(1, "pull_over.05", arguments, False)]))
    assert {role: node.label for role, node in graph.roles().items()} == {
        "Verb": "pulled over",
        "Agent": "they",
    }


@pytest.mark.parametrize(
    ("sense", "preposition", "label", "role"),
    [
        ("aim.02", "on", "ARG2", "Trajectory"),  # PropBank's tag: a goal
        ("aim.02", "at", "ARG2", "Patient"),
        ("boost.01", "at", "ARG4", "Trajectory"),
        ("blorp.01", "on", "ARG2", "Theme"),
    ],
)
def test_a_goal_without_a_link_is_somebody_or_a_place(
    sense: str, preposition: str, label: str, role: str
) -> None:
    text = f"it {sense[:-3]}s {preposition} ink"
    tree = make_tree(text, "PRP VBZ IN NN", [1, 1, 1, 2], "nsubj ROOT prep pobj")
    arguments = (Argument(0, "ARG0", "nsubj"), Argument(2, label, "prep"))
    frame = Frame(1, sense, arguments, False)
    roles = SrlParser().graph(Analysis(tree, [frame])).roles()
    assert roles[role].label == f"{preposition} ink"


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("The porter walked to the ferry.", "Trajectory"),
        ("The porter walked down the pier.", "Trajectory"),
        ("The porter walked in the fog.", "Location"),
        ("A tenor is singing on the balcony.", "Location"),
        ("The lamp is lying on the carpet.", "Location"),
        ("The tailor put the mirror in the hall.", "Trajectory"),
    ],
)
def test_a_preposition_has_the_role_of_its_verbs_frames(
    parser: SrlParser, text: str, role: str
) -> None:
    phrase = " ".join(text.rstrip(".").split()[-3:])
    assert roles(parser, text)[role].endswith(phrase)


def test_a_subject_that_changes_is_a_patient(parser: SrlParser) -> None:
    for sentence in ("The candle melted.", "The candle that melted was red."):
        frames = parser.parse([sentence])[0].frames()
        results = [
            role
            for frame in frames
            if frame.predicate.label == "melted"
            for role, node in frame.roles.items()
            if "candle" in node.label
        ]
        assert results[0] == "Patient"
    assert "Patient" not in roles(parser, "The nurse sneezed.")


@pytest.mark.parametrize(
    ("tags", "dep", "subject"),
    [
        ("DT NN VBZ DT NN", "dobj", True),
        ("DT NN VBD DT NN", "dobj", True),
        # A verb of another number, a noun, and nothing that only a verb has.
        ("DT NN VBP DT NN", "dobj", False),
        ("DT NN NNS DT NN", "dobj", False),
        ("DT NN VBZ DT NN", "appos", False),
    ],
)
def test_a_noun_that_is_part_of_a_verb_is_its_subject(tags: str, dep: str, subject: bool) -> None:
    tree = make_tree(
        "The tapir delights the ferret", tags, [2, 2, 2, 4, 2], f"det compound ROOT det {dep}"
    )
    tree.lemmas[2] = "delight"
    reconcile(tree, {"delight"}, {}, NO_WORDS)
    assert (tree.deps[1], tree.heads[0]) == (("nsubj", 1) if subject else ("compound", 2))


@pytest.mark.parametrize(
    ("word", "tag"), [("louder", "JJR"), ("cooler", "NN"), ("sober", "NN"), ("Louder", "NN")]
)
def test_a_word_that_no_dictionary_has_is_a_comparative(word: str, tag: str) -> None:
    """A cooler is a noun, sober an adjective already, and names are as they are."""
    words = {"noun": frozenset(("cooler",)), "adj": frozenset(("loud", "cool", "sober"))}
    tree = make_tree(f"The drum is {word}", "DT NN VBZ NN", [1, 2, 2, 2], "det nsubj ROOT acomp")
    tree.lemmas[3] = word.lower()
    reconcile(tree, {"drum"}, {}, words)
    assert tree.tags[3] == tag
    assert (tree.lemmas[3] == "loud") == (tag == "JJR")
