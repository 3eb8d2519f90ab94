"""Trees in bulk: the shipped pipeline run on whole batches.

The shipped pipeline is a spaCy pipeline like any other. For it alone, network and transitions run
on whole batches (:mod:`network`, :mod:`transitions`); tokens, part-of-speech classes and lemmas are
spaCy's own, the latter two asked once for each word with its tag.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from compsim.parsers.pipeline.network import Network
from compsim.parsers.pipeline.subtrees import stretches
from compsim.parsers.pipeline.tree import Syntax, Tree

if TYPE_CHECKING:
    from compsim.parsers.pipeline.language import LanguageSource

__all__ = ["BulkSyntax"]

#: Words (with their tags) whose classes and lemmas are kept.
_KEPT = 1 << 16


class BulkSyntax(Syntax):
    """The same trees as spaCy's, for a pipeline that is made by ``weights/train_pipeline.py``."""

    def __init__(self, language: LanguageSource) -> None:
        super().__init__(language)
        self._network = Network(language.current())
        # By word (its number in spaCy's string store) and tag number: class and lemma.
        self._forms: dict[tuple[int, int], tuple[str, str]] = {}

    def trees(self, texts: Sequence[str]) -> list[Tree]:
        """One tree for each text."""
        if not texts:
            return []
        columns: list[int | str] = [*self._network.columns, "IS_SPACE", "ORTH", "IDX", "LENGTH"]
        rows = [self._language.current().make_doc(text).to_array(columns) for text in texts]
        table = np.concatenate(rows)
        bounds = np.cumsum([0, *map(len, rows)])
        tags, vectors = self._network.run(table[:, :-4], bounds)
        spaces = table[:, -4] > 0
        heads, labels = self._network.moves.run(vectors, bounds, spaces)
        offsets = table[:, -2:].astype(np.int64)
        starts, ends = offsets[:, 0].tolist(), offsets.sum(axis=1).tolist()
        words = list(zip(table[:, -3].tolist(), tags.tolist(), strict=True))

        def word(i: int) -> str:
            text = int(np.searchsorted(bounds, i, side="right")) - 1
            return texts[text][starts[i] : ends[i]]

        pos, lemma = self._look_up(words, word)
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

    def _look_up(
        self, words: list[tuple[int, int]], spelling: Callable[[int], str]
    ) -> tuple[list[str], list[str]]:
        """Classes and lemmas of words with their tags; ``spelling`` gives a word by its place."""
        if len(self._forms) > _KEPT:
            self._forms = {}
        forms = self._forms
        missing = set(words).difference(forms)
        if missing:
            place = {word: i for i, word in enumerate(words) if word in missing}
            known = self._ask([(spelling(i), tag) for (_, tag), i in place.items()])
            forms.update(zip(place, known, strict=True))
        items = list(map(forms.__getitem__, words))
        return [pos for pos, _ in items], [lemma for _, lemma in items]

    def _ask(self, words: list[tuple[str, int]]) -> list[tuple[str, str]]:
        """Let the pipeline's last components work on the words, all in one document."""
        from spacy.tokens import Doc

        language = self._language.current()
        doc = Doc(language.vocab, words=[word for word, _ in words])
        for token, (_, tag) in zip(doc, words, strict=True):
            token.tag_ = self._network.tags[tag]
        for name in ("attribute_ruler", "lemmatizer"):
            doc = language.get_pipe(name)(doc)
        return [(token.pos_, token.lemma_.lower()) for token in doc]
