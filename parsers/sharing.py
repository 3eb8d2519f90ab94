"""Batches of sentences shared out among processes, which parse beside this one.

Parsing is Python's work, which one thread of a process does at a time. Where there are thousands of
sentences, other processes take batches of them too: one for each further processor that
``COMPSIM_THREADS`` allows. They are started when they are first worth it, serve all parsers with
the same settings, and end after a minute without work, or with this process.

>>> shared([["a", "b"], ["c"]], lambda batch: [text.upper() for text in batch], Crew(b""))
[['A', 'B'], ['C']]
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import pickle
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from compsim.graph import RoleGraph
from compsim.kernels.locks import SharedLock
from compsim.kernels.threads import thread_count
from compsim.processes import started, take_over

if TYPE_CHECKING:
    from compsim.parsers.roles.analysis import AnalysisParser

__all__ = ["Crew", "crew_of", "main", "shared"]

#: Sentences for each process that is started: it takes two seconds to get ready.
_WORTH: Final = 2500
#: Processes at most: what one process does alone with their graphs leaves work for no more.
_MOST: Final = 6
#: Seconds without work after which processes end.
_IDLE_SECONDS: Final = 60.0

Batch: TypeAlias = Sequence[str]


class _Helper:
    """A process that parses, one batch after the other, with a pickled parser."""

    def __init__(self, parser: bytes) -> None:
        one = {"COMPSIM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        self.process = started(__name__, "main", quiet=True, **one)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._to, self._from = self.process.stdin, self.process.stdout
        self._send(parser)
        self._ready = False

    def wait(self) -> None:
        """Wait until it is ready; raises ``OSError``, ``EOFError`` or ``UnpicklingError``."""
        if not self._ready:
            pickle.load(self._from)
            self._ready = True

    def parse(self, batch: Batch) -> list[RoleGraph]:
        """Return the graphs of some sentences, once ready; raises as ``wait`` does."""
        self._send(pickle.dumps(list(batch)))
        graphs: list[RoleGraph] = pickle.load(self._from)
        return graphs

    def end(self) -> None:
        """End the process now, whatever it does."""
        self.process.kill()
        with contextlib.suppress(OSError):  # of what could not be sent
            self._to.close()
        self._from.close()
        self.process.wait()

    def forget(self) -> None:
        """Leave the process to the one that this process was forked from."""
        self._to.close()
        self._from.close()
        self.process.returncode = 0  # it is no child of this process, which waits for none

    def _send(self, message: bytes) -> None:
        self._to.write(message)
        self._to.flush()


class Crew:
    """Processes that parse with one pickled parser; ``take`` starts them."""

    def __init__(self, parser: bytes) -> None:
        self._parser = parser
        self._lock = SharedLock()
        self._all: list[_Helper] = []
        self._idle: list[_Helper] = []
        self._timer: threading.Timer | None = None

    def take(self, count: int) -> list[_Helper]:
        """Return idle helpers, and new ones where so many sentences are worth it.

        They are the caller's until it gives them back; ``wait`` until a new one is ready.
        """
        wish = min(thread_count() - 1, _MOST)
        with self._lock:
            helpers = self._idle[:wish]
            self._idle = self._idle[wish:]
            missing = min(wish, count // _WORTH) - len(helpers)
            for _ in range(min(missing, wish - len(self._all)) if _can_start() else 0):
                with contextlib.suppress(OSError):
                    helper = _Helper(self._parser)
                    self._all.append(helper)
                    helpers.append(helper)
        return helpers

    def give_back(self, helper: _Helper) -> None:
        """Keep a helper for the next call, for a while."""
        with self._lock:
            self._idle.append(helper)
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(_IDLE_SECONDS, self._end_idle)
            self._timer.daemon = True
            self._timer.start()

    def drop(self, helper: _Helper) -> None:
        """End a helper that is of no use any more."""
        helper.end()
        with self._lock:
            self._all.remove(helper)

    def end(self) -> None:
        """End all helpers."""
        for helper in self._all:
            helper.end()
        self._all, self._idle = [], []

    def forget(self) -> None:
        """Have no helpers; those that there are work for the process that this was forked from."""
        for helper in self._all:
            helper.forget()
        self._all, self._idle = [], []

    def _end_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for helper in idle:
            self.drop(helper)


class _Round:
    """Batches that wait for a process, and results of those that are done."""

    def __init__(self, count: int) -> None:
        self.results: list[list[RoleGraph]] = [[]] * count
        self.lost = False
        self._waiting = deque(range(count))
        self._away = 0
        self._changed = threading.Condition()

    def next_here(self) -> int | None:
        """The next batch for this process, which waits while one is away that may come back."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or not self._away)
            return self._waiting.popleft() if self._waiting else None

    def next_away(self) -> int | None:
        """The next batch for a helper, None where there is no more."""
        with self._changed:
            if not self._waiting:
                return None
            self._away += 1
            return self._waiting.popleft()

    def put(self, place: int, graphs: list[RoleGraph] | None) -> None:
        """Keep what a helper made of a batch; None: another process must have it."""
        with self._changed:
            self._away -= 1
            if graphs is None:
                self.lost = True
                self._waiting.append(place)
            else:
                self.results[place] = graphs
            self._changed.notify_all()

    def stop(self) -> None:
        """Leave nothing for helpers to take."""
        with self._changed:
            self._waiting.clear()


