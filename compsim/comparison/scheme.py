"""How agreement and conflicts make a score: the formula, and its constants as data.

With V the similarity of the whole sentences, N the agreement of their concepts, R that of concepts
in the same roles and k_t the strength of the conflicts of type t, the score is

    B (1 - min(1, l N^2 K)) (1 - d l^(1/2) D),  B = (1 - f) ((1 - s) V + s A) + f R,
    A = N + (1 - N) C,  K = (sum_t (w_t k_t)^3)^(1/3),  f = r c,  l = (6 / max(6, n))^2

and at least 0. K is little more than the strongest conflict: one that is sure is enough for two
sentences to differ, and more of them often tell of one difference. N is .8 of how much of the
sentence agrees that is found better in the other one, and .2 of the other's share; C is how alike
what is left of both is, which may be said in more or fewer words, and 0 where a transformer
compares the whole sentences, which knows of that; n is the mean number of concepts and c the share
of both sentences that stands in roles which both have. The share s of agreement depends on what
compares whole sentences; without that it is 1. In short sentences and in near-duplicates a conflict
means more than in long ones that differ anyway; D is how strongly the sentences differ in one
wording alone, which is then the point, whether or not it makes a conflict
(``compsim.comparison.wording``). A sentence scores 1 with itself.

>>> scheme = Scheme.open()
>>> same = np.array([[1.0, 0.0, *[0.0] * 11, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]])
>>> scheme.scores(same, np.array([3.0]), np.array([1.0]), "transformer").tolist()
[1.0]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.comparison.concepts import CONFLICTS, TERMS
from compsim.errors import DataError
from compsim.storage.places import weights_folder
from compsim.storage.reading import parse_toml, read_text

__all__ = ["CONSTANTS", "KINDS", "Scheme", "conflict_scale", "length_scale"]

#: What compares whole sentences.
KINDS: Final = ("transformer", "words", "none")
#: Types of conflicts that have the constant of another type, and which.
_SHARED: Final = {"time": "modality", "limit": "modality", "binding": "direction"}
#: What leaves it to the concepts how alike what they do not align is.
_WITH_REST: Final = ("words", "none")
#: The types that have a constant of their own.
CONSTANTS: Final = tuple(name for name in CONFLICTS if name not in _SHARED)
#: The norm of several conflicts: 1 would add them up, the greatest number take the strongest.
_NORM: Final = 3.0
#: Concepts of a sentence in which conflicts count in full, how fast they count less in longer ones,
#: and in those that agree less.
_SIZE: Final = 6.0
_LENGTH_POWER: Final = 2.0
_AGREEMENT_POWER: Final = 2.0

#: The places of the conflicts, of the fillers of roles and of their coverage in a row of terms.
_CONFLICTS: Final = [TERMS.index(name) for name in CONFLICTS]
_FILLERS: Final = TERMS.index("fillers")
_COVERAGE: Final = TERMS.index("coverage")
_WORDING, _REST = TERMS.index("wording"), TERMS.index("rest")

#: The constants that stand outside of tables.
_SINGLE: Final = ("roles", "wording")

Floats = npt.NDArray[np.float64]


def length_scale(size: Floats) -> Floats:
    """Return how much conflicts count (n,), by the mean number of concepts."""
    scale: Floats = (_SIZE / np.maximum(_SIZE, size)) ** _LENGTH_POWER
    return scale


def conflict_scale(agreement: Floats, size: Floats) -> Floats:
    """Return how much a conflict counts (n,), by agreement and the mean number of concepts."""
    scale: Floats = agreement**_AGREEMENT_POWER * length_scale(size)
    return scale


@dataclass(frozen=True)
class Scheme:
    """The constants: ``agreement`` by what compares whole sentences, ``conflicts`` by their type.

    ``roles`` is the share of concepts in the same roles, where all of two sentences stands in
    roles, ``wording`` what another wording takes off, where all else is the same. Raises
    ``DataError`` for a constant that is missing, or not from 0 to 1.
    """

    agreement: Mapping[str, float]
    conflicts: Mapping[str, float]
    roles: float
    wording: float

    def __post_init__(self) -> None:
        shares = {name: getattr(self, name) for name in _SINGLE}
        tables = (self.agreement, KINDS), (self.conflicts, CONSTANTS), (shares, _SINGLE)
        for table, names in tables:
            if set(table) != set(names):
                raise DataError(f"a scheme has the constants {', '.join(names)}: give each of them")
            for name, value in table.items():
                if not isinstance(value, int | float) or not 0 <= value <= 1:
                    raise DataError(f"{name} = {value!r} of a scheme is not from 0 to 1")

    @classmethod
    def open(cls, path: str | Path | None = None) -> Scheme:
        """Read a scheme from a TOML file, by default the shipped one.

        Raises ``DataError`` for a file that cannot be read or is no scheme.
        """
        file = weights_folder() / "concepts.toml" if path is None else Path(path)
        data = parse_toml(read_text(file, "give a TOML file"), str(file))
        tables: list[Any] = [data.get(name) for name in ("agreement", "conflicts")]
        known = {"agreement", "conflicts", *_SINGLE}
        if set(data) != known or not all(isinstance(x, dict) for x in tables):
            raise DataError(
                f"{file} has not the tables [agreement] and [conflicts], roles and wording"
            )
        agreement, conflicts = tables
        return cls(agreement, conflicts, *(data[name] for name in _SINGLE))

    @property
    def weights(self) -> Floats:
        """The weights of conflicts, in the order of ``CONFLICTS``."""
        return np.array([self.weight_of(name) for name in CONFLICTS])

    def weight_of(self, conflict: str) -> float:
        """Return the weight of a type of conflicts."""
        return self.conflicts[_SHARED.get(conflict, conflict)]

    def share_of_roles(self, terms: Floats) -> Floats:
        """Return the share of roles in the score (n,): terms (n, terms)."""
        share: Floats = self.roles * terms[..., _COVERAGE]
        return share

    def scores(self, terms: Floats, size: Floats, whole: Floats | None, kind: str) -> Floats:
        """Return the scores (n,): terms (n, terms), mean sizes (n,), whole similarities (n,)."""
        scores: Floats = np.clip(self.unlimited(terms, size, whole, kind), 0.0, 1.0)
        return scores

    def unlimited(self, terms: Floats, size: Floats, whole: Floats | None, kind: str) -> Floats:
        """Return the scores (n,) as ``scores`` does, before they are limited to [0, 1]."""
        share = self.agreement[kind]
        base = (terms[..., 0] + self.gain_of_rest(terms, kind)) * share
        if whole is not None:
            base = base + (1.0 - share) * whole
        roles = self.share_of_roles(terms)
        base = (1.0 - roles) * base + roles * terms[..., _FILLERS]
        base = base - np.maximum(base, 0.0) * self.losses(terms, size).sum(axis=-1)
        scores: Floats = base - np.maximum(base, 0.0) * self.loss_of_wording(terms, size)
        return scores

    def gain_of_rest(self, terms: Floats, kind: str) -> Floats:
        """Return what agreement gains by how alike what is left is, (n,)."""
        gain: Floats = (1.0 - terms[..., 0]) * terms[..., _REST] * (kind in _WITH_REST)
        return gain

    def loss_of_wording(self, terms: Floats, size: Floats) -> Floats:
        """Return the share that another wording takes off what conflicts leave of a score, (n,)."""
        loss: Floats = self.wording * np.sqrt(length_scale(size)) * terms[..., _WORDING]
        return loss

    def losses(self, terms: Floats, size: Floats) -> Floats:
        """Return the share of a score that each type of conflicts takes off, (n, types)."""
        strengths = terms[..., _CONFLICTS] * self.weights
        most = strengths.max(axis=-1, keepdims=True)
        powers = (strengths / np.where(most > 0.0, most, 1.0)) ** _NORM
        total = np.maximum(powers.sum(axis=-1, keepdims=True), 1.0)
        norm = most * total ** (1.0 / _NORM)
        scale = conflict_scale(terms[..., 0], size)[..., None]
        losses: Floats = np.minimum(1.0, scale * norm) * powers / total
        return losses
