"""The command that parses: graphs a line, for reading, in a stream."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import CATS, GRAPHS, MICE, call, one_line, stored_parser

from compsim.cli.parse import readable
from compsim.cli.terminal import complain
from compsim.graph import Edge, Node, RoleGraph, Status
from compsim.parsers.files.stored_roles import write_jsonl

LINES = f"\ufeff{CATS}\r\n\n{MICE}\n \nHm\u2028hm.".encode()


@pytest.fixture
def options(tmp_path: Path) -> list[str]:
    return stored_parser(tmp_path)


def test_parse_gives_one_graph_a_line(options: list[str]) -> None:
    done = call("parse", *options, stdin=LINES)
    assert (done.returncode, done.stderr) == (0, b"")
    graphs = [RoleGraph.from_json(json.loads(line)) for line in done.stdout.splitlines()]
    assert [graph.text for graph in graphs] == [CATS, "", MICE, " ", "Hm\u2028hm."]
    assert (graphs[0], graphs[2]) == GRAPHS
    assert [graph.status is Status.FAILED for graph in graphs] == [False, True, False, True, True]
    assert graphs[1].reason == "empty line"


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal")
@pytest.mark.parametrize("form", ["table", "penman", "svg", "dot", "jsonl"])
def test_a_terminal_gets_no_control_characters(form: str, tmp_path: Path) -> None:
    import pty

    odd = "cats\x1b[31m\x07 \x9b\u202e\r\x7f"
    text = f"{odd} sleep."
    stored = tmp_path / "parses.jsonl"
    graph = RoleGraph((Node("sleep"), Node(odd)), (Edge(0, "Agent", 1),), 0, text, reason=odd)
    write_jsonl([graph], stored)
    lines = tmp_path / "lines.txt"
    lines.write_text(text + "\n", encoding="utf-8", newline="\n")
    mine, theirs = pty.openpty()
    command = [sys.executable, "-m", "compsim.cli", "parse", str(lines), "--format", form]
    command += ["--parser", f"stored:{stored}"]
    done = subprocess.run(command, stdout=theirs, stderr=theirs, timeout=120, check=False)
    os.close(theirs)
    said = b""
    with contextlib.suppress(OSError):  # the end, as Linux says it
        while part := os.read(mine, 4096):
            said += part
    os.close(mine)
    assert done.returncode == 0
    shown = said.decode("utf-8").replace("\r\n", "\n")
    assert "sleep" in shown
    assert all(line.isprintable() for line in shown.split("\n")), shown


def test_an_error_has_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    complain("a\x1b[31m b\x07\x9b\n\u202ec")
    assert capsys.readouterr().err == "compsim: a [31m b c\n"


def test_parse_output_is_what_stored_reads(options: list[str], tmp_path: Path) -> None:
    source, target = tmp_path / "lines.txt", tmp_path / "again.jsonl"
    source.write_bytes(LINES)
    done = call("parse", str(source), *options)
    target.write_bytes(done.stdout)
    again = call("parse", str(source), "--parser", f"stored:{target}")
    assert again.stdout.splitlines()[0] == done.stdout.splitlines()[0]


def test_parse_for_reading_and_as_penman(options: list[str], tmp_path: Path) -> None:
    source = tmp_path / "lines.txt"
    source.write_bytes(LINES)
    table = call("parse", str(source), *options, "--format", "table").stdout.decode()
    assert table.startswith(f"{CATS}\n  Verb     chase\n  Agent    Cats\n  Patient  mice\n")
    assert "failed: empty line" in table
    penman = call("parse", str(source), *options, "--format", "penman").stdout.decode()
    assert RoleGraph.from_penman(penman.split("\n\n")[0]) == GRAPHS[0]


def test_readable_shows_every_predicate_once() -> None:
    nodes = (Node("said", sense="say.01"), Node("Mary"), Node("sleep"), Node("cats"))
    edges = (Edge(0, "Agent", 1), Edge(0, "Theme", 2), Edge(2, "Agent", 3))
    text = readable(RoleGraph(nodes, edges, 0, "Mary said cats sleep."))
    assert text.count("Verb") == 2
    assert "said [say.01]" in text


def test_readable_shows_features() -> None:
    nodes = (
        Node("left", sense="leave.01", features=(("lemma", "leave"), ("polarity", "-"))),
        Node("Mary"),
    )
    text = readable(RoleGraph(nodes, (Edge(0, "Agent", 1),), 0, "Mary left."))
    assert "left [leave.01]  (lemma leave, polarity -)" in text
    assert "Mary\n" in text + "\n"


def test_parse_keeps_going_after_bad_bytes(options: list[str]) -> None:
    done = call("parse", *options, stdin=b"Caf\xe9.\n" + CATS.encode())
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 2
    assert "line 1 is not UTF-8" in one_line(done.stderr.decode())


def test_parse_streams(options: list[str]) -> None:
    """Output of the first batches comes while the input is still open."""
    command = [sys.executable, "-m", "compsim.cli", "parse", *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{CATS}\n".encode() * 300)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["text"] == CATS
        process.stdin.close()
        assert len(process.stdout.readlines()) == 299
