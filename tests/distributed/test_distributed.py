"""A corpus of shards: one row for each, whatever is in them and whoever dies meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mortal import DEADLY, FailingParser, MortalMethod, opened_by
from new_process import HELPERS
from toys import ToyParser, toy_vectors

from compsim import DataError, InputError, Reranker, ServiceError, load
from compsim.storage.places import weights_folder

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: extra distributed")
pq = pytest.importorskip("pyarrow.parquet")

from compsim.distributed import (  # noqa: E402
    ShardResult,
    encode_shards,
    read_documents,
    score_shards,
)
from compsim.distributed.settings import settings_of  # noqa: E402

QUERY = "cats chase mice."
TEXTS = [
    "mice chase cats. birds visit park.",
    "dogs help birds in house.",
    "cats chase mice quickly. dogs help cats.",
    "",
    "mice help cats.",
]


def reranker(parser: Any = None, **options: Any) -> Reranker:
    return Reranker("verbnet-cn", parser=parser or ToyParser(), vectors=toy_vectors(), **options)


def write(file: Path, texts: Sequence[str | None], first: int = 0, **columns: Any) -> None:
    file.parent.mkdir(exist_ok=True)
    ids = [f"d{first + i}" for i in range(len(texts))]
    table = {"id": ids, "text": pa.array(texts, pa.string()), **columns}
    pq.write_table(pa.table(table), file)


def rows(folder: Path, name: str = "a.parquet") -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = pq.read_table(folder / name).to_pylist()
    return results


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    write(tmp_path / "corpus" / "a.parquet", TEXTS)
    write(tmp_path / "corpus" / "b.parquet", TEXTS[::-1], first=5)
    return tmp_path / "corpus"


def test_scores_are_those_of_the_reranker(corpus: Path, tmp_path: Path) -> None:
    for combine in ("max", "mean"):
        ours = reranker(combine=combine)
        results: list[ShardResult] = []
        target = tmp_path / combine
        result = score_shards(
            *(corpus, target), query=QUERY, method=ours, workers=0, progress=results.append
        )
        assert result == results == [ShardResult("a.parquet", 5), ShardResult("b.parquet", 5)]
        made = rows(target) + rows(target, "b.parquet")
        assert list(made[0]) == ["id", "score", "sentence", "error"]
        assert [row["id"] for row in made] == [f"d{i}" for i in range(10)]
        expected = ours.scores(QUERY, TEXTS + TEXTS[::-1])
        np.testing.assert_allclose([row["score"] for row in made], expected, atol=1e-6)
        assert [row["sentence"] for row in made[:5]] == [
            "mice chase cats.", TEXTS[1], "cats chase mice quickly.", None, TEXTS[4]
        ]  # fmt: skip
        assert {row["error"] for row in made} == {None}


def test_columns_that_are_copied(tmp_path: Path) -> None:
    numbers = pa.array([[1], None, [2, 3]], pa.list_(pa.int32()))
    words = pa.array(TEXTS[:3]).dictionary_encode()
    file = tmp_path / "corpus" / "a.parquet"
    write(file, TEXTS[:3], numbers=numbers, body=words)
    common = {"query": QUERY, "method": reranker(), "workers": 0}
    score_shards(file.parent, tmp_path / "all", text_column="body", **common)
    assert list(rows(tmp_path / "all")[0])[:3] == ["id", "text", "numbers"]
    chosen = ["numbers", "text"]
    score_shards(file.parent, tmp_path / "some", text_column="body", columns=chosen, **common)
    made = pq.read_table(tmp_path / "some" / "a.parquet")
    assert made.column_names[:2] == chosen
    assert made.column("numbers").combine_chunks() == numbers
    assert made.column("score").null_count == 0
    for columns, said in (("text", "distinct names"), (["id", "id"], "distinct"), (["x"], "'x'")):
        with pytest.raises((InputError, DataError), match=said):
            score_shards(file.parent, tmp_path / "none", columns=columns, **common)
    write(file, ["cats chase mice."], score=[1.0])
    with pytest.raises(InputError, match="two columns 'score'"):
        score_shards(file.parent, tmp_path / "none", **common)


def test_documents_that_no_method_likes(tmp_path: Path) -> None:
    file = tmp_path / "corpus" / "a.parquet"
    long = "cats chase mice in park. " * 40_000  # a megabyte
    texts = ["cats chase mice.", None, "", " \n ", "...", "dogs boom.", long, "x" * 1_000_000]
    write(file, texts)
    write(file.with_name("b.parquet"), [])
    pq.write_table(pa.table({"id": [1], "text": pa.nulls(1)}), file.with_name("c.parquet"))
    broken = reranker(FailingParser("boom", ValueError("no such luck")))
    result = score_shards(file.parent, tmp_path / "out", query=QUERY, method=broken, workers=0)
    assert [(one.rows, one.failed) for one in result] == [(8, 2), (0, 0), (1, 1)]
    made = rows(tmp_path / "out")
    assert [i for i, row in enumerate(made) if row["score"] is None] == [1, 5]
    assert (made[1]["error"], made[5]["error"]) == (
        "the text is null",
        "ValueError: no such luck",
    )
    lowest = broken.method.info.lowest
    assert [row["score"] for row in made[2:4]] == [lowest, lowest]
    assert made[6]["sentence"] == "cats chase mice in park."  # long texts are cut between sentences
    assert rows(tmp_path / "out", "b.parquet") == []
    assert rows(tmp_path / "out", "c.parquet")[0]["error"] == "the text is null"
    empty = pq.read_schema(tmp_path / "out" / "b.parquet")
    assert empty.names == ["id", "score", "sentence", "error"]


def test_text_that_is_no_utf8_fails_alone(tmp_path: Path) -> None:
    file = tmp_path / "corpus" / "a.parquet"
    file.parent.mkdir()
    bytes_ = pa.array([b"cats chase mice.", b"caf\xe9"], pa.binary())
    pq.write_table(pa.table({"text": bytes_.view(pa.string())}), file)
    score_shards(file.parent, tmp_path / "out", query=QUERY, method=reranker(), workers=0)
    first, second = rows(tmp_path / "out")
    assert (first["error"], second["error"]) == (None, "the text is not UTF-8 (byte 3)")


def test_what_would_fail_for_all_ends_the_run(corpus: Path, tmp_path: Path) -> None:
    broken = reranker(FailingParser("dogs", ServiceError("nobody answers")))
    with pytest.raises(ServiceError, match="nobody answers"):
        score_shards(corpus, tmp_path / "out", query=QUERY, method=broken, workers=0)
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".lock"]


def test_shards_that_are_there_are_skipped(corpus: Path, tmp_path: Path) -> None:
    target, parser = tmp_path / "out", ToyParser()

    def score(query: str = QUERY, **options: Any) -> list[ShardResult]:
        return score_shards(
            *(corpus, target), query=query, method=reranker(parser, **options), workers=0
        )

    score()
    before = rows(target)
    (target / "a.parquet").unlink()
    (target / ".a.parquet.0123abcd").write_bytes(b"half")  # of a worker that was killed
    kept = (target / "b.parquet").stat().st_mtime_ns
    assert [one.skipped for one in score()] == [False, True]
    assert (target / "b.parquet").stat().st_mtime_ns == kept
    assert sorted(path.name for path in target.iterdir()) == [".lock", "a.parquet", "b.parquet"]
    assert rows(target) == before
    write(corpus / "b.parquet", TEXTS[:2], first=5)  # another file of the same name
    assert [one.skipped for one in score()] == [True, False]
    assert len(rows(target, "b.parquet")) == 2
    parser.parsed.clear()
    assert all(one.skipped for one in score())
    assert not set(parser.parsed) & set(TEXTS)
    with pytest.raises(DataError, match=r"other settings \(query is 'cats chase mice.' there and"):
        score("dogs chase mice.")
    with pytest.raises(DataError, match="combine is 'max' there and 'mean' here"):
        score(combine="mean")
    (target / "c.parquet").write_bytes(b"")
    with pytest.raises(DataError, match="of no file in"):
        score()
    (target / "c.parquet").unlink()
    (target / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(DataError, match="not made by compsim, or is damaged"):
        score()


def test_a_corpus_that_cannot_be_used(corpus: Path, tmp_path: Path) -> None:
    def error(match: str, source: Path = corpus, target: str = "out", **given: Any) -> None:
        asked = {"query": QUERY, "method": reranker(), "workers": 0, **given}
        with pytest.raises((DataError, InputError), match=match) as result:
            score_shards(source, tmp_path / target, **asked)
        assert "\n" not in str(result.value)

    error("is no folder", tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    error("holds no file", tmp_path / "empty")
    error("read and written", target="corpus")
    error(r"a.parquet has no column 'body' \(it has 'id', 'text'\)", text_column="body")
    error("without a word", query="?")
    error("workers=-1", workers=-1)
    error("cores=0", cores=0)
    error("leave out combine", combine="mean")
    write(corpus / "c.parquet", ["a"], number=[1])
    error("a.parquet has no column 'number'", columns=["number"])
    pq.write_table(pa.table({"text": [1]}), corpus / "c.parquet")
    error("c.parquet has int64 in its column 'text'")
    (corpus / "c.parquet").write_bytes(b"no Parquet")
    error("c.parquet cannot be read as Parquet")
    assert not (tmp_path / "out").exists()


def test_encoded_shards_rank_like_texts(corpus: Path, tmp_path: Path) -> None:
    write(corpus / "c.parquet", ["", None])
    ours = reranker(combine="mean")
    result = encode_shards(corpus, tmp_path / "out", method=ours, workers=0)
    assert [one.failed for one in result] == [0, 0, 1]
    for name, texts in (("a", TEXTS), ("b", TEXTS[::-1]), ("c", ["", ""])):
        documents = read_documents(tmp_path / "out" / f"{name}.parquet", ours)
        assert list(documents.texts) == texts
        assert documents.sentences(2 % len(texts)) == ours.encode(texts).sentences(2 % len(texts))
        assert ours.rank(QUERY, documents) == ours.rank(QUERY, texts)
    assert (tmp_path / "out" / "a.batch" / "batch.json").is_file()
    assert not (tmp_path / "out" / "c.batch").exists()
    again = encode_shards(corpus, tmp_path / "out", method=ours, workers=0)
    assert all(one.skipped for one in again)
    with pytest.raises(DataError, match="kind is 'encoded' there and 'scores' here"):
        score_shards(corpus, tmp_path / "out", query=QUERY, method=ours, workers=0)
    with pytest.raises(DataError, match="no shard that encode_shards made"):
        read_documents(corpus / "a.parquet", ours)
    with pytest.raises(DataError, match="no column 'body'"):
        read_documents(tmp_path / "out" / "a.parquet", ours, "body")


def test_secrets_are_not_written_down() -> None:
    from embedding_server import toy_url

    made = Reranker("openai", url=toy_url(), model="toy", api_key="hush")
    about = settings_of("scores", made, "text", None)
    assert about["options"]["model"] == "toy"
    assert "hush" not in json.dumps(about)


def test_a_file_that_an_option_names_stands_for_its_content(tmp_path: Path) -> None:
    scheme = tmp_path / "mine.toml"
    results = []
    for weight in (1.0, 2.0):
        scheme.write_text((weights_folder() / "paper.toml").read_text() + f"# {weight}\n")
        method = load("verbnet-cn", parser=ToyParser(), vectors=toy_vectors(), weights=scheme)
        results.append(settings_of("scores", Reranker(method), "text", None))
    assert results[0]["options"]["weights"][0] == str(scheme)
    assert results[0] != results[1]


def test_parses_of_a_corpus_are_not_cached(tmp_path: Path, isolated_home: Path) -> None:
    write(tmp_path / "corpus" / "a.parquet", ["A sentence that no other test parses."])
    before = {path: path.stat().st_size for path in isolated_home.rglob("*") if path.is_file()}
    options = {"method": "verbnet-cn", "vectors": "builtin", "workers": 0}
    score_shards(tmp_path / "corpus", tmp_path / "out", query="Dogs bark.", **options)
    after = {path: path.stat().st_size for path in isolated_home.rglob("*") if path.is_file()}
    assert {p: s for p, s in after.items() if "parse" in p.name} == {
        p: s for p, s in before.items() if "parse" in p.name
    }


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be killed by itself there")
def test_two_workers_of_ray_one_of_which_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray.data", reason="ray is not installed: extra distributed")
    for i in range(6):
        texts = [*TEXTS, None, DEADLY] if i == 3 else TEXTS
        write(tmp_path / "corpus" / f"{i}.parquet", texts, first=10 * i)
    # Ray gives its workers the path of this process, and starts them where this one is: they must
    # find the installed package, not the folder beside them.
    monkeypatch.setenv("PYTHONPATH", HELPERS)
    beside = ("", os.getcwd())
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place not in beside])
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    method = MortalMethod(str(tmp_path))
    results: list[ShardResult] = []
    common = {"query": QUERY, "method": method}
    try:
        result = score_shards(
            tmp_path / "corpus", tmp_path / "out", **common, workers=2, progress=results.append
        )
    except DataError as error:
        if "Ray does not start" not in str(error):
            raise
        pytest.skip(f"this machine is too busy: {error}")  # it gives its own processes 15 seconds
    assert sorted(results) == result
    assert [(one.rows, one.failed) for one in result] == [(5, 0)] * 3 + [(7, 1)] + [(5, 0)] * 2
    killed = int((tmp_path / "killed").read_text())
    opened = opened_by(tmp_path)
    assert len(opened) == len(set(opened)) == 4  # here, by two workers, and by one in place of one
    assert killed in set(opened) - {os.getpid()}
    score_shards(tmp_path / "corpus", tmp_path / "alone", **common, workers=0)
    for i in range(6):
        made = rows(tmp_path / "out", f"{i}.parquet")
        assert made == rows(tmp_path / "alone", f"{i}.parquet")
        assert [row["id"] for row in made] == [f"d{10 * i + k}" for k in range(len(made))]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        ".lock", *(f"{i}.parquet" for i in range(6))
    ]  # fmt: skip


DRIVER = """
import os, signal, sys
from mortal import MortalMethod
from compsim.distributed import score_shards

