"""Parses read from a file: published role phrases, or our own JSONL.

>>> import tempfile, pathlib
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> cats = RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"})
>>> write_jsonl([cats], folder / "parses.jsonl")
>>> parser = StoredParser(folder / "parses.jsonl")
>>> [graph.status.value for graph in parser.parse(["Cats sleep.", "Dogs bark."])]
['ok', 'failed']
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from compsim.errors import DataError
from compsim.graph import RoleGraph, Status
from compsim.graph.respacing import respaced
from compsim.plain_text import plain
from compsim.roles import VERBNET
from compsim.storage.files import whole_file
from compsim.storage.reading import parse_json, read_text

__all__ = [
    "StoredParser",
    "graph_from_phrases",
    "line_of_row",
    "read_rows",
    "write_jsonl",
]

_NO_ROLES = "the parse holds no roles"


class StoredParser:
    """Looks parses up by sentence, white space aside.

    ``path`` is either our JSONL (name ends in ``.jsonl``, one ``RoleGraph.to_json()`` a line), or
    the role phrases as the authors of STS3k publish them: JSON, row number -> a list of two
    ``{role: phrase}`` dicts, ``"NONE"`` and ``"NA"`` meaning absent.  Row numbers count the lines
    of ``sentences``, a ``s1;s2;score`` text file, from 1.  Where a sentence is stored twice, the
    first parse counts.  Raises DataError, naming file and line, for a malformed file; a graph of
    JSONL in which a predicate is missing is partial, and its reason names the line.
    """

    name = "stored"
    cacheable_failures = False

    def __init__(self, path: str | Path, sentences: str | Path | None = None) -> None:
        self.path = Path(path)
        content = read_text(self.path)
        if self.path.suffix == ".jsonl":
            if sentences is not None:
                raise DataError(f"{self.path} holds its sentences itself: leave sentences= out")
            self._keep([(graph,) for graph in _read_jsonl(self.path, content)], content)
        elif sentences is None:
            self._keep(_read_published(self.path, content, None), content)
        else:
            lines = read_text(Path(sentences))
            pairs = _read_pairs(Path(sentences), lines)
            self._keep(_read_published(self.path, content, pairs), content, lines)

    def _keep(self, rows: list[tuple[RoleGraph, ...]], *contents: str) -> None:
        """Index the graphs by their text; ``contents`` is all that they were read from."""
        digest = hashlib.blake2b(digest_size=8)
        for content in contents:
            digest.update(content.encode("utf-8", "surrogatepass"))
        self.version = digest.hexdigest()
        self._rows = rows
        self._by_text: dict[str, RoleGraph] = {}
        for row in rows:
            for graph in row:
                if graph.text:
                    self._by_text.setdefault(plain(graph.text), graph)

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        """Return the stored graph of each sentence, a failed one for a sentence not stored."""
        results = [(self._by_text.get(plain(text)), text) for text in sentences]
        return [respaced(graph, text) if graph else self._missing(text) for graph, text in results]

    def pairs(self) -> list[tuple[RoleGraph, RoleGraph]]:
        """Return the two graphs of each row, in row order; needs no sentences.

        Raises DataError where a row does not hold two, as in a JSONL file.
        """
        results = []
        for number, row in enumerate(self._rows, start=1):
            if len(row) != 2:
                raise DataError(
                    f"row {number} of {self.path} holds {len(row)} parses, not a pair: "
                    "use parse() with the sentences"
                )
            results.append((row[0], row[1]))
        return results

    def _missing(self, text: str) -> RoleGraph:
        why = f"the sentence is not in {self.path.name}"
        if not self._by_text:
            why = f"{self.path.name} was opened without its sentences"
        return RoleGraph.failed(text, why, self.name)


def graph_from_phrases(text: str, phrases: Mapping[str, Any], parser: str) -> RoleGraph:
    """Make the graph of one ``{role: phrase}`` dict; absent is missing, None, "", NONE or NA.

    Phrases under other than the eight roles are dropped, and the status is then partial.
    """
    present = {
        role: phrase.strip()
        for role, phrase in phrases.items()
        if isinstance(phrase, str) and phrase.strip().upper() not in ("", "NONE", "NA", "N/A")
    }
    kept = {role: present[role] for role in VERBNET.roles if role in present}
    if not kept:
        return RoleGraph.failed(text, _NO_ROLES, parser)
    problems = [] if "Verb" in kept else ["no verb"]
    if dropped := [role for role in present if role not in kept]:
        problems.append(f"dropped {', '.join(dropped)}")
    status = Status.PARTIAL if problems else Status.OK
    return RoleGraph.star(text, kept, status=status, reason="; ".join(problems), parser=parser)


def write_jsonl(graphs: Iterable[RoleGraph], path: str | Path) -> None:
    """Write one graph a line, all or nothing: a file of that name is replaced at the very end."""
    with whole_file(Path(path)) as file:
        for graph in graphs:
            file.write(json.dumps(graph.to_json(), separators=(",", ":")).encode("ascii") + b"\n")


def _read_jsonl(path: Path, content: str) -> Iterator[RoleGraph]:
    for number, line in enumerate(content.split("\n"), start=1):
        if not line.strip():
            continue
        data = parse_json(line, f"{path}, line {number}", "mend the line")
        try:
            graph = RoleGraph.from_json(data)
        except DataError as error:
            raise DataError(f"{path}, line {number}: {error}") from error
        if graph.status is Status.OK and _lacks_predicate(graph):
            reason = f"{path.name}, line {number}: a frame has no predicate"
            graph = replace(graph, status=Status.PARTIAL, reason=reason)
        yield graph


def _lacks_predicate(graph: RoleGraph) -> bool:
    heads = {edge.source for edge in graph.edges}
    if graph.root is not None:
        heads.add(graph.root)
    return any(not graph.nodes[head].label and not graph.nodes[head].sense for head in heads)


def read_rows(path: Path, content: str) -> Any:
    """Return what a JSON file holds; raises DataError, naming the line, if it is no JSON."""
    return parse_json(content, str(path), "fetch the file again")


def line_of_row(content: str, number: str) -> int:
    """Return the line, from 1, on which the row of that number starts in a JSON object of rows."""
    match = re.search(re.escape(json.dumps(number)) + r"\s*:", content)
    return content.count("\n", 0, match.start() if match else 0) + 1


def _read_pairs(path: Path, content: str) -> list[tuple[str, ...]]:
    pairs: list[tuple[str, ...]] = []
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            break
        fields = tuple(field.strip() for field in line.split(";"))
        if len(fields) != 3:
            raise DataError(
                f"{path}, line {number}: {len(fields)} fields instead of s1;s2;score: mend the line"
            )
        pairs.append(fields[:2])
    return pairs


def _read_published(
    path: Path, content: str, sentences: list[tuple[str, ...]] | None
) -> list[tuple[RoleGraph, ...]]:
    data = read_rows(path, content)
    if not isinstance(data, dict):
        raise DataError(f"{path}, line 1: not a JSON object of rows: is it the right file?")
    rows = []
    for number in sorted(data, key=lambda key: (not key.isdecimal(), len(key), key)):
        entry = data[number]
        if not number.isdecimal() or not (
            isinstance(entry, list) and all(isinstance(phrases, dict) for phrases in entry)
        ):
            raise DataError(
                f"{path}, line {line_of_row(content, number)}: row {number!r} is not a number with "
                "a list of role dicts: is it the right file?"
            )
        texts: tuple[str, ...] = ("",) * len(entry)
        if sentences is not None:
            if not 1 <= int(number) <= len(sentences) or len(entry) != 2:
                raise DataError(
                    f"{path}: row {number} with {len(entry)} parses matches no line of the "
                    f"{len(sentences)} sentence pairs: give the text file it was made from"
                )
            texts = sentences[int(number) - 1]
        rows.append(
            tuple(
                graph_from_phrases(text, phrases, StoredParser.name)
                for text, phrases in zip(texts, entry, strict=True)
            )
        )
    return rows
