"""The recipe of the table of lexical relations, on a language of a few words."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive.relations import naive_sisters

from compsim.errors import DataError
from compsim.vectors.relations import Kind, Relations
from compsim.weights.build_relations import (
    build,
    closed_classes,
    lemmas_of,
    links,
    unlisted_words,
    upward,
    vocabulary,
)
from compsim.weights.lexicons import lexical_pairs, paraphrases
from compsim.weights.lexicons.antonyms import ANTONYMS
from compsim.weights.lexicons.inflection import Tables
from compsim.weights.lexicons.judged import read_judged
from compsim.weights.lexicons.lexical_pairs import Sources
from compsim.weights.lexicons.sisters import sisters
from compsim.weights.lexicons.taxonomy import Taxonomy

# Directions of the made-up vectors: animals, tools, size, talk.
VECTORS = {
    "animal": (1, 0, 0, 0),
    "pet": (1, 0.2, 0, 0),
    "companion_animal": (1, 0.2, 0.1, 0),
    "dog": (1, 0.5, 0, 0),
    "hound": (1, 0.55, 0, 0),
    "cat": (1, 0.4, 0.1, 0),
    "poodle": (1, 0.6, 0, 0),
    "gossip": (0, 0, 0, 1),
    "chat": (0, 0, 0.1, 1),
    "tool": (0, 1, 0, 0),
    "hammer": (0.1, 1, 0, 0),
    "big": (0, 0, 1, 0.1),
    "huge": (0, 0, 1, 0.2),
    "small": (0, 0, 1, -0.3),
    "tiny": (0, 0, 1, -0.4),
    "bigness": (0, 0.1, 1, 0.1),
    "seven": (-0.2, -1, 0.1, 0),
    "eight": (-0.2, -1, 0.1, 0.1),
}
LINKS = {
    "hypernym": {
        ("pet", "animal"),
        ("companion_animal", "animal"),
        ("dog", "pet"),
        ("dog", "companion_animal"),
        ("cat", "pet"),
        ("cat", "companion_animal"),
        ("cat", "gossip"),
        ("chat", "gossip"),
        ("poodle", "dog"),
        ("hammer", "tool"),
    },
    "synonym": {("companion_animal", "pet"), ("hound", "dog"), ("chat", "poodle")},
    "similar": {("huge", "big"), ("tiny", "small")},
    "antonym": {("big", "small")},
    "derivation": {("bigness", "big")},
}
UNIT = {word: np.array(v) / np.linalg.norm(v) for word, v in VECTORS.items()}


def cosine(pair: tuple[str, str]) -> float:
    return float(UNIT[pair[0]] @ UNIT[pair[1]])


@pytest.fixture(scope="module")
def table() -> Relations:
    sources = Sources(LINKS, closed=[{"seven", "eight", "nine"}], cosine=cosine)
    words = sorted(set(VECTORS) - {"companion_animal"})
    return build(words, sources, UNIT, dict.fromkeys(VECTORS, 4.0), {})


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("dog", "hound", Kind.SYNONYM),
        ("big", "bigness", Kind.DERIVED),
        ("poodle", "dog", Kind.NARROWER),
        ("poodle", "pet", Kind.NARROWER),
        ("animal", "dog", Kind.WIDER),
        ("big", "huge", Kind.SIMILAR),
        ("dog", "cat", Kind.SISTER),
        ("eight", "seven", Kind.SISTER),
        ("small", "big", Kind.ANTONYM),
        ("tiny", "huge", Kind.ANTONYM),
        # What a rare sense says does not count: cats that gossip, poodles that chat.
        ("cat", "gossip", Kind.NONE),
        ("cat", "chat", Kind.NONE),
        ("chat", "poodle", Kind.NONE),
        ("dog", "hammer", Kind.NONE),
    ],
)
def test_each_relation(table: Relations, first: str, second: str, kind: Kind) -> None:
    assert table.relation(first, second).kind == kind


def test_the_nearer_of_two_wider_words_is_the_surer(table: Relations) -> None:
    strengths = [table.relation("poodle", word).strength for word in ("dog", "pet", "animal")]
    assert strengths == sorted(strengths, reverse=True)
    assert strengths[0] > strengths[2]


def test_the_order_of_the_sources_does_not_matter(table: Relations) -> None:
    turned = {relation: sorted(pairs, reverse=True) for relation, pairs in LINKS.items()}
    sources = Sources(turned, closed=[["eight", "seven"]], cosine=cosine)
    vectors = dict(reversed(UNIT.items()))
    again = build(list(table.words), sources, vectors, dict.fromkeys(vectors, 4.0), {})
    assert again.version == table.version


def test_what_readers_have_judged_comes_first(table: Relations) -> None:
    judged = {
        ("big", "huge"): "X",
        ("cat", "dog"): "S",
        ("dog", "hound"): "T",
        ("dog", "poodle"): "T",
        ("hammer", "seven"): "N",
        ("big", "small"): "X",
        ("cat", "pet"): "A",
    }
    words = list(table.words)
    sources = Sources(LINKS, closed=[{"seven", "eight", "nine"}], cosine=cosine)
    changed = build(words, sources, UNIT, dict.fromkeys(VECTORS, 4.0), {}, judged)
    kinds = {pair: changed.relation(*pair).kind for pair in judged}
    assert kinds == {
        ("big", "huge"): Kind.SISTER,
        ("cat", "dog"): Kind.SYNONYM,
        ("dog", "hound"): Kind.NONE,
        ("dog", "poodle"): Kind.NONE,
        ("hammer", "seven"): Kind.SIMILAR,
        ("big", "small"): Kind.ANTONYM,
        ("cat", "pet"): Kind.NARROWER,
    }
    assert changed.relation("tiny", "huge") == table.relation("tiny", "huge")


def test_the_shipped_judgements_are_in_the_shipped_table() -> None:
    judged, table = read_judged(), Relations.open()
    assert len(judged) > 10_000
    alike = {
        "S": (Kind.SYNONYM,),
        "X": (Kind.SISTER, Kind.ANTONYM),
        "A": (Kind.NARROWER, Kind.SYNONYM),
    }
    for pair, judgement in judged.items():
        if judgement in alike:
            assert table.relation(*pair).kind in alike[judgement], pair


@pytest.mark.parametrize("row", ["dog\tcat\tX", "cat\tdog\tQ", "cat\tcat\tS"])
def test_a_judgement_that_cannot_be_read(row: str, tmp_path: Path) -> None:
    path = tmp_path / "judged.tsv"
    path.write_text(f"word\tother\tjudgement\n{row}\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"judged\.tsv, line 2: not two words in order"):
        read_judged(path)


def test_a_class_of_two_names_has_what_is_above_both() -> None:
    above = {
        "dog": {"canine", "canid"},
        "canine": {"carnivore", "tooth"},
        "canid": {"carnivore"},
    }
    words = {"dog", "canine", "canid", "carnivore", "tooth"}
    vectors = {word: np.eye(5)[i] for i, word in enumerate(sorted(words))}
    synonyms = {"canine": {"canid"}, "canid": {"canine"}}
    taxonomy = Taxonomy(above, synonyms, vectors, dict.fromkeys(words, 4.0))
    ancestors = taxonomy.ancestors("dog", 3)
    assert ancestors == {("canid", "canine"): (1.0, 1), ("carnivore",): (1.0, 2)}


def test_a_chain_of_nouns_stays_among_nouns() -> None:
    above = {"table": {"array"}, "list": {"array"}, "array": {"arrange", "group"}}
    words = ("table", "list", "array", "arrange", "group")
    vectors = dict.fromkeys(words, np.array([1.0, 0.0]))
    parts = {"table": {"noun"}, "list": {"noun"}, "arrange": {"verb"}, "group": {"noun"}}
    zipf = dict.fromkeys(words, 4.0)
    assert ("arrange",) in Taxonomy(above, {}, vectors, zipf).ancestors("table", 2)
    assert ("arrange",) not in Taxonomy(above, {}, vectors, zipf, parts).ancestors("table", 2)


def test_a_noun_has_classes_beside_those_of_its_verb() -> None:
    above = {
        "shirt": {"clothe", "garment"},
        "garment": {"get_dressed", "clothing"},
        "clothe": {"get_dressed"},
    }
    words = ("shirt", "garment", "clothe", "get_dressed", "clothing")
    parts = {"shirt": {"noun", "verb"}, "garment": {"noun", "verb"}, "clothe": {"verb"}}
    parts |= {"get_dressed": {"verb"}, "clothing": {"noun"}}
    synonyms = {"clothe": {"garment"}, "garment": {"clothe"}}
    vectors = dict.fromkeys(words, np.array([1.0, 0.0]))
    taxonomy = Taxonomy(above, synonyms, vectors, dict.fromkeys(words, 4.0), parts)
    ancestors = taxonomy.ancestors("shirt", 2)
    assert {("garment",), ("clothing",), ("clothe", "garment"), ("get_dressed",)} == set(ancestors)


WORDS = ("ant", "bee", "cow", "dog", "eel")
CLASSES = (("insect",), ("farm", "stall"), ("sea",))
all_shares = st.fixed_dictionaries(
    {word: st.dictionaries(st.sampled_from(CLASSES), st.floats(0.01, 1)) for word in WORDS}
)


@given(all_shares, st.integers(0, 99))
def test_sisters_are_as_the_naive_form(
    shares: dict[str, dict[tuple[str, ...], float]], seed: int
) -> None:
    vectors = np.random.default_rng(seed).normal(size=(len(WORDS), 3)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    pairs = sisters(shares, {}, vectors)
    by_word = dict(zip(shares, vectors, strict=True))
    # Where a product is within rounding of the limit either may be right.
    loose = naive_sisters(shares, by_word, 0.2 - 1e-5, 0.06 - 1e-5)
    strict = naive_sisters(shares, by_word, 0.2 + 1e-5, 0.06 + 1e-5)
    assert strict.keys() <= pairs.keys() <= loose.keys()
    assert {pair: both.shared for pair, both in pairs.items()} == pytest.approx(
        {pair: loose[pair] for pair in pairs}
    )


def test_no_word_is_the_sister_of_a_class_above_it() -> None:
    shares = {"cat": {("pet",): 1.0}, "pet": {("pet",): 1.0}}
    vectors = np.ones((2, 1))
    assert sisters(shares, {}, vectors)
    assert not sisters(shares, {"cat": {("pet",): (1.0, 1)}}, vectors)  # type: ignore[dict-item]


def test_privatives_and_agents() -> None:
    sources = Sources(
        {"derivation": {("home", "homeless"), ("teach", "teacher"), ("teach", "teaching")}},
        cosine=lambda pair: 0.6,
    )
    strengths = lexical_pairs.derivations(sources)
    assert ("home", "homeless") not in strengths
    assert strengths["teach", "teacher"] < strengths["teach", "teaching"]


def test_a_paraphrase_that_shares_a_synonym_is_one() -> None:
    listed = {"synonym": {("tap", "spigot"), ("faucet", "spigot")}}
    pair = ("faucet", "tap")
    alone = Sources(listed, cosine=lambda pair: 0.3)
    assert pair not in lexical_pairs.synonyms(alone)
    assert pair in lexical_pairs.synonyms(Sources(listed, {pair: 0}, cosine=lambda pair: 0.3))


def test_another_spelling_is_a_member_of_a_closed_class() -> None:
    listed = {"synonym": {("grey", "gray"), ("red", "crimson")}}
    cosines = {("gray", "grey"): 0.95, ("crimson", "red"): 0.6}
    sources = Sources(listed, closed=[{"red", "grey"}], cosine=lambda p: cosines.get(p, 0.0))
    assert lexical_pairs.exclusions(sources) == {("grey", "red"): 1.0, ("gray", "red"): 1.0}


def test_forms_count_for_their_lemmas(tmp_path: Path) -> None:
    texts = {
        paraphrases.PARAPHRASES: "exams tests examinations\nfaucet tap\n",
        paraphrases.SURE: "exam exams\n",
        ANTONYMS[0]: "hotter colder\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(gzip.compress(text.encode()))
    words = {"exam", "examination", "hot", "cold", "faucet", "tap"}
    tables = Tables({}, {"noun": {"exam", "examination"}, "adj": {"hot", "cold"}})
    lemmas = lemmas_of(tmp_path, words, tables)
    ranked = paraphrases.ranks(paraphrases.rows(tmp_path / paraphrases.PARAPHRASES), lemmas, words)
    assert ranked == {("exam", "examination"): 1, ("faucet", "tap"): 0}
    assert paraphrases.pairs(tmp_path / paraphrases.SURE, lemmas, words) == set()
    assert paraphrases.pairs(tmp_path / ANTONYMS[0], lemmas, words) == {("cold", "hot")}


def test_the_vocabulary() -> None:
    listed = ["Dog", "dog", "zorblat", "ice_cream", "tax_return", "take_off", "'hood", "b2"]
    zipf = {"dog": 5.0, "zorblat": 1.0}
    words = vocabulary(
        listed, {"take_off"}, lambda word: zipf.get(word, 3.0), "Ice cream! One ice cream."
    )
    assert words == ["dog", "ice_cream", "take_off"]


def test_words_that_only_ppdb_has(tmp_path: Path) -> None:
    rows = "towards toward\nlondon paris\nwalks goes\nyonder there\n"
    (tmp_path / paraphrases.PARAPHRASES).write_bytes(gzip.compress(rows.encode()))
    tables = Tables({}, {"verb": {"walk"}})
    builtin = ["towards", "london", "walks", "walk", "yonder"]
    words = unlisted_words(
        builtin, {"walk"}, tmp_path, tables, lambda word: 2.0 if word == "yonder" else 5.0
    )
    assert words == {"towards"}


def test_readers(tmp_path: Path) -> None:
    rows = "ice-cream\tsynonym\tice_cream\nIce-cream\thypernym\tfrozen dessert\n"
    (tmp_path / "oewn.tsv.gz").write_bytes(gzip.compress(rows.encode()))
    assert links(tmp_path / "oewn.tsv.gz") == {"hypernym": {("ice_cream", "frozen_dessert")}}
    (tmp_path / "sisters.tsv").write_text(
        "word\tpos\tclass\tsource\nred\tadj\tcolour\tx\nmay\tnoun\tmonth\tx\nblue\tadj\tcolour\tx\n"
    )
    assert closed_classes(tmp_path / "sisters.tsv") == [{"red", "blue"}, {"may"}]
    assert upward(["a"], {"a": ["b"], "b": ["c"], "c": ["a"]}) == {"a", "b", "c"}
