"""Predicates with their arguments in silver trees: the words of made plain sentences.

The silver trees say which nouns do what to which, which adjectives and nouns describe them, which
particle goes with which verb, who is given what. From "the police had questioned several suspects"
this module takes *police - question - suspect*.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import TypeVar

from compsim.parsers.files.conll import Tree

__all__ = ["Clause", "Lexicon", "clauses"]

NOUNS = ("NN", "NNS")
VERBS = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ")
KEPT_TAGS = (*NOUNS, *VERBS)
#: A form is ambiguous if at least this share of its uses is nominal, and this share verbal.
SHARE = 0.05
BLOCKED = {"auxpass", "attr", "acomp", "ccomp", "xcomp", "dative", "oprd", "expl"}


_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Clause:
    """Lemmas of a clause's skeleton: adjective, object, prepositional phrase, particle may lack."""

    subject: str
    verb: str
    adjective: str = ""
    object: str = ""
    preposition: str = ""
    place: str = ""
    particle: str = ""


def clauses(trees: Iterable[Tree]) -> Iterator[Clause]:
    """Active clauses whose subject, and object if there is one, are common nouns."""
    for tree in trees:
        kids = _children(tree)
        for i, tag in enumerate(tree.tags):
            if tag in VERBS and tree.deps[i] not in ("aux", "auxpass", "amod"):
                clause = _clause(tree, i, kids)
                if clause is not None:
                    yield clause


def _children(tree: Tree) -> dict[int, list[int]]:
    kids = defaultdict(list)
    for i, head in enumerate(tree.heads):
        if head != i:
            kids[head].append(i)
    return kids


def _clause(tree: Tree, verb: int, kids: dict[int, list[int]]) -> Clause | None:
    parts = {tree.deps[kid]: kid for kid in kids[verb]}
    subject, thing = parts.get("nsubj"), parts.get("dobj")
    if subject is None or BLOCKED & set(parts) or tree.tags[subject] not in NOUNS:
        return None
    if thing is not None and tree.tags[thing] not in NOUNS:
        return None
    adjective = next((k for k in kids[subject] if tree.tags[k] == "JJ" and k < subject), None)
    prep = parts.get("prep")
    place = next((k for k in kids.get(prep, ()) if tree.deps[k] == "pobj"), None) if prep else None
    if place is not None and tree.tags[place] not in NOUNS:
        place = None

    def lemma(i: int | None) -> str:
        return "" if i is None else tree.lemmas[i].lower()

    clause = Clause(
        lemma(subject),
        lemma(verb),
        lemma(adjective),
        lemma(thing),
        lemma(prep) if place is not None else "",
        lemma(place),
        lemma(parts.get("prt")),
    )
    return clause if all(not word or word.isalpha() for word in astuple(clause)) else None


class Lexicon:
    """Words of silver trees by what they do.

    ``forms`` has the usual form of each (lemma, tag); ``ambiguous`` the forms that are nouns here
    and verbs there; ``clauses`` the skeletons by verb; ``names`` single words that are names of
    subjects; ``adverbs`` those in -ly before verbs; ``described`` and ``compounds`` what stands
    before a noun; ``gifts`` (verb, thing) of verbs with a dative; ``phrasal`` (verb, particle,
    object); ``speech`` verbs with a clause as object.
    """

    def __init__(self, trees: Sequence[Tree]) -> None:
        self.forms = _forms(trees)
        self.ambiguous = _ambiguous(trees)
        by_verb: dict[str, set[Clause]] = defaultdict(set)
        for clause in clauses(trees):
            by_verb[clause.verb].add(clause)
        self.clauses = {
            verb: sorted(result, key=astuple) for verb, result in sorted(by_verb.items())
        }
        names: Counter[str] = Counter()
        adverbs: Counter[str] = Counter()
        described: dict[str, Counter[str]] = defaultdict(Counter)
        compounds: dict[str, Counter[str]] = defaultdict(Counter)
        gifts: Counter[tuple[str, str]] = Counter()
        phrasal: Counter[tuple[str, str, str]] = Counter()
        speech: Counter[str] = Counter()
        for tree in trees:
            kids = _children(tree)
            lemmas = [lemma.lower() for lemma in tree.lemmas]
            for i, (dep, tag) in enumerate(zip(tree.deps, tree.tags, strict=True)):
                head = tree.heads[i]
                noun = tree.tags[head] in NOUNS and tree.words[head].isalpha()
                if not tree.words[i].isalpha():
                    continue
                if dep == "nsubj" and tag == "NNP" and not kids[i] and tree.words[i].istitle():
                    names[tree.words[i]] += 1
                elif dep == "advmod" and lemmas[i].endswith("ly") and tree.tags[head] in VERBS:
                    adverbs[lemmas[i]] += 1
                elif dep == "amod" and tag == "JJ" and noun:
                    described[lemmas[head]][lemmas[i]] += 1
                elif dep == "compound" and tag in NOUNS and noun:
                    compounds[lemmas[head]][tree.words[i].lower()] += 1
                elif dep == "ccomp" and tree.tags[head] in VERBS and i > head:
                    speech[lemmas[head]] += 1
                elif dep == "dobj" and tag in NOUNS and tree.tags[head] in VERBS:
                    labels = {tree.deps[kid]: kid for kid in kids[head]}
                    if "dative" in labels:
                        gifts[lemmas[head], lemmas[i]] += 1
                    if "prt" in labels:
                        phrasal[lemmas[head], lemmas[labels["prt"]], lemmas[i]] += 1
        self.names = _common(names, 2)
        self.adverbs = _common(adverbs, 3)
        self.described = {noun: _common(counts, 1) for noun, counts in described.items()}
        self.compounds = {noun: _common(counts, 1) for noun, counts in compounds.items()}
        self.gifts = _common(gifts, 1)
        self.phrasal = _common(phrasal, 1)
        self.speech = _common(speech, 10)

    def form(self, lemma: str, tag: str) -> str:
        """The form of a lemma with this tag. Raises KeyError where the trees have none."""
        if tag in ("VB", "VBP") and (lemma, tag) not in self.forms:
            return self.forms[lemma, "VBP" if tag == "VB" else "VB"]
        return self.forms[lemma, tag]


def _common(counts: Counter[_Key], least: int) -> list[_Key]:
    return sorted((key for key, count in counts.items() if count >= least), key=repr)


def _forms(trees: Iterable[Tree]) -> dict[tuple[str, str], str]:
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for tree in trees:
        for word, lemma, tag in zip(tree.words, tree.lemmas, tree.tags, strict=True):
            if word.isalpha() and tag in KEPT_TAGS:
                counts[lemma.lower(), tag][word.lower()] += 1
    return {key: words.most_common(1)[0][0] for key, words in counts.items()}


def _ambiguous(trees: Iterable[Tree]) -> set[str]:
    nouns: Counter[str] = Counter()
    verbs: Counter[str] = Counter()
    for tree in trees:
        for word, tag in zip(tree.words, tree.tags, strict=True):
            if tag in VERBS:
                verbs[word.lower()] += 1
            elif tag in (*NOUNS, "JJ"):
                nouns[word.lower()] += 1
    return {
        word
        for word, count in verbs.items()
        if min(count, nouns[word]) >= SHARE * (count + nouns[word])
    }
