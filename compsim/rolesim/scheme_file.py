"""Schemes as data: TOML files beside the code, or one of your own, which may bring its own roles.

>>> paper = read_scheme("paper")
>>> paper.inventory.name, paper.weight_of("Verb")
('verbnet', 3.0)
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from compsim.errors import DataError, UnknownNameError
from compsim.roles import INVENTORIES, VERBNET, Inventory
from compsim.rolesim.scheme import Scheme, is_weight
from compsim.storage.reading import brief, parse_toml, read_plain, shortened

__all__ = ["read_scheme"]

_KEYS: Final = ("weights", "inventory", "align", "divisor")


def read_scheme(spec: str | Path = "paper", normalize: str | None = None) -> Scheme:
    """Read ``"paper"``, ``"uniform"``, ``"framenet"``, ``"ucca"`` or a TOML file of the same form.

    ``weights`` is a table with a weight for each role of the ``inventory``: ``"verbnet"`` (where
    none is named), ``"propbank"``, ``"framenet"``, ``"ucca"``, or a table of its own with ``name``,
    ``roles`` (the predicate first) and ``align``. ``align`` replaces the inventory's order; a file
    that names no inventory aligns nothing without it. ``divisor`` is the sum of the weights by
    default. ``normalize`` is by default ``"matched"``. Raises ``UnknownNameError`` for a name that
    is neither, ``DataError`` (with file and line) for a file that is not a scheme, ``InputError``
    for an unknown ``normalize``.
    """
    path = _find(spec)
    try:
        text = read_plain(path).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: the weights cannot be read ({error})") from error
    scheme = _Reader(text, path).scheme()
    return scheme if normalize is None else replace(scheme, normalize=normalize)


def _find(spec: str | Path) -> Path:
    """The file that a name or path means."""
    if isinstance(spec, str) and re.fullmatch(r"\w+", spec):
        shipped = Path(str(files("compsim.weights") / f"{spec}.toml"))
        if os.path.isfile(shipped):
            return shipped
    path = Path(spec)
    if not os.path.exists(path):  # which takes a path of any length
        raise UnknownNameError(
            f"weights={shortened(str(spec))!r} is neither a scheme that ships with compsim (paper, "
            "uniform, framenet, ucca) nor an existing TOML file: give one of those names or the "
            "path of a file"
        )
    return path


class _Reader:
    """Reads the scheme in a TOML text; errors name file and line."""

    def __init__(self, text: str, path: Path) -> None:
        self._text, self._path = text, path
        self._table = parse_toml(text, str(path))

    def _fail(self, reason: str, *keys: str) -> DataError:
        return DataError(f"{self._path}:{_line(self._text, *keys)}: {reason}")

    def scheme(self) -> Scheme:
        """The scheme, normalised as by default."""
        for key in self._table:
            if key not in _KEYS:
                raise self._fail(f"unknown key {key!r}: use {', '.join(_KEYS)}", key)
        inventory = self._inventory()
        weights = self._weights(inventory)
        divisor = self._table.get("divisor", math.fsum(weights))
        if not is_weight(divisor) or divisor == 0:
            raise self._fail(
                f"the divisor is {brief(divisor)}: give a number from 1e-9 to 1e9", "divisor"
            )
        return Scheme(inventory, weights, divisor=float(divisor), name=self._path.stem)

    def _inventory(self) -> Inventory:
        entry = self._table.get("inventory")
        if isinstance(entry, dict):
            return self._own(entry)
        if entry is not None and entry not in INVENTORIES:
            raise self._fail(
                f"unknown inventory {entry!r}: use {', '.join(INVENTORIES)}, or a table with name, "
                "roles and align",
                "inventory",
            )
        named = VERBNET if entry is None else INVENTORIES[entry]
        align = () if entry is None else named.align
        if "align" in self._table:
            align = self._align(self._table["align"], named.roles)
        return replace(named, align=align)

    def _own(self, table: dict[str, Any]) -> Inventory:
        name, roles = table.get("name", self._path.stem), table.get("roles")
        if not isinstance(name, str) or set(table) - {"name", "roles", "align"}:
            raise self._fail(
                "an inventory has a name, roles and align, and nothing else", "inventory"
            )
        if not (
            isinstance(roles, list) and roles and all(isinstance(r, str) for r in roles)
        ) or len(set(roles)) < len(roles):
            raise self._fail(
                "roles is not a list of different names: give one, the predicate's first", "roles"
            )
        align = self._table.get("align", table.get("align", []))
        return Inventory(name, tuple(roles), self._align(align, roles))

    def _weights(self, inventory: Inventory) -> tuple[float, ...]:
        weights = self._table.get("weights")
        if not isinstance(weights, dict):
            raise self._fail(
                "there is no [weights] table: give one with a weight for each role", "weights"
            )
        for role, weight in weights.items():
            self._check_role(role, inventory.roles, "weights")
            if not is_weight(weight):
                raise self._fail(
                    f"the weight of {role} is {brief(weight)}: give a finite number that is not "
                    "negative",
                    "weights",
                    role,
                )
        for role in inventory.roles:
            if role not in weights:
                raise self._fail(
                    f"the weight of {role} is missing: add a line '{role} = ...'", "weights"
                )
        return tuple(float(weights[role]) for role in inventory.roles)

    def _align(self, align: Any, roles: Sequence[str]) -> tuple[tuple[str, str], ...]:
        if not isinstance(align, list):
            raise self._fail("align is not a list: give a list of role pairs", "align")
        seen = set()
        for pair in align:
            fits = (
                isinstance(pair, list) and len(pair) == 2 and all(isinstance(r, str) for r in pair)
            )
            if not fits or pair[0] == pair[1]:
                raise self._fail(f"{pair!r} in align is not a pair of two unlike roles", "align")
            for role in pair:
                self._check_role(role, roles, "align")
            if frozenset(pair) in seen:
                raise self._fail(f"{pair!r} occurs twice in align: keep one of them", "align")
            seen.add(frozenset(pair))
        return tuple((x, y) for x, y in align)

    def _check_role(self, role: str, roles: Sequence[str], key: str) -> None:
        if role not in roles:
            raise self._fail(f"unknown role {role!r}: use {', '.join(roles)}", key, role)


def _line(text: str, *keys: str) -> int:
    """The line (from 1) where the last of the nested keys stands; 1 where none does."""
    lines = text.splitlines()
    result = 0
    for key in keys:
        name = re.escape(key)
        place = re.compile(rf"^\s*(\[\s*)?[\"']?{name}[\"']?\s*[\]=.]|[\"']{name}[\"']")
        for number in range(result, len(lines)):
            if place.search(lines[number].split("#")[0]):
                result = number
                break
    return result + 1
