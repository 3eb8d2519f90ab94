"""A sentence transformer by ONNX Runtime: what its files say is done to the states of its tokens.

The mean, the first token's state or the maximum is taken, and brought to unit length where
``modules.json`` says so. Other layers need ``backend="torch"``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from compsim.embeddings.word_matrix import TokenSum
from compsim.errors import DataError, InputError
from compsim.plain_text import PlainText
from compsim.transformers.onnx_states import ArrayStates, OnnxStates, check_cpu, read_json

__all__ = ["OnnxSentences"]

#: Poolings by their names in files of today, and in those before.
_POOLINGS: Final = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
}
#: Layers whose work is known; a dropout does nothing but in training.
_LAYERS: Final = ("Normalize", "Dropout")


class OnnxSentences:
    """A sentence transformer whose tokens are read by ``OnnxStates``.

    - ``model``: a folder or a hub name; by default all-MiniLM-L6-v2;
    - ``int8``: whether the model with weights of one byte is taken;
    - ``device``: None or ``"cpu"``.

    Raises what ``OnnxStates`` raises, and ``DataError`` for layers that are not known here.
    """

    def __init__(
        self, model: str | Path | None = None, int8: bool = False, device: str | None = None
    ) -> None:
        check_cpu(device)
        self.tokens = OnnxStates(model, int8)
        self.pooling, self.normalizes = _layers(self.tokens.folder)
        result = read_json(self.tokens.folder / "config_sentence_transformers.json")
        prompts = result.get("prompts") or {}
        self.prompt = str(prompts.get(result.get("default_prompt_name")) or "")

    def encode(
        self, texts: Sequence[str], prompt: str | None, batch_size: int
    ) -> npt.NDArray[np.float32]:
        """The vectors (n, dim) of texts behind a prompt, that of the files where it is None."""
        lead = self.prompt if prompt is None else prompt
        values = np.zeros((len(texts), self.tokens.dim), dtype=np.float32)
        for part in self.tokens.read([lead + text for text in texts], batch_size):
            values[part.places] = self._pooled(part)
        return values

    def why_not(self) -> str:
        """Return why a vector is no mean over tokens, as part of a sentence; "" if it is."""
        return "the pooling of the model is max, not the mean" if self.pooling == "max" else ""

    def token_sum(self, read: PlainText, prompt: str | None) -> TokenSum:
        """The tokens of a text, whose mean its vector is.

        Raises ``InputError`` where :meth:`why_not` tells a reason.
        """
        if self.why_not():
            raise InputError(f"there are no states to add up: {self.why_not()}; use another model")
        lead = self.prompt if prompt is None else prompt
        (part,) = self.tokens.read([lead + read.text], 1)
        tokens = self.tokens.token_places(lead + read.text)
        states = part.states[0].astype(np.float64)
        if self.pooling == "cls":
            states = self._pooled(part).astype(np.float64)
            return TokenSum(states, tokens, [0], read, lead, True)
        if self.normalizes:
            states /= float(np.linalg.norm(states.mean(axis=0))) or 1.0
        return TokenSum(states, tokens, range(len(states)), read, lead)

    def _pooled(self, part: ArrayStates) -> npt.NDArray[np.float32]:
        mask = part.mask[:, :, None]
        if self.pooling == "cls":
            highest = part.states[:, 0]
        elif self.pooling == "max":
            highest = np.where(mask, part.states, -np.inf).max(axis=1)
        else:
            highest = (part.states * mask).sum(axis=1) / mask.sum(axis=1)
        if self.normalizes:
            highest = highest / np.maximum(np.linalg.norm(highest, axis=1, keepdims=True), 1e-12)
        vectors: npt.NDArray[np.float32] = highest.astype(np.float32)
        return vectors


def _layers(folder: Path) -> tuple[str, bool]:
    """Return the pooling of a model, and whether its vectors are brought to unit length."""
    path = folder / "modules.json"
    if not path.is_file():
        return "mean", False
    try:
        modules = json.loads(path.read_text(encoding="utf-8"))
        kinds = [str(module["type"]).rpartition(".")[2] for module in modules]
        paths = [str(module["path"]) for module in modules]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"{path} cannot be read ({error}): fetch all files of the model again"
        ) from error
    unknown = [kind for kind in kinds[2:] if kind not in _LAYERS]
    if kinds[:2] != ["Transformer", "Pooling"] or unknown:
        raise DataError(
            f"the model in {folder} has the layers {', '.join(kinds)}, of which ONNX Runtime runs "
            'the transformer alone: use backend="torch"'
        )
    result = read_json(folder / paths[1] / "config.json")
    mode = result.get("pooling_mode")
    on = [name for name, value in result.items() if value is True and name != "include_prompt"]
    modes = [mode] if mode else [_POOLINGS.get(name, name) for name in on]
    known = len(modes) == 1 and modes[0] in _POOLINGS.values()
    if not known or result.get("include_prompt") is False:
        raise DataError(
            f"the model in {folder} pools in a way that is not known here: {result}: use "
            'backend="torch"'
        )
    return str(modes[0]), "Normalize" in kinds
