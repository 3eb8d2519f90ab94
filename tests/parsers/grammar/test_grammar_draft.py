"""Drafts: edges, features and concepts that rules write, and the actions in Python."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toys import make_tree

from compsim.parsers.grammar.actions import corefer, measure, strip
from compsim.parsers.grammar.draft import Draft
from compsim.parsers.grammar.lexicon import Entry, Lexicon

LEXICON = Lexicon(
    [
        Entry("under", "ADP", "preposition", {"relation": "above", "inverse": "yes"}),
        Entry("on", "ADP", "preposition", {"relation": "on"}),
        Entry("in front of", "ADP", "preposition", {"relation": "behind", "inverse": "yes"}),
    ]
)
#: 0 cups, 1 stand, 2 on, 3 shelves, 4 under, 5 lamps.
TREE = make_tree(
    "cups stand on shelves under lamps",
    "NNS VBP IN NNS IN NNS",
    [1, 1, 1, 2, 3, 4],
    "nsubj ROOT prep pobj prep pobj",
)


@pytest.fixture
def draft() -> Draft:
    return Draft(TREE, LEXICON)


def test_an_edge_keeps_its_highest_confidence(draft: Draft) -> None:
    for confidence in (0.5, 0.8, 0.3):
        draft.add(1, "agent", 0, confidence)
    draft.add(1, "agent", 1)
    assert list(draft.edges()) == [(1, "agent", 0, 0.8)]
    assert draft.sources(0, ["agent"]) == [1]
    assert draft.holders(["agent", "patient"]) == [1]


def test_removing_an_edge_that_is_not_there(draft: Draft) -> None:
    draft.add(1, "agent", 0)
    draft.remove(1, "patient", 0)
    draft.remove(1, "agent", 3)
    assert len(list(draft.edges())) == 1
    draft.remove(1, "agent", 0)
    assert draft.targets(1, ["agent"]) == draft.sources(0, ["agent"]) == []


def test_edges_are_redirected_both_ways(draft: Draft) -> None:
    draft.add(1, "agent", 0, 0.5)
    draft.add(0, "attribute", 5)
    draft.add(3, "on", 0)
    draft.add(0, "on", 3)
    draft.redirect(0, 3)
    # An edge between the two has no place any more.
    assert list(draft.edges()) == [(1, "agent", 3, 0.5), (3, "attribute", 5, 1.0)]


tokens = st.integers(0, len(TREE) - 1)
steps = st.tuples(
    st.sampled_from(["add", "remove", "redirect"]),
    tokens,
    st.sampled_from(["x", "y"]),
    tokens,
    st.sampled_from([0.25, 0.5, 1.0]),
)


@given(st.lists(steps, max_size=12))
def test_edges_are_as_in_a_plain_dictionary(listed: list[tuple[str, int, str, int, float]]) -> None:
    draft, plain = Draft(TREE, LEXICON), dict[tuple[int, str, int], float]()
    for kind, source, role, target, confidence in listed:
        if kind == "add":
            draft.add(source, role, target, confidence)
            if source != target:
                key = source, role, target
                plain[key] = max(confidence, plain.get(key, 0.0))
        elif kind == "remove":
            draft.remove(source, role, target)
            plain.pop((source, role, target), None)
        elif source != target:
            draft.redirect(source, target)
            moved = dict[tuple[int, str, int], float]()
            for (a, name, b), sure in plain.items():
                key = (target if a == source else a, name, target if b == source else b)
                if key[0] != key[2]:
                    moved[key] = max(sure, moved.get(key, 0.0))
            plain = moved
    assert {edge[:3]: edge[3] for edge in draft.edges()} == plain
    for (source, role, target), _ in plain.items():
        assert target in draft.targets(source, [role])
        assert source in draft.sources(target, [role])
        assert source in draft.holders([role])


def test_prepositions_name_relations_in_one_direction(draft: Draft) -> None:
    draft.relate(0, 2, 3)
    draft.relate(3, 4, 5, 0.5)
    assert list(draft.edges()) == [(0, "on", 3, 1.0), (5, "above", 3, 0.5)]
    assert draft.relation(0) == ("cups", False)  # no preposition: its word
    draft.set_feature(2, "phrase", "in front of")
    assert draft.relation(2) == ("behind", True)
    draft.phrase(2, 2, 3)
    assert (draft.features[2]["phrase"], draft.relation(2)) == ("on shelves", ("on", False))


def test_merging_takes_tokens_and_lemma(draft: Draft) -> None:
    draft.keep(1)
    draft.keep(2)
    draft.merge(1, 2)
    draft.merge(1, 2)
    assert (draft.concepts, draft.lemmas[1]) == ({1: [1, 2]}, "stand_on")
    draft.merge(0, 3)  # which is no concept
    assert (draft.concepts, draft.lemmas[0]) == ({1: [1, 2]}, "cups")
    draft.keep(1)
    assert draft.concepts == {1: [1, 2]}


def test_tokens_below_by_some_labels(draft: Draft) -> None:
    assert draft.closure(1, frozenset(["prep", "pobj"])) == [1, 2, 3, 4, 5]
    assert draft.closure(1, frozenset(["prep"])) == [1, 2]
    assert draft.closure(0, frozenset(["prep"])) == [0]


def test_heads_are_listed_before_their_dependents(draft: Draft) -> None:
    assert draft.by_dep["pobj"] == [3, 5]
    assert draft.by_pos["VERB"] == [1]


def test_a_measure_gives_way_to_what_it_measures(draft: Draft) -> None:
    for source, role, target in ((0, "of", 5), (1, "agent", 0), (0, "attribute", 3)):
        draft.add(source, role, target)
    measure(draft, 0, 5)
    assert [edge[:3] for edge in draft.edges()] == [
        (1, "agent", 5),
        (5, "attribute", 3),
        (5, "quantity", 0),
    ]


def test_arguments_are_stripped_from_a_verb(draft: Draft) -> None:
    for role in ("agent", "patient", "time"):
        draft.add(1, role, 0)
    strip(draft, 1, 0)
    assert [edge[:3] for edge in draft.edges()] == [(1, "time", 0)]


def coreference(sentence: str, noun: bool = True) -> Draft:
    from compsim.parsers.grammar.parser import ConceptParser

    (analysis,) = ConceptParser().analyse([sentence])
    draft = Draft(analysis.tree, LEXICON)
    pronoun = max(i for i, pos in enumerate(analysis.tree.pos) if pos == "PRON")
    for i, pos in enumerate(analysis.tree.pos):
        if pos != "NOUN" or noun:
            draft.keep(i)
    draft.add(0, "patient", pronoun)
    corefer(draft, pronoun)
    return draft


def test_a_pronoun_gives_way_to_its_noun() -> None:
    draft = coreference("The waiter dropped the tray and the guests picked it up.")
    (edge,) = draft.edges()
    pronoun = draft.words.index("it")
    assert draft.words[edge[2]] == "tray"
    assert pronoun not in draft.concepts
    assert draft.features[pronoun] == {"antecedent": "yes"}


@pytest.mark.parametrize("sentence", ["The waiter dropped it.", "The waiter saw a tray, and it rained."])
def test_a_pronoun_without_a_noun_stays(sentence: str) -> None:
    draft = coreference(sentence)
    (edge,) = draft.edges()
    assert draft.words[edge[2]] == "it"
    assert draft.words.index("it") in draft.concepts


def test_a_pronoun_whose_noun_is_no_concept_stays() -> None:
    draft = coreference("The waiter dropped the tray and the guests picked it up.", noun=False)
    assert draft.words.index("it") in draft.concepts
