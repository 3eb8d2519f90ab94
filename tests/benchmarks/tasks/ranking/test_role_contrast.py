"""Role contrasts: gold trees, what is made of them, the ranking, and EWT itself."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from compsim.benchmarks.datasets.ranking.role_contrast import (
    Contrast,
    RoleContrast,
    open_role_contrast,
)
from compsim.benchmarks.datasets.trees.gold import read_gold_trees
from compsim.benchmarks.task import Spec, run
from compsim.benchmarks.tasks.ranking.rerank import rerank
from compsim.benchmarks.tasks.ranking.role_contrast import Contrasted
from compsim.benchmarks.workspace import Workspace
from compsim.cli import main
from compsim.embeddings.arithmetic import MeanMethod
from compsim.errors import DataError

pytest.importorskip("lemminflect")

#: In the form of EWT with PropBank: a main clause, one below it, and one beside it.
SENTENCE = """\
# text = I think that the dog bit the man in the park, and a cat was seen by Ann.
1\tI\tI\tPRON\tPRP\t_\t2\tnsubj\t_\t(ARG0*)\t*\t*
2\tthink\tthink\tVERB\tVBP\t_\t0\troot\tthink.01\t(V*)\t*\t*
3\tthat\tthat\tSCONJ\tIN\t_\t6\tmark\t_\t(ARG1*\t*\t*
4\tthe\tthe\tDET\tDT\t_\t5\tdet\t_\t*\t(ARG0*\t*
5\tdog\tdog\tNOUN\tNN\t_\t6\tnsubj\t_\t*\t*)\t*
6\tbit\tbite\tVERB\tVBD\t_\t2\tccomp\tbite.01\t*\t(V*)\t*
7\tthe\tthe\tDET\tDT\t_\t8\tdet\t_\t*\t(ARG1*\t*
8\tman\tman\tNOUN\tNN\t_\t6\tobj\t_\t*\t*)\t*
9\tin\tin\tADP\tIN\t_\t11\tcase\t_\t*\t(ARGM-LOC*\t*
10\tthe\tthe\tDET\tDT\t_\t11\tdet\t_\t*\t*\t*
11\tpark\tpark\tNOUN\tNN\t_\t6\tobl\t_\t*)\t*)\t*
12\t,\t,\tPUNCT\t,\t_\t17\tpunct\t_\t*\t*\t*
13\tand\tand\tCCONJ\tCC\t_\t17\tcc\t_\t*\t*\t*
14\ta\ta\tDET\tDT\t_\t15\tdet\t_\t*\t*\t(ARG1*
15\tcat\tcat\tNOUN\tNN\t_\t17\tnsubj:pass\t_\t*\t*\t*)
16\twas\tbe\tAUX\tVBD\t_\t17\taux:pass\t_\t*\t*\t*
17\tseen\tsee\tVERB\tVBN\t_\t2\tconj\tsee.01\t*\t*\t(V*)
18\tby\tby\tADP\tIN\t_\t19\tcase\t_\t*\t*\t(ARG0*
19\tAnn\tAnn\tPROPN\tNNP\t_\t17\tobl:agent\t_\t*\t*\t*)
20\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t*\t*\t*
"""
BIT = "The dog bit the man in the park."
SWAP = "The man bit the dog in the park."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "dev.conll.gz").write_bytes(gzip.compress(f"{SENTENCE}\n".encode()))
    return tmp_path


def test_clauses_of_gold_trees_are_told_otherwise(folder: Path) -> None:
    data = open_role_contrast(folder)
    assert data.queries == (
        Contrast(
            "passive",
            BIT,
            "The man was bitten in the park by the dog.",
            (SWAP, "The dog was bitten in the park by the man."),
        ),
        Contrast(
            "fronting",
            BIT,
            "In the park, the dog bit the man.",
            (SWAP, "In the park, the man bit the dog."),
        ),
        Contrast(
            "subject cleft",
            BIT,
            "It was the dog that bit the man in the park.",
            (SWAP, "It was the man that bit the dog in the park."),
        ),
        Contrast(
            "object cleft",
            BIT,
            "It was the man that the dog bit in the park.",
            (SWAP, "It was the dog that the man bit in the park."),
        ),
        Contrast(
            "circumstance cleft",
            BIT,
            "It was in the park that the dog bit the man.",
            (SWAP, "It was in the park that the man bit the dog."),
        ),
        Contrast(
            "active",
            "A cat was seen by Ann.",
            "Ann saw a cat.",
            ("Ann was seen by a cat.", "A cat saw Ann."),
        ),
    )


def test_the_right_document_against_its_own_and_those_of_other_clauses(folder: Path) -> None:
    data = open_role_contrast(folder)
    specs = [Spec("right", model=MeanMethod("builtin")), Spec("verbnet-cn", {"vectors": "builtin"})]
    task = Contrasted(data, specs)
    results = run(task, workspace=Workspace(folder / "kept"))
    blind, roles = results.rows
    # The same words score the same, so what exchanges the roles ties or wins.
    assert blind.figures["active"].value == 0
    assert blind.figures["all"].n == 6
    assert roles.figures["all"].value == 100
    assert roles.details["failures"] == []
    lost = {(of["query"], of["kind"]) for of in blind.details["failures"]}
    assert (BIT, "passive") in lost
    html = task.report(results)
    assert "Lost: right" in html
    assert "found first" in html


def test_other_retellings_of_a_clause_are_no_documents_of_its_queries() -> None:
    data = RoleContrast(
        "toy",
        "the test",
        (
            Contrast("one", "Cats chase mice.", "Dogs help.", ("Birds visit.",)),
            Contrast("two", "Cats chase mice.", "Cats chase mice!", ("Dogs visit.",)),
        ),
    )
    (row,) = run(
        Contrasted(data, [Spec("mean", model=MeanMethod("builtin"))]),
        workspace=Workspace("/dev/null"),
    ).rows
    assert row.figures["two"].value == 100
    # Were the second query's right document there, it would come first.
    assert [of["first"] for of in row.details["failures"]] in ([], ["Birds visit."])


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["bench", "rerank", str(folder), "--role-contrast", "--methods", "verbnet-cn"]
    assert main([*command, "--vectors", "builtin"]) == 0
    output = capsys.readouterr()
    assert "100.0" in output.out
    assert "6 queries of 2 clauses" in output.err
    assert main(["bench", "rerank", str(folder / "none"), "--role-contrast"]) == 2
    assert "is not there" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1\tHi\n\n", "line 1: no word with its head"),
        ("# text = Hi.\nHi\n", "line 2: no word with its head"),
        ("", "no sentence can be told otherwise"),
        (SENTENCE.replace("the dog bit", "a dog bit"), "no sentence can be told otherwise"),
    ],
)
def test_files_that_are_none(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "dev.conll"
    file.write_text(text)
    with pytest.raises(DataError, match=reason):
        open_role_contrast(file)


def test_ewt_is_read_whole_and_hybrid_tells_roles_apart(data_dir: Path) -> None:
    folder = data_dir / "ewt-propbank"
    if not folder.is_dir():
        pytest.skip("there is no EWT with PropBank")
    assert sum(1 for _ in read_gold_trees(folder / "dev.conll.gz")) > 1900
    task = rerank(folder, methods="hybrid:mean-cn,mean-cn", vectors="builtin", role_contrast=True)
    hybrid, means = run(task, workspace=Workspace("/dev/null")).rows
    assert hybrid.figures["all"].n > 90
    assert (hybrid.figures["all"].value or 0) >= 90
    assert (means.figures["all"].value or 0) < 50
