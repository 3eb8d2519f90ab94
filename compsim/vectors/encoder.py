"""Protocol of phrase encoders, which word vectors and transformers share.

>>> from compsim.vectors import WordVectors
>>> isinstance(WordVectors.from_arrays(["cat"], [[1.0, 0.0]]), PhraseEncoder)
True
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from compsim.graph import Node, RoleGraph

__all__ = ["PhraseEncoder"]


@runtime_checkable
class PhraseEncoder(Protocol):
    """Gives vectors of ``dim`` numbers to the phrases of parsed sentences, and to whole texts.

    ``name`` is told with a score; ``space`` names what the vectors depend on: those of different
    spaces are not compared.
    """

    @property
    def name(self) -> str:
        """Name of the vectors in explanations."""

    @property
    def space(self) -> str:
        """The model or table with a hash of its content."""

    @property
    def dim(self) -> int:
        """The length of a vector."""

    def phrases(
        self, graphs: Sequence[RoleGraph], nodes: Sequence[Sequence[Node]]
    ) -> npt.NDArray[np.float32]:
        """The vectors of the nodes of each graph, one graph's behind another's: (n, dim).

        A phrase without a vector is a row of zeros.
        """

    def texts(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """The vectors of whole texts (n, dim), zeros where a text has none."""
