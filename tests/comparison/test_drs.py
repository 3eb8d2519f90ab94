"""``drs`` against a slow twin and by hand; its shares, negation, and texts without relations."""

from __future__ import annotations

import numpy as np
import pytest
from naive import drs as naive

from compsim import InputError, load
from compsim.comparison.drs_measures import Structure, compare
from compsim.comparison.packed import unpacked
from compsim.graph import RoleGraph

SENTENCES = [
    "The dog bit the man.",
    "The man bit the dog.",
    "A hound attacked a young boy in the park.",
    "The dog did not bite the man.",
    "Rain.",
    "The dog saw the man and the man saw the dog.",
    "Two girls gave the teacher a book because it rained.",
]


@pytest.mark.parametrize("shares", [(1, 1, 1), (0, 1, 0), (2, 0.5, 0)])
def test_scores_are_those_of_a_slow_twin(shares: tuple[float, float, float]) -> None:
    words, structure, order = shares
    method = load("drs", vectors="builtin", words=words, structure=structure, order=order)
    batch = method.encode(SENTENCES)
    vector = unpacked(batch.shared["vector"]).astype(float)
    starts = batch.parts["node"].indptr
    lemma = batch.parts["node"].columns["lemma"]
    of = [vector[lemma[starts[i] : starts[i + 1]]] for i in range(len(batch))]
    expected = [
        [
            naive.score(
                batch.graphs[i], batch.graphs[j], lambda k, h, i=i, j=j: of[i][k] @ of[j][h], shares
            )
            for j in range(len(batch))
        ]
        for i in range(len(batch))
    ]
    np.testing.assert_allclose(method.similarity(batch, batch), expected, atol=1e-5)


def test_the_measures_by_hand() -> None:
    dog, bite, man = np.eye(3)
    first = Structure(np.array([dog, bite, man]), np.array([[1, 0, 7, 0], [1, 2, 8, 0]]))
    second = Structure(np.array([man, bite, dog]), np.array([[1, 0, 7, 0], [1, 2, 8, 0]]))
    compared = compare(first, second)
    assert compared.words == 1
    assert compared.relations == 0.5  # agent(bite, .) and patient(bite, .): the verb alone is alike
    # p = 1 2 3 3 2 1, q = 3 2 1 1 2 3: |p - q|^2 = 16, |p + q|^2 = 96.
    assert compared.order == pytest.approx(1 - np.sqrt(16 / 96))
    assert compared.score((1, 1, 2)) == pytest.approx((1 + 0.5 + 2 * compared.order) / 4)


def test_a_negated_relation_has_no_counterpart_outside_its_box() -> None:
    method = load("drs", vectors="builtin", words=0, order=0)
    plain, denied = SENTENCES[0], SENTENCES[3]
    assert method.similarity(plain, denied) == 0
    assert method.similarity(denied, denied) == 1
    assert load("drs", vectors="builtin", structure=0).similarity(plain, denied) == 1


def test_without_relations_words_and_order_are_left() -> None:
    alone = load("drs", vectors="builtin", words=0, order=0)
    assert alone.similarity("Rain.", "Rain.") == 1
    assert alone.similarity("Rain.", SENTENCES[0]) == 0
    both = load("drs", vectors="builtin")
    assert both.similarity("Rain.", "Rain.") == 1


def test_phrases_of_other_parsers_become_concepts() -> None:
    graph = RoleGraph.star(SENTENCES[0], {"Verb": "bit", "Agent": "The dog", "Patient": "the man"})
    method = load("drs", vectors="builtin")
    a, b = method.encode_graphs([graph]), method.encode(SENTENCES[:1])
    assert method.similarity_pairwise(a, b)[0] == 1


def test_an_explanation_names_relations() -> None:
    explanation = load("drs", vectors="builtin").explain(SENTENCES[0], SENTENCES[1])
    relations = [row for row in explanation.rows if row.role == "relation"]
    assert [row.first.label for row in relations[:2]] == ["agent(bit, dog)", "patient(bit, man)"]
    assert sum(row.weight for row in explanation.rows) == pytest.approx(1)


@pytest.mark.parametrize("shares", [(-1, 1, 1), (0, 0, 0), (float("nan"), 1, 1), ("1", 1, 1)])
def test_shares_that_are_none(shares: tuple[float, float, float]) -> None:
    with pytest.raises(InputError, match="are no shares: give numbers of 0 or more"):
        load("drs", words=shares[0], structure=shares[1], order=shares[2])
