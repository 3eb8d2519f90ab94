"""Lexical relations between English lemmas: which near words are one thing, and which are two.

Vectors put "tap" near "faucet" and "two" near "three" alike. The table knows that the first are
synonyms and the second members of one class, that a spaniel is a dog, and that hot is not cold:

>>> from compsim.vectors.relations import Relations
>>> relations = Relations.open()
>>> relations.relation("sofa", "couch").kind.name, relations.relation("two", "three").kind.name
('SYNONYM', 'SISTER')
>>> relations.relation("spaniel", "dog").kind.name, relations.relation("hot", "cold").kind.name
('NARROWER', 'ANTONYM')

A pair is stored at its lower row number, and found by a binary search, which kernels call too
(:func:`pair_relation`). Most pairs of words are not related: a bit for each hash of a pair spares
them the search.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError
from compsim.kernels.ragged import read_only
from compsim.storage.files import whole_file, write_json
from compsim.storage.places import weights_folder

__all__ = [
    "Kind",
    "Relation",
    "RelationArrays",
    "Relations",
    "bit_of",
    "lexical_key",
    "pair_relation",
    "write_relations",
]

_STORED: Final = ("starts", "others", "kinds", "strengths")
_JOINTS: Final = re.compile(r"[\s_-]+")
#: Bits by the hashes of pairs: few enough to stay near a processor, 19 for each shipped pair.
_BITS: Final = 1 << 23
#: Odd numbers below 2 ** 32, so that the hash of two row numbers fits into 63 bits.
_FACTORS: Final = (0x9E3779B1, 0x85EBCA77)


class Kind(IntEnum):
    """Lexical relation of the first of two lemmas to the second; the numbers are the kernels'."""

    NONE = 0
    #: One lemma.
    SAME = 1
    #: They can stand for each other: tap, faucet.
    SYNONYM = 2
    #: One meaning in two parts of speech: decide, decision; moon, lunar.
    DERIVED = 3
    #: The first is a kind of the second: spaniel, dog.
    NARROWER = 4
    #: The second is a kind of the first: dog, spaniel.
    WIDER = 5
    #: Near synonyms and paraphrases in some contexts: huge, enormous; couple, two.
    SIMILAR = 6
    #: Different members of one class: dog, cat.
    SISTER = 7
    #: Opposites: hot, cold.
    ANTONYM = 8


class Relation(NamedTuple):
    """A kind of relation and how sure it is, above 0 and up to 1; 0 for ``Kind.NONE``."""

    kind: Kind
    strength: float


class RelationArrays(NamedTuple):
    """The table as kernels take it, for n words.

    ``starts`` int32 (n + 1): word i is the lower of the stored pairs ``starts[i]:starts[i + 1]``;
    ``others`` int32, ascending for each word, are the higher words, ``kinds`` int8 what the lower
    is to the higher, ``strengths`` uint8 how sure, in 255ths; ``bits`` uint8 (2 ** 20,), made by
    ``of``, of which the bit at the hash of each stored pair is set.
    """

    starts: npt.NDArray[np.int32]
    others: npt.NDArray[np.int32]
    kinds: npt.NDArray[np.int8]
    strengths: npt.NDArray[np.uint8]
    bits: npt.NDArray[np.uint8]

    @classmethod
    def of(
        cls,
        starts: npt.NDArray[np.int32],
        others: npt.NDArray[np.int32],
        kinds: npt.NDArray[np.int8],
        strengths: npt.NDArray[np.uint8],
    ) -> RelationArrays:
        """Make the table of the arrays that are stored; raises ``ValueError`` if none fits."""
        lower = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        marked = np.zeros(_BITS, dtype=np.bool_)
        marked[bit_of(lower, others.astype(np.int64))] = True
        return cls(starts, others, kinds, strengths, np.packbits(marked, bitorder="little"))


