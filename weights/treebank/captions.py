"""Sentences in the manner of captions, made of the words of trees.

A caption says who is doing what with what, and where: "A man is playing a guitar on the beach". The
trees say which objects and prepositional phrases verbs have, and which adjectives nouns; the
sentences say it in the progressive, the passive, with *there is*, *no* and *not*, as a phrase with
a participle or a relative clause, and joined with another.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from compsim.parsers.files.conll import Tree

__all__ = ["Captions", "captions"]

#: Whom captions are about.
_AGENTS: Final = (
    "man", "woman", "boy", "girl", "child", "kid", "baby", "person", "guy", "lady", "player",
    "dog", "cat", "horse", "bird", "animal", "team", "band", "dancer", "singer", "worker",
    "police", "crowd", "student", "teacher", "chef", "cook", "artist", "musician", "rider",
    "runner", "swimmer", "soldier", "driver", "farmer", "mother", "father", "family", "couple",
    "friend", "monkey", "elephant", "car", "train", "boat", "truck", "plane", "bus", "machine",
)  # fmt: skip
_PRONOUNS: Final = (
    "someone", "a few people", "people", "nobody", "no one", "he", "she", "they", "the people",
)  # fmt: skip
_PLURAL: Final = frozenset(("people", "a few people", "they", "the people"))
_QUANTITIES: Final = (
    *("some ", "two ", "three ", "many ", "several ", "a group of ", "few ", "four "),
)
#: Verbs that say little, which captions do not have.
_LIGHT: Final = frozenset((
    "be", "have", "do", "get", "make", "let", "go", "come", "say", "think", "know", "want",
    "see", "need", "seem", "become", "mean",
))  # fmt: skip
#: How often each construction comes, by number: see ``Captions._say``.
_CONSTRUCTIONS: Final = (0, 0, 0, 1, 2, 3, 4, 5, 6, 7)
#: A frequent verb is taken less often than its share.
_FLATTENING: Final = 0.6

_Noun = tuple[str, str]


def captions(trees: Sequence[Tree], count: int, rng: random.Random) -> list[str]:
    """Return at least ``count`` different sentences made of the words of the trees."""
    maker = Captions(trees, rng)
    made: dict[str, None] = {}
    while len(made) < count:
        made.update(dict.fromkeys(maker.pair()))
    texts = list(made)
    rng.shuffle(texts)
    return texts


class Captions:
    """Statistics of the trees: forms of words by lemma, and companions of verbs and nouns."""

    def __init__(self, trees: Sequence[Tree], rng: random.Random) -> None:
        self._rng = rng
        self._forms: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._subjects: Counter[str] = Counter()
        self._objects: dict[str, list[_Noun]] = defaultdict(list)
        self._phrases: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        self._of_nouns: list[_Noun] = []
        self._adjectives: dict[str, list[str]] = defaultdict(list)
        for tree in trees:
            for token in range(len(tree.words)):
                self._read(tree, token)
        self._any_adjective = [word for words in self._adjectives.values() for word in words]
        self._any_subject = list(self._subjects.elements())
        self._transitive, self._transitive_weights = self._verbs(self._objects)
        self._intransitive, self._intransitive_weights = self._verbs(self._phrases)

    def pair(self) -> list[str]:
        """Return one or two sentences that say much the same, in two constructions."""
        rng = self._rng
        subject, plural = self._subject()
        transitive = rng.random() < 0.65
        thing = place = ""
        if transitive:
            verb = rng.choices(self._transitive, self._transitive_weights)[0]
            thing = self._noun(*rng.choice(self._objects[verb]), 0.3, 0.35)
        else:
            verb = rng.choices(self._intransitive, self._intransitive_weights)[0]
        if (not transitive or rng.random() < 0.35) and self._phrases.get(verb):
            preposition, noun, tag = rng.choice(self._phrases[verb])
            place = f" {preposition} {self._noun(noun, tag, 0.25, 0.5)}"
        made = []
        for number in rng.sample(_CONSTRUCTIONS, 2):
            text = self._say(number, subject, plural, verb, thing, place)
            if rng.random() < 0.7:
                text = text[0].upper() + text[1:]
            made.append(text + "." * (rng.random() < 0.5))
        return made

    def _read(self, tree: Tree, token: int) -> None:
        """Take what a token says of words."""
        word, lemma = tree.words[token].lower(), tree.lemmas[token].lower()
        if not (_is_word(word) and _is_word(lemma)):
            return
        tag, label, head = tree.tags[token], tree.deps[token], tree.heads[token]
        noun = lemma if tag == "NN" else word
        if tag in ("VBN", "VBZ", "NNS") or (tag == "VBG" and label != "amod"):
            self._forms[lemma, tag][word] += 1
        if tag == "NN" and label == "nsubj":
            self._subjects[lemma] += 1
        if label == "amod" and tag == "JJ" and tree.tags[head] in ("NN", "NNS"):
            self._adjectives[tree.lemmas[head].lower()].append(word)
        if tag not in ("NN", "NNS"):
            return
        if label == "dobj" and _is_word(tree.lemmas[head].lower()) and _is_verb(tree, head):
            parts = [
                tree.words[other].lower()
                for other in range(len(tree.words))
                if tree.heads[other] == token and tree.deps[other] == "compound"
            ]
            compound = f"{parts[0]} " if len(parts) == 1 and _is_word(parts[0]) else ""
            self._objects[tree.lemmas[head].lower()].append((compound + noun, tag))
        if label == "pobj" and tree.deps[head] == "prep":
            above, preposition = tree.heads[head], tree.words[head].lower()
            if _is_verb(tree, above) and preposition != "by":
                phrase = (preposition, noun, tag)
                self._phrases[tree.lemmas[above].lower()].append(phrase)
            if tree.tags[above] == "NN":
                self._of_nouns.append((noun, tag))

    def _verbs(self, having: Mapping[str, Sequence[object]]) -> tuple[list[str], list[float]]:
        """Return the verbs that have something, and how often each is taken."""
        verbs = [verb for verb in having if verb not in _LIGHT and self._forms[verb, "VBG"]]
        return verbs, [len(having[verb]) ** _FLATTENING for verb in verbs]

    def _form(self, lemma: str, tag: str) -> str:
        """Return the commonest form of a lemma, "" where the trees have none."""
        forms = self._forms[lemma, tag]
        return forms.most_common(1)[0][0] if forms else ""

    def _noun(self, noun: str, tag: str, adjective: float, definite: float) -> str:
        """Return a noun phrase."""
        rng = self._rng
        if rng.random() < adjective:
            fitting = self._adjectives.get(noun.split()[-1]) or self._any_adjective
            words = fitting if rng.random() < 0.7 else self._any_adjective
            noun = f"{rng.choice(words)} {noun}"
        if tag == "NNS":
            kind = rng.random()
            if kind < 0.35:
                return noun
            return ("the " if kind < 0.6 else rng.choice(_QUANTITIES)) + noun
        return f"the {noun}" if rng.random() < definite else _indefinite(noun)

    def _subject(self) -> tuple[str, bool]:
        """Return who does something, and whether they are several."""
        rng = self._rng
        kind = rng.random()
        word = rng.choice(_AGENTS) if kind < 0.65 else rng.choice(self._any_subject)
        if rng.random() < 0.2 and self._forms[word, "NNS"]:
            return self._noun(self._form(word, "NNS"), "NNS", 0.25, 0.35), True
        if kind > 0.97:
            pronoun = rng.choice(_PRONOUNS)
            return pronoun, pronoun in _PLURAL
        phrase = self._noun(word, "NN", 0.3, 0.3)
        if rng.random() < 0.06:
            return f"{phrase} and {_indefinite(rng.choice(_AGENTS))}", True
        if rng.random() < 0.12 and self._of_nouns:
            noun = rng.choice(self._of_nouns)
            phrase += f" {rng.choice(('in', 'with'))} {self._noun(*noun, 0.3, 0.2)}"
        return phrase, False

    def _say(
        self, number: int, subject: str, plural: bool, verb: str, thing: str, place: str
    ) -> str:
        """Return the sentence in a construction, in the progressive where that has no form."""
        rng = self._rng
        be = "are" if plural else "is"
        doing, done = self._form(verb, "VBG"), self._form(verb, "VBN")
        rest = f" {thing}{place}" if thing else place
        if number == 1:
            return f"{subject} {be} not {doing}{rest}"
        if number == 2 and thing and done:
            are = "are" if rng.random() < 0.1 else "is"
            return f"{thing} {are} being {done} by {subject}{place}"
        if number == 3:
            text = f"there {be} {rng.choice(('no ', ''))}{subject} {doing}{rest}"
            for article in ("a", "an", "the"):
                text = text.replace(f"no {article} ", "no ")
            return text
        if number == 4:
            who = f"{subject} who {be}" if rng.random() < 0.5 else subject
            return f"{who} {doing}{rest}"
        if number == 5 and self._form(verb, "VBZ"):
            return f"{subject} {verb if plural else self._form(verb, 'VBZ')}{rest}"
        if number == 6 and done and thing:
            return f"{subject} {done}{rest}"
        if number == 7:
            return f"{subject} {be} {doing}{thing and f' {thing}'} and {self._also()}"
        return f"{subject} {be} {doing}{rest}"

    def _also(self) -> str:
        """Return what else happens."""
        rng = self._rng
        other, _ = self._subject()
        doing = self._form(rng.choices(self._intransitive, self._intransitive_weights)[0], "VBG")
        return f"{other} is {doing}" if rng.random() < 0.5 else doing


def _is_word(word: str) -> bool:
    return word.isalpha() and word.islower() and len(word) > 1


def _is_verb(tree: Tree, token: int) -> bool:
    return tree.tags[token].startswith("VB")


def _indefinite(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
