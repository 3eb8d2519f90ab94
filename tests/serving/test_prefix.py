"""The token behind a path prefix, and at paths that are written oddly."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("fastapi")
import uvicorn
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.routing import Mount, get_route_path

from compsim.serving import Settings, create_app
from compsim.serving.paths import PUBLIC, routed_path

TOKEN = "s3cret"
RIGHT = {"Authorization": f"Bearer {TOKEN}"}
BODY = {"query": "Who bit the man?", "documents": ["The man bit the dog."]}
CLOSED = [
    *("/v1/rerank", "/v2/rerank", "/v1/similarity", "/v1/same", "/v1/explain", "/metrics"),
    *("/rerank", "/similarity", "/v1/compare", "/v1/similarity_pairwise"),
    *("/v1", "/v1/", "/nothing", "/redoc", "/docs/oauth2-redirect"),
]
ODD = [
    *("/v1/rerank/", "//v1/rerank", "/v1//rerank", "/./v1/rerank", "/v1/../v1/rerank"),
    *("/V1/rerank", "/v1/Rerank", "/v1%2frerank", "/%2fv1/rerank", "/%76%31/rerank"),
    *("/v1/rerank;x", "/v1/rerank?x", "/v1/rerank%00", "/v1/rerank%20", "/docs/../v1/rerank"),
    *("/metrics/", "//metrics", "/Metrics", "/%6detrics", "/metrics%2f", "/metrics?x=1"),
    *("/healthz/", "/healthz/../metrics", "/healthz%2f..%2fmetrics", "/docs//metrics"),
    *("/healthz;/metrics", "/openapi.json/", "/%2e/metrics", "/..%2fmetrics", "/api/metrics"),
]


@pytest.fixture(scope="module")
def app() -> FastAPI:
    options = {"whole": "mean-cn", "vectors": "builtin"}
    # The first request waits for the process with its models, which a busy machine starts slowly.
    return create_app(Settings(token=TOKEN, options=options, timeout=180))


#: How a service gets behind a prefix: what is served, the ``root_path`` of the server, the prefix.
PREFIXES = {
    "none": ("app", "", ""),
    "root path": ("app", "/api", "/api"),
    "root path of a proxy that takes it off": ("app", "/api", ""),
    "root path that is long": ("app", "/a/b", "/a/b"),
    "root path that ends in a slash": ("app", "/api/", ""),
    "root path that is an address of the service": ("app", "/docs", "/docs"),
    "mount": ("starlette", "", "/compsim"),
    "mount in FastAPI": ("fastapi", "", "/compsim"),
    "mount behind a root path": ("starlette", "/api", "/api/compsim"),
    "mount at a public address": ("healthz", "", "/healthz"),
    "mount in a mount": ("twice", "", "/x/compsim"),
}


def served(app: FastAPI, kind: str) -> Any:
    if kind == "fastapi":
        outer = FastAPI()
        outer.mount("/compsim", app)
        return outer
    mounted = {
        "starlette": [Mount("/compsim", app=app)],
        "healthz": [Mount("/healthz", app=app)],
        "twice": [Mount("/x", routes=[Mount("/compsim", app=app)])],
    }
    return Starlette(routes=mounted[kind]) if kind in mounted else app


def answers(
    app: FastAPI, how: str, paths: list[str], headers: dict[str, str] | None = None
) -> dict[str, httpx.Response]:
    """The answer at each path behind a prefix, to the methods that could be answered there."""
    kind, root, prefix = PREFIXES[how]

    async def ask() -> dict[str, httpx.Response]:
        transport = httpx.ASGITransport(app=served(app, kind), root_path=root)
        result = {}
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            for path in paths:
                method = "GET" if path in PUBLIC or "rerank" not in path else "POST"
                url = f"http://x{prefix}{path}"
                result[path] = await client.request(
                    method, url, headers=headers, json=BODY if method == "POST" else None
                )
        return result

    return asyncio.run(ask())


@pytest.mark.parametrize("how", PREFIXES)
def test_nothing_is_open_without_the_token_but_what_is_public(app: FastAPI, how: str) -> None:
    for path, answer in answers(app, how, CLOSED).items():
        assert answer.status_code == 401, path
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    for path, answer in answers(app, how, ODD, {"Authorization": "Bearer s3cre"}).items():
        assert answer.status_code in (401, 404, 307), path
    for path, answer in answers(app, how, sorted(PUBLIC - {"", "/healthz"})).items():
        assert answer.status_code == 200, path


@pytest.mark.parametrize("how", PREFIXES)
def test_it_is_open_with_the_token(app: FastAPI, how: str) -> None:
    result = answers(app, how, ["/v1/rerank", "/v2/rerank", "/metrics", "/nothing"], RIGHT)
    assert [answer.status_code for answer in result.values()] == [200, 200, 200, 404]


def test_logs_and_metrics_name_requests_behind_a_prefix(
    app: FastAPI, caplog: pytest.LogCaptureFixture
) -> None:
    def count() -> dict[str, float]:
        text = answers(app, "none", ["/metrics"], RIGHT)["/metrics"].text
        lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, _, value in lines}

    before = count()
    with caplog.at_level(logging.INFO, "compsim.serving"):
        answers(app, "mount behind a root path", ["/v1/rerank", "/v1/secret"], RIGHT)
        answers(app, "root path", ["/v1/rerank"])
    results = [(record.told["path"], record.told["status"]) for record in caplog.records]  # type: ignore[attr-defined]
    assert results == [("/v1/rerank", 200), ("other", 404), ("/v1/rerank", 401)]
    after = count()
    labels = 'method="POST",path="/v1/rerank",status="200"'
    for name, more in (
        (f"compsim_requests_total{{{labels}}}", 1),
        ('compsim_texts_total{path="/v1/rerank"}', 1),
    ):
        assert after[name] - before.get(name, 0.0) == more
    assert not any("secret" in name or "/api" in name for name in after)


def test_the_pages_ask_beside_themselves(app: FastAPI) -> None:
    result = answers(app, "mount", ["/", "/docs"])
    for answer in result.values():
        assert '="/' not in answer.text
        assert '("/' not in answer.text


@pytest.fixture
def behind_uvicorn(app: FastAPI) -> Iterator[str]:
    """The address of a service of uvicorn with a root path."""
    config = uvicorn.Config(app, port=0, root_path="/api", lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    host, port = server.servers[0].sockets[0].getsockname()
    yield f"http://{host}:{port}"
    server.should_exit = True
    thread.join(30)


def test_uvicorn_with_a_root_path(behind_uvicorn: str) -> None:
    for path in ("/v1/rerank", "/metrics", "/api/v1/rerank", "/api/metrics", "//v1/rerank"):
        method = "GET" if "metrics" in path else "POST"
        body = None if method == "GET" else BODY
        url = httpx.URL(behind_uvicorn).copy_with(raw_path=path.encode())
        assert httpx.request(method, url, json=body).status_code == 401
    for path in ("/v1/rerank", "/metrics"):
        method = "GET" if "metrics" in path else "POST"
        body = None if method == "GET" else BODY
        url = behind_uvicorn + path
        assert httpx.request(method, url, json=body, headers=RIGHT).status_code == 200


PARTS = st.lists(st.sampled_from(["/", "api", "v1", "docs", "", "//", "metrics", "."]), max_size=6)


@given(PARTS, PARTS)
def test_the_path_is_that_of_the_routing(path: list[str], root: list[str]) -> None:
    for scope in (
        {"path": "".join(path), "root_path": "".join(root)},
        {"path": "".join([*root, *path]), "root_path": "".join(root)},
        {"path": "".join(path)},
    ):
        assert routed_path(scope) == get_route_path(scope)
