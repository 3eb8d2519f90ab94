"""Two phrases that a parser took for one compound noun: who gets it and what, who does it and what.

Parsers have mostly seen second objects that begin with an article; in "She gave the dog food" they
see one thing, food for dogs. The two are told apart where the verb may have two objects (VerbNet),
nobody gets the thing elsewhere in the clause, the first noun may be who gets it, and the second
may stand without an article, as plurals and masses do::

    separate(tree)      # dog: a "dative" of gave, with "the"; food: the object

The more often a verb's sentences name who gets the thing, the less is asked of the first noun:
"taught Anna chess", but "sold Apple shares"; "gave the team advice", but "showed the team spirit".

In "She made the baby laugh" they see a laugh of babies. After verbs that have a bare infinitive,
the second word is one if it is tagged as a verb; or, where somebody makes or lets a person or an
animal do something, if it names what a verb does.
"""

from __future__ import annotations

from compsim.parsers.pipeline.reconciling import WITH_INFINITIVES
from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.events import events, verb_of
from compsim.parsers.roles.features.nouns import TIMES, Nouns
from compsim.vectors.words import lemma_candidates

__all__ = ["separate"]

#: Shares of a verb's sentences that name who gets the thing: most, and not few.
_MOSTLY, _OFTEN = 0.5, 0.2
_NAMES = ("NNP", "NNPS")
#: Verbs that have hardly any object of this kind beside an infinitive.
_CAUSING = ("make", "let")
_TO = ("to", "for")
#: Dependents of a verb that has its objects, or is "give away" rather than "give".
_FULL = ("dative", "auxpass", "nsubjpass", "prt")


def separate(tree: Tree) -> None:
    """Part what a parser took for one compound noun, in place."""
    for noun, dep in enumerate(tree.deps):
        thing = tree.heads[noun]
        verb, function = tree.heads[thing], tree.deps[thing]
        if dep != "compound" or not (verb < noun < thing and tree.tags[verb].startswith("VB")):
            continue
        before = [kid for kid in tree.kids(thing) if kid < noun]
        if function in ("dobj", "ccomp") and _is_infinitive(tree, verb, noun, thing):
            tree.tags[thing], tree.pos[thing] = "VB", "VERB"
            tree.lemmas[thing] = tree.word(thing).lower()
            tree.hang(noun, thing, "nsubj")
            tree.hang(thing, verb, "ccomp")
        elif function == "dobj" and _is_gift(tree, verb, noun, thing, before):
            tree.hang(noun, verb, "dative")
        else:
            continue
        for kid in before:
            tree.hang(kid, noun, tree.deps[kid])


def _is_gift(tree: Tree, verb: int, noun: int, thing: int, before: list[int]) -> bool:
    """Whether a second noun is what the first one gets."""
    share = events().receivers.get(tree.lemmas[verb])
    return (
        share is not None
        and all(tree.deps[kid] != "compound" for kid in before)
        and _may_stand_alone(tree, thing, noun)
        and _may_get(tree, noun, before, share)
        and not _told_elsewhere(tree, verb, thing)
    )


def _is_infinitive(tree: Tree, verb: int, noun: int, thing: int) -> bool:
    """Whether a second noun is what the first one does."""
    lemma = tree.lemmas[verb]
    if lemma not in WITH_INFINITIVES or thing != noun + 1:
        return False
    sense, word = events().nouns.get(tree.lemmas[thing], ""), tree.word(thing).lower()
    named = (tree.tags[thing], verb_of(sense)) == ("NN", word)
    opened = any(tree.tags[kid] in ("DT", "PRP$") for kid in tree.kids(thing) if kid < noun)
    living = Nouns.shipped().acts(tree.lemmas[noun])
    return tree.tags[thing] == "VB" or (lemma in _CAUSING and named and opened and living)


def _may_stand_alone(tree: Tree, thing: int, noun: int) -> bool:
    """Whether a noun needs no article, and is no person: "the team captains" are one phrase."""
    nouns, lemma, tag = Nouns.shipped(), tree.lemmas[thing], tree.tags[thing]
    if lemma in nouns.person and tree.tags[noun] == "NN":
        return False
    return tag == "NNS" or (tag == "NN" and lemma in nouns.mass)


def _may_get(tree: Tree, noun: int, before: list[int], share: float) -> bool:
    """Whether a noun is a phrase with the words before it, and one that may be given something."""
    nouns, word, tag = Nouns.shipped(), tree.word(noun), tree.tags[noun]
    opened = {tree.tags[kid] for kid in before}
    if tag in _NAMES:
        known = word.isupper() or tree.lemmas[noun] in TIMES
        return share >= _MOSTLY and not (before or known)
    # Taggers may take a plural for a singular where parsers take both nouns for one thing.
    forms = {tree.lemmas[noun], *lemma_candidates(word.lower())}
    living = [kind for kind in nouns.actors if forms & kind]
    plural = tag == "NNS" or (
        word.endswith("s") and not any(word.lower() in kind for kind in living)
    )
    if not living or not (plural or opened & {"DT", "PRP$"}):
        return False
    # Hardly any compound begins with a plural; "bought the patient records" is about records.
    if plural or share >= _MOSTLY:
        return True
    return not forms.isdisjoint(nouns.person) and (share >= _OFTEN or "PRP$" in opened)


def _told_elsewhere(tree: Tree, verb: int, thing: int) -> bool:
    """Whether another phrase says who gets the thing, or has got it."""
    return any(
        tree.deps[kid] in _FULL
        or (tree.deps[kid] == "dobj" and kid != thing)
        or (kid > thing and tree.lemmas[kid] in _TO and tree.deps[kid] == "prep")
        for kid in (*tree.kids(verb), *tree.kids(thing))
    )
