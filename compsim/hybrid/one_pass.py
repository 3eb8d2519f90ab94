"""Sentence and phrases from one reading of a sentence transformer.

Where the phrases of the roles are read by the transformer that compares the whole sentences
(``vectors="sbert:MODEL"``), a sentence goes through its layers once: the sentence's vector is what
the model's pooling makes of the tokens' states, a phrase's the mean of those inside it.

>>> from compsim import load
>>> load("hybrid", whole="sbert", vectors="sbert").one_pass is not None  # doctest: +SKIP
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from compsim.embeddings.batch import VectorBatch
from compsim.embeddings.sentence_transformer import SentenceTransformerMethod
from compsim.hybrid.batch import HybridBatch
from compsim.plain_text import plain
from compsim.rolesim.method import RoleSimMethod
from compsim.transformers.phrases import TransformerPhrases
from compsim.transformers.token_states import States, TokenStates

__all__ = ["OnePass"]

#: Sentences whose states are kept at a time.
_CHUNK: Final = 256
#: What the two ways to a vector may differ by where the model is run as it runs itself.
_ROUNDING: Final = 1e-4
_PROBE: Final = "The dog bit the man."


class OnePass:
    """Encodes sentences by one run of the model of ``whole`` for both halves of the hybrid."""

    def __init__(self, whole: SentenceTransformerMethod, roles: RoleSimMethod) -> None:
        assert isinstance(roles.vectors, TransformerPhrases)
        self._whole, self._roles, self._phrases = whole, roles, roles.vectors
        # A sentence is cut where the sentence transformer cuts it.
        self._states = copy(self._phrases.encoder)
        self._states.longest = min(self._states.longest, whole.model.max_seq_length)

    @classmethod
    def of(cls, whole: object, roles: RoleSimMethod) -> Self | None:
        """The one pass of two halves that read by the same model in the same way, else None."""
        phrases = roles.vectors
        if type(whole) is not SentenceTransformerMethod:
            return None
        if not isinstance(phrases, TransformerPhrases) or whole.source != phrases.encoder.source:
            return None
        if phrases.encoder.layer != phrases.encoder.layers or not whole.model.max_seq_length:
            return None
        made = cls(whole, roles)
        # A prompt, another backend, a layer of the model's own: its vector would be another.
        there = made._vectors(list(made._states.read([_PROBE], 1)), 1)
        same = np.allclose(there, whole.embed([_PROBE]), atol=_ROUNDING)
        return made if same else None

    def encode(self, sentences: list[str]) -> HybridBatch:
        """The sentences encoded, as ``HybridMethod.encode`` does by two runs.

        Errors are those of the parser and of the model.
        """
        if not sentences:
            return HybridBatch(self._whole.encode([]), self._roles.encode([]))
        chunks = [sentences[i : i + _CHUNK] for i in range(0, len(sentences), _CHUNK)]
        return HybridBatch.concat(map(self._encoded, chunks))

    def _encoded(self, sentences: list[str]) -> HybridBatch:
        texts = list(map(plain, sentences))
        distinct = list(dict.fromkeys(text for text in texts if text))
        parts = list(self._states.read(distinct, self._whole.batch_size))
        vectors = np.concatenate([self._vectors(parts, len(distinct)), self._whole.embed([""])])
        place = {text: i for i, text in enumerate(distinct)}
        whole = vectors[[place.get(text, -1) for text in texts]]
        phrases, roles = copy(self._phrases), copy(self._roles)
        phrases.encoder = _Kept(self._states, distinct, parts)
        roles.vectors = phrases
        batch = VectorBatch(whole, texts=sentences, space=self._whole.space)
        return HybridBatch(batch, roles.encode(sentences))

    def _vectors(self, parts: Sequence[States], count: int) -> npt.NDArray[np.float32]:
        """What the layers behind the transformer make of the states: float32 (count, dim)."""
        import torch

        found = np.zeros((count, self._whole.dim), dtype=np.float32)
        for part in parts:
            features = {
                "token_embeddings": part.states,
                "attention_mask": part.mask,
                "input_ids": part.numbers,
            }
            with torch.inference_mode():
                for layer in list(self._whole.model.children())[1:]:
                    features = layer(features)
            found[part.places] = features["sentence_embedding"].float().cpu().numpy()
        return found


class _Kept(TokenStates):
    """States that were read already; of other texts those of ``encoder``."""

    def __init__(self, encoder: TokenStates, texts: Sequence[str], parts: Sequence[States]) -> None:
        self.__dict__.update(vars(encoder))
        self._known = {
            texts[place]: (part, row) for part in parts for row, place in enumerate(part.places)
        }

    def read(self, texts: Sequence[str], batch_size: int) -> Iterator[States]:
        """As ``TokenStates.read``, one text at a time where its states are known."""
        for i, text in enumerate(texts):
            if text in self._known:
                part, row = self._known[text]
                own = slice(row, row + 1)
                spans = None if part.spans is None else part.spans[own]
                states, numbers, mask = part.states[own], part.numbers[own], part.mask[own]
                yield States([i], states, numbers, mask, part.special[own], spans)
        others = [i for i, text in enumerate(texts) if text not in self._known]
        for part in super().read([texts[i] for i in others], batch_size):
            yield part._replace(places=[others[place] for place in part.places])
