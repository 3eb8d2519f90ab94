"""Trees in bulk: the shipped pipeline run on whole batches.

The shipped pipeline is a spaCy pipeline like any other. For it alone, network and transitions run
on whole batches (:mod:`network`, :mod:`transitions`); tokens, part-of-speech classes and lemmas are
spaCy's own, the latter two asked once for each word with its tag.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from compsim.parsers.pipeline.network import Network
from compsim.parsers.pipeline.subtrees import stretches
from compsim.parsers.pipeline.tree import Syntax, Tree

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["BulkSyntax"]

#: Words (with their tags) whose classes and lemmas are kept.
_KEPT = 200_000


class BulkSyntax(Syntax):
    """The same trees as spaCy's, for a pipeline that is made by ``weights/train_pipeline.py``."""

    def __init__(self, nlp: Language) -> None:
        super().__init__(nlp)
        self._network = Network(nlp)
        # By word (its number in spaCy's string store) and tag number: class and lemma.
        self._forms: dict[tuple[int, int], tuple[str, str]] = {}

    def trees(self, texts: Sequence[str]) -> list[Tree]:
        """One tree for each text."""
        if not texts:
            return []
        docs = [self._nlp.make_doc(text) for text in texts]
        columns = self._network.columns
        rows = [doc.to_array([*columns, "IS_SPACE", "ORTH", "IDX", "LENGTH"]) for doc in docs]
        table = np.concatenate(rows)
        bounds = np.cumsum([0, *map(len, docs)])
        tags, vectors = self._network.run(table[:, : len(columns)], bounds)
        spaces = table[:, -4] > 0
        heads, labels = self._network.moves.run(vectors, bounds, spaces)
        pos, lemma = self._look_up(list(zip(table[:, -3].tolist(), tags.tolist(), strict=True)))
        offsets = table[:, -2:].astype(np.int64)
        starts, ends = offsets[:, 0].tolist(), offsets.sum(axis=1).tolist()
        head = heads.tolist()
        first, stop = (place.tolist() for place in stretches(heads, bounds))
        dep = list(map(self._network.moves.labels.__getitem__, labels.tolist()))
        tag = list(map(self._network.tags.__getitem__, tags.tolist()))
        return [
            Tree(
                text,
                starts[a:b],
                ends[a:b],
                head[a:b],
                dep[a:b],
                tag[a:b],
                pos[a:b],
                lemma[a:b],
                stretches=(first[a:b], stop[a:b]),
            )
            for text, a, b in zip(texts, bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
        ]

    def _look_up(self, words: list[tuple[int, int]]) -> tuple[list[str], list[str]]:
        """Classes and lemmas of words with their tags."""
        if len(self._forms) > _KEPT:
            self._forms = {}
        forms = self._forms
        missing = list(set(words).difference(forms))
        if missing:
            forms.update(zip(missing, self._ask(missing), strict=True))
        found = list(map(forms.__getitem__, words))
        return [pos for pos, _ in found], [lemma for _, lemma in found]

    def _ask(self, words: list[tuple[int, int]]) -> list[tuple[str, str]]:
        """Let the pipeline's last components work on the words, all in one document."""
        from spacy.tokens import Doc

        vocab = self._nlp.vocab
        doc = Doc(vocab, words=[vocab.strings[word] for word, _ in words])
        for token, (_, tag) in zip(doc, words, strict=True):
            token.tag_ = self._network.tags[tag]
        for name in ("attribute_ruler", "lemmatizer"):
            doc = self._nlp.get_pipe(name)(doc)
        return [(token.pos_, token.lemma_.lower()) for token in doc]
