"""Pairs of related lemmas, each with a strength: what the lexicons list, weighed by the vectors.

A lexicon without senses lists "cat" with *barf*. The cosine of the vectors of two words says
whether people mean the same with them: of the pairs of Open English WordNet that PPDB has too, most
are above .3, of the others few. So a strength is a straight line in the cosine, raised where
another source agrees.

>>> sources = Sources(
...     {"synonym": {("sofa", "couch"), ("cat", "barf")}},
...     {("couch", "sofa"): 0},
...     cosine={("couch", "sofa"): 0.8, ("barf", "cat"): 0.0}.__getitem__,
... )
>>> synonyms(sources)
{('couch', 'sofa'): 1.0}
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, TypeAlias

__all__ = [
    "Pair",
    "Sources",
    "Strengths",
    "antonyms",
    "derivations",
    "exclusions",
    "similar",
    "synonyms",
    "transferred_antonyms",
]

Pair: TypeAlias = tuple[str, str]
Strengths: TypeAlias = dict[Pair, float]

#: The least strength of synonyms, and of words that are only similar.
_SYNONYM: Final = 0.3
_SIMILAR: Final = 0.15
#: Two satellites of one adjective are near each other at this cosine.
_SATELLITES: Final = 0.35
#: Words that only counter-fitting has as antonyms are so at this cosine.
_OPPOSITE: Final = 0.15
#: Words beside opposites are opposites from this cosine and strength on; that of each and the other
#: one's opposite, too.
_TRANSFERRED: Final = (0.2, 0.5)
#: Who does it is less than the event: what that leaves of a strength.
_AGENT: Final = 0.7
_AGENTS: Final = ("er", "or", "ee", "ist", "ian")
#: Two spellings of a word.
_VARIANT: Final = 0.9
#: A word may derive from another's base at this cosine.
_ONE_ROOT: Final = 0.45
_PREFIX: Final = 4


@dataclass(frozen=True)
class Sources:
    """Entries of the lexicons about the words of a vocabulary.

    ``links`` are WordNet's pairs by relation, ``ranks`` PPDB's by rank (the words of a pair
    sorted), ``sure`` and ``exclusive`` those that PPDB holds to be equivalent or exclusive,
    ``opposites`` more antonyms; ``closed`` are classes of which everybody knows all members;
    ``cosine`` is that of a sorted pair.
    """

    links: Mapping[str, Collection[Pair]]
    ranks: Mapping[Pair, int] = field(default_factory=dict)
    sure: Collection[Pair] = ()
    exclusive: Collection[Pair] = ()
    opposites: Collection[Pair] = ()
    closed: Collection[Collection[str]] = ()
    cosine: Callable[[Pair], float] = lambda pair: 0.0

    def listed(self, *relations: str) -> set[Pair]:
        """Return the pairs of WordNet that have one of the relations, the words sorted."""
        return {
            (min(pair), max(pair))
            for relation in relations
            for pair in self.links.get(relation, ())
            if pair[0] != pair[1]
        }

    def neighbours(self, relation: str) -> dict[str, set[str]]:
        """Return the words that each word has the relation to, in either direction."""
        beside: defaultdict[str, set[str]] = defaultdict(set)
        for a, b in self.listed(relation):
            beside[a].add(b)
            beside[b].add(a)
        return beside


def antonyms(sources: Sources) -> Strengths:
    """Return pairs of opposites: WordNet's direct ones, and others that are near in meaning.

    Opposites have much in common; a pair that has not is one of rare senses (out, safe).
    """
    direct = {pair: 0.6 + 0.6 * sources.cosine(pair) for pair in sources.listed("antonym")}
    near = {pair: sources.cosine(pair) for pair in sources.opposites}
    others = {pair: 0.4 + 0.6 * near for pair, near in near.items() if near >= _OPPOSITE}
    return {pair: min(strength, 1.0) for pair, strength in (others | direct).items()}


def transferred_antonyms(sources: Sources, near: Strengths) -> Strengths:
    """Return pairs of words near to opposites: huge and tiny, by large and small.

    ``near`` are synonyms and similar adjectives. Verbs of several words are left out.
    """
    least_cosine, least = _TRANSFERRED
    beside: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for (a, b), strength in near.items():
        if "_" not in a and "_" not in b:
            beside[a][b] = beside[b][a] = strength
    direct = sources.listed("antonym")

    def alike(x: str, y: str) -> bool:
        return x == y or sources.cosine((min(x, y), max(x, y))) >= least_cosine

    strengths: Strengths = {}
    for a, b in sorted(direct):
        for x, first in [(a, 1.0), *beside[a].items()]:
            for y, second in [(b, 1.0), *beside[b].items()]:
                pair, strength = (min(x, y), max(x, y)), 0.8 * first * second
                if x == y or pair in direct or pair in near or strength < least:
                    continue
                # "Autumn" is beside "fall", and no opposite of "rise".
                if alike(x, y) and (x == a or alike(x, b)) and (y == b or alike(y, a)):
                    strengths[pair] = max(strength, strengths.get(pair, 0.0))
    return strengths


def exclusions(sources: Sources) -> Strengths:
    """Return pairs that exclude each other: members of closed classes; Spain, Austria.

    A synonym that is all but the same word (gray) is a member as its other spelling is.
    """
    variants: defaultdict[str, set[str]] = defaultdict(set)
    for a, b in sources.listed("synonym"):
        if sources.cosine((a, b)) >= _VARIANT:
            variants[a].add(b)
            variants[b].add(a)
    members = {
        (min(x, y), max(x, y))
        for words in sources.closed
        for a, b in combinations(sorted(words), 2)
        for x in {a, *variants[a]}
        for y in {b, *variants[b]}
    }
    return dict.fromkeys(sources.exclusive, 0.9) | dict.fromkeys(members, 1.0)


def synonyms(sources: Sources) -> Strengths:
    """Return pairs that can stand for each other.

    WordNet's synonyms where the vectors or PPDB bear them out, PPDB's sure ones, and its others if
    they share a synonym.
    """
    listed, near = sources.listed("synonym"), sources.neighbours("synonym")
    strengths = {}
    for pair in sorted({*listed, *sources.sure, *sources.ranks}):
        cosine = sources.cosine(pair)
        in_ppdb = pair in sources.ranks or pair in sources.sure
        strength = 0.4 + 0.6 * cosine
        if pair in listed:
            strength = 0.1 + 1.2 * cosine
            if in_ppdb:
                strength = max(0.5, strength + 0.2)
        elif not (
            (pair in sources.sure and cosine >= 0.3)
            or (cosine >= 0.2 and near.get(pair[0], set()) & near.get(pair[1], set()))
        ):
            continue
        if strength >= _SYNONYM:
            strengths[pair] = min(strength, 1.0)
    return strengths


def derivations(sources: Sources) -> Strengths:
    """Return pairs of one root in two parts of speech; not "home, homeless"."""
    listed = {pair for pair in sources.listed("derivation", "pertainym") if not _is_without(*pair)}
    strengths = {
        pair: _line(sources.cosine(pair), 0.4, 0.6) * (_AGENT if _is_agent(*pair) else 1)
        for pair in listed
    }
    bases: defaultdict[str, set[str]] = defaultdict(set)
    for a, b in listed:
        bases[a].add(b)
        bases[b].add(a)
    for words in bases.values():
        for pair in combinations(sorted(words), 2):
            if pair not in strengths and pair[0][:_PREFIX] == pair[1][:_PREFIX]:
                cosine = sources.cosine(pair)
                if cosine >= _ONE_ROOT and not _is_without(*pair):
                    strengths[pair] = _line(cosine, 0.3, 0.6)
    return strengths


def similar(sources: Sources) -> Strengths:
    """Return near synonyms: WordNet's similar adjectives, and PPDB's other paraphrases."""
    strengths: Strengths = {}
    for pair, strength in _similar(sources):
        if strength >= _SIMILAR:
            strengths[pair] = max(min(strength, 0.9), strengths.get(pair, 0.0))
    return strengths


def _similar(sources: Sources) -> Iterator[tuple[Pair, float]]:
    for pair in sources.listed("similar"):
        yield pair, 0.1 + 0.9 * sources.cosine(pair)
    for pair in sources.listed("synonym"):
        yield pair, 0.1 + 1.2 * sources.cosine(pair)
    for pair, rank in sources.ranks.items():
        yield pair, sources.cosine(pair) * max(1 - 0.05 * rank, 0.5)
    for words in sources.neighbours("similar").values():
        for pair in combinations(sorted(words), 2):
            cosine = sources.cosine(pair)
            if cosine >= _SATELLITES:
                yield pair, 0.8 * cosine


def _line(cosine: float, start: float, slope: float) -> float:
    return min(max(start + slope * cosine, 0.05), 1.0)


def _is_agent(first: str, second: str) -> bool:
    """Return whether one word names who or what does the other: teach, teacher."""
    base, longer = sorted((first, second), key=len)
    return longer.endswith(_AGENTS) and longer[:3] == base[:3] and not base.endswith(_AGENTS)


def _is_without(first: str, second: str) -> bool:
    """Return whether one of two words of one root says that there is none of the other."""
    return first.endswith("less") != second.endswith("less")
