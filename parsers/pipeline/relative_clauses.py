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
from compsim.parsers.pipeline.tree import AUXILIARY, NOUN_TAGS, RELATIVE_PRONOUNS, Tree

__all__ = ["part"]

#: What such a verb is taken for: the subject of a finite verb, or the clause, as a noun.
_PLACES: Final = ("nsubj", "nsubjpass", "relcl")
_PARTS: Final = ("compound", "amod", "nmod")


def part(tree: Tree, verbs: Container[str], irregular: Irregular) -> None:
    """Part such verbs from the subjects that they were taken for, in place.

    ``verbs`` holds the lemmas that can be verbs, ``irregular`` the lemmas of irregular forms.
    """
    for inner, dep in enumerate(tree.deps):
        subject = inner - 1
        if dep not in _PLACES or tree.tags[inner] not in NOUN_TAGS or subject < 0:
            continue
        whole = tree.deps[subject] in _PARTS and tree.heads[subject] == inner
        word = tree.word(inner).lower()
        if not whole or tree.tags[subject] not in NOUN_TAGS or word not in irregular:
            continue
        lemma = verb_lemma(tree, inner, verbs, irregular)
        if lemma is None or lemma == word:
            continue
        noun, pronoun = _waiting(tree, inner)
        if noun >= 0:
            _rehang(tree, inner, noun, pronoun)
            tree.tags[inner], tree.pos[inner], tree.lemmas[inner] = "VBD", "VERB", lemma


def _waiting(tree: Tree, inner: int) -> tuple[int, int]:
    """The noun that waits for a verb, and its relative pronoun; -1 where there is none."""
    outer, within = tree.heads[inner], tree.deps[inner] == "relcl"
    before = [kid for kid in tree.kids(inner if within else outer) if kid < inner - 1]
    pronoun = next((kid for kid in before if tree.tags[kid] in RELATIVE_PRONOUNS), -1)
    if within:
        return (outer if pronoun >= 0 else -1), pronoun
    if not _follows(tree, outer, inner):
        return -1, -1
    if tree.deps[outer] == "relcl":
        noun = tree.heads[outer]
        return (noun if pronoun >= 0 and tree.deps[noun] == "ROOT" else -1), pronoun
    subjects = (kid for kid in before if tree.deps[kid] in _PLACES)
    return next((kid for kid in subjects if tree.tags[kid] in NOUN_TAGS), -1), -1


def _rehang(tree: Tree, inner: int, noun: int, pronoun: int) -> None:
    """Make a verb the relative clause of its noun, and the verb that it stood in that noun's."""
    subject, outer, dep = inner - 1, tree.heads[inner], tree.deps[inner]
    for kid in [kid for kid in tree.kids(inner) if kid < subject and kid != pronoun]:
        tree.hang(kid, subject, tree.deps[kid])
    tree.hang(subject, inner, "nsubj")
    if outer != noun and tree.heads[outer] == noun:
        tree.hang(outer, outer, "ROOT")
        for kid in [kid for kid in tree.kids(noun) if kid > outer]:
            tree.hang(kid, outer, tree.deps[kid])
        tree.hang(noun, outer, dep)
        tree.hang(pronoun, inner, "dobj")
    tree.hang(inner, noun, "relcl")


def _follows(tree: Tree, outer: int, inner: int) -> bool:
    """Return whether a verb stands right behind another, its auxiliaries aside."""
    between = range(inner + 1, outer)
    own = all(tree.deps[i] in AUXILIARY and tree.heads[i] == outer for i in between)
    return own and inner < outer and tree.tags[outer].startswith("VB")
