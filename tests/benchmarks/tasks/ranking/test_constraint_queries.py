"""Queries that hang on roles and constraints: what ships, and how it is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from compsim import DataError, load
from compsim.benchmarks.task import run
from compsim.benchmarks.tasks.ranking.queries import SHIPPED, queries, read_queries


def test_what_ships_is_complete() -> None:
    domains = read_queries(SHIPPED)
    assert {domain: len(value) for domain, value in domains.items()} == {
        "support": 12,
        "medicine": 12,
        "business": 12,
    }
    every = [query for value in domains.values() for query in value]
    texts = [query.text for query in every]
    documents = [text for query in every for text in (query.right, *query.wrong)]
    assert len(set(texts)) == len(texts)
    assert len(set(documents)) == len(documents)
    assert min(len(query.wrong) for query in every) == 3


def test_a_query_meets_the_documents_of_its_domain(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    result = '[[{}.query]]\ntext = "Dogs bark."\nright = "{}"\nwrong = ["Prices fell."]\n'
    # The same query, whose answer in the other domain would be before its own.
    file.write_text(result.format("a", "A cat slept.") + result.format("b", "Dogs bark."))
    task = queries("mean-cn", vectors="builtin", data=file)
    (row,) = run(task).rows
    assert [row.figures[name].value for name in ("all", "a", "b")] == [100, 100, 100]


def test_sentence_vectors_know_nothing_of_exclusions() -> None:
    task = queries("mean-cn", vectors="builtin")
    assert task.reranker(load("mean-cn", vectors="builtin")).exclude is None  # type: ignore[attr-defined]
    assert task.reranker(load("verbnet-cn", vectors="builtin")).exclude == 0.2  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["a = 1", "[[a.query]]\ntext = 'x'", "[", "[a]"])
def test_a_file_of_another_form(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(DataError, match=r"mine\.toml has no"):
        queries("mean-cn", vectors="builtin", data=file)
    with pytest.raises(DataError, match="cannot be read"):
        read_queries(tmp_path / "none.toml")
