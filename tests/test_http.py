"""The HTTP client, against servers on this machine that answer byte by byte what a test wants."""

from __future__ import annotations

import pickle
import socket

import pytest
from new_process import in_a_new_process
from raw_server import Script, drips, says, serve

from compsim import http
from compsim.errors import InputError, ServiceError
from compsim.http import (
    HopelessError,
    RefusedError,
    Service,
    UnansweredError,
    host_of,
    is_loopback,
)


@pytest.mark.parametrize(
    "script",
    [
        drips(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        drips(b"HTTP/1.1 200 OK\r\n", b"X-More: 1\r\n"),
        drips(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", b" "),
        drips(b"HTTP/1.1 200 OK\r\n\r\n", b" "),
        drips(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    ],
    ids=["continue", "headers", "body", "endless", "chunks"],
)
def test_a_request_has_a_deadline_however_its_answer_drips(script: Script) -> None:
    with serve(script) as (url, asked):
        service = Service(url, timeout=0.5)
        with pytest.raises(ServiceError, match=r"did not answer within 0\.5 s") as caught:
            service.get("slow")
        assert not isinstance(caught.value, HopelessError)
        assert len(asked) == 1  # what is slow is not asked again
        assert service.answered


def test_a_refusal_that_drips_is_still_told() -> None:
    script = drips(b"HTTP/1.1 400 No\r\nContent-Length: 9999\r\n\r\n", b"x")
    with serve(script) as (url, _), pytest.raises(RefusedError, match="answered 400 No"):
        Service(url, timeout=0.5).get("x")


@pytest.mark.parametrize("value", ["1e9", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_no_pause_is_longer_than_a_minute(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("compsim.http.time.sleep", pauses.append)
    with (
        serve(says("HTTP/1.1 429 Slow", f"Retry-After: {value}")) as (url, asked),
        pytest.raises(ServiceError, match="answered 429 Slow"),
    ):
        Service(url, retries=1).get("x")
    assert (pauses, len(asked)) == ([60.0], 2)


def test_a_service_that_always_asks_to_wait_is_soon_no_longer_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("compsim.http.time.sleep", pauses.append)
    with serve(says("HTTP/1.1 503 No", "Retry-After: 1e9")) as (url, asked):
        service = Service(url, retries=3)
        for _ in range(20):
            with pytest.raises(ServiceError, match="answered 503"):
                service.get("x")
    assert pauses == [60.0] * 10
    assert len(asked) == 30


@pytest.mark.parametrize("value", ["nan", "inf", "-5", "soon", "Mon, 99 Foo", ""])
def test_an_odd_retry_after_is_left_aside(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("compsim.http.time.sleep", pauses.append)
    with (
        serve(says("HTTP/1.1 503 No", f"Retry-After: {value}")) as (url, _),
        pytest.raises(ServiceError, match="answered 503"),
    ):
        Service(url, retries=1, backoff=0.25).get("x")
    assert pauses == [0.25]


KEY = 'sk/1+"x'


@pytest.mark.parametrize("status", [200, 400, 401, 500])
@pytest.mark.parametrize("pad", [0, 90, 110, 3990, 4080])
def test_a_message_holds_no_key_and_no_control_characters(status: int, pad: int) -> None:
    echo = f'\x1b[31m{" " * pad}Bearer {KEY}\x07 sk/1+\\"x sk%2F1%2B%22x \u202e\u2028'.encode()
    script = says(f"HTTP/1.1 {status} Bad {KEY}", body=echo)
    with serve(script) as (url, asked), pytest.raises(ServiceError) as caught:
        Service(url, retries=0, headers={"Authorization": f"Bearer {KEY}"}).get("x")
    assert f"Authorization: Bearer {KEY}".encode() in asked[0]
    assert "sk" not in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "raw",
    [
        b"\x1b[31mgarbage Bearer sk-1\x07\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nBearer sk-1 \x07\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: sk-1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"",
    ],
)
def test_what_is_no_http_is_no_traceback(raw: bytes) -> None:
    with (
        serve(lambda connection, request: connection.sendall(raw)) as (url, asked),
        pytest.raises(UnansweredError, match="gave no answer") as caught,
    ):
        Service(url, retries=1, backoff=0, headers={"Authorization": "Bearer sk-1"}).get("x")
    assert len(asked) == 2
    assert "sk-1" not in str(caught.value)
    assert str(caught.value).isprintable()


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "raw",
    [
        CHUNKED + b"-5\r\nabc\r\n0\r\n\r\n",
        CHUNKED + b"sk-1\x1b[31m\r\n",
        CHUNKED + b"FFFFFFFFFFFFFF\r\nabc",
        CHUNKED + b"2\r\n{}\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}",
    ],
)
def test_an_answer_that_breaks_off_is_still_one(raw: bytes) -> None:
    with serve(lambda connection, request: connection.sendall(raw)) as (url, asked):
        service = Service(url, retries=1, backoff=0, headers={"Authorization": "Bearer sk-1"})
        with pytest.raises(ServiceError, match="broke off its answer") as caught:
            service.get("x")
        assert not isinstance(caught.value, HopelessError)
        assert service.answered
    assert len(asked) == 2
    assert "sk-1" not in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_host_that_takes_no_connection_has_not_answered() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        address = full.getsockname()
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:  # until there is no room left
            one.setblocking(False)
            one.connect_ex(address)
        service = Service(f"http://127.0.0.1:{address[1]}", timeout=0.3, retries=0)
        with pytest.raises(HopelessError, match="can not be reached"):
            service.get("x")
        assert not service.answered
        for one in waiting:
            one.close()


def test_an_answer_is_not_read_beyond_the_limit() -> None:
    script = drips(b"HTTP/1.1 200 OK\r\n\r\n", b" " * 500)
    with serve(script) as (url, asked):
        with pytest.raises(ServiceError, match="more than 1000 bytes"):
            Service(url, largest_answer=1000).get("x")
        assert len(asked) == 1
    with serve(says("HTTP/1.1 200 OK", body=b"[" + b" " * 998 + b"]")) as (url, _):
        assert Service(url, largest_answer=1000).get("x") == []


def test_no_redirect_is_followed() -> None:
    with serve(says("HTTP/1.1 200 OK", body=b"1")) as (other, reached):
        with (
            serve(says("HTTP/1.1 307 Moved", f"Location: {other}/")) as (url, _),
            pytest.raises(ServiceError, match="answered 307"),
        ):
            Service(url, headers={"Authorization": "Bearer sk-1"}).post("x", {})
        assert reached == []


def test_this_machine_is_asked_without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        serve(says("HTTP/1.1 200 OK", body=b"2")) as (proxy, through),
        serve(says("HTTP/1.1 200 OK", body=b"1")) as (url, _),
    ):
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy)
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        assert Service(url).get("x") == 1
        assert through == []
        assert Service("http://192.0.2.1").get("x") == 2
        assert through[0].startswith(b"GET http://192.0.2.1/x ")


@pytest.mark.parametrize("proxy", ["socks9://here", "http://[", "http://h:x"])
def test_an_odd_proxy_is_one_clear_error(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", proxy)
    with pytest.raises(HopelessError, match="can not be reached"):
        Service("http://192.0.2.1", retries=0, timeout=5).get("x")


BAD = [
    *("http://[", "http://h:99999", "http://h:x", "http://h:0", "http://", "http:///x", "h:80"),
    *("http://a b", "http://a\\b", "http://a\n.b", "http://user:secret@h", "ftp://h", "", "//h"),
]


@pytest.mark.parametrize("url", BAD)
def test_what_is_no_address_is_refused_at_once(url: str) -> None:
    assert host_of(url) == ""
    assert not is_loopback(url)
    with pytest.raises(InputError, match="no service address") as caught:
        Service(url)
    assert "secret" not in str(caught.value)


def test_addresses_of_this_machine() -> None:
    for url in ("http://localhost", "http://127.0.0.1:8/x", "https://[::1]:8", "http://127.9.9.9"):
        assert is_loopback(url), url
    for url in ("http://localhost.example", "http://192.0.2.1", "http://127.0.0.1.nip.io", "x"):
        assert not is_loopback(url), url


def test_an_address_of_a_host_that_can_not_be() -> None:
    with pytest.raises(HopelessError, match="can not be reached"):
        Service(f"http://{'a' * 70}.invalid", retries=0).get("x")


def test_so_long_a_text_fails_alone() -> None:
    with pytest.raises(RefusedError, match="so long a text"):
        Service("http://127.0.0.1:9").get("x" * 70_000)


def test_a_service_can_be_pickled() -> None:
    with serve(says("HTTP/1.1 200 OK", body=b"[1]")) as (url, _):
        service = Service(url)
        assert service.get("x") == pickle.loads(pickle.dumps(service)).get("x") == [1]


def test_importing_compsim_imports_no_client() -> None:
    code = (
        "import sys, compsim, compsim.http, compsim.storage.downloads\n"
        "from compsim.registry import load\n"
        "load('verbnet-cn')\n"
        "print([m for m in ('httpx', 'httpcore', 'asyncio') if m in sys.modules])"
    )
    assert in_a_new_process(code).strip() == "[]"


def test_every_name_that_is_promised_is_there() -> None:
    assert all(hasattr(http, name) for name in http.__all__)
