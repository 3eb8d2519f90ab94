"""AMR of open-class words: the tables that ``weights/build_amr.py`` learns.

>>> lexicon = AmrLexicon.shipped()
>>> lexicon.nouns["attack"], lexicon.agents["teacher"], lexicon.adverbs["quickly"]
('attack.01', ('teach.01', 'ARG0'), 'quick')
>>> concept("give_up.07"), lexicon.marked("fear.01", "of")
('give-up-07', 'ARG1')
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

from compsim.errors import DataError
from compsim.storage.places import weights_folder

__all__ = ["AmrLexicon", "concept"]

_FOLDER = weights_folder() / "amr"
_PREFIXES = ("un", "in", "im", "ir", "il", "dis")


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, TypeError) as error:
        raise DataError(
            f"the AMR tables in {_FOLDER} can not be read ({error}): reinstall compsim"
        ) from error


@dataclass(frozen=True)
class AmrLexicon:
    """The tables; ``build_amr.py`` says what is in each. Rolesets are named as PropBank does."""

    nouns: dict[str, str]
    adjectives: dict[str, tuple[str, str]]
    agents: dict[str, tuple[str, str]]
    adverbs: dict[str, str]
    markers: dict[str, dict[str, str]]
    unused: dict[str, str]
    first: dict[str, str]

    @classmethod
    @lru_cache(maxsize=1)
    def shipped(cls) -> AmrLexicon:
        """The tables that come with the package; raises DataError where they are damaged."""
        with _readable():
            tables = json.loads((_FOLDER / "lexicon.json").read_text(encoding="utf8"))
            for name in ("adjectives", "agents"):
                tables[name] = {word: tuple(result) for word, result in tables[name].items()}
            return cls(**tables)

    @staticmethod
    def checksum() -> str:
        """Changes with the tables."""
        with _readable():
            return f"{crc32((_FOLDER / 'lexicon.json').read_bytes()):08x}"

    def subject(self, roleset: str) -> str:
        """The first role of a roleset: ARG0 where it has one."""
        return self.first.get(roleset, "ARG0")

    def marked(self, roleset: str, marker: str) -> str | None:
        """The role that a preposition (or ``'s``) marks with a noun or adjective."""
        own = self.markers.get(roleset, {}).get(marker)
        label = own or self.markers[""].get(marker)
        if marker == "'s" and own is None:
            return self.subject(roleset)
        return label

    def opposite(self, adjective: str) -> str | None:
        """``happy`` of ``unhappy``, if the tables know only the former."""
        if adjective not in self.adjectives:
            for prefix in _PREFIXES:
                rest = adjective.removeprefix(prefix)
                if rest != adjective and rest in self.adjectives:
                    return rest
        return None


def concept(roleset: str) -> str:
    """The concept of a roleset: ``give_up.07`` is ``give-up-07`` in AMR."""
    return roleset.replace("_", "-").replace(".", "-")
