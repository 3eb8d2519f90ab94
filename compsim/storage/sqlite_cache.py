"""Values kept under a key, in an SQLite file that several processes may share.

The parse cache and the cache of sentence vectors both stand on it.

>>> key = key_of("a model", "1", "Cats sleep.")
>>> file = SqliteCache(None, table="graphs", column="graph BLOB", max_entries=10,
...                 name="parse cache", without="nothing is stored")
>>> file.put([(key, b"{}")]); file.get([key])  # no path: nothing is stored
[]
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import sqlite3
import stat
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from compsim.kernels.locks import SharedLock
from compsim.storage.files import file_lock

__all__ = ["SqliteCache", "key_of"]

T = TypeVar("T")

_CHUNK = 500  # SQLite's oldest limit on parameters is 999
_BUSY_SECONDS = 30.0
_CORRUPT = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
#: What a process gets whose file another one has just moved aside.
_MOVED = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})
#: How often an action is tried that meets a file which is being moved aside, and seconds between.
_TRIES = 8
_PAUSE = 0.05


def key_of(*fields: str) -> bytes:
    """The key of these fields: 16 bytes, different for ("ab", "c") and ("a", "bc")."""
    digest = hashlib.blake2b(digest_size=16)
    for field in fields:
        content = field.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.digest()


class SqliteCache:
    """At most ``max_entries`` values in one ``table``, the oldest out first.

    ``column`` is the name and the SQL type of the values; a table of the name ``former`` is
    removed, for good. ``path=None`` keeps nothing; so does, with one warning, a folder that can not
    be written: the warning calls the file ``name`` and says what that means, ``without``. A corrupt
    file is moved aside to ``<name>.corrupt-<n>`` with one warning and begun anew. Safe for several
    threads and processes.
    """

    def __init__(
        self,
        path: str | Path | None,
        *,
        table: str,
        column: str,
        max_entries: int,
        name: str,
        without: str,
        former: str | None = None,
    ) -> None:
        self.path = None if path is None else Path(path)
        self.max_entries = max_entries
        self._table, self._column = table, column
        self._name, self._without, self._former = name, without, former
        self._lock = SharedLock()
        self._connection: sqlite3.Connection | None = None
        self._owner = 0  # process that opened the connection
        self._inode = 0  # of the file that is open, to tell whether someone has replaced it

    def get(self, keys: Sequence[bytes]) -> list[tuple[bytes, bytes]]:
        """Keys and values of those that are kept."""
        value = self._column.split()[0]

        def select(db: sqlite3.Connection) -> list[tuple[bytes, bytes]]:
            rows: list[tuple[bytes, bytes]] = []
            for start in range(0, len(keys), _CHUNK):
                chunk = keys[start : start + _CHUNK]
                marks = ",".join("?" * len(chunk))
                query = f"SELECT key, {value} FROM {self._table} WHERE key IN ({marks})"
                rows += db.execute(query, chunk)
            return rows

        return self._run(select) or []

    def put(self, rows: Sequence[tuple[bytes, bytes]]) -> None:
        """Keep values under their keys; what is kept already stays."""
        table, value = self._table, self._column.split()[0]

        def insert(db: sqlite3.Connection) -> bool:
            db.execute("BEGIN IMMEDIATE")
            db.executemany(f"INSERT OR IGNORE INTO {table} (key, {value}) VALUES (?, ?)", rows)
            # Looking for the newest id to go walks all that stay, so first ask if any can go.
            first, last = db.execute(f"SELECT min(id), max(id) FROM {table}").fetchone()
            if last - first >= self.max_entries:
                gone = f"SELECT id FROM {table} ORDER BY id DESC LIMIT 1 OFFSET ?"
                db.execute(f"DELETE FROM {table} WHERE id <= ({gone})", (self.max_entries,))
            db.execute("COMMIT")
            return True

        if rows:
            self._run(insert)

    def drop(self, keys: Sequence[bytes]) -> None:
        """Forget the values under these keys."""
        query = f"DELETE FROM {self._table} WHERE key = ?"
        self._run(lambda db: db.executemany(query, [(key,) for key in keys]))

    def held(self) -> tuple[int, int] | None:
        """The number of entries and the bytes on disk; None where nothing is kept."""
        query = f"SELECT count(*) FROM {self._table}"
        count = self._run(lambda db: int(db.execute(query).fetchone()[0]))
        if self.path is None or count is None:
            return None
        files = [self.path, *_companions(self.path)]
        return count, sum(file.stat().st_size for file in files if file.exists())

    def clear(self) -> None:
        """Forget everything, and give the room on the disk back."""

        def empty(db: sqlite3.Connection) -> None:
            db.execute(f"DELETE FROM {self._table}")
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

        self._run(empty)

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None and self._owner == os.getpid():
                self._connection.close()
            self._connection = None

    def _run(self, action: Callable[[sqlite3.Connection], T]) -> T | None:
        """Act on the file.  None if there is none, or it is busy, or beyond mending."""
        with self._lock:
            for attempt in range(_TRIES):
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
                        if attempt == _TRIES - 1 or code not in _CORRUPT | _MOVED:
                            raise
                        self._begin_anew(self.path, corrupt=code in _CORRUPT)
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
        _check_file(self.path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # SQLite opens its companions by name: they must not be those of another file of that name.
        with file_lock(_lock(self.path)):
            return self._opened(self.path)

    def _opened(self, path: Path) -> sqlite3.Connection:
        db = sqlite3.connect(
            path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._owner = os.getpid()
        self._inode = path.stat().st_ino if path.exists() else 0
        try:
            # Bytes, so that a damaged value is a bad row and not an error of the whole query.
            db.text_factory = bytes
            _use_write_ahead_log(db)
            db.execute("PRAGMA synchronous = NORMAL")
            self._remove_former(db)
            # AUTOINCREMENT: an id is never used again, so the lowest is the oldest.
            db.execute(
                f"CREATE TABLE IF NOT EXISTS {self._table} (\n"
                "    id INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, "
                f"{self._column} NOT NULL\n)"
            )
        except BaseException:
            db.close()
            raise
        self._connection = db
        return db

    def _remove_former(self, db: sqlite3.Connection) -> None:
        """Remove the former table, so that what it held is not in the file any more either."""
        query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        if self._former is None or not db.execute(query, (self._former,)).fetchone():
            return
        db.execute("PRAGMA secure_delete = ON")
        db.execute(f"DROP TABLE IF EXISTS {self._former}")
        with contextlib.suppress(sqlite3.OperationalError):  # another process is at work
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _begin_anew(self, path: Path, corrupt: bool) -> None:
        """Move a corrupt file aside; what another process has moved is opened again."""
        self.close()
        if not corrupt:
            time.sleep(_PAUSE)
            return
        with file_lock(_lock(path)):
            if not path.exists() or path.stat().st_ino != self._inode:
                return  # another process has just done it
            number = 1
            while (aside := path.with_name(f"{path.name}.corrupt-{number}")).exists():
                number += 1
            os.replace(path, aside)
            for companion in _companions(path):
                companion.unlink(missing_ok=True)
        warnings.warn(
            f"the {self._name} {path} was corrupt: it is now {aside.name}, and a new one is begun",
            stacklevel=5,
        )

    def _give_up(self, error: Exception) -> None:
        warnings.warn(
            f"the {self._name} {self.path} can not be used ({error}): {self._without}; "
            "set COMPSIM_HOME to a folder that can be written",
            stacklevel=5,
        )
        with contextlib.suppress(sqlite3.Error):
            self.close()
        self.path = None


# Connections opened before a fork: a child may neither use nor close them.
_inherited: list[sqlite3.Connection] = []


def _check_file(path: Path) -> None:
    """Raise ``OSError`` for a path that is none, and for a device or a pipe, which might hang."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error)) from error
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no file")


def _lock(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _companions(path: Path) -> list[Path]:
    return [path.with_name(path.name + suffix) for suffix in ("-wal", "-shm")]


def _use_write_ahead_log(db: sqlite3.Connection) -> None:
    """Let readers and one writer work side by side; where it can not be, locks do as well."""
    try:
        db.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        # Another process is switching at this moment, so the mode is as good as set.
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
