"""Strings as numbers, with their bytes: what compiled code needs to know of words and labels."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from threading import Lock
from typing import Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from compsim.parsers.pipeline.tree import AUXILIARY, VERBAL

__all__ = ["BIT", "SETS", "Symbols", "code"]

#: Beyond this many strings the table is begun anew.
_KEPT: Final = 200_000

_OBJECTS = ("dobj", "dative", "attr", "acomp", "oprd", "ccomp", "xcomp")
_INHERITED = (
    "nsubj", "nsubjpass", "csubj", "csubjpass", "dobj", "dative", "attr", "prep", "agent", "advmod",
    "npadvmod", "advcl", "neg", "aux", "expl", "acomp", "xcomp", "oprd", "mark",
)  # fmt: skip

#: The sets of dependency labels, tags and classes that candidates and features go by.
SETS: Final = {
    name: frozenset(members)
    for name, members in (
        ("IGNORED", ("punct", "conj", "cc", "preconj", "dep", "det", "predet", "meta", "intj", "")),
        ("NOMINAL", ("nsubj", "nsubjpass", "dobj", "attr", "dative", "oprd", "pobj", "npadvmod")),
        (
            "DETACHABLE",
            ("prep", "agent", "relcl", "acl", "advcl", "advmod", "npadvmod", "xcomp"),
        ),
        ("INHERITED", _INHERITED),
        ("FRAME", (*_OBJECTS, "nsubj", "nsubjpass", "csubj", "expl", "prep", "agent", "prt")),
        ("OBJECT", _OBJECTS),
        ("PASSIVE", ("auxpass", "nsubjpass", "agent")),
        ("AUXILIARY", AUXILIARY),
        ("REDUCED", ("acl", "amod", "advcl")),
        ("CLAUSAL", ("relcl", "acl")),
        ("CASE", ("prep", "agent", "dative")),
        ("PREP", ("prep",)),
        ("ADPOSITION", ("prep", "agent")),
        ("POBJ", ("pobj",)),
        ("COMPLEMENT", ("pobj", "pcomp")),
        ("PRT", ("prt",)),
        ("MARK", ("mark",)),
        ("SUBJECT", ("nsubj", "nsubjpass")),
        ("ACTIVE_SUBJECT", ("nsubj",)),
        ("UNDERGOER", ("dobj", "nsubjpass", "attr")),
        ("PREPOSITION_TAG", ("IN", "TO", "RP")),
        ("OPENING_TAG", ("WRB", "WDT", "WP", "TO")),
        ("PARTICIPLE_TAG", ("VBN",)),
        ("VERBAL", VERBAL),
    )
}
#: A bit for each set.
BIT: Final = {name: 1 << i for i, name in enumerate(SETS)}


@lru_cache(maxsize=1 << 16)
def code(text: str) -> int:
    """A 32-bit checksum (CRC-32) that is the same everywhere."""
    return crc32(text.encode("utf8", "surrogatepass"))


class Symbols:
    """A table of strings that grows; ``ids`` gives each its number.

    ``table`` int64 (4, strings + 1) holds for each string its checksum, that of its last two
    letters, the bits of the sets that it is in, and where it begins in ``pool``, its UTF-8 bytes
    (uint8); it ends where the next one begins.
    """

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self._lock = Lock()
        self.table: npt.NDArray[np.int64] = np.zeros((4, 1), dtype=np.int64)
        self.pool: npt.NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)

    @property
    def full(self) -> bool:
        """Whether it is time for a new table."""
        return len(self.ids) > _KEPT

    def add(self, texts: Collection[str]) -> None:
        """Make room for the strings that are new."""
        if all(text in self.ids for text in texts):
            return
        with self._lock:
            self._add([text for text in texts if text not in self.ids])

    def _add(self, fresh: list[str]) -> None:
        data = [text.encode("utf8", "surrogatepass") for text in fresh]
        known = len(self.ids)
        table = np.zeros((4, known + len(fresh) + 1), dtype=np.int64)
        table[:, : known + 1] = self.table
        table[0, known:-1] = [crc32(bytes_) for bytes_ in data]
        table[1, known:-1] = [code(text[-2:]) for text in fresh]
        table[2, known:-1] = [
            sum(BIT[name] for name, members in SETS.items() if text in members) for text in fresh
        ]
        table[3, known + 1 :] = table[3, known] + np.cumsum([len(bytes_) for bytes_ in data])
        self.table = table
        self.pool = np.concatenate([self.pool, np.frombuffer(b"".join(data), dtype=np.uint8)])
        self.ids.update({text: known + i for i, text in enumerate(fresh)})
