"""Commands with a bare object: "Wash dishes before dinner", in which parsers see a noun phrase.

A sentence opens with a word that can be a verb, and a noun without an article follows, as recipes
and notices have it. It is a command where nothing else can be told:

- the tagger has the word as a verb and the parser as part of the noun ("Wash dishes");
- the noun has the word as a subject, and is no verb or has a form that this does not have
  ("Sprinkle nuts on top");
- the word has an object and nothing else ("Feed cats twice a day");
- the noun has an adverb, which says something of a verb ("Chop onions finely"), or a phrase, and
  the sentence its full stop: titles have none ("Email photos to Anna.")::

    command(tree, verbs)      # in place
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from compsim.parsers.pipeline.repair import POLITE
from compsim.parsers.pipeline.tree import NOUN_TAGS, Tree

__all__ = ["command"]

#: What may stand before a command with a bare object, in a recipe too.
_BEFORE: Final = (*POLITE, "just", "then")
#: Tags of words that may open a command for what else they are.
_OPENING: Final = ("NN", "NNP", "JJ", "VB", "VBP")
_ENDS: Final = (".", "!")
#: What says something of the verb rather than of the object after it.
_OF_VERBS: Final = frozenset(("prep", "advmod", "npadvmod", "punct", "advcl", "cc", "conj"))


def command(tree: Tree, verbs: Container[str]) -> None:
    """Make a command of a sentence that is one, in place; ``verbs`` are lemmas of verbs."""
    verb = 1 if len(tree) and tree.word(0).lower() in _BEFORE else 0
    noun = verb + 1
    if noun >= len(tree) or tree.tags[verb] not in _OPENING or not tree.word(noun).isalpha():
        return
    if tree.word(verb).lower() not in verbs:
        return
    while tree.deps[noun] in ("compound", "amod") and tree.heads[noun] > noun:
        noun = tree.heads[noun]
    if _is_command(tree, verb, noun, verbs):
        _rebuild(tree, verb, noun)


def _is_command(tree: Tree, verb: int, noun: int, verbs: Container[str]) -> bool:
    tags, deps, heads = tree.tags, tree.deps, tree.heads
    if deps[noun] == "dobj" and heads[noun] == verb:
        return heads[verb] == verb and tags[verb] == "NN"
    if heads[verb] != noun or heads[noun] != noun:
        return False
    if deps[verb] == "nsubj":
        clash = tags[noun] == "VBP" and tags[verb] == "NN" and tree.word(noun).endswith("s")
        unknown = tags[noun] in ("VBP", "VBZ") and tree.lemmas[noun] not in verbs
        return noun == verb + 1 and (clash or unknown or tags[noun] == "NNS")
    after = [kid for kid in tree.kids(noun) if kid > noun]
    named = tags[noun] not in ("NN", "NNS") or any(tree.lemmas[kid] == "of" for kid in after)
    if named or deps[verb] not in ("compound", "amod"):
        return False
    whole = tree.word(len(tree) - 1) in _ENDS and tags[verb] == "NN"
    told = {deps[kid] for kid in after}
    return tags[verb] == "VB" or "advmod" in told or (whole and "prep" in told)


def _rebuild(tree: Tree, verb: int, noun: int) -> None:
    """Make the word the verb of the sentence and the noun its object."""
    tree.hang(verb, verb, "ROOT")
    tree.hang(noun, verb, "dobj")
    for kid in list(tree.kids(noun)):
        if kid < verb or (kid > noun and tree.deps[kid] in _OF_VERBS):
            tree.hang(kid, verb, tree.deps[kid])
    tree.tags[verb], tree.pos[verb], tree.lemmas[verb] = "VB", "VERB", tree.word(verb).lower()
    if tree.tags[noun] not in NOUN_TAGS:
        tree.tags[noun], tree.pos[noun] = "NNS", "NOUN"
