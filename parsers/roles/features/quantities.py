"""How many of a noun there are: its quantifier and its number.

The words are closed classes, after Quirk et al., *A Comprehensive Grammar of the English Language*
(1985), sections 5.10 to 5.25 (determiners) and 6.45 to 6.53 (quantifying pronouns).

>>> number_of(["two", "hundred"]), number_of(["1,200"]), number_of(["half", "a", "million"])
('200', '1200', '500000')
>>> number_of(["twenty", "-", "five"]), number_of(["five", "or", "six"])
('25', '')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from compsim.parsers.pipeline.tree import AUXILIARY, Tree
from compsim.vectors.cardinals import SCALES, plain_decimal, value_of

__all__ = ["NEGATORS", "Quantities", "number_of", "word_set"]


def word_set(text: str) -> frozenset[str]:
    """The words of a table that is written as text."""
    return frozenset(text.split())


#: What a quantifier says of its noun, and what a quantifying pronoun says of itself.
_DETERMINERS: Final = {
    **dict.fromkeys(("all", "every", "each", "both"), "all"),
    "most": "most",
    **dict.fromkeys(("many", "much", "numerous"), "many"),
    **dict.fromkeys(("some", "several"), "some"),
    **dict.fromkeys(("few", "little", "any"), "few"),
    **dict.fromkeys(("no", "neither", "zero"), "no"),
}
_PRONOUNS: Final = {
    **dict.fromkeys(("everybody", "everyone", "everything"), "all"),
    **dict.fromkeys(("anybody", "anyone", "anything"), "few"),
    **dict.fromkeys(("nobody", "noone", "nothing", "none"), "no"),
}
#: Quantifiers and nouns of quantity before "of": the noun after it is what is counted.
_PARTITIVES: Final = {
    **{word: value for word, value in _DETERMINERS.items() if word not in ("every", "no", "any")},
    **dict.fromkeys(("lot", "plenty", "deal"), "many"),
    "majority": "most",
    "couple": "some",
    "none": "no",
    "any": "few",
}
_QUANTIFYING: Final = frozenset((*_DETERMINERS, *_PRONOUNS, *_PARTITIVES))
_ONE: Final = frozenset(("a", "an", "one"))
#: What "not" makes of them. The others it leaves to the verb.
_DENIED: Final = {"all": "some", "many": "few"}
#: "few" only after a word like "hardly": alone it says nothing.
_ANY: Final = frozenset(("any", "anybody", "anyone", "anything"))
_HARDLY: Final = frozenset(("hardly", "scarcely", "barely"))
NEGATORS: Final = frozenset(("not", "n't", "n\u2019t", "nt"))
#: After "no" these make no quantifier: "no more than five", "no doubt", "no matter".
_NO_IDIOMS: Final = word_set("more less few doubt matter wonder soon long")
#: What makes a limit of the number after it; the opposite after "no" and "not". Of one word only
#: where it belongs to the number: who looks "under two tables" looks under both.
_LIMITS: Final = {
    **dict.fromkeys(("at least", "more than", "over", "above"), "least"),
    **dict.fromkeys(("at most", "up to", "less than", "fewer than", "under", "below"), "most"),
}
#: What may stand between the words of a number, or make it a range, which is no number.
_JOINTS: Final = frozenset(("-", "and", "a", "half", "or", "to", "\u2013"))
_LOOSE: Final = _JOINTS - {"half"}


class Quantities:
    """Quantifiers and numbers of the nouns of one tree; ``kids`` are its ``children()``."""

    __slots__ = ("_found", "_kids", "_tree", "numbers", "some")

    def __init__(self, tree: Tree, kids: Sequence[Sequence[int]]) -> None:
        self._tree = tree
        self._kids = kids
        self._found: dict[int, str] = {}
        #: Whether there may be any quantifier, any number: most texts have none.
        self.some = not _QUANTIFYING.isdisjoint(tree.lemmas) or "not" in tree.lemmas
        self.numbers = "CD" in tree.tags or not SCALES.keys().isdisjoint(tree.lemmas)

    def counted(self, noun: int) -> int:
        """The noun that a phrase is about: ``people`` of "a lot of people", else ``noun``."""
        tree = self._tree
        if tree.lemmas[noun] in _PARTITIVES and noun + 1 < len(tree):
            of = noun + 1
            if tree.lemmas[of] == "of" and tree.heads[of] == noun:
                return next((kid for kid in self._kids[of] if tree.deps[kid] == "pobj"), noun)
        return noun

    def quantifier(self, noun: int) -> str:
        """``all``, ``most``, ``many``, ``some``, ``few``, ``no``, or nothing."""
        found = self._found.get(noun)
        if found is None:
            found = self._found[noun] = self._quantifier(noun)
        return found

    def _quantifier(self, noun: int) -> str:
        lemmas = self._tree.lemmas
        own = lemmas[noun]
        if own in _PRONOUNS:
            return self._judged(noun, _PRONOUNS[own], noun)
        for kid in self._kids[noun]:
            if kid > noun:
                break
            value = _DETERMINERS.get(lemmas[kid])
            if lemmas[kid] in _ONE and kid and lemmas[kid - 1] == "not" and self._not_one(kid):
                return "no"
            if value:
                value = self._judged(kid, value, noun)
                if value:
                    return value
            elif self._tree.deps[kid] == "poss" and _PRONOUNS.get(lemmas[kid]) == "no":
                return "no"
        if own in _PARTITIVES:
            if self.counted(noun) != noun:
                return self._judged(noun, _PARTITIVES[own], noun)
            if own in _DETERMINERS and self._tree.deps[noun] in ("nsubj", "nsubjpass", "dobj"):
                return self._judged(noun, _DETERMINERS[own], noun)
        return ""

    def _not_one(self, article: int) -> bool:
        """Whether "not" before "a" or "one" belongs to the noun ("not a single man came")."""
        above = self._tree.heads[article - 1]
        return above == article or above == self._tree.heads[article]

    def _judged(self, i: int, value: str, noun: int) -> str:
        """What quantifier ``i`` says of its noun with the words around it."""
        lemmas = self._tree.lemmas
        word = lemmas[i]
        before = lemmas[i - 1] if i else ""
        after = lemmas[i + 1] if i + 1 < len(lemmas) else ""
        if word in _ANY:
            return value if before in _HARDLY else ""
        if before == "how":
            return ""
        if (word == "no" and after in _NO_IDIOMS) or (word == "each" and after == "other"):
            return ""
        if value == "no" and after in ("but", "except", "less", "more"):
            return ""  # "nothing but" means "only"
        if word == "little" and not self._amount(i, noun):
            return ""
        if word == "few" and before in ("a", "an"):
            return "many" if i > 1 and lemmas[i - 2] == "quite" else "some"
        if word == "deal" and not {"great", "good"} & {before}:
            return ""
        return _DENIED.get(value, value) if before in NEGATORS and self.bound(i - 1) else value

    def _amount(self, little: int, noun: int) -> bool:
        """Whether "little" tells an amount ("little water"), not a size ("the little dog")."""
        first = self._tree.tags[little - 1] if little else ""
        return self._tree.tags[noun] == "NN" and first not in ("DT", "PRP$", "POS", "JJ", "CD")

    def bound(self, i: int) -> bool:
        """Whether adverb ``i`` ("not", "hardly") belongs to the quantifier after it, not the verb.

        "Not all birds fly" denies no flying; after an auxiliary "not" is the verb's.
        """
        tree = self._tree
        if i + 1 >= len(tree):
            return False
        after = tree.lemmas[i + 1]
        word = tree.lemmas[i]
        if word in _HARDLY:
            return after in _ANY
        if word != "not" or not (_PRONOUNS.get(after) == "all" or after in _DETERMINERS):
            return False
        return i == 0 or not (tree.deps[i - 1] in AUXILIARY or tree.lemmas[i - 1] == "be")

    def number(self, noun: int) -> str:
        """The number that counts a noun, or that it is, as plain decimal digits, or nothing."""
        at = self._counting(noun)
        if at < 0:
            return ""
        first, last = self._run(at)
        return number_of(self._tree.lemmas[first:last])

    def limit(self, noun: int) -> str:
        """``least`` or ``most`` where the number of a noun is one of these, else nothing."""
        tree, at = self._tree, self._counting(noun)
        if at < 0:
            return ""
        first, _ = self._run(at)
        said = [tree.word(i).lower() for i in range(max(0, first - 3), first)]
        limit = _LIMITS.get(" ".join(said[-2:]), "")
        if limit and said[-1] == "than" and said[0] in ("no", *NEGATORS):
            return "least" if limit == "most" else "most"
        if not limit and said and tree.deps[first - 1] in ("quantmod", "advmod"):
            return _LIMITS.get(said[-1], "")
        return limit

    def _counting(self, noun: int) -> int:
        """A word of the number that counts a noun, or that it is, else -1."""
        tree = self._tree
        for kid in self._kids[noun]:
            if tree.deps[kid] == "nummod" or (kid < noun and tree.lemmas[kid] in SCALES):
                return kid
        named = tree.lemmas[noun] == "one" and self._named(noun)
        return noun if tree.tags[noun] == "CD" and not named else -1

    def _named(self, one: int) -> bool:
        """Whether "one" stands for a noun ("the red one"), or is a part of "no one"."""
        return any(kid < one for kid in self._kids[one])

    def _run(self, i: int) -> tuple[int, int]:
        """Where the words around number word ``i`` that make a number begin and end."""
        tree = self._tree
        first, last = i, i + 1
        # No number has more words; a list of figures may have thousands.
        while first > max(0, i - 12) and (
            self._numeral(first - 1) or tree.lemmas[first - 1] in _JOINTS
        ):
            first -= 1
        while last < min(len(tree), i + 12) and (
            self._numeral(last) or tree.lemmas[last] in _JOINTS
        ):
            last += 1
        while first < i and tree.lemmas[first] in _LOOSE:
            first += 1
        return first, last

    def _numeral(self, i: int) -> bool:
        return self._tree.tags[i] == "CD" or self._tree.lemmas[i] in SCALES


def number_of(words: Sequence[str]) -> str:
    """The number that words make, as plain decimal digits; empty where they make none, or two."""
    inner = list(words)
    while inner and inner[-1] in _LOOSE:
        inner.pop()
    while inner and inner[0] in _LOOSE:
        inner.pop(0)
    value = value_of(inner)
    return "" if value is None else plain_decimal(value)
