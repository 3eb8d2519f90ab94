"""One reading of a sentence transformer for sentence and phrases gives what two give."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tiny_models import sentence_transformer
from toys import ToyParser

from compsim import load
from compsim.hybrid.method import HybridMethod
from compsim.hybrid.one_pass import OnePass

pytest.importorskip("sentence_transformers", reason="needs compsim[transformers]")

TEXTS = ["Cats chase mice", "The\ndogs  visit a park", "", "Cats chase mice", "Dogs help " * 30]


def of(folder: Path, **options: object) -> HybridMethod:
    whole = load("sbert", model=folder, **options)
    return HybridMethod(whole, parser=ToyParser(), vectors=f"sbert:{folder}")  # type: ignore[arg-type]


@pytest.mark.parametrize(("pooling", "dense"), [("mean", False), ("cls", False), ("mean", True)])
def test_one_reading_is_as_two(pooling: str, dense: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    method = of(sentence_transformer("bert", pooling, dense))
    one = method.one_pass
    assert one is not None
    monkeypatch.setattr("compsim.hybrid.one_pass._CHUNK", 2)
    once, twice = method.encode(TEXTS), method.encode(TEXTS[:1])
    method.one_pass = None
    twice = method.encode(TEXTS)
    np.testing.assert_allclose(once.whole.vector, twice.whole.vector, atol=1e-5)
    assert once.whole.texts == twice.whole.texts
    np.testing.assert_array_equal(once.roles.status, twice.roles.status)
    phrases = [batch.roles.phrases.columns["vector"] for batch in (once, twice)]
    own = once.roles.phrases.indptr[once.roles.frames.indptr[4]]  # the last is cut elsewhere
    np.testing.assert_allclose(phrases[0][:own], phrases[1][:own], atol=1e-5)
    once.check(twice)


def test_the_model_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    method = of(sentence_transformer("bert"))
    method.encode([])
    one = method.one_pass
    assert one is not None
    runs: list[int] = []
    states = one._states
    states.model.register_forward_hook(lambda *_: runs.append(1))
    one._whole.model.register_forward_hook(lambda *_: runs.append(1))
    method.encode(["Cats chase mice", "Dogs visit the park"])
    assert len(runs) == 1


def test_explanation_is_the_score() -> None:
    method = of(sentence_transformer("bert"))
    pair = "Cats chase mice", "Mice chase cats"
    assert method.explain(*pair).score == method.similarity_pairwise([pair[0]], [pair[1]])[0]


def test_what_is_read_otherwise_is_read_twice() -> None:
    folder, other = sentence_transformer("bert"), sentence_transformer("bert", "max")
    assert of(folder, prompt="query: ").one_pass is None
    roles = load("verbnet-cn", parser=ToyParser(), vectors=f"sbert:{other}")
    assert OnePass.of(load("sbert", model=folder), roles) is None
    assert OnePass.of(load("mean-cn", vectors="builtin"), roles) is None
