"""Shared limits of texts and requests, rate limits, and token counts."""

from __future__ import annotations

import math
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compsim.embeddings.services.endpoint import requests_of
from compsim.embeddings.services.rate import RateLimit
from compsim.embeddings.services.tokens import open_counter


@given(
    counts=st.dictionaries(st.text(max_size=3), st.integers(1, 9)),
    texts=st.integers(1, 4),
    tokens=st.integers(1, 12),
)
def test_requests_hold_every_text_once_within_the_bounds(
    counts: dict[str, int], texts: int, tokens: int
) -> None:
    requests = requests_of(counts, texts=texts, tokens=tokens)
    assert [text for request in requests for text in request] == list(counts)
    for request, following in zip(requests, [*requests, []][1:], strict=True):
        total = sum(counts[text] for text in request)
        assert 1 <= len(request) <= texts
        assert total <= tokens or len(request) == 1
        if following:  # greedy: the next text would not have fitted
            assert len(request) == texts or total + counts[following[0]] > tokens


@given(
    sizes=st.lists(st.tuples(st.integers(1, 9), st.floats(0, 40)), max_size=30),
    requests=st.none() | st.integers(1, 4),
    tokens=st.none() | st.integers(1, 12),
)
def test_no_minute_holds_more_than_the_limit(
    sizes: list[tuple[int, float]], requests: int | None, tokens: int | None
) -> None:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    limit = RateLimit(requests, tokens, clock=lambda: now[0], sleep=sleep)
    sent: list[tuple[float, int]] = []
    for size, gap in sizes:
        now[0] += gap
        ready = now[0]
        limit.wait(size)
        sent.append((now[0], size))
        if now[0] > ready:  # it waited: a moment earlier would have been too many

            def fits(start: float, new: int = size) -> bool:
                window = [count for at, count in sent[:-1] if at > start - 60]
                return (requests is None or len(window) < requests) and (
                    tokens is None or not window or sum(window) + new <= tokens
                )

            assert not fits(now[0] - 1e-3)
    for at, _ in sent:
        window = [count for other, count in sent if at <= other < at + 60 - 1e-6]
        assert requests is None or len(window) <= requests
        assert tokens is None or sum(window) <= tokens or len(window) == 1


@given(text=st.text(max_size=60), more=st.text(max_size=5), limit=st.integers(1, 20))
def test_the_estimate_grows_with_the_text_and_cuts_at_the_limit(
    text: str, more: str, limit: int
) -> None:
    counter = open_counter("unknown")
    text = text.encode("utf-8", "replace").decode()
    assert 0 <= counter.count(text) <= counter.count(text + more)
    weights = [
        1.0 if c > "\x7f" else 0.25 if c.isalpha() or c in " \t\n\r\x0b\f" else 0.5 for c in text
    ]
    assert counter.count(text) == math.ceil(sum(weights))
    longest = max(n for n in range(len(text) + 1) if counter.count(text[:n]) <= limit)
    assert counter.cut(text, limit) == text[:longest]


def test_tiktoken_where_its_table_is_at_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiktoken = pytest.importorskip("tiktoken")
    model = "text-embedding-3-small"
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("COMPSIM_OFFLINE", "1")
    assert not open_counter(model, fetch=True).exact  # no table, and none may be fetched
    monkeypatch.delenv("COMPSIM_OFFLINE")
    monkeypatch.setattr(tiktoken, "get_encoding", lambda name: 1 / 0)
    assert not open_counter(model).exact  # not fetched unasked
    assert not open_counter(model, fetch=True).exact  # not to be had
    assert not open_counter("unknown", fetch=True).exact
    stands = threading.Event()
    monkeypatch.setattr("compsim.embeddings.services.tokens._FETCH_SECONDS", 0.1)
    monkeypatch.setattr(tiktoken, "get_encoding", lambda name: stands.wait(20) and 1 / 0)
    assert not open_counter(model, fetch=True).exact  # not to be had in time
    assert not stands.is_set()
    stands.set()
    tables = {bytes([n]): n for n in range(256)} | {b"ca": 256, b"cat": 257}
    tiny = tiktoken.Encoding("tiny", pat_str=r"\S+|\s+", mergeable_ranks=tables, special_tokens={})
    monkeypatch.setattr(tiktoken, "get_encoding", lambda name: tiny)
    counter = open_counter(model, fetch=True)
    assert counter.exact
    assert counter.count("cat cats é") == 1 + 1 + 2 + 1 + 2
    assert counter.cut("cat cats é", 3) == "cat cat"
    assert counter.cut("cat cats é", 6) == "cat cats "  # half of é is left out
    assert counter.cut("cat cats é", 7) == "cat cats é"
    url = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
    import hashlib

    (tmp_path / hashlib.sha1(url.encode()).hexdigest()).write_text("")
    assert open_counter(model).exact
