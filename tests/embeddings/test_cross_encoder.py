from __future__ import annotations

import numpy as np
import pytest
from tiny_models import transformer

from compsim import load
from compsim.errors import DataError, InputError

torch = pytest.importorskip("torch")
PAIRS = ["cats chase mice", "dogs help"], ["mice chase cats", "birds visit the park"]


@pytest.mark.parametrize(("kind", "label"), [("classes1", None), ("classes3", 2)])
def test_scores_are_those_of_the_model_in_both_orders(kind: str, label: int | None) -> None:
    from sentence_transformers import CrossEncoder

    folder = transformer(kind)
    method = load("cross-encoder", model=folder, label=label)
    model = CrossEncoder(str(folder), device="cpu")
    act = torch.nn.Sigmoid() if label is None else torch.nn.Softmax(dim=-1)
    expected = np.zeros(2)
    for sides in (PAIRS, PAIRS[::-1]):
        given = np.asarray(model.predict(list(zip(*sides, strict=True)), activation_fn=act))
        expected += given if label is None else given[:, label]
    np.testing.assert_allclose(method.similarity_pairwise(*PAIRS), expected / 2, atol=1e-6)
    assert method.explain(PAIRS[0][0], PAIRS[1][0]).score == pytest.approx(expected[0] / 2)


def test_a_label_that_does_not_fit_is_one_error() -> None:
    for kind, label in (("classes1", 0), ("classes3", None), ("classes3", 3)):
        with pytest.raises(InputError, match="label="):
            load("cross-encoder", model=transformer(kind), label=label)
    with pytest.raises(DataError, match="no/such"):
        load("cross-encoder", model="./no/such")
