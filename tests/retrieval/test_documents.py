"""Documents that are joined, or taken apart, with the sentences that were encoded for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim import InputError
from compsim.batches import joined_items
from compsim.registry import load
from compsim.retrieval import Documents
from compsim.storage.batch_files import Records

TEXTS = ["Cats sleep. Dogs bark.", "", "Dogs bark.", "Mice run. Cats sleep. Mice run.", "..."]
METHOD = load("mean-cn", vectors="builtin")
DOCUMENTS = Documents.encode(TEXTS, METHOD.encode)


def content(docs: Documents) -> list[tuple[str, list[str], list[list[float]]]]:
    """The text, sentences and vectors of each document."""
    result = []
    for number, text in enumerate(docs.texts):
        own = docs.places[docs.starts[number] : docs.starts[number + 1]]
        vectors = [] if docs.batch is None else docs.batch.vector[own].tolist()
        result.append((text, docs.sentences(number), vectors))
    return result


chosen = st.lists(st.integers(0, len(TEXTS) - 1), max_size=6)


@given(chosen)
def test_documents_alone_have_their_sentences_and_no_others(numbers: list[int]) -> None:
    some = DOCUMENTS[numbers]
    alone = some.alone()
    assert content(alone) == content(some)
    own = 0 if alone.batch is None else len(alone.batch)
    assert own == len(set(some.places.tolist()))


@given(st.lists(chosen, min_size=1, max_size=3))
def test_joined_documents_are_those_of_the_parts(parts: list[list[int]]) -> None:
    joined = Documents.concat([DOCUMENTS[numbers].alone() for numbers in parts])
    assert content(joined) == [one for numbers in parts for one in content(DOCUMENTS[numbers])]


def test_what_is_joined_must_be_encoded_alike() -> None:
    other = Documents.encode(TEXTS, load("static").encode)
    with pytest.raises(InputError, match="encoded differently"):
        Documents.concat([DOCUMENTS, other])


def test_parts_of_saved_batches_are_joined(tmp_path: Path) -> None:
    method = load("hybrid", vectors="builtin", cache=False)
    batch = method.encode(["Cats sleep.", "Dogs bark.", "Mice run."])
    batch.save(tmp_path / "batch")
    saved = type(batch).load(tmp_path / "batch")
    joined = type(batch).concat([saved[[2]], saved[[0, 1]]])
    assert list(joined.texts) == ["Mice run.", "Cats sleep.", "Dogs bark."]
    fresh = method.encode(list(joined.texts))
    np.testing.assert_array_equal(method.similarity(joined, fresh), method.similarity(fresh, fresh))


def test_joined_records_are_read_when_they_are_asked_for() -> None:
    asked: list[str] = []

    def read(record: str) -> str:
        asked.append(record)
        return record.upper()

    joined = joined_items([Records(["a", "b"], read), ["X"], [], Records(["c"], read)])
    assert (len(joined), joined[2], asked) == (4, "X", [])
    assert (joined[-1], asked) == ("C", ["c"])
    assert list(joined[1:3]) == ["B", "X"]
    assert list(joined) == ["A", "B", "X", "C"]
    with pytest.raises(IndexError):
        joined[4]
