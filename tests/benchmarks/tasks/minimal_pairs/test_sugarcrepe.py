"""SugarCrepe: changed captions among rated pairs, and files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toys import toy_vectors

from compsim.benchmarks import Spec, run
from compsim.benchmarks.datasets import Dataset, SentencePair
from compsim.benchmarks.tasks.minimal_pairs.sugarcrepe import SugarCrepe, ranks, read_captions
from compsim.benchmarks.workspace import Workspace
from compsim.errors import DataError

scores = st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0]), min_size=1)


@given(scores, scores)
def test_ranks_are_shares_of_the_reference(results: list[float], reference: list[float]) -> None:
    slow = [
        100 * np.mean([1.0 if low < score else 0.5 if low == score else 0.0 for low in reference])
        for score in results
    ]
    np.testing.assert_allclose(ranks(results, reference), slow)


def test_captions_are_scored_and_ranked(tmp_path: Path) -> None:
    file = tmp_path / "swap.json"
    entry = {"caption": "dogs chase cats", "negative_caption": "cats chase dogs"}
    file.write_text(json.dumps({"0": entry, "1": entry}))
    pairs = [("dogs", "dogs"), ("dogs", "park"), ("cats", "house")]
    rated = Dataset("rated", tuple(SentencePair(a, b, 0.5) for a, b in pairs), {}, "")
    spec = Spec("mean-cn", {"vectors": toy_vectors()})
    results = run(SugarCrepe([file], rated, [spec]), workspace=Workspace("/dev/null"))
    (row,) = results.rows
    assert row.figures["swap score"].value == pytest.approx(1.0)
    assert row.figures["swap rank"].value == pytest.approx(100 * 2.5 / 3)
    assert "among the 3 pairs of rated" in results.to_markdown()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "[1]", '{"0": 1}', '{"0": {"caption": "a"}}', "[" * 10_000,
     '{"0": {"caption": "a", "negative_caption": 3}}'],
)  # fmt: skip
def test_files_that_are_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / "captions.json"
    file.write_text(text)
    with pytest.raises(DataError, match="file of SugarCrepe"):
        read_captions(file)
