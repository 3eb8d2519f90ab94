"""Many clients at a time: nothing but answers and 429, and no memory that grows.

``COMPSIM_LOAD=10000`` sends so many requests from 200 clients; by default they are few.
"""

from __future__ import annotations

import os

from compsim.benchmarks.speed.service import Running, measure
from compsim.benchmarks.speed.soak import soak

COUNT = int(os.environ.get("COMPSIM_LOAD", "150"))


def test_many_clients_get_answers_or_429(service: Running) -> None:
    result = measure(service.url, clients=200 if COUNT >= 1000 else 50, count=COUNT)
    print(result)
    assert result["answered"] == COUNT
    assert result["errors"] == 0
    assert result["refused"] > 0
    if COUNT >= 1000:
        assert result["memory_end_mb"] < 1.1 * result["memory_tenth_mb"]


def test_hostile_traffic_beside_ordinary_requests(service: Running) -> None:
    result = soak(service.url, minutes=0.03, clients=2)
    print(result)
    assert result["failed"] == result["errors"] == 0
    assert result["hostile"] > 5
    assert result["memory_most_mb"] > 0
