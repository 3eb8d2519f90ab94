"""A plain clause: who, the verb, to whom, whom, the circumstances; and how it is written.

What rewrites a clause makes another clause of it, so that rewritings can follow one another; the
words change their form only here, when the clause is written: pronouns their case, the verb its
number, the first word its capital.

>>> dog, me = Phrase("the dog", "dog", "NN", "ARG0"), Phrase("me", "me", "PRP", "ARG1")
>>> clause = Clause(me, VerbGroup("bite", past=True, passive=True), agent=dog)
>>> written(clause)
'I was bitten by the dog.'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from compsim.benchmarks.rewriting.inflection import PRONOUNS, accusative, nominative
from compsim.benchmarks.rewriting.verb_group import VerbGroup
from compsim.benchmarks.rewriting.words import PLURAL

__all__ = ["Clause", "Phrase", "written"]


@dataclass(frozen=True)
class Phrase:
    """A part of a clause.

    Attributes:
        text: As it stands inside a sentence.
        head: Its head word.
        tag: The tag of that word.
        label: Its PropBank label.
        coordinated: Whether it is several joined by "and".
        comma: Whether one stands before it where it follows the verb.
        inner: The labels of dependency below its head.

    Examples:
        >>> Phrase("the dogs", "dogs", "NNS", "ARG0").plural
        True
    """

    text: str
    head: str
    tag: str
    label: str = ""
    coordinated: bool = False
    comma: bool = False
    inner: frozenset[str] = frozenset()

    @property
    def words(self) -> list[str]:
        """Its words in lower case."""
        return self.text.lower().replace("n't", " not").replace(",", " ").split()

    @property
    def pronoun(self) -> bool:
        """True if it is one personal pronoun."""
        return self.text.lower() in PRONOUNS

    @property
    def plural(self) -> bool:
        """True if a verb agrees with it in the plural; "you" and "we" count so."""
        if self.pronoun:
            return nominative(self.text).lower() in ("we", "you", "they")
        return self.coordinated or self.tag in ("NNS", "NNPS") or self.head.lower() in PLURAL

    @property
    def first(self) -> bool:
        """True if it is "I"."""
        return self.text.lower() in ("i", "me")


@dataclass(frozen=True)
class Clause:
    """A clause in the order in which English writes it.

    Attributes:
        subject: Whom or what the verb agrees with.
        group: The verb with its auxiliaries.
        object: What stands behind it.
        recipient: Who gets something: before the object where ``to`` is "", else behind that word,
            after the object.
        to: "to" or "for", or "".
        agent: Who does what a passive tells.
        front: What stands before the subject, with commas.
        middle: The adverbs beside the verb.
        particle: What belongs to the verb, as in "take off".
        rest: The circumstances behind all these.
        before_agent: Behind how many phrases of ``rest`` the agent stands.
        focus: What a cleft begins with: "subject", "object" or a phrase; "" for no cleft.
        order: "object" or "verb", which then stands in front of all; "" for the usual order.
        end: The mark at the end.
        text: The sentence that was read.

    Examples:
        >>> dog, man = Phrase("the dog", "dog", "NN"), Phrase("the man", "man", "NN")
        >>> written(Clause(dog, VerbGroup("bite", past=True), man))
        'The dog bit the man.'
    """

    subject: Phrase
    group: VerbGroup
    object: Phrase | None = None
    recipient: Phrase | None = None
    to: str = ""
    agent: Phrase | None = None
    front: tuple[Phrase, ...] = ()
    middle: tuple[str, ...] = ()
    particle: str = ""
    rest: tuple[Phrase, ...] = ()
    before_agent: int = 0
    focus: Phrase | Literal["", "subject", "object"] = ""
    order: Literal["", "object", "verb"] = ""
    end: str = "."
    text: str = ""

    def phrases(self) -> list[Phrase]:
        """The participants.

        Returns:
            Those that are there.
        """
        result = (self.subject, self.object, self.recipient, self.agent)
        return [phrase for phrase in result if phrase is not None]


def written(clause: Clause) -> str:
    """The sentence of a clause, "" where a form of a word is not known.

    Args:
        clause: A clause.

    Returns:
        The sentence.

    Examples:
        >>> dog, man = Phrase("the dog", "dog", "NN"), Phrase("the man", "man", "NN")
        >>> written(Clause(dog, VerbGroup("bite", past=True, passive=True), agent=man))
        'The dog was bitten by the man.'
    """
    group, subject = clause.group, clause.subject
    verb = group.words(subject.plural, subject.first)
    if not verb:
        return ""
    # "has recently been seen", "has not recently been seen", "recently saw"
    place = min(len(verb) - 1, 2 if group.negated else 1)
    verb[place:place] = clause.middle
    pieces = [f"{phrase.text}," for phrase in clause.front]
    own = [] if clause.focus == "subject" else [nominative(subject.text)]
    if clause.focus:
        focus = {"subject": subject, "object": clause.object}.get(clause.focus, clause.focus)  # type: ignore[arg-type]
        assert isinstance(focus, Phrase)
        past = group.past and not group.modal
        pieces += ["it", "was" if past else "is", focus.text, "that"]
    if clause.order == "object" and clause.object is not None:
        pieces.append(f"{clause.object.text},")
    if clause.order == "verb":
        pieces += [verb[-1], *_after(clause), *verb[:-1], *own]
    else:
        pieces += [*own, *verb, *_after(clause)]
    pieces = [piece for piece in pieces if piece]
    text = " ".join(pieces).replace(" ,", ",").replace(" can not ", " cannot ")
    return text[0].upper() + text[1:] + clause.end


def _after(clause: Clause) -> list[str]:
    """Return the words after the verb."""
    thing, person = clause.object, clause.recipient
    if "object" in (clause.focus, clause.order):
        thing = None
    late = thing is not None and thing.pronoun
    pieces = [] if late else [clause.particle]
    if person is not None and not clause.to:
        pieces.append(accusative(person.text))
    if thing is not None:
        pieces.append(accusative(thing.text))
    pieces += [clause.particle] if late else []
    if person is not None and clause.to:
        pieces += [clause.to, accusative(person.text)]
    rest = [
        f", {phrase.text}" if phrase.comma else phrase.text
        for phrase in clause.rest
        if phrase is not clause.focus
    ]
    if clause.agent is not None:
        rest.insert(min(clause.before_agent, len(rest)), f"by {accusative(clause.agent.text)}")
    return [*pieces, *rest]
