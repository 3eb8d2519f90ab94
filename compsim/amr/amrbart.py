"""AMRBART: a BART that was trained on meaning graphs reads the parses of two sentences.

Bai, Chen and Zhang 2022. Each sentence is parsed, its graph is written on one line
(``compsim.amr.linear``), and the states that BART's encoder gives that line are averaged;
the score is the cosine of the two means.

>>> from compsim import load
>>> method = load("amrbart", model="FOLDER", parser="amrlib")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from compsim.amr import DEFAULT_PARSER
from compsim.amr.linear import linear
from compsim.explanation import RoleRow
from compsim.graph import Node, RoleGraph
from compsim.graph_method import GraphBatch, GraphMethod, OnFailure, Parts, status_codes
from compsim.kernels.cosine import cosine_matrix, cosines, unit_rows
from compsim.kernels.layout import Field
from compsim.kernels.ragged import Ragged
from compsim.method import MethodInfo
from compsim.transformers.token_states import TokenStates, check_batch_size, pooled

if TYPE_CHECKING:
    from compsim.parsers.base import Parser
    from compsim.parsers.opening import CacheOption

__all__ = ["AmrBart", "GraphVectorBatch"]

_MODEL: Final = "xfbai/AMRBART-large"


class GraphVectorBatch(GraphBatch):
    """Graphs with a vector each: the part ``graph`` has one row, ``vector``, for each sentence."""

    layout = MappingProxyType({"graph.vector": Field("float32", dimensions=2)})

    @property
    def vector(self) -> npt.NDArray[np.float32]:
        """The vectors of unit length, zero where a sentence has no graph; float32 (n, dim)."""
        result: npt.NDArray[np.float32] = self.parts["graph"].columns["vector"]
        return result


class AmrBart(GraphMethod[GraphVectorBatch]):
    """The cosine of the mean encoder states of two linearised AMRs.

    - ``model``: a folder or a hub name of a BART, or of another encoder, with its tokenizer;
    - ``device``, ``batch_size``: see ``SentenceTransformerMethod``;
    - ``parser``, ``on_failure``, ``cache``: see ``GraphMethod``.

    The score lies in [-1, 1], is symmetric, and 1 for a sentence with itself. Only a random BART
    has been run; the published checkpoint has not. Its tokenizer is made by its authors' code,
    which adds the roles and pointers to BART's: save it into the model's folder. The papers'
    ``amrbart`` column comes from the sentences themselves, without a parse:
    ``load("transformer", model=FOLDER)``.
    """

    info = MethodInfo(
        name="amrbart",
        summary="cosine of AMRBART's mean encoder states over linearised AMRs (Bai et al. 2022)",
        needs=("transformers",),
    )
    encoded = GraphVectorBatch

    def __init__(
        self,
        model: str | Path | None = None,
        parser: str | Parser = DEFAULT_PARSER,
        device: str | None = None,
        batch_size: int = 32,
        on_failure: OnFailure = "fallback",
        cache: CacheOption = None,
    ) -> None:
        self.batch_size = check_batch_size(batch_size)
        super().__init__(parser, on_failure, cache)
        self.encoder = TokenStates(_MODEL if model is None else model, device=device)

    def encode_graphs(self, graphs: Sequence[RoleGraph]) -> GraphVectorBatch:
        """Encode parses that are at hand, one for each sentence."""
        lines = [linear(graph) for graph in graphs]
        means = self.encoder.vectors(lines, self.batch_size, partial(pooled, pooling="mean"))
        return GraphVectorBatch(
            {"graph": Ragged.single({"vector": unit_rows(means)})},
            status=status_codes(graphs),
            graphs=graphs,
            space=f"amrbart {self.encoder.fingerprint}",
        )

    def _scores(self, a: GraphVectorBatch, b: GraphVectorBatch) -> npt.NDArray[np.float64]:
        a.check(b)
        return cosines(a.vector, b.vector, a.texts, b.texts)

    def _score_matrix(self, a: GraphVectorBatch, b: GraphVectorBatch) -> npt.NDArray[np.float32]:
        a.check(b)
        return cosine_matrix(a.vector, b.vector, a.texts, b.texts)

    def _parts(self, batch: GraphVectorBatch) -> Parts:
        """One row: a mean of states has no parts that a reader could weigh."""
        score = float(self._scores(batch[:1], batch[1:])[0])
        first, second = (Node(linear(graph, pointers=False)) for graph in batch.graphs)
        return Parts([RoleRow("whole graph", first, second, score, 1.0, score)], mapping=())
