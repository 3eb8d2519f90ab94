"""A scheme says how the cosines of two frames' roles become one score.

It holds an inventory of roles, a weight for each, and what the weighted sum is divided by. Schemes
are data: TOML files beside the code, or one of your own, which may bring roles of its own too.

>>> from compsim.rolesim.scheme import Scheme
>>> paper = Scheme.read("paper")
>>> paper.inventory.name, paper.weight_of("Verb")
('verbnet', 3.0)
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError, InputError, UnknownNameError
from compsim.roles import INVENTORIES, VERBNET, Inventory

__all__ = ["NORMALIZE", "Scheme"]

#: How the weighted sum is divided, in the order of the kernel's codes.
NORMALIZE: Final = ("fixed", "matched", "union", "dice")
_KEYS: Final = ("weights", "inventory", "align", "divisor")


@dataclass(frozen=True)
class Scheme:
    """An inventory of roles, their weights, and the normalisation.

    ``weights`` run beside the inventory's roles. Where its alignment makes a pair (x, y) of unlike
    roles, the pair counts with the weight of x. With w and c the weights and cosines of the matched
    roles, the score is sum(w * c) / N, where N is

    - ``"fixed"``: ``divisor``;
    - ``"matched"``: the weights of the matched roles;
    - ``"union"``: the weights of the roles that either sentence has, after alignment;
    - ``"dice"``: half of the weights of the first sentence's roles plus the second's, after
      alignment (AMR-CN, with all weights 1).

    Where N is 0 the score is 0. Raises ``InputError`` for weights that do not fit.
    """

    inventory: Inventory
    weights: tuple[float, ...]
    normalize: str = "matched"
    divisor: float = 1.0
    name: str = ""

    def __post_init__(self) -> None:
        if self.normalize not in NORMALIZE:
            raise InputError(
                f"normalize={self.normalize!r} is not known: use one of {', '.join(NORMALIZE)}"
            )
        if len(self.roles) != len(self.weights):
            raise InputError(
                f"a scheme has {len(self.roles)} roles but {len(self.weights)} weights: "
                "give one weight for each role"
            )
        if not all(map(_is_weight, (*self.weights, self.divisor))) or self.divisor == 0:
            raise InputError(
                "a weight or the divisor of a scheme is negative or not finite, or the divisor "
                "is 0: mend it"
            )

    @classmethod
    def read(cls, spec: str | Path = "paper", normalize: str = "matched") -> Scheme:
        """Read ``"paper"``, ``"uniform"`` or a TOML file of the same form.

        ``weights`` is a table with a weight for each role of the ``inventory``: ``"verbnet"``
        (where none is named), ``"propbank"``, or a table of its own with ``name``, ``roles`` (the
        predicate first) and ``align``. ``align`` replaces the inventory's order; a file that names
        no inventory aligns nothing without it. ``divisor`` is the sum of the weights by default.
        Raises ``UnknownNameError`` for a name that is neither, ``DataError`` (with file and line)
        for a file that is not a scheme, ``InputError`` for an unknown ``normalize``.
        """
        path = _find(spec)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"{path}: the weights cannot be read ({error})") from error
        return replace(_Reader(text, path).scheme(), normalize=normalize)

    @property
    def roles(self) -> tuple[str, ...]:
        """The names of the roles, in the order of their numbers."""
        return self.inventory.roles

    @cached_property
    def alignment(self) -> npt.NDArray[np.int32]:
        """The alignment order as role numbers, int32 (pairs, 2)."""
        number = {role: i for i, role in enumerate(self.roles)}
        pairs = [(number[x], number[y]) for x, y in self.inventory.align]
        return np.array(pairs, dtype=np.int32).reshape(-1, 2)

    @property
    def code(self) -> int:
        """The normalisation as the kernels take it: the place in ``NORMALIZE``."""
        return NORMALIZE.index(self.normalize)

    @cached_property
    def arrays(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any], int, float]:
        """What the kernels take: weights float64 (roles,), alignment, code and divisor."""
        weights = np.array(self.weights, dtype=np.float64)
        return weights, self.alignment, self.code, float(self.divisor)

    def weight_of(self, role: str) -> float:
        """Weight of a role by name."""
        return self.weights[self.roles.index(role)]


def _find(spec: str | Path) -> Path:
    """The file that a name or path means."""
    if isinstance(spec, str) and re.fullmatch(r"\w+", spec):
        shipped = Path(str(files("compsim.weights") / f"{spec}.toml"))
        if shipped.is_file():
            return shipped
    path = Path(spec)
    if not path.exists():
        raise UnknownNameError(
            f"weights={str(spec)!r} is neither a scheme that ships with compsim (paper, uniform) "
            "nor an existing TOML file: give one of those names or the path of a file"
        )
    return path


class _Reader:
    """Reads the scheme in a TOML text; errors name file and line."""

    def __init__(self, text: str, path: Path) -> None:
        self._text, self._path = text, path
        try:
            self._table: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            where = re.search(r"line (\d+)", str(error))
            line = int(where.group(1)) if where else text.count("\n") + 1
            raise DataError(f"{path}:{line}: this is not valid TOML ({error})") from error

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
        if not _is_weight(divisor) or divisor == 0:
            raise self._fail(f"the divisor is {divisor!r}: give a finite number above 0", "divisor")
        return Scheme(inventory, weights, divisor=float(divisor), name=self._path.stem)

    def _inventory(self) -> Inventory:
        found = self._table.get("inventory")
        if isinstance(found, dict):
            return self._own(found)
        if found is not None and found not in INVENTORIES:
            raise self._fail(
                f"unknown inventory {found!r}: use {', '.join(INVENTORIES)}, or a table with name, "
                "roles and align",
                "inventory",
            )
        named = VERBNET if found is None else INVENTORIES[found]
        align = () if found is None else named.align
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
            if not _is_weight(weight):
                raise self._fail(
                    f"the weight of {role} is {weight!r}: give a finite number that is not "
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


def _is_weight(value: object) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and value >= 0
    )


def _line(text: str, *keys: str) -> int:
    """The line (from 1) where the last of the nested keys stands; 1 where none does."""
    lines = text.splitlines()
    found = 0
    for key in keys:
        name = re.escape(key)
        place = re.compile(rf"^\s*(\[\s*)?[\"']?{name}[\"']?\s*[\]=.]|[\"']{name}[\"']")
        for number in range(found, len(lines)):
            if place.search(lines[number].split("#")[0]):
                found = number
                break
    return found + 1
