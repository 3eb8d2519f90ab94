"""Sentences whose tree is known because they are built as trees.

A *node* is a word with its tag, its label and what hangs on it to the left and to the right; read
from left to right it is a sentence::

    >>> dog = Node("dog", "NN", "nsubj", [Node("the", "DT", "det")])
    >>> bark = Node("barked", "VBD", "ROOT", [dog], [Node(".", ".", "punct", tight=True)])
    >>> written(bark).text, written(bark).heads
    ('the dog barked.', [1, 2, 2, 2])
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from compsim.parsers.files.conll import Tree

__all__ = ["Node", "written"]

VOWELS = "aeiou"


@dataclass
class Node:
    """A word with its dependents in text order; ``tight`` if no space stands before it."""

    word: str
    tag: str
    dep: str
    left: list[Node] = field(default_factory=list)
    right: list[Node] = field(default_factory=list)
    tight: bool = False

    def walk(self) -> Iterator[Node]:
        """The node and all below it in text order."""
        for kid in self.left:
            yield from kid.walk()
        yield self
        for kid in self.right:
            yield from kid.walk()

    @property
    def plural(self) -> bool:
        """True if a verb agrees with this subject in the plural."""
        word = self.word.lower()
        coordinated = any(kid.dep == "cc" for kid in self.right)
        return coordinated or self.tag == "NNS" or word in ("i", "you", "we", "they", "these")


def written(root: Node) -> Tree:
    """The sentence of a root node; "a" becomes "an" where it has to."""
    nodes = list(root.walk())
    place = {id(node): i for i, node in enumerate(nodes)}
    heads = [place[id(root)]] * len(nodes)
    for node in nodes:
        for kid in (*node.left, *node.right):
            heads[place[id(kid)]] = place[id(node)]
    words = [node.word for node in nodes]
    for i, word in enumerate(words[:-1]):
        if word == "a" and words[i + 1][0].lower() in VOWELS:
            words[i] = "an"
    return Tree(
        words=words,
        tags=[node.tag for node in nodes],
        pos=["X"] * len(nodes),
        lemmas=words,
        heads=heads,
        deps=[node.dep for node in nodes],
        spaces=[not node.tight for node in nodes[1:]] + [False],
    )
