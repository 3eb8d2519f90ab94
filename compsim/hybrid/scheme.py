"""How whole sentences and roles make one score: the formula, and its constants as data.

With V the cosine of the whole sentences and the five terms of :class:`Terms`,

    score = (V + a c B - e E - d m C^k (1 - exp(-(C - max(0, R)) / s))) / (1 + a (1 - n))

where B = (1 - u) R + u C - n, the last bracket is 0 for C below R, m = max(0, 2 V - 1) and s = 0.1.
``a`` is ``roles``, how much roles count; ``u`` is ``cover``, the share in that of what both say in
any roles; ``n`` is ``neutral``, ``e`` is ``exchange``, ``d`` is ``difference`` and ``k`` is
``sharpness``. A sentence scores 1 with itself: there V = c = R = C = 1 and E = 0.

>>> scheme = read_scheme("hybrid").of("transformer")
>>> same = Terms(roles=1.0, comparable=1.0, exchange=0.0, cover=1.0)
>>> swapped = Terms(roles=0.6, comparable=1.0, exchange=0.6, cover=1.0)
>>> round(scheme.score(1.0, same), 6), round(scheme.score(0.98, swapped), 2)
(1.0, 0.32)
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from compsim.errors import DataError, UnknownNameError
from compsim.storage.reading import brief, parse_toml, read_text

__all__ = ["KINDS", "HybridScheme", "Parts", "Schemes", "Terms", "combine", "read_scheme", "total"]

#: What whole sentences are compared by: each has constants of its own.
KINDS: Final = ("transformer", "words")
#: The constants that are shares.
_SHARES: Final = frozenset(("cover", "neutral"))
#: How fast a difference counts in full, as it grows.
_SLOPE: Final = 10.0


class Terms(NamedTuple):
    """What the roles of two sentences say.

    ``roles`` R is the role score of the sentences. ``comparable`` c, from 0 to 1, is the share of
    their content that stands in roles which were compared: a pair in like roles counts in full, one
    in unlike roles as much as its phrases are alike. ``exchange`` E, from 0 to 1, is half of what
    the phrases of paired frames would gain if roles did not matter: in the best pairing of those in
    Agent, Patient and Theme, and of those in Origin, Trajectory and Location, against the pairing
    by roles, times the likeness of the predicates. 1 is two phrases that changed places outright.
    ``cover`` C, from 0 to 1, is how much of each sentence's content the other has too, whatever its
    roles, frames and polarity.
    """

    roles: float
    comparable: float
    exchange: float
    cover: float


class Parts(NamedTuple):
    """What adds up to the score: ``of_roles`` is what one unit of the role score adds."""

    whole: float
    of_roles: float
    cover: float
    neutral: float
    exchange: float
    difference: float


def combine(
    whole: float,
    roles: float,
    comparable: float,
    exchange: float,
    cover: float,
    weights: tuple[float, float, float, float, float, float],
) -> tuple[float, float, float, float, float, float]:
    """The fields of ``Parts``, in their order.

    ``weights`` are roles, sharpness, cover, exchange, difference and neutral of a scheme.
    """
    pull, sharpness, share, exchange_cost, difference_cost, neutral = weights
    scale = 1.0 + pull * (1.0 - neutral)
    gap = max(0.0, cover - max(0.0, roles))
    meant = max(0.0, 2.0 * whole - 1.0) * cover**sharpness * (1.0 - math.exp(-_SLOPE * gap))
    return (
        whole / scale,
        pull * comparable * (1.0 - share) / scale,
        pull * comparable * share * cover / scale,
        -pull * comparable * neutral / scale,
        -exchange_cost * exchange / scale,
        -difference_cost * meant / scale,
    )


def total(parts: tuple[float, float, float, float, float, float], roles: float) -> float:
    """The score that the fields of ``Parts`` make with the role score."""
    whole, of_roles, cover, neutral, exchange, difference = parts
    return whole + of_roles * roles + (cover + neutral + exchange + difference)


@dataclass(frozen=True, slots=True)
class HybridScheme:
    """The constants of the formula: see the module."""

    roles: float
    sharpness: float
    cover: float
    exchange: float
    difference: float
    neutral: float

    @property
    def weights(self) -> tuple[float, float, float, float, float, float]:
        """The constants as the kernels take them."""
        told = self.roles, self.sharpness, self.cover
        return (*told, self.exchange, self.difference, self.neutral)

    @property
    def most(self) -> tuple[float, float]:
        """(x, y): a pair whose whole sentences have the cosine V scores at most x V + y."""
        scale = 1.0 + self.roles * (1.0 - self.neutral)
        return 1.0 / scale, self.roles * (1.0 - self.neutral) / scale

    def parts(self, whole: float, terms: Terms) -> Parts:
        """What the score of a pair is made of."""
        return Parts(*combine(whole, *terms, self.weights))

    def score(self, whole: float, terms: Terms) -> float:
        """The score of a pair."""
        return total(self.parts(whole, terms), terms.roles)


@dataclass(frozen=True, slots=True)
class Schemes:
    """The constants of each kind of whole sentences, by ``name``."""

    name: str
    transformer: HybridScheme
    words: HybridScheme

    def of(self, kind: str) -> HybridScheme:
        """The constants of one of ``KINDS``."""
        found: HybridScheme = getattr(self, kind)
        return found


def read_scheme(spec: str | Path) -> Schemes:
    """Read ``"hybrid"``, ``"roles-first"`` or a TOML file of the same form.

    Every constant is a finite number from 0 on, shares are at most 1; the tables
    ``transformer`` and ``words`` may have any of them, and what they lack stands above. Raises
    ``UnknownNameError`` for a name that is neither, ``DataError`` for a file that is not a scheme.
    """
    path = _find(spec)
    table = parse_toml(read_text(path, "give a TOML file"), str(path))
    names = tuple(field.name for field in fields(HybridScheme))
    common = {name: value for name, value in table.items() if name not in KINDS}
    made = []
    for kind in KINDS:
        own = table.get(kind, {})
        if not isinstance(own, dict):
            raise DataError(f"{path}: {kind} is {own!r}: give a table of constants")
        values: dict[str, Any] = {**common, **own}
        for name in values:
            if name not in names:
                raise DataError(f"{path}: unknown key {name!r}: use {', '.join((*names, *KINDS))}")
        made.append(HybridScheme(**{name: _number(path, kind, name, values) for name in names}))
    return Schemes(path.stem, *made)


def _find(spec: str | Path) -> Path:
    if isinstance(spec, str) and re.fullmatch(r"[\w-]+", spec):
        shipped = Path(str(files("compsim.weights") / f"{spec}.toml"))
        if shipped.is_file():
            return shipped
    if not Path(spec).is_file():
        raise UnknownNameError(
            f"scheme={str(spec)!r} is neither a scheme that ships with compsim (hybrid, "
            "roles-first) nor an existing TOML file: give one of those names or a path"
        )
    return Path(spec)


def _number(path: Path, kind: str, name: str, values: dict[str, Any]) -> float:
    if name not in values:
        raise DataError(f"{path}: {kind} has no {name}: give it there or above")
    value = values[name]
    fits = isinstance(value, int | float) and not isinstance(value, bool)
    if not fits or not 0 <= value <= (1 if name in _SHARES else 1e6):
        raise DataError(
            f"{path}: {name} of {kind} is {brief(value)}: give a finite number from 0 on"
            + (", at most 1" if name in _SHARES else "")
        )
    return float(value)
