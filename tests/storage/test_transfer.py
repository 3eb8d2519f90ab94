"""Fetching one file over a connection that breaks, lies or stalls."""

from __future__ import annotations

import re
import socket
import threading
from pathlib import Path

import pytest
from raw_server import Script, drips, says, serve

from compsim.errors import DataError, ServiceError
from compsim.storage.downloads import fetch
from compsim.storage.transfer import transfer

CONTENT = bytes(range(256)) * 20
ETAG = '"one"'


def leave(part: Path, content: bytes, etag: str | bytes = ETAG) -> None:
    """Leave the files of an attempt that broke off."""
    part.write_bytes(content)
    raw = etag if isinstance(etag, bytes) else etag.encode()
    part.with_name(part.name + ".etag").write_bytes(raw)


def get(url: str, part: Path) -> bytes:
    transfer(url, part, lambda done, total: None)
    assert list(part.parent.iterdir()) == [part]  # and no validator left
    return part.read_bytes()


def partial(content_range: str | None, body: bytes, etag: str = ETAG) -> Script:
    """Answers 206 with this Content-Range where a range is asked for, else the whole."""
    ranges = [f"Content-Range: {content_range}"] if content_range is not None else []
    some = says("HTTP/1.1 206 Some", f"ETag: {etag}", *ranges, body=body)
    whole = says("HTTP/1.1 200 OK", f"ETag: {etag}", body=CONTENT)

    def script(connection: socket.socket, request: bytes) -> None:
        (some if b"\r\nrange:" in request.lower() else whole)(connection, request)

    return script


def test_the_rest_is_put_behind_what_is_there(tmp_path: Path) -> None:
    leave(tmp_path / "x.part", CONTENT[:1000])
    size = len(CONTENT)
    with serve(partial(f"bytes 1000-{size - 1}/{size}", CONTENT[1000:])) as (url, asked):
        assert get(url, tmp_path / "x.part") == CONTENT
    assert len(asked) == 1
    assert re.search(rb'(?i)\r\nif-range: "one"\r\n', asked[0])


@pytest.mark.parametrize(
    ("content_range", "etag"),
    [
        (None, ETAG),
        ("", ETAG),
        ("bytes 0-4119/5120", ETAG),  # from the start
        ("bytes 999-5118/5120", ETAG),
        ("bytes 1001-5120/5121", ETAG),
        ("bytes 1000-5119/5119", ETAG),  # beyond its own end
        ("bytes 1000-5118/5120", ETAG),  # not as long as the body
        ("bytes 5119-1000/5120", ETAG),
        ("lines 1000-5119/5120", ETAG),
        (f"bytes 1000-{'9' * 5000}/5120", ETAG),
        ("bytes 1000-5119/*", ETAG),  # perhaps not to the end
        ("bytes 1000-5119/5120", '"two"'),  # another file, in spite of If-Range
    ],
)
def test_other_bytes_than_asked_for_are_refused(
    content_range: str | None, etag: str, tmp_path: Path
) -> None:
    leave(tmp_path / "x.part", CONTENT[:1000])
    with serve(partial(content_range, CONTENT[1000:], etag)) as (url, asked):
        assert get(url, tmp_path / "x.part") == CONTENT
    assert len(asked) == 2
    assert b"\r\nrange:" not in asked[1].lower()


def test_more_than_the_range_is_not_taken(tmp_path: Path) -> None:
    leave(tmp_path / "x.part", CONTENT[:1000])
    head = "HTTP/1.1 206 Some\r\nContent-Range: bytes 1000-1999/5120\r\nTransfer-Encoding: chunked"
    raw = f"{head}\r\n\r\n{4120:x}\r\n".encode() + CONTENT[1000:] + b"\r\n0\r\n\r\n"
    with (
        serve(lambda connection, request: connection.sendall(raw)) as (url, _),
        pytest.raises(ServiceError, match="more than it announced"),
    ):
        get(url, tmp_path / "x.part")
    with serve(partial(None, b"")) as (url, asked):
        assert get(url, tmp_path / "x.part") == CONTENT
    assert b"\r\nrange:" not in asked[0].lower()


