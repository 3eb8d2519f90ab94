"""Recipe of the AMR concept tables (``weights/amr/lexicon.json``), from PropBank and WordNet.

::

    python -m compsim.weights.build_amr --data FOLDER --out weights/amr

``FOLDER`` holds ``propbank/{propbank-frames.zip,frame-examples.jsonl.gz}``,
``ewt-propbank/train.conll.gz`` and ``lexicons/oewn-relations.tsv.gz``. The frame files say which
nouns and adjectives name a roleset (*attack*: attack.01), which nouns name the filler of a role
(*teacher*: ARG0 of teach.01) and which rolesets AMR uses; the annotated sentences say which nouns
are meant so (a *building* is not), and which role a preposition or a possessive marks. Adverbs in
-ly go to the adjectives that WordNet derives them from. The tables:

- ``nouns``, ``adjectives``: word -> roleset, and for adjectives the role of what is so
- ``agents``: noun -> roleset and role
- ``markers``: roleset (``""``: any) -> preposition, ``'s`` or ``to`` -> role
- ``unused``: verb rolesets that AMR does not use -> the one to take instead
- ``first``: rolesets whose first role is not ARG0
- ``adverbs``: adverb -> adjective
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from compsim.weights.lexicons.wordnet import RELATIONS, relations
from compsim.weights.propbank import Proposition, frame_rolesets, read_ewt, read_examples

__all__ = ["Roleset", "adverbs", "read_rolesets", "tables"]

#: Prepositions that are looked at, and what else shows a role.
PREPOSITIONS = frozenset({
    "of", "in", "by", "for", "on", "to", "with", "about", "from", "at", "against", "between",
    "into", "over", "toward", "towards", "as", "after", "through", "among", "under",
})  # fmt: skip
_OWNERS = frozenset(["my", "your", "his", "her", "its", "our", "their", "whose"])
_DETERMINERS = _OWNERS | frozenset(
    ("the", "a", "an", "no", "any", "this", "that", "some", "every", "each", "'s")
)
#: The share of its uses in which a noun must be annotated.
_SHARE = 0.3
_SUFFIXES = {"ies": "y", "ses": "s", "xes": "x", "ches": "ch", "shes": "sh", "s": ""}


class Roleset(NamedTuple):
    """Roleset: roles as (number, function), words as (class, word)."""

    name: str
    used: bool
    roles: tuple[tuple[str, str], ...]
    words: tuple[tuple[str, str], ...]
    fillers: tuple[tuple[str, str], ...]


def read_rolesets(frames: Path) -> Iterator[Roleset]:
    """The rolesets of the PropBank frame files."""
    yield from map(_roleset, frame_rolesets(frames))


def _roleset(entry: ElementTree.Element) -> Roleset:
    roles = ((role.get("n", ""), role.get("f", "").upper()) for role in entry.iter("role"))
    return Roleset(
        entry.get("id", ""),
        any(u.get("resource") == "AMR" and u.get("inuse") == "+" for u in entry.iter("usage")),
        tuple(sorted(role for role in roles if role[0].isdigit())),
        tuple((word.get("pos", ""), (word.text or "").lower()) for word in entry.iter("alias")),
        tuple(
            (word.get("arg", ""), (word.text or "").lower())
            for word in entry.iter("argalias")
            if word.get("pos") == "n"
        ),
    )


def tables(
    rolesets: list[Roleset],
    ewt: list[tuple[list[str], list[Proposition]]],
    examples: Any,
    share: float = _SHARE,
) -> dict[str, Any]:
    """All tables but ``adverbs``; ``examples`` are annotated sentences as ``ewt`` is.

    ``share``: a noun that is annotated in a smaller share of its uses is no event.
    """
    used = [roleset for roleset in rolesets if roleset.used]
    known = {word for roleset in used for kind, word in roleset.words if kind in "nj"}
    counts, tokens, seen = Counter[str](), Counter[str](), Counter[tuple[str, str]]()
    roles: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    before: dict[str, Counter[str]] = defaultdict(Counter)
    verbs = {word for roleset in used for kind, word in roleset.words if kind == "v"}
    for real, (words, propositions) in _sentences(ewt, examples):
        lemmas = [_singular(word.lower(), known) for word in words]
        after = [word.lower() in _DETERMINERS for word in ["", *words]]
        if real:
            tokens.update(lemma for lemma, yes in zip(lemmas, after, strict=False) if yes)
        for proposition in propositions:
            at = proposition.predicate[-1]
            counts[proposition.roleset] += real
            lemma = lemmas[at]
            nominal = after[at]
            if proposition.verbal and (lemma not in known or (lemma in verbs and not nominal)):
                continue
            seen[lemma, proposition.roleset] += real and nominal
            for marker, label in _marked(words, proposition):
                roles[proposition.roleset, marker][label] += 1
                roles["", marker][label] += 1
            ahead = [(last, label) for label, _, last in proposition.arguments if last < at]
            core = [label for _, label in sorted(ahead) if _core(label)]
            if core and not nominal:
                before[lemma][core[-1]] += 1
    meant = {
        lemma: sum(n for (word, _), n in seen.items() if word == lemma) / total
        for lemma, total in tokens.items()
        if total > 2
    }
    nouns: dict[str, str] = {}
    adjectives: dict[str, list[str]] = {}
    agents: dict[str, list[str]] = {}
    for roleset in sorted(used, key=lambda r: (-counts[r.name], r.name)):
        for kind, word in roleset.words:
            if kind == "n" and meant.get(word, 1.0) >= share:
                best = nouns.get(word)
                if best is None or seen[word, roleset.name] > seen[word, best]:
                    nouns[word] = roleset.name
            elif kind == "j" and (
                word not in adjectives or seen[word, roleset.name] > seen[word, adjectives[word][0]]
            ):
                adjectives[word] = [roleset.name, _subject(roleset, before[word])]
        for number, word in roleset.fillers:
            if number.isdigit() and len(word) > 3:
                agents.setdefault(word, [roleset.name, f"ARG{number}"])
    return {
        "nouns": nouns,
        "adjectives": adjectives,
        "agents": agents,
        "markers": _markers(roles, {r.name for r in used}),
        "unused": _unused(rolesets, counts),
        "first": {r.name: f"ARG{r.roles[0][0]}" for r in used if r.roles and r.roles[0][0] != "0"},
    }


def _sentences(ewt: Any, examples: Any) -> Iterator[tuple[bool, Any]]:
    """Each annotated sentence, and whether it comes from running text."""
    yield from ((True, sentence) for sentence in ewt)
    yield from ((False, sentence) for sentence in examples)


def _core(label: str) -> bool:
    return label[:3] == "ARG" and label[3:].isdigit()


def _singular(word: str, known: set[str]) -> str:
    for ending, instead in _SUFFIXES.items():
        if word not in known and word.endswith(ending):
            stem = word.removesuffix(ending) + instead
            if stem in known:
                return stem
    return word


def _marked(words: list[str], results: Proposition) -> Iterator[tuple[str, str]]:
    """(marker, label) of each argument beside a nominal predicate that is marked by a word."""
    at = results.predicate[-1]
    for label, first, last in results.arguments:
        if first > at and words[first].lower() in PREPOSITIONS:
            yield words[first].lower(), label
        elif last < at and (words[first].lower() in _OWNERS or words[last] in ("'s", "'")):
            yield "'s", label


def _subject(roleset: Roleset, ahead: Counter[str]) -> str:
    """The role of what an adjective is said of: as annotated, else the undergoer, else the first.

    A stimulus or cause may come first among an adjective's roles, who feels it is the undergoer.
    """
    if ahead.total() > 1:
        return ahead.most_common(1)[0][0]
    undergoers = [number for number, function in roleset.roles if function == "PPT"]
    numbers = [number for number, _ in roleset.roles]
    return "ARG" + (undergoers or numbers or ["1"])[0]


def _markers(
    roles: dict[tuple[str, str], Counter[str]], used: set[str]
) -> dict[str, dict[str, str]]:
    """The commonest role of each marker; a roleset's own where seen and not as with any."""
    markers: dict[str, dict[str, str]] = {"": {}}
    for (roleset, marker), labels in sorted(roles.items()):
        total = Counter({k: n for k, n in labels.items() if not k.startswith(("R-", "C-"))})
        if not total or (roleset and roleset not in used):
            continue
        label = min(total, key=lambda name: (-total[name], name))
        general = markers[""].get(marker)
        if not roleset or (label != general and total[label] * 2 > total.total()):
            markers.setdefault(roleset, {})[marker] = label
    return markers


