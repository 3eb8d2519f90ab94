"""Words of verbs that stand in several frames, and nouns of events: ``alternations.tsv``.

Classes of VerbNet 3.4 say which verbs alternate: *the ice melts* and *the sun melts the ice*, *load
hay onto the truck* and *load the truck with hay*, *bees swarm in the garden* and *the garden swarms
with bees*, *Ann met Bob* and *Bob met Ann*. The nouns of events and their verbs are those of
``weights/roles/events.json`` (PropBank, Open English WordNet) but for those that seldom tell an
event; one that is spelled as its verb may be a thing as well, and has a class of its own.
Adjectives that deny another one by a prefix (*unkind*) are antonyms in Open English WordNet.

    python -m compsim.weights.build_alternations --data FOLDER --out weights/lexicon
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from compsim.parsers.roles.events import verb_of
from compsim.storage.places import weights_folder
from compsim.weights.verbnet import read_classes

__all__ = ["rows"]

#: Our class -> numbers of the VerbNet classes that it is made of, with their subclasses.
_CLASSES: Final = {
    "inchoative": ("45.1", "45.2", "45.4", "45.6.2"),
    "locative": ("9.7",),
    "swarming": ("47.5.1",),
    "symmetric": ("36.1", "36.2", "36.3", "36.4"),
}
#: Verbs of these classes that the alternation is not true of, or whose commonest sense lacks it.
_OMITTED: Final = {
    "inchoative": frozenset((
        "advance", "age", "balance", "clean", "clear", "collect", "commute", "cut",
        "exfoliate", "fill", "fire", "flex", "fold", "grow", "lower", "move", "multiply", "pop",
        "raise", "reduce", "roll", "root", "section", "set", "slim", "snap", "soak", "sober",
        "stretch", "tan", "tire", "trip",
    )),
    "locative": frozenset(("hang", "rub", "brush", "pump", "sew")),
    "swarming": frozenset(("hop", "swim", "crawl", "creep")),
    "symmetric": frozenset((
        "agree", "box", "consult", "court", "decide", "deliberate", "embrace", "fence", "hug",
        "kiss", "neck", "nuzzle", "pet", "play", "plot", "remonstrate", "settle", "square",
        "tilt", "visit",
    )),
}  # fmt: skip
_VERBNET: Final = Path("verbnet", "verbnet3.4.zip")
_RELATIONS: Final = Path("lexicons", "oewn-relations.tsv.gz")
_PREFIXES: Final = ("un", "in", "im", "il", "ir", "dis")
_HEADER: Final = "word\tpos\tclass\tfeatures\tsource"


def rows(verbnet: Path, relations: Path) -> Iterator[str]:
    """Yield the rows of the table: nouns, adjectives, then the verbs by class."""
    listed = [(each.name, each.verbs) for each in read_classes(verbnet)]
    yield from _nouns()
    yield from _negative_adjectives(relations)
    for kind in sorted(_CLASSES):
        numbers = _CLASSES[kind]
        verbs = {verb for name, members in listed if _within(name, numbers) for verb in members}
        for verb in sorted(verbs - _OMITTED.get(kind, frozenset())):
            if verb.isalpha():
                yield f"{verb}\tVERB\t{kind}\t\tVerbNet {', '.join(numbers)}"


def _within(name: str, numbers: Iterable[str]) -> bool:
    return any(name == number or name.startswith(f"{number}-") for number in numbers)


def _nouns() -> Iterator[str]:
    """The nouns of events with their verbs."""
    path = weights_folder() / "roles" / "events.json"
    events = json.loads(path.read_text(encoding="utf8"))
    seldom = frozenset(events["seldom"])
    for noun, sense in sorted(events["nouns"].items()):
        verb = verb_of(sense)
        if noun not in seldom and noun.isalpha() and verb.isalpha():
            kind = "converted" if noun == verb else "eventive"
            yield f"{noun}\tNOUN\t{kind}\tbase={verb}\tPropBank, Open English WordNet"


def _negative_adjectives(relations: Path) -> Iterator[str]:
    """Adjectives whose antonym is what stands behind their prefix; adjectives alone are similar."""
    with gzip.open(relations, "rt", encoding="utf8") as lines:
        cells = (line.rstrip("\n").split("\t") for line in lines)
        listed = [tuple(row) for row in cells]
    adjectives = {
        word
        for first, relation, second in listed
        if relation == "similar"
        for word in (first, second)
    }
    for word, base in sorted({(a, b) for a, relation, b in listed if relation == "antonym"}):
        denies = any(word == prefix + base for prefix in _PREFIXES)
        if denies and word in adjectives and word.isalpha():
            yield f"{word}\tADJ\tnegative_adjective\tbase={base}\tOpen English WordNet"


def main() -> None:
    """Write ``alternations.tsv``."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the sources")
    parser.add_argument("--out", type=Path, required=True, help="folder to write into")
    options = parser.parse_args()
    lines = [_HEADER, *rows(options.data / _VERBNET, options.data / _RELATIONS)]
    path = options.out / "alternations.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf8")
    print(f"{len(lines) - 1} rows")


if __name__ == "__main__":
    main()
