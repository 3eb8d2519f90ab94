"""Actions of rules that no pattern can say, by name; a rule runs one with ``call NAME A ...``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from compsim.parsers.grammar.antecedents import Antecedents
from compsim.parsers.grammar.expressions import find_fixed, find_verbal

if TYPE_CHECKING:
    from compsim.parsers.grammar.draft import Draft

__all__ = ["ACTIONS"]

#: Classes of words that are told by another word, their ``base``: that of the other side, the verb.
_TURNED: Final = (
    "receiving", "inverse", "lesser", "counterpart", "eventive", "feeling", "negative_adjective",
    "short_name", "greater", "scaling", "weighing", "dimension",
)  # fmt: skip
#: Features that say how a state holds.
_OF_STATES: Final = ("modality", "aspect", "tense", "recurrence")
_OBJECTS: Final = ("dobj", "dative", "nsubj")
_NOMINAL: Final = frozenset(("NOUN", "PROPN", "PRON", "ADP"))
#: What ends a sentence.
_ENDS: Final = frozenset((".", "!", "?", ";"))


def corefer(draft: Draft, pronoun: int) -> None:
    """Let the edges of a pronoun lead to the noun that it stands for, if there is one."""
    noun = _antecedent(draft, pronoun)
    if noun < 0 or noun == pronoun or noun not in draft.concepts:
        return
    draft.set_feature(pronoun, "antecedent", "yes")
    draft.redirect(pronoun, noun)
    draft.drop(pronoun)


def _antecedent(draft: Draft, pronoun: int) -> int:
    """Return the noun that a pronoun stands for, -1 where none is sure."""
    if draft.antecedents is None:
        draft.antecedents = Antecedents(draft.tree, draft.children)
    return draft.antecedents.token(pronoun)


def name_kind(draft: Draft, one: int) -> None:
    """Give "one" the lemma of the noun that it stands for: "a red cart and a blue one"."""
    noun = _antecedent(draft, one)
    if noun >= 0:
        draft.rename(one, draft.lemmas[noun])


def recur(draft: Draft, again: int) -> None:
    """Let the edges of a noun said again lead to the one of its lemma before it in its sentence."""
    tree, lemma = draft.tree, draft.lemmas[again]
    same = []
    for token in range(again - 1, -1, -1):
        if draft.words[token] in _ENDS:
            break
        alike = draft.lemmas[token] == lemma and tree.tags[token] == tree.tags[again]
        if alike and token in draft.concepts:
            same.append(token)
    if len(same) == 1:
        draft.redirect(again, same[0])
        draft.drop(again)


def identify(draft: Draft, pronoun: int, noun: int) -> None:
    """Let a noun that is said beside a pronoun have its edges: "she, the maid, would leave"."""
    for source, target in ((pronoun, noun), (noun, pronoun)):
        draft.remove(source, "is", target)
    draft.redirect(pronoun, noun)
    draft.drop(pronoun)


def exchange(draft: Draft, head: int, noun: int, other: int) -> None:
    """Give a noun's part in a head to another one: Ann sleeps less than Bob, who sleeps more."""
    draft.redirect(noun, other, lambda source, target: head in (source, target))


def close(draft: Draft, modifier: int, noun: int) -> None:
    """Let two nouns be one where they are a noun that is mostly spelt as one word: "lap top"."""
    lemma = draft.words[modifier] + draft.lemmas[noun]
    if modifier + 1 == noun and _is_lemma(lemma):
        draft.merge(noun, modifier)
        draft.rename(noun, lemma)


@lru_cache(maxsize=10_000)
def _is_lemma(lemma: str) -> bool:
    from compsim.vectors.relations import Relations  # compiles kernels, which reading needs not

    return bool(Relations.open().ids([lemma])[0] >= 0)


def measure(draft: Draft, part: int, noun: int) -> None:
    """Let a noun take the place of the word that measures or groups it: "a group of people".

    Of several nouns before the word it is the nearest: "a cheese pizza slice".
    """
    between = (child for child in draft.children[part] if noun < child < part)
    if any(draft.tree.deps[child] == "compound" for child in between):
        return
    draft.remove(part, "of", noun)
    draft.remove(part, "attribute", noun)
    draft.redirect(part, noun)
    draft.add(noun, "quantity", part)


def strip(draft: Draft, verb: int, noun: int) -> None:
    """Take the arguments from a verb that only carries a relation: "is positioned behind"."""
    for role in ("agent", "patient"):
        draft.remove(verb, role, noun)


def deny(draft: Draft, token: int) -> None:
    """Deny a token, or take a denial from it: two of them affirm."""
    if "negated" in draft.features[token]:
        draft.clear_feature(token, "negated")
    else:
        draft.set_feature(token, "negated", "yes")


