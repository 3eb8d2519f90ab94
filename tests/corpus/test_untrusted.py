"""Corpora that somebody else made: what they name is neither run, read nor asked."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import json_server
import pytest
from command_line import one_line
from json_server import Server

from compsim import Corpus, DataError, InputError
from compsim.cli import main
from compsim.corpus.manifest import NAME, Manifest
from compsim.storage.checksums import json_checksum

pytest.importorskip("pyarrow")

CODE = "import pathlib\npathlib.Path({mark!r}).write_text('ran')\ndef f(texts): return [[1.0]]\n"


def rewrite(folder: Path, **changes: Any) -> None:
    """Change the manifest as whoever makes a corpus can, its checksum with it."""
    path = folder / NAME
    manifest = json.loads(path.read_text()) | changes
    del manifest["checksum"]
    path.write_text(json.dumps(manifest | {"checksum": json_checksum(manifest)}))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "corpus"
    Corpus(path, "mean-cn", vectors="builtin").add(["Cats sleep.", "Dogs bark."], ["a", "b"])
    return path


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A service of the attacker's, and a key of the victim's."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-victim")
    with json_server.serve(lambda request, earlier: (200, {})) as server:
        yield server


ACTS: dict[str, Callable[[Corpus], object]] = {
    "search": lambda corpus: corpus.search("my secret query"),
    "add": lambda corpus: corpus.add(["My secret text."]),
    "explain": lambda corpus: corpus.explain("my secret query", "a"),
    "compact": lambda corpus: (corpus.delete(["b"]), corpus.compact()),
    "index": lambda corpus: corpus.build_index(1),
}


@pytest.mark.parametrize("act", ACTS)
def test_code_in_a_file_of_the_corpus_is_not_run(act: str, folder: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    code = folder / "segments" / "x.py"
    code.write_text(CODE.format(mark=str(mark)))
    rewrite(folder, method="callable", options={"function": f"{code}:f"})
    corpus = Corpus.open(folder)
    with pytest.raises(InputError, match=r"names method='callable', function='.*x\.py:f'"):
        ACTS[act](corpus)
    assert not mark.exists()


def test_a_module_is_not_imported(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "mark"
    (tmp_path / "of_nobody.py").write_text(CODE.format(mark=str(mark)))
    monkeypatch.syspath_prepend(tmp_path)
    rewrite(folder, method="callable", options={"function": "of_nobody:f"})
    with pytest.raises(InputError, match="which a file may not decide"):
        Corpus.open(folder).search("cats")
    assert main(["corpus", "search", str(folder), "cats"]) == 2
    assert "of_nobody" not in sys.modules
    assert not mark.exists()


@pytest.mark.parametrize(
    ("method", "options", "named"),
    [
        ("openai", {"url": "{url}/v1", "cache": False}, "method='openai', url="),
        ("openai", {}, "method='openai'"),
        ("verbnet-cn", {"parser": "llm:{url}/v1", "vectors": "builtin"}, "parser="),
        ("verbnet-cn", {"parser": "verbnet-server:{url}", "vectors": "builtin"}, "parser="),
        ("amr-smatch", {"parser": "amr-server:{url}"}, "parser="),
        ("hybrid", {"parser": "llm:{url}/v1", "whole": "mean-cn"}, "parser="),
        ("hybrid", {"whole": "openai", "vectors": "builtin"}, "whole="),
        ("use", {"model": "{url}/use"}, "model="),
    ],
)
def test_nothing_is_sent(
    method: str,
    options: dict[str, Any],
    named: str,
    folder: Path,
    listener: Server,
    capsys: pytest.CaptureFixture[str],
) -> None:
    own = {
        name: value.format(url=listener.url) if isinstance(value, str) else value
        for name, value in options.items()
    }
    rewrite(folder, method=method, options=own)
    for act in ("search", "add"):
        with pytest.raises(InputError, match=named):
            ACTS[act](Corpus.open(folder))
    assert main(["corpus", "search", str(folder), "my secret query"]) == 2
    assert named in one_line(capsys.readouterr().err)
    assert listener.requests == []


@pytest.mark.parametrize(
    ("method", "options", "named"),
    [
        ("mean-cn", {"vectors": "{file}"}, "vectors"),
        ("verbnet-cn", {"vectors": "sbert:{file}"}, "vectors"),
        ("verbnet-cn", {"weights": "{file}"}, "weights"),
        ("verbnet-cn", {"parser": "stored:{file}"}, "parser"),
        ("verbnet-cn", {"parser": "srl:{file}"}, "parser"),
        ("verbnet-cn", {"cache": True}, "cache"),
        ("amr-smatch", {"parser": "amrlib:{file}"}, "parser"),
        ("hybrid", {"scheme": "{file}"}, "scheme"),
        ("hybrid", {"whole": "sbert:{file}"}, "whole"),
        ("hybrid", {"whole": "callable"}, "whole"),
        ("mean-cn", {"normalize": "{file}"}, "normalize"),
        ("sbert", {"model": "somebody/model"}, "model"),
        ("sbert", {"model": "{file}", "trust_remote_code": True}, "model=.*trust_remote_code"),
        ("sbert", {"trust_remote_code": True}, "trust_remote_code"),
        ("nv-embed", {"trust_remote_code": 1}, "trust_remote_code"),
        ("infersent", {"model": "{file}", "vectors": "{file}"}, "model=.*vectors"),
        ("mean-cn", {"vectors": {"words": "{file}"}}, "vectors"),
        ("somebodys-method", {"k": 2}, "method='somebodys-method', k=2"),
        ("mean-cn", {"api_key": "sk"}, "api_key"),
    ],
)
def test_no_file_is_read_and_no_model_loaded(
    method: str, options: dict[str, Any], named: str, folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "of-the-victim"
    own = {
        name: value.format(file=file) if isinstance(value, str) else value
        for name, value in options.items()
    }
    rewrite(folder, method=method, options=own)
    corpus = Corpus.open(folder)
    # Of the file that is not there nothing is said: nobody has looked for it.
    with pytest.raises(InputError, match=f"names (method=.*)?{named}"):
        corpus.search("cats")
    again = {name.split("=")[0] for name in named.replace(".*", ", ").split(", ")}
    assert again <= set(corpus.info["required_options"])
    assert (len(corpus), corpus.get("a"), corpus.delete(["b"])) == (2, "Cats sleep.", 1)


def test_what_is_given_again_is_used(folder: Path, tmp_path: Path) -> None:
    vectors = tmp_path / "toy.txt"
    vectors.write_text("cats 1 0 0\nsleep 0 1 0\ndogs 0 0 1\n")
    made = Corpus(tmp_path / "made", "mean-cn", vectors=str(vectors))
    made.add(["Cats sleep.", "Dogs."], ["a", "b"])
    assert Corpus.open(made.path).info["required_options"] == ["vectors"]
    for given in (str(vectors), vectors):
        again = Corpus.open(made.path, vectors=given)
        assert again.search("cats", 1)[0]["corpus_id"] == "a"
    (tmp_path / "moved").mkdir()
    moved = vectors.rename(tmp_path / "moved" / vectors.name)
    assert Corpus.open(made.path, vectors=moved).search("dogs", 1)[0]["corpus_id"] == "b"
    code = tmp_path / "mine.py"
    code.write_text("def f(texts): return [[1.0, len(text)] for text in texts]\n")
    function = f"{code}:f"
    Corpus(tmp_path / "own", "callable", function=function).add(["Cats sleep."])
    with pytest.raises(InputError, match="names method='callable', which"):
        Corpus.open(tmp_path / "own", function=function).search("cats")
    with pytest.raises(InputError, match="names function="):
        Corpus.open(tmp_path / "own", "callable").search("cats")
    assert Corpus.open(tmp_path / "own", "callable", function=function).search("cats")
    search = ["corpus", "search", str(tmp_path / "own"), "cats", "--method", "callable"]
    assert main(search) == 2
    assert main([*search, "-o", f"function={function}"]) == 0


def test_a_service_that_is_given_again_is_asked(folder: Path, listener: Server) -> None:
    parser = f"llm:{listener.url}/v1"
    rewrite(folder, method="verbnet-cn", options={"parser": parser, "vectors": "builtin"})
    corpus = Corpus.open(folder, parser=parser)
    # It answers nonsense, and was asked: what was refused before was this.
    assert not corpus.ask("cats").batch._to_stored().records[0].get("nodes")  # type: ignore[attr-defined]
    assert listener.requests


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("hybrid", {"whole": "mean-cn", "vectors": "builtin"}),
        ("hybrid", {"whole": "mean-cn", "vectors": "builtin", "scheme": None}),
        ("verbnet-cn", {"vectors": "builtin", "normalize": "fixed", "weights": "paper"}),
        ("verbnet-cn", {"vectors": "builtin", "weights": "paper", "cache": False}),
        ("amr-wlk", {"k": 1, "direction": "out", "on_failure": "nan"}),
        ("amr-smatch", {"nodes": 100, "top_concept": True}),
        ("mean-cn", {}),
    ],
)
def test_ordinary_corpora_open_with_nothing_given(
    method: str, options: dict[str, Any], tmp_path: Path
) -> None:
    made = Corpus(tmp_path / "corpus", method, **options)
    made.add(["Cats sleep.", "Dogs bark."])
    again = Corpus.open(made.path)
    assert again.info["required_options"] == []
    assert again.search("a cat sleeps")[0]["corpus_id"] == "0"


def segment(**changes: Any) -> dict[str, Any]:
    """A change to the one segment of a manifest."""
    names = ("name", "documents", "sentences", "checksum", "gone", "deleted", "index")
    values = dict(zip(names, ["000000", 2, 2, 5, 0, None, None], strict=True))
    return {"segments": [[*(values | changes).values()]]}


WRONG: list[dict[str, Any]] = [
    {"method": 5},
    {"method": ""},
    {"method": ["mean-cn"]},
    {"options": []},
    {"options": None},
    {"options": {"not a name": 1}},
    {"absent": "vectors"},
    {"absent": [3]},
    {"precision": "int4"},
    {"precision": ["int8"]},
    {"next_id": "0"},
    {"next_id": -1},
    {"next_id": True},
    {"next_segment": 1.5},
    {"next_segment": 1 << 70},
    {"segments": {}},
    {"segments": None},
    {"segments": [[]]},
    {"segments": [5]},
    {"segments": [["000000", 2, 2, 5, 0, None]]},
    {"segments": segment()["segments"] * 2},
    *(
        segment(name=name)
        for name in ("../../outside", "/etc", "..", ".", "", "a/b", "a\\b", ".lock", 5, None, "a\0")
    ),
    *(
        segment(**{key: bad})
        for key in ("documents", "sentences", "gone")
        for bad in ("2", -1, 1.0)
    ),
    segment(checksum="5"),
    segment(checksum=1 << 32),
    segment(gone=3, deleted=["000000.deleted-3.npy", 5]),
    segment(gone=1),
    segment(deleted=["000000.deleted-0.npy", 5]),
    *(
        segment(gone=1, deleted=bad)
        for bad in (
            ["../000000.deleted-1.npy", 5],
            ["/dev/zero", 5],
            ["000001.deleted-1.npy", 5],
            ["000000.deleted-1.npy"],
            ["000000.deleted-1.npy", None],
            "000000.deleted-1.npy",
        )
    ),
    segment(index=["../../x.index", 5]),
    segment(index=[5, 5]),
]


@pytest.mark.parametrize("changes", WRONG, ids=str)
def test_a_wrong_manifest_with_a_right_checksum_is_one_error(
    changes: dict[str, Any], folder: Path
) -> None:
    rewrite(folder, **changes)
    result = r"corpus\.json cannot be read \(.*\): run `compsim corpus repair"
    with pytest.raises(DataError, match=result):
        Corpus.open(folder)


@pytest.mark.parametrize("count", [0, 1, 3, 1 << 31, (1 << 40) - 1])
@pytest.mark.parametrize("name", ["documents", "sentences"])
def test_counts_that_are_not_those_of_a_segment_are_one_error(
    name: str, count: int, folder: Path
) -> None:
    manifest = json.loads((folder / NAME).read_text())
    manifest["segments"][0][1 if name == "documents" else 2] = count
    rewrite(folder, segments=manifest["segments"])
    reads = (
        lambda corpus: corpus.ids(),
        lambda corpus: corpus.verify(),
        lambda corpus: "a" in corpus,
    )
    for act in (*ACTS.values(), *reads):
        with pytest.raises(DataError, match=r"corpus\.json counts its documents or sentences"):
            act(Corpus.open(folder))
    notes = Corpus.repair(folder)["notes"]
    assert [f"corpus.json counted {count} documents" in note for note in notes] == (
        [True] if name == "documents" else []
    )
    corpus = Corpus.open(folder)
    corpus.verify()
    assert corpus.ids() == ["a", "b"]


def test_a_manifest_without_a_field_is_one_error(folder: Path) -> None:
    manifest = json.loads((folder / NAME).read_text())
    for name in ("method", "options", "segments", "next_id"):
        less = {key: value for key, value in manifest.items() if key not in (name, "checksum")}
        (folder / NAME).write_text(json.dumps(less | {"checksum": json_checksum(less)}))
        with pytest.raises(DataError, match=f"it has no {name}"):
            Corpus.open(folder)


def test_a_manifest_is_a_plain_file(folder: Path, tmp_path: Path) -> None:
    path = folder / NAME
    outside = path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(outside)
    with pytest.raises(DataError, match=r"no (plain )?file"):
        Corpus.open(folder)
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(DataError, match=r"no (plain )?file"):
        Corpus.open(folder)
    path.unlink()
    with socket.socket(socket.AF_UNIX) as pipe:
        pipe.bind(str(path))
        with pytest.raises(DataError, match=r"no (plain )?file"):
            Corpus.open(folder)


def test_links_in_a_corpus_are_not_followed(folder: Path, tmp_path: Path) -> None:
    corpus = Corpus.open(folder)
    corpus.delete(["b"])
    corpus.build_index(1)
    (entry,) = Manifest.read(folder).segments
    segments = folder / "segments"
    assert entry.deleted is not None
    assert entry.index is not None
    own = segments / entry.name
    inside = [path.relative_to(segments) for path in own.rglob("*") if path.is_file()]
    for name in (Path(), entry.name, entry.deleted[0], entry.index[0], *inside):
        path = segments / name
        elsewhere = path.rename(tmp_path / "elsewhere")
        path.symlink_to(elsewhere)
        for act in (lambda: Corpus.open(folder).ids(), lambda: Corpus.open(folder).verify()):
            with pytest.raises(DataError, match="is a link"):
                act()
        path.unlink()
        elsewhere.rename(path)
    Corpus.open(folder).verify()


@pytest.mark.parametrize("name", ["../../../secret.npy", "/dev/zero", "batch/../../x", "", "a//b"])
def test_a_segment_names_no_files_but_its_own(name: str, folder: Path) -> None:
    (entry,) = Manifest.read(folder).segments
    path = folder / "segments" / entry.name / "segment.json"
    meta = {"files": json.loads(path.read_text())["files"] | {name: 5}}
    path.write_text(json.dumps(meta))
    manifest = json.loads((folder / NAME).read_text())
    manifest["segments"][0][3] = json_checksum(meta)
    rewrite(folder, segments=manifest["segments"])
    with pytest.raises(DataError, match="names files that are not its own"):
        Corpus.open(folder).verify()
