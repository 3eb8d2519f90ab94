"""Mending trees that have lost their verb.

Parsers take a verb after a bare plural for part of a compound noun: in "Police question suspects."
everything becomes one noun phrase and nothing happens to anybody. When a sentence has no predicate
at all, a word is looked for that could be its verb: one that PropBank knows as a verb, with a noun
before it that agrees with it in number. The tree is then rebuilt around it; what stood to its left
is its subject, a noun on its right its object.
"""

from __future__ import annotations

from collections.abc import Container

from compsim.parsers.pipeline.tree import Tree
from compsim.vectors.words import lemma_candidates

__all__ = ["mend"]

_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_SUBJECTS = (*_NOUNS, "PRP", "CD")


def mend(tree: Tree, verbs: Container[str]) -> bool:
    """Make a word of a predicate-less tree its verb, in place; False where none could be one.

    ``verbs`` holds the lemmas that can be verbs.
    """
    for i in range(1, len(tree)):
        lemma = _verb_lemma(tree, i, verbs)
        if lemma and _agrees(tree, i):
            _rebuild(tree, i, lemma)
            return True
    return False


def _verb_lemma(tree: Tree, i: int, verbs: Container[str]) -> str | None:
    if tree.tags[i] not in _NOUNS and not tree.tags[i].startswith("VB"):
        return None
    word = tree.word(i).lower()
    return next((form for form in (word, *lemma_candidates(word)) if form in verbs), None)


def _agrees(tree: Tree, i: int) -> bool:
    """Whether the word before could be the subject of ``i``, a verb in the present or the past."""
    before, word = tree.tags[i - 1], tree.word(i).lower()
    if before not in _SUBJECTS:
        return False
    if word.endswith("ed"):
        return True
    singular_verb = word.endswith("s") and not word.endswith("ss")
    # "The rules of grammar vary": the verb agrees with what stands before "of".
    of = next((k for k in range(i - 2, 0, -1) if tree.tags[k] == "IN"), 0)
    if of and tree.word(of).lower() == "of" and not singular_verb and _plural(tree, of - 1):
        return True
    return _plural(tree, i - 1) != singular_verb


def _plural(tree: Tree, i: int) -> bool:
    return tree.tags[i] in ("NNS", "NNPS") or tree.word(i).lower().endswith("s")


def _rebuild(tree: Tree, verb: int, lemma: str) -> None:
    heads, deps = tree.heads, tree.deps
    for i in range(len(tree)):
        if i == verb:
            continue
        left = i < verb
        across = heads[i] == i or heads[i] == verb or (heads[i] < verb) != left
        # The subject's head is free of the words that it now heads.
        if not across and i != verb - 1:
            continue
        if left and i != verb - 1:
            heads[i], deps[i] = verb - 1, "compound" if deps[i] == "ROOT" else deps[i]
        else:
            heads[i] = verb
            deps[i] = _label(tree, i, left)
    heads[verb], deps[verb] = verb, "ROOT"
    tree.tags[verb], tree.pos[verb], tree.lemmas[verb] = "VBP", "VERB", lemma


def _label(tree: Tree, i: int, left: bool) -> str:
    if left:
        return "nsubj"
    return "dobj" if tree.tags[i] in _SUBJECTS else tree.deps[i]
