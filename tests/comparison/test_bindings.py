"""Conflicts of hand-made graphs: newcomers in a role, moved attributes, other relations."""

from __future__ import annotations

import pytest
from concept_encoder import opened

from compsim.comparison.method import terms_of_pairs
from compsim.comparison.pairs import TERMS
from compsim.graph import Edge, Node, RoleGraph

_POS = {"ben": "PROPN", "eva": "PROPN", "i": "PRON", "he": "PRON", "you": "PRON", "green": "ADJ"}
_VERBS = ("want", "sing", "send", "thank")


def graph(text: str, *edges: str) -> RoleGraph:
    """Return a graph whose nodes are the words of a text, with edges such as "sing agent ben"."""
    nodes, begin = [], 0
    for word in text.split():
        pos = "VERB" if word in _VERBS else _POS.get(word, "NOUN")
        features = (("lemma", word), ("pos", pos))
        nodes.append(Node(word, (begin, begin + len(word)), features=features))
        begin += len(word) + 1
    places = {word: place for place, word in enumerate(text.split())}
    listed = [edge.split() for edge in edges]
    return RoleGraph(
        tuple(nodes),
        tuple(Edge(places[a], role, places[b]) for a, role, b in listed),
        0,
        text,
    )


def conflict(first: RoleGraph, second: RoleGraph, kind: str) -> float:
    """Return how strong the conflicts of a type are, which the order does not change."""
    batch = opened().encode([first, second])
    (there,) = terms_of_pairs(batch[[0]], batch[[1]])[:, TERMS.index(kind)]
    (back,) = terms_of_pairs(batch[[1]], batch[[0]])[:, TERMS.index(kind)]
    assert there == pytest.approx(back)
    return float(there)


@pytest.mark.parametrize(
    ("who", "other", "apart"), [("ben", "eva", True), ("i", "you", True), ("ben", "he", False)]
)
def test_a_newcomer_does_what_somebody_wants_to_do(who: str, other: str, apart: bool) -> None:
    alone = graph(f"{who} want sing", f"want agent {who}", "want content sing", f"sing agent {who}")
    another = graph(
        f"{who} want {other} sing", f"want agent {who}", "want content sing", f"sing agent {other}"
    )
    assert (conflict(alone, another, "binding") > 0.5) is apart


def test_an_attribute_before_another_noun_is_bound_to_it() -> None:
    lid = graph("green lid pot", "lid attribute green", "lid of pot")
    pot = graph("lid green pot", "pot attribute green", "lid of pot")
    # Here no order of the words says which noun the parser was right about.
    unsure = graph("lid pot green", "pot attribute green", "lid of pot")
    assert conflict(lid, pot, "binding") > 0.5
    assert conflict(lid, unsure, "binding") == 0.0


def test_who_gets_it_is_not_whom_it_comes_from() -> None:
    to = graph("send parcel eva", "send patient parcel", "send recipient eva")
    source = graph("send parcel eva", "send patient parcel", "send from eva")
    assert conflict(to, source, "roles") > 0.5


@pytest.mark.parametrize("relation", ["behind", "through", "past", "between", "into"])
def test_a_place_below_something_is_no_place_on_another_side_of_it(relation: str) -> None:
    # What is under the barn has the barn above it.
    under = graph("hen barn", "barn above hen")
    other = graph("hen barn", f"hen {relation} barn")
    assert conflict(under, other, "direction") >= 0.5


@pytest.mark.parametrize("relation", ["at", "in"])
def test_a_time_is_the_same_by_another_preposition(relation: str) -> None:
    first = graph("sing night", f"sing {relation} night")
    assert conflict(first, graph("sing night", "sing during night"), "direction") == 0.0
