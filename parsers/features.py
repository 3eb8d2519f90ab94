"""What the role labeller sees of a predicate and a candidate argument.

Each candidate becomes one row of *columns* (checksums of words and labels); each *template* then
mixes a few columns into one feature, for all candidates of a batch at once. A feature is a bucket
number in ``[0, BUCKETS)``; the same text gives the same bucket on every machine and every run.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np
import numpy.typing as npt

from .candidates import AUXILIARY, Candidate, Tree

__all__ = [
    "BUCKETS",
    "COLUMNS",
    "CONTENT",
    "PREDICATE",
    "SENSE_COLUMNS",
    "TEMPLATES",
    "buckets",
    "candidate_rows",
    "code",
    "companions",
    "content_token",
    "sense_buckets",
    "sense_rows",
    "voice",
]

BUCKETS = 1 << 17

COLUMNS = (
    "predicate", "tag", "voice", "relation", "path", "dep", "lemma", "ctag", "marker", "content",
    "content_tag", "side", "frame", "preps", "particle", "edge", "host", "rank", "objects",
    "subject", "shape", "last", "suffix",
)  # fmt: skip

PREDICATE, CONTENT = COLUMNS.index("predicate"), COLUMNS.index("content")

TEMPLATES: tuple[tuple[str, ...], ...] = (
    ("path",), ("path", "voice"), ("path", "voice", "objects"), ("path", "voice", "side"),
    ("path", "marker"), ("path", "marker", "voice"), ("path", "content"), ("path", "content_tag"),
    ("path", "lemma"), ("path", "ctag"), ("path", "edge"), ("path", "tag"), ("path", "relation"),
    ("path", "frame"), ("path", "frame", "voice"), ("path", "rank"), ("path", "particle"),
    ("path", "predicate"), ("path", "predicate", "voice"), ("path", "predicate", "marker"),
    ("path", "predicate", "voice", "objects"), ("path", "predicate", "frame"),
    ("path", "predicate", "particle"), ("path", "predicate", "preps"),
    ("path", "predicate", "rank"),
    ("path", "predicate", "content"), ("path", "predicate", "content_tag"),
    ("predicate", "marker"), ("predicate", "content"), ("predicate", "dep", "content_tag"),
    ("marker", "content"), ("marker", "content_tag"), ("marker", "content_tag", "side"),
    ("marker", "edge"), ("marker", "host"), ("dep", "content"), ("dep", "lemma", "side"),
    ("dep", "content_tag", "side", "voice"), ("content", "side"), ("content",), ("lemma", "ctag"),
    ("dep", "edge", "content"), ("dep", "frame", "rank"), ("path", "objects", "subject", "voice"),
    ("predicate", "path", "subject", "objects"), ("path", "host"), ("path", "shape"),
    ("path", "marker", "last"), ("dep", "side", "last"), ("dep", "predicate", "side"),
    ("path", "suffix"), ("dep", "side", "suffix"), ("marker", "suffix", "content_tag"),
)  # fmt: skip

_PASSIVE = frozenset({"auxpass", "nsubjpass", "agent"})
_OBJECTS = ("dobj", "dative", "attr", "acomp", "oprd", "ccomp", "xcomp")
_FRAME = frozenset((*_OBJECTS, "nsubj", "nsubjpass", "csubj", "expl", "prep", "agent", "prt"))


@lru_cache(maxsize=1 << 16)
def code(text: str) -> int:
    """A 32-bit checksum that is the same everywhere."""
    return crc32(text.encode("utf8", "surrogatepass"))


def voice(tree: Tree, predicate: int) -> str:
    """``passive`` (also for participles after their noun), else ``active``."""
    below = {tree.deps[kid] for kid in tree.kids[predicate]}
    if not below.isdisjoint(_PASSIVE):
        return "passive"
    participle = tree.tags[predicate] == "VBN" and tree.deps[predicate] in ("acl", "amod", "advcl")
    return "passive" if participle and below.isdisjoint(AUXILIARY) else "active"


def content_token(tree: Tree, head: int) -> int:
    """The token that carries a phrase's meaning: the object of a preposition, else the head."""
    if tree.deps[head] in ("prep", "agent", "dative") and tree.tags[head] in ("IN", "TO", "RP"):
        for kid in tree.kids[head]:
            if tree.deps[kid] in ("pobj", "pcomp"):
                return kid
    return head


def _marker(tree: Tree, head: int, content: int) -> str:
    """Preposition, subordinator or complementiser that introduces a phrase."""
    if content != head or tree.deps[head] in ("prep", "agent"):
        return tree.lemmas[head]
    for kid in tree.kids[head]:
        opening = kid < head and tree.tags[kid] in ("WRB", "WDT", "WP", "TO")
        if opening or tree.deps[kid] == "mark":
            return tree.lemmas[kid]
    return ""


