"""Downloads, from a real server on this machine."""

from __future__ import annotations

import hashlib
import http.server
import json
import multiprocessing
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import raw_server

from compsim.errors import DataError, ServiceError, UnknownNameError
from compsim.storage import downloads as resources
from compsim.storage.downloads import download, local_path
from compsim.storage.files import file_lock, write_text

CONTENT = bytes(range(256)) * 4000
DIGEST = hashlib.sha256(CONTENT).hexdigest()


class Server(http.server.ThreadingHTTPServer):
    """Serves CONTENT, and remembers what was asked; ``cut`` ends a body after so many bytes."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = CONTENT
        self.etag = '"one"'
        self.cut: int | None = None
        self.ranges: list[str | None] = []
        self.understands_ranges = True
        self.pause = 0.0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/vectors.gz"


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.server.ranges.append(wanted)
        if not self.path.endswith("vectors.gz"):
            self.send_error(404)
            return
        body, start = self.server.content, 0
        valid = self.headers.get("If-Range") == self.server.etag
        if wanted and valid and self.server.understands_ranges:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= len(body):
                self.send_error(416)
                return
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(body) - start))
        self.send_header("ETag", self.server.etag)
        self.end_headers()
        time.sleep(self.server.pause)
        self.wfile.write(body[start : start + self.server.cut if self.server.cut else None])

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPSIM_HOME", str(tmp_path / "home"))
    for name in ("COMPSIM_OFFLINE", "COMPSIM_NUMBERBATCH_URL", "http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


def leftovers() -> list[str]:
    folder = local_path("numberbatch").parent
    return sorted(p.name for p in folder.iterdir() if p.suffix in (".part", ".etag", ".tmp"))


def test_home_is_the_user_data_folder_or_the_chosen_one(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert resources.home() == home
    monkeypatch.delenv("COMPSIM_HOME")
    assert resources.home().name == "compsim"
    assert resources.home().is_absolute()


def test_a_download_arrives_whole_and_only_once(server: Server) -> None:
    seen: list[tuple[int, int | None]] = []
    path = download(
        "numberbatch", url=server.url, progress=lambda done, total: seen.append((done, total))
    )
    assert path == local_path("numberbatch")
    assert path.read_bytes() == CONTENT
    assert seen[0] == (0, len(CONTENT))
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert download("numberbatch", url=server.url) == path
    assert len(server.ranges) == 1
    assert leftovers() == []


def test_a_mirror_can_be_named_in_the_environment(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPSIM_NUMBERBATCH_URL", server.url)
    assert download("numberbatch").read_bytes() == CONTENT


def test_a_broken_transfer_goes_on_where_it_stopped(server: Server) -> None:
    server.cut = 300_000
    with pytest.raises(ServiceError, match=r"broke off after 300000 of 1024000 bytes.*again"):
        download("numberbatch", url=server.url)
    assert not local_path("numberbatch").exists()
    server.cut = None
    seen: list[int] = []
    path = download("numberbatch", url=server.url, progress=lambda done, _: seen.append(done))
    assert path.read_bytes() == CONTENT
    assert server.ranges == [None, "bytes=300000-"]
    assert seen[0] == 300_000
    assert leftovers() == []


def test_a_file_that_changed_meanwhile_is_fetched_anew(server: Server) -> None:
    server.cut = 300_000
    with pytest.raises(ServiceError):
        download("numberbatch", url=server.url)
    server.cut, server.content, server.etag = None, b"new" * 1000, '"two"'
    assert download("numberbatch", url=server.url).read_bytes() == b"new" * 1000


def test_a_server_without_ranges_sends_all_of_it_again(server: Server) -> None:
    server.cut = 300_000
    with pytest.raises(ServiceError):
        download("numberbatch", url=server.url)
    server.cut, server.understands_ranges = None, False
    assert download("numberbatch", url=server.url).read_bytes() == CONTENT


def test_leftovers_longer_than_the_file_are_dropped(server: Server) -> None:
    target = local_path("numberbatch")
    target.parent.mkdir(parents=True)
    target.with_name(target.name + ".part").write_bytes(CONTENT + b"more")
    target.with_name(target.name + ".part.etag").write_text(server.etag)
    assert download("numberbatch", url=server.url).read_bytes() == CONTENT
    assert server.ranges == [f"bytes={len(CONTENT) + 4}-", None]


def test_a_wrong_checksum_is_refused_and_leaves_nothing(server: Server) -> None:
    with pytest.raises(DataError, match=f"has the SHA-256 {DIGEST} and not {'0' * 64}"):
        download("numberbatch", url=server.url, sha256="0" * 64)
    assert not local_path("numberbatch").exists()
    assert leftovers() == []
    assert download("numberbatch", url=server.url, sha256=DIGEST.upper()).exists()


def test_a_file_that_is_there_is_checked_when_a_checksum_is_given(server: Server) -> None:
    download("numberbatch", url=server.url)
    with pytest.raises(DataError, match="SHA-256"):
        download("numberbatch", url=server.url, sha256="0" * 64)
    assert local_path("numberbatch").exists()


def test_the_first_download_decides_what_is_trusted(server: Server) -> None:
    path = download("numberbatch", url=server.url)
    server.content = b"something else"
    with pytest.raises(DataError, match=r"delete .*\.json"):
        download("numberbatch", url=server.url, force=True)
    assert path.read_bytes() == CONTENT
    digest = hashlib.sha256(server.content).hexdigest()
    download("numberbatch", url=server.url, force=True, sha256=digest)
    assert path.read_bytes() == server.content


def test_a_checksum_is_recorded_of_a_whole_file_only() -> None:
    record = local_path("numberbatch").with_name(local_path("numberbatch").name + ".json")
    head = b"HTTP/1.1 200 OK\r\n\r\n"  # neither length nor end: perhaps only a part
    with raw_server.serve(lambda connection, _: connection.sendall(head + b"ab")) as (url, _):
        download("numberbatch", url=url)
        assert not record.exists()
        digest = hashlib.sha256(b"ab").hexdigest()
        download("numberbatch", url=url, force=True, sha256=digest)  # now it is known
        assert json.loads(record.read_text())["sha256"] == digest


@pytest.mark.parametrize("damaged", ['{"sha256": null}', '{"sha256": "x"}', "[" * 100_000, "[1]"])
def test_a_damaged_record_is_made_anew(server: Server, damaged: str) -> None:
    record = local_path("numberbatch").with_name(local_path("numberbatch").name + ".json")
    record.parent.mkdir(parents=True)
    record.write_text(damaged)
    download("numberbatch", url=server.url)
    assert json.loads(record.read_text())["sha256"] == DIGEST


def test_errors_of_the_server(server: Server) -> None:
    missing = server.url.replace("vectors", "nothing")
    with pytest.raises(ServiceError, match="answers 404"):
        download("numberbatch", url=missing)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/vectors.gz"
    with pytest.raises(ServiceError, match=r"could not be fetched .*check the network"):
        download("numberbatch", url=url)
    for url in ("no address", "file:///etc/hosts"):
        with pytest.raises(ServiceError, match="not an address"):
            download("numberbatch", url=url)


def test_offline_means_no_transfer(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPSIM_OFFLINE", "1")
    with pytest.raises(ServiceError, match="COMPSIM_OFFLINE is set"):
        download("numberbatch", url=server.url)
    assert server.ranges == []
    monkeypatch.setenv("COMPSIM_OFFLINE", "0")
    download("numberbatch", url=server.url)
    monkeypatch.setenv("COMPSIM_OFFLINE", "1")
    assert download("numberbatch").exists()


def test_an_unknown_name() -> None:
    with pytest.raises(UnknownNameError, match="numberbatch"):
        download("numberbash")


def test_a_folder_that_can_not_be_written(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("COMPSIM_HOME", str(tmp_path / "file"))
    with pytest.raises(DataError, match="COMPSIM_HOME"):
        download("numberbatch", url=server.url)


def test_a_progress_bar_goes_to_standard_error(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    download("numberbatch", url=server.url, progress=True)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "numberbatch-en-19.08.txt.gz" in shown.err


def _download_in_process(home: str, url: str) -> None:
    os.environ["COMPSIM_HOME"] = home
    download("numberbatch", url=url)


def test_two_processes_fetch_the_file_once(server: Server, home: Path) -> None:
    server.pause = 0.5
    spawn = multiprocessing.get_context("spawn")
    jobs = [
        spawn.Process(target=_download_in_process, args=(str(home), server.url)) for _ in range(2)
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join(30)
    assert [job.exitcode for job in jobs] == [0, 0]
    assert server.ranges == [None]
    assert local_path("numberbatch").read_bytes() == CONTENT


def test_a_lock_keeps_threads_apart(tmp_path: Path) -> None:
    inside: list[int] = []
    overlap: list[int] = []

    def work() -> None:
        with file_lock(tmp_path / "lock"):
            inside.append(1)
            overlap.append(len(inside))
            time.sleep(0.02)
            inside.pop()

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert overlap == [1] * 5


def test_what_is_written_is_whole_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "\ud800")
    assert path.read_text() == "old"
    write_text(path, "new\n")
    assert path.read_bytes() == b"new\n"
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]
