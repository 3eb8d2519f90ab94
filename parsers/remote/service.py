"""One service on the network: requests with time-out, retries and back-off, many at a time.

All clients of services stand on it.  What a service answers is never trusted to be JSON.  With
``COMPSIM_OFFLINE=1`` only services on this very machine are asked.

>>> Service("ftp://example.org")
Traceback (most recent call last):
    ...
compsim.errors.InputError: 'ftp://example.org' is no service address: give http://host:port
"""

from __future__ import annotations

import ipaddress
import json
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPRedirectHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    build_opener,
)

from compsim.errors import CompsimError, InputError, ServiceError
from compsim.graph import RoleGraph
from compsim.storage.places import offline

__all__ = ["RefusedError", "Service", "is_loopback", "without_surrogates"]

_LARGEST_ANSWER = 16 * 2**20  # bytes; no parse of a sentence is near it
_LONGEST_PAUSE = 60.0  # seconds
_RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
_HOPELESS = frozenset({401, 403, 404, 405})  # every sentence would meet the same answer
_UNFIT = frozenset({400, 413, 422})  # another sentence may fare better
_SURROGATES = re.compile(r"[\ud800-\udfff]")


def without_surrogates(text: str) -> str:
    """Replace lone surrogates, which no encoding can carry, by U+FFFD; offsets stay the same."""
    return _SURROGATES.sub("\ufffd", text)


class RefusedError(ServiceError):
    """The service answers, but does not take this very request (400, 413 or 422)."""


class Service:
    """A service under ``url``, asked by ``workers`` threads at a time.

    ``timeout`` is in seconds per attempt; connection errors and the answers 408, 425, 429 and 5xx
    are tried again ``retries`` times, after ``backoff``, twice that, ... seconds or what
    ``Retry-After`` asks.  An answer that is merely too slow is not asked for again, and one of more
    than ``largest_answer`` bytes not read.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout: float = 30.0,
        retries: int = 2,
        backoff: float = 0.5,
        workers: int = 4,
        headers: Mapping[str, str] | None = None,
        largest_answer: int = _LARGEST_ANSWER,
    ) -> None:
        host = urlsplit(url).hostname
        if urlsplit(url).scheme not in ("http", "https") or not host:
            raise InputError(f"{url!r} is no service address: give http://host:port")
        if not (timeout > 0 and math.isfinite(timeout) and retries >= 0 and backoff >= 0):
            raise InputError("timeout must be positive, retries and backoff not negative")
        if workers < 1:
            raise InputError(f"{workers} workers can not ask anything: give at least 1")
        self.url = url.rstrip("/")
        self._timeout, self._retries, self._backoff = timeout, retries, backoff
        self._workers, self._largest_answer = workers, largest_answer
        self._headers = {"Accept": "application/json", "User-Agent": "compsim", **(headers or {})}
        self._local = is_loopback(host)
        self._opener = _opener(self._local)
        self._answered = False

    def get(self, path: str) -> Any:
        """Return the JSON that ``GET url/path`` answers; raises ServiceError if there is none."""
        return self._ask(path, None)

    def post(self, path: str, body: Any) -> Any:
        """Return the JSON that ``POST url/path`` answers to a JSON body; raises ServiceError."""
        return self._ask(path, json.dumps(body).encode("ascii"))

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
            except _HopelessError as error:
                if not self._answered:
                    raise
                return RoleGraph.failed(text, str(error), parser)
            except CompsimError as error:
                return RoleGraph.failed(text, str(error), parser)

        graphs: list[RoleGraph] = []
        for text in sentences:
            if self._answered:
                break
            graphs.append(safely(text))
        rest = sentences[len(graphs) :]
        if not rest:
            return graphs
        with ThreadPoolExecutor(min(self._workers, len(rest))) as pool:
            graphs.extend(pool.map(safely, rest))
        return graphs

    def _ask(self, path: str, body: bytes | None) -> Any:
        if offline() and not self._local:
            raise _HopelessError(
                f"{self.url} is not asked since COMPSIM_OFFLINE is set: unset it, or name a service"
                " on this machine"
            )
        request = Request(f"{self.url}/{path}", data=body, headers=self._headers)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        pause = self._backoff
        for attempts_left in range(self._retries, -1, -1):
            try:
                answer = self._once(request)
            except _RetryError as error:
                if not attempts_left:
                    raise error.final from error
                time.sleep(min(max(pause, error.wanted_pause), _LONGEST_PAUSE))
                pause *= 2
            else:
                self._answered = True
                return answer
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _once(self, request: Request) -> Any:
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                content = response.read(self._largest_answer + 1)
        except HTTPError as error:
            with error:
                final = self._refusal(error)
                if error.code in _RETRIED:
                    raise _RetryError(
                        final, _retry_after(error.headers.get("Retry-After"))
                    ) from error
            raise final from error
        except TimeoutError as error:
            # The connection stood: the service is there, only slow with this sentence.
            self._answered = True
            raise ServiceError(
                f"{self.url} did not answer within {self._timeout:g} s: give a longer timeout"
            ) from error
        except (URLError, HTTPException, OSError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise _RetryError(
                _HopelessError(
                    f"{self.url} can not be reached ({reason}): start the service or mend the url"
                )
            ) from error
        if len(content) > self._largest_answer:
            raise ServiceError(
                f"{self.url} sent more than {self._largest_answer} bytes: is it the one?"
            )
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            self._answered = True
            raise ServiceError(
                f"{self.url} did not answer in JSON ({_start(content)}): is it the right service?"
            ) from error

    def _refusal(self, error: HTTPError) -> ServiceError:
        try:
            detail = _start(error.read(4096))
        except (OSError, HTTPException):
            detail = ""
        message = f"{self.url} answered {error.code} {error.reason}" + (detail and f" ({detail})")
        if error.code in (401, 403):
            return _HopelessError(f"{message}: check the API key")
        if error.code in _HOPELESS:
            return _HopelessError(f"{message}: check the url and the model's name")
        self._answered = True
        if error.code in _UNFIT:
            return RefusedError(f"{message}: mend the request, or the options it is made of")
        return ServiceError(f"{message}: try again, or look into the service's log")


class _HopelessError(ServiceError):
    """Nothing listens, or the service refuses us altogether."""


class _RetryError(Exception):
    """This attempt failed in a way that the next may not; ``final`` is raised after the last."""

    def __init__(self, final: ServiceError, wanted_pause: float = 0.0) -> None:
        super().__init__(str(final))
        self.final = final
        self.wanted_pause = wanted_pause


class _NoRedirect(HTTPRedirectHandler):
    # A redirect would carry the API key to another host.
    def redirect_request(self, *args: object, **kwargs: object) -> None:
        return None


def is_loopback(host: str) -> bool:
    """Whether a host's name or address is this very machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _opener(local: bool) -> OpenerDirector:
    """Make an opener that follows no redirect and takes no proxy to this very machine."""
    handlers = [_NoRedirect(), ProxyHandler({})] if local else [_NoRedirect()]
    return build_opener(*handlers)


def _retry_after(header: str | None) -> float:
    """Return the seconds that a ``Retry-After`` header asks for, given as a number or a date."""
    value = (header or "").strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except (TypeError, ValueError, OverflowError):
            return 0.0
    return max(seconds, 0.0) if math.isfinite(seconds) else 0.0


def _start(content: bytes) -> str:
    text = " ".join(content[:400].decode("utf-8", "replace").split())
    return text if len(text) <= 120 else f"{text[:117]}..."
