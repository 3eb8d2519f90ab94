"""Rules as functions: each kind of step, condition and action, on trees made by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from toys import make_tree

from compsim.parsers.grammar.compilation import compile_rules
from compsim.parsers.grammar.draft import Draft
from compsim.parsers.grammar.lexicon import Entry, Lexicon
from compsim.parsers.grammar.pattern import parse
from compsim.parsers.grammar.rules import Action, Rule
from compsim.parsers.grammar.trace import TracedDraft

#: "cooks and maids often gave the old dog bones": 0 cooks, 2 maids, 4 gave, 7 dog, 8 bones.
WORDS = "cooks and maids often gave the old dog bones"
TREE = make_tree(
    WORDS,
    "NNS CC NNS RB VBD DT JJ NN NNS",
    [4, 0, 0, 4, 4, 7, 7, 4, 4],
    "nsubj cc conj advmod ROOT det amod dative dobj",
)
TREE.pos[1], TREE.pos[3], TREE.pos[5], TREE.pos[6] = "CCONJ", "ADV", "DET", "ADJ"
LEXICON = Lexicon(
    [
        Entry("dog", "NOUN", "animal", {}),
        Entry("cooks", "NOUN", "person", {}),
        Entry("maids", "NOUN", "person", {}),
        Entry("old", "ADJ", "preposition", {"relation": "after", "inverse": "yes"}),
    ]
)


def rule(match: str, *actions: str) -> Rule:
    listed = tuple(Action(text.split()[0], tuple(text.split()[1:])) for text in actions)
    return Rule("rule", "grammar", parse(match), listed, (), (), "group", "here")


def apply(*rules: Rule, edges: Sequence[tuple[int, str, int]] = ()) -> Draft:
    draft = Draft(TREE, LEXICON)
    for source, role, target in edges:
        draft.add(source, role, target)
    for build, _ in compile_rules(rules, LEXICON):
        build()(draft)
    return draft


def matches(match: str, *names: str, edges: Sequence[tuple[int, str, int]] = ()) -> list[str]:
    """The words that names have in each match, as "a b", in the order of the matches."""
    draft = TracedDraft(TREE, LEXICON)
    for edge in edges:
        draft.add(*edge)
    ((build, _),) = compile_rules([rule(match)], LEXICON, trace=True)
    build()(draft)
    words = [[result.tokens[name] for name in names] for result in draft.matches]
    return [" ".join("-" if i is None else draft.words[i] for i in row) for row in words]


@pytest.mark.parametrize(
    ("match", "result"),
    [
        ("a -nsubj-> b", ["gave cooks"]),
        ("a -nsubj|dobj-> b", ["gave bones", "gave cooks"]),
        ("a -ROOT-> b", []),  # a root is its own head, and no dependent
        ("a -absent-> b", []),
        ("a -nsubj-> b[pos=NOUN]", ["gave cooks"]),
        ("a -nsubj-> b[pos!=NOUN]", []),
        ("a[tag=VBD] -nsubj-> b", ["gave cooks"]),
        ("a[tag=VB|VBZ] -nsubj-> b", []),
        (
            "a -nsubj|dative|conj-> b[class=person|animal]",
            ["cooks maids", "gave dog", "gave cooks"],
        ),
        ("a -nsubj|dative-> b[class!=person]", ["gave dog"]),
        ("a -nsubj|dobj-> b[lemma=bones]", ["gave bones"]),
        ("a -nsubj|dobj-> b[word!=bones]", ["gave cooks"]),
        ("a -nsubj|dobj-> b[dep=dobj]", ["gave bones"]),
        ("a -nsubj-> b; a < b", []),
        ("a -nsubj-> b; b < a", ["gave cooks"]),
        ("a -nsubj-> b; not a < b", ["gave cooks"]),
        ("a -nsubj-> b; not b < a", []),
        ("a -nsubj-> c; c -conj*-> b", ["gave cooks", "gave maids"]),
        ("a -nsubj-> c; c -conj|cc*-> b[pos!=NOUN]", ["gave and"]),
        ("a -nsubj-> b; a -dative-> c; c -amod-> d", ["gave cooks"]),
        ("a -amod-> c; b -dative-> a", ["dog gave"]),
        ("a -amod-> c; b -dobj-> a", []),
        ("a -nsubj-> b; not a -neg-> n", ["gave cooks"]),
        ("a -nsubj-> b; not a -dobj-> n", []),
        ("a -nsubj-> b; not a -dobj-> n[lemma=dog]", ["gave cooks"]),
        ("a -nsubj-> b; not a[tag=VBD] -dobj-> n", []),
        ("a -nsubj-> b; not a[tag=VBZ] -dobj-> n", ["gave cooks"]),
        ("a -nsubj|dobj-> b; not a -dobj-> b", ["gave cooks"]),
        ("a -nsubj|dobj-> b; not a -dobj-> b[lemma=cooks]", ["gave bones", "gave cooks"]),
        ("a -nsubj|dobj-> b; not b -conj*-> n[lemma=maids]", ["gave bones"]),
        ("a -nsubj|dobj-> b; not n -dative-> b", ["gave bones", "gave cooks"]),
        ("b -amod-> a; not n[lemma=gave] -dative-> b", []),
        ("b -amod-> a; not n[lemma=took] -dative-> b", ["old dog"]),
        ("a -nsubj|dobj-> b; not b[lemma=bones]", ["gave cooks"]),
        ("a -nsubj|dobj-> b; not b", []),
        ("a -nsubj|dobj-> b; b[lemma=bones]", ["gave bones"]),
        ("a -nsubj-> c; a -nsubj|dobj|dative-> b; c -conj-> d; b -amod-> e", ["gave dog"]),
    ],
)
def test_steps_of_dependencies(match: str, result: list[str]) -> None:
    assert matches(match, "a", "b") == result


@pytest.mark.parametrize(
    ("match", "result"),
    [
        ("a[pos=NOUN]", ["cooks", "maids", "dog", "bones"]),
        ("a[pos=ADV|ADJ]", ["often", "old"]),
        ("a[dep=det|cc]", ["and", "the"]),
        ("a[class=person]", ["cooks", "maids"]),
        ("a[pos=NOUN,class!=person]", ["dog", "bones"]),
        ("a[pos=NOUN,class=person,word=maids]", ["maids"]),
        ("a[pos!=NOUN|VERB|DET|CCONJ]", ["often", "old"]),
    ],
)
def test_a_single_token(match: str, result: list[str]) -> None:
    assert sorted(matches(match, "a"), key=WORDS.split().index) == result


EDGES = [(4, "agent", 0), (4, "agent", 2), (4, "patient", 8), (7, "attribute", 6)]


@pytest.mark.parametrize(
    ("match", "result"),
    [
        ("a =agent=> b", ["gave cooks", "gave maids"]),
        ("a =patient|attribute=> b", ["gave bones", "dog old"]),
        ("a =absent=> b", []),
        ("a[lemma=dog] =attribute|agent=> b", ["dog old"]),
        ("a =agent=> b[lemma=maids]", ["gave maids"]),
        ("a =agent=> b; not a =patient=> n", []),
        ("a =agent=> b; not a =recipient=> n", ["gave cooks", "gave maids"]),
        ("a =agent=> b; not a =patient=> n[class=person]", ["gave cooks", "gave maids"]),
        ("a =agent=> b; b -conj-> c", ["gave cooks"]),
        ("a -nsubj-> b; a =agent=> b", ["gave cooks"]),
        ("a -dobj-> b; a =agent=> b", []),
        ("a -dobj-> b; not a =agent=> b", ["gave bones"]),
        ("c -conj-> b; a =agent=> b", ["gave maids"]),
        ("c -conj-> b; not a =agent=> b; a -nsubj-> c", []),
        ("a =agent=> c; a =patient=> b; c -conj-> d", ["gave bones"]),
    ],
)
def test_steps_of_edges(match: str, result: list[str]) -> None:
    assert matches(match, "a", "b", edges=EDGES) == result


@pytest.mark.parametrize(
    ("match", "result"),
    [
        ("a -nsubj|dative-> b; maybe b -amod-> c", ["dog old", "cooks -"]),
        ("a -nsubj-> b; maybe b -conj|cc-> c", ["cooks and", "cooks maids"]),
        ("a -nsubj-> b; maybe b -conj|cc-> c[pos=NOUN]", ["cooks maids"]),
        ("a -nsubj-> b; maybe b[lemma=dog] -conj-> c", ["cooks -"]),
        ("a -conj-> b; maybe c -nsubj-> a", ["maids gave"]),
        ("a -dobj-> b; maybe c -nsubj-> a", ["bones -"]),
        ("a -dobj-> b; maybe a =agent=> c", ["bones cooks", "bones maids"]),
        ("a -dobj-> b; maybe b =agent=> c; not b -det-> d", ["bones -"]),
    ],
)
def test_steps_that_may_be_missing(match: str, result: list[str]) -> None:
    assert matches(match, "b", "c", edges=EDGES) == result


def test_conditions_on_features_of_earlier_rules() -> None:
    first = rule("a -nsubj-> b", "set a person third")
    assert apply(first, rule("a[person=third] -dobj-> b", "keep a")).concepts == {4: [4]}
    assert apply(first, rule("a[person=first] -dobj-> b", "keep a")).concepts == {}
    assert apply(first, rule("a[person!=first] -dobj-> b[person!=third]", "keep b")).concepts
    assert apply(first, rule("a -dobj-> b; not a[person=third]", "keep a")).concepts == {}


def test_names_that_are_words_of_python_or_of_the_compiler() -> None:
    match = "while -nsubj-> draft; while -dobj-> heads; draft -conj*-> in; not heads -conj-> c0"
    draft = apply(rule(match, "add while class in", "keep heads"))
    assert [edge[:3] for edge in draft.edges()] == [(4, "class", 0), (4, "class", 2)]


def test_text_in_a_rule_is_never_code() -> None:
    match = "a -nsubj-> b[lemma!='+print(1)+']; not a[x=\\'] -dobj-> c"
    draft = apply(rule(match, "set a it's \"quoted\\'", "rename b \\'or", "add a ro'le b"))
    assert draft.features[4] == {"it's": "\"quoted\\'"}
    assert draft.lemmas[0] == "\\'or"
    assert list(draft.edges()) == [(4, "ro'le", 0, 1.0)]


def test_actions_on_edges() -> None:
    nouns = "a -nsubj-> b; a -dative-> d; d -amod-> e"
    assert list(apply(rule(nouns, "add a agent b")).edges()) == [(4, "agent", 0, 1.0)]
    assert list(apply(rule(nouns, "add a agent b .25")).edges()) == [(4, "agent", 0, 0.25)]
    # "old" is a preposition here whose relation is the inverse of "after".
    assert list(apply(rule(nouns, "add a @e b .5")).edges()) == [(0, "after", 4, 0.5)]
    assert list(apply(rule(nouns, "remove a agent b"), edges=EDGES[:2]).edges()) == [
        (4, "agent", 2, 1.0)
    ]


def test_actions_on_concepts_and_features() -> None:
    draft = apply(
        rule("a -nsubj-> b; a -advmod-> c", "keep a", "keep b", "merge a c", "drop b"),
        rule(
            "a -det-> b; a -amod-> c", "set a colour @c", "set b x y", "phrase c c b", "rename b z"
        ),
    )
    assert draft.concepts == {4: [4, 3]}
    assert draft.lemmas[4] == "often_gave"
    assert draft.features[7] == {"colour": "old"}
    assert draft.features[5] == {"x": "y"}
    assert draft.features[6] == {"phrase": "old the"}
    assert (draft.lemmas[5], draft.words[5]) == ("z", "the")


def test_an_action_on_a_token_that_is_missing_is_left_out() -> None:
    match = "a -nsubj|dative-> b; maybe b -amod-> c"
    draft = apply(rule(match, "keep b", "add b attribute c", "merge b c", "keep a"))
    assert draft.concepts == {4: [4], 0: [0], 7: [7, 6]}
    assert [edge[:3] for edge in draft.edges()] == [(7, "attribute", 6)]


def test_an_action_in_python() -> None:
    edges = [(8, "of", 7), (4, "patient", 8), (8, "attribute", 6)]
    draft = apply(rule("a -dobj-> b; a -dative-> c", "call measure b c"), edges=edges)
    assert [edge[:3] for edge in draft.edges()] == [
        (4, "patient", 7),
        (7, "attribute", 6),
        (7, "quantity", 8),
    ]


def test_a_rule_may_change_what_it_looks_at() -> None:
    draft = apply(rule("a =agent=> b", "remove a agent b", "add b agent a"), edges=EDGES[:2])
    assert [edge[:3] for edge in draft.edges()] == [(0, "agent", 4), (2, "agent", 4)]


def test_rules_run_in_their_order_and_the_tree_stays() -> None:
    before = repr(TREE)
    add, remove = rule("a -nsubj-> b", "add a x b"), rule("a =x=> b", "remove a x b")
    assert list(apply(add, remove).edges()) == []
    assert len(list(apply(remove, add).edges())) == 1
    assert repr(TREE) == before


def test_an_empty_tree() -> None:
    tree = make_tree("", "", [], "")
    draft = Draft(tree, LEXICON)
    for build, _ in compile_rules([rule("a[pos=NOUN]", "keep a"), rule("a[tag!=X]")], LEXICON):
        build()(draft)
    assert draft.concepts == {}


def test_a_trace_has_each_match_and_its_changes() -> None:
    draft = TracedDraft(TREE, LEXICON)
    draft.add(4, "agent", 0)  # as the labeller does, before the first rule
    rules = [
        rule("a -nsubj-> b", "add a agent b", "add a subject b", "keep a", "keep a"),
        rule("a =agent=> b", "remove a agent b", "remove a agent b", "drop a", "set a x y"),
        rule("a[x=y]", "set a x z", "rename a give", "rename a give", "set a x z"),
    ]
    for build, _ in compile_rules(rules, LEXICON, trace=True):
        build()(draft)
    assert [[str(change) for change in match.changes] for match in draft.matches] == [
        ["gave -subject-> cooks", "gave is a concept"],
        ["no longer gave -agent-> cooks", "no longer gave is a concept", "gave is x=y"],
        [
            "no longer gave is x=y",
            "gave is x=z",
            "no longer gave has the lemma gave",
            "gave has the lemma give",
        ],
    ]
    assert [match.tokens for match in draft.matches] == [
        {"a": 4, "b": 0},
        {"a": 4, "b": 0},
        {"a": 4},
    ]
