"""Services in processes of their own, as ``compsim serve`` starts them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest

from compsim.benchmarks.speed.service import Running, running

METHOD: Final = ("-o", "whole=mean-cn", "--vectors", "builtin")
TOKEN: Final = "a-token-of-the-tests"


@pytest.fixture(scope="session")
def service() -> Iterator[Running]:
    """Return a service with the limits that are usual, but for its time."""
    _skip_without_its_packages()
    with running(*METHOD, "--timeout", "120") as result:  # the machine may be busy
        yield result


@pytest.fixture(scope="session")
def log_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the log of the small service."""
    return tmp_path_factory.mktemp("serving") / "service.log"


@pytest.fixture(scope="session")
def small(log_path: Path) -> Iterator[Running]:
    """Return a service that takes little, and asks for a token."""
    _skip_without_its_packages()
    limits = ("--max-body", "4000", "--max-documents", "5", "--max-document", "200")
    more = ("--max-sentence", "100", "--max-requests", "2", "--timeout", "5")
    with (
        log_path.open("wb") as log,
        running(*METHOD, *limits, *more, log=log, COMPSIM_TOKEN=TOKEN) as result,
    ):
        yield result


@pytest.fixture
def client(service: Running) -> Iterator[httpx.Client]:
    """Return a client of the usual service."""
    with httpx.Client(base_url=service.url, timeout=60) as result:
        yield result


@pytest.fixture
def small_client(small: Running) -> Iterator[httpx.Client]:
    """Return a client of the small service, with its token."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=small.url, headers=headers, timeout=60) as result:
        yield result


def _skip_without_its_packages() -> None:
    for name in ("fastapi", "uvicorn", "prometheus_client"):
        pytest.importorskip(name)
