"""Python processes of this package, which look for modules where this one does.

They are started by a command: ``multiprocessing`` would run the caller's main module again, and
threads of libraries do not survive a fork.

>>> process = started("os", "getcwd")
>>> process.communicate(), process.returncode
((b'', None), 0)
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import IO, Final

__all__ = ["started", "take_over"]

#: The environment variable of a service's token, with which no other process has business.
_TOKEN: Final = "COMPSIM_TOKEN"


def started(
    module: str, function: str, *, quiet: bool = False, **environment: str
) -> subprocess.Popen[bytes]:
    """Start a process that calls ``function`` of ``module``, with pipes to it and from it.

    ``quiet`` drops what it writes to standard error; ``environment`` are variables to set. Raises
    ``OSError`` where no process can be started, or where it ends at once.
    """
    code = (
        "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
        f"from {module} import {function}; {function}()"
    )
    variables = {name: value for name, value in os.environ.items() if name != _TOKEN}
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if quiet else None,
        env=variables | environment,
        start_new_session=True,  # a signal from the terminal is this process's to act upon
    )
    assert process.stdin is not None
    process.stdin.write(pickle.dumps(sys.path))
    process.stdin.flush()
    return process


def take_over(descriptor: int) -> IO[bytes]:
    """Return a new file for what 1 (standard output) or 2 (errors) wrote to, which now drops it."""
    file = os.fdopen(os.dup(descriptor), "wb")
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, descriptor)
    os.close(nothing)
    return file
