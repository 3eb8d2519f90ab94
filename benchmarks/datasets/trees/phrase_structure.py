"""Trees of phrases: read from brackets, or made of a dependency tree.

>>> tree, = read_brackets("(ROOT (S (NP (DT The) (NN dog)) (VP (VBZ barks)) (. .)))")
>>> tree.productions()[:3]
['ROOT -> S', 'S -> NP VP .', 'NP -> DT NN']
>>> str(tree)
'(ROOT (S (NP (DT The) (NN dog)) (VP (VBZ barks)) (. .)))'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from compsim.errors import DataError
from compsim.parsers.pipeline.tree import Tree
from compsim.storage.reading import read_text

__all__ = ["PhraseTree", "of_dependencies", "read_brackets", "read_phrase_trees"]

_TOKEN: Final = re.compile(r"[()]|[^\s()]+")
_SUBJECTS: Final = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"))
#: The phrase that a word heads, by the beginning of its tag.
_PHRASES: Final = {
    "NN": "NP", "PRP": "NP", "WP": "WHNP", "CD": "QP", "JJ": "ADJP", "RB": "ADVP", "WRB": "WHADVP",
    "IN": "PP", "TO": "PP", "VB": "VP", "MD": "VP", "UH": "INTJ",
}  # fmt: skip
_DEEPEST: Final = 400


@dataclass(frozen=True)
class PhraseTree:
    """A node: its label, and the nodes below it; or, above a word, that ``word``."""

    label: str
    children: tuple[PhraseTree, ...] = ()
    word: str = ""

    def nodes(self) -> list[PhraseTree]:
        """The node and all below it, each before those below it."""
        results = [self]
        for node in results:
            results += node.children
        return results

    def production(self, words: bool = False) -> str:
        """Return the production of the node; a word as "*" unless ``words`` count."""
        below = " ".join(child.label for child in self.children)
        return f"{self.label} -> {below or (self.word.lower() if words else '*')}"

    def productions(self, words: bool = False) -> list[str]:
        """Those of ``nodes``, in their order."""
        return [node.production(words) for node in self.nodes()]

    def __str__(self) -> str:
        inside = self.word if self.word else " ".join(map(str, self.children))
        return f"({self.label} {inside})"


def read_phrase_trees(path: str | Path) -> list[PhraseTree]:
    """The trees of a file, gzipped or not: of brackets, or of its sentences, one a line.

    Sentences are parsed by the shipped pipeline, whose trees of dependencies are turned into
    phrases. Raises ``DataError`` for a file that cannot be read, is broken or has no sentence.
    """
    text = read_text(Path(path))
    if text.lstrip().startswith("("):
        try:
            return read_brackets(text)
        except DataError as error:
            raise DataError(f"{path}: {error}") from error
    lines = [" ".join(line.split()) for line in text.split("\n")]
    sentences = [line for line in lines if line]
    if not sentences:
        raise DataError(f"{path} has no sentences: write one a line, or trees in brackets")
    from compsim.parsers.roles.srl import SrlParser

    parser = SrlParser()
    return [of_dependencies(tree) for tree, _ in parser.analyse(sentences)]


def read_brackets(text: str) -> list[PhraseTree]:
    """The trees in a text as treebanks and parsers write them, "(S (NP (NN x)) ...)".

    A node without a label is taken for ROOT. Raises ``DataError`` for brackets that do not match,
    words beside phrases, and trees too deep to be any sentence's.
    """
    brackets: list[PhraseTree] = []
    stack: list[tuple[str, list[PhraseTree], list[str]]] = []
    tokens = _TOKEN.findall(text)
    for place, token in enumerate(tokens):
        if token == "(":
            following = tokens[place + 1] if place + 1 < len(tokens) else ""
            stack.append(("ROOT" if following in ("(", ")", "") else "", [], []))
            if len(stack) > _DEEPEST:
                raise DataError(f"a tree is deeper than {_DEEPEST} nodes: it is no sentence's")
        elif token != ")":
            if not stack:
                raise DataError(f"{token!r} stands outside of all brackets: give trees only")
            label, children, words = stack[-1]
            if label:
                words.append(token)
            else:
                stack[-1] = token, children, words
        else:
            if not stack:
                raise DataError("a bracket closes that was not opened: mend the trees")
            label, children, words = stack.pop()
            if bool(children) == bool(words) or len(words) > 1:
                raise DataError(f"the node {label!r} has neither nodes only nor one word: mend it")
            node = PhraseTree(label, tuple(children), "".join(words))
            (stack[-1][1] if stack else brackets).append(node)
    if stack or not brackets:
        raise DataError("a bracket is not closed, or there is no tree: mend the trees")
    return brackets


def of_dependencies(tree: Tree) -> PhraseTree:
    """The phrases of a dependency tree: each word with others below it heads one.

    A verb with a subject heads a sentence (S) with a verb phrase (VP) from the verb on, its
    auxiliaries included; all else that a word has is beside it. A tree with several roots has them
    side by side.
    """
    kids = tree.children()
    made: dict[int, PhraseTree] = {}
    for i in reversed(_downwards(tree, kids)):
        made[i] = _phrase(tree, i, kids[i], made)
    roots = [made[i] for i, head in enumerate(tree.heads) if head == i]
    return PhraseTree("ROOT", tuple(roots))


def _downwards(tree: Tree, kids: Sequence[Sequence[int]]) -> list[int]:
    order = [i for i, head in enumerate(tree.heads) if head == i]
    for i in order:
        order += kids[i]
    return order


def _phrase(tree: Tree, i: int, below: Sequence[int], made: dict[int, PhraseTree]) -> PhraseTree:
    own = PhraseTree(tree.tags[i] or "X", word=tree.word(i) or "*")
    if not below:
        return own
    tag = tree.tags[i]
    label = next((name for start, name in _PHRASES.items() if tag.startswith(start)), "X")
    subjects = [kid for kid in below if tree.deps[kid] in _SUBJECTS and kid < i]
    if label == "VP" and subjects:
        outer = [made[kid] for kid in below if kid <= subjects[-1]]
        inner = [kid for kid in below if kid > subjects[-1]]
        mark = [made[kid] for kid in inner if tree.deps[kid] == "punct" and kid > below[-1] - 1]
        inner = [kid for kid in inner if made[kid] not in mark]
        return PhraseTree("S", (*outer, _joined("VP", own, i, inner, made), *mark))
    return _joined(label, own, i, below, made)


def _joined(
    label: str, own: PhraseTree, i: int, below: Sequence[int], made: dict[int, PhraseTree]
) -> PhraseTree:
    left = (made[kid] for kid in below if kid < i)
    right = (made[kid] for kid in below if kid > i)
    children = (*left, own, *right)
    return PhraseTree(label, children) if len(children) > 1 or label == "VP" else own
