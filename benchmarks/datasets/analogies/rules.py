"""Pairs of sentences that differ in one thing, each made of one parsed sentence.

The rules are those of Zhu and de Melo (2020) for relations that need a parse. Each takes a tree and
gives the sentences A and B, or None where the sentence has not what the rule is about.

>>> from compsim.parsers.roles.srl import SrlParser
>>> (tree, _), = SrlParser().analyse(["Your dog is much bigger than my cat."])
>>> comparative(tree)
('Your dog is big.', 'Your dog is much bigger than my cat.')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from compsim.benchmarks.datasets.analogies.distractors import replaced

if TYPE_CHECKING:
    from compsim.parsers.pipeline.tree import Tree

__all__ = [
    "NUMBERS", "adjective", "comparative", "conjugation", "objective", "opposite", "plural",
]  # fmt: skip

Pair: TypeAlias = tuple[str, str]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Comparatives that are no forms of the adjective that the cut would need.
_IRREGULAR: Final = frozenset({"better", "worse", "more", "less", "further", "farther"})
#: Determiners that go with several things only.
_SEVERAL: Final = frozenset({"these", "those", "all", "both", "few", "many", "several"})
#: Words that say how many things there are.
NUMBERS: Final = _words("""
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
""")
#: Adjectives that stand before their noun only, or mean something else behind "is".
_NOT_PREDICATED: Final = _words("""
    such same other another own former latter main only certain little last next first second third
    few many whole very mere sheer utter entire total chief principal late past present right single
    particular special good
