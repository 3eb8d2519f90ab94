"""The dependency tree of a sentence as plain lists: fast to walk, no token objects.

Trees carry ClearNLP labels (spaCy's English pipelines speak them). The shipped pipeline makes them
(:mod:`shipped`), and so does any other of spaCy (:mod:`spacy_pipeline`).
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

__all__ = ["Pipeline", "Tree", "parts_of", "predicates", "word_set"]

AUXILIARY = frozenset({"aux", "auxpass"})
VERBAL = frozenset({"VERB", "AUX"})
NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
RELATIVE_PRONOUNS = frozenset({"WDT", "WP"})
_MODIFIER = frozenset({"amod", "compound", "nmod", "case", "prep", "cc", "mark"})
_NO_PREDICATE = AUXILIARY | _MODIFIER

Stretches: TypeAlias = tuple[list[int], list[int]]


def word_set(text: str) -> frozenset[str]:
    """Return the words of a table that is written as text."""
    return frozenset(text.split())


@dataclass(slots=True)
class Tree:
    """One entry for each token in every list; a root is its own head.

    ``starts`` and ``ends`` are character offsets into ``text``; ``read`` is the text as it was
    parsed where that has other capitals. ``stretches`` is where the tokens below and including each
    begin and end, both alike where they have gaps; found when needed, where it is not given.
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
    _children: list[list[int]] = field(default_factory=list, init=False, repr=False, compare=False)
    stretches: Stretches | None = field(default=None, repr=False, compare=False)

    def word(self, i: int) -> str:
        """Token ``i`` as it was read."""
        return (self.read or self.text)[self.starts[i] : self.ends[i]]

    def __len__(self) -> int:
        return len(self.heads)

    def kids(self, i: int) -> list[int]:
        """Dependents of token ``i`` in text order."""
        return self.children()[i]

    def children(self) -> list[list[int]]:
        """The ``kids`` of every token, found once: to be changed by :meth:`hang` only."""
        if not self._children:
            self._children = [[] for _ in self.heads]
            for kid, head in enumerate(self.heads):
                if head != kid:
                    self._children[head].append(kid)
        return self._children

    def hang(self, i: int, head: int, dep: str) -> None:
        """Hang token ``i`` on another one, or on itself as a root, as this dependent of it."""
        if self._children:
            if self.heads[i] != i:
                self._children[self.heads[i]].remove(i)
            if head != i:
                insort(self._children[head], i)
        self.heads[i], self.deps[i] = head, dep
        self.stretches = None

    def rehung(self) -> None:
        """Forget what was found of the tree, since its heads have changed."""
        self._children, self.stretches = [], None

    def parts(
        self, tops: Collection[int], besides: Collection[int] = ()
    ) -> dict[int, Sequence[int]]:
        """Tokens below and including each of ``tops``, in text order, without those of another.

        What belongs to the tokens in ``besides`` is left out too. Only the parts are walked, not
        the whole tree, and those that are one stretch of text, given as a range, are not walked.
        """
        others = {*tops, *besides}
        return {top: self._part(top, others) for top in tops}

    def _part(self, top: int, others: Collection[int]) -> Sequence[int]:
        first, stop = self.stretches or self._find_stretches()
        start, end = first[top], stop[top]
        inner = [i for i in others if start <= i < end and i != top]
        if start < end and not inner:
            return range(start, end)
        if start < end and all(first[i] < stop[i] for i in inner):
            without = {i for top in inner for i in range(first[top], stop[top])}
            return [i for i in range(start, end) if i not in without]
        kids = self.children()
        below = [top]
        for i in below:
            below += [kid for kid in kids[i] if kid not in others]
        return sorted(below)

    def _find_stretches(self) -> Stretches:
        first, last = list(range(len(self))), list(range(len(self)))
        size = [1] * len(self)
        for i in reversed(self._downwards()):
            head = self.heads[i]
            if head != i:
                first[head] = min(first[head], first[i])
                last[head] = max(last[head], last[i])
                size[head] += size[i]
        stop = [
            b + 1 if b - a + 1 == count else a
            for a, b, count in zip(first, last, size, strict=True)
        ]
        self.stretches = first, stop
        return self.stretches

    def _downwards(self) -> list[int]:
        """All tokens, each behind its head."""
        kids = self.children()
        order = [i for i, head in enumerate(self.heads) if head == i]
        for i in order:
            order += kids[i]
        return order

    def steps_up(self) -> list[tuple[int, int]]:
        """The root above each token, and how many steps it is away."""
        results = [(i, 0) for i in range(len(self))]
        for i in self._downwards():
            head = self.heads[i]
            if head != i:
                root, steps = results[head]
                results[i] = root, steps + 1
        return results


class Pipeline(Protocol):
    """What makes trees of texts."""

    def trees(self, texts: Sequence[str], count: int = 0) -> list[Tree]:
        """One tree for each text, which may be a part of ``count`` texts."""

    def warm_up(self) -> None:
        """Load now what makes many trees fast."""

    @property
    def irregular_verbs(self) -> dict[str, list[str]]:
        """Lemmas of irregular verb forms; none where the pipeline does not know any."""

    @property
    def dictionary(self) -> dict[str, frozenset[str]]:
        """Lemmas of adjectives and nouns, by "adj" and "noun"."""


def parts_of(texts: Sequence[str], most: int) -> Iterator[Sequence[str]]:
    """Yield the texts some at a time, as many as have ``most`` characters, or one."""
    start = 0
    while start < len(texts):
        stop, size = start + 1, len(texts[start])
        while stop < len(texts) and size + len(texts[stop]) <= most:
            size += len(texts[stop])
            stop += 1
        yield texts[start:stop]
        start = stop


def predicates(tree: Tree) -> list[int]:
    """Tokens that head a star of their own, in text order.

    They are the verbs that predicate something: no auxiliaries, no mere modifiers. Bare taggers of
    user pipelines may leave the class empty; the fine-grained tag then decides.
    """
    return [
        i
        for i, pos in enumerate(tree.pos)
        if (pos in VERBAL or (not pos and tree.tags[i].startswith("VB")))
        and tree.deps[i] not in _NO_PREDICATE
    ]
