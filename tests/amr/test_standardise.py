from __future__ import annotations

from hypothesis import given
from strategies import graphs

from compsim.amr.smatch import smatch
from compsim.amr.standardise import (
    REIFICATIONS,
    mod_for_domain,
    reify,
    standardise,
    without_wiki,
)
from compsim.graph import Edge, Node, RoleGraph


def amr(text: str) -> RoleGraph:
    return RoleGraph.from_penman(text)


def same(a: RoleGraph, b: RoleGraph) -> bool:
    """Return whether two graphs are equal but for the order and names of their nodes."""
    result = smatch(a, b)
    return result.f1 == 1.0 and len(a.nodes) == len(b.nodes) and len(a.edges) == len(b.edges)


def test_nothing_is_done_unasked() -> None:
    graph = amr('(m / man :wiki "Q1" :domain (b / boy) :location (p / park))')
    assert standardise(graph) is graph


def test_domain_becomes_the_mod_of_which_it_is_the_inverse() -> None:
    assert mod_for_domain(amr("(t / tall :domain (m / man))")).edges == (Edge(1, "mod", 0),)
    constant = amr("(t / tall :domain 5)")
    assert mod_for_domain(constant) == constant


def test_wiki_links_go_with_their_constants() -> None:
    graph = amr('(c / city :wiki "Rome" :name (n / name :op1 "Rome") :wiki -)')
    assert without_wiki(graph) == amr('(c / city :name (n / name :op1 "Rome"))')
    shared = amr("(c / city :wiki (p / page) :mod (b / big))")
    assert [node.label for node in without_wiki(shared).nodes] == ["city", "page", "big"]


def test_a_relation_becomes_a_node() -> None:
    graph = reify(amr("(m / man :location (p / park) :polarity -)"))
    spelt = amr(
        "(m / man :ARG1-of (b / be-located-at-91 :ARG2 (p / park))"
        " :ARG1-of (h / have-polarity-91 :ARG2 -))"
    )
    assert same(graph, spelt)
    assert [node.variable for node in graph.nodes] == ["m", "p", None, "r", "r2"]


def test_only_the_roles_asked_for_are_reified() -> None:
    graph = amr("(r / man :location (p / park) :time (n / now) :foo (x / y))")
    result = reify(graph, {"time", "foo"})
    assert [edge.role for edge in result.edges] == ["location", "ARG1", "ARG2", "foo"]
    assert result.nodes[-1] == Node("be-temporally-at-91", variable="r2")


def test_phrases_get_no_variable() -> None:
    star = RoleGraph.star("", {"Verb": "sleep", "location": "the park"})
    assert all(node.variable is None for node in reify(star).nodes)


@given(graphs())
def test_any_graph_can_be_standardised(graph: RoleGraph) -> None:
    once = standardise(graph, domain=True, wiki=True, reified=True)
    assert once.text == graph.text
    assert not {edge.role for edge in once.edges} & {"domain", "wiki", *REIFICATIONS}
    assert standardise(once, domain=True, wiki=True, reified=True) == once
