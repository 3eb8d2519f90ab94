"""Which noun a pronoun stands for, where the text leaves one choice.

"After the storm destroyed the old bridge, engineers rebuilt it": *it* is a thing, one of it, said
as an object. Two nouns before it agree; the bridge was an object too, the storm was not. The rules,
in the order in which they leave fewer nouns over (J. Hobbs, "Resolving pronoun references", 1978;
S. Lappin and H. Leass, "An algorithm for pronominal anaphora resolution", 1994):

1. *Agreement*: number; person, animal or thing and sex of the noun (``weights/roles/nouns.json``,
   made by ``weights/build_nouns.py``); a name without an article is a person, of either sex.
2. *Place*: the noun stands before, in the sentence of the pronoun or the one before.
3. *Binding*: "himself" is the subject of its clause; "him" is neither its subject nor another
   argument of the same verb.
4. *Parallel roles*: a subject stands for a subject, an object for an object, if one is left.
5. *Nearness*: the last sentence that has one of them, then the last clause.

If more than one noun is left, or none, the pronoun stands for nothing: a wrong guess costs more
than none. "It" stands for nothing in "it rains", "it is easy to fall" and "it was John who fell".

"One" after an adjective and "yours" stand for a noun alone, not for its phrase: "my car is older
than the blue one" means a blue car, "than yours" your car. What is compared with something stands
for what the subject is (Quirk et al. 1985, 12.15 to 12.19).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from compsim.parsers.grammar.nouns import TIMES, Nouns
from compsim.parsers.pipeline.tree import VERBAL, Tree, word_set
from compsim.vectors.dates import WEEKDAYS

__all__ = ["PRONOUNS", "Antecedents"]

#: Pronouns that stand for nouns: what they ask of the noun.
PRONOUNS: Final = {
    **dict.fromkeys(("he", "him", "himself"), "male"),
    **dict.fromkeys(("she", "her", "herself"), "female"),
    **dict.fromkeys(("it", "itself"), "thing"),
    **dict.fromkeys(("they", "them", "themselves"), "plural"),
    **dict.fromkeys(("one", "ones", "mine", "yours", "hers", "ours", "theirs"), "noun"),
}
#: The owners in pronouns that stand for a noun and its owner.
_OWNERS: Final = {
    "mine": "my", "yours": "your", "hers": "her", "ours": "our", "theirs": "their",
}  # fmt: skip
#: Possessive pronouns: what they ask of their owner.
_POSSESSIVES: Final = {"his": "male", "its": "thing", "their": "plural"}
_COMPARING: Final = ("than", "as")
#: How far up a pronoun is looked for in a noun phrase.
_STEPS: Final = 6
_REFLEXIVE: Final = frozenset(("himself", "herself", "itself", "themselves"))
_SUBJECTS: Final = ("nsubj", "nsubjpass")
_OBJECTS: Final = ("dobj", "dative")
#: Dependency labels of nouns that pronouns stand for; times ("last week") and names in apposition
#: are not among them.
_NOMINAL: Final = frozenset((*_SUBJECTS, *_OBJECTS, "pobj", "conj", "poss"))
#: What belongs to the text of a noun before the noun.
_BEFORE: Final = frozenset(
    ("det", "amod", "compound", "poss", "nummod", "nmod", "predet", "quantmod")
)
#: What tells one of a kind from another.
_MODIFYING: Final = frozenset(("amod", "compound", "nmod"))
_NAMES: Final = ("NNP", "NNPS")
_NOUNS: Final = frozenset(("NN", "NNS", *_NAMES))
_ENDS: Final = frozenset((".", "!", "?"))
_TITLES: Final = word_set("mr mr. mrs mrs. ms ms. miss dr dr. sir lady lord king queen")
#: Verbs of weather and of seeming, whose "it" is empty (Quirk et al. 1985, 6.17 and 10.26).
_EMPTY_VERBS: Final = word_set(
    "rain snow hail drizzle sleet thunder pour freeze thaw seem appear happen turn"
)
_CLAUSES: Final = frozenset(("ccomp", "xcomp", "csubj", "advcl", "relcl", "acl"))
#: Adjectives and nouns that tell the time or the weather when "it" is their subject.
_EMPTY_WORDS: Final = word_set(
    "late early dark sunny rainy windy cloudy foggy stormy snowy humid noon midnight time o'clock "
    "morning evening night spring summer autumn winter"
) | frozenset(WEEKDAYS)

#: A name after one of these is a place.
_PLACE_PREPOSITIONS: Final = word_set(
    "in at into near across through throughout within toward towards around"
)


class Antecedents:
    """The antecedents of the pronouns of one tree; ``kids`` are its ``children()``."""

    __slots__ = ("_candidates", "_ends", "_found", "_kids", "_tree")

    def __init__(self, tree: Tree, kids: Sequence[Sequence[int]]) -> None:
        self._tree = tree
        self._kids = kids
        self._candidates: list[int] | None = None
        self._ends: list[int] = []
        self._found: dict[int, int] = {}

    def of(self, i: int) -> str:
        """The text of the noun phrase that token ``i`` stands for, empty where nothing is sure."""
        noun = self._stands_for(i)
        if noun >= 0 and self._asked(i) == "noun":
            return f"{self._owner(i)} {self._tree.word(noun)}"
        return "" if noun < 0 else self._text(noun)

    def token(self, i: int) -> int:
        """The noun that a pronoun stands for, possessive ones among them; -1 where none is sure."""
        wanted = _POSSESSIVES.get(self._tree.word(i).lower(), "")
        if not wanted:
            return self._stands_for(i)
        if i not in self._found:
            self._found[i] = self._antecedent(i, wanted)
        return self._found[i]

    def _owner(self, i: int) -> str:
        """What stands before the noun that "one" or "yours" stands for."""
        tree = self._tree
        first = self._first(i)
        said = tree.text[tree.starts[first] : tree.ends[i - 1]] if first < i else ""
        return _OWNERS.get(tree.lemmas[i], said)

    def _stands_for(self, i: int) -> int:
        """The noun that token ``i`` stands for, -1 where nothing is sure."""
        noun = self._found.get(i)
        if noun is None:
            wanted = self._asked(i)
            noun = self._found[i] = self._antecedent(i, wanted) if wanted else -1
        return noun

    def _asked(self, i: int) -> str:
        """What a pronoun asks of a noun, empty for other words."""
        tree = self._tree
        wanted = PRONOUNS.get(tree.lemmas[i], "")
        if wanted == "noun":
            described = any(kid < i and tree.deps[kid] in _MODIFYING for kid in self._kids[i])
            return wanted if described or tree.lemmas[i] in _OWNERS else ""
        return wanted if tree.pos[i] == "PRON" else ""

    def _antecedent(self, i: int, wanted: str) -> int:
        tree = self._tree
        if wanted == "noun":
            return self._noun(i)
        if tree.lemmas[i] in _REFLEXIVE:
            noun = self._subject(self._verb(i))
            return noun if noun >= 0 and noun != i and self._agrees(noun, wanted) else -1
        if wanted == "thing" and tree.deps[i] != "poss" and self._empty(i):
            return -1
        left = [noun for noun in self._before(i) if self._agrees(noun, wanted)]
        if not left:
            return -1
        possessive = tree.deps[i] == "poss"
        own = {i} if possessive else self._arguments(i)
        own |= self._above(i)
        left = [noun for noun in left if noun not in own]
        for role in (_SUBJECTS, _OBJECTS):
            if tree.deps[i] in role:
                left = [noun for noun in left if tree.deps[noun] in role] or left
        if left:
            last = self._sentence(left[-1])
            left = [noun for noun in left if self._sentence(noun) == last]
        if len(left) > 1:
            clause = max(self._verb(noun) for noun in left)
            left = [noun for noun in left if self._verb(noun) == clause]
        return left[0] if len({self._text(noun).lower() for noun in left}) == 1 else -1

    def _above(self, i: int) -> set[int]:
        """The nouns that a pronoun stands within: "an umbrella on it" is not on the umbrella."""
        heads = self._tree.heads
        above: set[int] = set()
        while heads[i] != i and len(above) < _STEPS:
            i = heads[i]
            if self._tree.pos[i] in VERBAL:
                break
            above.add(i)
        return above

    def _noun(self, i: int) -> int:
        """The noun that "one" or "yours" stands for, -1 where nothing is sure."""
        tree, here = self._tree, self._sentence(i)
        left = [
            noun
            for noun in self._before(i)
            if tree.tags[noun] not in _NAMES and self._sentence(noun) == here
        ]
        compared = tree.lemmas[tree.heads[i]] in _COMPARING
        for role in (_SUBJECTS, _OBJECTS):
            if tree.deps[i] in role or (compared and role is _SUBJECTS):
                left = [noun for noun in left if tree.deps[noun] in role] or left
        if len({tree.lemmas[noun] for noun in left}) == 1:
            return left[-1]
        # "Steel kegs with plastic ones": of one kind with another, which the last one has.
        told_apart = [
            noun for noun in left if any(tree.deps[kid] in _MODIFYING for kid in self._kids[noun])
        ]
        return told_apart[-1] if told_apart and not compared else -1

    def _before(self, i: int) -> list[int]:
        """The nouns before token ``i``, in its sentence and the one before."""
        if self._candidates is None:
            self._candidates = self._prepare()
        here = self._sentence(i)
        result: list[int] = []
        for k in range(bisect_left(self._candidates, i) - 1, -1, -1):
            noun = self._candidates[k]
            if self._sentence(noun) < here - 1 or len(result) == 50:
                break
            result.append(noun)
        return result[::-1]

    def _prepare(self) -> list[int]:
        """Find all nouns that something may stand for, and the ends of sentences."""
        tree = self._tree
        deps, lemmas = tree.deps, tree.lemmas
        self._ends = [i for i, tag in enumerate(tree.tags) if tag == "." and lemmas[i] in _ENDS]
        return [
            i
            for i, tag in enumerate(tree.tags)
            if tag in _NOUNS
            and (deps[i] in _NOMINAL or tree.heads[i] == i)
            and lemmas[i] not in TIMES
        ]

    def _sentence(self, i: int) -> int:
        """The number of the sentence that a token stands in."""
        return bisect_left(self._ends, i)

    def _agrees(self, noun: int, wanted: str) -> bool:
        """Whether a pronoun that asks for this may stand for a noun."""
        tree, nouns = self._tree, Nouns.shipped()
        lemma, tag = tree.lemmas[noun], tree.tags[noun]
        if not tag.startswith("NN"):
            return False
        joined = any(tree.deps[kid] == "conj" for kid in self._kids[noun])
        inner = tree.deps[noun] == "conj"
        plural = tag in ("NNS", "NNPS") or joined
        if wanted == "plural":
            return plural and not inner
        if plural:
            return False
        if tag in _NAMES and lemma not in nouns.person:
            return self._name_agrees(noun, wanted)
        if wanted == "thing":
            return lemma in nouns.animal or (lemma not in nouns.person and lemma not in nouns.mixed)
        other = nouns.female if wanted == "male" else nouns.male
        return (lemma in nouns.person or lemma in nouns.mixed) and lemma not in other

    def _name_agrees(self, name: int, wanted: str) -> bool:
        tree = self._tree
        kids = [kid for kid in self._kids[name] if kid < name]
        title = next((tree.lemmas[kid] for kid in kids if tree.lemmas[kid] in _TITLES), "")
        article = any(tree.deps[kid] == "det" for kid in kids)
        if wanted == "thing":
            return article and not title
        if title in ("mrs", "mrs.", "ms", "ms.", "miss", "lady", "queen"):
            return wanted == "female"
        if title in ("mr", "mr.", "sir", "lord", "king"):
            return wanted == "male"
        nouns, first = Nouns.shipped(), tree.lemmas[min((name, *kids))]
        if first in (nouns.man if wanted == "female" else nouns.woman):
            return False
        return not article and tree.lemmas[tree.heads[name]] not in _PLACE_PREPOSITIONS

    def _verb(self, i: int) -> int:
        """The verb of the clause that a token stands in, -1 where none is above it."""
        tree = self._tree
        for _ in range(12):
            above = tree.heads[i]
            if above == i:
                return -1
            i = above
            if tree.pos[i] in VERBAL:
                return i
        return -1

    def _subject(self, verb: int) -> int:
        """The subject of a verb, its own or that of the verb it shares one with, else -1."""
        tree = self._tree
        for _ in range(6):
            if verb < 0:
                return -1
            for kid in self._kids[verb]:
                if tree.deps[kid] in _SUBJECTS:
                    return kid
            if tree.deps[verb] not in ("conj", "xcomp", "pcomp", "advcl"):
                return -1
            verb = self._verb(verb)
        return -1

    def _arguments(self, i: int) -> set[int]:
        """What the verb of a pronoun has beside it: none of them is what it stands for."""
        tree = self._tree
        verb = self._verb(i)
        subject = self._subject(verb)
        result = {subject}
        if 0 <= subject < i and self._asked(subject):
            # "She called him": whoever she is, he is another.
            result.add(self._stands_for(subject))
        for kid in self._kids[verb] if verb >= 0 else ():
            result.add(kid)
            if tree.deps[kid] in ("prep", "agent", "dative"):
                result.update(self._kids[kid])
        return result

    def _empty(self, i: int) -> bool:
        """Whether "it" stands for nothing: the weather, the time, or a clause that comes later."""
        tree = self._tree
        verb = tree.heads[i]
        if tree.deps[i] not in _SUBJECTS:
            # "found it hard to sleep"
            return (
                any(tree.deps[kid] in ("xcomp", "ccomp") and kid > i for kid in self._kids[verb])
                and tree.deps[i] in _OBJECTS
            )
        if tree.lemmas[verb] in _EMPTY_VERBS:
            return True
        if tree.lemmas[verb] not in ("be", "'s"):
            # "it surprised me that he came", "it was said that..."
            return any(
                tree.deps[kid] in ("ccomp", "csubj") and kid > verb for kid in self._kids[verb]
            )
        for kid in self._kids[verb]:
            if kid > verb and (tree.deps[kid] in _CLAUSES or tree.lemmas[kid] in _EMPTY_WORDS):
                return True
            if tree.deps[kid] in ("acomp", "attr") and (
                tree.tags[kid] == "CD"
                or any(tree.deps[below] in _CLAUSES for below in self._kids[kid])
            ):
                return True
        return False

    def _text(self, noun: int) -> str:
        """The noun with what stands before it, and the noun after "of"."""
        tree = self._tree
        first = last = noun
        for _ in range(12):  # "Tom, Anna and Bob"
            joined = [kid for kid in self._kids[last] if tree.deps[kid] == "conj"]
            if not joined:
                break
            last = joined[-1]
        for kid in self._kids[noun]:
            if kid < first and tree.deps[kid] in _BEFORE:
                first = self._first(kid)
                break
        of = noun + 1
        if last == noun and of < len(tree) and tree.lemmas[of] == "of" and tree.heads[of] == noun:
            inner = [kid for kid in self._kids[of] if tree.deps[kid] == "pobj"]
            last = inner[0] if inner else last
        return tree.text[tree.starts[first] : tree.ends[last]]

    def _first(self, i: int) -> int:
        """The first token of what hangs below ``i`` on its left."""
        while self._kids[i] and self._kids[i][0] < i:
            i = self._kids[i][0]
        return i
