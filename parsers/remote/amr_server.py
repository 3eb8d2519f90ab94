"""AMR parses from a running ``compsim.parsers.amrlib.server``, or a service that answers like it.

For a parser that needs an environment of its own: start ``python -m compsim.parsers.amrlib.server``
there, whose docstring has the protocol, then:

>>> parser = AmrServerParser("http://localhost:8090")
>>> parser.parse(["The dog chased a cat."])  # doctest: +SKIP
[RoleGraph(...)]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from compsim.errors import InputError, ServiceError
from compsim.graph import RoleGraph
from compsim.parsers.files.stored_amr import graph_from_amr
from compsim.parsers.remote.sentences import SentenceService, without_surrogates

__all__ = ["AmrServerParser"]


class AmrServerParser:
    """Asks the service at ``url`` for ``batch`` sentences at a time.

    ``timeout`` is in seconds per attempt, ``retries`` counts further attempts after a connection
    error or a 5xx answer. A batch that fails is asked for again sentence by sentence, so that only
    the sentence at fault gives a failed graph.
    """

    name = "amr-server"
    cacheable_failures = False

    def __init__(
        self,
        url: str = "http://localhost:8090",
        timeout: float = 300.0,
        retries: int = 2,
        batch: int = 32,
    ) -> None:
        if batch < 1:
            raise InputError(f"a batch of {batch} sentences can not be asked for: give at least 1")
        self._batch = batch
        self._service = SentenceService(url, timeout=timeout, retries=retries)

    @cached_property
    def version(self) -> str:
        """The address and the version of the model behind it; raises ServiceError without one."""
        health = self._service.get("health")
        if not isinstance(health, dict) or not isinstance(health.get("version"), str):
            raise ServiceError(
                f"{self._service.url} does not tell its version under /health: is it an AMR "
                "service such as compsim.parsers.amrlib.server?"
            )
        return f"1 {self._service.url} {health['version']}"

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        """Return one graph per sentence, in order; raises ServiceError when nothing listens."""
        graphs = [RoleGraph.failed(text, "the sentence is empty", self.name) for text in sentences]
        filled = [index for index, text in enumerate(sentences) if text.strip()]
        for start in range(0, len(filled), self._batch):
            places = filled[start : start + self._batch]
            texts = [sentences[index] for index in places]
            for index, graph in zip(places, self._parse(texts), strict=True):
                graphs[index] = graph
        return graphs

    def _parse(self, texts: list[str]) -> list[RoleGraph]:
        if len(texts) > 1:
            try:
                return self._ask(texts)
            except ServiceError:
                pass
        return self._service.parse(lambda text: self._ask([text])[0], texts, self.name)

    def _ask(self, texts: list[str]) -> list[RoleGraph]:
        answer = self._service.post(
            "parse", {"sentences": [without_surrogates(text) for text in texts]}
        )
        with self._service.reading("compsim.parsers.amrlib.server"):
            return self._graphs(texts, answer)

    def _graphs(self, texts: list[str], answer: Any) -> list[RoleGraph]:
        graphs = _column(answer, "graphs", len(texts))
        if graphs is None:
            raise ServiceError(
                f"{self._service.url} did not answer one graph for each sentence: is it an AMR "
                "service such as compsim.parsers.amrlib.server?"
            )
        problems = _column(answer, "problems", len(texts)) or [None] * len(texts)
        return [
            graph_from_amr(text, amr, self.name, self._service.shown(problem or ""))
            for text, amr, problem in zip(texts, graphs, problems, strict=True)
        ]


def _column(answer: Any, key: str, size: int) -> list[str | None] | None:
    """The list of so many strings or nulls under a key of the answer, None if it is none."""
    column = answer.get(key) if isinstance(answer, dict) else None
    if not isinstance(column, list) or len(column) != size:
        return None
    return column if all(entry is None or isinstance(entry, str) for entry in column) else None
