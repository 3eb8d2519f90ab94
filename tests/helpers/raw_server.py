"""A server that answers byte by byte what a test wants, be it HTTP or not."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Script = Callable[[socket.socket, bytes], None]


@contextmanager
def serve(script: Script) -> Iterator[tuple[str, list[bytes]]]:
    """A server whose every connection goes by ``script``; its address, and what it was asked."""
    asked: list[bytes] = []

    def talk(connection: socket.socket) -> None:
        with connection:
            try:
                request = b""
                while b"\r\n\r\n" not in request:
                    request += connection.recv(65536)
                asked.append(request)
                script(connection, request)
            except OSError:
                pass  # the client has gone

    def listen() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=talk, args=(connection,), daemon=True).start()

    server = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=listen)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}", asked
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()


def says(*lines: str, body: bytes = b"") -> Script:
    raw = "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode("latin-1") + body
    return lambda connection, request: connection.sendall(raw)


def drips(start: bytes, again: bytes) -> Script:
    """Says ``again`` and again, a moment before any time-out between two bytes could end it."""

    def script(connection: socket.socket, request: bytes) -> None:
        connection.sendall(start)
        while True:
            connection.sendall(again)
            threading.Event().wait(0.02)

    return script
