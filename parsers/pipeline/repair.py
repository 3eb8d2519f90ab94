"""Mending trees that have lost their verb: the second-best reading of a sentence.

Parsers take a verb after a bare plural for part of a compound noun: in "Police question suspects."
everything becomes one noun phrase and nothing happens to anybody. When a sentence has no predicate
at all, or none that PropBank knows as a verb ("A nurse fries polenta."), a word is looked for that
could be its verb, among those that it knows:

- one with a noun before it that agrees with it in number and more words after it ("Police question
  suspects.", but "Market prices."), or in an irregular past form before the start of another phrase
  ("The boar bit the hunter.");
- else the first word, in its base form, before a determiner or pronoun ("Fax me the bill."), or
  before a name that one follows ("Fax Maria the bill."): a command.

The tree is then rebuilt around it; what stood to its left is its subject, a noun on its right its
object.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from compsim.parsers.pipeline.reconciling import verb_lemma
from compsim.parsers.pipeline.tree import NOUN_TAGS, Tree

__all__ = ["POLITE", "mend"]

_NAMES = ("NNP", "NNPS")
_SUBJECTS = NOUN_TAGS | {"PRP", "CD"}
#: Tags of words that begin a noun phrase, and of what else may stand right after a verb.
_OPENERS = ("DT", "PRP", "PRP$")
_AFTER_VERBS = (*_OPENERS, "IN", "RP", "TO", "RB", "CD")
#: Tags of what ends a phrase: a title ends with a noun, a sentence rarely with such a verb.
_NO_MORE = (".", ",", ":", "''", "CC", "HYPH", "POS", "NFP", "-RRB-")
#: What may stand before a command.
POLITE = ("please", "kindly")


def mend(
    tree: Tree, verbs: Container[str], irregular: Mapping[str, Sequence[str]] | None = None
) -> bool:
    """Make a word of a tree without a known verb its verb, in place; False where none could be.

    ``verbs`` holds the lemmas that can be verbs, ``irregular`` the lemmas of irregular forms.
    """
    known, last = irregular or {}, 0
    for i in range(1, len(tree)):
        # The last preposition, but for one right before the word.
        last = i - 2 if i > 2 and tree.tags[i - 2] == "IN" else last
        lemma = _verb_lemma(tree, i, verbs, known)
        if lemma and _agrees(tree, i, last, known):
            _rebuild(tree, i, lemma)
            return True
    return _command(tree, verbs)


def _verb_lemma(
    tree: Tree, i: int, verbs: Container[str], irregular: Mapping[str, Sequence[str]]
) -> str | None:
    if tree.tags[i] not in NOUN_TAGS and not tree.tags[i].startswith("VB"):
        return None
    return verb_lemma(tree, i, verbs, irregular)


def _agrees(tree: Tree, i: int, of: int, irregular: Mapping[str, Sequence[str]]) -> bool:
    """Whether the word before could be the subject of ``i``, a verb in the present or the past.

    ``of`` is the last preposition of that subject, 0 without one.
    """
    before, word = tree.tags[i - 1], tree.word(i).lower()
    if before not in _SUBJECTS:
        return False
    if word.endswith("ed"):
        return True
    if word in irregular and not word.endswith(("s", "ing")):
        # Nouns have such forms too ("a drill bit"), but end their phrase.
        return i + 1 < len(tree) and tree.tags[i + 1] in _AFTER_VERBS
    if i + 1 == len(tree) or tree.tags[i + 1] in _NO_MORE:
        return False
    singular_verb = word.endswith("s") and not word.endswith("ss")
    if singular_verb and (tree.tags[i] == "NN" or before == "CD" or _goes_on(tree, i, of)):
        return False
    # "The rules of grammar vary": the verb agrees with what stands before "of".
    if of and tree.word(of).lower() == "of" and not singular_verb and _plural(tree, of - 1):
        return True
    return _plural(tree, i - 1) != singular_verb


def _goes_on(tree: Tree, i: int, of: int) -> bool:
    """Whether a plural noun rather has a phrase of its own: "a look at gains in Europe"."""
    word = tree.lemmas[i + 1]
    return word == "of" or (of > 0 and tree.tags[i + 1] == "IN")


def _plural(tree: Tree, i: int) -> bool:
    return tree.tags[i] in ("NNS", "NNPS") or tree.word(i).lower().endswith("s")


def _command(tree: Tree, verbs: Container[str]) -> bool:
    """Read the first word, "please" aside, as an imperative if the words after it allow that."""
    verb = 1 if len(tree) and tree.word(0).lower() in POLITE else 0
    after = verb + 1
    while after < len(tree) and tree.tags[after] in _NAMES:
        after += 1
    if after >= len(tree) or tree.tags[after] not in _OPENERS:
        return False
    word = tree.word(verb).lower()
    if not tree.tags[verb].startswith(("NN", "VB", "JJ")) or word not in verbs:
        return False
    _rebuild(tree, verb, word)
    tree.tags[verb] = "VB"
    if after > verb + 1:  # a name between verb and thing: who gets it
        tree.heads[after - 1], tree.deps[after - 1] = verb, "dative"
    if verb:
        tree.heads[0], tree.deps[0] = verb, "intj"
    return True


def _rebuild(tree: Tree, verb: int, lemma: str) -> None:
    heads, deps = tree.heads, tree.deps
    for i in range(len(tree)):
        if i == verb:
            continue
        if tree.pos[i] == "VERB":  # the one that was taken for the verb
            tree.tags[i], tree.pos[i] = "NN", "NOUN"
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
    tree.rehung()
    tree.tags[verb], tree.pos[verb], tree.lemmas[verb] = "VBP", "VERB", lemma


def _label(tree: Tree, i: int, left: bool) -> str:
    if left:
        return "nsubj"
    return "dobj" if tree.tags[i] in _SUBJECTS else tree.deps[i]
