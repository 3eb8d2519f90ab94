"""The words that the pipeline has met: a number, a spelling and an embedding for each.

The network sees of a word its normal form, first letter, last three letters and shape ("Xxxx" of
"Police"). Each is hashed, and the hash picks four rows of a table, whose sum is embedded. A word's
embedding depends on nothing else, so each is computed once. Hashes are those of spaCy
(MurmurHash 2 of the text, MurmurHash 3 of the result), in which the tables are trained.

>>> shape("McDonald's"), shape("2026-11-30")
("XxXxxxx'x", 'dddd-dd-dd')
>>> hash_text("Cats") == hash_text("cats"), hash_text("")
(False, 0)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.kernels.locks import SharedLock
from compsim.parsers.pipeline.tokens import LONGEST_KEPT, Part, Tokenizer, unspaced

__all__ = ["Known", "Read", "Words", "hash_text", "hashed_rows", "shape"]

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.uint64]

#: Words whose numbers and embeddings are kept (some 700 bytes each), and as many of what stands
#: between spaces.
_KEPT = 50_000
_MASK: Final = (1 << 64) - 1
_LETTERS: Final = 100
_REPEATED: Final = 4


class Known:
    """The words met so far. Rows are never changed, so a thread may read while another adds."""

    def __init__(self, width: int) -> None:
        #: What stands between spaces, as the number, start and end of each of its parts.
        self.parts: dict[str, list[tuple[int, int, int]]] = {}
        self.numbers: dict[Part, int] = {}
        self.words: list[Part] = []
        self.spaces: set[int] = set()
        #: Class and lemma by word number and tag number.
        self.forms: dict[tuple[int, int], tuple[str, str]] = {}
        self.table: Floats = np.zeros((1024, width), dtype=np.float32)
        self.filled = 0


class Read(NamedTuple):
    """The words of some texts.

    ``numbers`` int64 (words,) are those of ``known``, of which ``known.table`` has an embedding;
    ``bounds`` int64 (texts + 1,) is where each text begins; ``starts`` and ``ends`` are the places
    of the words in their texts.
    """

    known: Known
    numbers: npt.NDArray[np.int64]
    bounds: npt.NDArray[np.int64]
    starts: list[int]
    ends: list[int]


class Words:
    """Reads texts as words with embeddings.

    ``embed`` gives embeddings (n, ``width``) of attributes: uint64 (n, columns) hashes of
    ``attributes`` ("NORM", "PREFIX", "SUFFIX", "SHAPE"). ``norms`` are normal forms of words that
    are not just the small letters, ``symbols`` the numbers that some texts have in place of a hash.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        attributes: Sequence[str],
        norms: Mapping[str, str],
        symbols: Mapping[str, int],
        embed: Callable[[Numbers], Floats],
        width: int,
    ) -> None:
        self._tokenizer = tokenizer
        self._attributes = [_ATTRIBUTES[name] for name in attributes]
        self._norms, self._symbols = norms, symbols
        self._embed, self._width = embed, width
        self._known = Known(width)
        self._lock = SharedLock()

    def read(self, texts: Sequence[str]) -> Read:
        """Return the words of texts."""
        known = self._known
        if max(len(known.words), len(known.parts)) > _KEPT:
            # Batches that hold the old words go on with them.
            known = self._known = Known(self._width)
        numbers: list[int] = []
        starts: list[int] = []
        ends: list[int] = []
        bounds = [0]
        get = known.parts.get
        for text in texts:
            for at, spelled in unspaced(text):
                for number, start, end in get(spelled) or self._add(known, spelled):
                    numbers.append(number)
                    starts.append(at + start)
                    ends.append(at + end)
            bounds.append(len(numbers))
        if known.filled < len(known.words):
            self._fill(known)
        return Read(
            known, np.array(numbers, dtype=np.int64), np.array(bounds, dtype=np.int64), starts, ends
        )

    def _add(self, known: Known, spelled: str) -> list[tuple[int, int, int]]:
        """Number the parts of what stands between spaces, and keep them."""
        results = []
        start = 0
        with self._lock:
            for part in self._tokenizer.split(spelled):
                number = known.numbers.get(part)
                if number is None:
                    number = len(known.words)
                    # In this order: whoever forks between two lines meets no wrong word.
                    known.words.append(part)
                    if part.text.isspace():
                        known.spaces.add(number)
                    known.numbers[part] = number
                end = start + len(part.text)
                results.append((number, start, end))
                start = end
            if len(spelled) <= LONGEST_KEPT:
                known.parts[spelled] = results
        return results

    def _fill(self, known: Known) -> None:
        """Compute the embeddings that are missing."""
        with self._lock:
            start, stop = known.filled, len(known.words)
            if start == stop:  # another thread was quicker
                return
            if stop > len(known.table):
                grown = np.zeros((2 * stop, self._width), dtype=np.float32)
                grown[:start] = known.table[:start]
                known.table = grown
            known.table[start:stop] = self._embed(self.attributes(known.words[start:stop]))
            known.filled = stop

    def attributes(self, words: Sequence[Part]) -> Numbers:
        """Return what the network sees of words: uint64 (n, columns)."""
        hashes: dict[str, int] = {}
        rows = []
        for text, norm in words:
            norm = norm or self._norms.get(text) or text.lower()
            row = []
            for attribute in self._attributes:
                value = attribute(text, norm)
                if value not in hashes:
                    hashes[value] = self._symbols.get(value) or hash_text(value)
                row.append(hashes[value])
            rows.append(row)
        return np.array(rows, dtype=np.uint64).reshape(len(rows), len(self._attributes))


