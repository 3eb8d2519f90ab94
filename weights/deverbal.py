"""Nouns that name the event of a verb, for the event tables (:mod:`compsim.weights.build_events`).

Three sources, the surer ones first:

- PropBank lists the noun under the verb's roleset (*invasion*: invade.01), and in running text it
  mostly is the event (a *building* is not)
- PropBank lists it, under a verb's roleset or one of its own with somebody who acts and something
  that is acted on (*victory*), but it seldom is the event, or more often another one's
- WordNet derives it from the verb, by one of the endings that English makes such nouns with (Quirk
  et al. 1985, appendix I), and knows it as an act, an event or a feeling (*robbery*)

Nouns of the last two only tell an event where two take part in it, unless WordNet has nearly only
events for them: their table is ``seldom``.

>>> derived_from("robbery", ["rob"]), derived_from("booklet", ["book"])
('rob', None)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping

from compsim.parsers.roles.events import verb_of
from compsim.weights.build_amr import PREPOSITIONS, Roleset
from compsim.weights.build_amr import tables as amr_tables
from compsim.weights.build_nouns import Nouns
from compsim.weights.converses import Role
from compsim.weights.propbank import Proposition

__all__ = ["derived_from", "event_nouns", "markers_of_verbs"]

_ENDINGS = ("age", "al", "ance", "ence", "ery", "ion", "ment", "ure")
_DEEDS = ("act", "deed", "event", "happening", "human_action", "human_activity")
_EVENTS = (*_DEEDS, "feeling")
#: The share of its senses in which a noun of WordNet must be an event, and to be so mostly.
_SHARE, _SURE = 0.5, 0.6
#: So many annotated sentences tell what a preposition marks beside a verb.
_SEEN = 2

Sentence = tuple[list[str], list[Proposition]]
Roles = Mapping[str, Mapping[str, Role]]


def event_nouns(
    rolesets: list[Roleset],
    roles: Roles,
    sentences: tuple[list[Sentence], list[Sentence]],
    rows: list[tuple[str, str, str]],
    vocabulary: Collection[str],
) -> tuple[dict[str, str], list[str]]:
    """Noun -> roleset, and those of them that are the event but seldom.

    ``roles`` are those of verbs, ``sentences`` the running text and the examples of PropBank,
    ``rows`` WordNet's relations.
    """
    verbal = [each for each in rolesets if each.name in roles]
    meant = _plain(amr_tables(rolesets, *sentences)["nouns"])
    often = {noun: name for noun, name in meant.items() if name in roles}
    listed = _plain(amr_tables(verbal, *sentences, share=0)["nouns"])
    known = Nouns(rows)
    derived = _of_wordnet(known, rows, roles, vocabulary)
    nouns = {**derived, **_nominal(rolesets, vocabulary), **listed, **often}
    made = [noun for noun, name in nouns.items() if noun in known.words and verb_of(name) != noun]
    surely = {noun for noun, share in known.shares(made, _DEEDS).items() if share >= _SURE}
    return nouns, sorted(nouns.keys() - often.keys() - surely)


def _plain(nouns: Mapping[str, str]) -> dict[str, str]:
    return {noun: name for noun, name in nouns.items() if noun.isalpha()}


def _nominal(rolesets: Iterable[Roleset], vocabulary: Collection[str]) -> dict[str, str]:
    """Nouns of rolesets that no verb has, with one who acts."""
    return {
        noun: each.name
        for each in rolesets
        if not any(kind in "vj" for kind, _ in each.words)
        and {("0", "PAG")} <= set(each.roles)
        and any(number == "1" for number, _ in each.roles)
        for kind, noun in each.words
        if kind == "n" and noun.isalpha() and noun in vocabulary and "_" not in each.name
    }


def _of_wordnet(
    known: Nouns,
    rows: Iterable[tuple[str, str, str]],
    roles: Roles,
    vocabulary: Collection[str],
) -> dict[str, str]:
    """Nouns that WordNet knows as events and derives from a verb with two roles."""
    verbs: dict[str, set[str]] = defaultdict(set)
    for first, relation, second in rows:
        if relation == "derivation":
            verbs[first].add(second)
            verbs[second].add(first)
    result = {}
    for noun in sorted(known.words & set(vocabulary)):
        heads = sorted(
            verb for verb in verbs[noun] if {"0", "1"} <= roles.get(f"{verb}.01", {}).keys()
        )
        verb = derived_from(noun, heads)
        if verb is not None and noun.isalpha():
            result[noun] = f"{verb}.01"
    shares = known.shares(result, _EVENTS)
    return {noun: name for noun, name in result.items() if shares[noun] >= _SHARE}


def derived_from(noun: str, verbs: Iterable[str]) -> str | None:
    """The verb that the noun is made of by an ending, None if there is none."""
    made = (
        verb for verb in verbs if noun.endswith(_ENDINGS) and noun.startswith(verb[:-1] or verb)
    )
    return next(made, None)


def markers_of_verbs(
    sentences: Iterable[Sentence], roles: Roles, markers: dict[str, dict[str, str]]
) -> dict[str, dict[str, str]]:
    """The roles of prepositions beside a noun, with those that are only seen beside its verb.

    Nouns keep the prepositions of their verbs (Huddleston and Pullum 2002, chapter 5, section 14).
    Beside a feeling, *for* marks what it is felt for.
    """
    seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for words, propositions in sentences:
        for proposition in propositions:
            for label, first, _ in proposition.arguments if proposition.verbal else ():
                marker = words[first].lower()
                if first > proposition.predicate[-1] and marker in PREPOSITIONS:
                    seen[proposition.roleset, marker][label] += 1
    joint = {name: dict(row) for name, row in markers.items()}
    for (name, marker), labels in sorted(seen.items()):
        label, count = min(labels.items(), key=lambda item: (-item[1], item[0]))
        core = label[3:].isdigit() and name in roles
        # "to" opens infinitives too, "by" marks who acts.
        if core and marker not in ("to", "by", "of") and count >= max(_SEEN, labels.total() / 2):
            joint.setdefault(name, {}).setdefault(marker, label)
    for name, own in roles.items():
        if {"0", "1"} <= own.keys() and "experiencer" in own["0"].thematic:
            joint.setdefault(name, {}).setdefault("for", "ARG1")
    return joint
