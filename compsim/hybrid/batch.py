"""Sentences encoded twice: as whole vectors, and as role graphs of concepts.

>>> import numpy as np
>>> from compsim.embeddings.batch import VectorBatch
>>> from compsim.comparison.batch import ConceptEncoder
>>> from compsim.parsers import load
>>> texts = ["Cats sleep.", "Dogs bark."]
>>> roles = ConceptEncoder.open("builtin").encode(load("concepts").parse(texts))
>>> HybridBatch(VectorBatch(np.eye(2), texts=texts), roles)[1]
HybridBatch(1 sentences)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Self

from compsim.batches import Encoded, Index, parts_of
from compsim.comparison.batch import ConceptBatch
from compsim.embeddings.batch import VectorBatch
from compsim.errors import InputError
from compsim.storage.batch_files import Records, Stored

__all__ = ["HybridBatch"]


@dataclass(frozen=True, eq=False, repr=False)
class HybridBatch(Encoded):
    """``whole``, the vectors of the sentences, and ``roles``, their graphs: of the same sentences.

    Raises ``InputError`` for batches of unequal length.
    """

    whole: VectorBatch
    roles: ConceptBatch

    def __post_init__(self) -> None:
        if len(self.whole) != len(self.roles):
            raise InputError(
                f"there are {len(self.whole)} vectors and {len(self.roles)} parses: encode the "
                "same sentences for both"
            )

    def __len__(self) -> int:
        return len(self.whole)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} sentences)"

    def __getitem__(self, index: Index) -> Self:
        return type(self)(self.whole[index], self.roles[index])

    @property
    def texts(self) -> Sequence[str]:
        """The sentences."""
        return self.whole.texts

    @classmethod
    def concat(cls, batches: Iterable[Self]) -> Self:
        """One batch of several, made by one method."""
        parts = parts_of(batches)
        return cls(
            VectorBatch.concat([part.whole for part in parts]),
            ConceptBatch.concat([part.roles for part in parts]),
        )

    def check(self, other: HybridBatch) -> None:
        """Raise ``InputError`` for a batch that cannot be compared with this one."""
        self.whole.check(other.whole)
        self.roles.check(other.roles)

    def _to_stored(self) -> Stored:
        sides = {"whole": self.whole._to_stored(), "roles": self.roles._to_stored()}
        arrays = {
            f"{name}.{key}": array
            for name, side in sides.items()
            for key, array in side.arrays.items()
        }
        details = {
            name: {"details": dict(side.details), "arrays": list(side.arrays)}
            for name, side in sides.items()
        }
        whole, roles = (side.records for side in sides.values())
        return Stored(arrays, details, list(zip(whole, roles, strict=True)))

    @classmethod
    def _of_stored(cls, stored: Stored) -> Self:
        def side(name: str, place: int) -> Stored:
            about = stored.details[name]
            arrays = {key: stored.arrays[f"{name}.{key}"] for key in about["arrays"]}
            records = Records(stored.records, itemgetter(place))
            return Stored(arrays, about["details"], records, stored.verified)

        return cls(
            VectorBatch._of_stored(side("whole", 0)), ConceptBatch._of_stored(side("roles", 1))
        )
