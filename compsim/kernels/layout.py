"""Checks of the columns of a stored batch, so that kernels may trust every index in them.

Kernels look places up without asking whether they exist: a saved batch that was damaged, or made by
somebody else, is held against its layout once, when it is read.

>>> import numpy as np
>>> words = Ragged(np.array([0, 2]), {"code": np.array([0, 7], dtype=np.int32)})
>>> check({"word": words}, {"word.code": Field("int32", low=0, of="names.code")}, {"code": 7})
Traceback (most recent call last):
...
compsim.errors.InputError: word.code of a batch has the value 7: it must be from 0 to 6
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from compsim.errors import InputError
from compsim.kernels.ragged import Array, Ragged

__all__ = ["Field", "Layout", "check"]


class Field(NamedTuple):
    """Type of a column: numbers of a type, within limits, in one or more dimensions.

    ``of`` says what a value is a place in: "names.NAME" in a list of strings, "part.NAME" among the
    rows of a part that the same sentence has, "shared.NAME" in an array of the whole batch.
    Numbers that are not whole must be finite.
    """

    type: str
    low: float | None = None
    high: float | None = None
    of: str = ""
    dimensions: int = 1
    optional: bool = False


#: Fields by the name of their column, as ``Ragged.named`` gives it behind the part's name.
Layout = Mapping[str, Field]


def check(
    parts: Mapping[str, Ragged],
    layout: Layout,
    names: Mapping[str, int],
    shared: Mapping[str, Array] | None = None,
    finite: bool = True,
) -> None:
    """Raise ``InputError`` for a column that the layout has not, or that is not as it says.

    ``names`` says how many strings each list has. Without ``finite`` columns of numbers that are
    not whole are not read: what they hold changes scores, but is no place.
    """
    shared = shared or {}
    result = dict(_columns(parts)) | {f"shared.{name}": array for name, array in shared.items()}
    for name in (*result, *layout):
        field = layout.get(name)
        if field is None:
            raise InputError(f"a batch of this kind has no {name}: it is not whole")
        if name not in result:
            if field.optional:
                continue
            raise InputError(f"{name} is missing from a batch: it is not whole")
        column = result[name]
        if column.dtype != np.dtype(field.type) or column.ndim != field.dimensions:
            raise InputError(
                f"{name} of a batch is {column.dtype} of {column.ndim} dimensions: it must be "
                f"{field.type} of {field.dimensions}"
            )
        if finite or not np.issubdtype(column.dtype, np.floating):
            _check_values(name, column, field, _limit(name, field, parts, names, shared))


def _columns(parts: Mapping[str, Ragged]) -> Iterator[tuple[str, Array]]:
    for part, ragged in parts.items():
        for name, array in ragged.named(f"{part}."):
            if not name.endswith("indptr"):
                yield name, array


def _limit(
    name: str,
    field: Field,
    parts: Mapping[str, Ragged],
    names: Mapping[str, int],
    shared: Mapping[str, Array],
) -> float | Array:
    """Return the upper limit of a column's values: one number, or one for each row."""
    kind, _, of = field.of.partition(".")
    if kind == "names":
        return names[of] - 1
    if kind == "shared":
        return len(shared[of]) - 1
    if kind == "part":
        part, *inner, _ = name.split(".")
        own = parts[part]
        limit: Array = np.repeat(np.diff(parts[of].indptr), np.diff(own.indptr)) - 1
        for column in inner:
            own = own.columns[column]
            limit = np.repeat(limit, np.diff(own.indptr))
        return limit
    return np.inf if field.high is None else field.high


def _check_values(name: str, column: Array, field: Field, limit: float | Array) -> None:
    low = -np.inf if field.low is None else field.low
    if np.issubdtype(column.dtype, np.floating):
        bad = ~np.isfinite(column) | (column < low) | (column > limit)
    else:
        bad = (column < low) | (column > limit)
    if bad.any():
        place = tuple(np.argwhere(bad)[0].tolist())
        most = float(np.broadcast_to(limit, column.shape)[place])
        raise InputError(
            f"{name} of a batch has the value {column[place].item()!r}: it must be from {low:g} to "
            f"{most:g}"
        )
