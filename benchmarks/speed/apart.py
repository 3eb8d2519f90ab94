"""Measurements in a process of their own, so that its memory is that of the work alone.

>>> measured_apart(peak_megabytes) > 1  # of a process that has only started
True
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Final, TypeVar

__all__ = ["measured_apart", "peak_megabytes"]

T = TypeVar("T")

_PROGRAM: Final = """
import json, sys
from importlib import import_module
module, name, *arguments = sys.argv[1:]
print(json.dumps(getattr(import_module(module), name)(*map(json.loads, arguments))))
"""


def measured_apart(measure: Callable[..., T], *arguments: str | float) -> T:
    """Return the result of a module's function from a new process, as JSON can hold it."""
    results = [measure.__module__, measure.__name__, *map(json.dumps, arguments)]
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *results], capture_output=True, text=True, check=True
    )
    values: T = json.loads(done.stdout)
    return values


def peak_megabytes() -> float:
    """The most memory that this process has held, in MB (10^6 bytes); NaN on Windows."""
    if sys.platform == "win32":
        return float("nan")
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
