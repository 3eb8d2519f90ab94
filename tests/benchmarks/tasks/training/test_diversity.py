"""The tree kernel against its definition, trees, and bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive import tree_kernel as naive

from compsim.benchmarks.datasets.trees.phrase_structure import (
    PhraseTree,
    read_brackets,
    read_phrase_trees,
)
from compsim.benchmarks.stats.tree_kernel import kernel, mean_similarity
from compsim.benchmarks.task import run
from compsim.benchmarks.tasks.training.diversity import diversity
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.errors import DataError, InputError

words = st.sampled_from(["a", "b", "C"]).map(lambda word: PhraseTree("N", word=word))
labels = st.sampled_from(["S", "NP"])
trees = st.recursive(
    words,
    lambda below: st.builds(PhraseTree, labels, st.lists(below, min_size=1, max_size=3).map(tuple)),
    max_leaves=5,
)


@given(st.lists(trees, min_size=2, max_size=4), st.sampled_from([1.0, 0.4]), st.booleans())
def test_the_kernel_is_the_number_of_common_subtrees(
    given_trees: list[PhraseTree], decay: float, of_words: bool
) -> None:
    result = kernel(given_trees, decay, of_words)
    for i, a in enumerate(given_trees):
        for j, b in enumerate(given_trees):
            assert result[i, j] == pytest.approx(naive.kernel(a, b, decay, of_words))


@given(trees)
def test_brackets_are_read_as_they_are_written(tree: PhraseTree) -> None:
    assert read_brackets(str(tree)) == [tree]


def test_the_mean_is_of_pairs_of_different_trees() -> None:
    shares = np.array([[1, 0.2, 0.4], [0.2, 1, 0.6], [0.4, 0.6, 1]])
    mean, low, high = mean_similarity(shares)
    assert mean == pytest.approx(0.4)
    assert low <= mean <= high
    with pytest.raises(InputError, match="1 trees have no pairs"):
        mean_similarity(np.ones((1, 1)))
    with pytest.raises(InputError, match="decay=0"):
        kernel([], decay=0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(S (N a)", "not closed"),
        ("(S (N a)))", "was not opened"),
        ("(S (N a)) b", "outside of all brackets"),
        ("(S (N a) b)", "neither nodes only nor one word"),
        ("(S (N a b))", "neither nodes only nor one word"),
        ("(S)", "neither nodes only nor one word"),
        ("(S " * 401, "deeper than 400"),
        ("", "no tree"),
    ],
)
def test_brackets_that_are_no_trees(text: str, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        read_brackets(text)


def test_plain_sentences_get_trees(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("The dog has bitten the man.\nCats sleep.\n\nWhat a day!\n")
    phrase_trees = read_phrase_trees(file)
    assert str(phrase_trees[0]) == (
        "(ROOT (S (NP (DT The) (NN dog)) (VP (VBZ has) (VBN bitten) (NP (DT the) (NN man))) (. .)))"
    )
    assert len(phrase_trees) == 3


def test_the_evaluation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alike, other = tmp_path / "alike.mrg", tmp_path / "other.txt"
    alike.write_text("( (S (N a) (V b)) )\n( (S (N c) (V d)) )\n")
    other.write_text("Cats sleep.\nIn the garden, the old man has read three books.\n")
    results = run(diversity([alike, other]), workspace=Workspace(tmp_path / "kept"))
    first, second = (row.figures["similarity"].value for row in results.rows)
    assert first == pytest.approx(1.0)
    assert second is not None
    assert second < 0.5
    assert "WebQA, published" in results.to_markdown()
    assert main(["bench", "diversity", str(tmp_path / "none.txt")]) == 2
    assert "is not there" in capsys.readouterr().err
    (tmp_path / "empty.txt").write_text("\n")
    results = run(diversity([tmp_path / "empty.txt"]), workspace=Workspace(tmp_path / "kept"))
    assert "has no sentences" in results.rows[0].reason
