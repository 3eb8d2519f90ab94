"""The memory of this process: how much it has, and how much more it gets.

>>> memory() > 1_000_000
True
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

__all__ = ["limit_memory", "memory"]


def memory() -> int:
    """Return the bytes that lie in memory, or the most that ever did where that is unknown."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[1])
    except OSError:
        return _most()
    return pages * _page_size()


def limit_memory(more: int) -> None:
    """Let this process have so many bytes more than it has now: beyond, it gets ``MemoryError``.

    Only Linux counts what a process allocates; elsewhere this does nothing.
    """
    if sys.platform != "linux":
        return
    import resource

    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    if match := re.search(r"^VmData:\s*(\d+) kB", status, re.MULTILINE):
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = int(match[1]) * 1024 + more
        if hard == resource.RLIM_INFINITY or most < hard:
            resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _page_size() -> int:
    import resource

    return resource.getpagesize()


def _most() -> int:
    try:
        import resource
    except ImportError:  # Windows
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
