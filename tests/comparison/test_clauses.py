"""Long texts compared clause by clause: as sentences are, in linear time and memory."""

from __future__ import annotations

import random
import tracemalloc
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from concept_encoder import opened

from compsim import load
from compsim.comparison.batch import ConceptBatch
from compsim.comparison.clauses import LONG, _cut, _partners, compare_clauses, compare_pair
from compsim.comparison.concepts import CONFLICTS, TERMS
from compsim.comparison.method import ConceptMethod, terms_of_pairs
from compsim.comparison.single import compare_one
from compsim.graph import RoleGraph
from compsim.parsers import load as load_parser

WHO = ("nurse", "farmer", "pilot", "baker", "judge", "sailor", "teacher", "miller")
DID = ("called", "thanked", "painted", "followed", "warned", "visited", "fed", "praised")
WHOM = ("horse", "child", "goat", "guest", "duck", "sister", "clerk", "cousin")
WHERE = ("in the garden", "near the river", "at the station", "behind the old church")


def sentences(count: int, seed: int = 0) -> list[str]:
    """Ordinary sentences made by chance."""
    draw = random.Random(seed)
    return [
        f"The {draw.choice(WHO)} {draw.choice(DID)} a {draw.choice(WHOM)} {draw.choice(WHERE)}."
        for _ in range(count)
    ]


@pytest.fixture(scope="module")
def method() -> ConceptMethod:
    return load("verbnet-cn", vectors="builtin")


def joined(graphs: list[RoleGraph]) -> RoleGraph:
    """One graph of several texts, each behind the last."""
    starts = np.cumsum([0, *(len(graph.nodes) for graph in graphs)]).tolist()
    edges = [
        replace(edge, source=edge.source + start, target=edge.target + start)
        for graph, start in zip(graphs, starts, strict=False)
        for edge in graph.edges
    ]
    nodes = tuple(chain.from_iterable(graph.nodes for graph in graphs))
    return RoleGraph(nodes, tuple(edges), 0, " ".join(graph.text for graph in graphs))


def test_texts_of_twelve_sentences_are_compared_as_a_whole(method: ConceptMethod) -> None:
    listed = sentences(24)
    batch = method.encode([" ".join(listed[:12]), " ".join(listed[12:])])
    assert batch.sizes.max() <= LONG
    whole, *_ = compare_one(batch, 0, batch, 1)
    assert compare_pair(batch, 0, batch, 1).terms.tolist() == pytest.approx(whole.tolist())
    assert terms_of_pairs(batch[:1], batch[1:])[0].tolist() == pytest.approx(whole.tolist())


def test_by_clauses_and_as_a_whole_are_near_each_other(method: ConceptMethod) -> None:
    listed = sentences(40, 1)
    texts = [" ".join(part) for part in (listed[:10], listed[20:30], listed[5:15], listed[::4])]
    batch = method.encode(texts)
    for i, j in ((0, 1), (0, 2), (2, 3), (0, 3)):
        whole, *_ = compare_one(batch, i, batch, j)
        clauses = compare_clauses(batch, i, batch, j).terms
        assert clauses[0] == pytest.approx(whole[0], abs=0.03)


def test_a_long_text_is_like_itself_in_any_order_and_less_like_another(
    method: ConceptMethod,
) -> None:
    listed = sentences(160, 2)
    shuffled = random.Random(3).sample(listed, len(listed))
    others = sentences(160, 4)
    a, b, c = (method.encode([" ".join(part)]) for part in (listed, shuffled, others))
    assert a.sizes[0] > LONG
    assert float(method.similarity_pairwise(a, a)[0]) == 1.0
    result = [float(method.similarity_pairwise(a, other)[0]) for other in (b, c)]
    back = [float(method.similarity_pairwise(other, a)[0]) for other in (b, c)]
    assert result == back
    assert result[0] > 0.99
    assert result[1] < 0.95


def test_a_batch_of_long_and_short_texts_is_scored_as_one_by_one(method: ConceptMethod) -> None:
    long = [" ".join(sentences(count, count)) for count in (90, 140)]
    texts = [*sentences(4, 7), *long, "", "!!!"]
    matrix = method.similarity(texts, texts)
    assert np.isfinite(matrix).all()
    for i, j in ((4, 5), (0, 4), (5, 4), (4, 6), (7, 5), (1, 2)):
        one = float(method.similarity_pairwise([texts[i]], [texts[j]])[0])
        assert matrix[i, j] == pytest.approx(one, abs=1e-6)


