"""A lock for what the threads of a process share, which neither a fork nor a pickle takes along.

>>> import pickle
>>> lock = SharedLock()
>>> with lock:
...     copied = pickle.loads(pickle.dumps(lock))
>>> with copied:
...     pass
"""

from __future__ import annotations

import os
import threading
from typing import Final
from weakref import WeakSet

__all__ = ["SharedLock"]


class SharedLock:
    """A re-entrant lock; a forked process, a pickle or a copy begins with an open one of its own.

    What it guards has to be whole at every moment, since a fork may come while it is held: publish
    a change by one assignment, last.
    """

    def __init__(self) -> None:
        self._open()
        _locks.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[type[SharedLock], tuple[()]]:
        return SharedLock, ()

    def _open(self) -> None:
        self._lock = threading.RLock()


_locks: Final[WeakSet[SharedLock]] = WeakSet()


def _open_all() -> None:
    """Open the locks that threads of the parent held: those threads are not in this process."""
    for lock in list(_locks):
        lock._open()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_open_all)
