"""Token counts of texts, by the model's table or estimated from their characters.

>>> counter = open_counter("some local model")
>>> counter.exact, counter.count("Cats chase mice.")
(False, 5)
>>> counter.cut("Cats chase mice.", 2)
'Cats cha'
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import string
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

from compsim.http import offline

__all__ = ["Counter", "open_counter"]

_PLAIN = (string.ascii_letters + string.whitespace).encode("ascii")
#: The largest table has 4 MB.
_FETCH_SECONDS: Final = 30.0
_TABLES = "https://openaipublic.blob.core.windows.net/encodings/"


def open_counter(model: str, fetch: bool = False) -> Counter:
    """The counter for a model: tiktoken's where it knows the model, else the estimate.

    tiktoken fetches the table of a model when it first needs it; that is only let happen with
    ``fetch``, for half a minute at most, and never where ``COMPSIM_OFFLINE`` is set.
    """
    try:
        import tiktoken

        name = tiktoken.encoding_name_for_model(model)
    except (ImportError, KeyError):
        return _Estimate()
    if _table_is_here(name) or (fetch and not offline()):
        return _within(_FETCH_SECONDS, lambda: _Tiktoken(tiktoken.get_encoding(name)))
    return _Estimate()


def _within(seconds: float, make: Callable[[], _Tiktoken]) -> Counter:
    """Return the result of ``make`` if it comes within so many seconds, else the estimate."""
    made: list[Counter] = [_Estimate()]

    def run() -> None:
        # Whatever a download may raise: an estimate does as well.
        with contextlib.suppress(Exception):
            made.append(make())

    # A thread that is left alone where it takes too long: tiktoken's requests have no time-out.
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    return made[-1]


class _Estimate:
    """A quarter of a token for a letter or space, half for other ASCII, one for all else."""

    exact = False

    def count(self, text: str) -> int:
        content = text.encode("ascii", "ignore")
        rest = len(content.translate(None, _PLAIN))
        return math.ceil((len(content) - rest) / 4 + rest / 2) + len(text) - len(content)

    def cut(self, text: str, limit: int) -> str:
        low, high = 0, min(len(text), 4 * limit)
        while low < high:  # the count never falls as the text grows
            middle = (low + high + 1) // 2
            if self.count(text[:middle]) <= limit:
                low = middle
            else:
                high = middle - 1
        return text[:low]


class _Tiktoken:
    exact = True

    def __init__(self, encoding: Any) -> None:
        self._encoding = encoding

    def count(self, text: str) -> int:
        return len(self._encoding.encode_ordinary(text))

    def cut(self, text: str, limit: int) -> str:
        tokens = self._encoding.encode_ordinary(text)
        if len(tokens) <= limit:
            return text
        # The last token may end within a character.
        beginning: str = self._encoding.decode(tokens[:limit], errors="ignore")
        return beginning


#: ``count`` tells the number of tokens of a text, ``cut`` its longest beginning that has at most so
#: many; ``exact``: by the model's own tokens.
Counter: TypeAlias = _Estimate | _Tiktoken


def _table_is_here(name: str) -> bool:
    """Return whether the table lies where tiktoken keeps what it has fetched."""
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in os.environ:
            folder = os.environ[variable]
            break
    else:
        folder = os.path.join(tempfile.gettempdir(), "data-gym-cache")
    file = hashlib.sha1(f"{_TABLES}{name}.tiktoken".encode()).hexdigest()
    return bool(folder) and (Path(folder) / file).is_file()
