"""Token states whose mean is a sentence transformer's vector: one for each pooled token.

Mean pooling adds up the tokens' states. What comes behind it is often linear as well, or scales the
vector: then done to each state it leaves the mean of the states the model's vector, exactly.

>>> from sentence_transformers import SentenceTransformer  # doctest: +SKIP
>>> model = SentenceTransformer("FOLDER")  # doctest: +SKIP
>>> result = pooled_states(model, lambda: model.encode(["Cats sleep."])[0])  # doctest: +SKIP
>>> result.states.mean(axis=0) - model.encode("Cats sleep.")  # about 0  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable
from threading import get_ident
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.kernels.locks import SharedLock

__all__ = ["PooledStates", "pooled_states", "pooling_of", "why_not"]

#: Poolings that take one token's state.
_ONE: Final = ("cls", "lasttoken")
#: PyTorch numbers hooks without a lock of its own.
_hooks: Final = SharedLock()


class PooledStates(NamedTuple):
    """``states`` float64 (tokens, dim), whose mean is the model's vector of a text.

    ``numbers`` are those in the vocabulary of all tokens that the model read, ``places`` which of
    them the states are of; ``single`` says that the model takes one token for all.
    """

    states: npt.NDArray[np.float64]
    numbers: list[int]
    places: list[int]
    single: bool = False


def why_not(model: Any) -> str:
    """Return why the model's vector is no mean over tokens, as part of a sentence; "" if it is."""
    modules = list(model.children())
    if len(modules) < 2 or type(modules[1]).__name__ != "Pooling":
        return "the model does not pool the states of tokens"
    pooling = pooling_of(model)
    if pooling in _ONE:
        return ""
    if pooling != "mean":
        return f"the pooling of the model is {pooling}, not the mean"
    for module in modules[2:]:
        if not _is_applicable(module):
            return f"the layer {type(module).__name__} behind the pooling is not linear"
    return ""


def pooling_of(model: Any) -> str:
    """The pooling of a model that has one, as sentence-transformers calls it."""
    results = list(model.children())[1].pooling_mode
    return results if isinstance(results, str) else " and ".join(results)


def pooled_states(model: Any, run: Callable[[], npt.NDArray[Any]]) -> PooledStates:
    """The states behind a vector (dim,) that ``run`` has the model make of one text.

    They are those of that very run, so its device, prompt and truncation hold. Raises
    ``InputError`` for a model of which :func:`why_not` tells a reason.
    """
    reason = why_not(model)
    if reason:
        raise InputError(f"there are no states to add up: {reason}; use another model")
    _, pooling, *layers = model.children()
    seen: list[dict[str, Any]] = []
    own = get_ident()

    def keep(_: Any, features: tuple[Any, ...]) -> None:
        # Another thread may have the model read another text meanwhile.
        if get_ident() == own:
            seen.append(features[0])

    with _hooks:
        handle = pooling.register_forward_pre_hook(keep)
    try:
        vector = run()
    finally:
        with _hooks:
            handle.remove()
    features = seen[-1]
    states = features["token_embeddings"]
    states = states.reshape(-1, states.shape[-1]).double().cpu().numpy()
    numbers = features["input_ids"].reshape(-1).tolist()
    mask = features.get("attention_mask")
    kept = np.ones(len(states)) if mask is None else mask.reshape(-1).cpu().numpy()
    if not getattr(pooling, "include_prompt", True):
        kept[: int(features.get("prompt_length", 0))] = 0
    places = np.flatnonzero(kept).tolist()
    mode = pooling_of(model)
    if mode in _ONE and places:
        place = places[0 if mode == "cls" else -1]
        return PooledStates(
            np.asarray(vector, dtype=np.float64)[None], numbers, [place], single=True
        )
    states = states[places]
    for layer in layers if places else ():
        states = _done(layer, states)
    return PooledStates(states, numbers, places)


def _is_applicable(layer: Any) -> bool:
    """Return whether ``_done`` knows the layer."""
    from torch.nn import Identity

    name = type(layer).__name__
    if name != "Dense":
        return name in ("Normalize", "Dropout")
    return isinstance(layer.activation_function, Identity) and not getattr(
        layer, "use_residual", False
    )


def _done(layer: Any, states: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Apply a layer, which follows the mean of the states, to each of them."""
    name = type(layer).__name__
    if name == "Normalize":
        length = float(np.linalg.norm(states.mean(axis=0)))
        return states / length if length else states
    if name == "Dense":
        weight = layer.linear.weight.detach().double().cpu().numpy()
        states = states @ weight.T
        if layer.linear.bias is not None:
            states = states + layer.linear.bias.detach().double().cpu().numpy()
    return states  # a dropout drops nothing but in training
