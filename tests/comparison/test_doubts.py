"""The share of a conflict that is left where the other sentence may say the same otherwise.

The graphs are made by hand, so that what a rule would have read stays unread.
"""

from __future__ import annotations

import numpy as np
import pytest
from concept_encoder import opened

from compsim.comparison.batch import ConceptBatch
from compsim.comparison.pairs import TERMS
from compsim.comparison.single import compare_one
from compsim.graph import Edge, Node, RoleGraph


def graph(*words: str, edges: tuple[tuple[int, str, int], ...] = ()) -> RoleGraph:
    """Make a graph of concepts, ``sleep!negated=yes`` for one that is denied."""
    nodes, at = [], 0
    for word in words:
        name, *features = word.split("!")
        listed = tuple(sorted(tuple(each.split("=")) for each in features))
        nodes.append(Node(name, (at, at + len(name)), features=listed))
        at += len(name) + 1
    text = " ".join(node.label for node in nodes)
    joined = tuple(Edge(source, role, target) for source, role, target in edges)
    return RoleGraph(tuple(nodes), joined, 0, text)


def strength(kind: str, first: RoleGraph, second: RoleGraph) -> float:
    """Return the strength of a type of conflicts, in plain Python, the same in both orders."""
    batch: ConceptBatch = opened().encode([first, second])
    one, other = (compare_one(batch, i, batch, 1 - i)[0] for i in (0, 1))
    assert np.array_equal(one, other)
    return float(one[TERMS.index(kind)])


DENIED = graph("singer", "sleep!negated=yes", edges=((1, "agent", 0),))


def test_a_denial_of_one_sentence_alone_is_sure() -> None:
    affirmed = graph("singer", "sleep", edges=((1, "agent", 0),))
    assert strength("polarity", DENIED, affirmed) == pytest.approx(1.0)


def test_a_word_that_denies_halves_it() -> None:
    refused = graph("singer", "refuse", "sleep", edges=((2, "agent", 0),))
    assert strength("polarity", DENIED, refused) == pytest.approx(0.5)


def test_another_concept_that_is_denied_leaves_a_third() -> None:
    moved = graph("singer", "sleep", "hour!negated=yes", edges=((1, "agent", 0),))
    assert strength("polarity", DENIED, moved) == pytest.approx(0.3)


def test_two_denials_that_have_changed_places_stay_sure() -> None:
    edges = ((1, "agent", 0), (2, "agent", 0))
    one = graph("singer", "sleep!negated=yes", "eat", edges=edges)
    other = graph("singer", "sleep", "eat!negated=yes", edges=edges)
    assert strength("polarity", one, other) == pytest.approx(1.0)


def test_a_feature_may_be_said_in_what_has_no_partner() -> None:
    possible = graph("singer", "sleep!modality=possible", edges=((1, "agent", 0),))
    plain = graph("singer", "sleep", edges=((1, "agent", 0),))
    more = graph("singer", "sleep", "bridge", edges=((1, "agent", 0),))
    elsewhere = graph("singer", "sleep", "bridge!modality=possible", edges=((1, "agent", 0),))
    sure = strength("modality", possible, plain)
    assert sure > 0.5
    assert strength("modality", possible, more) == pytest.approx(0.5 * sure)
    assert strength("modality", possible, elsewhere) == pytest.approx(0.3 * sure)
