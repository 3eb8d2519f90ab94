"""A local service that answers in JSON, as well or as badly as a test wants it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

#: A status, what is made JSON of (bytes are sent as they are), and perhaps more headers.
Answer = tuple[int, Any] | tuple[int, Any, dict[str, str]]


class Request(NamedTuple):
    """Recorded request; ``body`` is read as JSON, None for a GET."""

    path: str
    headers: dict[str, str]
    body: Any


Answering = Callable[[Request, Sequence[Request]], Answer]


class Server:
    """Address of a test server, and the requests it received."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.lock = threading.Lock()
        self.url = ""


def start(answer: Answering, path: str = "") -> tuple[Server, ThreadingHTTPServer]:
    """``answer`` is given a request and those before it; where it raises, the connection ends.

    ``path`` is what the service's address ends in.
    """
    server = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.reply(None)

        def do_POST(self) -> None:
            self.reply(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def reply(self, body: Any) -> None:
            request = Request(self.path, dict(self.headers), body)
            with server.lock:
                earlier = list(server.requests)
                server.requests.append(request)
            status, content, *more = answer(request, earlier)
            raw = content if isinstance(content, bytes) else json.dumps(content).encode()
            try:
                self.send_response(status)
                for name, value in (more[0] if more else {}).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)
            except OSError:
                pass  # the client's time was out

        def log_message(self, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    server.url = f"http://127.0.0.1:{http.server_address[1]}{path}"
    threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    return server, http


@contextmanager
def serve(answer: Answering, path: str = "") -> Iterator[Server]:
    """A service for as long as the block runs; see ``start``."""
    server, http = start(answer, path)
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
