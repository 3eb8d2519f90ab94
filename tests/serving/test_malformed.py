"""Malformed requests, made up from the service's own description: never a 5xx.

``COMPSIM_MALFORMED=1000`` makes so many for all addresses together; by default they are few.
"""

from __future__ import annotations

import os

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from compsim.benchmarks.speed.service import Running

schemathesis = pytest.importorskip("schemathesis")
# Ahead of the service: no two threads may parse source at once (CPython issue 106905).
pytest.importorskip("schemathesis.specs.openapi.schemas")

PATHS = (
    *("/rerank", "/similarity", "/v1/rerank", "/v1/similarity", "/v1/same", "/v1/explain"),
    *("/v1/compare", "/v2/rerank", "/v1/similarity_pairwise"),
)
COUNT = int(os.environ.get("COMPSIM_MALFORMED", "120"))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("mode", ["negative", "positive"])
def test_no_request_makes_it_fail(service: Running, path: str, mode: str) -> None:
    from schemathesis import GenerationMode
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        negative_data_rejection,
        response_schema_conformance,
        status_code_conformance,
    )

    schema = schemathesis.openapi.from_url(f"{service.url}/openapi.json")
    operation = schema[path]["POST"]
    bad = mode == "negative"
    statuses = []
    checks = [not_a_server_error, status_code_conformance, content_type_conformance]
    checks += [response_schema_conformance, *([negative_data_rejection] if bad else [])]

    @given(case=operation.as_strategy(generation_mode=GenerationMode(mode)))
    @settings(
        max_examples=COUNT // len(PATHS) if bad else max(10, COUNT // 30),
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: schemathesis.Case) -> None:
        answer = case.call(base_url=service.url, timeout=120)  # the machine may be busy
        statuses.append(answer.status_code)
        case.validate_response(answer, checks=checks)

    ask()
    assert statuses
    assert max(statuses) < 500
    if bad:
        assert min(statuses) >= 400


# Without the field that a request needs: hypothesis draws constants of these tests too.
NO_REQUESTS = st.binary(max_size=300).filter(lambda body: b'"query"' not in body)


@given(body=NO_REQUESTS)
@settings(max_examples=max(20, COUNT // 6), deadline=None, suppress_health_check=list(HealthCheck))
def test_bytes_of_any_kind_are_refused(service: Running, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    answer = httpx.post(f"{service.url}/v1/rerank", content=body, headers=headers, timeout=60)
    assert 400 <= answer.status_code < 500
    assert set(answer.json()) == {"message", "detail", "error"}
