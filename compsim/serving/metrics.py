"""Counts and times for Prometheus: of requests, of what they asked for, and of the process.

>>> metrics = Metrics()
>>> metrics.observe("/v1/rerank", "POST", 200, 0.02)
>>> b'compsim_requests_total{method="POST",path="/v1/rerank",status="200"} 1.0' in metrics.text()
True
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from compsim.serving.feeder import State

__all__ = ["TYPE", "Metrics"]

TYPE: Final = CONTENT_TYPE_LATEST

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """The figures of one service."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        labels = ("path", "method", "status")
        self._requests = Counter(
            "compsim_requests", "Requests answered.", labels, registry=self._registry
        )
        self._seconds = Histogram(
            "compsim_request_seconds",
            "Seconds from a request to its answer.",
            ("path",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self.texts = Counter(
            "compsim_texts",
            "Documents ranked, pairs compared and explained.",
            ("path",),
            registry=self._registry,
        )
        self._held = Gauge(
            "compsim_requests_held", "Requests that run or wait.", registry=self._registry
        )
        ProcessCollector(registry=self._registry)

    def watch_worker(self, state: State) -> None:
        """Ask this worker for the memory of its process, and how many ended."""
        memory = Gauge(
            "compsim_worker_resident_memory_bytes",
            "Memory of the process that computes, after its last request.",
            registry=self._registry,
        )
        memory.set_function(lambda: float(state.memory))
        ends = Gauge(
            "compsim_worker_ends",
            "Processes that ended early: a request was late, crashed them, or they had grown.",
            ("reason",),
            registry=self._registry,
        )
        for reason in state.ends:
            ends.labels(reason).set_function(partial(state.ended, reason))

    def watch(self, held: Callable[[], float]) -> None:
        """Ask this function how many requests run or wait."""
        self._held.set_function(held)

    def observe(self, path: str, method: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(path, method, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def text(self) -> bytes:
        """All figures, in the format ``TYPE``."""
        return generate_latest(self._registry)
