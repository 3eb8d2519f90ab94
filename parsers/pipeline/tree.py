"""The dependency tree of a sentence as plain lists: fast to walk, no token objects.

Trees carry ClearNLP labels (spaCy's English pipelines speak them). Any spaCy pipeline gives them
(:class:`Syntax`); for many sentences there is a faster engine (:mod:`bulk`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = ["Syntax", "Tree", "predicates"]

AUXILIARY = frozenset({"aux", "auxpass"})
VERBAL = frozenset({"VERB", "AUX"})
_MODIFIER = frozenset({"amod", "compound", "nmod", "case", "prep", "cc", "mark"})
_NO_PREDICATE = AUXILIARY | _MODIFIER


@dataclass(slots=True)
class Tree:
    """One entry for each token in every list; a root is its own head.

    ``starts`` and ``ends`` are character offsets into ``text``; ``read`` is the text as it was
    parsed where that has other capitals.
    """

    text: str
    starts: list[int]
    ends: list[int]
    heads: list[int]
    deps: list[str]
    tags: list[str]
    pos: list[str]
    lemmas: list[str]
    read: str = ""

    @classmethod
    def of(cls, doc: Doc) -> Tree:
        """The tree of a document that is parsed already."""
        strings = doc.vocab.strings
        offsets = doc.to_array(["IDX", "LENGTH"]).astype("int64")
        rows = doc.to_array(["HEAD", "DEP", "TAG", "POS", "LEMMA"])
        names = {int(key): strings[int(key)] for key in set(rows[:, 1:].ravel().tolist())}
        deps, tags, pos, lemmas = (
            [names[key] for key in column] for column in rows[:, 1:].T.tolist()
        )
        return cls(
            doc.text,
            offsets[:, 0].tolist(),
            offsets.sum(axis=1).tolist(),
            [i + head for i, head in enumerate(rows[:, 0].astype("int64").tolist())],
            deps,
            tags,
            pos,
            [lemma.lower() for lemma in lemmas],
        )

    def word(self, i: int) -> str:
        """Token ``i`` as it was read."""
        return (self.read or self.text)[self.starts[i] : self.ends[i]]

    def __len__(self) -> int:
        return len(self.heads)

    def kids(self, i: int) -> list[int]:
        """Dependents of token ``i`` in text order."""
        return [kid for kid, head in enumerate(self.heads) if head == i != kid]

    def children(self) -> list[list[int]]:
        """The ``kids`` of every token."""
        below: list[list[int]] = [[] for _ in self.heads]
        for kid, head in enumerate(self.heads):
            if head != kid:
                below[head].append(kid)
        return below

    def parts(self, tops: Collection[int]) -> dict[int, list[int]]:
        """Tokens below and including each of ``tops``, in text order, without those of another."""
        found: dict[int, list[int]] = {top: [] for top in tops}
        heads = self.heads
        for i, above in enumerate(heads):
            here = i
            while here not in found and above != here:
                here, above = above, heads[above]
            if here in found:
                found[here].append(i)
        return found


class Syntax:
    """The trees that a spaCy pipeline gives."""

    def __init__(self, nlp: Language) -> None:
        self._nlp = nlp

    def trees(self, texts: Sequence[str]) -> list[Tree]:
        """One tree for each text."""
        return [Tree.of(doc) for doc in self._nlp.pipe(texts, batch_size=512)]


def predicates(tree: Tree) -> list[int]:
    """Tokens that head a star of their own, in text order.

    They are the verbs that predicate something: no auxiliaries, no mere modifiers. Bare taggers of
    user pipelines may leave the class empty; the fine-grained tag then decides.
    """
    return [
        i
        for i, (dep, pos) in enumerate(zip(tree.deps, tree.pos, strict=True))
        if (pos in VERBAL or (not pos and tree.tags[i].startswith("VB")))
        and dep not in _NO_PREDICATE
    ]
