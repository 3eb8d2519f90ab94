"""Finding, describing, scoring and labelling candidates: all at once against one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive.candidates import Candidate, candidate_rows, candidates, sense_row, voice
from toys import make_tree

from compsim.parsers.pipeline.tree import Tree, predicates
from compsim.parsers.roles.candidates import code, extract
from compsim.parsers.roles.labeller import IN, NONE, PLACE, core, decode

DEPS = (
    "nsubj", "nsubjpass", "dobj", "dative", "prep", "pobj", "agent", "relcl", "acl", "advcl",
    "conj", "cc", "aux", "auxpass", "xcomp", "mark", "amod", "prt", "det", "punct", "advmod",
    "ccomp", "attr", "pcomp", "npadvmod",
)  # fmt: skip
WORDS = ("in", "on", "\u00e9", "eat", "cats")
TAGS = ["VBN", "VBZ", "NN", "IN", "TO", "WDT", "RP", "DT"]
LABELS = ["NONE", "IN", "ARG0", "ARG1", "ARG2", "ARGM-LOC", "ARGM-TMP", "R-ARG0"]


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Any tree at all, projective or not."""
    n = draw(st.integers(1, 12))
    order = draw(st.permutations(range(n)))
    heads = list(range(n))
    for place, i in enumerate(order[1:], start=1):
        heads[i] = order[draw(st.integers(0, place - 1))]
    pick = st.lists(st.sampled_from(DEPS), min_size=n, max_size=n)
    deps = ["ROOT" if heads[i] == i else dep for i, dep in enumerate(draw(pick))]
    tags = draw(st.lists(st.sampled_from(TAGS), min_size=n, max_size=n))
    words = draw(st.lists(st.sampled_from(WORDS), min_size=n, max_size=n))
    return make_tree(" ".join(words), " ".join(tags), heads, " ".join(deps))


@given(st.lists(trees(), max_size=4))
def test_all_at_once_finds_what_one_by_one_finds(forest: list[Tree]) -> None:
    tasks = [(tree, list(range(len(tree)))) for tree in forest]
    result = extract(tasks)
    predicates_of = [(tree, head) for tree, heads in tasks for head in heads]
    each = [candidates(tree, head) for tree, head in predicates_of]
    assert result.starts.tolist() == np.cumsum([0, *map(len, each)]).tolist()
    assert result.contexts.tolist() == [sense_row(*where) for where in predicates_of]
    assert result.passive.tolist() == [voice(*where) == "passive" for where in predicates_of]
    rows = [candidate_rows(*where, some) for where, some in zip(predicates_of, each, strict=True)]
    assert result.rows.tolist() == [row for some in rows for row in some]
    flat = [candidate for some in each for candidate in some]
    assert result.heads.tolist() == [candidate.head for candidate in flat]
    assert result.direct.tolist() == [candidate.direct for candidate in flat]
    assert result.above.tolist() == [candidate.above for candidate in flat]
    assert result.places.tolist() == [candidate.inner_place for candidate in flat]


def test_candidates_climb_out_of_a_relative_clause() -> None:
    clause = make_tree(
        "Cats that sleep purr", "NNS WDT VBP VBP", [3, 2, 0, 3], "nsubj nsubj relcl ROOT"
    )
    assert predicates(clause) == [2, 3]
    assert candidates(clause, 2) == [Candidate(0, ("^relcl",)), Candidate(1, ("nsubj",))]
    result = extract([(clause, [2])])
    assert result.above.tolist() == [True, False]


def test_a_phrase_below_a_noun_is_a_candidate_too() -> None:
    plant = make_tree(
        "People saw explosions at plants",
        "NNS VBD NNS IN NNS",
        [1, 1, 1, 2, 3],
        "nsubj ROOT dobj prep pobj",
    )
    assert candidates(plant, 1)[-1] == Candidate(3, ("dobj", "prep"))
    result = extract([(plant, [1])])
    assert result.places.tolist() == [False, False, True]


def test_no_trees_no_candidates() -> None:
    result = extract([])
    assert len(result.heads) == 0
    assert result.starts.tolist() == [0]


def test_codes_are_those_of_the_stored_model() -> None:
    assert [code(text) for text in ("", "prep", "\u00e9t\u00e9")] == [0, 1434529120, 1154575572]


@given(st.lists(trees(), min_size=1, max_size=3), st.integers(0, 2**32 - 1))
def test_labels_are_shared_as_by_plain_python(forest: list[Tree], seed: int) -> None:
    tasks = [(tree, list(range(len(tree)))) for tree in forest]
    result = extract(tasks)
    shape = (len(result.heads), len(LABELS))
    scores = np.random.default_rng(seed).normal(size=shape).astype(np.float32)
    numbered = np.array([core(label) for label in LABELS])
    chosen = decode(scores, result, numbered, LABELS.index("ARGM-LOC")).tolist()
    expected: list[int] = []
    for tree, heads in tasks:
        for head in heads:
            some = candidates(tree, head)
            expected += labels(some, scores[len(expected) : len(expected) + len(some)])
    assert chosen == expected


def labels(results: Sequence[Candidate], scores: npt.NDArray[np.float32]) -> list[int]:
    """Labels of one predicate's candidates, by the rules as they are told."""
    chances = [np.exp(row - row.max()) / np.exp(row - row.max()).sum() for row in scores]
    places = [
        candidate.inner_place and 2 * row[LABELS.index("ARGM-LOC")] > row[IN + 1 :].sum()
        for candidate, row in zip(results, chances, strict=True)
    ]
    for candidate, row in zip(results, chances, strict=True):
        if candidate.direct:
            row[IN] = 0.0
        if candidate.path == ("prep",):
            row[NONE] = 0.0
    chosen: dict[int, int] = {}
    for i in sorted(range(len(results)), key=lambda i: -max(chances[i])):
        for label in sorted(range(len(LABELS)), key=lambda label: -chances[i][label]):
            if not (core(LABELS[label]) and label in chosen.values()):
                chosen[i] = label
                break
    return [
        PLACE if places[i] and chosen[i] in (NONE, IN) else chosen[i] for i in range(len(results))
    ]


@pytest.mark.parametrize("count", [0, 2])
def test_nothing_to_label(count: int) -> None:
    alone = make_tree("Go", "VB", [0], "ROOT")
    result = extract([(alone, [0])] * count)
    scores = np.zeros((0, len(LABELS)), dtype=np.float32)
    assert len(decode(scores, result, np.ones(len(LABELS), dtype=np.bool_), 5)) == 0
