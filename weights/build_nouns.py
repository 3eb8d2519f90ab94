"""Recipe of the table of nouns (``weights/roles/nouns.json``): people, animals, groups, masses.

::

    python -m compsim.weights.build_nouns --data FOLDER --names FOLDER --out weights/roles

``FOLDER`` holds ``lexicons/oewn-relations.tsv.gz`` of Open English WordNet, pairs of words by
relation, and ``parses/silver-en_core_web_sm-2.2.5.conll.gz``, trees of plain sentences. Words are
no senses: a *star* is an actor and a heavenly body. So each noun gets a share of people: a walk
goes from the noun to one of the nouns above it, each sense with equal chance (words above that are
synonyms of one another are one sense), and on from there, until it comes to *person* or to a top.
The share of walks that end at *person* says what the noun may be:

- ``person``: half of them or more
- ``mixed``: fewer, but not none
- ``animal``: nouns whose walks rather end at *animal*, some of them mixed too (*baby*)
- ``female``, ``male``: of the first two, those whose walks mostly come by a female, or by a male
- ``group``: nouns that may mean people together: some walks come by a social group
- ``site``: those of them that may as well mean a place or a thing (*village*, *school*)
- ``mass``: nouns that stand without an article in the singular, by the trees (*money*)

Only words of the shipped vocabulary (``weights/builtin/words.txt``) are kept. The folder of names
holds the first names of the census of the United States in 1990, ``dist.female.first`` and
``dist.male.first`` (in the public domain; the package ``names`` of the Python index carries them):

- ``woman``, ``man``: first names that one sex has ten times as often as the other

>>> rows = "star actor, star sun, actor person, person entity, sun entity"
>>> nouns = Nouns((a, "hypernym", b) for a, b in (row.split() for row in rows.split(", ")))
>>> nouns.shares(["star", "actor"], ["person"])
{'star': 0.5, 'actor': 1.0}
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from compsim.parsers.files.conll import Tree, read_conll
from compsim.weights.lexicons.wordnet import RELATIONS, relations

__all__ = ["Nouns", "first_names", "tables"]

_PEOPLE = ("person", "individual", "someone", "somebody", "mortal", "soul")
_ANIMALS = ("animal", "animate_being", "beast", "creature", "fauna")
_FEMALE = (
    "female", "female_person", "woman", "adult_female", "girl", "wife", "mother", "daughter",
    "sister", "female_parent", "female_sibling", "female_aristocrat", "female_offspring",
)  # fmt: skip
_MALE = (
    "male", "male_person", "man", "adult_male", "boy", "husband", "father", "son", "brother",
    "male_parent", "male_sibling", "male_aristocrat", "male_offspring",
)  # fmt: skip
_GROUPS = ("social_group",)
_SITES = ("artifact", "artefact", "location")
#: A noun that can be counted hardly ever stands alone in the singular.
_ALONE, _SEEN = 0.25, 3
_PARTICIPANTS = ("nsubj", "nsubjpass", "dobj")
_COUNTED = frozenset(("det", "poss", "nummod", "predet"))
#: Every chain of nouns ends here, no chain of verbs does.
_TOP = "entity"
_STEPS = 24
#: How many times as often one sex has a first name that is taken for its own.
_OFTENER = 10


class Nouns:
    """The nouns of a table of relations, and what stands above them.

    A *sense* is a set of words that are synonyms of one another. Of the words above a sense only
    those count that stand above all of its words: {canine, canid} is no tooth.
    """

    def __init__(self, rows: Iterable[tuple[str, str, str]]) -> None:
        self._above: dict[str, list[str]] = defaultdict(list)
        self._alike: dict[str, set[str]] = defaultdict(set)
        below: dict[str, list[str]] = defaultdict(list)
        for word, relation, other in rows:
            if relation == "hypernym":
                self._above[word].append(other)
                below[other].append(word)
            elif relation == "synonym":
                self._alike[word].add(other)
                self._alike[other].add(word)
        self.words, waiting = {_TOP}, [_TOP]
        while waiting:
            for word in below[waiting.pop()]:
                if word not in self.words:
                    self.words.add(word)
                    waiting.append(word)

    def above(self, sense: Collection[str]) -> list[frozenset[str]]:
        """The senses above a sense, or above the senses of a word."""
        shared = set.intersection(*(set(self._above[word]) for word in sense))
        result: list[set[str]] = []
        for word in sorted(shared & self.words):
            home = next((same for same in result if same <= self._alike[word]), None)
            if home is None:
                result.append({word})
            else:
                home.add(word)
        return [frozenset(same) for same in result]

    def shares(self, words: Iterable[str], goals: Collection[str]) -> dict[str, float]:
        """The share of upward walks from each word that come to one of the goals."""
        own = {word: frozenset([word]) for word in words}
        above: dict[frozenset[str], list[frozenset[str]]] = {}
        waiting = list(own.values())
        while waiting:
            sense = waiting.pop()
            if sense not in above:
                above[sense] = self.above(sense)
                waiting += above[sense]
        share = {sense: float(not sense.isdisjoint(goals)) for sense in above}
        steps = [(sense, senses) for sense, senses in above.items() if senses and not share[sense]]
        # Words go round in circles, so the shares are worked out step by step.
        for _ in range(_STEPS):
            for sense, senses in steps:
                result = [share[each] for each in senses]
                # One sense may stand below several; a word alone has several senses.
                share[sense] = max(result) if len(sense) > 1 else sum(result) / len(result)
        return {word: share[sense] for word, sense in own.items()}


def masses(trees: Iterable[Tree]) -> set[str]:
    """Nouns of which a quarter stand without a determiner in the singular, as object or subject."""
    alone, seen = Counter[str](), Counter[str]()
    for tree in trees:
        below: dict[int, set[str]] = defaultdict(set)
        for head, dep in zip(tree.heads, tree.deps, strict=True):
            below[head].add(dep)
        for i, (tag, dep) in enumerate(zip(tree.tags, tree.deps, strict=True)):
            if tag == "NN" and dep in _PARTICIPANTS:
                deps = below[i]
                if "compound" not in deps:
                    seen[tree.lemmas[i]] += 1
                    alone[tree.lemmas[i]] += _COUNTED.isdisjoint(deps)
    return {word for word, n in seen.items() if n >= _SEEN and alone[word] >= _ALONE * n}


def tables(nouns: Nouns, known: Iterable[str], mass: Collection[str]) -> dict[str, list[str]]:
    """The tables of the file, each sorted, of the known words; ``mass`` are nouns of masses."""
    words = sorted(word for word in known if word in nouns.words)
    people = nouns.shares(words, {*_PEOPLE, *_FEMALE, *_MALE})
    female, male = nouns.shares(words, _FEMALE), nouns.shares(words, _MALE)
    animals, groups = nouns.shares(words, _ANIMALS), nouns.shares(words, _GROUPS)
    sites = nouns.shares(words, _SITES)
    beasts = {w for w in words if animals[w] >= 0.12 and people[w] < 3.5 * animals[w]}
    low = {w: 0.25 if w in beasts else 0.15 for w in words}
    able = [w for w in words if people[w] >= low[w]]
    return {
        "person": [w for w in able if people[w] >= 0.5 and low[w] < 0.25],
        "mixed": [w for w in able if people[w] < 0.5 or low[w] == 0.25],
        "animal": sorted(beasts),
        "female": [w for w in able if female[w] > max(2 * male[w], 0.2)],
        "male": [w for w in able if male[w] > max(2 * female[w], 0.2)],
        "group": [w for w in words if groups[w] >= 0.15],
        "site": [w for w in words if groups[w] >= 0.15 and 2 * sites[w] >= groups[w]],
        "mass": [w for w in words if w in mass and people[w] < 0.5],
    }


def first_names(female: Iterable[str], male: Iterable[str]) -> dict[str, list[str]]:
    """The first names of women and of men alone: lines of a name and its share among its sex.

    >>> first_names(["MARY 2.6", "JO 0.2", "LESLIE 0.4"], ["JOHN 3.2", "JO 0.01", "LESLIE 0.3"])
    {'woman': ['jo', 'mary'], 'man': ['john']}
    """
    lines = {"woman": female, "man": male}
    shares = {
        sex: {name.lower(): float(share) for name, share, *_ in map(str.split, lines[sex])}
        for sex in lines
    }
    other = {"woman": "man", "man": "woman"}
    return {
        sex: sorted(
            name
            for name, share in shares[sex].items()
            if share >= _OFTENER * shares[other[sex]].get(name, 0.0)
        )
        for sex in lines
    }


def main(
    data: Annotated[Path, typer.Option(help="folder with the sources")],
    names: Annotated[Path, typer.Option(help="folder with the first names of the census")],
    out: Annotated[Path, typer.Option(help="folder to write nouns.json to")],
) -> None:
    """Build the table."""
    vocabulary = (files("compsim.weights") / "builtin" / "words.txt").read_text(encoding="utf8")
    nouns = Nouns(relations(data / "lexicons" / RELATIONS))
    mass = masses(read_conll(data / "parses" / "silver-en_core_web_sm-2.2.5.conll.gz"))
    result = tables(nouns, vocabulary.split(), mass)
    female, male = (
        (names / f"dist.{sex}.first").read_text(encoding="ascii").splitlines()
        for sex in ("female", "male")
    )
    result |= first_names(female, male)
    text = json.dumps({name: " ".join(words) for name, words in result.items()}, indent=0)
    (out / "nouns.json").write_text(text + "\n", encoding="utf8")
    for name, words in result.items():
        print(f"{name}: {len(words)} nouns")


if __name__ == "__main__":
    typer.run(main)