def introduce(draft: Draft, verb: int, clause: int) -> None:
    """Let a clause stand for the word that introduces it, whose denial becomes the clause's."""
    if "negated" in draft.features[verb]:
        kids = [kid for kid in draft.children[clause] if draft.tree.deps[kid] in ("acomp", "attr")]
        deny(draft, clause if clause in draft.concepts or not kids else kids[0])
    draft.drop(verb)


def affirm(draft: Draft, token: int) -> None:
    """Take a denial from a token, where it has one."""
    draft.clear_feature(token, "negated")


def inherit(draft: Draft, verb: int, action: int) -> None:
    """Let what is said of a verb be said of the action that has taken its place.

    That somebody is going to do something does not say that it goes on.
    """
    omitted = {"replaced", "passive"} | ({"aspect"} if draft.lemmas[verb] == "go" else set())
    for name, value in draft.features[verb].items():
        if name == "negated":
            deny(draft, action)
        elif name not in draft.features[action] and name not in omitted:
            draft.set_feature(action, name, value)
    if verb not in draft.concepts:
        _hand_over(draft, verb, action)


def hold(draft: Draft, verb: int, noun: int) -> None:
    """Let what is said of a verb that tells a state be said of the concept in that state.

    Of a copula, which is no concept, that is its aspect, its modality, and that it is to come.
    """
    features, carries = draft.features[verb], verb in draft.concepts
    if carries and "negated" in features:
        deny(draft, noun)
        affirm(draft, verb)
    for name in _OF_STATES:
        if name in features and (carries or name != "tense" or features[name] == "future"):
            if name not in draft.features[noun]:
                draft.set_feature(noun, name, features[name])
            if carries:
                draft.clear_feature(verb, name)
    if carries:
        for word in [word for word, token in draft.taken_up.items() if token == verb]:
            draft.take_up(word, noun)


def modalise(draft: Draft, verb: int, adjective: int, action: int) -> None:
    """Let an action be possible or necessary, or denied to be, as "it is optional" says.

    What is not certain is possible; what is true is no more than said.
    """
    kind, lemma = "modal_adjective", draft.lemmas[adjective]
    denied = "negated" in draft.features[verb] or "negated" in draft.features[adjective]
    doubted = draft.lexicon.feature(kind, lemma, "doubted") if denied else ""
    modality = doubted or draft.lexicon.feature(kind, lemma, "modality")
    if modality:
        draft.set_feature(action, "modality", modality)
    if not doubted and denied != bool(draft.lexicon.feature(kind, lemma, "negative")):
        deny(draft, action)
    if "asked" in draft.features[adjective]:
        draft.set_feature(action, "asked", draft.features[adjective]["asked"])


def replace(draft: Draft, verb: int, noun: int) -> None:
    """Let a noun stand in clauses for a copula that is no concept: "before the keys are in here".

    What is said of the copula, and its edges to other predicates, are the noun's then.
    """
    if verb in draft.concepts:
        return
    for name in ("modality", "asked"):
        if name in draft.features[verb] and name not in draft.features[noun]:
            draft.set_feature(noun, name, draft.features[verb][name])
    _hand_over(draft, verb, noun)


def _hand_over(draft: Draft, verb: int, other: int) -> None:
    """Let the edges between a verb and other clauses be another token's."""
    clauses = {token for token in draft.children[verb] if draft.tree.deps[token] == "advcl"}

    def moves(source: int, target: int) -> bool:
        if target == verb:
            return source != other
        return target != other and (target in clauses or verb in draft.children[target])

    draft.redirect(verb, other, moves)


def rebase(draft: Draft, word: int) -> None:
    """Give a word the lemma of the one whose frame it has been turned into: "buy" is "sell"."""
    for kind in _TURNED:
        base = draft.lexicon.feature(kind, draft.lemmas[word], "base")
        if base:
            draft.rename(word, base)
            return


def carry(draft: Draft, verb: int, noun: int) -> None:
    """Let a light verb stand for the event that its object names: "take a walk" is "walk"."""
    base = draft.lexicon.feature("light_noun", draft.lemmas[noun], "base")
    draft.rename(verb, base)
    draft.redirect(noun, verb)
    draft.drop(noun)


