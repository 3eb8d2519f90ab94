"""A method, as a function, that hangs, naps, crashes, grows or raises when a sentence says so."""

from __future__ import annotations

import asyncio
import ctypes
import os
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

__all__ = ["ENCODER", "RAISED", "encode"]

#: How the command line names it.
ENCODER: Final = f"{Path(__file__)}:encode"

RAISED: Final[dict[str, Callable[[], BaseException]]] = {
    "StopIteration": StopIteration,
    "StopAsyncIteration": StopAsyncIteration,
    "TimeoutError": lambda: TimeoutError("mine"),
    "CancelledError": asyncio.CancelledError,
    "GeneratorExit": GeneratorExit,
    "KeyboardInterrupt": KeyboardInterrupt,
    "SystemExit": lambda: SystemExit(3),
    "BaseException": BaseException,
    "RecursionError": RecursionError,
    "OSError": lambda: OSError(28, "no space"),
    "UnicodeEncodeError": lambda: UnicodeEncodeError("utf-8", "x", 0, 1, "why"),
}

_kept: list[np.ndarray] = []


def encode(sentences: Sequence[str]) -> list[list[float]]:
    """Return a vector for each sentence, unless one says otherwise."""
    for text in sentences:
        for word in text.strip(".").split():
            if word == "Hang":  # with the interpreter's lock, as a loop in C does
                ctypes.PyDLL(None).sleep(3600)
            elif word == "Nap":  # where the engine can look at the clock in between
                time.sleep(0.5)
            elif word == "Crash":
                os.abort()
            elif word == "Grow":
                _kept.append(np.ones(20_000_000))  # 160 MB
            elif word == "Burst":
                np.ones(2**40)
            elif word == "Speak":
                print(text)
                print(text, file=sys.stderr, flush=True)
                os.write(2, text.encode())
                warnings.warn(text, stacklevel=1)
            elif word in RAISED:
                raise RAISED[word]()
    return [[len(text), 1.0] for text in sentences]
