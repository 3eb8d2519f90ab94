"""Events that nouns name, and texts that have nothing but nouns.

*The army's destruction of the city* tells what *the army destroyed the city* does. PropBank lists
the noun under the verb's roleset; who has it, or who it is by, is the one who acts, what it is of
is what it happens to, or who does it where nothing can be acted on (*the arrival of the train*).
Other phrases get the role that PropBank's sentences give them most often beside such nouns.

A text without a verb (*Red apples on a table*) is a frame around its head, marked by the feature
``nominal``::

    found = event_nouns(tree, tree.children(), frames, events())
    found = headline(tree, tree.children())
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from compsim.parsers.pipeline.tree import NOUN_TAGS, Tree
from compsim.parsers.roles.events import Events, verb_of
from compsim.parsers.roles.features.nouns import TIMES, Nouns
from compsim.parsers.roles.labeller import Argument, Frame, core

__all__ = [
    "NOMINAL",
    "described",
    "event_nouns",
    "headline",
    "is_noun",
    "is_time",
    "may_act",
    "noun_arguments",
    "undivided",
]

#: Feature of the frames of texts without a verb.
NOMINAL = ("nominal", "yes")
_NOUNS = frozenset(["NN", "NNS"])
_PLACES = frozenset((
    "in", "on", "at", "near", "under", "behind", "beside", "above", "below", "inside", "outside",
    "beneath", "between", "over",
))  # fmt: skip
_PHRASES = {
    "amod": "ARGM-MNR",
    "compound": "ARGM-MNR",
    "nmod": "ARGM-MNR",
    "poss": "ARGM-MNR",
    "advmod": "ARGM-MNR",
    "npadvmod": "ARGM-TMP",
    "acl": "ARGM-ADV",
    "relcl": "ARGM-ADV",
}
#: Letters of the scripts that English is written in end here.
_LATIN = 0x250

Kids = Sequence[Sequence[int]]


def event_nouns(tree: Tree, kids: Kids, taken: Container[int], events: Events) -> Iterator[Frame]:
    """The frames of nouns that name an event and say who or what takes part in it.

    ``taken`` are tokens that have a frame already, or whose event another frame tells.
    """
    for at, tag in enumerate(tree.tags):
        if tag in _NOUNS and at not in taken:
            sense = events.nouns.get(tree.lemmas[at])
            if sense is None or tree.deps[at] in ("compound", "amod"):
                continue
            arguments = noun_arguments(tree, kids, at, sense, events)
            if any(argument.label in ("ARG0", "ARG1") for argument in arguments):
                yield Frame(at, sense, arguments, False, (("lemma", verb_of(sense)),))


def described(
    tree: Tree, kids: Kids, frames: Sequence[Frame], nouns: Sequence[Frame]
) -> list[Frame]:
    """All frames, those of *be* that say how an event was joined with its own.

    "The girl's answer to the teacher was polite": she answered the teacher politely.
    """
    events = {frame.predicate: frame for frame in nouns}
    told = {frame.predicate for frame in frames}
    kept = []
    for frame in frames:
        event = how = None
        for kid in kids[frame.predicate] if tree.lemmas[frame.predicate] == "be" else ():
            if tree.deps[kid] == "nsubj":
                event = events.get(kid)
            elif tree.deps[kid] == "acomp" and kid not in told:
                how = kid
            elif tree.deps[kid] == "neg":
                break
        else:
            if event is not None and how is not None:
                rest = [a for a in frame.arguments if a.head not in (event.predicate, how)]
                rest = [*event.arguments, *(a for a in rest if not core(a.label))]
                manner = Argument(how, "ARGM-MNR", "acomp")
                events[event.predicate] = event._replace(arguments=tuple(sorted((*rest, manner))))
                continue
        kept.append(frame)
    return [*kept, *events.values()]


def undivided(tree: Tree, frames: Sequence[Frame], nouns: Sequence[Frame]) -> list[Frame]:
    """The frames of verbs, without the phrases of an event's noun apart from their noun.

    "They saw the attack on the duke": it is the attack that was on the duke.
    """
    inner = {a.head: noun.predicate for noun in nouns for a in noun.arguments}
    agents = {a.head for noun in nouns for a in noun.arguments if a.relation == "agent"}
    found = []
    for frame in frames:
        heads = {argument.head for argument in frame.arguments}
        kept = tuple(
            argument
            for argument in frame.arguments
            if inner.get(argument.head) not in heads
            or not (tree.heads[argument.head] == inner[argument.head] or argument.head in agents)
        )
        found.append(frame._replace(arguments=kept) if len(kept) < len(heads) else frame)
    return found


def noun_arguments(
    tree: Tree, kids: Kids, at: int, sense: str, events: Events
) -> tuple[Argument, ...]:
    """Who and what takes part in the event of a noun: only if someone or something surely does."""
    told = _told(tree, kids, at, sense, events)
    if not told.is_event(tree, at, sense, events):
        return ()
    subject, own = events.subject_of(sense), events.markers.get(sense, {})
    # Whoever is named with "by" acts on what is named with "of", as in a passive.
    can_act_on = sense in events.transitive or None not in (told.by, told.of)
    found: dict[str, Argument] = {}
    if told.by is not None and can_act_on:
        found["ARG0"] = Argument(told.by, "ARG0", "agent")
    if told.of is not None:
        if can_act_on and (own.get("of") != "ARG0" or found or told.owner is not None):
            found["ARG1"] = Argument(told.of, "ARG1", "dobj")
        elif told.owner is None:
            found[subject] = Argument(told.of, subject, "nsubj")
        else:
            label = events.marked(sense, "of") or "ARG1"
            found[label] = Argument(told.of, label, "dobj" if label == "ARG1" else "prep")
    if told.owner is not None:
        # "the city's destruction by the army", "her election"
        undergoes = "ARG0" in found or (not found and own.get("'s") == "ARG1" and not told.inner)
        label = "ARG1" if undergoes else subject
        function = "nsubj" if label == subject else "dobj"
        found.setdefault(label, Argument(told.owner, label, function))
    for label, kid in told.others.items():
        function = "dobj" if label == "ARG1" and can_act_on else "prep"
        found.setdefault(label, Argument(kid, label, function))
    if told.clause is not None:
        found.setdefault("ARG1", Argument(told.clause, "ARG1", "ccomp"))
    for kid in kids[at]:
        if tree.deps[kid] == "amod":
            found.setdefault("ARGM-MNR", Argument(kid, "ARGM-MNR", "amod"))
    return tuple(sorted(found.values()))


class _Told(NamedTuple):
    """What stands beside a noun: its owner, phrases by what they mark, a clause."""

    owner: int | None
    of: int | None
    by: int | None
    others: dict[str, int]
    clause: int | None
    #: Whether the phrase with "of" names somebody.
    actor: bool

    @property
    def inner(self) -> bool:
        """Whether something else than the owner is what the event happens to."""
        return self.clause is not None or "ARG1" in self.others

    def is_event(self, tree: Tree, at: int, sense: str, events: Events) -> bool:
        """Whether so much is told that the noun names an event, and no thing.

        "The firm's acquisition" is an event; "the bank's vault" need not be.
        """
        lemma = tree.lemmas[at]
        owned = self.owner is not None
        if owned and (self.of is not None or self.inner):
            return True
        if lemma in events.seldom:
            return self.of is not None and (self.by is not None or bool(self.others))
        if self.by is not None:
            return True
        as_verb = verb_of(sense) == lemma
        if self.of is not None:
            # "The cry of the child" is an event, "the end of the street" is none.
            return not as_verb or sense in events.transitive or self.actor
        return owned and sense in events.transitive and not as_verb and not lemma.endswith("ing")


def _told(tree: Tree, kids: Kids, at: int, sense: str, events: Events) -> _Told:
    """The words around a noun that may take part in its event."""
    owner = clause = None
    phrases: dict[str, int] = {}
    for kid in kids[at]:
        dep = tree.deps[kid]
        if dep == "poss":
            owner = kid if owner is None else owner
        elif dep in ("prep", "agent"):
            if any(tree.deps[k] == "pobj" and not _is_amount(tree, k) for k in kids[kid]):
                phrases.setdefault(tree.lemmas[kid], kid)
        elif dep in ("acl", "ccomp") and clause is None and _is_content(tree, kids, kid):
            clause = kid
    of, by = phrases.pop("of", None), phrases.pop("by", None)
    if by is not None and is_time(tree, kids, by):
        by = None
    elif by is None and of is not None and tree.deps[at] == "dobj":
        by = _by_whom(tree, kids, tree.heads[at], of)
    others: dict[str, int] = {}
    for marker, kid in phrases.items():
        role = events.marked(sense, marker)
        if role:
            others.setdefault(role, kid)
    actor = of is not None and any(may_act(tree, k) for k in kids[of] if tree.deps[k] == "pobj")
    return _Told(owner, of, by, others, clause, actor)


def _by_whom(tree: Tree, kids: Kids, verb: int, of: int) -> int | None:
    """The phrase with "by" that hangs on an active verb, after what its object is of.

    "They reported the arrest of the clerk by the sheriff": nobody reports by a sheriff.
    """
    if any(tree.deps[kid] == "auxpass" for kid in kids[verb]):
        return None
    for kid in kids[verb]:
        if kid > of and (tree.lemmas[kid], tree.deps[kid]) == ("by", "prep"):
            named = any(_names_somebody(tree, kids, k) for k in kids[kid])
            return kid if named and not is_time(tree, kids, kid) else None
    return None


def _names_somebody(tree: Tree, kids: Kids, noun: int) -> bool:
    """Whether a noun may name people, and is no bare one that does not ("by hand")."""
    known = may_act(tree, noun) or Nouns.shipped().acts(tree.lemmas[noun])
    return known and (tree.tags[noun] != "NN" or len(kids[noun]) > 0)


def is_time(tree: Tree, kids: Kids, at: int) -> bool:
    """Whether a phrase says when: "by Friday", "by noon", "by 1900"."""
    return any(tree.lemmas[k].lower() in TIMES or tree.tags[k] == "CD" for k in kids[at])


def _is_amount(tree: Tree, noun: int) -> bool:
    """Whether a phrase counts something (*an increase of 15 percent*)."""
    return tree.tags[noun] in ("CD", "$") or tree.lemmas[noun] in ("percent", "%")


def _is_content(tree: Tree, kids: Kids, clause: int) -> bool:
    """Whether a clause tells what is refused or believed: an infinitive, or one with *that*."""
    words = {tree.deps[kid]: tree.word(kid).lower() for kid in kids[clause]}
    infinitive = tree.tags[clause] == "VB" and words.get("aux") == "to"
    return infinitive or words.get("mark") == "that"


def may_act(tree: Tree, noun: int) -> bool:
    """Whether a noun may name a person or an animal."""
    nouns, lemma = Nouns.shipped(), tree.lemmas[noun]
    return lemma in nouns.person or lemma in nouns.animal or tree.tags[noun] in ("NNP", "PRP")


def headline(tree: Tree, kids: Kids, events: Events) -> list[Frame]:
    """The frames of a text without a verb: one around each of its heads, none without a word."""
    frames: list[Frame] = []
    for at, head in enumerate(tree.heads):
        if head == at and _is_word(tree, at):
            frames += (_around(tree, kids, i, events) for i in _coordinated(tree, kids, at))
    if not frames:
        words = [at for at in range(len(tree)) if _is_word(tree, at)]
        frames = [_around(tree, kids, words[-1], events)] if words else []
    return frames


def is_noun(tree: Tree, at: int) -> bool:
    """Whether a token is a noun or a name."""
    return tree.tags[at] in NOUN_TAGS


def _is_word(tree: Tree, at: int) -> bool:
    """Whether a token is a word or number that English may have."""
    word = tree.word(at)
    return any(letter.isalnum() and ord(letter) < _LATIN for letter in word)


def _coordinated(tree: Tree, kids: Kids, at: int) -> Iterator[int]:
    """A head and what it is joined with (*two dogs and a cat*)."""
    queue = [at]
    while queue:
        here = queue.pop(0)
        yield here
        queue += (kid for kid in kids[here] if tree.deps[kid] in ("conj", "appos"))


def _around(tree: Tree, kids: Kids, at: int, events: Events) -> Frame:
    """The frame of a head with what stands around it."""
    sense = events.nouns.get(tree.lemmas[at]) if tree.tags[at] in _NOUNS else None
    if sense is not None:
        found = noun_arguments(tree, kids, at, sense, events)
        if found:
            return Frame(at, sense, found, False, (("lemma", verb_of(sense)), NOMINAL))
    arguments = []
    for kid in kids[at]:
        label = _PHRASES.get(tree.deps[kid], "")
        if tree.deps[kid] == "prep":
            label = _of_phrase(tree, kids, kid)
        if label:
            arguments.append(Argument(kid, label, tree.deps[kid]))
    return Frame(at, None, tuple(arguments), False, (NOMINAL,))


def _of_phrase(tree: Tree, kids: Kids, at: int) -> str:
    """What a prepositional phrase says of a noun."""
    if any(tree.deps[kid] == "pobj" and tree.tags[kid] == "CD" for kid in kids[at]):
        return "ARGM-TMP"
    return "ARGM-LOC" if tree.lemmas[at] in _PLACES else "ARGM-PRD"
