"""The constituents that may be arguments of a predicate, and the features they are judged by.

A candidate is the head token of a subtree: a dependent of the predicate, a dependent of such a
dependent (a parser that hangs "in the park" on the object is overruled by the labeller, not
trusted), and, climbing from the predicate through coordination, control and relative clauses, the
dependents of the words above it. The *path* to it is the sequence of dependency labels, upward
steps first::

    Cats that sleep chase mice.     sleep -> Cats    ("^relcl",)
                                    chase -> mice    ("dobj",)

Each candidate becomes one row of *columns*, checksums (CRC-32) of words, labels and their
combinations. *Templates* mix a few columns into one feature each, a bucket number in
``[0, BUCKETS)``. The same text gives the same numbers on every machine and every run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from compsim.parsers.pipeline.tree import AUXILIARY, VERBAL, Tree

__all__ = [
    "BUCKETS",
    "COLUMNS",
    "CONTENT",
    "MAX_CLIMB",
    "PREDICATE",
    "SENSE_COLUMNS",
    "Candidates",
    "buckets",
    "candidates",
    "code",
    "extract",
    "sense_buckets",
]

#: Columns of a candidate's row. The first nine are the same for all candidates of a predicate.
COLUMNS: Final = (
    "predicate", "tag", "voice", "relation", "frame", "preps", "particle", "objects", "subject",
    "path", "dep", "lemma", "ctag", "marker", "content", "content_tag", "suffix", "side", "edge",
    "host", "rank", "shape", "last",
)  # fmt: skip
#: Columns of a predicate that tell its senses apart.
SENSE_COLUMNS: Final = (
    "bias", "voice", "frame", "preps", "particle", "objects", "object", "subject",
)  # fmt: skip
PREDICATE: Final = COLUMNS.index("predicate")
CONTENT: Final = COLUMNS.index("content")
_SHARED: Final = COLUMNS.index("path")

BUCKETS: Final = 1 << 17
_TEMPLATES: tuple[tuple[str, ...], ...] = (
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

_IGNORED: Final = frozenset(("punct", "conj", "cc", "preconj", "dep", "det", "predet", "meta", ""))
_NOMINAL: Final = frozenset(
    ("nsubj", "nsubjpass", "dobj", "attr", "dative", "oprd", "pobj", "npadvmod")
)
_DETACHABLE: Final = frozenset(
    ("prep", "agent", "relcl", "acl", "advcl", "advmod", "npadvmod", "xcomp")
)
_INHERITED: Final = frozenset((
    "nsubj", "nsubjpass", "csubj", "csubjpass", "dobj", "dative", "attr", "prep", "agent", "advmod",
    "npadvmod", "advcl", "neg", "aux", "expl", "acomp", "xcomp", "oprd", "mark",
))  # fmt: skip
_OBJECTS: Final = frozenset(("dobj", "dative", "attr", "acomp", "oprd", "ccomp", "xcomp"))
_FRAME: Final = _OBJECTS | {"nsubj", "nsubjpass", "csubj", "expl", "prep", "agent", "prt"}
_SUBJECTS: Final = ("nsubj", "nsubjpass")
_ACTIVE_SUBJECT: Final = ("nsubj",)
_UNDERGOERS: Final = ("dobj", "nsubjpass", "attr")
_PASSIVE: Final = frozenset(("auxpass", "nsubjpass", "agent"))
_REDUCED: Final = ("acl", "amod", "advcl")

#: An argument hangs on a word so many steps above the predicate at most.
MAX_CLIMB: Final = 3
#: Strings whose checksums are kept.
_KEPT: Final = 1 << 17

Codes = npt.NDArray[np.uint64]
Path = tuple[str, ...]


@dataclass(frozen=True)
class Candidates:
    """The candidates of some predicates, one after the other in text order.

    ``rows`` uint64 (n, len(COLUMNS)); ``heads`` int (n,), their tokens; ``contents`` int (n,), the
    tokens that carry their meaning, which is the noun after a preposition; bool (n,) each:
    ``direct``, whether one step leads to it, ``above``, whether it is a word above the predicate,
    such as the noun of a relative clause, ``places``, whether it is a prepositional phrase inside
    what may be another argument. Predicate i has those from ``starts[i]`` to ``starts[i + 1]``, its
    ``contexts`` uint64 (predicates, len(SENSE_COLUMNS)) and ``passive`` bool (predicates,).
    """

    rows: Codes
    heads: npt.NDArray[np.int64]
    contents: npt.NDArray[np.int64]
    direct: npt.NDArray[np.bool_]
    above: npt.NDArray[np.bool_]
    places: npt.NDArray[np.bool_]
    starts: npt.NDArray[np.int64]
    contexts: Codes
    passive: npt.NDArray[np.bool_]


def extract(tasks: Sequence[tuple[Tree, Sequence[int]]]) -> Candidates:
    """Candidates of the given predicates of each tree, in that order.

    What is true of a token whatever the predicate is worked out for all tokens at once.
    """
    heads: list[int] = []
    paths: list[Path] = []
    ranks: list[int] = []
    counts: list[int] = []
    predicates: list[_Predicate] = []
    for tree, verbs in tasks:
        kids = tree.children()
        for verb in verbs:
            result = candidates(tree, verb, kids)
            heads += result
            paths += result.values()
            seen: dict[Path, int] = {}
            for path in result.values():
                seen[path] = rank = seen.get(path, -1) + 1
                ranks.append(rank)
            counts.append(len(result))
            predicates.append(_predicate(tree, verb, kids[verb]))
    starts = np.cumsum([0, *counts])
    owners = np.repeat(np.arange(len(counts)), np.diff(starts))
    head = np.array(heads, dtype=np.int64)
    route = np.array([_route(path) for path in paths], dtype=np.uint64).reshape(-1, 4)
    direct, above, places = route[:, 1:].T.astype(np.bool_)

    rows = np.zeros((len(head), len(COLUMNS)), dtype=np.uint64)
    shared = np.array([each.columns for each in predicates], dtype=np.uint64).reshape(-1, _SHARED)
    rows[:, :_SHARED] = shared[owners]
    rows[:, _SHARED] = route[:, 0]
    sizes = np.array([len(tree) for tree, _ in tasks], dtype=np.int64)
    verbs_each = np.array([len(verbs) for _, verbs in tasks], dtype=np.int64)
    first = np.repeat(np.cumsum(sizes) - sizes, verbs_each)[owners]
    content, columns = _token_columns([tree for tree, _ in tasks], sizes)
    for name, column in columns.items():
        rows[:, COLUMNS.index(name)] = column[first + head]
    target = np.array([verb for _, verbs in tasks for verb in verbs], dtype=np.int64)[owners]
    rows[:, COLUMNS.index("side")] = np.where(head < target, code("before"), code("after"))
    rows[direct, COLUMNS.index("host")] = 0
    rows[:, COLUMNS.index("rank")] = ranks
    rows[starts[1:][np.diff(starts) > 0] - 1, COLUMNS.index("last")] = 1
    return Candidates(
        rows,
        head,
        content[first + head] - first,
        direct,
        above,
        places,
        starts,
        np.array([each.context for each in predicates], dtype=np.uint64).reshape(
            -1, len(SENSE_COLUMNS)
        ),
        np.array([each.passive for each in predicates], dtype=np.bool_),
    )


def candidates(tree: Tree, predicate: int, kids: Sequence[Sequence[int]]) -> dict[int, Path]:
    """Heads of the candidate arguments of ``predicate`` in text order, each with its shortest path.

    ``kids`` are the tree's ``children()``.
    """
    deps, heads = tree.deps, tree.heads
    result: dict[int, Path] = {}
    for kid in kids[predicate]:
        dep = deps[kid]
        if dep in _IGNORED:
            continue
        result[kid] = (dep,)
        if dep in _NOMINAL:
            _below(deps, kids[kid], (dep,), result)
        elif dep == "prep":
            for noun in kids[kid]:
                if deps[noun] == "pobj":
                    _below(deps, kids[noun], (dep, "pobj"), result)

    path: Path = ()
    here = predicate
    for _ in range(MAX_CLIMB):
        above = heads[here]
        if above == here:
            break
        path = (*path, "^" + deps[here])
        if deps[here] in ("relcl", "acl"):
            result.setdefault(above, path)
        for kid in kids[above] if tree.pos[above] in VERBAL else ():
            if kid != here and deps[kid] in _INHERITED:
                result.setdefault(kid, (*path, deps[kid]))
        here = above
    result.pop(predicate, None)
    return dict(sorted(result.items()))


def _below(deps: Sequence[str], kids: Iterable[int], path: Path, results: dict[int, Path]) -> None:
    for kid in kids:
        if deps[kid] in _DETACHABLE:
            results.setdefault(kid, (*path, deps[kid]))


@lru_cache(maxsize=1 << 16)
def _route(path: Path) -> tuple[int, bool, bool, bool]:
    """The code of a path, and whether it is direct, leads upward, leads to an inner place."""
    down = not any(step.startswith("^") for step in path)
    place = down and len(path) > 1 and path[-1] == "prep"
    return code(">".join(path)), len(path) == 1, path[-1].startswith("^"), place


class _Predicate(NamedTuple):
    """Features shared by all candidates of a predicate: codes of columns and sense columns."""

    columns: list[int]
    context: list[int]
    passive: bool


def _predicate(tree: Tree, predicate: int, kids: Sequence[int]) -> _Predicate:
    deps, lemmas, tag, dep = tree.deps, tree.lemmas, tree.tags[predicate], tree.deps[predicate]
    frame: list[str] = []
    sided: list[str] = []
    by_label: dict[str, list[str]] = {}
    for kid in kids:
        label = deps[kid]
        by_label.setdefault(label, []).append(lemmas[kid])
        if label in _FRAME:
            frame.append(label)
            sided.append("<" + label if kid < predicate else label)
    participle = tag == "VBN" and dep in _REDUCED and AUXILIARY.isdisjoint(by_label)
    passive = participle or not _PASSIVE.isdisjoint(by_label)
    voice = code("passive" if passive else "active")
    preps = code("+".join(sorted(by_label.get("prep", ()))))
    particle = code("+".join(by_label.get("prt", ())))
    objects = code("+".join([label for label in frame if label in _OBJECTS]))

    def first(wanted: Collection[str]) -> int:
        """The lemma of the first dependent that has one of these labels."""
        for label, words in by_label.items():
            if label in wanted:
                return code(words[0])
        return 0

    shared = [code(lemmas[predicate]), code(tag), voice, code(dep), code(" ".join(sided))]
    context = [0, voice, code(" ".join(frame)), preps, particle, objects]
    return _Predicate(
        [*shared, preps, particle, objects, first(_SUBJECTS)],
        [*context, first(_UNDERGOERS), first(_ACTIVE_SUBJECT)],
        passive,
    )


def _token_columns(
    trees: Sequence[Tree], sizes: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], dict[str, Codes]]:
    """Each token of all trees, (tokens,), as if it were a candidate: its content, and columns."""
    count = int(sizes.sum())
    place = np.arange(count)
    head = np.array(list(chain.from_iterable(tree.heads for tree in trees)), dtype=np.int64)
    head += np.repeat(np.cumsum(sizes) - sizes, sizes)
    lemmas = list(chain.from_iterable(tree.lemmas for tree in trees))
    # One more for the token that is not there.
    lemma = _codes([*lemmas, ""])
    dep = _codes(chain.from_iterable(tree.deps for tree in trees), count)
    tag = _codes(chain.from_iterable(tree.tags for tree in trees), count)
    dependent = head != place

    def first(kids: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """The first of these dependents of each token, ``count`` where there is none."""
        below = np.flatnonzero(kids & dependent)
        token_columns = np.full(count, count)
        np.minimum.at(token_columns, head[below], below)
        return token_columns

    # The token that carries a phrase's meaning: the object of a preposition, else the head.
    complement = first(_among(dep, "pobj", "pcomp"))
    case = _among(dep, "prep", "agent", "dative") & _among(tag, "IN", "TO", "RP")
    content = np.where(case & (complement < count), complement, place)
    # Preposition, subordinator or complementiser that introduces a phrase.
    opening = _among(tag, "WRB", "WDT", "WP", "TO") & (place < head)
    own = (content != place) | _among(dep, "prep", "agent")
    marker = np.where(own, place, first(opening | _among(dep, "mark")))
    edge = first(dependent)
    edge[edge > place] = count
    size = np.bincount(head[dependent], minlength=count)
    columns = {
        "dep": dep,
        "lemma": lemma[:-1],
        "ctag": tag,
        "marker": lemma[marker],
        "content": lemma[content],
        "content_tag": tag[content],
        "suffix": _codes([text[-2:] for text in lemmas])[content],
        "edge": lemma[edge[content]],
        "host": lemma[head],
        "shape": _codes(map(str, range(size.max(initial=0) + 1)))[size[content]],
    }
    return content, columns


class _Checksums(dict[str, int]):
    """CRC-32 of strings, each computed once."""

    def __missing__(self, text: str) -> int:
        if len(self) >= _KEPT:
            self.clear()
        checksum = self[text] = crc32(text.encode("utf8", "surrogatepass"))
        return checksum


#: A 32-bit checksum (CRC-32) of a text, the same everywhere.
code: Final = _Checksums().__getitem__


def _codes(texts: Iterable[str], count: int = -1) -> Codes:
    return np.fromiter(map(code, texts), dtype=np.uint64, count=count)


def _among(codes: Codes, *texts: str) -> npt.NDArray[np.bool_]:
    """Return whether each code is that of one of the texts."""
    result = np.zeros(len(codes), dtype=np.bool_)
    for text in texts:
        result |= codes == code(text)
    return result


def buckets(rows: Codes) -> npt.NDArray[np.int64]:
    """Feature buckets of candidate rows: (n, len(COLUMNS)) -> (n, features), features apart."""
    columns = dict(zip(COLUMNS, np.ascontiguousarray(rows.T), strict=True))
    out = np.empty((len(_TEMPLATES), len(rows)), dtype=np.int64)
    for i, template in enumerate(_TEMPLATES):
        out[i] = _mix([columns[name] for name in template], i + 1)
    return out.T


def sense_buckets(rows: Codes, senses: Codes) -> npt.NDArray[np.int64]:
    """Buckets of each context column seen with a roleset: (n, len(SENSE_COLUMNS))."""
    columns = [_mix([senses, rows[:, i]], i + 1) for i in range(len(SENSE_COLUMNS))]
    return np.stack(columns, axis=1)


def _mix(columns: Sequence[Codes], salt: int) -> npt.NDArray[np.int64]:
    """Multiply-xorshift hash of parallel columns; unsigned arithmetic wraps by definition."""
    mixed = np.full(len(columns[0]), salt, dtype=np.uint64)
    for column in columns:
        mixed ^= column
        mixed *= np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    mixed >>= np.uint64(40)
    return (mixed & np.uint64(BUCKETS - 1)).astype(np.int64)
