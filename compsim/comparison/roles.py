"""The relations between concepts as the matcher takes them: numbered, with tables of compatibility.

>>> table = RoleTable.open()
>>> on, under = table.number("on"), table.number("above")
>>> float(table.arrays.contrary_turned[on, under])  # "A is on B", "B is above A"
1.0
>>> table.number("no such relation") == table.number("")
True
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.comparison.concepts import CONFLICTS
from compsim.comparison.degrees import fill_degrees
from compsim.comparison.features import FeatureArrays, FeatureTable
from compsim.errors import DataError
from compsim.kernels.ragged import read_only
from compsim.storage.places import weights_folder
from compsim.storage.reading import parse_toml, read_text

__all__ = ["RoleArrays", "RoleTable"]

_TABLES: Final = ("compatible", "turned", "contrary", "contrary_turned")
_SETS: Final = (
    "core",
    "symmetric",
    "loose",
    "inner",
    "single",
    "firm",
    "personal",
    "transfer",
    "voice",
    "affected",
)
#: The lists of relations whose contradictions are conflicts of this type.
_TYPES: Final = ("time", "roles")

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class RoleArrays(NamedTuple):
    """What relations are to each other, for R relations; the last one stands for all others.

    ``compatible``, ``turned``, ``contrary`` and ``contrary_turned`` are float64 (R, R) in [0, 1]:
    how far two relations of one pair agree or contradict each other, as they stand and with one
    of them turned round. ``core``, ``symmetric``, ``loose``, ``inner``, ``single``, ``firm``,
    ``personal``, ``transfer``, ``voice`` and ``affected`` are bool (R,), ``conflict`` int64 (R,)
    is the type of their conflicts, a number in ``CONFLICTS``. ``features`` are the tables of what
    is said of concepts beside relations.
    """

    compatible: Floats
    turned: Floats
    contrary: Floats
    contrary_turned: Floats
    core: Flags
    symmetric: Flags
    loose: Flags
    inner: Flags
    single: Flags
    firm: Flags
    personal: Flags
    transfer: Flags
    voice: Flags
    affected: Flags
    conflict: npt.NDArray[np.int64]
    features: FeatureArrays


class RoleTable:
    """The numbers of relations, their tables, and what they say in plain words."""

    def __init__(self, plain: Mapping[str, str], arrays: RoleArrays) -> None:
        self.plain = dict(plain)
        self.names = (*plain, "")
        self.arrays = arrays
        self._numbers = {name: i for i, name in enumerate(self.names)}

    @classmethod
    def open(cls) -> RoleTable:
        """Return the shipped table, read once in a process."""
        return _shipped()

    def number(self, name: str) -> int:
        """Return the number of a relation, that of the last one for a name that is not listed."""
        return self._numbers.get(name, len(self.names) - 1)


@cache
def _shipped() -> RoleTable:
    path = weights_folder() / "lexicon" / "roles.toml"
    return _table(path, parse_toml(read_text(path, "reinstall compsim"), str(path)))


def _table(path: Path, data: Mapping[str, Any]) -> RoleTable:
    plain = data["plain"]
    numbers = {name: i for i, name in enumerate(plain)}
    size = len(plain) + 1
    matrices = {name: np.zeros((size, size)) for name in _TABLES}
    for name, matrix in matrices.items():
        fill_degrees(matrix, data[name], numbers, f"{path}, [{name}]", "relations")
    np.fill_diagonal(matrices["compatible"], 1.0)
    sets = {name: np.zeros(size, dtype=np.bool_) for name in (*_SETS, *_TYPES)}
    for name in sets:
        for relation in data[name]:
            if relation not in numbers:
                raise DataError(f"{path}, {name}: {relation!r} is no relation of [plain]")
            sets[name][numbers[relation]] = True
    for i in np.flatnonzero(sets["symmetric"]).tolist():
        matrices["turned"][i, i] = 1.0
        matrices["contrary_turned"][i, i] = 0.0
    conflict = np.full(size, CONFLICTS.index("direction"), dtype=np.int64)
    for name in _TYPES:
        conflict[sets.pop(name)] = CONFLICTS.index(name)
    tables = (*matrices.values(), *sets.values(), conflict)
    columns = [read_only(np.ascontiguousarray(table)) for table in tables]
    return RoleTable(plain, RoleArrays._make((*columns, FeatureTable.open().arrays)))
