"""Connections that end in time, and no more of them than there is room for.

uvicorn waits for the rest of a request's head for as long as the client likes, and takes
connections until the process has no file descriptor left. Here each connection has a time for what
it is at, and where there are too many, the one that has waited longest for its request ends:
whoever has a request is not kept out by those that have none.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from compsim.serving.logs import REQUESTS

__all__ = ["KEEP_ALIVE", "Connection", "connection_class", "room_for_connections"]

#: Seconds that a connection is kept without a request: longer than most clients and proxies do.
KEEP_ALIVE: Final = 65
#: Seconds from the start of a connection, or of a request's head on it, to the end of that head;
#: fewer where a request has fewer.
_HEAD: Final = 20.0
#: Seconds in which a client takes something of the answers that wait for it.
_TAKE: Final = 30.0
#: Seconds between two lines of the log that say that there are too many connections.
_QUIET: Final = 10.0

#: Connections that wait to be accepted, which are accepted in one go.
_BACKLOG: Final = 512
#: So many goes are accepted before those of the first can be refused.
_GOES: Final = 4
#: File descriptors for all but connections: files, and pipes to the process that computes.
_OTHERS: Final = 64


class Connection(H11Protocol):
    """A connection of a server that takes ``most`` of them, and requests of ``timeout`` seconds."""

    most: int
    timeout: float
    _last_warning = -_QUIET  # when the log last had that there are too many

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._since = time.monotonic()  # when it began to wait for its request
        self._timer: asyncio.TimerHandle | None = None
        self._has_part = False  # of a head that is not there as a whole
        self._unsent = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, and end another one where there are too many."""
        super().connection_made(transport)
        self._end_in(self._for_head)
        if len(self.connections) > self.most:
            self._tell()
            waiting = (one for one in self.connections if isinstance(one, Connection))
            oldest = min((one for one in waiting if one._waits), key=_since, default=self)
            oldest.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        if self._has_head:
            super().data_received(data)
            return
        if not self._has_part:
            self._has_part = True
            self._end_in(self._for_head)
        super().data_received(data)
        if self._has_head:
            self._has_part = False
            self._end_in(self.timeout + _TAKE)

    def on_response_complete(self) -> None:
        """Go on with the next request, or wait for it."""
        super().on_response_complete()
        self._since = time.monotonic()
        self._end_in(self.timeout + _TAKE if self._has_head else KEEP_ALIVE + 1)

    @property
    def _for_head(self) -> float:
        return min(_HEAD, self.timeout)

    @property
    def _has_head(self) -> bool:
        """True if a request is read or answered."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def _waits(self) -> bool:
        """True if it can be ended without an answer that was computed."""
        return not self.transport.is_closing() and (not self._has_head or self.cycle.more_body)

    def _end_in(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(seconds, self._end)

    def _end(self) -> None:
        """End the connection, unless its client still takes an answer."""
        before, self._unsent = self._unsent, self.transport.get_write_buffer_size()
        if self._unsent and self._unsent != before:
            self._end_in(_TAKE)
        else:
            self.transport.abort()

    def _tell(self) -> None:
        kind = type(self)
        if time.monotonic() > kind._last_warning + _QUIET:
            kind._last_warning = time.monotonic()
            details = {"connections": len(self.connections), "most": self.most}
            REQUESTS.warning("too many connections: the oldest ones end", extra={"told": details})


def connection_class(most: int, timeout: float) -> type[Connection]:
    """Return the class of connections of a server."""
    return type("LimitedConnection", (Connection,), {"most": most, "timeout": timeout})


def room_for_connections(most: int) -> tuple[int, int]:
    """Return how many connections there is room for, and how many may wait to be accepted.

    The system's limit of file descriptors is raised where that is allowed.
    """
    try:
        import resource
    except ImportError:  # Windows, which has no such limit
        return most, _BACKLOG
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most + _GOES * _BACKLOG + _OTHERS
    if soft == resource.RLIM_INFINITY:
        return most, _BACKLOG
    if soft < wanted:
        more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
            soft = more
    free = max(0, soft - _OTHERS)
    backlog = max(1, min(_BACKLOG, free // (2 * _GOES)))
    return max(1, min(most, free - _GOES * backlog)), backlog


def _since(connection: Connection) -> float:
    return connection._since