def _unused(rolesets: list[Roleset], counts: Counter[str]) -> dict[str, str]:
    """Verb rolesets that AMR does not use, each with the commonest one that it does."""
    result = {}
    verbs: dict[str, list[Roleset]] = defaultdict(list)
    for roleset in rolesets:
        if any(kind == "v" for kind, _ in roleset.words):
            verbs[roleset.name.rsplit(".", 1)[0]].append(roleset)
    for same in verbs.values():
        best = min(
            (r for r in same if r.used), key=lambda r: (-counts[r.name], r.name), default=None
        )
        if best is not None:
            result.update({r.name: best.name for r in same if not r.used})
    return result


def adverbs(path: Path) -> dict[str, str]:
    """Adverb in -ly -> adjective, of a table of WordNet's relations."""
    result: dict[str, str] = {}
    for first, relation, second in relations(path):
        plain = (first + second).isalpha() and first[:3] == second[:3]
        if relation == "pertainym" and first.endswith("ly") and plain:
            result.setdefault(first, second)
    return result


def main(
    data: Annotated[Path, typer.Option(help="Folder of the sources.")],
    out: Annotated[Path, typer.Option(help="Folder to write.")],
) -> None:
    """Make the tables."""
    made = tables(
        list(read_rolesets(data / "propbank" / "propbank-frames.zip")),
        list(read_ewt(data / "ewt-propbank" / "train.conll.gz")),
        read_examples(data / "propbank" / "frame-examples.jsonl.gz"),
    )
    made["adverbs"] = adverbs(data / "lexicons" / RELATIONS)
    out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(made, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    (out / "lexicon.json").write_text(text + "\n", encoding="utf8")


if __name__ == "__main__":
    typer.run(main)