class Relations:
    """A table of lexical relations: ``words`` and :class:`RelationArrays`."""

    def __init__(self, words: Sequence[str], arrays: RelationArrays) -> None:
        self.words = tuple(words)
        self.arrays = RelationArrays(*(read_only(array) for array in arrays))
        _check(self.words, self.arrays)

    @classmethod
    def open(cls, folder: str | Path | None = None) -> Relations:
        """Open the shipped table, or the one in ``folder``; each is read once in a process.

        Raises ``DataError`` for a folder that holds no whole table.
        """
        return _read(_shipped_folder() if folder is None else Path(folder))

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def version(self) -> str:
        """A hash of the content, for the keys of caches."""
        digest = hashlib.sha256("\n".join(self.words).encode())
        for name in _STORED:
            array = getattr(self.arrays, name)
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]

    def ids(self, words: Iterable[str]) -> npt.NDArray[np.int32]:
        """Return the row numbers int32 (n,) of lemmas, -1 for unknown ones.

        Case is ignored, and words joined by a space, a hyphen or ``_`` are one entry.
        """
        rows = self._rows
        return np.array([rows.get(lexical_key(word), -1) for word in words], dtype=np.int32)

    def relation(self, first: str, second: str) -> Relation:
        """Return what the lemma ``first`` is to the lemma ``second``.

        An unknown word is the same as itself and nothing to others.
        """
        if lexical_key(first) == lexical_key(second):
            return Relation(Kind.SAME, 1.0)
        i, j = self.ids((first, second))
        code, strength = pair_relation(i, j, self.arrays)
        return Relation(Kind(code), float(strength))

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}


def lexical_key(word: str) -> str:
    """Return a lemma as the table spells it.

    >>> lexical_key("Ice-cream"), lexical_key("ice cream")
    ('ice_cream', 'ice_cream')
    """
    return _JOINTS.sub("_", word.lower()).strip("_")


def bit_of(lower: Any, higher: Any) -> Any:
    """Return the hash of the pair of a lower and a higher row number, or of n pairs."""
    return ((lower * _FACTORS[0] + higher * _FACTORS[1]) >> 9) % _BITS


def pair_relation(first: int, second: int, arrays: RelationArrays) -> tuple[int, float]:
    """Return the :class:`Kind` of two row numbers as an integer, and its strength."""
    if first < 0 or second < 0:
        return 0, 0.0
    if first == second:
        return 1, 1.0
    lower, higher = int(min(first, second)), int(max(first, second))
    place = bit_of(lower, higher)
    if not (arrays.bits[place >> 3] >> (place & 7)) & 1:
        return 0, 0.0
    low, high = arrays.starts[lower], arrays.starts[lower + 1]
    while low < high:
        middle = (low + high) // 2
        if arrays.others[middle] < higher:
            low = middle + 1
        else:
            high = middle
    if low < arrays.starts[lower + 1] and arrays.others[low] == higher:
        kind = arrays.kinds[low]
        if first > second and (kind == 4 or kind == 5):
            kind = 9 - kind  # NARROWER is WIDER seen from the other side
        return int(kind), arrays.strengths[low] / 255.0
    return 0, 0.0


@cache
def _shipped_folder() -> Path:
    return weights_folder() / "lexicon"


@cache
def _read(folder: Path) -> Relations:
    try:
        about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
        with np.load(folder / "relations.npz", allow_pickle=False) as stored:
            words = stored["words"].tobytes().decode("utf-8").split("\n")
            arrays = RelationArrays.of(*(stored[name] for name in _STORED))
        version = str(about["version"])
    except (OSError, EOFError, ValueError, KeyError, TypeError, BadZipFile) as error:
        raise _damaged(folder, str(error)) from error
    table = Relations(words, arrays)
    if table.version != version:
        raise _damaged(folder, "the content is not that of about.json")
    return table


def write_relations(folder: str | Path, table: Relations, about: dict[str, Any]) -> None:
    """Write a table into ``folder``, with ``about``: sources and counts."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    words = np.frombuffer("\n".join(table.words).encode("utf-8"), dtype=np.uint8)
    with whole_file(folder / "relations.npz") as file:
        np.savez_compressed(file, words=words, **{k: getattr(table.arrays, k) for k in _STORED})
    write_json(folder / "about.json", about | {"version": table.version})


def _check(words: Sequence[str], arrays: RelationArrays) -> None:
    """Raise ``DataError`` unless a kernel can read the arrays without leaving them."""
    n, pairs = len(words), len(arrays.others)
    fits = (
        len(set(words)) == n
        and len(arrays.starts) == n + 1
        and arrays.starts[0] == 0
        and arrays.starts[-1] == len(arrays.kinds) == len(arrays.strengths) == pairs
        and bool((np.diff(arrays.starts) >= 0).all())
        and bool((arrays.others < n).all())
    )
    if not fits:
        raise DataError(
            f"a table of relations has {n} words and {pairs} pairs that do not fit together; "
            "reinstall compsim or build the table again"
        )


def _damaged(folder: Path, reason: str) -> DataError:
    return DataError(
        f"{folder} holds no whole table of relations ({reason}); reinstall compsim or "
        "build the table again"
    )
