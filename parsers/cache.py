"""Parses, kept: in memory in front of an SQLite file that several processes may share.

Parsing is the slow step, so a sentence is parsed once per parser and version of the parser. The
file holds no text, and no parse that can be read without it: see ``compsim.storage.sealing``.

>>> from compsim.graph import RoleGraph
>>> cache = ParseCache(path=None)  # in memory only
>>> cache.put([RoleGraph.star("Cats sleep.", {"Verb": "sleep"})], "srl", "1")
>>> cache.get(["Cats sleep.", "Dogs bark."], "srl", "1").keys()
dict_keys(['Cats sleep.'])
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict

from compsim.errors import ParseError
from compsim.graph import RoleGraph, Status
from compsim.kernels.locks import SharedLock
from compsim.storage.sealing import seal, unseal
from compsim.storage.sqlite_cache import SqliteCache, key_of

if TYPE_CHECKING:
    from compsim.parsers.base import Parser

__all__ = ["FILE", "CacheInfo", "CachedParser", "ParseCache", "default_path"]

#: What the file of a cache is called in its folder.
FILE: Final = "parses.sqlite"

#: Nodes and edges in memory for each parse that may be there, more than most sentences have: some
#: 10 kB. Without a limit a few thousand long texts would fill the memory.
_PARTS = 16


class CacheInfo(TypedDict):
    """Result of :meth:`ParseCache.info`: entries and bytes on disk, and the path."""

    entries: int
    bytes: int
    path: str | None


def default_path() -> Path:
    """Return where the cache lies by default: ``parses.sqlite`` in the user-data folder."""
    from compsim.storage.places import home

    return home() / FILE


class ParseCache:
    """Keeps at most ``max_entries`` parses on disk and ``max_memory`` in memory, oldest out first.

    In memory are fewer where they are long. ``path=None`` keeps them in memory only; so does, with
    one warning, a folder that can not be written.  A corrupt file is moved aside to
    ``<name>.corrupt-<n>`` with one warning and begun anew.  Safe for several threads and processes.
    """

    def __init__(
        self, path: str | Path | None, *, max_entries: int = 1_000_000, max_memory: int = 10_000
    ) -> None:
        self.max_memory = max_memory
        self._file = SqliteCache(
            path,
            table="graphs",
            column="graph BLOB",
            max_entries=max_entries,
            name="parse cache",
            without="parses are kept in memory only",
            former="parses",  # it held texts as they are
        )
        self._recent: OrderedDict[bytes, RoleGraph] = OrderedDict()
        self._parts = 0
        self._lock = SharedLock()

    def __reduce__(self) -> tuple[partial[ParseCache], tuple[()]]:
        sizes = {"max_entries": self._file.max_entries, "max_memory": self.max_memory}
        return partial(ParseCache, self.path, **sizes), ()

    @property
    def path(self) -> Path | None:
        """Path of the file; None if parses are in memory only."""
        return self._file.path

    def get(self, texts: Sequence[str], parser: str, version: str) -> dict[str, RoleGraph]:
        """Return the graphs that are kept, by text."""
        result: dict[str, RoleGraph] = {}
        missing: dict[bytes, str] = {}
        with self._lock:
            for text in dict.fromkeys(texts):
                key = _key(text, parser, version)
                graph = self._recent.get(key)
                if graph is None:
                    missing[key] = text
                else:
                    self._recent.move_to_end(key)
                    result[text] = graph
            if missing:
                for key, graph in self._load(missing, parser, version):
                    result[graph.text] = graph
                    self._remember(key, graph)
        return result

    def put(self, graphs: Iterable[RoleGraph], parser: str, version: str) -> None:
        """Keep graphs under their texts; what is kept already stays."""
        with self._lock:
            keyed = [(_key(graph.text, parser, version), graph) for graph in graphs]
            for key, graph in keyed:
                self._remember(key, graph)
            if keyed and self.path is not None:
                self._file.put([(key, _encode(graph, parser, version)) for key, graph in keyed])

    def info(self) -> CacheInfo:
        """Return the number of entries, the bytes on disk and the path (None: memory only)."""
        with self._lock:
            held = self._file.held()
            if self.path is None or held is None:
                return CacheInfo(entries=len(self._recent), bytes=0, path=None)
            return CacheInfo(entries=held[0], bytes=held[1], path=str(self.path))

    def clear(self) -> None:
        """Forget everything, in memory and on disk."""
        with self._lock:
            self._recent.clear()
            self._parts = 0
            self._file.clear()

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        self._file.close()

    def _remember(self, key: bytes, graph: RoleGraph) -> None:
        before = self._recent.pop(key, None)
        self._parts += _size(graph) - (0 if before is None else _size(before))
        self._recent[key] = graph
        while len(self._recent) > self.max_memory or self._parts > _PARTS * self.max_memory:
            self._parts -= _size(self._recent.popitem(last=False)[1])

    def _load(
        self, texts: dict[bytes, str], parser: str, version: str
    ) -> list[tuple[bytes, RoleGraph]]:
        loaded, bad = [], []
        for key, value in self._file.get(list(texts)):
            graph = _decode(value, texts[key], parser, version)
            if graph is None:
                bad.append(key)
            else:
                loaded.append((key, graph))
        if bad:  # else the file would keep them for ever: what is kept already stays
            self._file.drop(bad)
        return loaded


class CachedParser:
    """A parser that asks ``cache`` first and parses only what it does not hold.

    Distinct sentences are parsed once, in one batch.  Failed parses are not kept, unless the
    parser has an attribute ``cacheable_failures = True``.
    """

    def __init__(self, parser: Parser, cache: ParseCache) -> None:
        self.parser = parser
        self.cache = cache

    @property
    def name(self) -> str:
        """The name of the parser within."""
        return self.parser.name

    @property
    def version(self) -> str:
        """The version of the parser within."""
        return self.parser.version

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        """Return one graph per sentence, in order."""
        known = self.cache.get(sentences, self.name, self.version)
        misses = [text for text in dict.fromkeys(sentences) if text not in known]
        if misses:
            parsed = self.parser.parse(misses)
            if len(parsed) != len(misses):
                raise ParseError(
                    f"parser {self.name!r} gave {len(parsed)} graphs for {len(misses)} sentences: "
                    "a parser must give one for each"
                )
            keeps_failures = getattr(self.parser, "cacheable_failures", False)
            keep = []
            for text, graph in zip(misses, parsed, strict=True):
                known[text] = graph
                # A graph of another text could never be found again.
                if graph.text == text and (keeps_failures or graph.status is not Status.FAILED):
                    keep.append(graph)
            self.cache.put(keep, self.name, self.version)
        return [known[text] for text in sentences]


def _key(text: str, parser: str, version: str) -> bytes:
    return key_of(parser, version, text)


def _encode(graph: RoleGraph, parser: str, version: str) -> bytes:
    content = json.dumps(graph.to_json(), separators=(",", ":")).encode("ascii")
    return seal(content, parser, version, graph.text)


def _decode(value: object, text: str, parser: str, version: str) -> RoleGraph | None:
    """Return the graph of a text; None for what is damaged or of another text."""
    content = unseal(value, parser, version, text) if isinstance(value, bytes) else None
    try:
        graph = None if content is None else RoleGraph.from_json(json.loads(content))
    except (ValueError, RecursionError):  # DataError is a ValueError too
        return None
    return graph if graph is not None and graph.text == text else None


def _size(graph: RoleGraph) -> int:
    return len(graph.nodes) + len(graph.edges)
