"""The features of concepts as the comparison takes them: packed numbers, tables of what is unlike.

>>> table = FeatureTable.open()
>>> shift = BITS * FEATURES.index("tense")
>>> [table.pack({"tense": tense}) >> shift for tense in ("", "past", "future")]
[0, 1, 2]
>>> table.describe("tense", "future", "sing")
'sing to come'
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.comparison.concepts import CONFLICTS, key_of
from compsim.comparison.degrees import fill_degrees
from compsim.errors import DataError
from compsim.kernels.ragged import read_only
from compsim.parsers.grammar.lexicon import Lexicon
from compsim.storage.places import weights_folder
from compsim.storage.reading import parse_toml, read_text

__all__ = ["BITS", "FEATURES", "MASK", "FeatureArrays", "FeatureTable"]

#: The features, by their place.
FEATURES: Final = (
    "modality", "quantifier", "count", "extent", "tense", "aspect", "degree", "limit", "choice",
    "asked", "share", "recurrence", "standing", "outcome", "side",
)  # fmt: skip
#: A value takes so many bits of the number that a concept's features are packed in.
BITS: Final = 4
MASK: Final = (1 << BITS) - 1
#: Classes of the lexicon whose words may deny something.
_DENYING: Final = ("negation", "negative", "negating", "preventing", "denying")


class FeatureArrays(NamedTuple):
    """How unlike two values of a feature are, and which type of conflict that is.

    ``unlike`` float64 (features, values, values) in [0, 1], ``denied`` the same where both concepts
    are denied; ``absolves`` bool, of the same shape: concepts with these values say the same though
    one alone is denied. ``conflict`` int64 (features,), a number in ``CONFLICTS``. Value 0 stands
    for none. ``moves`` bool (features,): another concept that has the value in the other sentence
    is a conflict even where having none is not. ``told`` is what a request has in the packed
    features of its event, ``denying`` int64, in order, the keys of words by which a sentence may
    deny something that the grammar has not read.
    """

    unlike: npt.NDArray[np.float64]
    denied: npt.NDArray[np.float64]
    absolves: npt.NDArray[np.bool_]
    conflict: npt.NDArray[np.int64]
    moves: npt.NDArray[np.bool_]
    told: int
    denying: npt.NDArray[np.int64]


class FeatureTable:
    """The numbers of features and their values, and what they say in plain words."""

    def __init__(self, plain: Mapping[str, Mapping[str, str]], arrays: FeatureArrays) -> None:
        self.plain = plain
        self.arrays = arrays
        self._numbers = [
            (name, {value: number << BITS * place for number, value in enumerate(plain[name])})
            for place, name in enumerate(FEATURES)
        ]

    @classmethod
    def open(cls) -> FeatureTable:
        """Return the shipped table, read once in a process."""
        return _shipped()

    def pack(self, features: Mapping[str, str]) -> int:
        """Return the features of a concept as one number; others than those of the table say 0."""
        return sum(numbers.get(features.get(name, ""), 0) for name, numbers in self._numbers)

    def describe(self, feature: str, value: str, name: str) -> str:
        """Return the name of a concept with the value of its feature, for a reader."""
        plain = self.plain[feature]
        return plain.get(value, plain[""]).format(name)


@cache
def _shipped() -> FeatureTable:
    path = weights_folder() / "lexicon" / "features.toml"
    return _table(path, parse_toml(read_text(path, "reinstall compsim"), str(path)))


def _table(path: Path, data: Mapping[str, Any]) -> FeatureTable:
    if tuple(data) != FEATURES:
        raise DataError(f"{path}: its tables are not {', '.join(FEATURES)}")
    plain: dict[str, Mapping[str, str]] = {}
    unlike, denied, absolves = (np.zeros((len(FEATURES), MASK + 1, MASK + 1)) for _ in range(3))
    conflict = np.zeros(len(FEATURES), dtype=np.int64)
    moves = np.zeros(len(FEATURES), dtype=np.bool_)
    for place, (name, table) in enumerate(data.items()):
        plain[name] = table["plain"]
        values = list(table["plain"])
        if table["conflict"] not in CONFLICTS or values[:1] != [""] or len(values) > MASK + 1:
            raise DataError(
                f'{path}, [{name}]: no type of conflicts, or "" is not the first of at most '
                f"{MASK + 1} values"
            )
        conflict[place] = CONFLICTS.index(table["conflict"])
        moves[place] = table.get("moves", False)
        numbers = {value: number for number, value in enumerate(values)}
        unlikes, where = table["unlike"], f"{path}, [{name}]"
        fill_degrees(unlike[place], unlikes, numbers, where, "values")
        fill_degrees(
            denied[place], {**unlikes, **table.get("denied", {})}, numbers, where, "values"
        )
        fill_degrees(absolves[place], table.get("absolves", {}), numbers, where, "values")
    told = list(plain["modality"]).index("told") << BITS * FEATURES.index("modality")
    arrays = FeatureArrays(
        read_only(unlike),
        read_only(denied),
        read_only(absolves > 0.0),
        read_only(conflict),
        read_only(moves),
        told,
        read_only(np.array(sorted(map(key_of, _denying_words())), dtype=np.int64)),
    )
    return FeatureTable(plain, arrays)


def _denying_words() -> set[str]:
    """Return the words of classes that deny, and prepositions that say what one of them does."""
    lexicon = Lexicon.open()
    words = set().union(*(lexicon.members(kind) for kind in _DENYING))
    prepositions = lexicon.entries("preposition").values()
    relations = {each.features["relation"] for each in prepositions if each.word in words}
    return words | {each.word for each in prepositions if each.features["relation"] in relations}
