"""What is known of nouns: which may be people, animals or groups, which are masses or times.

The table is ``weights/roles/nouns.json``, made by ``weights/build_nouns.py``.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Final, NamedTuple

from compsim.errors import DataError
from compsim.parsers.pipeline.tree import word_set
from compsim.storage.places import weights_folder
from compsim.vectors.dates import MONTHS, WEEKDAYS

__all__ = ["TIMES", "Nouns"]

#: Nouns of time, which pronouns hardly ever stand for.
TIMES: Final = word_set(
    "second minute hour day week weekend month year decade century morning afternoon evening night "
    "noon midnight dawn dusk time moment while today yesterday tomorrow tonight "
    "spring summer autumn winter age period"
) | frozenset((*WEEKDAYS, *MONTHS))


class Nouns(NamedTuple):
    """Nouns by what is known of them: people and animals, groups of people, masses.

    ``site`` are the groups that may as well be places or things (*village*, *school*), ``woman``
    and ``man`` first names.
    """

    person: frozenset[str]
    mixed: frozenset[str]
    animal: frozenset[str]
    female: frozenset[str]
    male: frozenset[str]
    group: frozenset[str]
    site: frozenset[str]
    mass: frozenset[str]
    woman: frozenset[str]
    man: frozenset[str]

    @classmethod
    @lru_cache(maxsize=1)
    def shipped(cls) -> Nouns:
        """The table that comes with the package; raises DataError where it is damaged."""
        path = weights_folder() / "roles" / "nouns.json"
        try:
            table = json.loads(path.read_text(encoding="utf8"))
            return cls(*(frozenset(table[name].split()) for name in cls._fields))
        except (OSError, ValueError, KeyError, AttributeError) as error:
            raise DataError(
                f"the table of nouns {path} can not be read ({error}): reinstall compsim"
            ) from error
