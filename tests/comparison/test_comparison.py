"""Aligned role graphs: terms, conflicts, symmetry, batches, and the compiled kernel."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from concept_encoder import opened
from hypothesis import given, settings
from hypothesis import strategies as st

from compsim.comparison.batch import ConceptBatch, ConceptEncoder
from compsim.comparison.concepts import CONFLICTS, KINDS
from compsim.comparison.kernel import terms_at
from compsim.comparison.pairs import TERMS, Room
from compsim.comparison.roles import RoleTable
from compsim.comparison.single import compare_one, compared_in
from compsim.comparison.trace import CAUSES
from compsim.graph import Edge, Node, RoleGraph
from compsim.parsers import load

ROLES = ("agent", "patient", "attribute", "on", "above", "near", "with", "of")
LEMMAS = (
    ("dog", "NOUN"), ("cat", "NOUN"), ("man", "NOUN"), ("chase", "VERB"), ("bite", "VERB"),
    ("black", "ADJ"), ("white", "ADJ"), ("two", "NUM"), ("Rome", "PROPN"), ("it", "PRON"),
)  # fmt: skip


@pytest.fixture(scope="module")
def encoder() -> ConceptEncoder:
    return opened()


@st.composite
def graphs(draw: st.DrawFn) -> RoleGraph:
    """Small graphs of concepts over few lemmas, so that equal words and equal edges are common."""
    picked = draw(st.lists(st.sampled_from(LEMMAS), min_size=1, max_size=5))
    flags = draw(st.lists(st.booleans(), min_size=len(picked), max_size=len(picked)))
    nodes = tuple(
        Node(lemma, features=(("lemma", lemma), *((("negated", "yes"),) * flag), ("pos", pos)))
        for (lemma, pos), flag in zip(picked, flags, strict=True)
    )
    ends = st.integers(0, len(nodes) - 1)
    triples = draw(st.lists(st.tuples(ends, st.sampled_from(ROLES), ends), max_size=6))
    edges = tuple(Edge(a, role, b) for a, role, b in dict.fromkeys(triples) if a != b)
    return RoleGraph(nodes, edges, 0)


def swap(batch: ConceptBatch) -> ConceptBatch:
    return batch[np.array([1, 0])]


@given(graphs(), graphs())
def test_terms_are_shares_and_symmetric_to_the_bit(first: RoleGraph, second: RoleGraph) -> None:
    batch = opened().encode([first, second])
    row, *_ = compare_one(batch, 0, batch, 1)
    assert ((row >= 0) & (row <= 1 + 1e-12)).all()
    back, *_ = compare_one(batch, 1, batch, 0)
    assert row.tolist() == back.tolist()


@given(graphs())
def test_a_graph_agrees_with_itself_without_conflict(graph: RoleGraph) -> None:
    batch = opened().encode([graph, graph])
    row, *_ = compare_one(batch, 0, batch, 1)
    joined = float(row[TERMS.index("coverage")])
    assert row.tolist() == pytest.approx(
        [1.0, 0.0, *[0.0] * len(CONFLICTS), float(joined > 0.0), joined, 0.0, 0.0, 1.0, 0.0]
    )


def filled(batch: ConceptBatch) -> Room:
    """Room with the likeness of the concepts of two sentences."""
    from compsim.comparison.likeness import fill_likeness
    from compsim.comparison.single import make_room
    from compsim.vectors.relations import Relations

    x, lexical, roles = batch.arrays, Relations.open().arrays, RoleTable.open().arrays
    room = make_room(x, x)
    fill_likeness(x, 0, x, 1, lexical, roles, room.like, room.kinds, room.strengths)
    return room


def fillers_by_hand(batch: ConceptBatch) -> tuple[float, float]:
    """The terms "fillers" and "coverage" of two sentences, by dictionaries."""
    x, roles = batch.arrays, RoleTable.open().arrays
    room = filled(batch)
    n, m = (int(size) for size in batch.sizes)
    like = room.like[: n * m].reshape(n, m)
    edges = [
        [
            (int(x.source[e]), int(x.target[e]), int(x.role[e]), float(x.confidence[e]))
            for e in range(x.edge[i], x.edge[i + 1])
        ]
        for i in (0, 1)
    ]
    weights = x.weight[:n].astype(float), x.weight[n:].astype(float)
    means, shares = [], []
    for mine, other, near, weight in (
        (edges[0], edges[1], like, weights[0]),
        (edges[1], edges[0], like.T, weights[1]),
    ):
        pairs, sure = [], dict.fromkeys(range(len(weight)), 0.0)
        for a, b, r, confidence in mine:
            result = [
                fits * np.sqrt(near[a, c] * near[b, d])
                for u, v, s, _ in other
                for fits, c, d in ((roles.compatible[r, s], u, v), (roles.turned[r, s], v, u))
                if fits >= 0.7
            ]
            if roles.core[r] and result:
                pairs.append((confidence * (weight[a] + weight[b]), max(result)))
                sure |= {end: max(sure[end], confidence) for end in (a, b)}
        if not pairs:
            return 0.0, 0.0
        counts, values = np.array(pairs).T
        means.append(float(counts @ values / counts.sum()))
        shares.append(sum(weight[p] * sure[p] for p in sure) / float(weight.sum()))
    return sum(means) / 2, sum(shares) / 2


@given(graphs(), graphs())
def test_concepts_in_the_same_roles_are_compared(first: RoleGraph, second: RoleGraph) -> None:
    batch = opened().encode([first, second])
    row, *_ = compare_one(batch, 0, batch, 1)
    result = [row[TERMS.index(name)] for name in ("fillers", "coverage")]
    assert result == pytest.approx(fillers_by_hand(batch), abs=1e-6)


@given(graphs(), graphs())
def test_what_one_sentence_has_besides(first: RoleGraph, second: RoleGraph) -> None:
    batch = opened().encode([first, second])
    row, room, *_ = compare_one(batch, 0, batch, 1)
    n, m = (int(size) for size in batch.sizes)
    pairs = compared_in(room, row, n, m).pairs
    weight, kind = batch.arrays.weight.astype(float), batch.arrays.kind
    added = []
    for k, (start, graph) in enumerate(((0, first), (n, second))):
        have = {pair[k] for pair in pairs}
        joined = {
            end
            for edge in graph.edges
            for end, other in ((edge.source, edge.target), (edge.target, edge.source))
            if other in have
        }
        more = [
            start + p for p in joined - have if KINDS[kind[start + p]] not in ("event", "pronoun")
        ]
        added.append(weight[more].sum() / weight[start : start + len(graph.nodes)].sum())
    assert row[TERMS.index("addition")] == pytest.approx(abs(added[0] - added[1]), abs=1e-6)


@given(graphs(), graphs())
def test_what_is_left_is_compared_as_a_whole(first: RoleGraph, second: RoleGraph) -> None:
    batch = opened().encode([first, second])
    row, room, *_ = compare_one(batch, 0, batch, 1)
    n, m = (int(size) for size in batch.sizes)
    compared = compared_in(room, row, n, m)
    like = np.zeros((n, m))
    for (p, q), value in zip(compared.pairs, compared.like, strict=True):
        like[p, q] = value
    x = batch.arrays
    vectors, weight = x.vector[x.lemma].astype(float), x.weight.astype(float)
    one = (weight[:n] * (1.0 - like.sum(axis=1))) @ vectors[:n]
    other = (weight[n:] * (1.0 - like.sum(axis=0))) @ vectors[n:]
    length = float(np.linalg.norm(one) * np.linalg.norm(other))
    expected = (max(0.0, float(one @ other)) / length) ** 1.5 if length > 0.0 else 0.0
    result = float(row[TERMS.index("rest")])
    assert result == pytest.approx(expected if row[0] < 1.0 else 0.0, abs=1e-6)


def best_by_trying(batch: ConceptBatch) -> float:
    """The largest weight of a one-to-one alignment, by trying every one: nodes, then edges."""
    from compsim.comparison.likeness import LEAST
    from compsim.comparison.pairs import _EDGE

    x, roles = batch.arrays, RoleTable.open().arrays
    room = filled(batch)
    n, m = int(x.node[1]), int(x.node[2] - x.node[1])
    weight = x.weight.astype(np.float64)
    sides = [
        [
            (int(x.source[e]), int(x.target[e]), int(x.role[e]),
             _EDGE * float(x.confidence[e])
             * min(weight[start + x.source[e]], weight[start + x.target[e]]))
            for e in range(x.edge[i], x.edge[i + 1])
        ]
        for i, start in ((0, 0), (1, n))
    ]  # fmt: skip
    best = 0.0
    for image in itertools.product(range(-1, m), repeat=n):
        used = [q for q in image if q >= 0]
        if len(set(used)) < len(used):
            continue
        total = 0.0
        for p, q in enumerate(image):
            like = room.like[p * m + q] if q >= 0 else 0.0
            if q >= 0 and like < LEAST:
                break
            total += like * np.sqrt(weight[p] * weight[n + q]) if q >= 0 else 0.0
        else:
            best = max(best, total + most_of_edges(image, *sides, roles))
    return best


def most_of_edges(image: tuple[int, ...], first: list, second: list, roles: object) -> float:
    """The largest worth of edges paired one to one under an alignment, by trying all pairings."""
    pairs = []
    for e, (a, b, r, w) in enumerate(first):
        for f, (c, d, s, v) in enumerate(second):
            worth = 0.0
            if (image[a], image[b]) == (c, d):
                worth = roles.compatible[r, s] * min(w, v)
            elif (image[a], image[b]) == (d, c):
                worth = roles.turned[r, s] * min(w, v)
            if worth > 0:
                pairs.append((e, f, worth))

    def best(rest: list, used: frozenset, taken: frozenset) -> float:
        if not rest:
            return 0.0
        (e, f, worth), *others = rest
        without = best(others, used, taken)
        if e in used or f in taken:
            return without
        return max(without, worth + best(others, used | {e}, taken | {f}))

    return best(pairs, frozenset(), frozenset())


@settings(max_examples=25, deadline=None)
@given(graphs(), graphs())
def test_no_alignment_weighs_more(first: RoleGraph, second: RoleGraph) -> None:
    small = [RoleGraph(g.nodes[:4], tuple(e for e in g.edges if max(e.source, e.target) < 4), 0)
             for g in (first, second)]  # fmt: skip
    batch = opened().encode(small)
    _, _, weight, bound = compare_one(batch, 0, batch, 1)
    assert weight == pytest.approx(best_by_trying(batch), abs=1e-6)
    assert bound == pytest.approx(weight, abs=1e-9)


SENTENCES = (
    "The nurse called the doctor.",
    "The doctor was called by the nurse.",
    "The doctor called the nurse.",
    "A lamp stands on a shelf.",
    "A shelf stands on a lamp.",
    "The old farmer sold two horses.",
    "The young farmer sold three horses.",
    "Maria never answered the letter.",
    "Maria answered the letter.",
    "",
    "!!!",
)


def test_compiled_kernel_equals_plain_python(encoder: ConceptEncoder) -> None:
    batch = encoder.encode(load("concepts").parse(SENTENCES))
    i, j = np.indices((len(batch), len(batch)))
    table = terms_at(batch, i.ravel(), batch, j.ravel()).reshape(*i.shape, -1)
    for i, j in itertools.product(range(len(SENTENCES)), repeat=2):
        row, *_ = compare_one(batch, i, batch, j)
        assert table[i, j].tolist() == pytest.approx(row.tolist(), abs=1e-6), (i, j)
    assert table.tolist() == np.swapaxes(table, 0, 1).tolist()


def test_parts_of_a_batch_are_compared_as_the_whole(encoder: ConceptEncoder) -> None:
    batch = encoder.encode(load("concepts").parse(SENTENCES))
    places = np.array([5, 2, 7, 0])
    joined = ConceptBatch.concat([batch[i] for i in places.tolist()])
    chosen = batch[places]
    # The lemmas of no other sentence are kept.
    assert len(joined.shared["key"]) < len(batch.shared["key"])
    other = batch[np.array([6, 0, 8, 1])]
    rows = np.arange(len(places))
    result, expected = (terms_at(each, rows, other, rows) for each in (joined, chosen))
    assert result.tolist() == expected.tolist()


def conflicts_of(first: str, second: str) -> dict[str, set[str]]:
    """The causes of the conflicts of two sentences by type."""
    batch = opened().encode(load("concepts").parse([first, second]))
    _, room, *_ = compare_one(batch, 0, batch, 1)
    result: dict[str, set[str]] = {}
    for k in range(int(room.trace.count[0])):
        result.setdefault(CONFLICTS[room.trace.kind[k]], set()).add(CAUSES[room.trace.cause[k]])
    return result


@pytest.mark.parametrize(
    ("first", "second", "kind", "cause"),
    [
        ("The nurse called the doctor.", "The doctor called the nurse.", "roles", "exchanged"),
        ("A lamp stands on a shelf.", "A shelf stands on a lamp.", "direction", "contrary"),
        ("The bank is behind the church.", "The bank is in front of the church.", "direction",
         "contrary"),
        ("The tall waiter sang.", "The short waiter sang.", "attribute", "replaced"),
        ("The farmer sold two horses.", "The farmer sold three horses.", "quantity", "replaced"),
        ("Maria never answered.", "Maria answered.", "polarity", "denied"),
        ("A black horse chased a white cow.", "A white horse chased a black cow.", "binding",
         "bound"),
        ("Ada met Tom, and Ada's car broke.", "Ada met Tom, and Tom's car broke.", "binding",
         "filled"),
        ("The suspect was followed home.", "The suspect followed us home.", "roles", "role"),
        ("Nobody likes her.", "She likes nobody.", "roles", "role"),
        ("She had her car repaired.", "She repaired her car.", "roles", "role"),
        ("The book is written by Lem.", "The book is written about Lem.", "direction", "contrary"),
        ("Take it before meals.", "Take it with meals.", "roles", "contrary"),
        ("No duck swam.", "Some ducks did not swim.", "quantity", "quantifier"),
        ("The vet advised against a bath.", "The vet advised a bath.", "polarity", "denied"),
    ],
)  # fmt: skip
def test_conflicts_are_typed(first: str, second: str, kind: str, cause: str) -> None:
    assert cause in conflicts_of(first, second).get(kind, set())


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The nurse called the doctor.", "The doctor was called by the nurse."),
        ("A lamp stands on a shelf.", "There is a lamp on a shelf."),
        ("The bank is behind the church.", "The church is in front of the bank."),
        ("A chair is next to a desk.", "A desk is near a chair."),
        ("Tom and Anna danced.", "Anna and Tom danced."),
        ("The waiter is tall.", "The waiter who is tall."),
        ("A horse in a field of grass is eating.", "A horse eats in a field of grass."),
        ("The ice melted.", "The ice was melted."),
        ("The cook washed and peeled it.", "The cook peeled and washed it."),
        ("Somebody took the pen.", "The pen was taken."),
    ],
)
def test_what_says_the_same_has_no_conflict(first: str, second: str) -> None:
    assert conflicts_of(first, second) == {}


def test_terms_have_names() -> None:
    others = ("fillers", "coverage", "addition", "wording", "nearness", "rest")
    assert ("agreement", "gap", *CONFLICTS, *others) == TERMS
