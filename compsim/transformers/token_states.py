"""The states of a transformer's tokens, at any layer, for many texts at a time.

Texts of like length are read together, the padding masked, so that a text's states do not depend
on the others. What a model reads is cut at the length that it was built for.

>>> encoder = TokenStates("FOLDER", layer=0)  # doctest: +SKIP
>>> for part in encoder.read(["Cats sleep.", "Dogs bark."], batch_size=32):  # doctest: +SKIP
...     part.places, part.states.shape
([0, 1], (2, 5, 768))
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.kernels.locks import SharedLock
from compsim.transformers import hub
from compsim.transformers.token_places import TokenPlaces, token_places

if TYPE_CHECKING:
    import torch

__all__ = ["Pooling", "States", "TokenStates", "check_batch_size", "longest", "pooled"]

Pooling = Literal["mean", "max", "cls", "pooler"]

#: Names of layers, the first being the one behind the embeddings.
_FIRST: Final = "first"
_LAST: Final = "last"
_UNBOUNDED: Final = 512


class States(NamedTuple):
    """The states of some texts: ``states`` (n, length, dim), on the model's device.

    ``places``: where each text stood in what was given. ``numbers`` (n, length): the tokens, as the
    vocabulary numbers them. ``mask`` (n, length): 1 for a token, 0 for padding. ``special``
    (n, length): 1 for tokens that are no part of the text. ``spans`` (n, length, 2): the characters
    of each token; (0, 0) for special ones; None where the tokenizer cannot tell. ``first`` (n,):
    which token stands for the whole text, BERT's [CLS]; XLNet's is the last. ``pooler`` (n, dim):
    what the model's pooling layer gives; None where it has none.
    """

    places: list[int]
    states: torch.Tensor
    numbers: torch.Tensor
    mask: torch.Tensor
    special: torch.Tensor
    spans: torch.Tensor | None
    first: torch.Tensor | None = None
    pooler: torch.Tensor | None = None


class TokenStates:
    """A transformer's encoder, read at a layer.

    - ``model``: a folder or a hub name; of a model with an encoder and a decoder, the encoder;
    - ``layer``: 0 is what goes into the first layer, k what comes out of layer k; None the last;
      several with a plus between are averaged: "first+last" is "1+12" of a model of twelve layers;
    - ``device``, ``trust_remote_code``: see ``SentenceTransformerMethod``.

    Raises ``DataError`` for a model that is missing or damaged, ``InputError`` for a layer that it
    does not have.
    """

    def __init__(
        self,
        model: str | Path,
        layer: int | str | None = None,
        device: str | None = None,
        trust_remote_code: bool = False,
    ) -> None:
        import torch
        from transformers import AutoModel, AutoTokenizer

        self.source = hub.find(model)
        hub.check_device(device)
        how = {
            "local_files_only": self.source.local_only,
            "trust_remote_code": trust_remote_code,
        }
        with hub.opening(self.source) as self.checkpoint:
            self.tokenizer: Any = AutoTokenizer.from_pretrained(self.source.name, **how)
            whole: Any = AutoModel.from_pretrained(self.source.name, **how)
        if self.tokenizer.pad_token is None:
            self.tokenizer.pad_token = self.tokenizer.eos_token or self.tokenizer.unk_token
        self.tokenizer.padding_side = "right"
        has_decoder = getattr(whole, "decoder", None) is not None
        encoder = whole.get_encoder() if has_decoder else whole
        if device is None:
            device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model: Any = encoder.eval().to(device)
        self.longest = longest(self.model, self.tokenizer)
        self._layers = self._numbers(layer)
        # A tokenizer is set to pad or to cut, and then asked: not by two threads at a time.
        self._tokenizing = SharedLock()

    @property
    def layer(self) -> int | str:
        """The layer that is read, by its number; of several, the numbers with a plus between."""
        several = len(self._layers) > 1
        return "+".join(map(str, self._layers)) if several else self._layers[0]

    @property
    def is_last(self) -> bool:
        """True if the last layer alone is read."""
        return self._layers == (self.layers,)

    def _numbers(self, layer: int | str | None) -> tuple[int, ...]:
        """Return the numbers of the layers that are averaged."""
        if layer is None:
            return (self.layers,)
        named = {_FIRST: "1", _LAST: str(self.layers)}
        texts = layer.split("+") if isinstance(layer, str) else [layer]
        numbers = []
        for given in texts:
            text = named.get(given.strip(), given.strip()) if isinstance(given, str) else given
            number = int(text) if isinstance(text, str) and text.isdecimal() else text
            if isinstance(number, bool) or not isinstance(number, int):
                number = -1
            if not 0 <= number <= self.layers:
                raise InputError(
                    f"layer={layer!r} is not a layer of {self.source.name}: give a whole number "
                    f"from 0, the embeddings, to {self.layers}, the last, or several with a plus "
                    'between, such as "first+last"'
                )
            numbers.append(number)
        return tuple(numbers)

    @property
    def layers(self) -> int:
        """Number of layers of the encoder."""
        config = self.model.config
        # BART's num_hidden_layers may be the decoder's.
        return int(getattr(config, "encoder_layers", None) or config.num_hidden_layers)

    @property
    def dim(self) -> int:
        """The length of a state."""
        return int(self.model.config.hidden_size)

    @cached_property
    def fingerprint(self) -> str:
        """The model with a hash of its files, and the layer."""
        return f"{hub.fingerprint(self.source, self.model.config)} layer {self.layer}"

    def read(self, texts: Sequence[str], batch_size: int) -> Iterator[States]:
        """The states of the texts, those of like length together, every text once."""
        import torch

        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        for start in range(0, len(order), batch_size):
            places = order[start : start + batch_size]
            with self._tokenizing:
                read = self.tokenizer(
                    [texts[i] for i in places],
                    padding=True,
                    truncation=True,
                    max_length=self.longest,
                    return_tensors="pt",
                    return_special_tokens_mask=True,
                    return_offsets_mapping=self.tokenizer.is_fast,
                )
            spans = read.pop("offset_mapping", None)
            special = read.pop("special_tokens_mask")
            read = {name: value.to(self.model.device) for name, value in read.items()}
            with torch.inference_mode():
                out = self.model(**read, output_hidden_states=True)
            layers = [out.hidden_states[number] for number in self._layers]
            states = layers[0] if len(layers) == 1 else torch.stack(layers).mean(dim=0)
            numbers, mask = read["input_ids"], read["attention_mask"]
            first = self._firsts(numbers, mask)
            pooler = getattr(out, "pooler_output", None)
            special = special.to(states.device)
            yield States(places, states, numbers, mask, special, spans, first, pooler)

    def _firsts(self, numbers: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return where the token that stands for the whole text is: at the start, or the end."""
        ends = mask.sum(dim=1) - 1
        last = numbers.gather(1, ends[:, None])[:, 0]
        token = self.tokenizer.cls_token_id
        at_end = (last == token) & (numbers[:, 0] != token) if token is not None else last != last
        return ends * at_end

    def token_places(self, text: str, numbers: Sequence[int]) -> TokenPlaces:
        """Return the tokens ``numbers`` of a text that was read, with their characters."""
        with self._tokenizing:
            return token_places(self.tokenizer, text, self.longest, numbers)

    def vectors(
        self, texts: Sequence[str], batch_size: int, pool: Callable[[States], torch.Tensor]
    ) -> npt.NDArray[np.float32]:
        """Return the pooled states of each text, (n, dim); zeros where one is blank."""
        distinct = list(dict.fromkeys(text for text in texts if text.strip()))
        values = np.zeros((len(distinct) + 1, self.dim), dtype=np.float32)
        for part in self.read(distinct, batch_size):
            values[part.places] = pool(part).float().cpu().numpy()
        place = {text: i for i, text in enumerate(distinct)}
        return values[[place.get(text, -1) for text in texts]]