def shared(
    batches: Sequence[Batch], parse: Callable[[Batch], list[RoleGraph]], crew: Crew
) -> list[list[RoleGraph]]:
    """Graphs of each batch: made by ``parse``, or by a helper that does the same elsewhere.

    What a helper fails at is done by ``parse``; so is everything where there is none.
    """
    work = _Round(len(batches))
    helpers = crew.take(sum(map(len, batches)))
    for helper in helpers:
        threading.Thread(target=_help, args=(helper, crew, batches, work), daemon=True).start()
    try:
        with _one_thread() if helpers else contextlib.nullcontext():
            while (place := work.next_here()) is not None:
                work.results[place] = parse(batches[place])
    finally:
        work.stop()
    if work.lost:
        warnings.warn(
            "a process that parses ended: its sentences were parsed by this one",
            RuntimeWarning,
            stacklevel=2,
        )
    return work.results


def _one_thread() -> contextlib.AbstractContextManager[object]:
    """Multiply matrices in this thread alone: others would wait, busily, where helpers work."""
    from threadpoolctl import threadpool_limits

    limits: contextlib.AbstractContextManager[object] = threadpool_limits(1, "blas")
    return limits


def _help(helper: _Helper, crew: Crew, batches: Sequence[Batch], work: _Round) -> None:
    """Have a helper parse batches until none is left."""
    place: int | None = None
    try:
        helper.wait()
        while (place := work.next_away()) is not None:
            work.put(place, helper.parse(batches[place]))
    except (OSError, EOFError, ValueError, pickle.UnpicklingError):
        if place is not None:
            work.put(place, None)
        crew.drop(helper)
    else:
        crew.give_back(helper)


def crew_of(parser: AnalysisParser) -> Crew:
    """Return the crew of this process for parsers with the settings and version of this one."""
    settings = pickle.dumps(parser)
    with _lock:
        return _crews.setdefault((settings, parser.version), Crew(settings))


def _can_start() -> bool:
    """Return whether this program is an interpreter, which a bundled one is not."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def main() -> None:
    """Parse batches from standard input until it ends, and write their graphs, pickled."""
    batches = sys.stdin.buffer
    graphs = take_over(1)  # packages may print
    parser: AnalysisParser = pickle.load(batches)
    parser.warm_up()
    made: Any = parser.parse(["Cats chase mice."])
    gc.freeze()  # what is loaded by now stays
    while True:
        pickle.dump(made, graphs, pickle.HIGHEST_PROTOCOL)
        graphs.flush()
        try:
            batch = pickle.load(batches)
        except EOFError:
            return
        made = parser.parse_batch(batch)


def _end_all() -> None:
    for crew in _crews.values():
        crew.end()


def _forget_all() -> None:
    """Have no helpers in a forked process: it would mix its batches with those of its parent."""
    for crew in _crews.values():
        crew.forget()


_lock: Final = SharedLock()
_crews: Final[dict[tuple[bytes, str], Crew]] = {}
atexit.register(_end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
