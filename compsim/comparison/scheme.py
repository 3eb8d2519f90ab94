"""How agreement and conflicts make a score: the formula, and its constants as data.

With V the similarity of the whole sentences, N the agreement of their concepts and k_t the strength
of the conflicts of type t, the score is

    (1 - s) V + s N - sum_t w_t k_t N^1.5 (6 / max(6, n))^2

and at least 0, where n is the mean number of concepts. The share s of agreement depends on what
compares whole sentences; without that it is 1. In short sentences and in near-duplicates a conflict
means more than in long ones that differ anyway. A sentence scores 1 with itself.

>>> scheme = Scheme.open()
>>> same = np.array([[1.0, 0.0, *[0.0] * 9]])
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

from compsim.comparison.concepts import CONFLICTS
from compsim.errors import DataError
from compsim.storage.places import weights_folder
from compsim.storage.reading import parse_toml, read_text

__all__ = ["KINDS", "Scheme", "conflict_scale"]

#: What compares whole sentences.
KINDS: Final = ("transformer", "words", "none")
#: Concepts of a sentence in which a conflict counts in full, and how fast it counts less in longer
#: ones and in those that agree less.
_SIZE: Final = 6.0
_LENGTH_POWER: Final = 2.0
_AGREEMENT_POWER: Final = 1.5

Floats = npt.NDArray[np.float64]


def conflict_scale(agreement: Floats, size: Floats) -> Floats:
    """Return how much a conflict counts (n,), by agreement and the mean number of concepts."""
    scale: Floats = agreement**_AGREEMENT_POWER
    scale *= (_SIZE / np.maximum(_SIZE, size)) ** _LENGTH_POWER
    return scale


@dataclass(frozen=True)
class Scheme:
    """The constants: ``agreement`` by what compares whole sentences, ``conflicts`` by type.

    Raises ``DataError`` for one that is missing, or not from 0 to 1.
    """

    agreement: Mapping[str, float]
    conflicts: Mapping[str, float]

    def __post_init__(self) -> None:
        for table, names in ((self.agreement, KINDS), (self.conflicts, CONFLICTS)):
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
        if set(data) != {"agreement", "conflicts"} or not all(isinstance(x, dict) for x in tables):
            raise DataError(f"{file} has not the tables [agreement] and [conflicts]")
        return cls(*tables)

    @property
    def weights(self) -> Floats:
        """The weights of conflicts, in the order of ``CONFLICTS``."""
        return np.array([self.conflicts[name] for name in CONFLICTS])

    def scores(self, terms: Floats, size: Floats, whole: Floats | None, kind: str) -> Floats:
        """Return the scores (n,): terms (n, terms), mean sizes (n,), whole similarities (n,)."""
        share = self.agreement[kind]
        base = terms[..., 0] * share
        if whole is not None:
            base = base + (1.0 - share) * whole
        loss = (terms[..., 2:] @ self.weights) * conflict_scale(terms[..., 0], size)
        scores: Floats = np.clip(base - loss, 0.0, 1.0)
        return scores
