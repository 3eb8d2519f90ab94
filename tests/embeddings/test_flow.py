"""Normalising flows: invertible, deterministic, likelier after training, saved; BERT-flow."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from naive import flow as naive
from new_process import in_a_new_process
from tiny_models import transformer
from toys import random_flow, saved_flow, toy_pairs

from compsim import load
from compsim.embeddings.flow import Flow, _rounds, train
from compsim.embeddings.postprocess import Normalizer
from compsim.errors import DataError, InputError


def curved(count: int = 400, seed: int = 1) -> Any:
    """Vectors of which one dimension is nearly a function of another, which no linear map sees."""
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(count, 4))
    vectors[:, 3] = np.abs(vectors[:, 0]) * 2 + 0.1 * vectors[:, 3]
    return ((vectors - vectors.mean(axis=0)) / vectors.std(axis=0)).astype(np.float32)


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Training is not waited for: what has to hold does after a few rounds too."""
    monkeypatch.setattr("compsim.embeddings.flow._ROUNDS", 2)


@pytest.mark.parametrize("dim", [1, 2, 5, 8])
def test_a_flow_is_invertible(dim: int) -> None:
    flow = random_flow(dim)
    vectors = np.random.default_rng(0).normal(size=(6, dim))
    mapped = flow(vectors)
    assert not np.allclose(mapped, vectors)
    assert flow.inverse(mapped) == pytest.approx(vectors)
    assert flow(flow.inverse(vectors)) == pytest.approx(vectors)


def test_the_likelihood_is_that_of_the_change_of_variables() -> None:
    flow, point = random_flow(3), np.array([0.3, -0.2, 0.5])
    width = 1e-5
    ends = [flow(point + sign * width * np.eye(3)) for sign in (1, -1)]
    jacobian = (ends[0] - ends[1]) / (2 * width)
    mapped = flow(point[None])[0]
    normal = np.prod(np.exp(-(mapped**2) / 2) / np.sqrt(2 * np.pi))
    expected = np.log(normal * abs(np.linalg.det(jacobian)))
    assert flow.log_likelihood(point[None])[0] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("dim", [1, 4, 5])
def test_a_flow_is_that_of_a_slow_twin(dim: int) -> None:
    flow = random_flow(dim)
    vectors = np.random.default_rng(4).normal(size=(5, dim))
    expected = [naive.mapped(flow, vector) for vector in vectors.tolist()]
    np.testing.assert_allclose(flow(vectors), expected, rtol=1e-9, atol=1e-9)
    densities = [naive.log_likelihood(flow, vector) for vector in vectors.tolist()]
    np.testing.assert_allclose(flow.log_likelihood(vectors), densities, rtol=1e-9)