@pytest.mark.parametrize(
    "script",
    [says("HTTP/1.1 200 OK", body=CONTENT), drips(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 2000)],
    ids=["told", "endless"],
)
def test_a_file_has_a_largest_size(
    script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compsim.storage.transfer._LARGEST_FILE", 5000)
    with (
        serve(script) as (url, _),
        pytest.raises(ServiceError, match="sends more than 5000 bytes"),
    ):
        get(url, tmp_path / "x.part")
    assert list(tmp_path.iterdir()) == []
    with serve(says("HTTP/1.1 200 OK", body=CONTENT[:5000])) as (url, _):
        assert get(url, tmp_path / "x.part") == CONTENT[:5000]


def test_where_a_redirect_leads_is_not_told(tmp_path: Path) -> None:
    cut = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"
    with (
        serve(lambda connection, _: connection.sendall(cut)) as (other, _),
        serve(says("HTTP/1.1 302 Found", f"Location: {other}/?signature=secret")) as (url, _),
        pytest.raises(ServiceError) as caught,
    ):
        get(url, tmp_path / "x.part")
    assert "secret" not in str(caught.value)


def test_a_piece_that_was_not_asked_for_is_an_error(tmp_path: Path) -> None:
    script = says("HTTP/1.1 206 Some", "Content-Range: bytes 5-6/9", body=b"56")
    with serve(script) as (url, asked), pytest.raises(ServiceError, match="answers 206"):
        get(url, tmp_path / "x.part")
    assert len(asked) == 1


def test_the_rest_may_come_in_pieces(tmp_path: Path) -> None:
    leave(tmp_path / "x.part", CONTENT[:1000])
    with (
        serve(partial("bytes 1000-1999/5120", CONTENT[1000:2000])) as (url, _),
        pytest.raises(ServiceError, match="broke off after 2000 of 5120 bytes"),
    ):
        get(url, tmp_path / "x.part")
    with serve(partial("bytes 2000-5119/5120", CONTENT[2000:])) as (url, _):
        assert get(url, tmp_path / "x.part") == CONTENT


@pytest.mark.parametrize(
    "damaged",
    [b"\xff\xfe", b"", b'W/"one"', b'"one"\r\nX-Evil: 1', b'"one"\n', "\u201cone\u201d".encode(),
     b"\x00" * 100, b"one"],
)  # fmt: skip
def test_a_damaged_validator_means_to_begin_again(damaged: bytes, tmp_path: Path) -> None:
    leave(tmp_path / "x.part", b"?" * 1000, damaged)
    with serve(partial("bytes 1000-5119/5120", CONTENT[1000:])) as (url, asked):
        assert get(url, tmp_path / "x.part") == CONTENT
    assert len(asked) == 1
    assert b"\r\nrange:" not in asked[0].lower()


@pytest.mark.parametrize("etag", ['W/"weak"', "bare", '"\xe9"', '"a b"', "x" * 9000, ""])
def test_only_a_strong_validator_is_kept(etag: str, tmp_path: Path) -> None:
    part = tmp_path / "x.part"

    def cut(connection: socket.socket, request: bytes) -> None:
        head = f"HTTP/1.1 200 OK\r\nETag: {etag}\r\nContent-Length: 5120\r\n\r\n"
        connection.sendall(head.encode("latin-1") + CONTENT[:1000])

    with serve(cut) as (url, _), pytest.raises(ServiceError, match="broke off after 1000 of 5120"):
        get(url, part)
    with serve(partial("bytes 1000-5119/5120", CONTENT[1000:])) as (url, asked):
        assert get(url, part) == CONTENT
    assert b"\r\nrange:" not in asked[0].lower()


@pytest.mark.parametrize(
    "line",
    [
        "Content-Length: many",
        "Content-Length: -5",
        "Content-Length: 5\r\nContent-Length: 6",
        f"Content-Length: {'9' * 400}",
        "Content-Length: 99999999999999999",
        "\x1b[31mred",
        "Location: http://[\r\nContent-Length: 5",
    ],
)
def test_an_odd_answer_is_one_clear_error_and_mended_at_the_next_try(
    line: str, tmp_path: Path
) -> None:
    raw = f"HTTP/1.1 {302 if 'Location' in line else 200} OK\r\n{line}\r\n\r\nabcde"
    with (
        serve(lambda connection, _: connection.sendall(raw.encode())) as (url, _),
        pytest.raises(ServiceError, match="check the network and run the download again") as caught,
    ):
        get(url, tmp_path / "x.part")
    assert str(caught.value).isprintable()
    with serve(partial(None, b"")) as (url, _):
        assert get(url, tmp_path / "x.part") == CONTENT


def test_length_beside_chunks_is_left_aside(tmp_path: Path) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 99\r\n\r\n"
    with serve(lambda connection, _: connection.sendall(head + b"3\r\nabc\r\n0\r\n\r\n")) as (
        url,
        _,
    ):
        assert get(url, tmp_path / "x.part") == b"abc"


@pytest.mark.parametrize(
    ("raw", "whole"),
    [
        (b"Content-Length: 3\r\n\r\nabc", True),
        (b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", True),
        (b"\r\nabc", False),
    ],
)
def test_whether_all_has_come_is_told(raw: bytes, whole: bool, tmp_path: Path) -> None:
    head = b"HTTP/1.1 200 OK\r\n"
    with serve(lambda connection, _: connection.sendall(head + raw)) as (url, _):
        assert transfer(url, tmp_path / "x.part", lambda done, total: None) is whole
    assert (tmp_path / "x.part").read_bytes() == b"abc"


@pytest.mark.parametrize(
    "script",
    [
        drips(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        drips(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n", b"x"),
        drips(b"HTTP/1.1 200 OK\r\n\r\n", b"x"),
    ],
    ids=["continue", "body", "endless"],
)
def test_a_download_that_stalls_breaks_off(
    script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compsim.storage.transfer._STALL_SECONDS", 0.5)
    with serve(script) as (url, asked), pytest.raises(ServiceError, match=r"\(too slow\); check"):
        get(url, tmp_path / "x.part")
    assert len(asked) == 1


def test_a_long_download_that_goes_on_does_not_stall(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compsim.storage.transfer._STALL_SECONDS", 1.0)
    monkeypatch.setattr("compsim.storage.transfer._STALL_BYTES", 1)
    turns = []

    def script(connection: socket.socket, request: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n")
        for turn in range(40):
            turns.append(turn)
            connection.sendall(b"x")
            threading.Event().wait(0.03)

    with serve(script) as (url, _):
        assert get(url, tmp_path / "x.part") == b"x" * 40
    assert len(turns) == 40


def test_a_redirect_is_followed_and_keeps_the_range(tmp_path: Path) -> None:
    leave(tmp_path / "x.part", CONTENT[:1000])
    with (
        serve(partial("bytes 1000-5119/5120", CONTENT[1000:])) as (other, asked),
        serve(says("HTTP/1.1 302 Found", f"Location: {other}/y")) as (url, _),
    ):
        assert get(url, tmp_path / "x.part") == CONTENT
    assert b"\r\nrange: bytes=1000-\r\n" in asked[0].lower()
    with (
        serve(says("HTTP/1.1 302 Found", "Location: /again")) as (url, _),
        pytest.raises(ServiceError, match="could not be fetched"),
    ):
        get(url, tmp_path / "z.part")


@pytest.mark.parametrize("url", ["http://[", "http://h:x/", "file:///etc/hosts", "http://u:pw@h/"])
def test_what_is_no_address_is_said(url: str, tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match="is not an address to fetch from") as caught:
        fetch(url, tmp_path / "x")
    assert "pw" not in str(caught.value)


def test_a_folder_in_the_way_of_the_part_is_said(tmp_path: Path) -> None:
    with serve(partial(None, b"")) as (url, _):
        (tmp_path / "x.part.etag").mkdir()
        with pytest.raises(DataError, match="can not be written"):
            fetch(url, tmp_path / "x")
        (tmp_path / "y.part").mkdir()
        with pytest.raises(DataError, match="can not be written"):
            fetch(url, tmp_path / "y")
