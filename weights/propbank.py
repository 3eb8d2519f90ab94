"""Readers of the gold data behind the role labeller: EWT PropBank, frame files, frame examples."""

from __future__ import annotations

import gzip
import json
import re
import xml.etree.ElementTree as ElementTree
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from compsim.parsers.roles.consolidation import consolidate
from compsim.parsers.roles.events import verb_of
from compsim.weights.verbnet import class_number

__all__ = ["Proposition", "frame_rolesets", "read_ewt", "read_examples", "read_lexicon"]

#: Function tags that make a numbered role a circumstance, or a goal: as often somebody as a place.
#: (MNR is mostly an instrument.)
CIRCUMSTANCES = {f"ARGM-{tag}" for tag in ("DIR", "EXT", "GOL", "LOC", "TMP")}

# Fixes of misspelt roles in the frame files' links.
_SPELLING = {"intial": "initial", "patiet": "patient", "ptient": "patient", "cotheme": "co-theme"}


@dataclass(frozen=True, slots=True)
class Proposition:
    """A gold predicate: its tokens, roleset, and arguments as (label, first, last) token."""

    predicate: tuple[int, ...]
    roleset: str
    arguments: tuple[tuple[str, int, int], ...]
    verbal: bool


def read_ewt(path: Path) -> Iterator[tuple[list[str], list[Proposition]]]:
    """Sentences (tokens) of a CoNLL file with one bracketed argument column per predicate."""
    rows: list[list[str]] = []
    with gzip.open(path, "rt", encoding="utf8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                rows.append(line.rstrip("\n").split("\t"))
            elif not line.strip() and rows:
                yield [row[1] for row in rows], list(_propositions(rows))
                rows = []


def _propositions(rows: list[list[str]]) -> Iterator[Proposition]:
    heads = [i for i, row in enumerate(rows) if row[8] != "_"]
    for column, head in enumerate(heads, start=9):
        spans: list[tuple[str, int, int]] = []
        opened: list[tuple[str, int]] = []
        for i, row in enumerate(rows):
            opened += [(label, i) for label in re.findall(r"\(([^*()]+)", row[column])]
            for _ in range(row[column].count(")")):
                label, start = opened.pop()
                spans.append((label, start, i))
        arguments = tuple(span for span in spans if span[0] not in ("V", "C-V"))
        verbal = rows[head][3] in ("VERB", "AUX")
        yield Proposition((head,), rows[head][8], arguments, verbal)


def read_examples(path: Path) -> Iterator[tuple[list[str], list[Proposition]]]:
    """The annotated examples of the PropBank frames, one proposition a sentence."""
    with gzip.open(path, "rt", encoding="utf8") as lines:
        for line in lines:
            row = json.loads(line)
            arguments = tuple((label, start, end) for label, start, end in row["args"])
            yield row["tokens"], [Proposition(tuple(row["rel"]), row["roleset"], arguments, True)]


def frame_rolesets(frames: Path) -> Iterator[ElementTree.Element]:
    """The rolesets of the PropBank frame files; two that are malformed upstream are left out."""
    with zipfile.ZipFile(frames) as archive:
        for name in sorted(archive.namelist()):
            if not name.endswith(".xml"):
                continue
            try:
                root = ElementTree.fromstring(archive.read(name))
            except ElementTree.ParseError:
                continue
            yield from root.iter("roleset")


def read_lexicon(frames: Path, links: Path) -> dict[str, dict[str, dict[str, str]]]:
    """Verb lemma -> roleset -> {label: VerbNet role}, from the frame files and a table of links.

    A role that is linked to several classes gets what most of them call it, in the eight roles; of
    those that are as many, what is most common in all links. One without a link that PropBank tags
    as a circumstance or a goal gets the modifier label of that name; any other is left out.
    """
    linked = _read_links(links)
    rolesets = list(frame_rolesets(frames))
    roles = chain.from_iterable(each.iter("role") for each in rolesets)
    common = Counter(chain.from_iterable(_of_classes(role).values() for role in roles))
    lexicon: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    for roleset in rolesets:
        if any(alias.get("pos") == "v" for alias in roleset.iter("alias")):
            key = roleset.get("id", "")
            lexicon[verb_of(key)][key] = dict(_links(roleset, key, linked, common))
    return dict(sorted(lexicon.items()))


def _of_classes(role: ElementTree.Element) -> dict[str, str]:
    """Return a role's name in each linked class, by the first version of VerbNet that has it."""
    result: dict[str, str] = {}
    for link in role.iter("rolelink"):
        kind, name = link.get("class", ""), _spell(link.text or "")
        if link.get("resource") == "VerbNet" and name != "nm":  # "not mapped"
            result.setdefault(class_number(kind), name)
    return result


def _links(
    roleset: ElementTree.Element,
    key: str,
    linked: dict[tuple[str, str], str],
    common: Counter[str],
) -> Iterator[tuple[str, str]]:
    for role in roleset.iter("role"):
        label = "ARG" + role.get("n", "").upper()
        names = Counter(_of_classes(role).values())
        eight = Counter[str | None]()
        for name, count in names.items():
            eight[consolidate(name)] += count
        tag = "ARGM-" + role.get("f", "").strip().upper()
        if names:
            yield label, max(names, key=lambda n: (eight[consolidate(n)], names[n], common[n], n))
        elif (key, label) in linked:
            yield label, linked[key, label]
        elif tag in CIRCUMSTANCES:
            yield label, tag


def _spell(role: str) -> str:
    role = role.strip().lower().replace("_", "-").replace(" ", "-")
    for wrong, right in _SPELLING.items():
        role = role.replace(wrong, right)
    return role


def _read_links(path: Path) -> dict[tuple[str, str], str]:
    """(roleset, label) -> VerbNet role, of verbnet-parser's PropBank-VerbNet table."""
    links: dict[tuple[str, str], str] = {}
    for entry in json.loads(path.read_text(encoding="utf8")):
        for roleset in entry["mappings"]:
            for mapping in roleset["mappings"]:
                for role in mapping["roles"]:
                    label = role["number"].replace("A", "ARG", 1)
                    links.setdefault((roleset["id"], label), _spell(role["vntheta"]))
    return links
