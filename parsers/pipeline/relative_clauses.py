"""Relative clauses whose verb was taken for the last noun of its subject.

In "The nurse who the horse bit fell" taggers see a horse bit, a part of a bridle, and parsers a
nurse who that fell. An irregular past form behind a noun that it is said to be part of is a verb
where another noun waits for one: the noun of the relative clause that it is in, or that the finite
verb right after it would be in, or a first subject of that ("the nurse the horse bit fell")::

    part(tree, verbs, irregular)    # horse: "nsubj" of bit, a "relcl" of nurse; fell: the root
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from compsim.parsers.pipeline.reconciling import Irregular, verb_lemma
from compsim.parsers.pipeline.tree import AUXILIARY, Tree

__all__ = ["part"]

_NOUNS: Final = ("NN", "NNS", "NNP", "NNPS")
#: What such a verb is taken for: the subject of a finite verb, or the clause, as a noun.
_PLACES: Final = ("nsubj", "nsubjpass", "relcl")
_PARTS: Final = ("compound", "amod", "nmod")
_PRONOUNS: Final = ("WP", "WDT")


def part(tree: Tree, verbs: Container[str], irregular: Irregular) -> None:
    """Part such verbs from the subjects that they were taken for, in place.

    ``verbs`` holds the lemmas that can be verbs, ``irregular`` the lemmas of irregular forms.
    """
    for inner, dep in enumerate(tree.deps):
        if dep not in _PLACES or tree.tags[inner] not in _NOUNS:
            continue
        subject, word = inner - 1, tree.word(inner).lower()
        lemma = verb_lemma(tree, inner, verbs, irregular)
        if subject < 0 or lemma in (None, word) or word not in irregular:
            continue
        whole = tree.deps[subject] in _PARTS and tree.heads[subject] == inner
        if whole and tree.tags[subject] in _NOUNS and _rehang(tree, inner):
            tree.tags[inner], tree.pos[inner], tree.lemmas[inner] = "VBD", "VERB", lemma or word


def _rehang(tree: Tree, inner: int) -> bool:
    """Hang the words around a verb where they belong, if a noun waits for it; whether one does."""
    subject, outer, dep = inner - 1, tree.heads[inner], tree.deps[inner]
    within = dep == "relcl"
    beside = tree.kids(inner if within else outer)
    pronoun = next((k for k in beside if k < subject and tree.tags[k] in _PRONOUNS), -1)
    if within:
        if pronoun < 0:
            return False
    elif tree.deps[outer] == "relcl":
        noun = tree.heads[outer]
        if pronoun < 0 or tree.deps[noun] != "ROOT" or not _follows(tree, outer, inner):
            return False
        tree.hang(outer, outer, "ROOT")
        for kid in [kid for kid in tree.kids(noun) if kid > outer]:
            tree.hang(kid, outer, tree.deps[kid])
        tree.hang(noun, outer, dep)
        tree.hang(pronoun, inner, "dobj")
        tree.hang(inner, noun, "relcl")
    else:
        before = (k for k in beside if k < subject and tree.deps[k] in _PLACES)
        noun = next((k for k in before if tree.tags[k] in _NOUNS), -1)
        if noun < 0 or not _follows(tree, outer, inner):
            return False
        tree.hang(inner, noun, "relcl")
    for kid in [kid for kid in tree.kids(inner) if kid not in (subject, pronoun)]:
        tree.hang(kid, subject, tree.deps[kid])
    tree.hang(subject, inner, "nsubj")
    return True


def _follows(tree: Tree, outer: int, inner: int) -> bool:
    """Whether a verb stands right behind another, its auxiliaries aside."""
    between = range(inner + 1, outer)
    own = all(tree.deps[i] in AUXILIARY and tree.heads[i] == outer for i in between)
    return own and inner < outer and tree.tags[outer].startswith("VB")
