"""Collections for retrieval: documents, queries, and which documents are relevant to which query.

Two forms are read: a folder as BEIR has it (``corpus.jsonl``, ``queries.jsonl``, ``qrels/*.tsv``;
each may be gzipped), and the folder of Cranfield in TREC's form.

>>> data = open_collection("negconstraint")  # doctest: +SKIP
>>> len(data.documents), len(data.queries)  # doctest: +SKIP
(3946, 198)
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from compsim.errors import DataError

__all__ = ["Collection", "is_collection", "open_collection"]

_CRANFIELD: Final = ("cran.all.1400.xml", "cran.qry.xml", "cranqrel.trec.txt")


@dataclass(frozen=True)
class Collection:
    """Documents and queries by their names, in the order of their files.

    ``relevant`` has, for each query, how relevant each judged document is, 0 for one that is not.
    Queries without a relevant document are left out; ``problems`` says what else was.
    """

    name: str
    source: str
    checksum: str
    documents: Mapping[str, str]
    queries: Mapping[str, str]
    relevant: Mapping[str, Mapping[str, int]]
    problems: tuple[str, ...] = ()


def open_collection(folder: str | Path, part: str = "test") -> Collection:
    """Read a collection; ``part`` names the judgements of a BEIR folder, ``qrels/PART.tsv``.

    Raises ``DataError`` where there is none or it is malformed.
    """
    folder = Path(folder)
    cranfield = [folder / name for name in _CRANFIELD]
    if all(path.is_file() for path in cranfield):
        documents, queries, judged = _cranfield(*map(_read, cranfield))
        return _collection("cranfield", cranfield, documents, queries, judged)
    paths = [_either(folder, name) for name in ("corpus.jsonl", "queries.jsonl")]
    paths.append(_either(folder / "qrels", f"{part}.tsv"))
    documents, queries = (dict(_records(path)) for path in paths[:2])
    return _collection(folder.name, paths, documents, queries, list(_judgements(paths[2])))


def is_collection(folder: Path) -> bool:
    """Return whether a folder has the files of either form."""
    if all((folder / name).is_file() for name in _CRANFIELD):
        return True
    names = ("corpus.jsonl", "queries.jsonl", "qrels/test.tsv")
    return all(any((folder / f"{name}{end}").is_file() for end in ("", ".gz")) for name in names)


def _collection(
    name: str,
    paths: list[Path],
    documents: dict[str, str],
    queries: dict[str, str],
    judged: list[tuple[str, str, int]],
) -> Collection:
    relevant: dict[str, dict[str, int]] = {}
    unknown = 0
    for query, document, grade in judged:
        if query in queries and document in documents:
            relevant.setdefault(query, {})[document] = max(0, grade)
        else:
            unknown += 1
    asked = {
        query: text for query, text in queries.items() if any(relevant.get(query, {}).values())
    }
    folder = paths[0].parent
    if len(asked) < 2:
        raise DataError(f"{folder}: {len(asked)} queries have relevant documents: give 2 or more")
    result = f"{unknown} judgements are of queries or documents that are not there: left out"
    return Collection(
        name,
        str(folder),
        hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest(),
        documents,
        asked,
        {query: relevant[query] for query in asked},
        (result,) if unknown else (),
    )


def _either(folder: Path, name: str) -> Path:
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            return path
    raise DataError(
        f"{folder / name} is not there: give a folder of a BEIR dataset (corpus.jsonl, "
        f"queries.jsonl, qrels/test.tsv) or of Cranfield ({', '.join(_CRANFIELD)})"
    )


def _read(path: Path) -> str:
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    except (OSError, EOFError, ValueError) as error:
        raise DataError(f"{path} cannot be read ({error}): fetch it again") from error


def _records(path: Path) -> Iterator[tuple[str, str]]:
    """The name and text of each line of JSON, with its title before it."""
    for line, text in enumerate(_read(path).splitlines(), 1):
        if not text.strip():
            continue
        try:
            values: Any = json.loads(text)
            name, parts = values["_id"], [values.get("title") or "", values["text"]]
            yield str(name), "\n\n".join(part for part in parts if part.strip())
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(
                f"{path}, line {line}: this is no record of _id and text ({error!r}): mend it"
            ) from error


def _judgements(path: Path) -> Iterator[tuple[str, str, int]]:
    """Query, document and grade of each line after the first."""
    for line, text in enumerate(_read(path).splitlines()[1:], 2):
        if text.strip():
            yield _judgement(path, line, text.split("\t"))


def _judgement(path: Path, line: int, cells: list[str]) -> tuple[str, str, int]:
    try:
        query, document, grade = cells
        return query, document, int(grade)
    except ValueError as error:
        raise DataError(
            f"{path}, line {line}: this is not a query, a document and a whole number ({error}): "
            "mend it"
        ) from error


def _cranfield(
    documents: str, queries: str, judged: str
) -> tuple[dict[str, str], dict[str, str], list[tuple[str, str, int]]]:
    """The documents' texts, which begin with their titles; queries are judged by their place."""
    texts = {
        name: text.strip()
        for name, text in re.findall(
            r"<docno>\s*(\d+)\s*</docno>.*?<text>(.*?)</text>", documents, re.DOTALL
        )
    }
    asked = re.findall(r"<title>(.*?)</title>", queries, re.DOTALL)
    lines = [line.split() for line in judged.splitlines() if line.strip()]
    path = Path(_CRANFIELD[2])
    rows = enumerate(lines, 1)
    return (
        texts,
        {str(i): " ".join(text.split()) for i, text in enumerate(asked, 1)},
        [_judgement(path, i, [cells[0], *cells[2:]]) for i, cells in rows],
    )