def test_training_follows_the_gradient_of_the_negative_log_likelihood(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import torch

    monkeypatch.setattr("compsim.embeddings.flow._UPDATES", 1)
    monkeypatch.setattr("compsim.embeddings.flow._BATCH", 100)
    flow, vectors = random_flow(3), curved(20)[:, :3].astype(np.float64)
    trained = next(_rounds(torch, flow, vectors, np.random.default_rng(0)))

    def loss(changed: Flow) -> float:
        return -sum(naive.log_likelihood(changed, vector) for vector in vectors.tolist()) / 20

    width = 1e-6
    for name in ("scale", "shift", "first", "first_bias", "second", "second_bias", "last"):
        before, moved = getattr(flow, name), getattr(trained, name) - getattr(flow, name)
        places = np.argwhere(moved)  # a unit that is never on has no gradient
        place = tuple(places[len(places) // 2])
        ends = []
        for sign in (1, -1):
            array = before.copy()
            array[place] += sign * width
            ends.append(loss(replace(flow, **{name: array})))
        gradient = (ends[0] - ends[1]) / (2 * width)
        # The first step of Adam is the learning rate against the sign of the gradient.
        assert abs(gradient) > 1e-6
        assert moved[place] == pytest.approx(-1e-3 * np.sign(gradient), rel=0.05)


def test_training_raises_the_likelihood_of_vectors_it_has_not_seen() -> None:
    trained, start = train(curved()), Flow.start(4)
    new = curved(seed=2)
    before, after = (flow.log_likelihood(new).mean() for flow in (start, trained))
    assert after > before + 0.1
    assert trained.inverse(trained(new)) == pytest.approx(new, abs=1e-6)


def test_what_few_vectors_train_is_the_start() -> None:
    start, few = Flow.start(4), curved(39)
    np.testing.assert_array_equal(train(few)(few), start(few))


def test_training_is_deterministic_whatever_the_order(tmp_path: Path) -> None:
    vectors = curved(200)
    fitted = Normalizer.fit("flow", vectors)
    again = Normalizer.fit("flow", vectors[::-1])
    assert fitted.flow is not None
    assert again.flow is not None
    assert fitted.flow.scale.any()
    for name, array in fitted.flow.arrays().items():
        np.testing.assert_array_equal(array, again.flow.arrays()[name])
    np.save(tmp_path / "vectors.npy", vectors)
    code = (
        "import numpy as np, torch\n"
        "torch.set_num_threads(3)\n"
        "from compsim.embeddings import flow\n"
        "from compsim.embeddings.postprocess import Normalizer\n"
        "flow._ROUNDS = 2\n"
        f"fitted = Normalizer.fit('flow', np.load({str(tmp_path / 'vectors.npy')!r}))\n"
        "print(repr(float(fitted.flow.scale.sum())), torch.get_num_threads())\n"
    )
    assert in_a_new_process(code).split() == [repr(float(fitted.flow.scale.sum())), "3"]


def test_a_saved_flow_is_the_same_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    vectors = curved(200)
    fitted = Normalizer.fit("flow", vectors)
    assert fitted.flow is not None
    file = tmp_path / "flow.npz"
    fitted.save(file)
    np.testing.assert_array_equal(Normalizer.load(file)(vectors), fitted(vectors))
    flow, two = fitted.flow, np.zeros((9, 4), dtype=np.int64)
    wrong = [replace(flow, **{part.name: np.ones((2, 2))}) for part in fields(Flow)]
    wrong += [replace(flow, order=two), replace(flow, scale=flow.scale * np.nan)]
    for damaged in wrong:
        Normalizer("flow", fitted.mean, fitted.matrix, damaged).save(file)
        with pytest.raises(DataError, match="cannot be read as a fitted normaliser"):
            Normalizer.load(file)
    Normalizer("flow", fitted.mean, fitted.matrix).save(file)  # without the arrays of the flow
    with pytest.raises(DataError, match="cannot be read as a fitted normaliser"):
        Normalizer.load(file)
    Normalizer("flow", np.zeros(3), np.ones(3), flow).save(file)
    with pytest.raises(DataError, match="do not fit together"):
        Normalizer.load(file)


def test_bert_flow_is_a_flow_of_the_first_and_the_last_layer() -> None:
    folder = transformer("bert")
    plain = load("transformer", model=folder, layer="first+last")
    method = load("bert-flow", model=folder)
    assert (method.normalize, method.encoder.layer) == ("flow", plain.encoder.layer)
    pairs = toy_pairs(30).pairs
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    texts = list(dict.fromkeys([*first, *second]))
    fitted = Normalizer.fit("flow", plain.embed(texts))
    x, y = (fitted(plain.embed(side)).astype(float) for side in (first, second))
    cosines = (x * y).sum(axis=1) / np.linalg.norm(x, axis=1) / np.linalg.norm(y, axis=1)
    assert method.similarity_pairwise(first, second) == pytest.approx(cosines, abs=1e-5)
    with pytest.raises(InputError, match=r"call fit\(\)"):
        method.explain("cats chase mice", "mice chase cats")
    saved = load("bert-flow", model=folder, normalize=saved_flow())
    explained = saved.explain("cats chase mice", "mice chase cats")
    assert explained.words is None
    assert "a flow is no linear map" in explained.note
