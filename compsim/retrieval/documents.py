"""Documents as encoded sentences, each distinct one encoded once.

>>> from compsim import load
>>> method = load("mean-cn", vectors="builtin")
>>> documents = Documents.encode(["Cats sleep. Dogs bark.", "Dogs bark."], method.encode)
>>> len(documents), len(documents.batch), documents.places.tolist(), documents.starts.tolist()
(2, 2, [0, 1, 1], [0, 2, 3])
>>> documents[[1]]
Documents(1 document, 1 sentence)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from compsim.batches import Encoded, items_at, joined_items
from compsim.retrieval.sentences import sentences
from compsim.sentences import check_sentences

__all__ = ["Documents"]


@dataclass(frozen=True, eq=False, repr=False)
class Documents:
    """Documents as ``Reranker.encode`` gives them; slicing shares what was encoded.

    Attributes:
        texts: The documents as they were given.
        batch: The encoded distinct sentences; None where no document has a word.
        places: Where each sentence stands in ``batch``, int64 (sentences,).
        starts: Sentences ``starts[i]:starts[i + 1]`` are those of document i, int64 (documents +
            1,).
        spans: Where each sentence stands in its document, int64 (sentences, 2).

    Examples:
        >>> from compsim import load
        >>> method = load("mean-cn", vectors="builtin")
        >>> Documents.encode(["Cats sleep. Dogs bark.", "Dogs bark."], method.encode)
        Documents(2 documents, 3 sentences)
    """

    texts: Sequence[str]
    batch: Encoded | None
    places: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    spans: npt.NDArray[np.int64]

    @classmethod
    def encode(
        cls,
        documents: Iterable[str],
        encode: Callable[[list[str]], Encoded],
        check: Callable[[], object] = lambda: None,
    ) -> Documents:
        """Split documents into sentences and encode these.

        Args:
            documents: Texts of any length.
            encode: What encodes sentences, as a method's ``encode`` does.
            check: Called before each document is split; it may raise to end the work.

        Returns:
            The documents.

        Raises:
            InputError: Something in them is no string.
        """
        texts = check_sentences(documents, "documents")
        split: dict[str, list[tuple[int, int]]] = {}
        for text in texts:
            if text not in split:
                check()
                split[text] = sentences(text)
        number: dict[str, int] = {}
        owned, spans, starts = [], [], [0]
        for text in texts:
            for start, end in split[text]:
                owned.append(number.setdefault(text[start:end], len(number)))
                spans.append((start, end))
            starts.append(len(owned))
        return cls(
            texts,
            encode(list(number)) if number else None,
            np.array(owned, dtype=np.int64),
            np.array(starts, dtype=np.int64),
            np.array(spans, dtype=np.int64).reshape(-1, 2),
        )

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        result = (_counted(len(self), "document"), _counted(len(self.places), "sentence"))
        return f"Documents({', '.join(result)})"

    def __getitem__(self, index: slice | Sequence[int] | npt.NDArray[Any]) -> Documents:
        """The documents of a slice, a list of numbers or a mask."""
        if not isinstance(index, slice):
            index = np.asarray(index)
            index = index if index.dtype == np.bool_ else index.astype(np.int64)
        chosen = np.atleast_1d(np.arange(len(self))[index])
        length = self.starts[chosen + 1] - self.starts[chosen]
        starts = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
        rows = np.arange(starts[-1]) + np.repeat(self.starts[chosen] - starts[:-1], length)
        texts = items_at(self.texts, chosen)
        return Documents(texts, self.batch, self.places[rows], starts, self.spans[rows])

    def alone(self) -> Documents:
        """These documents with a batch of their own sentences, and none of others.

        Returns:
            The documents.
        """
        used, places = np.unique(self.places, return_inverse=True)
        if self.batch is not None and len(used) == len(self.batch):
            return self
        batch = None if self.batch is None or not len(used) else self.batch[used]
        return replace(self, batch=batch, places=places.astype(np.int64))

    @classmethod
    def concat(cls, parts: Sequence[Documents]) -> Documents:
        """Join documents.

        Args:
            parts: Documents whose sentences one method has encoded.

        Returns:
            All of them, in order.

        Raises:
            InputError: There are none, or the sentences were not encoded alike.
        """
        if len(parts) == 1:
            return parts[0]
        batches = [part.batch for part in parts if part.batch is not None]
        sizes = [0 if part.batch is None else len(part.batch) for part in parts]
        counts = [len(part.places) for part in parts]
        before, owned = np.cumsum([0, *sizes]), np.cumsum([0, *counts])
        starts = [part.starts[1:] + at for part, at in zip(parts, owned, strict=False)]
        return cls(
            joined_items([part.texts for part in parts]),
            type(batches[0]).concat(batches) if batches else None,
            np.concatenate([part.places + at for part, at in zip(parts, before, strict=False)]),
            np.concatenate([[0], *starts]).astype(np.int64),
            np.concatenate([part.spans for part in parts]),
        )

    def sentences(self, document: int) -> list[str]:
        """The sentences of one document.

        Args:
            document: Its number.

        Returns:
            The sentences as they stand there.
        """
        own = self.spans[self.starts[document] : self.starts[document + 1]].tolist()
        return [self.texts[document][start:end] for start, end in own]


def _counted(count: int, name: str) -> str:
    return f"{count} {name}" + "s" * (count != 1)