def test_conflicts_of_a_clause_are_told_where_they_stand(method: ConceptMethod) -> None:
    listed = [f"The nurse number {n} called a doctor." for n in range(100)]
    changed = [*listed[:60], "The nurse number 60 never called a doctor.", *listed[61:]]
    for first, second in ((listed, changed), (changed, listed)):
        told = method.explain(" ".join(first), " ".join(second))
        assert sum(row.contribution for row in told.rows) == pytest.approx(told.score, abs=1e-6)
        (row,) = [row for row in told.conflicts if row.role == "conflict: polarity"]
        (conflict,) = row.conflicts
        (node,) = conflict.first
        assert node.span is not None
        assert " ".join(first)[: node.span[0]].count(".") == 60


@pytest.mark.parametrize(
    "text",
    [
        "The dog bit the man. " * 500,
        "the dog bit the man and " * 500,
        "he said that " * 500,
        "red, blue, " * 500,
        "a,b;" * 500,
    ],
)
def test_clauses_are_few_and_meet_few(method: ConceptMethod, text: str) -> None:
    batch = method.encode([text, "The cat saw " + text])
    x, y = (_cut(batch[i : i + 1].arrays) for i in (0, 1))
    rows = _partners(x, y)
    cells = sum(int(np.diff(x.start)[u] * np.diff(y.start)[v]) for u, v in rows)
    assert cells <= 48 * min(batch.sizes)
    assert len(rows) == min(len(x.share), len(y.share))
    assert len({u for u, _ in rows}) == len({v for _, v in rows}) == len(rows)
    assert 0.0 <= float(method.similarity_pairwise(batch[:1], batch[1:])[0]) <= 1.0


def test_a_text_of_a_hundred_kilobytes_takes_no_square_of_its_size() -> None:
    texts = [" ".join(sentences(160, seed)) for seed in range(4)]
    graphs = load_parser("concepts").parse(texts) * 4
    long = joined(graphs)
    assert len(long.text) > 100_000
    batch = opened().encode([long, joined(graphs[::-1])])
    compare_pair(batch, 0, batch, 0)  # what is made once
    tracemalloc.start()
    terms = compare_pair(batch, 0, batch, 1).terms
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # One float64 for each pair of concepts would be 950 MB.
    assert int(batch.sizes[0]) ** 2 * 8 > 900e6
    assert peak < 200 << 20
    assert terms[TERMS.index("agreement")] > 0.9


def test_terms_of_clauses_are_shares(method: ConceptMethod) -> None:
    texts = [" ".join(sentences(70, seed)) for seed in range(4)]
    batch: ConceptBatch = method.encode(texts)
    for i in range(4):
        terms = compare_clauses(batch, i, batch, (i + 1) % 4).terms
        assert ((terms >= 0.0) & (terms <= 1.0)).all()
        same = compare_clauses(batch, i, batch, i).terms
        assert same[0] == 1.0
        assert same[1] == pytest.approx(0.0, abs=1e-12)
        assert not same[[TERMS.index(name) for name in CONFLICTS]].any()


def test_edges_are_told_once_however_many_conflicts_there_are(
    method: ConceptMethod, monkeypatch: pytest.MonkeyPatch
) -> None:
    from compsim.comparison import sentences as plain

    calls = 0
    quoted, pairs = plain.quoted, [(who, whom) for who in WHO for whom in WHOM]

    def counted(text: str) -> str:
        nonlocal calls
        calls += 1
        return quoted(text)

    def told(length: int) -> int:
        nonlocal calls
        calls = 0
        method.explain(
            " ".join(f"The {who} called the {whom}." for who, whom in pairs[:length]),
            " ".join(f"The {whom} called the {who}." for who, whom in pairs[:length]),
        )
        return calls

    monkeypatch.setattr(plain, "quoted", counted)
    short, long = told(12), told(48)
    # What is quadratic takes 16 times as many.
    assert short < long < 6 * short
