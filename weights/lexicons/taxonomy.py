"""Classes of words, from a table of hypernyms that lists words and no senses.

The synonyms among the words above a word are one sense of it: "dog" is below *canine* and *canid*,
which are synonyms, and below *chap* and *fellow*. Such a set is a class here. The words above all
words of a class are above the class: *carnivore* is above *canine* (which may be a tooth) and above
*canid*.

How much of a word belongs to a class is not in the table. The vectors say so: a word is near the
names and near the other members of the class that it mostly belongs to ("cat" is nearer to *feline*
and to its members than to *gossip*), and a class with frequent names is likelier.

>>> import numpy as np
>>> vectors = {"dog": [1, 0], "canine": [1, 0.2], "chap": [0, 1], "wolf": [1, 0.1], "lad": [0, 1]}
>>> taxonomy = Taxonomy(
...     {"dog": {"canine", "chap"}, "wolf": {"canine"}, "lad": {"chap"}},
...     {},
...     {word: np.array(v) / np.linalg.norm(v) for word, v in vectors.items()},
...     dict.fromkeys(vectors, 4.0),
... )
>>> taxonomy.senses("dog")[0]
Membership(words=('canine',), share=1.0)
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Class", "Membership", "Taxonomy"]

Class: TypeAlias = tuple[str, ...]
Floats: TypeAlias = npt.NDArray[np.floating[Any]]

_BOTH: Final = frozenset(("noun", "verb"))
#: How much nearer, as a cosine, makes a class e times as likely.
_SHARPNESS: Final = 0.12
#: What a step of Zipf's scale (ten times as frequent) is worth as a cosine, and its middle.
_FREQUENT: Final = 0.04
_USUAL: Final = 4.0
#: So many members of a class, the most frequent ones, stand for all.
_MEMBERS: Final = 60
#: A class that is likely to less than this is left out.
_LEAST: Final = 0.12


class Membership(NamedTuple):
    """A class and how much of the word belongs there, relative to its likeliest class."""

    words: Class
    share: float


class Ancestor(NamedTuple):
    """Class above a word: the share of the word in it, and the number of steps."""

    share: float
    depth: int


class Taxonomy:
    """The classes of words and the classes above them.

    Args:
        hypernyms: The words above each word.
        synonyms: The synonyms of each word, in both directions.
        vectors: A unit vector for each word in ``hypernyms``, on both sides.
        zipf: How frequent each of these words is, on Zipf's scale.
        parts: The parts of speech of words, ``"noun"`` and ``"verb"``, for those that are known.
    """

    def __init__(
        self,
        hypernyms: Mapping[str, Collection[str]],
        synonyms: Mapping[str, Collection[str]],
        vectors: Mapping[str, Floats],
        zipf: Mapping[str, float],
        parts: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self._parts = parts or {}
        self._part_of: dict[Class, str] = {}
        self._synonyms = synonyms
        self._vectors = vectors
        self._zipf = zipf
        self._classes = {word: self._group(word, above) for word, above in hypernyms.items()}
        self._parents: dict[Class, list[Membership]] = {}
        self._senses: dict[str, list[Membership]] = {}

    @cached_property
    def members(self) -> dict[Class, list[str]]:
        """The words directly below each class, the most frequent first."""
        members: defaultdict[Class, list[str]] = defaultdict(list)
        for word, classes in self._classes.items():
            for each in classes:
                members[each].append(word)
        return {
            each: sorted(words, key=lambda word: (-self._zipf[word], word))
            for each, words in members.items()
        }

    def senses(self, word: str) -> list[Membership]:
        """Return the classes of a word, the likeliest first."""
        if word not in self._senses:
            scores = {c: self._evidence(word, c) for c in self._classes.get(word, ())}
            self._senses[word] = _memberships(scores)
        return self._senses[word]

    def parents(self, words: Class) -> list[Membership]:
        """Return the classes directly above a class, the likeliest first."""
        if words not in self._parents:
            part = self._part(words)
            each = [
                {c for c in self._classes.get(word, ()) if {part, self._part(c)} != _BOTH}
                for word in words
            ]
            above = set.intersection(*each)
            if not above and len(words) > 1:
                # The table lacks some rows: a class that shares a word with those of the others.
                names = [{name for c in classes for name in c} for classes in each]
                common = set.intersection(*names)
                above = {c for classes in each for c in classes if common & set(c)}
            if not above:
                above = set().union(*each)
            scores = {c: self._nearness(words, c) for c in sorted(above) if c != words}
            self._parents[words] = _memberships(scores)
        return self._parents[words]

    def ancestors(self, word: str, depth: int, least: float = _LEAST) -> dict[Class, Ancestor]:
        """Return the classes up to ``depth`` steps above a word that it belongs to at least so."""
        ancestors: dict[Class, Ancestor] = {}
        front = {c: share for c, share in self.senses(word) if share >= least}
        for steps in range(1, depth + 1):
            above: dict[Class, float] = {}
            for words, share in front.items():
                if word in words or (words in ancestors and ancestors[words].share >= share):
                    continue
                first = ancestors[words].depth if words in ancestors else steps
                ancestors[words] = Ancestor(share, first)
                for parent, part in self._parents_of(words, word):
                    if share * part >= least:
                        above[parent] = max(above.get(parent, 0.0), share * part)
            front = above
        return ancestors

    def _parents_of(self, words: Class, word: str) -> list[Membership]:
        """Return the classes above one that ``word`` is in: it says what an unclear name means."""
        parents = self.parents(words)
        if len(parents) < 2:
            return parents
        near = [self._near(word, parent) for parent, _ in parents]
        best = max(near)
        parts = [
            Membership(parent, part * math.exp((cosine - best) / (2 * _SHARPNESS)))
            for (parent, part), cosine in zip(parents, near, strict=True)
        ]
        most = max(part for _, part in parts)
        return [Membership(parent, part / most) for parent, part in parts]

    def _near(self, word: str, words: Class) -> float:
        return max(float(self._vectors[word] @ self._vectors[name]) for name in words)

    def fit(self, name: str, words: Class) -> float:
        """Return how likely ``name``, one of the words of a class, means that class by itself."""
        rivals = self._named.get(name, [words])
        near = {c: float(self._centre(c) @ self._vectors[name]) for c in rivals}
        return math.exp((near[words] - max(near.values())) / _SHARPNESS)

    def _part(self, words: Class) -> str:
        """Return "noun" or "verb", or "" where neither the names nor the members tell."""
        if words not in self._part_of:
            known = [set(self._parts[name]) & _BOTH for name in words if name in self._parts]
            common = set.intersection(*known) if known else set()
            if len(common) != 1:
                members = [set(self._parts.get(w, ())) & _BOTH for w in self.members.get(words, ())]
                votes = Counter(part for parts in members if len(parts) == 1 for part in parts)
                common = {max(sorted(votes), key=votes.__getitem__)} if votes else set()
            self._part_of[words] = common.pop() if common else ""
        return self._part_of[words]

    @cached_property
    def _named(self) -> dict[str, list[Class]]:
        named: defaultdict[str, list[Class]] = defaultdict(list)
        for words in self.members:
            for name in words:
                named[name].append(words)
        return named

    def _group(self, word: str, words: Collection[str]) -> list[Class]:
        """Return ``words``, those above a word, as classes."""
        groups: list[list[str]] = []
        for high in sorted(words):
            near = self._synonyms.get(high, ())
            fitting = [group for group in groups if all(other in near for other in group)]
            for group in fitting:
                group.append(high)
            if not fitting:
                groups.append([high])
        return [tuple(group) for group in groups] + self._nouns_among(word, groups)

    def _nouns_among(self, word: str, groups: Collection[Collection[str]]) -> list[Class]:
        """Return the classes of a noun that those of the verb spelt alike hide.

        To shirt is to *clothe*, *dress* or *garment* somebody; a shirt is a *garment*.
        """
        if "noun" not in self._parts.get(word, ()):
            return []
        classes = []
        for group in groups:
            nouns = tuple(name for name in group if "noun" in self._parts.get(name, ()))
            of_verb = all("verb" in self._parts.get(name, ()) for name in group)
            if of_verb and 0 < len(nouns) < len(group):
                classes.append(nouns)
                self._part_of[nouns] = "noun"
        return classes

    def _evidence(self, word: str, words: Class) -> float:
        vector = self._vectors[word]
        near = self._near(word, words)
        others = [
            other
            for other in self.members[words][:_MEMBERS]
            if other != word and not _overlap(word, other)
        ]
        beside = float(self._mean(others) @ vector) if others else 0.8 * near
        if any(_overlap(word, name) for name in words):
            near = min(near, beside)  # "apple" is near "apple tree" whatever it means
        return (near + beside) / 2 + self._frequency(words)

    def _nearness(self, words: Class, above: Class) -> float:
        centre, high = self._centre(words), self._centre(above)
        names = [self._vectors[name] for name in words]
        tops = [self._vectors[name] for name in above]
        near = max(float(a @ b) for a in names for b in tops)
        return (
            near + max(float(centre @ b) for b in tops) + float(centre @ high)
        ) / 3 + self._frequency(above)

    def _frequency(self, words: Class) -> float:
        return _FREQUENT * (max(self._zipf[name] for name in words) - _USUAL)

    def _centre(self, words: Class) -> Floats:
        return self._mean(self.members.get(words, list(words))[:_MEMBERS])

    def _mean(self, words: Collection[str]) -> Floats:
        total = sum(max(self._zipf[word] - 1, 0.2) * self._vectors[word] for word in words)
        return np.asarray(total / max(float(np.linalg.norm(total)), 1e-9))


def _memberships(scores: Mapping[Class, float]) -> list[Membership]:
    """Return the classes, the likeliest first, by how far each score is behind the best one."""
    best = max(scores.values(), default=0.0)
    memberships = [Membership(c, math.exp((s - best) / _SHARPNESS)) for c, s in scores.items()]
    return sorted(memberships, key=lambda each: (-each.share, each.words))


def _overlap(word: str, name: str) -> bool:
    return word in name or name in word or bool(set(word.split("_")) & set(name.split("_")))
