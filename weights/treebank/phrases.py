"""Phrases of plain sentences: noun phrases, verb groups and clauses as trees.

All choices are drawn from one random generator; a word whose form is not known raises LookupError,
and the sentence is given up.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from compsim.weights.treebank.grammar import Node
from compsim.weights.treebank.skeletons import Clause, Lexicon

__all__ = ["Speaker"]

#: Determiners, the frequent ones several times.
SINGULAR = (
    "the", "the", "the", "the", "a", "a", "a", "this", "that", "my", "his", "her", "their", "our",
    "your", "every", "another", "no",
)  # fmt: skip
PLURAL = (
    "the", "the", "the", "some", "these", "those", "two", "three", "many", "all", "my", "his",
    "her", "their", "our", "no",
)  # fmt: skip
POSSESSIVE = {"my", "his", "her", "their", "our", "your"}
NUMBERS = {"two", "three"}
SUBJECTS = ("I", "you", "he", "she", "it", "we", "they")
OBJECTS = ("me", "you", "him", "her", "it", "us", "them")
MODALS = ("will", "would", "can", "could", "must", "should", "may", "might")
TENSES = (
    "past", "past", "past", "past", "present", "present", "modal", "perfect", "progressive",
    "negated",
)  # fmt: skip
TIMES = ("yesterday", "today", "tomorrow", "again", "now", "then", "soon")


def preposition(word: str, thing: Node, label: str = "prep") -> Node:
    """A prepositional phrase."""
    thing.dep = "pobj"
    return Node(word, "IN", label, [], [thing])


class Speaker:
    """Makes phrases of a lexicon's words."""

    def __init__(self, lexicon: Lexicon, rng: random.Random) -> None:
        self.lexicon = lexicon
        self.rng = rng
        self._verbs = sorted(lexicon.clauses)
        # A verb comes up by the square root of its frequency, so that rare ones do.
        self._weights = [len(lexicon.clauses[verb]) ** 0.5 for verb in self._verbs]
        self._adjectives = sorted({a for some in lexicon.described.values() for a in some})

    def chance(self, share: float) -> bool:
        """True in this share of all cases."""
        return self.rng.random() < share

    def pick(self, options: Sequence[str]) -> str:
        """One of the options; KeyError where there is none."""
        if not options:
            raise KeyError("nothing to pick from")
        return self.rng.choice(options)

    def skeleton(self, *needs: str) -> Clause:
        """A clause that has all these parts; those with ambiguous words are twice as likely."""
        for _ in range(60):
            verb = self.rng.choices(self._verbs, self._weights)[0]
            item = self.rng.choice(self.lexicon.clauses[verb])
            if not all(getattr(item, need) for need in needs):
                continue
            words = (item.verb, item.subject, item.object)
            if self.chance(0.5) or not self.lexicon.ambiguous.isdisjoint(words):
                return item
        raise KeyError("no such clause")

    def noun(
        self, lemma: str, dep: str, adjective: str = "", bare: bool = False, article: str = ""
    ) -> Node:
        """A noun phrase; ``bare`` ones have no determiner and are plural where they can be."""
        forms = self.lexicon.forms
        many = self.chance(0.9 if bare else 0.25) and not article
        tag = "NNS" if (many or (lemma, "NN") not in forms) and (lemma, "NNS") in forms else "NN"
        left = [] if bare else [self._determiner(article or None, tag)]
        if not adjective and self.chance(0.3):
            adjective = self.pick(self.lexicon.described.get(lemma) or self._adjectives)
        if adjective:
            left.append(Node(adjective, "JJ", "amod"))
        if self.chance(0.2) and lemma in self.lexicon.compounds:
            word = self.pick(self.lexicon.compounds[lemma])
            left.append(Node(word, "NN", "compound"))
        return Node(forms[lemma, tag], tag, dep, left)

    def _determiner(self, word: str | None, tag: str) -> Node:
        word = word or self.pick(PLURAL if tag == "NNS" else SINGULAR)
        if word in NUMBERS:
            return Node(word, "CD", "nummod")
        if word == "many":
            return Node(word, "JJ", "amod")
        if word in POSSESSIVE:
            return Node(word, "PRP$", "poss")
        if self.chance(0.03):
            owner = Node(self.pick(self.lexicon.names), "NNP", "poss")
            owner.right.append(Node("'s", "POS", "case", tight=True))
            return owner
        return Node(word, "DT", "det")

    def name(self, dep: str) -> Node:
        """A name, now and then with a first name."""
        names = self.lexicon.names
        left = [Node(self.pick(names), "NNP", "compound")] if self.chance(0.15) else []
        return Node(self.pick(names), "NNP", dep, left)

    def subject(self, lemma: str, adjective: str = "", bare: bool = False) -> Node:
        """A noun phrase, a name, a pronoun, or two noun phrases with "and"."""
        kind = self.rng.random()
        if bare or kind < 0.7:
            node = self.noun(lemma, "nsubj", adjective if self.chance(0.6) else "", bare)
            if not bare and self.chance(0.06):
                other = self.noun(self.skeleton().subject, "conj")
                node.right += [Node("and", "CC", "cc"), other]
            return node
        return self.name("nsubj") if kind < 0.82 else Node(self.pick(SUBJECTS), "PRP", "nsubj")

    def object(self, lemma: str, bare: bool = False, dep: str = "dobj") -> Node:
        """A noun phrase, now and then a name or a pronoun."""
        kind = self.rng.random()
        if bare or kind < 0.86:
            return self.noun(lemma, dep, bare=bare)
        return self.name(dep) if kind < 0.93 else Node(self.pick(OBJECTS), "PRP", dep)

    def group(self, lemma: str, subject: Node, tense: str) -> tuple[list[Node], str, str]:
        """Auxiliaries (and "not"), form and tag of a verb that agrees with its subject."""
        form = self.lexicon.form
        if tense == "past":
            return [], form(lemma, "VBD"), "VBD"
        if tense == "present":
            tag = "VBP" if subject.plural else "VBZ"
            return [], form(lemma, tag), tag
        if tense == "modal":
            return [Node(self.pick(MODALS), "MD", "aux"), *self._not(0.15)], form(lemma, "VB"), "VB"
        if tense == "perfect":
            have = self.pick(["had", "have" if subject.plural else "has"])
            tag = "VBD" if have == "had" else "VBP" if have == "have" else "VBZ"
            return [Node(have, tag, "aux"), *self._not(0.1)], form(lemma, "VBN"), "VBN"
        if tense == "progressive":
            be = self.be(subject, "aux")
            return [be, *self._not(0.1)], form(lemma, "VBG"), "VBG"
        do = self.do(subject)
        return [do, *self._not(1.0)], form(lemma, "VB"), "VB"

    def _not(self, share: float) -> list[Node]:
        if not self.chance(share):
            return []
        short = self.chance(0.5)
        return [Node("n't" if short else "not", "RB", "neg", tight=short)]

    def be(self, subject: Node, dep: str) -> Node:
        """A form of "be" that agrees with its subject."""
        if subject.word == "I":
            word, tag = self.rng.choice((("am", "VBP"), ("was", "VBD")))
        elif subject.plural:
            word, tag = self.rng.choice((("are", "VBP"), ("were", "VBD")))
        else:
            word, tag = self.rng.choice((("is", "VBZ"), ("was", "VBD")))
        return Node(word, tag, dep)

    def do(self, subject: Node) -> Node:
        """A form of "do" that agrees with its subject."""
        now = ("do", "VBP") if subject.plural else ("does", "VBZ")
        word, tag = self.rng.choice((now, ("did", "VBD")))
        return Node(word, tag, "aux")

    def rest(self, clause: Clause, bare: bool = False, thing: bool = True) -> list[Node]:
        """Return the phrases after the verb: particle, object, prepositional phrase, adverb."""
        right: list[Node] = []
        particle = [Node(clause.particle, "RP", "prt")] if clause.particle else []
        if clause.object and thing:
            item = self.object(clause.object, bare)
            after = item.tag == "PRP" or self.chance(0.5)
            right += [item, *particle] if after else [*particle, item]
        else:
            right += particle
        if clause.preposition and self.chance(0.6):
            right.append(self.place(clause, bare))
        if self.chance(0.08):
            word = self.pick(TIMES)
            noun = word in TIMES[:3]
            right.append(Node(word, "NN" if noun else "RB", "npadvmod" if noun else "advmod"))
        elif self.chance(0.08):
            right.append(Node(self.pick(self.lexicon.adverbs), "RB", "advmod"))
        return right

    def place(self, clause: Clause, bare: bool = False) -> Node:
        """The prepositional phrase of a clause; KeyError where it has none."""
        if not clause.preposition:
            raise KeyError("no preposition")
        return preposition(clause.preposition, self.object(clause.place, bare, "pobj"))

    def clause(
        self, clause: Clause, dep: str = "ROOT", bare: bool = False, tense: str = ""
    ) -> Node:
        """Subject, verb and the rest, in any tense."""
        subject = self.subject(clause.subject, clause.adjective, bare)
        helpers, word, tag = self.group(clause.verb, subject, tense or self.pick(TENSES))
        verb = Node(word, tag, dep, [subject, *helpers], self.rest(clause, bare))
        if self.chance(0.12):
            verb.left.append(Node(self.pick(self.lexicon.adverbs), "RB", "advmod"))
        return verb
