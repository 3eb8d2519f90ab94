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
OUT = make_tree(
    "it ran out of the house",
    "PRP VBD IN IN DT NN",
    [1, 1, 1, 2, 5, 3],
    "nsubj ROOT prep prep det pobj",
)
IN = make_tree("it ran in vain", "PRP VBD IN JJ", [1, 1, 1, 2], "nsubj ROOT prep pobj")


@pytest.mark.parametrize(
    ("tree", "verb", "expected"),
    [
        (WHERE, 3, Argument(0, "ARGM-LOC", "advmod")),
        (WHEN, 4, None),
        (HOW_OFTEN, 4, None),
        (OUT, 1, Argument(2, "ARGM-DIR", "prep")),
        (IN, 1, None),
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


@pytest.mark.parametrize(
    ("sense", "preposition", "label"),
    [
        ("quarrel.01", "with", "THEME"),
        ("confess.01", "to", "PATIENT"),
        # VerbNet has no frame with the preposition, or knows no such verb.
        ("quarrel.01", "after", None),
        ("xyz.01", "with", None),
        (None, "with", None),
    ],
)
def test_what_the_frames_of_the_verb_have_after_a_preposition(
    sense: str | None, preposition: str, label: str | None
) -> None:
    tree = make_tree(
        f"they left {preposition} us", "PRP VBD IN PRP", [1, 1, 1, 2], "nsubj ROOT prep pobj"
    )
    known = Argument(0, "ARG0", "nsubj")
    (found,) = completed(tree, tree.children(), [Frame(1, sense, (known,), False)])
    assert found.arguments == (known, *([Argument(2, label, "prep")] if label else []))


def test_a_phrase_that_goes_on_another_is_none() -> None:
    frame = Frame(1, "run.01", (Argument(0, "ARG0", "nsubj", (2,)),), False)
    assert completed(OUT, OUT.children(), [frame]) == [frame]


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
