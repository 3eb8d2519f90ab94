"""Plain sentences with known trees, to teach the student what its teacher gets wrong.

A parser trained on newswire and the web reads "Police question suspects." as one noun phrase: bare
plurals and verbs that could be nouns are rare there. The silver trees do say which nouns do what to
which: from "the police had questioned several suspects" this module takes *police - question -
suspect* and says it plainly, in the present with bare plurals or in the past with articles. The
tree of such a sentence is known from the way it is made.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass

from compsim.parsers.files.conll import Tree

__all__ = ["Clause", "clauses", "plain_sentences"]

NOUNS = ("NN", "NNS")
VERBS = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ")


@dataclass(frozen=True, slots=True)
class Clause:
    """Lemmas of a clause's skeleton: an optional adjective, object and prepositional phrase."""

    subject: str
    verb: str
    adjective: str = ""
    object: str = ""
    preposition: str = ""
    place: str = ""


def clauses(trees: Iterable[Tree]) -> Iterator[Clause]:
    """Active clauses whose subject, and object if there is one, are common nouns."""
    for tree in trees:
        kids = defaultdict(list)
        for i, head in enumerate(tree.heads):
            if head != i:
                kids[head].append(i)
        for i, tag in enumerate(tree.tags):
            if tag in VERBS and tree.deps[i] not in ("aux", "auxpass", "amod"):
                clause = _clause(tree, i, kids)
                if clause is not None:
                    yield clause


def _clause(tree: Tree, verb: int, kids: dict[int, list[int]]) -> Clause | None:
    parts = {tree.deps[kid]: kid for kid in kids[verb]}
    subject, thing = parts.get("nsubj"), parts.get("dobj")
    blocked = {"auxpass", "attr", "acomp", "ccomp", "xcomp", "dative", "prt", "oprd"} & set(parts)
    if subject is None or blocked or tree.tags[subject] not in NOUNS:
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

    found = Clause(
        lemma(subject),
        lemma(verb),
        lemma(adjective),
        lemma(thing),
        lemma(prep) if place is not None else "",
        lemma(place),
    )
    words = (found.subject, found.verb, found.adjective or "a", found.object or "a")
    return found if all(word.isalpha() for word in words) else None


def plain_sentences(trees: Sequence[Tree], count: int, rng: random.Random) -> list[Tree]:
    """Up to ``count`` plain sentences made from the clauses of ``trees``, each clause once."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for tree in trees:
        for word, lemma, tag in zip(tree.words, tree.lemmas, tree.tags, strict=True):
            if word.isalpha() and tag in (*NOUNS, *VERBS):
                counts[lemma.lower(), tag][word.lower()] += 1
    forms = {key: words.most_common(1)[0][0] for key, words in counts.items()}
    found = sorted(set(clauses(trees)), key=astuple)
    rng.shuffle(found)
    made = (_say(clause, forms, rng) for clause in found)
    return [tree for tree, _ in zip((t for t in made if t is not None), range(count), strict=False)]


def _say(clause: Clause, forms: dict[tuple[str, str], str], rng: random.Random) -> Tree | None:
    """One sentence for a clause: bare plurals in the present, or articles and any tense."""
    plain = rng.random() < 0.6
    tense = "VBP" if plain else rng.choice(("VBD", "VBZ", "VBD"))
    noun = "NNS" if plain else "NN"
    tokens: list[tuple[str, str, str, int]] = []  # word, tag, label, head

    def phrase(word: str, label: str, head: int, adjective: str = "") -> bool:
        """Append a noun phrase; ``head`` is the index that its noun hangs on, -1 for the verb."""
        form = forms.get((word, noun)) or forms.get((word, "NN"))
        if form is None:
            return False
        tag = noun if (word, noun) in forms else "NN"
        described = [(adjective, "JJ", "amod")] if adjective else []
        indefinite = "an" if (adjective or form)[0] in "aeiou" else "a"
        article = [] if plain else [(rng.choice(("the", "the", indefinite)), "DT", "det")]
        at = len(tokens) + len(article) + len(described)
        tokens.extend((w, t, d, at) for w, t, d in [*article, *described])
        tokens.append((form, tag, label, head))
        return True

    keep = clause.adjective if rng.random() < 0.4 else ""
    said = phrase(clause.subject, "nsubj", -1, keep)
    verb = forms.get((clause.verb, tense)) or (clause.verb if tense == "VBP" else None)
    if not said or verb is None:
        return None
    at = len(tokens)
    tokens.append((verb, tense, "ROOT", at))
    if clause.object and not phrase(clause.object, "dobj", -1):
        return None
    if clause.preposition and rng.random() < 0.7:
        prep = len(tokens)
        tokens.append((clause.preposition, "IN", "prep", -1))
        if not phrase(clause.place, "pobj", prep):
            return None
    if rng.random() < 0.7:
        tokens.append((".", ".", "punct", -1))
    words = [token[0] for token in tokens]
    if rng.random() < 0.7:
        words[0] = words[0].capitalize()
    spaces = [i + 1 < len(words) and words[i + 1] != "." for i in range(len(words))]
    return Tree(
        words=words,
        tags=[token[1] for token in tokens],
        pos=["X"] * len(words),
        lemmas=words,
        heads=[at if token[3] == -1 else token[3] for token in tokens],
        deps=[token[2] for token in tokens],
        spaces=spaces,
    )
