"""Participles are said of somebody who can do what they say, not of the thing beside them."""

from __future__ import annotations

import pytest
from toys import make_tree

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.participles import attach
from compsim.parsers.roles.srl import SrlParser


def perched(subject: str, preposition: str, noun: str) -> Tree:
    return make_tree(
        f"the {subject} perches {preposition} a {noun} chewing gum",
        "DT NN VBZ IN DT NN VBG NN",
        [1, 2, 2, 2, 5, 3, 5, 6],
        "det nsubj ROOT prep det pobj acl dobj",
    )


def dressed(person: str, noun: str) -> Tree:
    return make_tree(
        f"a {person} in a {noun} yawning",
        "DT NN IN DT NN VBG",
        [1, 1, 1, 4, 2, 4],
        "det ROOT prep det pobj acl",
    )


THERE = make_tree(
    "there is a nurse in a cape yawning",
    "EX VBZ DT NN IN DT NN VBG",
    [1, 1, 3, 1, 1, 6, 4, 6],
    "expl ROOT det attr prep det pobj acl",
)


@pytest.mark.parametrize(
    ("tree", "head", "dep"),
    [
        (perched("plumber", "on", "ladder"), 2, "advcl"),
        (dressed("nurse", "cape"), 1, "acl"),
        (THERE, 3, "acl"),
        # Things that do it as well as others, somebody who stands nearer, no place.
        (perched("kettle", "on", "ladder"), 5, "acl"),
        (perched("plumber", "beside", "sailor"), 5, "acl"),
        (perched("plumber", "with", "machine"), 5, "acl"),
        (dressed("carpet", "cape"), 4, "acl"),
        (dressed("nurse", "crowd"), 4, "acl"),
    ],
)
def test_where_a_participle_hangs(tree: Tree, head: int, dep: str) -> None:
    participle = tree.tags.index("VBG")
    attach(tree)
    assert (tree.heads[participle], tree.deps[participle]) == (head, dep)


def test_beside_an_object_nothing_changes() -> None:
    tree = make_tree(
        "a nurse left him in a lift humming",
        "DT NN VBD PRP IN DT NN VBG",
        [1, 2, 2, 2, 2, 6, 4, 6],
        "det nsubj ROOT dobj prep det pobj acl",
    )
    attach(tree)
    assert tree.heads[7] == 6


def test_who_holds_what() -> None:
    (graph,) = SrlParser().parse(["A sailor is standing on a jetty mending a net."])
    mending = next(frame for frame in graph.frames() if frame.predicate.label == "mending")
    assert mending.roles["Agent"].label == "A sailor"
    assert graph.roles()["Location"].label == "on a jetty"
