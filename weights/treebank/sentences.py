"""Plain sentences with known trees, to teach the student what its teacher gets wrong.

A parser trained on newswire and the web reads "Police question suspects." as one noun phrase and
has seen few commands, questions, headlines and relative clauses. The silver trees do say which
nouns do what to which (:mod:`.skeletons`); this module says it again in two dozen constructions, as
trees that are read off from left to right (:mod:`.grammar`), so the tree of each sentence is known
from the way it is made. Some silver sentences come a second time in other letters or without their
full stop.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from compsim.parsers.files.conll import Tree
from compsim.weights.treebank.constructions import CONSTRUCTIONS
from compsim.weights.treebank.grammar import Node, written
from compsim.weights.treebank.phrases import Speaker
from compsim.weights.treebank.skeletons import Lexicon

__all__ = ["plain_sentences", "recased"]

ENDS = (".", "!", "?")


def plain_sentences(trees: Sequence[Tree], count: int, rng: random.Random) -> list[Tree]:
    """``count`` sentences made of the words of ``trees``; none where these have too few."""
    speaker = Speaker(Lexicon(trees), rng)
    makers = [maker for maker, _ in CONSTRUCTIONS]
    weights = [weight for _, weight in CONSTRUCTIONS]
    made: list[Tree] = []
    for _ in range(4 * count):
        if len(made) == count:
            break
        maker: Callable[[Speaker], Node] = rng.choices(makers, weights)[0]
        try:
            root = maker(speaker)
        except LookupError:  # a form or a part that the trees do not have
            continue
        made.append(_letters(written(root), maker.__name__ == "headline", rng))
    return made


def recased(trees: Sequence[Tree], share: float, rng: random.Random) -> Iterator[Tree]:
    """A share of the trees again: in capitals, small or Title Letters, or without a full stop."""
    for tree in trees:
        if rng.random() >= share:
            continue
        change = rng.choice((str.upper, str.lower, str.title, None, None))
        if change:
            yield replace(tree, words=[_changed(word, change) for word in tree.words])
        elif (
            tree.words[-1] in ENDS
            and len(tree.words) > 2
            and len(tree.words) - 1 not in (set(tree.heads[:-1]))
        ):
            yield Tree(
                **{name: getattr(tree, name)[:-1] for name in Tree.__dataclass_fields__},
            )


def _changed(word: str, change: Callable[[str], str]) -> str:
    """A word in other letters, as it was if that changes its length or breaks a clitic."""
    if change is str.title and (not word.isalpha() or word == "i"):
        return word
    other = change(word)
    return other if len(other) == len(word) else word


def _letters(tree: Tree, headline: bool, rng: random.Random) -> Tree:
    """The sentence as it would be written: most begin with a capital, a few have other letters."""
    words = list(tree.words)
    kind = rng.random()
    if headline and kind < 0.75:
        words = [
            word.capitalize() if len(word) > 3 or i == 0 else word for i, word in enumerate(words)
        ]
    elif kind > 0.96:
        words = [word.upper() for word in words]
    elif kind > 0.94:
        words = [word.lower() for word in words]
    elif kind < 0.8:
        words[0] = words[0][0].upper() + words[0][1:]
    return replace(tree, words=words)
