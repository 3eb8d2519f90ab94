"""Sentence vectors from any OpenAI-compatible embeddings endpoint, over plain HTTP.

The services that speak this protocol are many: OpenAI's own, and local servers of open models. What
a run would cost is told before it, and a text is paid for once: its vector is kept on disk.

>>> from compsim import load
>>> method = load("openai", url="http://localhost:8000/v1", model="my-model", api_key="")
>>> method.cost(["Cats chase mice.", "Cats chase mice."])  # doctest: +SKIP
Cost(texts=1, requests=1, tokens=5, exact=False, cut=0, dollars=None)
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from compsim.embeddings.method import EmbeddingMethod, rows_of
from compsim.embeddings.services.endpoint import Endpoint, Vectors, requests_of
from compsim.embeddings.services.rate import RateLimit
from compsim.embeddings.services.tokens import Counter, open_counter
from compsim.embeddings.services.vector_cache import VectorCache, default_path
from compsim.errors import InputError, ServiceError
from compsim.http import Service, is_loopback, key_header
from compsim.method import MethodInfo
from compsim.sentences import check_sentences

if TYPE_CHECKING:
    from compsim.embeddings.postprocess import Normalizer

__all__ = ["Cost", "OpenAi"]

#: Bytes of an answer for each text that a request may have: a vector of 16,384 numbers with 32
#: characters each, four times as long as any in use. What a server sends beyond that would only
#: fill the memory.
_LARGEST_VECTOR: Final = 2**19
#: Bytes. A request of 2,048 texts, the most that OpenAI takes, gives 150 MB of digits at most.
_LARGEST_ANSWER: Final = 256 * 2**20


@dataclass(frozen=True, slots=True)
class Cost:
    """Amount of text that a run would send: distinct texts, neither blank nor in the cache.

    ``exact`` says whether ``tokens`` are counted by the model's own table or estimated; ``cut`` how
    many texts are over the limit; ``dollars`` is None where no price is given.
    """

    texts: int
    requests: int
    tokens: int
    exact: bool
    cut: int
    dollars: float | None


class OpenAi(EmbeddingMethod):
    """The cosine of the vectors that ``model`` gives at ``url`` (its ``/embeddings``).

    - ``api_key``: by default the environment variable ``OPENAI_API_KEY``; a local server needs
      none. ``dimensions``: shorter vectors, where the model can;
    - ``batch_size``, ``batch_tokens``: the most texts, and tokens, in a request; ``token_limit``:
      the most tokens in a text, the rest is cut with one warning; ``requests_per_minute``,
      ``tokens_per_minute``: a limit to keep to; ``workers``: requests at a time;
    - ``timeout``: seconds for each attempt; ``retries``: further attempts after a connection error,
      429 or 5xx, each after twice the pause or what ``Retry-After`` asks;
    - ``cache``: keep vectors on disk (True, False, or a ``VectorCache``); ``price``: dollars for a
      million tokens, for ``cost``;
    - ``normalize``: see ``EmbeddingMethod``.

    A blank sentence is not sent and has no vector. Tokens are counted by tiktoken where it is
    installed and has, or can fetch, the model's table; else they are estimated from the characters.
    """

    info = MethodInfo(
        name="openai",
        summary="cosine of the vectors of an OpenAI-compatible embeddings endpoint",
        deterministic=False,
    )

    def __init__(
        self,
        model: str = "text-embedding-3-small",
        url: str = "https://api.openai.com/v1",
        api_key: str | None = None,
        dimensions: int | None = None,
        batch_size: int = 128,
        batch_tokens: int = 100_000,
        token_limit: int = 8191,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        timeout: float = 60.0,
        retries: int = 5,
        workers: int = 4,
        cache: bool | VectorCache = True,
        price: float | None = None,
        normalize: str | Path | Normalizer = "none",
    ) -> None:
        super().__init__(normalize)
        sizes = {"batch_size": batch_size, "batch_tokens": batch_tokens, "token_limit": token_limit}
        sizes["workers"] = workers
        for name, size in sizes.items():
            if size < 1:
                raise InputError(f"{name}={size} leaves nothing to send: give at least 1")
        if dimensions is not None and dimensions < 1:
            raise InputError(f"dimensions={dimensions} is no vector: give at least 1, or None")
        if price is not None and not 0 <= price < math.inf:
            raise InputError(f"price={price} is no price: give dollars per million tokens, or None")
        self.model, self.dimensions = model, dimensions
        self._price = price
        self._batch_size, self._batch_tokens = batch_size, batch_tokens
        self._token_limit = token_limit
        self._cache = _open_cache(cache)
        service = Service(
            url,
            timeout=timeout,
            retries=retries,
            largest_answer=min(batch_size * _LARGEST_VECTOR, _LARGEST_ANSWER),
            headers=key_header(api_key),
        )
        self._url = service.url
        parameters = {"model": model} | ({"dimensions": dimensions} if dimensions else {})
        self._endpoint = Endpoint(
            service,
            parameters,
            limit=RateLimit(requests_per_minute, tokens_per_minute),
            workers=workers,
            keep=self._keep,
        )
        self._size = dimensions

    @property
    def space(self) -> str:
        """The service, its model, and the length of the vectors that it is asked for."""
        return f"openai {self._url} {self.model} {self.dimensions or ''}".rstrip()

    def cost(self, sentences: Iterable[str]) -> Cost:
        """Return the amount that encoding these sentences would send and, with a price, its cost.

        Nothing is sent.
        """
        sent, cut = self._to_send(check_sentences(sentences))
        texts = list(dict.fromkeys(sent.values()))
        known = self._cached(texts)
        counts = {text: self._counter.count(text) for text in texts if text not in known}
        tokens = sum(counts.values())
        return Cost(
            texts=len(counts),
            requests=len(self._requests(counts)),
            tokens=tokens,
            exact=self._counter.exact,
            cut=cut,
            dollars=None if self._price is None else self._price * tokens / 1e6,
        )

    def embed(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        """The vector of each sentence, float32 (n, dim); zeros where it is blank or refused.

        Raises ``ServiceError`` where the service fails; what it has answered is kept.
        """
        sent, cut = self._to_send(sentences)
        if cut:
            warnings.warn(
                f"{cut} of {len(sent)} sentences have more than {self._token_limit} tokens and are "
                "cut there: give a higher token_limit if the model reads more",
                stacklevel=5,
            )
        vectors = self._vectors(list(dict.fromkeys(sent.values())))
        return rows_of([sent.get(text, "") for text in sentences], vectors, self._dim())

    @cached_property
    def _counter(self) -> Counter:
        # Who asks a service on this machine only does not expect other addresses to be asked.
        return open_counter(self.model, fetch=not is_loopback(self._url))

    def _to_send(self, sentences: list[str]) -> tuple[dict[str, str], int]:
        """Each distinct sentence that is not blank as it is sent, and how many had to be cut."""
        limit = self._token_limit
        sent, cut = {}, 0
        for sentence in dict.fromkeys(sentences):
            if sentence.strip():
                # A token has at least one byte, so a short text need not be counted.
                fits = 4 * len(sentence) <= limit or self._counter.count(sentence) <= limit
                sent[sentence] = sentence if fits else self._counter.cut(sentence, limit)
                cut += not fits
        return sent, cut

    def _vectors(self, texts: list[str]) -> Vectors:
        """The vectors of distinct texts, from the cache where it has them."""
        vectors = self._cached(texts)
        counts = {text: self._counter.count(text) for text in texts if text not in vectors}
        if counts:
            vectors |= self._endpoint.vectors(self._requests(counts), counts)
        return vectors

    def _check_lengths(self, vectors: Vectors) -> None:
        """Raise ``ServiceError`` for a vector of another length than those before it."""
        size = self._size
        for vector in vectors.values():
            size = size or len(vector)
            if len(vector) != size:
                raise ServiceError(
                    f"{self._url} gave vectors of {size} and of {len(vector)} numbers where one "
                    "length was asked for: mend the service or the option dimensions, and clear "
                    "the cache of vectors"
                )
        self._size = size  # only now: what failed says nothing about the next answer

    def _requests(self, counts: dict[str, int]) -> list[list[str]]:
        return requests_of(counts, texts=self._batch_size, tokens=self._batch_tokens)

    def _dim(self) -> int:
        """The length of the vectors; the service is asked for one where none has been seen."""
        if self._size is None:
            self._vectors(["length"])
        assert self._size is not None
        return self._size

    def _cached(self, texts: list[str]) -> Vectors:
        vectors = self._cache.get(texts, self.space) if self._cache is not None else {}
        self._check_lengths(vectors)
        return vectors

    def _keep(self, vectors: Vectors) -> None:
        # Before they are kept: a wrong one would be found again at every later run.
        self._check_lengths(vectors)
        if self._cache is not None:
            self._cache.put(vectors, self.space)


def _open_cache(cache: bool | VectorCache) -> VectorCache | None:
    if isinstance(cache, bool):
        return VectorCache(default_path()) if cache else None
    if not isinstance(cache, VectorCache):
        raise InputError(f"cache is a {type(cache).__name__}: give True, False or a VectorCache")
    return cache
