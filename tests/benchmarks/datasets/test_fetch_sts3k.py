"""Fetching STS3k, from a real server on this machine with the layout of the repository."""

from __future__ import annotations

import functools
import hashlib
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from compsim.benchmarks.datasets import fetch_sts3k
from compsim.benchmarks.datasets.sts.scores import read_scores
from compsim.benchmarks.datasets.sts.sts3k import SIMILARITIES, STS3K_FILES
from compsim.errors import DataError, ServiceError


class Server(http.server.ThreadingHTTPServer):
    """Serves a folder; ``cut`` ends the body of the file named after ten bytes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        self.asked: list[tuple[str, str | None]] = []
        self.cut = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/main"


class Handler(http.server.SimpleHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        path = Path(self.translate_path(self.path))
        self.server.asked.append((path.name, wanted))
        if not path.is_file():
            self.send_error(404)
            return
        body = path.read_bytes()
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        self.send_response(206 if wanted else 200)
        if wanted:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        self.send_header("Content-Length", str(len(body) - start))
        self.send_header("ETag", '"one"')
        self.end_headers()
        self.wfile.write(body[start : 10 if path.name == self.server.cut else None])

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "web" / "main"
    for file in STS3K_FILES:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text("0.5\n0.25\n0.75\n0.1\n")
    experiment = root / "Data-experiment"
    (experiment / "STS3k_all.txt").write_text("".join(f"Dogs {i}.;Cats.;0.{i}\n" for i in range(4)))
    (experiment / "STS3k_non_adv_indices.txt").write_text("0\n1\n2")
    (experiment / "STS3k_adv_noneg_indices.txt").write_text("1\n2\n3")
    return root


@pytest.fixture
def server(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("COMPSIM_OFFLINE", "http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with Server(repository.parent) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def test_all_files_arrive_once_and_open(server: Server, tmp_path: Path, repository: Path) -> None:
    folder = tmp_path / "new" / "sts3k"
    data = fetch_sts3k(folder, base_url=server.url + "/")
    assert (len(data), data.parts["adv"], data.folder) == (4, (1, 2, 3), folder)
    assert [name for name, _ in server.asked] == [file.name for file in STS3K_FILES]
    for file in STS3K_FILES:
        assert (folder / file).read_bytes() == (repository / file).read_bytes()
    assert sorted(p.name for p in folder.rglob("*") if p.suffix in (".part", ".etag")) == []
    scores = dict(read_scores((data.folder / SIMILARITIES).iterdir()))
    assert len(scores) == 46
    assert scores["STS3k_all_openai_norml_similarities"] == [0.5, 0.25, 0.75, 0.1]
    assert (data.folder / "Data-experiment" / "STS3k_all_participant_data.xlsx").is_file()
    server.asked.clear()
    fetch_sts3k(folder, base_url=server.url)
    assert server.asked == []
    fetch_sts3k(folder, base_url=server.url, force=True)
    assert len(server.asked) == len(STS3K_FILES)


def test_a_broken_fetch_goes_on_where_it_stopped(server: Server, tmp_path: Path) -> None:
    server.cut = "STS3k_all_mean_similarities.txt"
    with pytest.raises(ServiceError, match=r"mean_similarities.*broke off after 10 of 18 bytes"):
        fetch_sts3k(tmp_path / "here", base_url=server.url)
    assert not (tmp_path / "here" / SIMILARITIES / server.cut).exists()
    done = len(server.asked) - 1
    server.asked.clear()
    server.cut, cut = "", server.cut
    data = fetch_sts3k(tmp_path / "here", base_url=server.url)
    assert server.asked[0] == (cut, "bytes=10-")
    assert len(server.asked) == len(STS3K_FILES) - done
    [(_, scores)] = read_scores([data.folder / SIMILARITIES / cut])
    assert scores == [0.5, 0.25, 0.75, 0.1]


def test_a_file_that_has_changed_is_refused(
    server: Server, tmp_path: Path, repository: Path
) -> None:
    folder = tmp_path / "here"
    fetch_sts3k(folder, base_url=server.url)
    sums = json.loads((folder / "checksums.json").read_text())
    assert sums == {
        file.as_posix(): hashlib.sha256((repository / file).read_bytes()).hexdigest()
        for file in STS3K_FILES
    }
    before = (folder / STS3K_FILES[0]).read_bytes()
    with (repository / STS3K_FILES[0]).open("a") as out:
        out.write("More;pairs.;0.5\n")
    with pytest.raises(DataError, match=r"STS3k_all\.txt has the SHA-256 .* as when it was first"):
        fetch_sts3k(folder, base_url=server.url, force=True)
    assert (folder / STS3K_FILES[0]).read_bytes() == before
    assert list(folder.rglob("*.part")) == []
    (folder / "checksums.json").write_text("[]")
    assert len(fetch_sts3k(folder, base_url=server.url, force=True)) == 5


def test_offline_means_no_fetch(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPSIM_OFFLINE", "1")
    with pytest.raises(ServiceError, match=r"STS3k_all\.txt.*COMPSIM_OFFLINE is set"):
        fetch_sts3k(tmp_path / "here", base_url=server.url)
    assert server.asked == []
    monkeypatch.delenv("COMPSIM_OFFLINE")
    fetch_sts3k(tmp_path / "here", base_url=server.url)
    monkeypatch.setenv("COMPSIM_OFFLINE", "1")
    assert len(fetch_sts3k(tmp_path / "here", base_url=server.url)) == 4


def test_what_can_go_wrong(server: Server, tmp_path: Path, repository: Path) -> None:
    (repository / STS3K_FILES[-1]).unlink()
    with pytest.raises(ServiceError, match=r"participant_data\.xlsx answers 404"):
        fetch_sts3k(tmp_path / "here", base_url=server.url)
    (repository / STS3K_FILES[-1]).write_text("x")
    (repository / STS3K_FILES[0]).write_text("<html>")
    with pytest.raises(DataError, match=r"line 1: not s1;s2;score"):
        fetch_sts3k(tmp_path / "there", base_url=server.url)
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="can not be written"):
        fetch_sts3k(tmp_path / "file", base_url=server.url)


def test_the_list_of_files_is_the_publishers(data_dir: Path) -> None:
    root = data_dir / "compositional-semantics-eval"
    if not (root / SIMILARITIES).is_dir():
        pytest.skip(f"{data_dir} has no {root.name}/{SIMILARITIES}")
    assert all((root / file).is_file() for file in STS3K_FILES)
    there = set(root.glob(f"{SIMILARITIES}/STS3k_all_*"))
    assert there == {root / file for file in STS3K_FILES if file.parent == SIMILARITIES}
