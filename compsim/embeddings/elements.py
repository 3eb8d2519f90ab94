"""The elements of a sentence by its dependency tree: predicate, subject, object and adverbial.

They are constituents: the words below and including the dependents of the root by their relation.
Clauses that are coordinated with the root's are no elements of it.

>>> from compsim.parsers.roles.srl import SrlParser
>>> tree, = SrlParser().trees(["Yesterday the old dog bit a man."])
>>> for name, words in elements(tree).items():
...     print(name, [tree.word(i) for i in words])
predicate ['bit']
subject ['the', 'old', 'dog']
object ['a', 'man']
adverbial ['Yesterday']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from compsim.embeddings.word_flow import is_word
from compsim.graph import Node
from compsim.plain_text import PlainText

if TYPE_CHECKING:
    from compsim.parsers.pipeline.tree import Tree

__all__ = ["ELEMENTS", "elements", "main_pairs", "pairs", "words_node"]

#: ClearNLP's relations of each element's dependents of the root; the predicate has the root too.
_RELATIONS: Final = {
    "predicate": ("aux", "auxpass", "neg", "prt", "det", "predet", "amod", "compound", "nn",
                  "nummod", "poss", "quantmod"),
    "subject": ("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"),
    "object": ("dobj", "dative", "iobj", "attr", "oprd", "acomp", "xcomp", "ccomp", "pcomp"),
    "adverbial": ("prep", "agent", "advmod", "npadvmod", "npmod", "tmod", "advcl"),
}  # fmt: skip
#: The names of the elements.
ELEMENTS: Final = tuple(_RELATIONS)

_SUBJECTS: Final = ("nsubj", "nsubjpass", "csubj", "csubjpass")
_OBJECTS: Final = ("dobj", "dative", "iobj", "attr", "oprd")
_AGENT: Final = "agent"
_OF_AGENT: Final = "pobj"
_PUNCTUATION: Final = "punct"


def elements(tree: Tree) -> dict[str, list[int]]:
    """Return the tokens of each element that a tree has, in text order.

    Of a text of several trees, an element has the words of all of them.
    """
    words: dict[str, set[int]] = {name: set() for name in ELEMENTS}
    of = {relation: name for name, relations in _RELATIONS.items() for relation in relations}
    kids = tree.children()
    for root, head in enumerate(tree.heads):
        if root != head or not is_word(tree.word(root)):
            continue
        words["predicate"].add(root)
        for kid in kids[root]:
            if tree.deps[kid] in of:
                words[of[tree.deps[kid]]].update(_below(kids, kid))
    return {name: sorted(result) for name, result in words.items() if result}


def pairs(tree: Tree) -> list[tuple[int, int]]:
    """Return each head with each dependent that is no punctuation, in the dependents' order."""
    return [
        (head, i) for i, head in enumerate(tree.heads) if head != i and tree.deps[i] != _PUNCTUATION
    ]


def main_pairs(tree: Tree) -> list[tuple[int, int]]:
    """Return the predicates with their subjects and objects, those of passives among them."""
    results = []
    for head, i in pairs(tree):
        if tree.deps[i] in _SUBJECTS or tree.deps[i] in _OBJECTS:
            results.append((head, i))
        elif tree.deps[i] == _OF_AGENT and tree.deps[head] == _AGENT:
            results.append((tree.heads[head], i))
    return results


def words_node(tree: Tree, words: Sequence[int], text: str) -> Node:
    """Return the node of some tokens, ascending; ``text`` is the sentence that was parsed."""
    read = PlainText.typed(text)
    spans = list(_stretches(tree, words))
    label = " ".join(tree.text[start:end] for start, end in spans)
    parts = tuple(map(read.outside, spans))
    whole = parts[0][0], parts[-1][1]
    return Node(label, whole, parts=parts if len(parts) > 1 else ())


def _stretches(tree: Tree, words: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the character ranges of tokens in a tree's text, adjacent ones merged."""
    start = 0
    for k, i in enumerate(words):
        if k + 1 == len(words) or words[k + 1] != i + 1:
            yield tree.starts[words[start]], tree.ends[i]
            start = k + 1


def _below(kids: Sequence[Sequence[int]], top: int) -> list[int]:
    """A token and those below it."""
    results = [top]
    for i in results:
        results += kids[i]
    return results
