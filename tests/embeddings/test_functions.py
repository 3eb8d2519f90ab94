"""A function of one's own as a method: by name, by file, in evaluations, and what cannot be one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toys import shared_words, toy_pairs, vectors_of_letters

from compsim import load
from compsim.benchmarks import Spec, bench, evaluate, run
from compsim.benchmarks.tasks.minimal_pairs.contrasts import contrasts
from compsim.benchmarks.tasks.similarity.sts import specs_of
from compsim.benchmarks.workspace import Workspace, by_content, key
from compsim.cli import main
from compsim.embeddings.functions import SentenceBatch
from compsim.embeddings.method import EmbeddingMethod
from compsim.errors import DataError, InputError

A, B = ["dogs chase cats", "mice help birds"], ["cats chase dogs", "mice sleep"]


def test_a_function_of_two_lists_gives_scores(tmp_path: Path) -> None:
    method = load("callable", function=shared_words)
    assert not isinstance(method, EmbeddingMethod)
    assert method.similarity_pairwise(A, B).tolist() == [1.0, 0.25]
    assert method.similarity(A, B).tolist() == [[1.0, 0.0], [0.0, 0.25]]
    assert method.similarity(A, []).shape == (2, 0)
    assert method.explain(A[1], B[1]).score == 0.25
    indices, _ = method.top_k(A, B, 1)
    assert indices.tolist() == [[0], [1]]
    batch = method.encode(A)
    batch.save(tmp_path / "batch")
    back = SentenceBatch.load(tmp_path / "batch")
    assert SentenceBatch.concat([back[:1], back[1:]]).texts == A


def test_many_pairs_are_given_some_at_a_time() -> None:
    most = []

    def lengths(first: list[str], second: list[str]) -> Any:
        most.append(len(first))
        return [len(a) - len(b) for a, b in zip(first, second, strict=True)]

    scores = load("callable", function=lengths).similarity(["a" * n for n in range(99)], ["a"] * 99)
    assert max(most) == 4096
    assert scores[7].tolist() == [6.0] * 99


def test_a_function_of_one_list_gives_vectors(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def ones(sentences):\n    return [[1.0, len(s)] for s in sentences]\n")
    by_file = load("callable", function=f"{file}:ones", normalize="zscore")
    assert isinstance(by_file, EmbeddingMethod)
    assert by_file.fit(A + B).normalizer is not None
    assert load("callable", function="toys:vectors_of_letters").embed([]).shape == (0, 26)
    one = load("callable", function=vectors_of_letters).similarity_pairwise(A, B)
    assert one.tolist() == load("callable", function="toys:vectors_of_letters")\
        .similarity_pairwise(A, B).tolist()  # fmt: skip
    # What was kept is found again until the file changes.
    before = key(by_content({"function": f"{file}:ones"}))
    assert before == key(by_content({"function": f"{file}:ones"}))
    file.write_text("def ones(sentences):\n    return [[1.0, len(s) ** 2] for s in sentences]\n")
    assert before != key(by_content({"function": f"{file}:ones"}))
    assert key(by_content({"function": "toys:shared_words"})) is not None


def test_evaluations_take_functions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = toy_pairs(20)
    rated = [0.1 * (i % 7) for i in range(20)]
    data = type(data)(
        data.name,
        tuple(pair._replace(rating=r) for pair, r in zip(data.pairs, rated, strict=True)),
        data.parts,
        data.source,
    )
    named = specs_of("callable:toys:shared_words,callable:toys:vectors_of_letters", None)
    rows = evaluate(data, named, workspace=Workspace(tmp_path / "kept")).rows
    for row, function in zip(rows, (shared_words, vectors_of_letters), strict=True):
        given = bench(data, function, workspace=Workspace("/dev/null")).rows[0]
        assert row.scores == pytest.approx(given.scores)
    file = tmp_path / "triples.tsv"
    file.write_text(
        "phenomenon\tsentence\tsame\tother\nword\tdogs chase cats\tcats chase dogs\tmice sleep\n"
    )
    task = contrasts(file, methods="callable:toys:shared_words")
    assert run(task, workspace=Workspace("/dev/null")).rows[0].figures["won"].value == 1
    assert run(
        type(task)(file, [Spec("mine", model=vectors_of_letters)]), workspace=Workspace("/dev/null")
    ).rows[0].figures["won"].value == 1  # fmt: skip
    assert main(["similarity", "a", "b", "--method", "callable", "-o", "function=toys:none"]) == 2
    assert "toys has no 'none'" in capsys.readouterr().err


def three(a: Any, b: Any, c: Any) -> None: ...


def fails(sentences: list[str]) -> Any:
    raise RuntimeError("out of memory")


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("toys", "no package.module:function"),
        ("no_such_module:f", "no module 'no_such_module' here: put its folder on PYTHONPATH"),
        ("none.py:f", "there is no file none.py"),
        ("toys:KNOWN", "'KNOWN' of toys cannot be called"),
        (3, "3 cannot be called"),
        (three, "three must be given 3 arguments"),
        (print, "print must be given 0 arguments"),
    ],
)
def test_what_is_no_function(function: Any, reason: str) -> None:
    with pytest.raises(InputError, match=re.escape(reason)):
        load("callable", function=function)


def test_answers_that_are_none() -> None:
    def vectors(answer: Any) -> Any:
        return load("callable", function=lambda sentences: answer)

    with pytest.raises(DataError, match=r"shape \(1, 2\) for 2 sentences: give one row"):
        vectors([[1, 2]]).encode(A)
    with pytest.raises(DataError, match=r"shape .* one row of numbers for each sentence"):
        vectors([1, 2]).encode(A)
    with pytest.raises(DataError, match="NaN or infinity for 'mice help birds'"):
        vectors([[1, 2], [np.nan, 1]]).encode(A)
    with pytest.raises(DataError, match="gave no numbers"):
        vectors([["a"], ["b"]]).encode(A)
    with pytest.raises(DataError, match="one similarity for each pair"):
        load("callable", function=lambda a, b: [1]).similarity_pairwise(A, B)
    scores = load("callable", function=lambda a, b: [np.nan] * len(a)).similarity_pairwise(A, B)
    assert np.isnan(scores).all()
    with pytest.raises(InputError, match="are not normalised"):
        load("callable", function=shared_words, normalize="zscore")
    row = bench(toy_pairs(4), fails, workspace=Workspace("/dev/null")).rows[0]
    assert (row.status, row.reason) == ("failed", "RuntimeError: out of memory")