def longest(model: Any, tokenizer: Any) -> int:
    """The most tokens that a model reads; 512 where its files name no bound.

    Of the positions of RoBERTa and its kin, some come before the first token's.
    """
    import torch

    limits = [tokenizer.model_max_length]
    positions = getattr(model.config, "max_position_embeddings", None)
    if positions is not None:
        for name, module in model.named_modules():
            if name.endswith("position_embeddings") and isinstance(module, torch.nn.Embedding):
                before = -1 if module.padding_idx is None else module.padding_idx
                positions = min(positions, module.num_embeddings - before - 1)
        limits.append(positions)
    known = [int(limit) for limit in limits if limit is not None and 0 < limit < sys.maxsize]
    return min(known, default=_UNBOUNDED)


def pooled(part: States, pooling: Pooling) -> torch.Tensor:
    """One vector for each text (n, dim); padding does not count."""
    if pooling == "cls" and part.first is not None:
        return part.states[range(len(part.states)), part.first]
    if pooling == "pooler" and part.pooler is not None:
        return part.pooler
    if pooling in ("cls", "pooler"):
        raise InputError(f"the states have no {pooling}: read them with TokenStates")
    mask = part.mask.unsqueeze(-1)
    if pooling == "max":
        return part.states.masked_fill(mask == 0, float("-inf")).amax(dim=1)
    return (part.states * mask).sum(dim=1) / mask.sum(dim=1)


def check_batch_size(size: int) -> int:
    """The size; raises ``InputError`` where it is no whole number above 0."""
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise InputError(f"batch_size={size!r} is not a whole number above 0: give one, such as 32")
    return size