def express(draft: Draft, verb: int) -> None:
    """Let a set phrase of a verb be the verb that says the same: "make fun of" is "mock"."""
    phrase = find_verbal(draft, verb)
    if phrase is None:
        return
    base, role = phrase.entry.features["base"], phrase.entry.features.get("role", "patient")
    for noun in phrase.governed:
        for token in phrase.tokens:
            _part(draft, token, noun)
        _remove_relations(draft, phrase.tokens[-1], noun)
        draft.add(verb, role, noun)
        draft.add(verb, "object", noun)
        for subject in draft.targets(verb, ["subject"]):
            # Who waits for somebody, as it is labelled, awaits somebody.
            if subject != noun and draft.tree.deps[subject] != "nsubjpass":
                draft.remove(verb, "patient", subject)
                draft.remove(verb, "recipient", subject)
                draft.add(verb, "agent", subject)
    actors = draft.targets(verb, ["agent"])
    for token in phrase.content(draft):
        _part(draft, verb, token)
        # What one makes up one's mind to do, one does oneself.
        for action in draft.sources(token, ["agent"]):
            draft.remove(action, "agent", token)
            for actor in actors:
                draft.add(action, "agent", actor)
        draft.redirect(token, verb)
        draft.merge(verb, token)
    if "_" in phrase.entry.word:
        # "Let her know", where she knows.
        kids = [kid for token in phrase.tokens for kid in draft.children[token] if token != verb]
        inner = [kid for kid in kids if draft.tree.deps[kid] == "nsubj"]
        for noun in (*draft.children[verb], *inner):
            if draft.tree.deps[noun] in _OBJECTS and noun not in phrase.tokens and noun > verb:
                _part(draft, verb, noun)
                draft.add(verb, role, noun)
                draft.add(verb, "object", noun)
    draft.rename(verb, base)
    if phrase.denied:
        deny(draft, verb)


def shorten(draft: Draft, preposition: int) -> None:
    """Let a set phrase behind a preposition be the word that says the same: "out of order"."""
    phrase = find_fixed(draft, preposition)
    content = phrase.content(draft) if phrase else []
    if phrase is None or not content:
        return
    word, pos, heads = content[-1], phrase.entry.pos, draft.tree.heads
    head = next((heads[t] for t in phrase.tokens if heads[t] not in phrase.tokens), -1)
    if head < 0 or word not in draft.concepts:
        return
    while pos == "ADV" and draft.tree.pos[head] in _NOMINAL and heads[head] != head:
        head = heads[head]
    nominal = draft.tree.pos[head] in _NOMINAL
    holders = [head] if nominal else draft.targets(head, ["subject"])
    if (pos == "ADV") == (nominal or draft.lemmas[head] == "be") or not (holders or pos == "ADV"):
        return
    # As it is labelled, not by the relation that a preposition names.
    is_time = any(token in draft.targets(head, ["ARGM-TMP"]) for token in phrase.tokens)
    for token in phrase.tokens:
        ends = [*draft.out.get(token, {}).values(), *draft.inn.get(token, {}).values()]
        for other in {other for others in ends for other in others}:
            _part(draft, token, other)
        if token != word:
            draft.drop(token)
    draft.rename(word, phrase.entry.features["base"])
    if pos == "ADV":
        for role in ("manner", "time") if is_time else ("manner",):
            draft.add(head, role, word)
        return
    for holder in holders:
        for noun in phrase.governed:
            _part(draft, holder, noun)
        if pos == "ADJ" and "participle" not in phrase.entry.features:
            draft.add(holder, "attribute", word)
        else:
            draft.add(word, "patient" if pos == "ADJ" else "agent", holder)
    for noun in phrase.governed if pos == "VERB" else ():
        draft.add(word, "patient", noun)
    # "Is the lift out of order?", where the phrase may be read as part of its subject.
    copula = heads[head] if nominal and heads[head] < head else head
    if draft.lemmas[copula] == "be":
        draft.add(copula, "complement", word)


def _part(draft: Draft, token: int, other: int) -> None:
    """Remove the edges between two tokens."""
    for source, target in ((token, other), (other, token)):
        for role in list(draft.out.get(source, {})):
            draft.remove(source, role, target)


def _remove_relations(draft: Draft, preposition: int, noun: int) -> None:
    """Remove the edges of a noun that a preposition which governs it has named."""
    role, inverse = draft.relation(preposition)
    for other in draft.targets(noun, [role]) if inverse else draft.sources(noun, [role]):
        draft.remove(*((noun, role, other) if inverse else (other, role, noun)))


def quantify(draft: Draft, noun: int, word: int) -> None:
    """Note which part of its kind a noun stands for: all, most, some, few."""
    base = draft.lexicon.feature("quantifier", draft.lemmas[word], "base")
    draft.set_feature(noun, "quantifier", base)


ACTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "affirm": affirm,
    "carry": carry,
    "close": close,
    "corefer": corefer,
    "deny": deny,
    "exchange": exchange,
    "express": express,
    "hold": hold,
    "identify": identify,
    "inherit": inherit,
    "introduce": introduce,
    "measure": measure,
    "modalise": modalise,
    "name_kind": name_kind,
    "quantify": quantify,
    "rebase": rebase,
    "replace": replace,
    "recur": recur,
    "shorten": shorten,
    "strip": strip,
}
