"""Parses, kept: in memory in front of an SQLite file that several processes may share.

Parsing is the slow step, so a sentence is parsed once per parser and version of the parser.

>>> from compsim.graph import RoleGraph
>>> cache = ParseCache(path=None)  # in memory only
>>> cache.put([RoleGraph.star("Cats sleep.", {"Verb": "sleep"})], "srl", "1")
>>> cache.get(["Cats sleep.", "Dogs bark."], "srl", "1").keys()
dict_keys(['Cats sleep.'])
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import threading
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, TypeVar

from compsim.errors import ParseError
from compsim.graph import RoleGraph, Status

if TYPE_CHECKING:
    from compsim.parsers.base import Parser

__all__ = ["CacheInfo", "CachedParser", "ParseCache", "default_path"]

T = TypeVar("T")

_CHUNK = 500  # SQLite's oldest limit on parameters is 999
_BUSY_SECONDS = 30.0
_CORRUPT = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
# AUTOINCREMENT: an id is never used again, so the lowest is the oldest.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS parses (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, graph TEXT NOT NULL
)"""


class CacheInfo(TypedDict):
    """What :meth:`ParseCache.info` tells: entries and bytes on disk, and where."""

    entries: int
    bytes: int
    path: str | None


def default_path() -> Path:
    """Return where the cache lies by default: ``parses.sqlite`` in the user-data folder."""
    from compsim.resources import home

    return home() / "parses.sqlite"


