"""A service that parses one sentence per request, asked about many at a time.

>>> without_surrogates("lone \\ud800 surrogate")
'lone \ufffd surrogate'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from compsim.errors import CompsimError, InputError
from compsim.graph import RoleGraph
from compsim.http import HopelessError, Service

__all__ = ["SentenceService", "without_surrogates"]

_SURROGATES = re.compile(r"[\ud800-\udfff]")


def without_surrogates(text: str) -> str:
    """Replace lone surrogates, which no encoding can carry, by U+FFFD; offsets stay the same."""
    return _SURROGATES.sub("\ufffd", text)


class SentenceService(Service):
    """A service under ``url``, asked by ``workers`` threads; ``options`` as of ``Service``."""

    def __init__(self, url: str, *, workers: int = 1, **options: Any) -> None:
        super().__init__(url, **options)
        if workers < 1:
            raise InputError(f"{workers} workers can not ask anything: give at least 1")
        self._workers = workers

    def parse(
        self, ask: Callable[[str], RoleGraph], sentences: Sequence[str], parser: str
    ) -> list[RoleGraph]:
        """Run ``ask`` on every sentence, order kept; one that fails gives a failed graph.

        Until the service has answered once, the first sentence goes alone, and ServiceError is
        raised when nothing listens or the service refuses us: no sentence could fare better.
        """

        def safely(text: str) -> RoleGraph:
            if not text.strip():
                return RoleGraph.failed(text, "the sentence is empty", parser)
            try:
                return ask(text)
            except CompsimError as error:
                if isinstance(error, HopelessError) and not self.answered:
                    raise
                return RoleGraph.failed(text, str(error), parser)

        graphs: list[RoleGraph] = []
        for text in sentences:
            if self.answered:
                break
            graphs.append(safely(text))
        rest = sentences[len(graphs) :]
        if not rest:
            return graphs
        with ThreadPoolExecutor(min(self._workers, len(rest))) as pool:
            graphs.extend(pool.map(safely, rest))
        return graphs
