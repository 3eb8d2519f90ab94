"""Threads for kernels that release the interpreter's lock, where there is enough work.

>>> done = []
>>> in_chunks(lambda start, stop: done.append((start, stop)), 10, enough=5, threads=1)
>>> done
[(0, 10)]
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from compsim.errors import InputError

__all__ = ["in_chunks", "thread_count"]


def thread_count() -> int:
    """Threads a kernel may use: ``COMPSIM_THREADS``, else the processors this process may run on.

    Raises ``InputError`` where ``COMPSIM_THREADS`` is not a whole number above 0.
    """
    wish = os.environ.get("COMPSIM_THREADS", "").strip()
    if wish:
        if not wish.isdecimal() or int(wish) == 0:
            raise InputError(f"COMPSIM_THREADS={wish!r} is not a whole number above 0: mend it")
        return int(wish)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_chunks(
    work: Callable[[int, int], object],
    count: int,
    *,
    enough: int,
    tile: int = 1,
    threads: int | None = None,
) -> None:
    """Run ``work(start, stop)`` over 0..count, in chunks of whole tiles.

    ``enough`` is how many threads the work is worth, ``threads`` how many may be used, None for
    ``thread_count()``. Raises ``InputError`` for fewer than one.
    """
    wish = thread_count() if threads is None else threads
    if wish < 1:
        raise InputError(f"threads={threads} is not a whole number above 0: mend it")
    workers = min(wish, enough, -(-count // tile))
    if workers <= 1:
        work(0, count)
        return
    # Several chunks for each thread even out those that are hard, and what other programs take.
    step = -(-count // (workers * 8 * tile)) * tile
    with ThreadPoolExecutor(workers) as pool:
        starts = range(0, count, step)
        for done in [pool.submit(work, start, min(start + step, count)) for start in starts]:
            done.result()