def killed(_):
    os.kill(os.getpid(), signal.SIGKILL)

folder, query = sys.argv[1:]
try:
    score_shards(f"{folder}/corpus", f"{folder}/out", query=query, method=MortalMethod(folder),
                 workers=0, progress=killed)
except Exception as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be killed by itself there")
def test_a_driver_that_is_killed_leaves_each_row_once(tmp_path: Path) -> None:
    for i in range(5):
        write(tmp_path / "corpus" / f"{i}.parquet", [*TEXTS, None], first=10 * i)
    command = [sys.executable, "-c", DRIVER, str(tmp_path), QUERY]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": HELPERS},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stdout
    common = {"query": QUERY, "method": MortalMethod(str(tmp_path)), "workers": 0}
    result = score_shards(tmp_path / "corpus", tmp_path / "out", **common)
    assert any(one.skipped for one in result)
    score_shards(tmp_path / "corpus", tmp_path / "alone", **common)
    for i in range(5):
        made = rows(tmp_path / "out", f"{i}.parquet")
        assert made == rows(tmp_path / "alone", f"{i}.parquet")
        assert [row["id"] for row in made] == [f"d{10 * i + k}" for k in range(len(TEXTS) + 1)]


@pytest.mark.parametrize(
    ("package", "call"),
    [
        ("pyarrow", "import compsim.distributed"),
        (
            "ray",
            "from compsim.distributed import encode_shards\n"
            "    encode_shards(sys.argv[1], sys.argv[2], method='mean-cn', vectors='builtin')",
        ),
    ],
)
def test_a_missing_package_names_the_extra(package: str, call: str, corpus: Path) -> None:
    code = (
        "import sys, compsim\n"
        f"sys.modules[{package!r}] = None\n"
        f"try:\n    {call}\n"
        "except compsim.MissingExtraError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(corpus), str(corpus.with_name("out"))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ".[distributed]" in done.stdout, done.stderr


def test_ray_is_not_imported_without_need() -> None:
    code = "import sys, compsim, compsim.distributed; print('ray' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
