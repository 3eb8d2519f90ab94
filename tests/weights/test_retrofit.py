"""Word vectors drawn towards synonyms and pushed from antonyms, and the lists that say which."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive.push import naive_push

from compsim.weights.lexicons.antonyms import ANTONYMS, antonyms, push_apart
from compsim.weights.lexicons.inflection import Tables, forms
from compsim.weights.lexicons.retrofit import LEXICONS, neighbours, retrofit, synonyms

pytest.importorskip("scipy")

NONE = np.empty((0, 2), dtype=np.int64)


def some_vectors(count: int, dim: int = 5) -> np.ndarray:
    return np.random.default_rng(3).normal(size=(count, dim))


@given(
    st.sets(st.tuples(st.integers(0, 4), st.integers(5, 8)), min_size=1),
    st.integers(0, 6),
    st.sampled_from([0.0, 0.02, 0.3]),
)
def test_pushing_is_as_the_naive_form(
    pairs: set[tuple[int, int]], rounds: int, pull: float
) -> None:
    vectors, listed = some_vectors(9), np.array(sorted(pairs))
    pushed = push_apart(vectors, listed, rounds=rounds, step=0.5, pull=pull)
    np.testing.assert_allclose(pushed, naive_push(vectors, listed, rounds, 0.5, pull), atol=1e-9)


def test_antonyms_come_apart_and_nothing_else_moves() -> None:
    vectors = some_vectors(40, 8) + 1.0
    pairs = np.array([(i, i + 1) for i in range(0, 20, 2)])
    before = vectors.copy()
    pushed = push_apart(vectors, pairs)
    a, b = pushed[pairs[:, 0]], pushed[pairs[:, 1]]
    assert ((a * b).sum(axis=1) <= 0).all()
    np.testing.assert_allclose(np.linalg.norm(pushed, axis=1), np.linalg.norm(vectors, axis=1))
    np.testing.assert_array_equal(pushed[20:], vectors[20:])
    np.testing.assert_array_equal(vectors, before)


def test_words_are_drawn_towards_their_neighbours() -> None:
    vectors = some_vectors(4)
    near = {0: {1: 1.0, 2: 3.0}, 1: {0: 1.0}, 2: {0: 3.0}, 3: {}}
    pairs = np.array([(a, b) for a, others in near.items() for b in others])
    weights = np.array([weight for others in near.values() for weight in others.values()])
    expected = old = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for _ in range(10):
        expected = np.array(
            [
                0.4 * old[i] + 0.6 * sum(w * expected[k] for k, w in others.items()) / total
                if (total := sum(others.values()))
                else old[i]
                for i, others in near.items()
            ]
        )
    np.testing.assert_allclose(retrofit(vectors, pairs, weights, share=0.6), expected)


def test_synonyms_follow_a_word_away_from_its_antonym() -> None:
    # 0 and 1 are antonyms, 2 is a synonym of 0.
    vectors = np.array([[1.0, 0.3, 0.0], [1.0, -0.3, 0.0], [1.0, 0.1, 0.2]])
    pairs, apart = np.array([[0, 2], [2, 0]]), np.array([[0, 1]])
    drawn = retrofit(vectors, pairs, share=0.7)
    pushed = retrofit(vectors, pairs, antonyms=apart, share=0.7)

    def cosine(moved: np.ndarray) -> float:
        return float(moved[2] @ moved[1] / np.linalg.norm(moved[2]) / np.linalg.norm(moved[1]))

    assert cosine(pushed) < cosine(drawn) - 0.3


def test_antonyms_are_no_neighbours() -> None:
    near = np.array([[0, 1], [1, 0], [1, 2], [2, 1]])
    pairs, weights = neighbours(near, np.array([[3, 2]]), np.array([[0, 1]]), 3.0)
    assert pairs.tolist() == [[1, 2], [2, 1], [2, 3], [3, 2]]
    assert weights.tolist() == [1, 1, 3, 3]


def write(folder: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        (folder / name).write_bytes(gzip.compress(text.encode()))
    return folder


def test_synonyms_are_read_in_both_directions(tmp_path: Path) -> None:
    lexicons = ("big large huge\ncat feline\n", "big\tantonym\tsmall\nsmall\tsynonym\tlittle\n")
    write(tmp_path, dict(zip(LEXICONS, lexicons, strict=True)))
    words = ["big", "large", "small", "little", "dog"]
    assert synonyms(words, tmp_path).tolist() == [[0, 1], [1, 0], [2, 3], [3, 2]]
    assert synonyms(["dog"], tmp_path).shape == (0, 2)


def test_antonyms_hold_for_all_forms(tmp_path: Path) -> None:
    lexicons = ("win lose\n", "hot\tantonym\tcold\nhot\tsynonym\twarm\n")
    write(tmp_path, dict(zip(ANTONYMS, lexicons, strict=True)))
    words = ["win", "lose", "won", "hot", "cold", "warm"]
    result = antonyms(words, tmp_path, [("won", "win")], NONE)
    assert result.tolist() == [[0, 1], [1, 2], [3, 4]]
    assert antonyms(["win"], tmp_path, [], NONE).shape == (0, 2)


def test_verbs_with_opposite_particles_are_antonyms(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(ANTONYMS, ""))
    words = ["turn_on", "turn_off", "slow_up", "slow_down", "fill_in", "fill_out", "complete"]
    # Those of slow are synonyms, those of fill have one in common; go_up has no opposite here.
    near = np.array([[2, 3], [3, 2], [4, 6], [6, 4], [5, 6], [6, 5]])
    assert antonyms([*words, "go_up"], tmp_path, [], near).tolist() == [[0, 1]]


def test_forms_have_the_lemma_of_the_tables() -> None:
    tables = Tables(
        {"verb": {"won": ["win"], "bit": ["bite"]}, "adj": {"better": ["good"]}},
        {"verb": {"win", "bite", "hop", "hope", "numb"}, "noun": {"bit"}, "adj": {"good", "numb"}},
    )
    words = ["win", "won", "bite", "bit", "bits", "hope", "hop", "hoping", "good", "better"]
    assert set(forms([*words, "numb", "numbs", "numbed", "king"], tables)) == {
        ("won", "win"), ("bit", "bite"), ("bits", "bit"), ("hoping", "hope"), ("better", "good"),
        ("numbs", "numb"), ("numbed", "numb"),
    }  # fmt: skip
