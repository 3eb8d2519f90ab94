"""One HTTP request, with a deadline that no drip of bytes can put off.

httpx is imported when a request is made, not before.

>>> with exchange("http://[", 1.0, {}, direct=True) as (answer, watch):
...     print(answer.status_code)
Traceback (most recent call last):
    ...
compsim.exchange.BrokenError: Invalid IPv6 URL
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import socket
    import ssl

    import httpx

__all__ = ["BrokenError", "Watch", "exchange"]

# Compressed answers could be far larger than what is read of them.
_HEADERS: Final = {"User-Agent": "compsim", "Accept-Encoding": "identity"}


class BrokenError(Exception):
    """There is no answer, or not a whole one.

    ``slow`` where the time was over though the connection stood, ``connected`` where something
    listens at all, ``answered`` where at least the head of an answer came.
    """

    def __init__(
        self, reason: str, *, slow: bool = False, connected: bool = False, answered: bool = False
    ) -> None:
        super().__init__(reason)
        self.slow, self.connected, self.answered = slow, connected, answered


class Watch:
    """Cuts a connection when the time is over.

    The time-outs of httpx begin anew with every byte that comes, this one with ``restart`` only.
    """

    def __init__(self, seconds: float) -> None:
        self.passed = False
        self.connected = False
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
            self.connected = True
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
    direct: bool,
    body: bytes | None = None,
    redirects: bool = False,
) -> Iterator[tuple[httpx.Response, Watch]]:
    """Ask, and give the answer while its content is still to come; raises ``BrokenError``.

    ``seconds`` is for all of it, redirects included, unless the watch is restarted; only the name
    of a host is looked up in the operating system's own time. ``direct``: without a proxy.
    """
    import httpx

    watch = Watch(seconds)
    answered = False
    try:
        with contextlib.ExitStack() as stack:
            try:
                client = httpx.Client(
                    verify=_certificates(),
                    trust_env=not direct,
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
            answered = True
            yield response, watch
        if watch.passed:
            raise BrokenError("too slow", slow=True, connected=True, answered=True)
    except httpx.HTTPError as error:
        late = watch.passed or isinstance(error, httpx.ReadTimeout | httpx.WriteTimeout)
        slow = late and watch.connected
        reason = "too slow" if slow else str(error) or type(error).__name__
        raise BrokenError(
            reason, slow=slow, connected=watch.connected, answered=answered
        ) from error
