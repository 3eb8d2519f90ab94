"""Retrieval: collections are read, first stages found anew, weights chosen on other queries."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toys import NOUNS, VERBS, ToyParser, toy_vectors

from compsim.benchmarks import Spec, run
from compsim.benchmarks.datasets.ranking.collections import open_collection
from compsim.benchmarks.tasks.ranking.rerank import Rerank, Stage, rerank, stages_of
from compsim.benchmarks.workspace import Workspace
from compsim.errors import DataError, InputError
from compsim.registry import load

pytest.importorskip("ir_measures", reason="ir_measures is not installed: extra bench")
pytest.importorskip("bm25s", reason="bm25s is not installed: extra bench")


def write_collection(folder: Path, compress: bool = False) -> Path:
    """Queries that each repeat one document, among those that swap its roles."""
    texts = [
        f"{a} {verb} {b}." for a in NOUNS[:4] for verb in VERBS[:2] for b in NOUNS[:4] if a != b
    ]
    corpus = "".join(
        json.dumps({"_id": f"d{i}", "title": "", "text": text}) + "\n"
        for i, text in enumerate(texts)
    )
    queries = "".join(
        json.dumps({"_id": f"q{i}", "text": text}) + "\n" for i, text in enumerate(texts[::3])
    )
    judged = "query-id\tcorpus-id\tscore\n" + "".join(
        f"q{i}\td{3 * i}\t1\n" for i in range(len(texts[::3]))
    )
    (folder / "qrels").mkdir(parents=True)
    (folder / "queries.jsonl").write_text(queries)
    (folder / "qrels" / "test.tsv").write_text(judged + "q0\tgone\t1\n")
    if compress:
        (folder / "corpus.jsonl.gz").write_bytes(gzip.compress(corpus.encode()))
    else:
        (folder / "corpus.jsonl").write_text(corpus)
    return folder


def spec(**more: Any) -> Spec:
    options = {"parser": ToyParser(), "vectors": toy_vectors()}
    return Spec("verbnet-cn", options, **more)


@pytest.mark.parametrize("compress", [False, True])
def test_a_beir_folder(tmp_path: Path, compress: bool) -> None:
    data = open_collection(write_collection(tmp_path / "toy", compress))
    assert (data.name, len(data.documents), len(data.queries)) == ("toy", 24, 8)
    assert data.relevant["q1"] == {"d3": 1}
    assert "1 judgements" in data.problems[0]


def test_cranfield(data_dir: Path) -> None:
    data = open_collection(data_dir / "cranfield")
    assert (len(data.documents), len(data.queries), data.problems) == (1400, 225, ())
    assert data.queries["3"].startswith("what problems of heat conduction")
    assert data.relevant["1"]["184"] == 1


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("corpus.jsonl", "{", "line 1"),
        ("corpus.jsonl", '{"_id": "a"}', "line 1"),
        ("corpus.jsonl", "[1]", "line 1"),
        ("queries.jsonl", '{"_id": "q0", "text": 3}', "line 1"),
        ("queries.jsonl", "", "0 queries"),
        ("qrels/test.tsv", "head\nq0 d0 1\n", "line 2"),
        ("qrels/test.tsv", None, "is not there"),
        ("corpus.jsonl", None, "is not there"),
    ],
)
def test_folders_that_are_none(tmp_path: Path, file: str, content: str | None, said: str) -> None:
    folder = write_collection(tmp_path / "toy")
    if content is None:
        (folder / file).unlink()
    else:
        (folder / file).write_text(content)
    with pytest.raises(DataError, match=said):
        open_collection(folder)


def test_roles_put_right_what_words_cannot(tmp_path: Path) -> None:
    data = open_collection(write_collection(tmp_path / "toy"))
    task = Rerank(data, [spec()], [Stage("bm25", 5)])
    results = run(task, workspace=Workspace("/dev/null"))
    rows = {row.of["order"].split(",")[0]: row for row in results.rows}
    assert list(rows) == ["as found", "alone", "blended"]
    assert rows["alone"].figures["nDCG@10"].value == pytest.approx(1.0)
    assert rows["alone"].figures["MRR"].value == pytest.approx(1.0)
    assert rows["as found"].figures["nDCG@10"].value < 1
    assert rows["as found"].figures["R@10"].n == 4
    assert set(rows["alone"].details["all queries"]) == {"nDCG@10", "MAP", "MRR", "R@10"}
    assert "chosen on 4 queries, figures are of the other 4" in results.to_markdown()


def test_a_method_as_the_first_stage(tmp_path: Path) -> None:
    data = open_collection(write_collection(tmp_path / "toy"))
    task = Rerank(data, [spec()], stages_of("amr-wlk@3"), 2, "rrf")
    first, *others = run(task, workspace=Workspace(tmp_path / "kept")).rows
    assert first.status == "ok", first.reason
    assert first.of["first stage"] == "amr-wlk@3"
    assert [row.status for row in others] == ["ok", "ok"]


def test_weights_are_chosen_on_queries_that_are_not_reported(tmp_path: Path) -> None:
    data = open_collection(write_collection(tmp_path / "toy"))
    task = Rerank(data, [], [Stage("bm25", 24)])
    places = np.arange(24)
    results = [(places, np.zeros(24)) for _ in task.queries]
    # The reranker is right on the queries that choose, the first stage on the others.
    own = [np.zeros(24) for _ in task.queries]
    for i, (mine, (_, first)) in enumerate(zip(own, results, strict=True)):
        (mine if i % 2 == 0 else first)[3 * i] = 1.0
        (first if i % 2 == 0 else mine)[(3 * i - 1) % 24] = 1.0
    row = task._blended(spec(), task.stages[0], own, results, -1.0)
    assert row.of["order"] == "blended, own share 0.6"
    assert row.figures["MRR"].value == pytest.approx(0.5)
    assert row.details["all queries"]["MRR"] == pytest.approx(0.75)


def test_all_queries_are_counted_as_beir_does(tmp_path: Path) -> None:
    folder = write_collection(tmp_path / "toy")
    corpus = (folder / "corpus.jsonl").read_text()
    (folder / "corpus.jsonl").write_text(corpus.replace('"_id": "d4"', '"_id": "q1"'))
    task = rerank(folder, methods="mean-cn", vectors="builtin", first="bm25@24", all_queries=True)
    results = run(task, workspace=Workspace(tmp_path / "kept"))
    assert [row.of["order"] for row in results.rows] == ["as found", "alone"]
    assert {name: figure.n for name, figure in results.rows[0].figures.items()} == dict.fromkeys(
        ("nDCG@10", "nDCG@1", "MAP@100", "R@100"), 8
    )
    names, gains, shares = list(task.collection.documents), [], []
    for i, (places, scores) in enumerate(task._candidates(Stage("bm25", 24), Workspace())):
        outcome = [names[place] for place in places]
        # The document that has the name of the query is none of those that it finds.
        assert len(outcome) == 24 - (i == 1)
        assert f"q{i}" not in outcome
        rank = 1 + outcome.index(f"d{3 * i}")
        gains.append(1 / np.log2(rank + 1) if rank <= 10 else 0.0)
        shares.append(1 / rank)
        assert (np.diff(scores) <= 0).all()
    figures = results.rows[0].figures
    assert figures["nDCG@10"].value == pytest.approx(np.mean(gains))
    assert figures["MAP@100"].value == pytest.approx(np.mean(shares))
    assert figures["R@100"].value == 1
    assert task.items_of(results.rows[1]).values.shape == (8,)
    assert "figures are of all queries" in results.to_markdown()


@pytest.mark.parametrize("all_queries", [False, True])
def test_all_documents_are_ranked_without_a_first_stage(tmp_path: Path, all_queries: bool) -> None:
    folder = write_collection(tmp_path / "toy")
    task = rerank(
        folder, methods="mean-cn", vectors="builtin", first="all", all_queries=all_queries
    )
    (row,) = run(task, workspace=Workspace("/dev/null")).rows
    assert (row.of["first stage"], row.of["order"]) == ("all", "alone")
    method = load("mean-cn", vectors="builtin")
    data, gains = task.collection, []
    names = list(data.documents)
    for i, text in enumerate(data.queries.values()):
        scores = method.similarity([text], list(data.documents.values()))[0]
        order = np.argsort(-scores, kind="stable").tolist()
        rank = 1 + order.index(names.index(f"d{3 * i}"))
        gains.append(1 / np.log2(rank + 1) if rank <= 10 else 0.0)
    expected = gains if all_queries else gains[1::2]
    assert row.figures["nDCG@10"].value == pytest.approx(np.mean(expected))
    assert task.items_of(row) is not None


@pytest.mark.parametrize("text", ["", "bm25", "bm25@0", "@3", "bm25@x"])
def test_first_stages_that_are_none(text: str) -> None:
    with pytest.raises(InputError):
        stages_of(text)


def test_it_runs_in_processes_and_reports(tmp_path: Path) -> None:
    data = open_collection(write_collection(tmp_path / "toy"))
    specs = [Spec("amr-wlk"), Spec("mean-cn", {"vectors": "builtin"})]
    task = Rerank(data, specs, [Stage("bm25", 3)])
    results = run(task, jobs=2, workspace=Workspace(tmp_path / "kept"))
    assert [row.status for row in results.rows] == ["ok"] * 5
    assert "bm25@3" in task.report(results)
    again = run(task, workspace=Workspace(tmp_path / "kept"))
    assert [row.figures for row in again.rows] == [row.figures for row in results.rows]
