"""Sentences whose phrases are exchanged for phrases of other sentences, and phrases by themselves.

What they say is often odd, but each is nearly grammatical and together they hold many more pairs of
words than the sentences that they come from: text for a teacher that gives any text a vector.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from compsim.parsers.files.conll import Tree

__all__ = ["recombined"]

#: Dependents that are exchanged for others of their label and tag, up to this many tokens long.
_EXCHANGED: Final = frozenset(
    (
        *("nsubj", "nsubjpass", "dobj", "pobj", "attr", "acomp", "prep", "pcomp", "advmod", "amod"),
        *("nummod", "compound", "conj", "acl", "advcl", "relcl", "xcomp", "ccomp", "ROOT"),
    )
)
_LONGEST: Final = 8
#: Labels of phrases that stand by themselves.
_ALONE: Final = frozenset(
    (
        *("nsubj", "dobj", "pobj", "attr", "prep", "conj", "relcl", "advcl", "xcomp", "ccomp"),
        "ROOT",
    )
)
#: Sentences of so many tokens are changed, in at most so many places, each with this probability.
_LENGTHS: Final = range(4, 17)
_PLACES: Final = 3
_CHANCE: Final = 0.7
#: One text in so many is a phrase.
_PHRASES: Final = 6
_NAMES: Final = ("NNP", "NNPS")

_Token = tuple[str, bool]


class _Phrase(NamedTuple):
    """A subtree: the number of its tree, its head, its first and its last token."""

    tree: int
    head: int
    first: int
    last: int


def recombined(trees: Sequence[Tree], count: int, rng: random.Random) -> list[str]:
    """Return ``count`` different texts made of the trees, in random order."""
    phrases = [_phrases(number, tree) for number, tree in enumerate(trees)]
    bank: dict[tuple[str, str], list[_Phrase]] = defaultdict(list)
    for tree, subtrees in zip(trees, phrases, strict=True):
        for head, phrase in enumerate(subtrees):
            if tree.deps[head] in _EXCHANGED and phrase.last - phrase.first < _LONGEST:
                bank[tree.deps[head], tree.tags[head]].append(phrase)
    alone = [phrase for (label, _), result in bank.items() if label in _ALONE for phrase in result]
    made: set[str] = set()
    while len(made) < count // _PHRASES:
        tokens = _tokens(trees, rng.choice(alone))
        if len(tokens) >= 2:
            made.add(_text(tokens))
    changed = [number for number, tree in enumerate(trees) if len(tree.words) in _LENGTHS]
    while len(made) < count:
        number = rng.choice(changed)
        made.add(_text(_exchange(trees, number, phrases[number], bank, rng)))
    made.discard("")
    texts = sorted(made)
    rng.shuffle(texts)
    return texts


def _phrases(number: int, tree: Tree) -> list[_Phrase]:
    """Return the subtree of each token."""
    first, last = list(range(len(tree.words))), list(range(len(tree.words)))
    for token in range(len(tree.words)):
        above = token
        while tree.heads[above] not in (above, -1):
            above = tree.heads[above]
            first[above] = min(first[above], token)
            last[above] = max(last[above], token)
    return [_Phrase(number, head, *ends) for head, ends in enumerate(zip(first, last, strict=True))]


def _exchange(
    trees: Sequence[Tree],
    number: int,
    phrases: Sequence[_Phrase],
    bank: dict[tuple[str, str], list[_Phrase]],
    rng: random.Random,
) -> list[_Token]:
    """Return the tokens of a tree with some of its phrases exchanged."""
    tree = trees[number]
    open_to = [
        phrase
        for phrase, label in zip(phrases, tree.deps, strict=True)
        if label in _EXCHANGED
        and label != "ROOT"
        and phrase.last - phrase.first < min(_LONGEST, len(tree.words) - 2)
    ]
    rng.shuffle(open_to)
    chosen: dict[int, _Phrase] = {}
    for phrase in open_to:
        if len(chosen) == _PLACES:
            break
        apart = all(phrase.last < x.first or phrase.first > x.last for x in chosen.values())
        if apart and rng.random() < _CHANCE:
            chosen[phrase.first] = phrase
    tokens: list[_Token] = []
    place = 0
    while place < len(tree.words):
        phrase = chosen.get(place, phrases[place])
        if place not in chosen:
            tokens.append((tree.words[place], tree.spaces[place]))
            place += 1
            continue
        new = rng.choice(bank[tree.deps[phrase.head], tree.tags[phrase.head]])
        words = _tokens(trees, new)
        words[-1] = (words[-1][0], tree.spaces[phrase.last])
        word, space = words[0]
        if place and trees[new.tree].tags[new.first] not in _NAMES and word != "I":
            words[0] = (word.lower(), space)
        tokens += words
        place = phrase.last + 1
    return tokens


def _tokens(trees: Sequence[Tree], phrase: _Phrase) -> list[_Token]:
    """Return the tokens of a phrase, and whether a space follows each."""
    tree, span = trees[phrase.tree], slice(phrase.first, phrase.last + 1)
    return list(zip(tree.words[span], tree.spaces[span], strict=True))


def _text(tokens: Sequence[_Token]) -> str:
    written = "".join(word + " " * space for word, space in tokens)
    return written.strip().replace("\n", " ")
