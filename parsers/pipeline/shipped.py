"""The shipped pipeline: trees of texts, by numpy and compiled code alone.

The folder ``weights/pipeline`` has the network, the patterns of the tokenizer and the tables of the
lemmatizer; ``weights/export_pipeline.py`` writes it.

>>> from compsim.storage.places import weights_folder
>>> pipeline = ShippedPipeline(weights_folder() / "pipeline")
>>> (tree,) = pipeline.trees(["Cats chase mice."])
>>> list(zip(tree.lemmas, tree.tags, tree.deps))[:2]
[('cat', 'NNS', 'nsubj'), ('chase', 'VBP', 'ROOT')]
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from compsim.errors import DataError
from compsim.parsers.pipeline.lemmas import Lemmatizer
from compsim.parsers.pipeline.moves import Moves
from compsim.parsers.pipeline.network import Network
from compsim.parsers.pipeline.tokens import Tokenizer
from compsim.parsers.pipeline.tree import Tree, parts_of
from compsim.parsers.pipeline.words import Read, Words

__all__ = ["MANY", "ShippedPipeline"]

#: Characters of texts that are read at a time: a word takes some 5 KB meanwhile.
_CHARACTERS = 200_000
#: So many sentences at once are worth compiled code, which takes seconds to make or to load.
MANY = 1000


class ShippedPipeline:
    """Makes the trees of texts with the models of a folder, which are read once.

    Raises DataError when the folder is incomplete.
    """

    def __init__(self, folder: Path) -> None:
        try:
            with np.load(folder / "model.npz", allow_pickle=False) as stored:
                weights = {
                    name: stored[name].astype(np.float32, copy=False) for name in stored.files
                }
            about: dict[str, Any] = json.loads((folder / "about.json").read_text(encoding="utf8"))
            rules = json.loads((folder / "tokens.json").read_text(encoding="utf8"))
            self._lemmatizer = Lemmatizer.read(folder / "lemmas.json")
            self._network = Network(weights, about["seeds"])
            self._moves = Moves(about["moves"], weights)
            self._words = Words(
                Tokenizer(rules),
                about["attributes"],
                rules["norms"],
                rules["symbols"],
                self._network.embed,
                self._network.width,
            )
            self._tags: list[str] = about["tags"]
        except (OSError, EOFError, ValueError, KeyError, BadZipFile) as error:
            raise DataError(
                f"the shipped pipeline at {folder} can not be read ({error}): reinstall compsim"
            ) from error
        self.irregular_verbs = self._lemmatizer.irregular_verbs
        self.dictionary = self._lemmatizer.dictionary
        self._compiled = False

    def warm_up(self) -> None:
        """Compile what parses many sentences, or load its machine code; it parses all from now."""
        self._compiled = True
        self.trees(["Cats chase mice."])

    def trees(self, texts: Sequence[str], count: int = 0) -> list[Tree]:
        """One tree for each text, which may be a part of ``count`` texts."""
        if max(count, len(texts)) >= MANY:
            self._compiled = True
        return [tree for some in parts_of(texts, _CHARACTERS) for tree in self._trees(some)]

    def _trees(self, texts: Sequence[str]) -> list[Tree]:
        compiled = self._compiled
        read = self._words.read(texts)
        known, bounds = read.known, read.bounds
        tags, vectors = self._network.run(known.table, read.numbers, bounds, compiled)
        spaces = np.isin(read.numbers, np.array(sorted(known.spaces), dtype=np.int64))
        heads, labels = self._moves.run(vectors, bounds, spaces, compiled)
        forms = self._forms(read, tags.tolist())
        first: list[int] = []
        stop: list[int] = []
        if compiled:
            from compsim.parsers.pipeline.subtrees import stretches

            first, stop = (place.tolist() for place in stretches(heads, bounds))
        head = heads.tolist()
        dep = list(map(self._moves.labels.__getitem__, labels.tolist()))
        tag = list(map(self._tags.__getitem__, tags.tolist()))
        return [
            Tree(
                text,
                read.starts[a:b],
                read.ends[a:b],
                head[a:b],
                dep[a:b],
                tag[a:b],
                [pos for pos, _ in forms[a:b]],
                [lemma for _, lemma in forms[a:b]],
                stretches=(first[a:b], stop[a:b]) if compiled else None,
            )
            for text, a, b in zip(texts, bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
        ]

    def _forms(self, read: Read, tags: list[int]) -> list[tuple[str, str]]:
        """Part of speech and lemma of each word with its tag, each found once."""
        forms, words = read.known.forms, read.known.words
        keys = list(zip(read.numbers.tolist(), tags, strict=True))
        for key in set(keys).difference(forms):
            forms[key] = self._lemmatizer.form(words[key[0]].text, self._tags[key[1]])
        return list(map(forms.__getitem__, keys))
