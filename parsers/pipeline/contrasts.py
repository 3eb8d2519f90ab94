"""What is not meant beside what is: "tea, not coffee", "not coffee but tea".

Parsers hang the "not" of such a pair on whatever is near, often on the verb, as if that were
denied. Here the tree of all these is made the same: the noun that is meant is where the phrase is,
the other is its apposition, and "not" hangs on that (Huddleston and Pullum 2002, chapter 9, section
1.3.2, and chapter 15, section 4, on coordination of a denied part)::

    contrast(tree)      # in place
    denied(tree, tree.kids(noun), noun)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from compsim.parsers.pipeline.tree import NOUN_TAGS, Tree

__all__ = ["contrast", "denied"]

_NOUNS: Final = NOUN_TAGS | {"PRP", "CD"}
_FUNCTIONS: Final = ("nsubj", "nsubjpass", "dobj", "attr", "pobj")
_PHRASES: Final = ("prep", "dative")
_JOINTS: Final = frozenset((",", "and", "but", ";", "-", "\u2013", "\u2014"))


def contrast(tree: Tree) -> None:
    """Make the tree of every pair of nouns of which one is denied the same, in place."""
    for i in [i for i, lemma in enumerate(tree.lemmas) if lemma == "not" and tree.deps[i] == "neg"]:
        noun = _noun_after(tree, i)
        if noun < 0:
            _turn_phrase(tree, i)
            continue
        above = tree.heads[noun]
        if tree.deps[noun] in ("appos", "conj") and above < i and tree.word(i - 1) in _JOINTS:
            _exclude(tree, i, noun, above)
            if tree.deps[i - 1] == "cc":
                tree.hang(i - 1, noun, "cc")
        elif tree.heads[i] in (above, noun) and tree.deps[noun] in _FUNCTIONS:
            _turn(tree, i, noun)


def denied(tree: Tree, kids: Sequence[int], i: int) -> bool:
    """Whether "not" stands before a noun or a preposition, given its dependents, and denies it."""
    return any(kid < i and tree.lemmas[kid] == "not" and tree.deps[kid] == "neg" for kid in kids)


def _noun_after(tree: Tree, i: int) -> int:
    """The head of the noun phrase that begins right after a word, -1 where none does."""
    noun = i + 1
    while noun < len(tree) and tree.tags[noun] not in _NOUNS and tree.heads[noun] > noun:
        noun = tree.heads[noun]
    while noun < len(tree) and tree.deps[noun] in ("compound", "poss", "nummod"):
        noun = tree.heads[noun]
    return noun if i < noun < len(tree) and tree.tags[noun] in _NOUNS else -1


def _turn(tree: Tree, i: int, noun: int) -> None:
    """Put what follows "but" in the place of the noun after "not"."""
    kids, above, dep = tree.kids(noun), tree.heads[noun], tree.deps[noun]
    but = next((kid for kid in kids if tree.lemmas[kid] == "but"), -1)
    beside = [kid for kid in tree.kids(above) if tree.deps[kid] == dep]
    meant = next((kid for kid in (*kids, *beside) if kid > but and _joined(tree, kid, dep)), -1)
    if but >= 0 and meant >= 0:
        tree.hang(meant, above, dep)
        _exclude(tree, i, noun, meant)


def _joined(tree: Tree, i: int, dep: str) -> bool:
    return tree.deps[i] in ("conj", dep) and tree.tags[i] in _NOUNS


def _turn_phrase(tree: Tree, i: int) -> None:
    """Make a phrase with a preposition after "not" a part of the one like it before."""
    other = i + 1
    if other == len(tree) or tree.deps[other] not in _PHRASES or tree.word(i - 1) not in _JOINTS:
        return
    for first in reversed(tree.kids(tree.heads[other])):
        if first < i and tree.deps[first] in _PHRASES and tree.lemmas[first] == tree.lemmas[other]:
            noun = next((kid for kid in tree.kids(first) if tree.deps[kid] == "pobj"), -1)
            if noun >= 0:
                _exclude(tree, i, other, noun)
            return


def _exclude(tree: Tree, i: int, other: int, meant: int) -> None:
    """Hang "not", word ``i``, on what is not meant, and that on what is."""
    tree.hang(i, other, "neg")
    tree.hang(other, meant, "appos")