def candidate_rows(tree: Tree, predicate: int, found: Sequence[Candidate]) -> list[list[int]]:
    """One row of column codes for each candidate of ``predicate``: (len(found), len(COLUMNS))."""
    deps, lemmas, tags = tree.deps, tree.lemmas, tree.tags
    kids = tree.kids[predicate]
    spoken = voice(tree, predicate)
    frame = ["<" * (kid < predicate) + deps[kid] for kid in kids if deps[kid] in _FRAME]
    preps = "+".join(sorted(lemmas[kid] for kid in kids if deps[kid] == "prep"))
    particle = "+".join(lemmas[kid] for kid in kids if deps[kid] == "prt")
    objects = "+".join(deps[kid] for kid in kids if deps[kid] in _OBJECTS)
    subject = next((lemmas[kid] for kid in kids if deps[kid] in ("nsubj", "nsubjpass")), "")
    shared = {
        "predicate": code(lemmas[predicate]),
        "tag": code(tags[predicate]),
        "voice": code(spoken),
        "relation": code(deps[predicate]),
        "frame": code(" ".join(frame)),
        "preps": code(preps),
        "particle": code(particle),
        "objects": code(objects),
        "subject": code(subject),
    }
    ranks: dict[tuple[str, ...], int] = {}
    rows = []
    for candidate in found:
        head, path = candidate.head, candidate.path
        rank = ranks[path] = ranks.get(path, -1) + 1
        content = content_token(tree, head)
        below = tree.kids[content]
        edge = lemmas[below[0]] if below and below[0] < content else ""
        row = {
            **shared,
            "path": code(">".join(path)),
            "dep": code(deps[head]),
            "lemma": code(lemmas[head]),
            "ctag": code(tags[head]),
            "marker": code(_marker(tree, head, content)),
            "content": code(lemmas[content]),
            "content_tag": code(tags[content]),
            "suffix": code(lemmas[content][-2:]),
            "side": code("before" if head < predicate else "after"),
            "edge": code(edge),
            "host": code(lemmas[tree.heads[head]] if len(path) > 1 else ""),
            "rank": rank,
            "shape": code(f"{len(below)}"),
            "last": int(candidate is found[-1]),
        }
        rows.append([row[name] for name in COLUMNS])
    return rows


SENSE_COLUMNS = ("bias", "voice", "frame", "preps", "particle", "objects", "object", "subject")


def companions(tree: Tree, predicate: int) -> frozenset[str]:
    """Particles, prepositions and adverbs of a predicate, which multiword senses ask for."""
    return frozenset(
        tree.lemmas[kid]
        for kid in tree.kids[predicate]
        if tree.deps[kid] in ("prt", "prep", "advmod", "acomp", "dobj", "npadvmod", "agent")
    )


def sense_rows(tree: Tree, predicate: int) -> list[int]:
    """Codes of what tells a predicate's senses apart: (len(SENSE_COLUMNS),)."""
    deps, lemmas, kids = tree.deps, tree.lemmas, tree.kids[predicate]
    values = (
        "",
        voice(tree, predicate),
        " ".join(deps[kid] for kid in kids if deps[kid] in _FRAME),
        "+".join(sorted(lemmas[kid] for kid in kids if deps[kid] == "prep")),
        "+".join(lemmas[kid] for kid in kids if deps[kid] == "prt"),
        "+".join(deps[kid] for kid in kids if deps[kid] in _OBJECTS),
        next((lemmas[kid] for kid in kids if deps[kid] in ("dobj", "nsubjpass", "attr")), ""),
        next((lemmas[kid] for kid in kids if deps[kid] == "nsubj"), ""),
    )
    return [code(value) for value in values]


def buckets(rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Feature buckets of candidate rows: (n, len(COLUMNS)) -> (n, len(TEMPLATES))."""
    out = np.empty((len(rows), len(TEMPLATES)), dtype=np.int64)
    for i, template in enumerate(TEMPLATES):
        out[:, i] = _mix([rows[:, COLUMNS.index(name)] for name in template], i + 1)
    return out


def sense_buckets(
    rows: npt.NDArray[np.uint64], senses: npt.NDArray[np.uint64]
) -> npt.NDArray[np.int64]:
    """Buckets of each context column seen with a roleset: (n, len(SENSE_COLUMNS))."""
    columns = [_mix([senses, rows[:, i]], i + 1) for i in range(len(SENSE_COLUMNS))]
    return np.stack(columns, axis=1)


def _mix(columns: Sequence[npt.NDArray[np.uint64]], salt: int) -> npt.NDArray[np.int64]:
    """Multiply-xorshift hash of parallel columns; unsigned arithmetic wraps by definition."""
    mixed = np.full(len(columns[0]), salt, dtype=np.uint64)
    for column in columns:
        mixed = (mixed ^ column) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return ((mixed >> np.uint64(40)) & np.uint64(BUCKETS - 1)).astype(np.int64)
