"""Trees whose tags and arcs disagree, or that no sentence has, mended."""

from __future__ import annotations

import pytest
from toys import make_tree

from compsim.parsers.pipeline.reconciling import reconcile
from compsim.parsers.pipeline.tree import Tree


def mended(words: str, tags: str, heads: list[int], deps: str, **lemmas: str) -> Tree:
    tree = make_tree(words, tags, heads, deps)
    tree.lemmas = [lemmas.get(word, word.lower()) for word in words.split()]
    reconcile(tree, frozenset(("follow", "carry")), {}, {"adj": (), "noun": ()})
    return tree


def arcs(tree: Tree, *words: int) -> list[tuple[str, int]]:
    return [(tree.deps[word], tree.heads[word]) for word in words]


@pytest.mark.parametrize("number", ["was", "were"])
def test_a_noun_behind_and_is_the_subject_of_what_follows(number: str) -> None:
    tree = mended(
        f"she carried sacks and herds of goats {number} following her",
        "PRP VBD NNS CC NNS IN NNS VBD VBG PRP",
        [1, 1, 1, 2, 2, 4, 5, 8, 1, 8],
        "nsubj ROOT dobj cc conj prep pobj aux conj dobj",
        carried="carry",
        following="follow",
    )
    assert arcs(tree, 3, 4) == [("cc", 1), ("nsubj", 8)]


def test_it_has_no_second_one() -> None:
    heads = [1, 1, 1, 2, 2, 7, 7, 1]
    deps = "nsubj ROOT dobj cc conj nsubj aux conj"
    tree = mended(
        "she carried sacks and goats who were sold", "PRP VBD NNS CC NNS WP VBD VBN", heads, deps
    )
    assert arcs(tree, 3, 4) == [("cc", 2), ("conj", 2)]


def test_a_passive_has_the_subject_of_a_passive() -> None:
    tree = mended(
        "she carried sacks and goats were sold",
        "PRP VBD NNS CC NNS VBD VBN",
        [1, 1, 1, 2, 2, 6, 1],
        "nsubj ROOT dobj cc conj auxpass conj",
    )
    assert arcs(tree, 4) == [("nsubjpass", 6)]


def test_can_behind_a_noun_is_one() -> None:
    tree = mended(
        "it fell into a trash can by night",
        "PRP VBD IN DT NN MD IN NN",
        [1, 1, 1, 4, 2, 1, 1, 6],
        "nsubj ROOT prep det pobj advcl prep pobj",
    )
    assert (tree.tags[5], tree.pos[5]) == ("NN", "NOUN")
    assert arcs(tree, 3, 4, 5) == [("det", 5), ("compound", 5), ("pobj", 2)]


def test_can_with_a_subject_is_none() -> None:
    heads, deps = [1, 1, 3, 1, 6, 6, 3], "nsubj ROOT advmod advmod mark nsubj advcl"
    tree = mended("it runs as fast as goats can", "PRP VBZ RB RB IN NNS MD", heads, deps)
    assert tree.tags[6] == "MD"
    assert tree.heads == heads


def test_if_behind_asking_is_what_is_asked() -> None:
    heads, deps = [2, 2, 2, 5, 5, 2], "nsubjpass auxpass ROOT mark nsubj advcl"
    asked = mended(
        "she was asked if goats swim", "PRP VBD VBN IN NNS VBP", heads, deps, asked="ask"
    )
    seen = mended("she was seen if goats swim", "PRP VBD VBN IN NNS VBP", heads, deps, seen="see")
    assert (asked.deps[5], seen.deps[5]) == ("ccomp", "advcl")


def test_what_time_is_no_object() -> None:
    heads, deps, tags = [1, 4, 4, 4, 4], "det dobj aux nsubj ROOT", "WDT NN VBZ PRP VB"
    assert mended("what time does it close", tags, heads, deps).deps[1] == "npadvmod"
    assert mended("what time does it suggest", tags, heads, deps).deps[1] == "dobj"


def test_objects_around_a_conjunction_are_joined() -> None:
    tree = mended(
        "they sell tea as well as figs",
        "PRP VBP NN RB RB IN NNS",
        [1, 1, 1, 5, 5, 1, 1],
        "nsubj ROOT dobj advmod advmod cc dobj",
    )
    assert arcs(tree, 5, 6) == [("cc", 2), ("conj", 2)]


def test_then_belongs_to_the_verb_behind_it() -> None:
    tree = mended(
        "she sang songs then left",
        "PRP VBD NNS RB VBD",
        [1, 1, 1, 1, 1],
        "nsubj ROOT dobj advmod conj",
    )
    assert arcs(tree, 3) == [("advmod", 4)]


def test_nouns_behind_between_are_joined() -> None:
    tags, deps = "NN IN NN CC NN VBZ", "nsubj prep pobj cc conj ROOT"
    joined = mended("chair between desk and door creaks", tags, [5, 0, 1, 0, 0, 5], deps)
    assert arcs(joined, 3, 4) == [("cc", 2), ("conj", 2)]
    other = mended("chair beside desk and door creaks", tags, [5, 0, 1, 0, 0, 5], deps)
    assert arcs(other, 3, 4) == [("cc", 0), ("conj", 0)]
