"""The commands around the methods: doctor, the cache, downloads."""

from __future__ import annotations

import http.server
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import GRAPHS, call, one_line

from compsim import __version__, doctor
from compsim.cli import main


def test_missing_packages_by_extra() -> None:
    assert doctor.missing_packages("no-such-package") == ["no-such-package"]
    assert doctor.missing_packages("numpy") == []
    core = doctor._packages("")
    assert {"numba", "numpy", "typer"} <= set(core)
    assert not {"scipy", "spacy"} & set(core)
    assert "scipy" in doctor._packages("bench")


def test_doctor_reports_and_its_status_says_whether_all_is_well() -> None:
    done = call("doctor", "--format", "json")
    values = json.loads(done.stdout)
    assert values["compsim"] == __version__
    assert values["dependencies"]["numpy"]
    assert values["vectors"]["name"] == "builtin"
    assert values["vectors"]["words"] > 10_000
    assert values["home"] == os.environ["COMPSIM_HOME"]
    assert done.returncode == (0 if values["works"] else 1)
    assert (values["self_test"]["problem"] is None) == values["works"]
    rows = dict(doctor.as_rows(values))
    assert rows["compsim"] == __version__
    assert ("FAILED" in rows["self-test"]) != values["works"]


SWALLOWS = """
import time
from compsim import doctor
from compsim.cli import main

def warm_up():
    print("ready", flush=True)
    for _ in range(600):
        try:
            time.sleep(0.1)
        except KeyboardInterrupt:  # as a function does that a compiler calls back
            pass

doctor.warm_up = warm_up
main(["doctor", "--warm"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_an_interrupt_ends_the_compilation() -> None:
    with subprocess.Popen([sys.executable, "-c", SWALLOWS], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(50) == -signal.SIGINT


def test_doctor_tells_what_is_broken() -> None:
    result = {
        "compsim": "1",
        "python": "3",
        "platform": "x",
        "dependencies": {"numpy": None},
        "extras": {"amr": {"amrlib": None, "torch": "2"}},
        "home": "/home",
        "vectors": {"problem": "no vectors"},
        "cache": {"entries": 3},
        "pipeline": {"name": "p", "version": "1"},
        "self_test": {"score": None, "seconds": 0.1, "problem": "boom"},
        "works": False,
    }
    rows = dict(doctor.as_rows(result))
    assert rows["numpy"] == "MISSING"
    assert rows["extra amr"] == 'not installed (amrlib): pip install ".[amr]"'
    assert rows["vectors"] == "no vectors"
    assert rows["self-test"] == "FAILED: boom"


def test_cache_info_and_clear(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from compsim.parsers.cache import ParseCache, default_path

    monkeypatch.setenv("COMPSIM_HOME", str(tmp_path))
    assert main(["cache", "info"]) == 0
    assert "entries: 0" in capsys.readouterr().out
    assert os.listdir(tmp_path) == []
    cache = ParseCache(default_path())
    cache.put(GRAPHS, "srl", "1")
    cache.close()
    assert main(["cache", "info"]) == 0
    out = capsys.readouterr().out
    assert "entries: 2" in out
    assert str(tmp_path) in out
    assert main(["cache", "clear"]) == 0
    assert "cleared 2 parses" in capsys.readouterr().out
    assert main(["cache", "clear"]) == 0
    assert "cleared 0 parses" in capsys.readouterr().out


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[str]:
    """A web server on this machine that holds a tiny vector file."""
    folder = tmp_path / "www"
    folder.mkdir()
    (folder / "tiny.txt").write_text("2 3\ncat 1 0 0\ndog 0 1 0\n")

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *details: object) -> None:
            super().__init__(*details, directory=str(folder))  # type: ignore[arg-type]

        def log_message(self, *details: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_download(
    mirror: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("COMPSIM_HOME", str(tmp_path / "home"))
    wrong = ["--sha256", "0" * 64]
    assert main(["download", "numberbatch", "--url", f"{mirror}/tiny.txt", *wrong]) == 2
    assert "SHA-256" in one_line(capsys.readouterr().err)
    assert main(["download", "numberbatch", "--url", f"{mirror}/none.txt"]) == 2
    assert "404" in one_line(capsys.readouterr().err)
    # The name ends in .gz, as the official file does.
    import gzip

    plain = (tmp_path / "www" / "tiny.txt").read_bytes()
    (tmp_path / "www" / "tiny.txt.gz").write_bytes(gzip.compress(plain))
    assert main(["download", "numberbatch", "--url", f"{mirror}/tiny.txt.gz"]) == 0
    out, error = capsys.readouterr()
    assert out.startswith("numberbatch: 2 words, 3 dimensions, in ")
    assert error == ""


def test_downloads_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["download"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["name", "numberbatch", "sts3k"]
    assert main(["download", "--format", "json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert [entry["name"] for entry in values] == ["numberbatch", "sts3k"]


def test_the_cache_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "info", "--format", "json"]) == 0
    assert {"path", "entries", "bytes", "also"} <= json.loads(capsys.readouterr().out).keys()
