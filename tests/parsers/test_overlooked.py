"""Arguments that the labeller leaves out: they are added, and none that it has."""

from __future__ import annotations

import pytest
from toys import make_tree

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.labeller import Argument, Frame
from compsim.parsers.roles.overlooked import completed

WHERE = make_tree("where does it open", "WRB VBZ PRP VB", [3, 3, 3, 3], "advmod aux nsubj ROOT")
WHEN = make_tree(
    "I know when it opens",
    "PRP VBP WRB PRP VBZ",
    [1, 1, 4, 4, 1],
    "nsubj ROOT advmod nsubj ccomp",
)
HOW_OFTEN = make_tree(
    "how often does it open", "WRB RB VBZ PRP VB", [1, 4, 4, 4, 4], "advmod advmod aux nsubj ROOT"
)


@pytest.mark.parametrize(
    ("tree", "verb", "expected"),
    [
        (WHERE, 3, Argument(0, "ARGM-LOC", "advmod")),
        (WHEN, 4, None),
        (HOW_OFTEN, 4, None),
    ],
)
def test_what_hangs_on_the_verb(tree: Tree, verb: int, expected: Argument | None) -> None:
    subject = next(i for i, dep in enumerate(tree.deps) if dep == "nsubj" and tree.heads[i] == verb)
    known = Argument(subject, "ARG0", "nsubj")
    frame = Frame(verb, "run.01", (known,), False)
    (found,) = completed(tree, tree.children(), [frame])
    more = [] if expected is None else [expected]
    assert found.arguments == tuple(sorted([known, *more]))
    assert completed(tree, tree.children(), [found]) == [found]


CUT = make_tree("who cut what", "WP VBD NN", [1, 1, 1], "nsubj ROOT dobj")


@pytest.mark.parametrize(
    ("sense", "known", "more"),
    [
        ("cut.02", [Argument(0, "ARG0", "nsubj")], [Argument(2, "ARG1", "dobj")]),
        ("cut.02", [Argument(0, "ARG1", "nsubj")], []),
        # A relative word stands for its noun.
        ("cut.02", [], [Argument(2, "ARG1", "dobj")]),
    ],
)
def test_objects(sense: str, known: list[Argument], more: list[Argument]) -> None:
    (found,) = completed(CUT, CUT.children(), [Frame(1, sense, tuple(known), False)])
    assert found.arguments == (*known, *more)


@pytest.mark.parametrize(("sense", "label"), [("cut.02", "ARG0"), ("die.01", "ARG1")])
def test_subjects(sense: str, label: str) -> None:
    tree = make_tree("it died", "PRP VBD", [1, 1], "nsubj ROOT")
    (found,) = completed(tree, tree.children(), [Frame(1, sense, (), False)])
    assert found.arguments == (Argument(0, label, "nsubj"),)


def test_a_phrase_with_a_preposition_is_no_object_beside_one() -> None:
    tree = make_tree(
        "who cut bread with knives", "WP VBD NN IN NNS", [1, 1, 1, 1, 3],
        "nsubj ROOT dobj prep pobj",
    )  # fmt: skip
    taken = Argument(3, "ARG1", "prep")
    (found,) = completed(tree, tree.children(), [Frame(1, "cut.02", (taken,), False)])
    assert found.arguments == (Argument(2, "ARG1", "dobj"), taken)


def test_what_an_argument_is_told_not_to_be() -> None:
    tree = make_tree(
        "she drank tea , not coffee",
        "PRP VBD NN , RB NN",
        [1, 1, 1, 2, 5, 2],
        "nsubj ROOT dobj punct neg appos",
    )
    known = Argument(0, "ARG0", "nsubj"), Argument(2, "ARG1", "dobj")
    (found,) = completed(tree, tree.children(), [Frame(1, "drink.01", known, False)])
    assert found.arguments == (*known, Argument(5, "EXCLUDED", "appos"))
