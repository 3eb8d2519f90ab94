"""An OpenAI-compatible embeddings endpoint: texts in, vectors out, in requests of a bounded size.

>>> from compsim.embeddings.services.endpoint import requests_of
>>> requests_of({"a": 1, "b": 1, "c": 5, "d": 1}, texts=2, tokens=5)
[['a', 'b'], ['c'], ['d']]
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from compsim.embeddings.services.rate import RateLimit
from compsim.errors import ServiceError
from compsim.http import RefusedError, Service

__all__ = ["Endpoint", "requests_of"]

Vectors = dict[str, npt.NDArray[np.float32]]

#: So many texts refused one by one, and none taken, mean that the request is wrong, not the texts.
_ENOUGH = 3


class Endpoint:
    """Asks ``service`` (its ``/embeddings``) for vectors, ``workers`` requests at a time.

    ``parameters`` go into every request beside the texts. ``keep`` is called with the vectors of
    each answer when it comes, by several threads: what breaks off later has not been for nothing.
    """

    def __init__(
        self,
        service: Service,
        parameters: Mapping[str, Any],
        *,
        limit: RateLimit,
        workers: int,
        keep: Callable[[Vectors], None],
    ) -> None:
        self._service, self._parameters = service, dict(parameters)
        self._limit, self._workers, self._keep = limit, workers, keep

    def vectors(self, requests: list[list[str]], tokens: Mapping[str, int]) -> Vectors:
        """The vector of each text; ``tokens`` says how many tokens each has.

        A text that the service refuses is left out, with one warning for all of them. Raises
        ``ServiceError`` where the service fails, answers nonsense, or takes none of the texts.
        """
        run = _Run(self._ask, tokens)
        result: Vectors = {}
        for answer in run.answers(requests, self._workers):
            result.update(answer)
        if run.refused:
            if not result:
                raise run.refused[-1]
            warnings.warn(
                f"{len(run.refused)} of {len(tokens)} texts were refused and have no vector "
                f"({run.refused[0]})",
                stacklevel=6,
            )
        return result

    def _ask(self, texts: list[str], tokens: int) -> Vectors:
        self._limit.wait(tokens)
        body = {**self._parameters, "input": texts}
        answer = self._service.post("embeddings", body)
        rows = _read(answer, len(texts), self._service.url)
        table = dict(zip(texts, rows, strict=True))
        self._keep(table)
        return table


class _Run:
    """Requests of one call, and their results."""

    def __init__(self, ask: Callable[[list[str], int], Vectors], tokens: Mapping[str, int]) -> None:
        self._ask, self._tokens = ask, tokens
        self.refused: list[RefusedError] = []
        self._taken = False

    def answers(self, requests: list[list[str]], workers: int) -> Iterator[Vectors]:
        # The first goes alone: where nothing listens, or the key is wrong, none could fare better.
        yield from map(self._answer, requests[:1])
        rest = requests[1:]
        if not rest:
            return
        pool = ThreadPoolExecutor(min(workers, len(rest)))
        try:
            yield from pool.map(self._answer, rest)
        finally:
            pool.shutdown(cancel_futures=True)

    def _answer(self, texts: list[str]) -> Vectors:
        try:
            response = self._ask(texts, sum(self._tokens[text] for text in texts))
        except RefusedError as error:
            if len(texts) > 1:  # halves, to find the text that is refused
                middle = len(texts) // 2
                return {**self._answer(texts[:middle]), **self._answer(texts[middle:])}
            self.refused.append(error)
            if not self._taken and len(self.refused) >= _ENOUGH:
                raise
            return {}
        self._taken = True
        return response


def requests_of(counts: Mapping[str, int], *, texts: int, tokens: int) -> list[list[str]]:
    """Texts in requests of at most ``texts`` texts and ``tokens`` tokens, the order kept.

    ``counts`` says how many tokens each text has; a text with more is a request of its own.
    """
    requests: list[list[str]] = []
    used = 0
    for text, count in counts.items():
        if not requests or len(requests[-1]) >= texts or used + count > tokens:
            requests.append([])
            used = 0
        requests[-1].append(text)
        used += count
    return requests


def _read(answer: Any, n: int, url: str) -> list[npt.NDArray[np.float32]]:
    """The vectors of an answer in the order of the texts, which its ``index`` fields give."""
    try:
        data = answer["data"]
        places = [item.get("index", place) for place, item in enumerate(data)]
        # numpy would make numbers of texts and of true and false, too.
        numbers = all({int, float} >= set(map(type, item["embedding"])) for item in data)
        rows = [np.asarray(item["embedding"], dtype=np.float64) for item in data]
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise ServiceError(
            f"{url} answered with something else than embeddings: is it the url of an "
            "OpenAI-compatible API, and is the model one for embeddings?"
        ) from error
    if len(rows) != n or any(type(place) is not int for place in places):
        places = []
    if set(places) != set(range(n)):
        raise ServiceError(
            f"{url} answered with {len(rows)} vectors for {n} texts: ask for fewer at a time, or "
            "mend the service"
        )
    vectors = [np.zeros(0, dtype=np.float32)] * n
    for place, row in zip(places, rows, strict=True):
        with np.errstate(over="ignore"):
            vectors[place] = row.astype(np.float32)
    if not numbers or any(
        vector.ndim != 1 or not vector.size or not np.isfinite(vector).all() for vector in vectors
    ):
        raise ServiceError(
            f"{url} answered with a vector that is no row of finite numbers: mend the service"
        )
    return vectors
