"""EF-SBERT: a sentence transformer over a whole sentence and over each of its elements.

Wang, Shi, Liu and Yan, "A joint FrameNet and element focusing Sentence-BERT method of sentence
similarity computation", Expert Systems with Applications 200 (2022), as Fodor, De Deyne and Suzuki
(2025, Table 4) sum it up: elements that a constituency parser gives pass through a transformer, and
their vectors are combined with that of the whole sentence.

>>> from compsim import load
>>> method = load("ef-sbert")  # all-MiniLM-L6-v2  # doctest: +SKIP
>>> print(method.explain("The dog bit the man.", "The man bit the dog."))  # doctest: +SKIP
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from compsim.embeddings.elements import ELEMENTS, elements, words_node
from compsim.embeddings.joined import JoinedMethod, joined
from compsim.embeddings.sentence_transformer import SentenceTransformerMethod
from compsim.errors import InputError
from compsim.graph import Node
from compsim.method import MethodInfo
from compsim.parsers.roles.srl import SrlParser

if TYPE_CHECKING:
    from compsim.embeddings.postprocess import Normalizer

__all__ = ["EfSbert"]

_WHOLE: Final = "whole sentence"


class EfSbert(JoinedMethod):
    """The cosine of vectors joined of a sentence's own and those of its elements.

    - ``share``: how much the elements count, from 0, where the method is ``sbert``, to 1;
    - ``model``, ``device``, ``batch_size``, ``trust_remote_code``: see
      ``SentenceTransformerMethod``; ``normalize``: see ``EmbeddingMethod``.

    A sentence has up to four elements, by its dependency tree: predicate, subject, object and
    adverbial of the main clause, each read by the model as if it were a sentence. With c_0 the
    cosine of the whole sentences, c_i that of the i-th element, and shares w_0 = 1 - ``share``,
    w_i = ``share`` / 4, the score is

        (w_0 c_0 + sum of w_i c_i over the elements that both have) / sqrt(W_1 W_2)

    where W_1 and W_2 sum the shares of what each sentence has. The authors' article is not at hand:
    that elements of the same kind are compared, that they are four, and their equal shares are
    choices made here, as is the default of one half. The FrameNet part of their method is left out.

    The score lies in [-1, 1], is symmetric, and 1 for a sentence with itself. Raises ``InputError``
    for a share out of range, ``DataError`` for a model that is missing or damaged.
    """

    info = MethodInfo(
        name="ef-sbert",
        summary="sentence-transformers vectors of a sentence and its elements (Wang et al. 2022)",
        needs=("transformers",),
    )

    def __init__(
        self,
        model: str | Path | None = None,
        share: float = 0.5,
        device: str | None = None,
        batch_size: int = 32,
        trust_remote_code: bool = False,
        normalize: str | Path | Normalizer = "none",
    ) -> None:
        super().__init__(normalize)
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise InputError(f"share={share!r} is no share: give a number from 0 to 1")
        self.share = float(share)
        self._parser = SrlParser()
        self.whole = SentenceTransformerMethod(
            model, device, batch_size=batch_size, trust_remote_code=trust_remote_code
        )

    @cached_property
    def space(self) -> str:
        """The model, the parser and the share of the elements."""
        return f"elements {self.share:g} {self._parser.version} {self.whole.space}"

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of the whole sentence, then that of each element."""
        return 1 - self.share, *(self.share / len(ELEMENTS) for _ in ELEMENTS)

    def embed(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        """The vector of each sentence, float32 (n, 5 * dim): the whole, then each element."""
        nodes = self._elements(sentences)
        columns = [list(sentences)]
        columns += [[row[name].label if name in row else "" for row in nodes] for name in ELEMENTS]
        result = self.whole.embed([text for column in columns for text in column])
        by_column = result.reshape(len(columns), len(sentences), result.shape[1])
        return joined(list(by_column), self.shares)

    def _elements(self, sentences: list[str]) -> list[dict[str, Node]]:
        """The elements of each sentence by their names."""
        return [
            {name: words_node(tree, words, text) for name, words in elements(tree).items()}
            for tree, text in zip(self._parser.trees(sentences), sentences, strict=True)
        ]

    def _part_nodes(self, sentence: str) -> list[tuple[str, Node | None]]:
        (result,) = self._elements([sentence])
        whole = Node(sentence, (0, len(sentence)))
        return [(_WHOLE, whole), *((name, result.get(name)) for name in ELEMENTS)]
