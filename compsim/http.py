"""The one HTTP client: requests with a deadline, and services asked with retries.

httpx is imported when a request is made, not before. With ``COMPSIM_OFFLINE=1`` no file is fetched
and only services on this very machine are asked; those are never asked through a proxy.

>>> Service("ftp://example.org")
Traceback (most recent call last):
    ...
compsim.errors.InputError: 'ftp://example.org' is no service address: give http://host:port
>>> is_loopback("http://127.0.0.1:8080/parse"), is_loopback("https://example.org")
(True, False)
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import math
import os
import re
import threading
import time
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlsplit

from compsim.errors import InputError, ServiceError

if TYPE_CHECKING:
    import socket
    import ssl

    import httpx

__all__ = [
    "BrokenError",
    "HopelessError",
    "RefusedError",
    "Service",
    "Watch",
    "exchange",
    "host_of",
    "is_loopback",
    "key_header",
    "offline",
    "one_line",
    "without_password",
]

# Compressed answers could be far larger than what is read of them.
_HEADERS: Final = {"User-Agent": "compsim", "Accept-Encoding": "identity"}
_LARGEST_ANSWER: Final = 16 * 2**20  # bytes; no parse of a sentence is near it
_LONGEST_ADDRESS: Final = 2**16  # httpx's own limit
_LONGEST_PAUSE: Final = 60.0  # seconds
_LONGEST_TIMEOUT: Final = 1e6  # seconds; more overflows in the operating system
_SHOWN: Final = 120  # characters of a server's text in a message
_RETRIED: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
# Every request would meet the same answer.
_HOPELESS: Final = {
    **dict.fromkeys((401, 403), "check the API key"),
    **dict.fromkeys((404, 405), "check the url and the model's name"),
}
_UNFIT: Final = frozenset({400, 413, 414, 422})  # another request may fare better


# --- addresses -----------------------------------------------------------------------------------


def offline() -> bool:
    """Whether ``COMPSIM_OFFLINE`` forbids every address but those of this very machine."""
    return os.environ.get("COMPSIM_OFFLINE", "").lower() not in ("", "0", "false", "no")


def host_of(url: str) -> str:
    """The host of an http(s) address, "" for what is no such address, or has a password in it."""
    try:
        parts = urlsplit(url)
        odd = parts.port == 0 or re.search(r"[\s\\@]", parts.netloc) or not url.isprintable()
    except ValueError:
        return ""
    return "" if odd or parts.scheme not in ("http", "https") else parts.hostname or ""


def is_loopback(url: str) -> bool:
    """Whether an address is of this very machine."""
    host = host_of(url)
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def without_password(url: str) -> str:
    """The address without the ``user:password@`` that may stand before its host."""
    return re.sub(r"//[^/?#]*@", "//", url, count=1)


# --- one request ---------------------------------------------------------------------------------


def key_header(key: str | None) -> dict[str, str]:
    """The header that carries an API key, by default that of ``OPENAI_API_KEY``; "" is none.

    Raises ``InputError`` for what can be no key.
    """
    key = os.environ.get("OPENAI_API_KEY", "") if key is None else key
    if not (key.isascii() and key.isprintable()):
        raise InputError("the API key holds characters that no key has: copy it again")
    return {"Authorization": f"Bearer {key}"} if key else {}


class BrokenError(Exception):
    """There is no answer, or not a whole one; ``slow`` where the connection stood."""

    def __init__(self, reason: str, slow: bool = False) -> None:
        super().__init__(reason)
        self.slow = slow


class Watch:
    """Cuts a connection when the time is over.

    The time-outs of httpx begin anew with every byte that comes, this one with ``restart`` only.
    """

    def __init__(self, seconds: float) -> None:
        self.passed = False
        self._seconds = seconds
        self._socket: socket.socket | None = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Watch:
        self.restart()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def restart(self) -> None:
        """Give the connection its whole time again."""
        self._end = time.monotonic() + self._seconds

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Learn from httpx which connection it is."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._socket = info["return_value"].get_extra_info("socket")
            if self.passed:
                self._cut()

    def _run(self) -> None:
        while (left := self._end - time.monotonic()) > 0:
            if self._ended.wait(left):
                return
        self.passed = True
        self._cut()

    def _cut(self) -> None:
        import socket

        if self._socket is not None:
            with contextlib.suppress(OSError):
                # Not the method of a TLS socket, which another thread is reading from.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


@cache
def _certificates() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()


@contextlib.contextmanager
def exchange(
    url: str,
    seconds: float,
    headers: Mapping[str, str],
    *,
    body: bytes | None = None,
    redirects: bool = False,
) -> Iterator[tuple[httpx.Response, Watch]]:
    """Ask, and give the answer while its content is still to come; raises ``BrokenError``."""
    import httpx

    watch = Watch(seconds)
    try:
        with contextlib.ExitStack() as stack:
            try:
                client = httpx.Client(
                    verify=_certificates(),
                    trust_env=not is_loopback(url),
                    follow_redirects=redirects,
                    timeout=seconds,
                )
                stack.enter_context(client)
                stack.enter_context(watch)
                method = "GET" if body is None else "POST"
                stream = client.stream(
                    method,
                    url,
                    headers=_HEADERS | dict(headers),
                    content=body,
                    extensions={"trace": watch.trace},
                )
                response = stack.enter_context(stream)
            except (httpx.InvalidURL, ValueError, ImportError, OSError) as error:
                # An address, a proxy or certificates that httpx can do nothing with.
                raise BrokenError(str(error)) from error
            yield response, watch
        if watch.passed:
            raise BrokenError("too slow", slow=True)
    except httpx.HTTPError as error:
        slow = watch.passed or isinstance(error, httpx.ReadTimeout | httpx.WriteTimeout)
        reason = "too slow" if slow else str(error) or type(error).__name__
        raise BrokenError(reason, slow) from error


def _read(response: httpx.Response, most: int) -> bytes:
    """The first ``most`` bytes of what is answered; no more than a block beyond is received."""
    content = bytearray()
    for block in response.iter_raw():
        content += block
        if len(content) >= most:
            break
    return bytes(content[:most])


def one_line(text: str) -> str:
    """A server's text as it may stand in a message: short, and without control characters."""
    plain = "".join(char if char.isprintable() else " " for char in text)
    line = " ".join(plain.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 3]}..."


