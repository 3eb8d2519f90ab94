"""A service that takes little: what comes beside it, too big, too late, or without its token."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from command_line import call, one_line
from http_services import METHOD, TOKEN
from odd_encoder import ENCODER

from compsim.benchmarks.speed.service import Running, running
from compsim.benchmarks.speed.text import sentences
from compsim.errors import InputError
from compsim.serving.settings import Settings

#: A method that opens at once, for tests to which it is all the same.
ODD = ("--method", "callable", "-o", f"function={ENCODER}")
PAIR = {"first": "Dogs bark.", "second": "Cats sleep."}
#: What nobody else writes, to be looked for in the log.
SECRET = "Zyzzyva"


@pytest.mark.parametrize(
    "given",
    [
        "",
        f"Bearer {TOKEN}x",
        "Bearer",
        f"Basic {TOKEN}",
        TOKEN,
        f"Bearer {TOKEN[:-1]}",
        "Bearer \xe9",
    ],
)
def test_without_its_token_a_service_is_closed(small: Running, given: str) -> None:
    headers = {"Authorization": given.encode("latin-1")} if given else {}
    for method, path in (("POST", "/v1/similarity"), ("POST", "/v2/rerank"), ("GET", "/metrics")):
        answer = httpx.request(method, small.url + path, headers=headers)
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert httpx.get(small.url + "/healthz", headers=headers).status_code == 200
    assert httpx.get(small.url + "/", headers=headers).status_code == 200


def test_with_its_token_it_is_open(small_client: httpx.Client) -> None:
    assert small_client.post("/v1/similarity", json=PAIR).status_code == 200
    assert small_client.get("/metrics").status_code == 200
    described = small_client.get("/openapi.json").json()
    assert described["paths"]["/v1/rerank"]["post"]["security"] == [{"token": []}]
    asked = described["components"]["schemas"]["RerankRequest"]["properties"]
    assert asked["query"]["maxLength"] == 100
    assert asked["documents"]["maxItems"] == 5
    assert asked["documents"]["items"]["anyOf"][0]["maxLength"] == 200


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"query": "dogs", "documents": ["a"] * 6}, "documents has 6 items"),
        ({"query": "dogs", "documents": ["a", "b" * 201]}, "documents.1 has 201 characters"),
        ({"query": "d" * 101, "documents": ["a"]}, "query has 101 characters"),
    ],
)
def test_too_much_is_refused(small_client: httpx.Client, asked: object, message: str) -> None:
    answer = small_client.post("/v1/rerank", json=asked)
    assert answer.status_code == 422
    assert answer.json()["message"].startswith(message)


def test_a_body_that_is_too_big_is_refused_whatever_it_says_of_its_length(
    small_client: httpx.Client,
) -> None:
    whole = b" " * 3_000_000
    assert small_client.post("/v1/rerank", content=whole).status_code == 413
    # In pieces, so without a length.
    pieces = small_client.post("/v1/rerank", content=iter([b" " * 3000] * 4))
    assert pieces.status_code == 413
    assert "4000 bytes" in pieces.json()["message"]


def _opened(service: Running, head: str) -> socket.socket:
    place = urlsplit(service.url)
    connection = socket.create_connection((place.hostname, place.port), timeout=30)
    lines = f"Authorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"
    connection.sendall(f"{head} HTTP/1.1\r\nHost: localhost\r\n{lines}".encode())
    return connection


def test_bodies_that_drip_take_no_place_and_get_408(
    small: Running, small_client: httpx.Client
) -> None:
    slow = [_opened(small, "POST /v1/similarity") for _ in range(5)]
    for connection in slow:
        connection.sendall(b"Content-Length: 100\r\n\r\n{")
    time.sleep(0.3)
    for _ in range(3):
        assert small_client.post("/v1/similarity", json=PAIR).status_code == 200
    for connection in slow:
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert answer.status == 408
        connection.close()


def test_bodies_that_come_need_no_more_room_than_those_of_the_places(
    small: Running, small_client: httpx.Client
) -> None:
    body = json.dumps(PAIR).encode().ljust(3990)
    coming = [_opened(small, "POST /v1/similarity") for _ in range(2)]
    for connection in coming:
        connection.sendall(b"Content-Length: 3990\r\n\r\n" + body[:-1])
    time.sleep(0.3)
    refused = small_client.post("/v1/similarity", json=PAIR)
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) >= 1
    for connection in coming:
        connection.sendall(body[-1:])
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        assert answer.status == 200
        connection.close()


def test_a_client_must_keep_a_pace(service: Running) -> None:
    place = urlsplit(service.url)
    with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
        head = "POST /v1/similarity HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
        connection.sendall(head.encode())
        end = time.monotonic() + 60
        connection.settimeout(0.5)
        result = b""
        while not result:  # the time of a request is 120 seconds
            assert time.monotonic() < end
            connection.sendall(b" ")
            with contextlib.suppress(TimeoutError):
                result = connection.recv(100)
    assert result.startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8000", 200),
        ("LocalHost.", 200),
        ("127.0.0.1", 200),
        ("[::1]:8000", 200),
        ("192.0.2.7:80", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example:8000", 421),
        ("localhost@evil.example", 421),
        ("127.1", 421),
        ("", 421),
    ],
)
def test_a_service_goes_by_names_of_its_own(client: httpx.Client, host: str, status: int) -> None:
    for path in ("/", "/healthz", "/metrics", "/openapi.json"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == status
    answer = client.post("/v1/similarity", json=PAIR, headers={"Host": host})
    assert answer.status_code == status
    if status == 421:
        assert "--host-name" in answer.json()["message"]


def test_a_service_with_a_token_goes_by_any_name(small_client: httpx.Client) -> None:
    answer = small_client.post("/v1/similarity", json=PAIR, headers={"Host": "elsewhere.example"})
    assert answer.status_code == 200


def test_names_are_given_to_a_service() -> None:
    with running(*ODD, "--host-name", "*.example.org", COMPSIM_TOKEN=TOKEN) as result:
        statuses = [
            httpx.get(f"{result.url}/healthz", headers={"Host": name}).status_code
            for name in ("a.example.org:80", "localhost", "example.org", "x.example")
        ]
    assert statuses == [200, 200, 421, 421]


def test_a_length_of_many_digits_does_no_harm(small: Running) -> None:
    with _opened(small, "POST /v1/similarity") as connection:
        connection.sendall(b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}")
        connection.shutdown(socket.SHUT_WR)
        assert not connection.recv(100).startswith(b"HTTP/1.1 5")


def test_a_client_that_goes_away_frees_its_place(
    small: Running, small_client: httpx.Client
) -> None:
    for _ in range(4):
        connection = _opened(small, "POST /v1/similarity")
        connection.sendall(b"Content-Length: 100\r\n\r\n{")
        connection.close()
    time.sleep(0.3)
    assert small_client.post("/v1/similarity", json=PAIR).status_code == 200


def test_the_log_has_a_line_for_each_request_and_no_text(
    small_client: httpx.Client, log_path: Path
) -> None:
    asked = {"query": f"Who saw {SECRET}?", "documents": [f"Nobody saw {SECRET}."]}
    answer = small_client.post("/v1/rerank", json=asked)
    small_client.post("/v1/rerank", json={"query": f"?! {SECRET}"})
    small_client.get(f"/{SECRET}", params={"q": SECRET})
    end = time.monotonic() + 60
    seen: set[int] = set()
    while not seen >= {200, 404, 422}:  # a line is written after its answer is sent
        assert time.monotonic() < end, f"the log has only {seen}"
        time.sleep(0.01)
        text = log_path.read_text(encoding="utf-8")
        results = [json.loads(line) for line in text.splitlines(keepends=True) if line[-1] == "\n"]
        seen = {line["status"] for line in results if line["message"] == "request"}
    assert SECRET not in text
    assert TOKEN not in text
    (own,) = (line for line in results if line.get("id") == answer.headers["X-Request-ID"])
    assert (own["status"], own["path"], own["documents"]) == (200, "/v1/rerank", 1)


def test_an_answer_that_takes_too_long_is_given_up() -> None:
    texts = sentences(10_000)
    asked = {"query": "dogs", "documents": [" ".join(texts[i::1000]) for i in range(1000)]}
    with running(*METHOD, "--timeout", "1") as service:
        answer = httpx.post(f"{service.url}/v1/rerank", json=asked, timeout=60)
        assert answer.status_code in (503, 504)
        assert set(answer.json()) == {"message", "detail", "error"}
        # What ran ends when it next looks at the clock.
        end = time.monotonic() + 60
        while httpx.post(f"{service.url}/v1/similarity", json=PAIR, timeout=60).status_code != 200:
            assert time.monotonic() < end
            time.sleep(0.2)


def test_health_answers_while_a_request_runs(service: Running) -> None:
    asked = {"query": "The nurse gave a map to the judge.", "documents": sentences(300)}
    done: list[httpx.Response] = []
    ranking = threading.Thread(
        target=lambda: done.append(httpx.post(f"{service.url}/v1/rerank", json=asked, timeout=120))
    )
    ranking.start()
    while not done:
        assert httpx.get(f"{service.url}/healthz", timeout=10).status_code == 200
        time.sleep(0.05)
    ranking.join()
    assert done[0].status_code == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_was_begun_is_answered_before_the_end(number: signal.Signals) -> None:
    asked = {"query": "The nurse takes a Nap.", "documents": ["Dogs bark.", "Cats sleep."]}
    with running(*ODD, "--timeout", "120") as service:
        done: list[httpx.Response] = []
        ranking = threading.Thread(
            target=lambda: done.append(
                httpx.post(f"{service.url}/v1/rerank", json=asked, timeout=120)
            )
        )
        ranking.start()
        metrics = f"{service.url}/metrics"
        while "compsim_requests_held 1.0" not in httpx.get(metrics, verify=False).text:
            time.sleep(0.01)
        service.process.send_signal(number)
        ranking.join()
        assert service.process.wait(60) == (0 if number == signal.SIGTERM else 130)
    assert len(done[0].json()["results"]) == 2


def test_it_listens_to_this_machine_only(service: Running) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            pytest.skip("this machine has no address but that of itself")
        address = probe.getsockname()[0]
    if address.startswith("127."):
        pytest.skip("this machine has no address but that of itself")
    with pytest.raises(OSError, match=r"."):
        socket.create_connection((address, urlsplit(service.url).port or 0), timeout=5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--timeout", "0"), "timeout=0.0 is no time"),
        (("--timeout", "inf"), "timeout=inf is no time"),
        (("--timeout", "nan"), "timeout=nan is no time"),
        (("--timeout", "1e300"), "timeout=1e+300 is no time"),
        (("--max-body", str(2**63)), "max_body"),
        (("--method", "nothing"), "nothing"),
        (("-o", "color=red"), "color"),
        (("--vectors", "no-such-file"), "no-such-file"),
    ],
)
def test_what_cannot_be_served_ends_in_one_line(arguments: tuple[str, ...], message: str) -> None:
    done = call("serve", "--port", "0", *arguments)
    assert done.returncode == 2
    assert message in one_line(done.stderr.decode())


@pytest.mark.parametrize("token", [b"caf\xe9", "caf\xe9".encode(), b"a b", b"a\x07b", b"\x7f"])
def test_a_token_that_no_header_carries_is_refused_at_the_start(
    token: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environb, b"COMPSIM_TOKEN", token)
    done = call("serve", "--port", "0")
    assert done.returncode == 2
    assert "the token has" in one_line(done.stderr.decode())


def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "compsim.cli", "serve", *ODD, "--port", port]
        done = subprocess.run(
            command,
            capture_output=True,
            env=os.environ,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 2
    assert f"cannot listen at 127.0.0.1:{port}: the port is taken" in done.stderr


@pytest.mark.parametrize(
    ("host", "message"),
    [("192.0.2.1", "does not have this address"), ("no.such.name.invalid", "no address is known")],
)
def test_an_address_of_another_machine_is_told(host: str, message: str) -> None:
    pytest.importorskip("uvicorn")
    from compsim.serving.server import _listening_error

    assert message in str(_listening_error(host, 8000))


def test_settings_say_what_is_wrong_and_hide_the_token() -> None:
    assert "secret" not in repr(Settings(token="secret"))
    wrong: list[dict[str, object]] = [
        {"max_body": 0},
        {"max_memory": 2**63},
        {"max_documents": True},
        {"timeout": -1},
        {"timeout": 10**400},
        {"timeout": "10"},
        {"token": "a b"},
        {"token": "caf\udce9"},
        {"allowed_hosts": "example.org"},
        {"allowed_hosts": ["http://example.org"]},
        {"allowed_hosts": ["example.org:80"]},
    ]
    for settings in wrong:
        with pytest.raises(InputError):
            Settings(**settings)  # type: ignore[arg-type]
