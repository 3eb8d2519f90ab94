"""Encoded graphs as arrays, a stretch of each array for each graph.

What the methods over graphs encode differs (frames and phrases, label features, nodes and edges,
triples), but all of it is a few rows for each graph: a ``Ragged``. A :class:`GraphBatch` holds some
of them by name beside the parses, and can be sliced, joined, saved and mapped from disk.

>>> import numpy as np
>>> from compsim.graph import RoleGraph
>>> graphs = [RoleGraph.star("Cats sleep.", {"Verb": "sleep"})]
>>> words = Ragged(np.array([0, 2]), {"code": np.array([7, 8])})
>>> GraphBatch({"word": words}, status=status_codes(graphs), graphs=graphs)
GraphBatch(1 sentences)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError
from compsim.graph import RoleGraph, Status
from compsim.kernels.ragged import Array, Ragged
from compsim.method import Encoded, Index, items_at, parts_of
from compsim.storage.batch_files import Records, Stored

__all__ = ["FAILED", "STATUS", "GraphBatch", "status_codes"]

#: The parse status by its code in ``GraphBatch.status``.
STATUS: Final = (Status.OK, Status.PARTIAL, Status.FAILED)
#: The code of a failed parse.
FAILED: Final = STATUS.index(Status.FAILED)


class GraphBatch(Encoded):
    """Encoded graphs: ``parts`` by name, ``status`` int8 (n) and the parses, ``graphs`` (n).

    ``graphs`` may be empty in a batch that was made from arrays; such a batch has no texts.
    ``space`` says what else the arrays depend on, word vectors or parameters: batches of different
    spaces are not compared. ``names`` are the strings that codes in the arrays stand for,
    ``shared`` arrays that belong to the batch as a whole. Raises ``InputError`` for
    parts that do not fit.
    """

    def __init__(
        self,
        parts: Mapping[str, Ragged],
        *,
        status: Array,
        graphs: Sequence[RoleGraph] = (),
        space: str = "",
        names: Mapping[str, Sequence[str]] | None = None,
        shared: Mapping[str, Array] | None = None,
    ) -> None:
        self.parts = dict(parts)
        self.status = np.ascontiguousarray(status, dtype=np.int8)
        self.graphs = graphs
        self.space = space
        self.names = dict(names or {})
        self.shared = dict(shared or {})
        lengths = {
            len(self.status),
            len(graphs) or len(self.status),
            *map(len, self.parts.values()),
        }
        if self.status.ndim != 1 or len(lengths) > 1:
            raise InputError(
                "the arrays of a batch do not fit together: it has one status, one graph and one "
                "stretch for each sentence"
            )

    @property
    def failed(self) -> npt.NDArray[np.bool_]:
        """Which sentences have nothing to compare, bool (n,)."""
        failed: npt.NDArray[np.bool_] = self.status == FAILED
        return failed

    @property
    def texts(self) -> Sequence[str]:
        """The sentences. Raises ``InputError`` for a batch that was made without its parses."""
        if len(self.graphs) != len(self):
            raise InputError("the batch holds no parses: make it with the method's encode()")
        return Records(self.graphs, _text)

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} sentences)"

    def __getitem__(self, index: Index) -> Self:
        places = self._places(index)
        return self._with(
            {name: part[places] for name, part in self.parts.items()},
            status=self.status[places],
            graphs=items_at(self.graphs, places) if len(self.graphs) else (),
        )

    def _with(self, parts: Mapping[str, Ragged], **changed: Any) -> Self:
        """A batch of other parts that is like this one in all else but what is given."""
        kept = {
            name: getattr(self, name) for name in ("status", "graphs", "space", "names", "shared")
        }
        return type(self)(parts, **{**kept, **changed})

    @classmethod
    def concat(cls, batches: Iterable[Self]) -> Self:
        """One batch of several; they must have been encoded with the same options."""
        batches = parts_of(batches)
        for batch in batches[1:]:
            batches[0].check(batch)
        whole = all(len(batch.graphs) == len(batch) for batch in batches)
        return cls._joined(
            batches,
            status=np.concatenate([batch.status for batch in batches]),
            graphs=[graph for batch in batches for graph in batch.graphs] if whole else (),
        )

    @classmethod
    def _joined(cls, batches: list[Self], **common: Any) -> Self:
        first, *others = batches
        parts = {
            name: part.joined(other.parts[name] for other in others)
            for name, part in first.parts.items()
        }
        return first._with(parts, **common)

    def check(self, other: GraphBatch) -> None:
        """Raise ``InputError`` for a batch that cannot be compared with this one."""
        if self.space != other.space:
            raise InputError(
                f"the batches were encoded differently ({self.space}, {other.space}): "
                "encode both with one method"
            )

    def _to_stored(self) -> Stored:
        arrays: dict[str, Array] = {"status": self.status}
        for name, part in self.parts.items():
            arrays |= dict(part.named(f"{name}."))
        arrays |= {f"shared.{name}": array for name, array in self.shared.items()}
        details = {
            "space": self.space,
            "parts": list(self.parts),
            "names": {name: list(strings) for name, strings in self.names.items()},
            "shared": list(self.shared),
        }
        return Stored(arrays, details, [graph.to_json() for graph in self.graphs])

    @classmethod
    def _of_stored(cls, stored: Stored) -> Self:
        arrays, details = stored.arrays, stored.details
        return cls(
            {name: Ragged.of_named(arrays, f"{name}.") for name in details["parts"]},
            status=arrays["status"],
            graphs=Records(stored.records, RoleGraph.from_json),
            space=details["space"],
            names={name: tuple(strings) for name, strings in details["names"].items()},
            shared={name: arrays[f"shared.{name}"] for name in details["shared"]},
        )


def status_codes(graphs: Sequence[RoleGraph]) -> npt.NDArray[np.int8]:
    """The status of each graph as ``GraphBatch`` holds it; one without nodes has failed."""
    codes = [STATUS.index(graph.status) if graph.nodes else FAILED for graph in graphs]
    return np.array(codes, dtype=np.int8)


def _text(graph: RoleGraph) -> str:
    return graph.text
