"""A service that parses one sentence per request, asked about many at a time.

>>> without_surrogates("lone \\ud800 surrogate")
'lone \ufffd surrogate'
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from compsim.errors import CompsimError, InputError, ServiceError
from compsim.graph import RoleGraph
from compsim.http import HopelessError, Service, UnansweredError, harmless

__all__ = ["SentenceService", "without_surrogates"]

_SURROGATES = re.compile(r"[\ud800-\udfff]")
#: So many sentences without any answer, and none with, mean that no other would get one either.
_ENOUGH: Final = 3
#: What comes of an answer that is of another shape than expected, deeper or with huge numbers.
_MALFORMED: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


def without_surrogates(text: str) -> str:
    """Replace lone surrogates, which no encoding can carry, by U+FFFD; offsets stay the same."""
    return _SURROGATES.sub("\ufffd", text)


class SentenceService(Service):
    """A service under ``url``, asked by ``workers`` threads; ``options`` as of ``Service``.

    The strings of its answers hold U+FFFD for control characters, and stars for the API key where
    the service repeats it, since phrases and concepts end up on terminals and in files.
    """

    def __init__(self, url: str, *, workers: int = 1, **options: Any) -> None:
        super().__init__(url, **options)
        if workers < 1:
            raise InputError(f"{workers} workers can not ask anything: give at least 1")
        self._workers = workers

    def parse(
        self, ask: Callable[[str], RoleGraph], sentences: Sequence[str], parser: str
    ) -> list[RoleGraph]:
        """Run ``ask`` on every sentence, order kept; one that fails gives a failed graph.

        Until the service has answered once, sentences go one by one, and ServiceError is raised
        when nothing listens, the service refuses us, or none of the first three gets any answer:
        no sentence could fare better.
        """
        unanswered: list[UnansweredError] = []

        def safely(text: str) -> RoleGraph:
            if not text.strip():
                return RoleGraph.failed(text, "the sentence is empty", parser)
            try:
                return ask(text)
            except CompsimError as error:
                if isinstance(error, HopelessError) and not self.answered:
                    raise
                if isinstance(error, UnansweredError):
                    unanswered.append(error)
                return RoleGraph.failed(text, str(error), parser)

        graphs: list[RoleGraph] = []
        for text in sentences:
            if self.answered or len(unanswered) >= _ENOUGH:
                break
            graphs.append(safely(text))
        if unanswered and not self.answered:
            raise unanswered[-1]
        rest = sentences[len(graphs) :]
        if not rest:
            return graphs
        with ThreadPoolExecutor(min(self._workers, len(rest))) as pool:
            graphs.extend(pool.map(safely, rest))
        return graphs

    @contextlib.contextmanager
    def reading(self, writer: str) -> Iterator[None]:
        """Whatever a malformed answer leads to is a ServiceError: not as ``writer`` writes it."""
        try:
            yield
        except ServiceError:
            raise
        except _MALFORMED as error:
            raise ServiceError(
                f"the answer is not as {writer} writes it ({self.shown(repr(error))}): is it "
                "another service?"
            ) from error

    def cleaned(self, answer: Any, sent: str) -> Any:
        """A JSON value with harmless strings; ``sent`` is the request that it answers."""
        # A word that the request has itself is no secret: such are the keys of local servers.
        hide = not any(secret in sent for secret in self._secrets)

        def text_of(text: str) -> str:
            return harmless(self.masked(text) if hide else text)

        with self.reading("a parser"):
            return _with_texts(answer, text_of)

    def _ask(self, path: str, body: bytes | None) -> Any:
        return self.cleaned(super()._ask(path, body), (body or b"").decode("ascii"))


def _with_texts(value: Any, change: Callable[[str], str]) -> Any:
    """A JSON value with every string in it changed, those of keys too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_with_texts(item, change) for item in value]
    if isinstance(value, dict):
        return {change(key): _with_texts(item, change) for key, item in value.items()}
    return value