# --- services ------------------------------------------------------------------------------------


class HopelessError(ServiceError):
    """Nothing listens, or the service refuses us altogether: no other request could fare better."""


class RefusedError(ServiceError):
    """The service answers, but does not take this very request (400, 413, 414 or 422)."""


class _RetryError(Exception):
    """This attempt failed in a way that the next may not; ``final`` is raised after the last."""

    def __init__(self, final: ServiceError, wanted_pause: float = 0.0) -> None:
        super().__init__(str(final))
        self.final = final
        self.wanted_pause = wanted_pause


class Service:
    """A service under ``url`` that speaks JSON; several threads may ask it.

    ``timeout`` is in seconds for each attempt, from the first byte sent to the last one received;
    connection errors and the answers 408, 425, 429 and 5xx are tried again ``retries`` times, after
    ``backoff``, twice that, ... seconds or what ``Retry-After`` asks, but at most a minute. An
    answer that is merely too slow is not asked for again, and one of more than ``largest_answer``
    bytes not read. No redirect is followed: it would carry the API key to another host.

    ``answered`` says whether the service has ever answered, if only slowly or with a refusal of
    one request.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout: float = 30.0,
        retries: int = 2,
        backoff: float = 0.5,
        headers: Mapping[str, str] | None = None,
        largest_answer: int = _LARGEST_ANSWER,
    ) -> None:
        if not host_of(url):
            raise InputError(
                f"{without_password(url)!r} is no service address: give http://host:port"
            )
        if not (timeout > 0 and math.isfinite(timeout) and retries >= 0 and backoff >= 0):
            raise InputError("timeout must be positive, retries and backoff not negative")
        self.url = url.rstrip("/")
        self._timeout = min(timeout, _LONGEST_TIMEOUT)
        self._retries, self._backoff = retries, backoff
        self._largest_answer = largest_answer
        self._headers = {"Accept": "application/json", **(headers or {})}
        self.answered = False

    def get(self, path: str) -> Any:
        """Return the JSON that ``GET url/path`` answers; raises ServiceError if there is none."""
        return self._ask(path, None)

    def post(self, path: str, body: Any) -> Any:
        """Return the JSON that ``POST url/path`` answers to a JSON body; raises ServiceError."""
        return self._ask(path, json.dumps(body).encode("ascii"))

    def shown(self, text: str | bytes) -> str:
        """What the service says as it may stand in a message: one short line, no API key in it."""
        said = text if isinstance(text, str) else text.decode("utf-8", "replace")
        value = self._headers.get("Authorization", "")
        for key in (value, *value.split()[1:]):
            for form in (key, json.dumps(key)[1:-1], quote(key, safe="")):
                said = said.replace(form, "***") if form else said
        return one_line(said[: 4 * _SHOWN])

    def _ask(self, path: str, body: bytes | None) -> Any:
        if offline() and not is_loopback(self.url):
            raise HopelessError(
                f"{self.url} is not asked since COMPSIM_OFFLINE is set: unset it, or name a service"
                " on this machine"
            )
        address = f"{self.url}/{path}"
        if len(address) > _LONGEST_ADDRESS:
            raise RefusedError(f"{self.url} can not be asked about so long a text: cut it")
        pause = self._backoff
        for attempts_left in range(self._retries, -1, -1):
            try:
                content = self._attempt(address, body)
                break
            except _RetryError as error:
                if not attempts_left:
                    raise error.final from error
                time.sleep(min(max(pause, error.wanted_pause), _LONGEST_PAUSE))
                pause *= 2
        self.answered = True
        if len(content) > self._largest_answer:
            raise ServiceError(
                f"{self.url} sent more than {self._largest_answer} bytes: is it the one?"
            )
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise ServiceError(
                f"{self.url} did not answer in JSON ({self.shown(content)}): is it the right "
                "service?"
            ) from error

    def _attempt(self, address: str, body: bytes | None) -> bytes:
        headers = self._headers | ({} if body is None else {"Content-Type": "application/json"})
        try:
            with exchange(address, self._timeout, headers, body=body) as (answer, _):
                if not answer.is_success:
                    raise self._refusal(answer)
                return _read(answer, self._largest_answer + 1)
        except BrokenError as error:
            if error.slow:
                # The connection stood: the service is there, only slow with this request.
                self.answered = True
                raise ServiceError(
                    f"{self.url} did not answer within {self._timeout:g} s: give a longer timeout"
                ) from error
            raise _RetryError(
                HopelessError(
                    f"{self.url} can not be reached ({self.shown(str(error))}): start the service "
                    "or mend the url"
                )
            ) from error

    def _refusal(self, answer: httpx.Response) -> ServiceError | _RetryError:
        import httpx

        try:
            detail = self.shown(_read(answer, 4096))
        except httpx.HTTPError:
            detail = ""
        status = answer.status_code
        message = f"{self.url} answered {status} {self.shown(answer.reason_phrase)}"
        message += detail and f" ({detail})"
        if status in _HOPELESS:
            return HopelessError(f"{message}: {_HOPELESS[status]}")
        self.answered = True
        if status in _UNFIT:
            return RefusedError(f"{message}: mend the request, or the options it is made of")
        final = ServiceError(f"{message}: try again, or look into the service's log")
        if status in _RETRIED:
            return _RetryError(final, _retry_after(answer.headers.get("Retry-After", "")))
        return final


def _retry_after(value: str) -> float:
    """The seconds that a ``Retry-After`` header asks for, given as a number or a date."""
    from email.utils import parsedate_to_datetime

    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except (TypeError, ValueError, OverflowError, OSError):
            return 0.0
    return max(seconds, 0.0) if math.isfinite(seconds) else 0.0