class ParseCache:
    """Keeps at most ``max_entries`` parses on disk and ``max_memory`` in memory, oldest out first.

    ``path=None`` keeps them in memory only; so does, with one warning, a folder that can not be
    written.  A corrupt file is moved aside to ``<name>.corrupt-<n>`` with one warning and begun
    anew.  Safe for several threads and processes.
    """

    def __init__(
        self, path: str | Path | None, *, max_entries: int = 1_000_000, max_memory: int = 50_000
    ) -> None:
        self.path = None if path is None else Path(path)
        self.max_entries = max_entries
        self.max_memory = max_memory
        self._recent: OrderedDict[bytes, RoleGraph] = OrderedDict()
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._owner = 0  # process that opened the connection
        self._inode = 0  # of the file that is open, to tell whether someone has replaced it

    def get(self, texts: Sequence[str], parser: str, version: str) -> dict[str, RoleGraph]:
        """Return the graphs that are kept, by text."""
        found: dict[str, RoleGraph] = {}
        missing: dict[bytes, str] = {}
        with self._lock:
            for text in dict.fromkeys(texts):
                key = _key(text, parser, version)
                graph = self._recent.get(key)
                if graph is None:
                    missing[key] = text
                else:
                    self._recent.move_to_end(key)
                    found[text] = graph
            if missing:
                for key, graph in self._load(missing):
                    found[graph.text] = graph
                    self._remember(key, graph)
        return found

    def put(self, graphs: Iterable[RoleGraph], parser: str, version: str) -> None:
        """Keep graphs under their texts; what is kept already stays."""
        with self._lock:
            keyed = [(_key(graph.text, parser, version), graph) for graph in graphs]
            for key, graph in keyed:
                self._remember(key, graph)
            if keyed and self.path is not None:
                self._store([(key, _encode(graph)) for key, graph in keyed])

    def info(self) -> CacheInfo:
        """Return the number of entries, the bytes on disk and the path (None: memory only)."""
        with self._lock:
            count = self._run(
                lambda db: int(db.execute("SELECT count(*) FROM parses").fetchone()[0])
            )
            if self.path is None or count is None:
                return CacheInfo(entries=len(self._recent), bytes=0, path=None)
            files = [self.path, *_companions(self.path)]
            size = sum(file.stat().st_size for file in files if file.exists())
            return CacheInfo(entries=count, bytes=size, path=str(self.path))

    def clear(self) -> None:
        """Forget everything, in memory and on disk."""
        with self._lock:
            self._recent.clear()
            self._run(_clear)

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None and self._owner == os.getpid():
                self._connection.close()
            self._connection = None

    def _remember(self, key: bytes, graph: RoleGraph) -> None:
        self._recent[key] = graph
        self._recent.move_to_end(key)
        while len(self._recent) > self.max_memory:
            self._recent.popitem(last=False)

    def _load(self, texts: dict[bytes, str]) -> list[tuple[bytes, RoleGraph]]:
        keys = list(texts)

        def select(db: sqlite3.Connection) -> list[tuple[bytes, str]]:
            rows: list[tuple[bytes, str]] = []
            for start in range(0, len(keys), _CHUNK):
                chunk = keys[start : start + _CHUNK]
                marks = ",".join("?" * len(chunk))
                rows += db.execute(f"SELECT key, graph FROM parses WHERE key IN ({marks})", chunk)
            return rows

        loaded, bad = [], []
        for key, value in self._run(select) or ():
            try:
                graph = RoleGraph.from_json(json.loads(value))
            except ValueError:  # DataError is one too
                graph = None
            if graph is not None and graph.text == texts[key]:
                loaded.append((key, graph))
            else:
                bad.append((key,))
        if bad:  # else INSERT OR IGNORE would keep them for ever
            self._run(lambda db: db.executemany("DELETE FROM parses WHERE key = ?", bad))
        return loaded

    def _store(self, rows: list[tuple[bytes, str]]) -> None:
        def insert(db: sqlite3.Connection) -> bool:
            db.execute("BEGIN IMMEDIATE")
            db.executemany("INSERT OR IGNORE INTO parses (key, graph) VALUES (?, ?)", rows)
            # Looking for the newest id to go walks all that stay, so first ask if any can go.
            first, last = db.execute("SELECT min(id), max(id) FROM parses").fetchone()
            if last - first >= self.max_entries:
                gone = "SELECT id FROM parses ORDER BY id DESC LIMIT 1 OFFSET ?"
                db.execute(f"DELETE FROM parses WHERE id <= ({gone})", (self.max_entries,))
            db.execute("COMMIT")
            return True

        self._run(insert)

    def _run(self, action: Callable[[sqlite3.Connection], T]) -> T | None:
        """Act on the file.  None if there is none, or it is busy, or beyond mending."""
        for attempt in (1, 2):
            if self.path is None:
                return None
            try:
                return action(self._connect())
            except (sqlite3.Error, OSError) as error:
                if self._connection is not None and self._connection.in_transaction:
                    self._connection.rollback()
                # The low byte is the kind of trouble, what stands above it a detail.
                code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
                if code == sqlite3.SQLITE_BUSY:
                    return None
                try:
                    if code not in _CORRUPT or attempt == 2:
                        raise
                    self._move_aside(self.path)
                except (sqlite3.Error, OSError) as final:
                    self._give_up(final)
        return None

    def _connect(self) -> sqlite3.Connection:
        if self._connection is not None:
            if self._owner == os.getpid():
                return self._connection
            _inherited.append(self._connection)
            self._connection = None
        assert self.path is not None
        self.path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._owner = os.getpid()
        self._inode = self.path.stat().st_ino if self.path.exists() else 0
        try:
            # Bytes, so that a damaged value is a bad row and not an error of the whole query.
            db.text_factory = bytes
            _use_write_ahead_log(db)
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute(_SCHEMA)
        except BaseException:
            db.close()
            raise
        self._connection = db
        return db

    def _move_aside(self, path: Path) -> None:
        self.close()
        if not path.exists() or path.stat().st_ino != self._inode:
            return  # another process has just done it
        number = 1
        while (aside := path.with_name(f"{path.name}.corrupt-{number}")).exists():
            number += 1
        os.replace(path, aside)
        for companion in _companions(path):
            companion.unlink(missing_ok=True)
        warnings.warn(
            f"the parse cache {path} was corrupt: it is now {aside.name}, and a new one is begun",
            stacklevel=4,
        )

    def _give_up(self, error: Exception) -> None:
        warnings.warn(
            f"the parse cache {self.path} can not be used ({error}): parses are kept in memory "
            "only; set COMPSIM_HOME to a folder that can be written",
            stacklevel=4,
        )
        with contextlib.suppress(sqlite3.Error):
            self.close()
        self.path = None


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


# Connections opened before a fork: a child may neither use nor close them.
_inherited: list[sqlite3.Connection] = []


def _key(text: str, parser: str, version: str) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for field in (parser, version, text):
        content = field.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.digest()


def _encode(graph: RoleGraph) -> str:
    return json.dumps(graph.to_json(), separators=(",", ":"))


def _companions(path: Path) -> list[Path]:
    return [path.with_name(path.name + suffix) for suffix in ("-wal", "-shm")]


def _clear(db: sqlite3.Connection) -> None:
    db.execute("DELETE FROM parses")
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _use_write_ahead_log(db: sqlite3.Connection) -> None:
    """Let readers and one writer work side by side; where it can not be, locks do as well."""
    try:
        db.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        # Another process is switching at this moment, so the mode is as good as set.
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
