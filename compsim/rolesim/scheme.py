"""A scheme says how the cosines of two sentences' roles become one score.

It holds a weight for each role, the order in which unlike roles are paired, and what the weighted
sum is divided by. Schemes are data: TOML files beside the code, or one of your own.

>>> from compsim.rolesim.scheme import Scheme
>>> paper = Scheme.read("paper")
>>> paper.weights[paper.roles.index("Verb")]
3.0
>>> paper.match(["Verb", "Theme"], ["Verb", "Patient"])
[Match(role='Verb', first='Verb', second='Verb'), Match(role='Theme', first='Theme', second='Patient')]
"""  # noqa: E501

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError, InputError, UnknownNameError
from compsim.roles import VERBNET

__all__ = ["NORMALIZE", "Match", "Scheme"]

#: How the weighted sum is divided, in the order of the kernel's codes.
NORMALIZE: Final = ("fixed", "matched", "union", "dice")

#: The kernel keeps left-over roles as bits of an int64.
_ALIGNABLE_ROLES: Final = 62


class Match(NamedTuple):
    """Two phrases that are compared: the role they count as, and the role each one has."""

    role: str
    first: str
    second: str


@dataclass(frozen=True)
class Scheme:
    """Roles, their weights, the alignment order and the normalisation.

    ``roles`` and ``weights`` run side by side. ``align`` lists pairs (x, y) of unlike roles: where
    one sentence has x and not y and the other has y and not x, y is treated as x and the pair
    counts with the weight of x. Each phrase is used once. With w and c the weights and cosines of
    the matched roles, the score is sum(w * c) / N, where N is

    - ``"fixed"``: ``divisor``;
    - ``"matched"``: the weights of the matched roles;
    - ``"union"``: the weights of the roles that either sentence has, after alignment;
    - ``"dice"``: half of the weights of the first sentence's roles plus the second's, after
      alignment (AMR-CN, with all weights 1).

    Where N is 0 the score is 0. Raises ``InputError`` for lists that do not fit together.
    """

    roles: tuple[str, ...]
    weights: tuple[float, ...]
    align: tuple[tuple[str, str], ...] = ()
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
        known = set(self.roles)
        if len(known) < len(self.roles) or not all(known.issuperset(pair) for pair in self.align):
            raise InputError("a role is named twice, or aligned and not among the roles")
        if self.align and len(self.roles) > _ALIGNABLE_ROLES:
            raise InputError(
                f"a scheme with {len(self.roles)} roles cannot align unlike roles: "
                f"use at most {_ALIGNABLE_ROLES} roles, or no alignment"
            )

    @classmethod
    def read(cls, spec: str | Path = "paper", normalize: str = "matched") -> Scheme:
        """Read ``"paper"``, ``"uniform"`` or a TOML file of the same form.

        Raises ``UnknownNameError`` for a name that is neither, ``DataError`` (with file and line)
        for a file that is not a scheme, ``InputError`` for an unknown ``normalize``.
        """
        path = _find(spec)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"{path}: the weights cannot be read ({error})") from error
        return replace(_parse(text, path), normalize=normalize)

    @cached_property
    def weight(self) -> npt.NDArray[np.float64]:
        """The weights as the kernels take them, float64 (roles,)."""
        return np.array(self.weights, dtype=np.float64)

    @cached_property
    def alignment(self) -> npt.NDArray[np.int32]:
        """The alignment order as role numbers, int32 (pairs, 2)."""
        number = {role: i for i, role in enumerate(self.roles)}
        pairs = [(number[x], number[y]) for x, y in self.align]
        return np.array(pairs, dtype=np.int32).reshape(-1, 2)

    @property
    def code(self) -> int:
        """The normalisation as the kernels take it: the place in ``NORMALIZE``."""
        return NORMALIZE.index(self.normalize)

    def weight_of(self, role: str) -> float:
        """Weight of a role by name."""
        return self.weights[self.roles.index(role)]

    def match(self, first: Collection[str], second: Collection[str]) -> list[Match]:
        """Which roles of two sentences are compared: like roles first, then the alignment."""
        matches = [Match(role, role, role) for role in self.roles if role in first]
        matches = [match for match in matches if match.role in second]
        used = {match.role for match in matches}
        left, right = set(first) - used, set(second) - used
        for x, y in self.align:
            if x in left and y in right:
                matches.append(Match(x, x, y))
                left.remove(x)
                right.remove(y)
            elif y in left and x in right:
                matches.append(Match(x, y, x))
                left.remove(y)
                right.remove(x)
        return matches

    def total(
        self, matches: Sequence[Match], first: Collection[str], second: Collection[str]
    ) -> float:
        """N, what the weighted sum is divided by, for two sentences with these roles."""
        if self.normalize == "fixed":
            return self.divisor
        matched = math.fsum(self.weight_of(match.role) for match in matches)
        if self.normalize == "matched":
            return matched
        alone = [role for role in first if role not in {match.first for match in matches}]
        alone += [role for role in second if role not in {match.second for match in matches}]
        rest = math.fsum(self.weight_of(role) for role in alone)
        return matched + (rest if self.normalize == "union" else rest / 2)


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


def _parse(text: str, path: Path) -> Scheme:
    """The scheme in a TOML text; errors name file and line."""

    def fail(reason: str, *keys: str) -> DataError:
        return DataError(f"{path}:{_line(text, *keys)}: {reason}")

    try:
        table: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"line (\d+)", str(error))
        line = int(where.group(1)) if where else text.count("\n") + 1
        raise DataError(f"{path}:{line}: this is not valid TOML ({error})") from error

    for key in table:
        if key not in {"weights", "align", "divisor"}:
            raise fail(f"unknown key {key!r}: use weights, align and divisor", key)
    weights = table.get("weights")
    if not isinstance(weights, dict):
        raise fail("there is no [weights] table: give one with a weight for each role", "weights")
    for role, weight in weights.items():
        if role not in VERBNET.roles:
            raise fail(f"unknown role {role!r}: use {', '.join(VERBNET.roles)}", "weights", role)
        if not _is_weight(weight):
            raise fail(
                f"the weight of {role} is {weight!r}: give a finite number that is not negative",
                "weights",
                role,
            )
    for role in VERBNET.roles:
        if role not in weights:
            raise fail(f"the weight of {role} is missing: add a line '{role} = ...'", "weights")
    divisor = table.get("divisor", math.fsum(weights.values()))
    if not _is_weight(divisor) or divisor == 0:
        raise fail(f"the divisor is {divisor!r}: give a finite number above 0", "divisor")

    align = table.get("align", [])
    if not isinstance(align, list):
        raise fail("align is not a list: give a list of role pairs", "align")
    seen = set()
    for pair in align:
        fits = isinstance(pair, list) and len(pair) == 2 and all(isinstance(r, str) for r in pair)
        if not fits or pair[0] == pair[1]:
            raise fail(f"{pair!r} in align is not a pair of two unlike roles", "align")
        for role in pair:
            if role not in VERBNET.roles:
                raise fail(f"unknown role {role!r}: use {', '.join(VERBNET.roles)}", "align", role)
        if frozenset(pair) in seen:
            raise fail(f"{pair!r} occurs twice in align: keep one of them", "align")
        seen.add(frozenset(pair))

    return Scheme(
        roles=tuple(VERBNET.roles),
        weights=tuple(float(weights[role]) for role in VERBNET.roles),
        align=tuple((x, y) for x, y in align),
        divisor=float(divisor),
        name=path.stem,
    )


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
