"""Requests that break HTTP, JSON or the limits of ``compsim serve``, byte by byte.

All are small or bounded, and the same in every run. What a service may answer to them is anything
below 500, or nothing.

>>> result = raw_requests()
>>> len(result), len(raw_requests("a token"))
(246, 260)
>>> result["POST /v1/rerank of FOO"][:21]
b'FOO /v1/rerank HTTP/1'
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, Final

__all__ = ["hostile_texts", "raw_requests"]

_ASKED: Final = {
    "query": "Who bit the man?",
    "documents": ["The man bit the dog.", "A dog bit the man."],
}
_ODD: Final = (
    *("\\ud800", "\\udfff\\ud800", "\\u0000", "\\u0007"),
    *("\\u202e", "\\ufeff", "\\uffff", "\\ufffe"),
)
_NUMBERS: Final = (
    *("NaN", "Infinity", "-Infinity", "1e999", "-0", "1" * 5000, "1" * 4000, "1e-999"),
    *("true", "null", '"x"', "[]", "{}", "1" + "0" * 4000),
)
_METHODS: Final = (
    *("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "PROPFIND", "FOO"),
    *("post", "P\tOST", "", "G" * 3000),
)
_PATHS: Final = (
    *("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//", "///v1/rerank", "/v1/rerank%00"),
    *("/v1/rerank%0d%0aX: y", "*", "http://evil.example/v1/rerank", "/v1/rerank?" + "a" * 5000),
    *("/" + "a" * 70_000, "/v1/rerank#frag", "/\\..\\..", "/%ff%fe", "/docs/", "/openapi.json/"),
    *("/metrics/..", "/static/../page.html", "/healthz;a=b", "/favicon.ico", "/%F0%9F%98%80"),
    *("/\xff\xfe", "/caf\xe9"),
)
_TYPES: Final = (
    *("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"),
    *("application/json; charset=utf-16", "application/vnd.api+json", "APPLICATION/JSON"),
    *("application/json\xff", "", "application/" + "j" * 9000),
)


def hostile_texts(number: int, length: int = 20_000) -> str:
    """Return a text of so many characters that once took long or much memory."""
    units = ("'", "(", "😀", "a,b;", "he said that ", "the man who saw ", "twenty hundred ", "a/")
    unit = units[number % len(units)]
    return (unit * (length // len(unit) + 1))[:length]


def raw_requests(token: str | None = None) -> dict[str, bytes]:
    """Return the bytes of each request by a name; with ``token`` some that get it wrong too."""
    return dict(_all(_Maker(token)))


class _Maker:
    """Makes requests, each with the token where there is one."""

    def __init__(self, token: str | None) -> None:
        self.token = token

    def request(
        self,
        body: bytes = b"",
        method: str = "POST",
        path: str = "/v1/rerank",
        headers: tuple[str, ...] = (),
        version: str = "HTTP/1.1",
        length: bool = True,
        close: bool = True,
        kind: str = "application/json",
    ) -> bytes:
        lines = [f"{method} {path} {version}", "Host: localhost"]
        lines += ["Connection: close"] if close else []
        lines += [] if self.token is None else [f"Authorization: Bearer {self.token}"]
        lines += [f"Content-Length: {len(body)}"] if length else []
        lines += [f"Content-Type: {kind}", *headers]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body

    def chunked(self, content: bytes) -> bytes:
        return self.request(headers=("Transfer-Encoding: chunked",), length=False) + content


def _all(make: _Maker) -> Iterator[tuple[str, bytes]]:
    yield "ordinary", make.request(_json(_ASKED))
    yield from _nested(make)
    yield from _characters(make)
    yield from _bodies(make)
    yield from _sizes(make)
    yield from _lines(make)
    yield from _lengths(make)
    yield from _chunks(make)
    yield from _headers(make)
    yield from _no_http(make)
    if make.token is not None:
        yield from _tokens(make.token)


def _nested(make: _Maker) -> Iterator[tuple[str, bytes]]:
    for depth in (100, 1000, 100_000, 400_000):
        yield f"{depth} lists", make.request(_documents(b"[" * depth + b"]" * depth))
    deep = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    yield "100000 objects", make.request(_documents(b'[{"text":' + deep + b"}]"))
    lists = b"[" * 900 + b"]" * 900
    yield "900 lists in a document", make.request(_documents(b'[{"text":"x","z":' + lists + b"}]"))
    lists = b"[" * 300 + b"]" * 300
    yield "300 lists beside", make.request(_documents(b'["x"],"zz":' + lists))
    deep = b'{"a":' * 800 + b"1" + b"}" * 800
    yield "800 objects for documents", make.request(_documents(deep))


def _characters(make: _Maker) -> Iterator[tuple[str, bytes]]:
    for value in _NUMBERS:
        body = b'{"query":"a b","documents":["x y"],"top_n":%s}' % value.encode()
        yield f"top_n {value[:9]} {len(value)}", make.request(body)
    yield "a number for a query", make.request(b'{"query":1e999,"documents":["x"]}')
    for odd in _ODD:
        for name, path, body in (
            ("rerank", "rerank", b'{"query":"dog ODD bites","documents":["a ODD b"]}'),
            ("similarity", "similarity", b'{"first":"dog ODD bites","second":"a ODD b"}'),
            ("pair", "explain", b'{"first":"dog ODD bites","second":"a ODD b","html":true}'),
            ("document", "explain", b'{"query":"dog ODD","document":"a ODD b","html":true}'),
            ("field", "rerank", b'{"query":"a","documents":[{"ODD":"b"}],"rank_fields":["ODD"]}'),
            ("no field", "rerank", b'{"query":"a","documents":[{"q":"b"}],"rank_fields":["ODD"]}'),
            ("key", "rerank", b'{"query":"dog bites","documents":["a"],"ODD":1}'),
        ):
            odd_body = body.replace(b"ODD", odd.encode())
            yield f"{name} with {odd}", make.request(odd_body, path=f"/v1/{path}")


def _bodies(make: _Maker) -> Iterator[tuple[str, bytes]]:
    plain = '{"query":"a","documents":["b"]}'
    good = _json(_ASKED)
    bodies = {
        "utf-16": plain.encode("utf-16"),
        "utf-32": plain.encode("utf-32"),
        "byte order mark": b"\xef\xbb\xbf" + good,
        "latin-1": '{"query":"caf\xe9","documents":["b"]}'.encode("latin-1"),
        "overlong": b'{"query":"a\xc0\xaf","documents":["b"]}',
        "two": good + good,
        "keys twice": b'{"query":"a","query":"b c","documents":["x"]}',
        "null byte behind": good + b"\0",
        "null bytes": b"\0" * 1000,
        "string for top_n": _json({**_ASKED, "top_n": "9" * 100}),
        "no documents": _json({"query": "a", "documents": []}),
        "no query": _json({"query": "", "documents": ["a"]}),
        "blank query": _json({"query": "  ", "documents": ["a"]}),
        "emoji for a query": _json({"query": "😀", "documents": ["a"]}),
        "blank documents": _json({"query": "a dog", "documents": ["", " ", "\n"]}),
    }
    for name, body in bodies.items():
        yield f"body {name}", make.request(body)
    for text in ("", "null", "[]", '"x"', "1", "true"):
        yield f"body {text or 'of nothing'}", make.request(text.encode())
    for name, path, asked in (
        ("list and string", "similarity", {"first": ["a"], "second": "b"}),
        ("lists of two lengths", "similarity", {"first": ["a"], "second": ["b", "c"]}),
        ("blank texts", "similarity", {"first": [""], "second": [""]}),
        ("both", "explain", {"first": "a", "second": "b", "query": "c", "document": "d"}),
        ("nothing", "explain", {}),
        ("a list", "explain", [1]),
        ("html yes", "explain", {"first": "a", "second": "b", "html": "yes"}),
        (
            *("tags", "explain"),
            {"first": "<script>x</script> bit", "second": "<img src=x onerror=x>", "html": True},
        ),
    ):
        yield f"{path} of {name}", make.request(_json(asked), path=f"/v1/{path}")


def _sizes(make: _Maker) -> Iterator[tuple[str, bytes]]:
    for name, asked in (
        ("1001 documents", {"query": "a dog", "documents": ["a"] * 1001}),
        ("1000 documents", {"query": "a dog", "documents": ["a"] * 1000}),
        ("a long document", {"query": "a dog", "documents": ["a" * 20_001]}),
        ("a long query", {"query": "a" * 2001, "documents": ["a"]}),
        ("a query of nots", {"query": ("not a b, " * 222)[:1999], "documents": ["a b."]}),
    ):
        yield name, make.request(_json(asked))
    yield "2 MiB and more", make.request(b'{"query":"' + b"a" * (1 << 21) + b'","documents":["a"]}')
    yield "20 MiB", make.request(b"a" * (20 << 20))


def _lines(make: _Maker) -> Iterator[tuple[str, bytes]]:
    good = _json(_ASKED)
    for method in _METHODS:
        name = method[:9].replace("\t", " ")
        yield f"POST /v1/rerank of {name}", make.request(good, method)
        if method not in ("", "P\tOST"):
            yield f"/ of {name}", make.request(method=method, path="/")
    for path in _PATHS:
        for method, body in (("GET", b""), ("POST", good)):
            yield f"{method} {path[:30]}", make.request(body, method, path)
    for version in ("HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/9.9"):
        body = good if version == "HTTP/1.0" else b""
        yield version, make.request(body, version=version)


def _lengths(make: _Maker) -> Iterator[tuple[str, bytes]]:
    good = _json(_ASKED)
    for value in (str(len(good)), "3"):
        yield f"length {value} too", make.request(good, headers=(f"Content-Length: {value}",))
    for value in ("-5", "+5", "0x10", "9" * 400):
        headers = (f"Content-Length: {value}",)
        yield f"length {value[:9]}", make.request(good, headers=headers, length=False)
    yield "length and chunks", make.request(good, headers=("Transfer-Encoding: chunked",))
    for line in (
        *("Transfer-Encoding: gzip", "Transfer-Encoding: chunked, chunked"),
        *("Transfer-Encoding: \x0bchunked", "Transfer-Encoding : chunked"),
    ):
        yield ascii(line), make.request(good, headers=(line,), length=False)


def _chunks(make: _Maker) -> Iterator[tuple[str, bytes]]:
    good = _json(_ASKED)
    whole = b"%x\r\n" % len(good) + good + b"\r\n0\r\n"
    contents = {
        "right": whole + b"\r\n",
        "huge": b"ffffffffffffffffffff\r\nabc",
        "below nothing": b"-5\r\nabc\r\n0\r\n\r\n",
        "no number": b"zz\r\nabc\r\n0\r\n\r\n",
        "long extension": b"1;" + b"a" * 100_000 + b"\r\n{\r\n0\r\n\r\n",
        "of one byte": b"".join(b"1\r\n%c\r\n" % byte for byte in good) + b"0\r\n\r\n",
        "trailers": whole + b"X-A: b\r\nAuthorization: Bearer x\r\n\r\n",
    }
    for name, content in contents.items():
        yield f"chunks {name}", make.chunked(content)


def _headers(make: _Maker) -> Iterator[tuple[str, bytes]]:
    good = _json(_ASKED)
    socket = ("Connection: Upgrade", "Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 13")
    forwarded = ("X-Forwarded-Proto: https", "X-Forwarded-Prefix: /api", "Forwarded: for=x")
    result: dict[str, tuple[str, ...]] = {
        "gzip": ("Content-Encoding: gzip",),
        "expect": ("Expect: 100-continue",),
        "expect another": ("Expect: 200-maybe",),
        "web socket": ("Upgrade: websocket", *socket),
        "h2c": ("Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"),
        "1000": tuple(f"X-{i}: y" for i in range(1000)),
        "5000": tuple(f"X-{i}: y" for i in range(5000)),
        "60 KB": ("X: " + "a" * 60_000,),
        "200 KB": ("X: " + "a" * 200_000,),
        "null byte": ("X: a\0b",),
        "control characters": ("X: a\x01\x02b",),
        "folded": ("X: a\r\n b",),
        "no colon": ("Xab",),
        "no name": (": x",),
        "latin-1": ("X: caf\xe9",),
        "no UTF-8": ("X: \xff\xfe",),
        "two hosts": ("Host: y",),
        "another host": ("Host: evil.example",),
        "another origin": ("Origin: http://evil.example",),
        "forwarded": ("X-Forwarded-For: 192.0.2.1", *forwarded),
    }
    for name, headers in result.items():
        yield f"headers {name}", make.request(good, headers=headers)
    for kind in _TYPES:
        yield f"type {kind[:30]!a}", make.request(good, kind=kind)


def _no_http(make: _Maker) -> Iterator[tuple[str, bytes]]:
    rng = random.Random(36)
    head = b"POST /v1/rerank HTTP/1.1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    yield "no host", head
    yield "noise", rng.randbytes(3000)
    yield "TLS", bytes.fromhex("16030100c8010000c40303") + rng.randbytes(200)
    yield "blank lines", b"\r\n\r\n" * 1000
    yield "bare line feeds", b"GET / HTTP/1.1\nHost: localhost\nConnection: close\n\n"
    yield "SSH", b"SSH-2.0-x\r\n"
    yield "Redis", b"*1\r\n$4\r\nINFO\r\n"
    good = make.request(_json(_ASKED), close=False)
    yield "20 in one", good * 20 + make.request(method="GET", path="/healthz")
    yield "smuggled", good + make.request(method="GET", path="/metrics")


def _tokens(token: str) -> Iterator[tuple[str, bytes]]:
    """With another token, in other words, or twice; the names of those that are right say so."""
    good = _json(_ASKED)
    right = f"Authorization: Bearer {token}"
    for name, headers in {
        "none": (),
        "wrong": ("Authorization: Bearer x",),
        "empty": ("Authorization: Bearer ",),
        "wrong behind it": (right, "Authorization: Bearer x"),
        "basic": (f"Authorization: Basic {token}",),
        "right in small letters": (f"authorization: bearer {token}",),
        "tab": (f"Authorization: Bearer\t{token}",),
        "right after blanks": (f"Authorization: Bearer   {token}  ",),
        "cut": (right[:-1],),
        "more": (right + "x",),
        "list": (f"Authorization: Bearer x, Bearer {token}",),
        "null byte": (right + "\0",),
        "no UTF-8": ("Authorization: Bearer \xff\xff",),
        "long": ("Authorization: Bearer " + "a" * 50_000,),
    }.items():
        yield f"token {name}", _Maker(None).request(good, headers=headers)


def _documents(value: bytes) -> bytes:
    return b'{"query":"a b","documents":' + value + b"}"


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()
