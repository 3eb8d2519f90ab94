"""Verbs and nouns of several words that get a vector of their own: put_off, ice_cream.

The mean of "put" and "off" says nothing of postponing. A sentence model that reads "put off" does,
so the table holds such entries, joined by ``_``, behind its single words. They are the verbs with a
particle of the PropBank frames and of VerbNet, those of Open English WordNet that a collection of
text has, with their opposites (switch_on, switch_off), and the other entries of that WordNet that
are most frequent in the text.

What such a verb means often shows in no word of it. The frames gloss it: put_off is "delay".

>>> count_entries("They look up. Look up the ice cream!", {"look_up", "ice_cream", "take_off"})
Counter({'look_up': 2, 'ice_cream': 1})
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
import zipfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from compsim.vectors.words import stop_words
from compsim.weights.build_names import read_sentences
from compsim.weights.lexicons.antonyms import OPPOSITE_PARTICLES
from compsim.weights.lexicons.wordnet import RELATIONS, relations
from compsim.weights.propbank import frame_rolesets

__all__ = ["PARTICLES", "count_entries", "glosses", "multiword_entries", "verb_lemmas"]

#: The words that make another verb of the verb before them.
PARTICLES: Final = frozenset(
    (
        *("about", "across", "after", "along", "apart", "around", "away", "back", "by", "down"),
        *("for", "forth", "forward", "in", "into", "of", "off", "on", "out", "over", "through"),
        *("to", "together", "up", "upon", "with"),
    )
)

_ENTRY: Final = re.compile(r"[a-z]+(_[a-z]+)+")
_TOKEN: Final = re.compile(r"[a-z0-9]+|[^a-z0-9 ]")
_OPENING: Final = re.compile(r"^[\w ]+: ")
_LONGEST = 3


def multiword_entries(data: Path, verbs: Collection[str], count: int) -> list[str]:
    """Return the ``count`` entries to add, those of verb lexicons first, the rest by frequency.

    ``data`` holds ``propbank/propbank-frames.zip``, ``verbnet/verbnet3.4.zip``,
    ``lexicons/oewn-relations.tsv.gz`` and ``text/sentences.tsv.gz``; ``verbs`` are the verbs of one
    word, which tell "look up" from "close up" the noun.
    """
    known = set(_wordnet_entries(data / "lexicons" / RELATIONS))
    frames, verbnet = data / "propbank" / "propbank-frames.zip", data / "verbnet" / "verbnet3.4.zip"
    first = {
        entry
        for entry in verb_lemmas(frames, verbnet)
        if _ENTRY.fullmatch(entry) and (entry in known or entry.rsplit("_", 1)[1] in PARTICLES)
    }
    seen = count_entries("\n".join(read_sentences(data / "text" / "sentences.tsv.gz")), known)
    others = sorted(set(seen) - first, key=lambda entry: (-seen[entry], entry))
    with_particle = [entry for entry in others if _has_particle(entry, verbs)]
    # Switch_off comes with switch_on, though the text only has "switched off".
    opposite = [_opposites(entry) & known for entry in sorted({*first, *with_particle})]
    with_particle += sorted(set().union(*opposite) - first)
    content = [entry for entry in others if not stop_words() & set(entry.split("_"))]
    return list(dict.fromkeys([*sorted(first), *with_particle, *content]))[:count]


def verb_lemmas(frames: Path, verbnet: Path) -> Iterator[str]:
    """The verbs of several words in the PropBank frames and among VerbNet's members."""
    for roleset in frame_rolesets(frames):
        yield from _joined(_verb_names(roleset))
    with zipfile.ZipFile(verbnet) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(".xml"):
                members = ElementTree.fromstring(archive.read(name)).iter("MEMBER")
                yield from _joined(member.get("name", "") for member in members)


def glosses(frames: Path, entries: Collection[str]) -> dict[str, list[str]]:
    """The meanings of each of ``entries`` in the words of its rolesets' names, where it has any.

    A gloss that is the entry itself, or only points to another roleset, is left out.
    """
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for roleset in frame_rolesets(frames):
        # "give up: abandon" opens with the verb.
        text = _OPENING.sub("", roleset.get("name", "").strip())
        gloss = " ".join(re.sub(r"[^\w\s',]", " ", text).split())
        for entry in sorted(set(_joined(_verb_names(roleset))) & set(entries)):
            if gloss and gloss != entry.replace("_", " ") and not gloss.startswith("same as"):
                groups[entry].append(gloss)
    return dict(groups)


def count_entries(text: str, entries: Collection[str]) -> Counter[str]:
    """Count where the words of an entry follow one another in ``text``."""
    tokens = _TOKEN.findall(text.lower())
    counts: Counter[str] = Counter()
    for size in range(2, _LONGEST + 1):
        runs = ("_".join(run) for run in zip(*(tokens[i:] for i in range(size)), strict=False))
        counts.update(run for run in runs if run in entries)
    return counts


def _verb_names(roleset: ElementTree.Element) -> list[str]:
    names = [alias.text or "" for alias in roleset.iter("alias") if alias.get("pos") == "v"]
    return [*names, roleset.get("id", "").rsplit(".", 1)[0]] if names else []


def _wordnet_entries(path: Path) -> Iterator[str]:
    for word, _, other in relations(path):
        yield from (entry for entry in (word, other) if _ENTRY.fullmatch(entry))


def _joined(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        entry = re.sub(r"[\s-]+", "_", name.strip().lower())
        if "_" in entry:
            yield entry


def _opposites(entry: str) -> set[str]:
    verb, _, particle = entry.partition("_")
    pairs = [pair for pair in OPPOSITE_PARTICLES if particle in pair]
    return {f"{verb}_{other}" for pair in pairs for other in pair if other != particle}


def _has_particle(entry: str, verbs: Collection[str]) -> bool:
    verb, *rest = entry.split("_")
    return verb in verbs and len(rest) == 1 and rest[0] in PARTICLES
