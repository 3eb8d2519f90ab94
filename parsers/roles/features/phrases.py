"""What the words of a phrase say beside what it is about: how many, from where, who is asked for.

The features of a phrase are these, each only where it says something::

    antecedent  the noun phrase that a pronoun stands for: "the old bridge"; the question word
                that a phrase stands for: "where" of "in what place"
    head        the lemma of the head, of the object after a preposition
    limit       of the number: least ("at least five", "over five") or most ("fewer than five")
    lacks       what the head is without: "coat" of "a man with no coat"
    number      the number that counts it, or that it is: 5, 2.5, 1200
    open        what a question asks for: person, thing, place, time, manner, reason, quantity
    prep        the preposition that introduces it: from, out of, according to
    quant       all, most, many, some, few, no

A phrase whose head is a verb, a clause, has only its head and its preposition.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from compsim.parsers.pipeline.tree import VERBAL, Tree
from compsim.parsers.roles.features.antecedents import PRONOUNS, Antecedents
from compsim.parsers.roles.features.operators import Operators, base_form
from compsim.parsers.roles.features.order import is_ordering, orders
from compsim.parsers.roles.features.quantities import Quantities, word_set
from compsim.parsers.roles.labeller import Frame

__all__ = ["Features"]

_PREPOSITIONAL: Final = frozenset(("prep", "agent", "dative"))
_LACKING: Final = frozenset(("with", "without"))
_ADPOSITIONS: Final = frozenset(("IN", "TO", "RP", "VBG", "VBN", "RB", "JJ"))
#: Nouns that are one preposition with their neighbours: "in front of", "on top of" (Quirk et al.
#: 1985, 9.11, complex prepositions of three words).
_PREPOSITIONAL_NOUNS: Final = {
    "in": word_set(
        "front spite addition view case lieu place terms term favour favor charge search face "
        "respect accordance comparison connection contact line relation return exchange "
        "behalf aid light course process"
    ),
    "on": word_set("top behalf account ground grounds"),
    "by": word_set("means mean way virtue dint force reason"),
    "for": word_set("lack want sake"),
    "with": word_set("respect regard reference relation"),
}
_QUESTION_WORDS: Final = {
    "who": "person", "whom": "person", "whose": "person", "what": "thing", "which": "thing",
    "where": "place", "when": "time", "how": "manner", "why": "reason",
}  # fmt: skip
#: Nouns after "what" or "which" that ask for no more than a question word does: "in what place" is
#: "where" (Quirk et al. 1985, 11.14 to 11.16).
_GENERAL_NOUNS: Final = {
    "place": "where", "time": "when", "reason": "why", "way": "how", "manner": "how",
    "person": "who", "people": "who", "thing": "what",
}  # fmt: skip
#: Verbs whose clause may be a question (L. Karttunen, "Syntax and semantics of questions", 1977).
_ASKING: Final = word_set(
    "ask wonder inquire enquire investigate know tell learn discover find decide determine guess "
    "remember forget recall explain understand show indicate disclose predict estimate see"
)

#: The features of "US" alone where it is a name: in capitals it may be the pronoun, too.
_THE_US: Final = (("antecedent", "U.S."), ("head", "us"))
#: Features that nodes have alike are one object, and no work for the garbage collector.
_KEPT: Final = 1 << 16
_same: dict[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]] = {}


class Features:
    """The features of all nodes of one text."""

    __slots__ = (
        "_antecedents",
        "_asking",
        "_kids",
        "_lacking",
        "_operators",
        "_orders",
        "_plain",
        "_quantities",
        "_tree",
        "kids",
    )

    def __init__(self, tree: Tree) -> None:
        if len(_same) > _KEPT:
            _same.clear()
        self._tree = tree
        self.kids = self._kids = tree.children()
        self._quantities = Quantities(tree, self._kids)
        self._operators = Operators(tree, self._kids, self._quantities)
        self._orders = orders(tree, self._kids)
        self._antecedents = Antecedents(tree, self._kids)
        # Most texts ask nothing.
        self._asking = not _QUESTION_WORDS.keys().isdisjoint(tree.lemmas)
        self._lacking = dict(self._lacks())
        some = self._quantities.some or self._quantities.numbers
        self._plain = not (self._asking or some or self._lacking)

    def predicate(self, frame: Frame) -> tuple[tuple[str, str], ...]:
        """The features of a predicate; see :mod:`.operators` and :mod:`.order`."""
        found = self._operators.features(frame)
        if frame.predicate in self._orders:
            found = tuple(sorted((*found, ("order", self._orders[frame.predicate]))))
        return _same.setdefault(found, found)

    def phrase(self, words: Sequence[int]) -> tuple[tuple[str, str], ...]:
        """The features of a phrase, given its tokens in text order."""
        tree = self._tree
        top = self._top(words) if len(words) > 1 else words[0]
        prep, head = self._object(top) if tree.deps[top] in _PREPOSITIONAL else ("", top)
        lemma = tree.lemmas[head]
        if lemma == "us" and len(words) == 1 and tree.tags[head] == "NNP":
            return _same.setdefault(_THE_US, _THE_US)
        if self._orders and self._tells_order(top):
            told = (("head", lemma), ("order", "told"))
            return _same.setdefault(told, told)
        if tree.pos[head] in VERBAL:
            lemma = base_form(lemma)
        elif not self._plain or lemma in PRONOUNS:
            return self._nominal(top, prep, head)
        plain = (("head", lemma), ("prep", prep)) if prep else (("head", lemma),)
        return _same.setdefault(plain, plain)

    def _tells_order(self, top: int) -> bool:
        """Whether a phrase is a clause, or an adverb, whose place in an order its verb has."""
        tree = self._tree
        if is_ordering(tree.lemmas[top]):
            return tree.heads[top] in self._orders
        verb = top
        if tree.deps[top] == "prep":
            verb = next((kid for kid in self._kids[top] if tree.deps[kid] == "pcomp"), top)
        return verb in self._orders and tree.deps[verb] in ("advcl", "pcomp", "ccomp")

    def _nominal(self, top: int, prep: str, head: int) -> tuple[tuple[str, str], ...]:
        """The features of a phrase whose head is a noun or the like."""
        tree = self._tree
        quantities = self._quantities
        noun = quantities.counted(head) if quantities.some else head
        found = []
        antecedent = self._antecedents.of(noun) if tree.lemmas[noun] in PRONOUNS else ""
        if antecedent:
            found.append(("antecedent", antecedent))
        found.append(("head", tree.lemmas[noun]))
        if head in self._lacking:
            found.append(("lacks", self._lacking[head]))
        if quantities.numbers:
            number = quantities.number(noun) or (noun != head and quantities.number(head))
            if number:
                limit = quantities.limit(noun)
                found += [("limit", limit)] if limit else []
                found.append(("number", number))
        if self._asking:
            asked = self._question_word(top) or (top != head and self._question_word(head))
            meant = _GENERAL_NOUNS.get(tree.lemmas[noun], "") if asked == "thing" else ""
            if meant:
                found[:0] = [("antecedent", meant)]
                asked = _QUESTION_WORDS[meant]
            if asked:
                found.append(("open", asked))
        quantifier = ""
        if quantities.some:
            quantifier = quantities.quantifier(head)
            if not quantifier and noun != head:
                quantifier = quantities.quantifier(noun)
        if prep == "with" and quantifier == "no":
            prep, quantifier = "without", ""
        if prep:
            found.append(("prep", prep))
        if quantifier:
            found.append(("quant", quantifier))
        same = tuple(found)
        return _same.setdefault(same, same)

    def _lacks(self) -> Iterator[tuple[int, str]]:
        """Words with what they are without, as "without" and "with no" say."""
        tree = self._tree
        if _LACKING.isdisjoint(tree.lemmas):
            return
        for i, lemma in enumerate(tree.lemmas):
            thing = self._below(i) if lemma in _LACKING and tree.deps[i] == "prep" else -1
            if thing >= 0 and (lemma != "with" or self._quantities.quantifier(thing) == "no"):
                yield tree.heads[i], tree.lemmas[thing]

    def _top(self, words: Sequence[int]) -> int:
        """The first token of a phrase that hangs on no other token of it."""
        tree = self._tree
        inside: Collection[int] = words if len(words) < 12 else frozenset(words)
        for i in words:
            above = tree.heads[i]
            if (above == i or above not in inside) and tree.deps[i] != "punct":
                return i
        return words[0]

    def _object(self, top: int) -> tuple[str, int]:
        """The preposition of a phrase, all its words, and the head of what comes after it."""
        tree = self._tree
        if tree.tags[top] not in _ADPOSITIONS:
            return "", top
        words = [tree.word(top).lower()]
        here = top
        for _ in range(3):
            inner = self._below(here)
            if inner < 0:
                break
            if tree.deps[inner] in ("pobj", "pcomp") and tree.tags[inner] not in ("IN", "TO"):
                joint = inner > here and tree.heads[here + 1] == here
                if joint and tree.tags[here + 1] in ("IN", "TO"):
                    words.append(tree.word(here + 1).lower())  # "because of"
                of = self._complex(here, inner)
                if of < 0:
                    return " ".join(words), inner
                words += [tree.word(inner).lower(), tree.word(of).lower()]
                inner = of
            elif inner == here + 1:
                words.append(tree.word(inner).lower())
            here = inner
        # A preposition with nothing after it is an adverb.
        return ("", top) if here == top else (" ".join(words), here)

    def _below(self, preposition: int) -> int:
        """What follows a preposition: its object, or the next word of the preposition."""
        tree = self._tree
        second = -1
        for kid in self._kids[preposition]:
            dep = tree.deps[kid]
            if dep == "pobj" or (dep == "pcomp" and tree.tags[kid] not in ("IN", "TO")):
                return kid
            if second < 0 and dep in ("prep", "pcomp") and kid > preposition:
                second = kid
        return second

    def _complex(self, preposition: int, noun: int) -> int:
        """The second preposition where noun and both are one ("in front of"), else -1."""
        tree = self._tree
        nouns = _PREPOSITIONAL_NOUNS.get(tree.lemmas[preposition], ())
        after = noun + 1
        if noun != preposition + 1 or tree.lemmas[noun] not in nouns or after >= len(tree):
            return -1
        fits = tree.heads[after] == noun and tree.deps[after] == "prep"
        return after if fits and self._below(after) >= 0 else -1

    def _question_word(self, i: int) -> str:
        """What a question asks for with the phrase around token ``i``."""
        tree = self._tree
        if tree.tags[i][0] == "W":
            word, at = tree.lemmas[i], i
        else:
            for kid in self._kids[i]:
                if kid >= i:
                    return ""
                if tree.tags[kid][0] == "W":
                    word, at = tree.lemmas[kid], kid
                    break
                if tree.tags[kid + 1][0] != "W" and tree.tags[kid - 1][0] == "W":
                    inner = next((k for k in self._kids[kid] if tree.lemmas[k] == "how"), -1)
                    if inner >= 0:
                        word, at = "how", inner
                        break
            else:
                return ""
        found = _QUESTION_WORDS.get(word, "")
        if not found or not self._asks(i):
            return ""
        return "quantity" if word == "how" and at != i else found

    def _asks(self, i: int) -> bool:
        """Whether the clause of a wh-phrase is a question: a main clause, or one that is asked."""
        tree = self._tree
        here = i
        while tree.pos[here] not in VERBAL and tree.heads[here] != here:
            if tree.deps[here] in ("relcl", "acl"):
                return False
            here = tree.heads[here]
        for _ in range(4):
            above = tree.heads[here]
            if above == here:
                return any(tree.lemmas[kid] == "?" for kid in reversed(self._kids[here]))
            if tree.deps[here] == "ccomp" and tree.lemmas[above] in _ASKING:
                return True
            if tree.deps[here] not in ("conj", "xcomp", "ccomp", "aux", "auxpass"):
                return False
            here = above
        return False