""")
_SAYING: Final = frozenset({"say", "think", "know"})
_FINITE: Final = frozenset({"VBD", "VBZ", "VBP"})


def comparative(tree: Tree) -> Pair | None:
    """A: the sentence up to a comparative with "than", which is brought to its base form; B: whole.

    "Better", "worse", "more" and "less" are left alone.
    """
    for i, (tag, dep) in enumerate(zip(tree.tags, tree.deps, strict=True)):
        word, base = _word(tree, i).lower(), tree.lemmas[i]
        kids = tree.kids(i)
        if tag != "JJR" or dep == "advmod" or word in _IRREGULAR or base == word:
            continue
        if dep == "amod" and i < tree.heads[i]:  # "a bigger dog than mine" has no place to end at
            continue
        if not any(_word(tree, kid).lower() == "than" and kid > i for kid in kids):
            continue
        adverbs = [kid for kid in kids if kid < i and tree.deps[kid] in ("advmod", "npadvmod")]
        start = min((tree.parts([kid])[kid][0] for kid in adverbs), default=i)
        before = tree.text[: tree.starts[start]].rstrip()
        if before:
            return f"{before} {base}{_end(tree)}", tree.text
    return None


def opposite(tree: Tree, opposites: Mapping[str, tuple[str, bool]]) -> Pair | None:
    """A: with the first of two opposites as what is said of the subject; B: with the second.

    ``opposites`` maps each word of a pair to the other one, and to whether it is the first itself.
    A "not" before it is left out; "make sure" is left alone.
    """
    root = _root(tree)
    for i in tree.kids(root):
        word = _word(tree, i)
        other, is_first = opposites.get(word.lower(), ("", False))
        if tree.deps[i] != "acomp" or not other or not tree.tags[i].startswith("JJ"):
            continue
        if tree.lemmas[root] == "make" and "sure" in word.lower():
            continue
        nots = [kid for kid in (*tree.kids(root), *tree.kids(i)) if tree.deps[kid] == "neg"]
        if any(_word(tree, kid - 1).lower() in ("ca", "wo", "sha") for kid in nots if kid):
            continue
        without = dict.fromkeys((kid for kid in nots if kid < i), "")
        new = other.capitalize() if word[0].isupper() else other
        own, turned = replaced(tree, without), replaced(tree, {**without, i: new})
        return (own, turned) if is_first else (turned, own)
    return None


def plural(tree: Tree) -> Pair | None:
    """A: with one thing as the object; B: with as many as a number word says."""
    for i, (tag, dep) in enumerate(zip(tree.tags, tree.deps, strict=True)):
        word, one = _word(tree, i).lower(), tree.lemmas[i]
        if tag != "NNS" or dep != "dobj" or not word.endswith("s") or one == word:
            continue
        kids = tree.kids(i)
        if any(_word(tree, kid).lower() in _SEVERAL or tree.deps[kid] == "conj" for kid in kids):
            continue
        for kid in kids:
            number = _word(tree, kid)
            counts = tree.deps[kid] == "nummod" and number.lower() in NUMBERS
            if counts and kid < i and not tree.kids(kid):
                single = "One" if number[0].isupper() else "one"
                return replaced(tree, {kid: single, i: one}), tree.text
    return None


def conjugation(tree: Tree, verbs: Mapping[str, str]) -> Pair | None:
    """A: a name with an auxiliary and a verb; B: without the auxiliary, the verb in -s.

    ``verbs`` maps base forms to those in -s. A negation goes with the auxiliary.
    """
    for i, tag in enumerate(tree.tags):
        form = verbs.get(_word(tree, i).lower())
        if tag != "VB" or form is None:
            continue
        kids = tree.kids(i)
        helping = [kid for kid in kids if tree.deps[kid] == "aux"]
        subjects = [kid for kid in kids if tree.deps[kid] == "nsubj" and tree.tags[kid] == "NNP"]
        if len(helping) != 1 or len(subjects) != 1:
            continue
        several = any(tree.deps[kid] == "conj" for kid in tree.kids(subjects[0]))
        if several or not subjects[0] < helping[0] < i or _word(tree, helping[0]).lower() == "to":
            continue
        nots = [kid for kid in kids if tree.deps[kid] == "neg" and kid < i]
        return tree.text, replaced(tree, {**dict.fromkeys([*helping, *nots], ""), i: form})
    return None


def objective(tree: Tree) -> Pair | None:
    """A: somebody says, thinks or knows something; B: that alone."""
    root = _root(tree)
    if tree.lemmas[root] not in _SAYING or tree.tags[root] not in _FINITE or '"' in tree.text:
        return None
    for kid in tree.kids(root):
        own = {tree.deps[k] for k in tree.kids(kid)}
        if tree.deps[kid] != "ccomp" or kid < root or not own & {"nsubj", "nsubjpass", "expl"}:
            continue
        if tree.tags[kid] not in _FINITE and not any(
            tree.tags[k] in (*_FINITE, "MD") for k in tree.kids(kid)
        ):
            continue
        places = list(tree.parts([kid])[kid])
        if _word(tree, places[0]).lower() == "that":
            places = places[1:]
        bare = tree.text.rstrip().rstrip(".?!").rstrip()
        inside = places == list(range(places[0], places[-1] + 1)) if places else False
        if not inside or tree.ends[places[-1]] < len(bare):
            return None
        if tree.tags[places[0]] in ("IN", "WP", "WRB", "WDT", "WP$"):  # a question, not a clause
            return None
        clause = bare[tree.starts[places[0]] :]
        return tree.text, f"{clause[0].upper()}{clause[1:]}{_end(tree)}"
    return None


def adjective(tree: Tree) -> Pair | None:
    """A: "a big dog" in a sentence; B: "a dog that is big" in its place."""
    for i, tag in enumerate(tree.tags):
        kids = tree.kids(i)
        if tag != "NN" or len(kids) != 2 or kids != [i - 2, i - 1]:  # nothing behind the noun
            continue
        article, quality = _word(tree, i - 2), _word(tree, i - 1)
        if article.lower() not in ("a", "an") or tree.deps[i - 1] != "amod" or tree.kids(i - 1):
            continue
        if tree.tags[i - 1] != "JJ" or quality.lower() in _NOT_PREDICATED or not quality.isalpha():
            continue
        noun = _word(tree, i)
        right = "an" if noun[0].lower() in "aeiou" else "a"
        right = right.capitalize() if article[0].isupper() else right
        made = replaced(tree, {i - 2: right, i - 1: "", i: f"{noun} that is {quality}"})
        return tree.text, made
    return None


def _root(tree: Tree) -> int:
    return next(i for i, head in enumerate(tree.heads) if head == i)


def _word(tree: Tree, i: int) -> str:
    return tree.text[tree.starts[i] : tree.ends[i]]


def _end(tree: Tree) -> str:
    """The full stop that the sentence has, if it has one."""
    return "." if tree.text.rstrip().endswith((".", "!", "?")) else ""
