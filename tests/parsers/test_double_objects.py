"""Two objects that look like one compound noun: parted where somebody gets something."""

from __future__ import annotations

import pytest
from toys import make_tree

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.double_objects import separate
from compsim.parsers.roles.srl import SrlParser


def giving(words: str, tags: str, verb: str, word: str = "", tag: str = "", dep: str = "") -> Tree:
    """ "She VERB the FIRST SECOND", as parsers read it: the first noun a compound of the second.

    A ``word`` more hangs on the verb.
    """
    first = words.split()
    deps = ["det"] * (len(first) - 2) + ["compound", "dobj"]
    thing = 1 + len(first)
    heads = [1, 1, *[thing] * (len(first) - 1), 1, *([1] if word else [])]
    tree = make_tree(
        f"She {verb} {words} {word}".strip(),
        f"PRP VBD {tags} {tag}".strip(),
        heads,
        f"nsubj ROOT {' '.join(deps)} {dep}".strip(),
    )
    tree.lemmas[1] = {"gave": "give", "sold": "sell", "bought": "buy", "ate": "eat"}[verb]
    tree.lemmas[thing] = first[-1].removesuffix("s")
    return tree


@pytest.mark.parametrize(
    ("tree", "getter"),
    [
        (giving("the pilot coffee", "DT NN NN", "gave"), "the pilot"),
        (giving("the committee reports", "DT NN NNS", "gave"), "the committee"),
        (giving("Ingrid coffee", "NNP NN", "gave"), "Ingrid"),
        (giving("her sister gloves", "PRP$ NN NNS", "bought"), "her sister"),
        # What is counted needs an article, and so does a getter.
        (giving("the pilot hat", "DT NN NN", "gave"), ""),
        (giving("pilot training", "NN NN", "gave"), ""),
        # Neither a window nor a day gets anything.
        (giving("the window frames", "DT NN NNS", "gave"), ""),
        (giving("Friday lessons", "NNP NNS", "gave"), ""),
        (giving("NATO support", "NNP NN", "gave"), ""),
        # Of what is bought or sold less is sure.
        (giving("the pilot gloves", "DT NN NNS", "bought"), ""),
        (giving("Ferrari parts", "NNP NNS", "sold"), ""),
        (giving("the pilot coffee", "DT NN NN", "ate"), ""),
        # The team's captains are one phrase.
        (giving("the committee lawyers", "DT NN NNS", "gave"), ""),
        # Somebody gets it already, or it is given away.
        (giving("the pilot coffee", "DT NN NN", "gave", "to", "TO", "prep"), ""),
        (giving("the pilot coffee", "DT NN NN", "gave", "away", "RP", "prt"), ""),
    ],
)
def test_who_gets_it(tree: Tree, getter: str) -> None:
    separate(tree)
    found = [i for i, dep in enumerate(tree.deps) if dep == "dative"]
    parts = [" ".join(tree.word(i) for i in tree.parts([top])[top]) for top in found]
    assert parts == [getter] * bool(getter)


@pytest.mark.parametrize(
    ("text", "getter", "thing"),
    [
        ("The vet gave the horse medicine.", "the horse", "medicine"),
        ("My cousin teaches Ingrid physics.", "Ingrid", "physics"),
        ("The museum sent its visitors letters.", "its visitors", "letters"),
    ],
)
def test_the_parser_says_who_gets_what(text: str, getter: str, thing: str) -> None:
    roles = SrlParser().parse([text])[0].roles()
    assert {getter, thing} <= {node.label for node in roles.values()}


def causing(words: str, tags: str, lemma: str, dep: str = "dobj") -> Tree:
    """ "She VERB the FIRST SECOND", the first noun a compound of the second."""
    tree = make_tree(
        f"She moved {words}", f"PRP VBD {tags}", [1, 1, 4, 4, 1], f"nsubj ROOT det compound {dep}"
    )
    tree.lemmas[1] = lemma
    return tree


@pytest.mark.parametrize(
    ("tree", "found"),
    [
        (causing("the baby laugh", "DT NN NN", "make"), True),
        (causing("the ship sink", "DT NN VB", "make"), True),
        (causing("the baby sleep", "DT NN VB", "let", "ccomp"), True),
        (causing("the baby food", "DT NN NN", "make"), False),
        (causing("the movie plan", "DT NN NN", "make"), False),
        # One may see the dance of a team.
        (causing("the team dance", "DT NN NN", "see"), False),
        (causing("the baby laugh", "DT NN NN", "buy"), False),
    ],
)
def test_who_is_made_to_do_something(tree: Tree, found: bool) -> None:
    separate(tree)
    clause = (tree.deps[3:], tree.heads[2:], tree.tags[4])
    assert (clause == (["nsubj", "ccomp"], [3, 4, 1], "VB")) == found