def shape(word: str) -> str:
    """Return a word with x for its letters, X for capitals and d for digits.

    Of more than four in a row that are alike four are left. That of a very long word is "LONG".
    """
    if len(word) >= _LETTERS:
        return "LONG"
    signs = ""
    repeated = 0
    last = ""
    for character in word:
        sign = character
        if character.isalpha():
            sign = "X" if character.isupper() else "x"
        elif character.isdigit():
            sign = "d"
        repeated = repeated + 1 if sign == last else 1
        last = sign
        if repeated <= _REPEATED:
            signs += sign
    return signs


_ATTRIBUTES: Final[dict[str, Callable[[str, str], str]]] = {
    "NORM": lambda text, norm: norm,
    "PREFIX": lambda text, norm: text[:1],
    "SUFFIX": lambda text, norm: text[-3:],
    "SHAPE": lambda text, norm: shape(text),
}


def hash_text(text: str, seed: int = 1) -> int:
    """Return MurmurHash64A of a text in UTF-8, and 0 for no text (Appleby 2008)."""
    data = text.encode("utf8", "replace")
    if not data:
        return 0
    factor = 0xC6A4A7935BD1E995
    total = seed ^ (len(data) * factor & _MASK)
    whole = len(data) - len(data) % 8
    for i in range(0, whole, 8):
        block = int.from_bytes(data[i : i + 8], "little") * factor & _MASK
        block = (block ^ block >> 47) * factor & _MASK
        total = (total ^ block) * factor & _MASK
    if whole < len(data):
        total = (total ^ int.from_bytes(data[whole:], "little")) * factor & _MASK
    total = (total ^ total >> 47) * factor & _MASK
    return total ^ total >> 47


def hashed_rows(keys: Numbers, seed: int, size: int) -> npt.NDArray[np.int64]:
    """Return four rows of a table of so many for each key (n,): int64 (n, 4).

    They are the four parts of MurmurHash3_x64_128 of the key (Appleby 2011).
    """
    u: Any = np.uint64
    first = keys * u(0x87C37B91114253D5)
    first = (first << u(31) | first >> u(33)) * u(0x4CF5AD432745937F)
    first ^= u(seed) ^ u(8)
    second = np.full_like(first, u(seed) ^ u(8))
    first += second
    second += first
    first, second = _finished(first), _finished(second)
    first += second
    second += first
    low, high = u(0xFFFFFFFF), u(32)
    parts = np.stack([first & low, first >> high, second & low, second >> high], axis=1)
    rows: npt.NDArray[np.int64] = (parts % u(size)).astype(np.int64)
    return rows


def _finished(total: Numbers) -> Numbers:
    u: Any = np.uint64
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        total = (total ^ total >> u(33)) * u(factor)
    mixed: Numbers = total ^ total >> u(33)
    return mixed
