"""The one HTTP client: services asked with retries, and what may be told of their answers.

Each request is an :func:`compsim.exchange.exchange`. With ``COMPSIM_OFFLINE=1`` no file is fetched
and only services on this very machine are asked; those are never asked through a proxy.

>>> Service("ftp://example.org")
Traceback (most recent call last):
    ...
compsim.errors.InputError: 'ftp://example.org' is no service address: give http://host:port
>>> is_loopback("http://127.0.0.1:8080/parse"), is_loopback("https://example.org")
(True, False)
"""

from __future__ import annotations

import ipaddress
import json
import math
import os
import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlsplit

from compsim.errors import InputError, ServiceError
from compsim.exchange import BrokenError, exchange
from compsim.plain_text import UNSAFE

if TYPE_CHECKING:
    import httpx

__all__ = [
    "HopelessError",
    "RefusedError",
    "Service",
    "UnansweredError",
    "harmless",
    "host_of",
    "is_loopback",
    "key_header",
    "offline",
    "one_line",
    "without_password",
]

_LARGEST_ANSWER: Final = 16 * 2**20  # bytes; no parse of a sentence is near it
_LONGEST_ADDRESS: Final = 2**16  # characters; httpx's own limit
# Seconds; the windows of rate limits are a minute, and no server may hold a run for longer.
_LONGEST_PAUSE: Final = 60.0
# Seconds of pauses, those of all threads, since the service last answered: one that always asks to
# wait holds up a batch no longer than that.
_LONGEST_WAIT: Final = 600.0
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
    """Return whether ``COMPSIM_OFFLINE`` forbids every address but those of this very machine."""
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
    """Return whether an address is of this very machine."""
    host = host_of(url)
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def without_password(url: str) -> str:
    """The address without the ``user:password@`` that may stand before its host."""
    return re.sub(r"//[^/?#]*@", "//", url, count=1)


# --- what goes out and comes in ------------------------------------------------------------------


def key_header(key: str | None) -> dict[str, str]:
    """The header that carries an API key, by default that of ``OPENAI_API_KEY``; "" is none.

    Raises ``InputError`` for what can be no key.
    """
    key = os.environ.get("OPENAI_API_KEY", "") if key is None else key
    if not (key.isascii() and key.isprintable()):
        raise InputError("the API key holds characters that no key has: copy it again")
    return {"Authorization": f"Bearer {key}"} if key else {}


def _read(response: httpx.Response, most: int) -> bytes:
    """The first ``most`` bytes of what is answered; no more than a block beyond is received."""
    content = bytearray()
    for block in response.iter_raw():
        content += block
        if len(content) >= most:
            break
    return bytes(content[:most])


def harmless(text: str) -> str:
    """A server's text with U+FFFD for what a terminal could take for a command.

    Offsets stay the same. Tabs and line ends stay as well, since data may have them.
    """
    return UNSAFE.sub(_replaced, text.replace("\r\n", " \n"))


def _replaced(match: re.Match[str]) -> str:
    return match[0] if match[0] in "\t\n\u2028\u2029" else "\ufffd"


def one_line(text: str) -> str:
    """A server's text as it may stand in a message: short, and without control characters."""
    plain = "".join(char if char.isprintable() else " " for char in text.replace("\ufffd", " "))
    line = " ".join(plain.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 3]}..."


# --- services ------------------------------------------------------------------------------------


class HopelessError(ServiceError):
    """Nothing listens, or the service refuses us altogether: no other request could fare better."""


class UnansweredError(ServiceError):
    """Something listens, but gave this request no answer that is HTTP: another may fare better."""


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
    ``backoff``, twice that, ... seconds or what ``Retry-After`` asks, but at most a minute; after
    ten minutes of pauses without an answer, nothing is tried again until one comes. An answer that
    is merely too slow is not asked for again, and one of more than ``largest_answer`` bytes not
    read. No redirect is followed: it would carry the API key to another host.

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
        self._waited = 0.0
        value = self._headers.get("Authorization", "")
        keys = filter(None, (value, *value.split()[1:]))
        self._secrets = [
            form for key in keys for form in (key, json.dumps(key)[1:-1], quote(key, safe=""))
        ]

    def get(self, path: str) -> Any:
        """Return the JSON that ``GET url/path`` answers; raises ServiceError if there is none."""
        return self._ask(path, None)

    def post(self, path: str, body: Any) -> Any:
        """Return the JSON that ``POST url/path`` answers to a JSON body; raises ServiceError."""
        return self._ask(path, json.dumps(body).encode("ascii"))

    def masked(self, text: str) -> str:
        """The text with stars for the API key, plain or as JSON or an address would write it."""
        for form in self._secrets:
            text = text.replace(form, "***")
        return text

    def shown(self, text: str | bytes) -> str:
        """Return the service's message for use in an error: one short line, without API keys."""
        said = text if isinstance(text, str) else text.decode("utf-8", "replace")
        said = self.masked(said)
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
                if not attempts_left or self._waited >= _LONGEST_WAIT:
                    raise error.final from error
                seconds = min(max(pause, error.wanted_pause), _LONGEST_PAUSE)
                self._waited += seconds
                time.sleep(seconds)
                pause *= 2
        self.answered = True
        self._waited = 0.0
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
            with exchange(
                address, self._timeout, headers, direct=is_loopback(self.url), body=body
            ) as (answer, _):
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
            raise _RetryError(self._failure(error)) from error

    def _failure(self, error: BrokenError) -> ServiceError:
        """Return the error for an incomplete answer after the last attempt."""
        why = self.shown(str(error))
        if error.answered:
            self.answered = True
            return ServiceError(
                f"{self.url} broke off its answer ({why}): try again, or look into the service's "
                "log"
            )
        if error.connected:
            return UnansweredError(f"{self.url} gave no answer ({why}): try again, or mend the url")
        return HopelessError(
            f"{self.url} can not be reached ({why}): start the service or mend the url"
        )

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
        if answer.is_redirect:
            return ServiceError(f"{message}, which is not followed: give the address that it names")
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
