"""The trained role labeller: PropBank arguments and senses for the predicates of trees.

Two small models, both learned from gold PropBank by ``weights/train_roles.py``. *Arguments*: a
network with one hidden layer over hashed features (:mod:`compsim.parsers.roles.candidates`) and
the word vectors of predicate and filler gives each candidate a label, ``NONE``, a PropBank label,
or ``IN`` (it continues the argument on its left). *Senses*: a linear model over the same kind of
features ranks the rolesets that the predicate's lemma has in the PropBank frames.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError
from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.candidates import (
    COLUMNS,
    CONTENT,
    PREDICATE,
    Candidates,
    buckets,
    code,
    extract,
    sense_buckets,
)
from compsim.parsers.roles.events import spelled

__all__ = [
    "IN",
    "NONE",
    "PLACE",
    "PLACE_LABEL",
    "Argument",
    "Frame",
    "RoleLabeller",
    "core",
    "decode",
]

#: Numbers of the first two labels, and of one that the model does not have: a place inside an
#: argument ("an explosion *at a plant*"), for which PropBank has no label.
NONE, IN, PLACE = 0, 1, -1
#: Label of a place inside an argument. PropBank has none for it.
PLACE_LABEL = "PLACE"
_PATH: Final = COLUMNS.index("path")


class Argument(NamedTuple):
    """A labelled candidate: head token, PropBank label, and heads that continue its phrase.

    ``relation`` is its dependency label, empty for the noun above a relative clause.
    """

    head: int
    label: str
    relation: str
    more: tuple[int, ...] = ()


class Frame(NamedTuple):
    """One predicate with its roleset (None if the frames do not know the lemma) and arguments."""

    predicate: int
    sense: str | None
    arguments: tuple[Argument, ...]
    passive: bool


@cache
def core(label: str) -> bool:
    """Return whether a label is a numbered argument, of which a predicate has each at most once."""
    return label.startswith("ARG") and label[3:4].isdigit()


class RoleLabeller:
    """The two models and the PropBank lexicon, read from a folder without pickle.

    ``lexicon`` maps a lemma to its rolesets, each to ``{label: VerbNet thematic role}``.
    Raises DataError when the folder is incomplete.
    """

    def __init__(self, folder: Path) -> None:
        try:
            with np.load(folder / "model.npz", allow_pickle=False) as stored:
                weights = {name: stored[name] for name in stored.files}
            about = json.loads((folder / "about.json").read_text(encoding="utf8"))
            self.lexicon: dict[str, dict[str, dict[str, str]]] = json.loads(
                (folder / "lexicon.json").read_text(encoding="utf8")
            )
        except (OSError, ValueError) as error:
            raise DataError(
                f"the role model in {folder} can not be read ({error}): reinstall compsim"
            ) from error
        self.version: str = about["version"]
        self.labels: list[str] = about["labels"]
        self._numbered = np.array([core(label) for label in self.labels])
        self._location = self.labels.index("ARGM-LOC")
        self._embedding = weights["embedding"]  # int8 (BUCKETS, hidden)
        self._scale = weights["scale"].astype(np.float32)
        self._bias = weights["bias"].astype(np.float32)
        self._out = weights["out"].astype(np.float32)
        self._out_bias = weights["out_bias"].astype(np.float32)
        self._sense = weights["sense"].astype(np.float32)
        self._codes: dict[str, tuple[list[str], npt.NDArray[np.uint64], list[frozenset[str]]]] = {}
        # Words enter as checksums, sorted for binary search; each has its projections as filler
        # and as predicate ready, so no vector is multiplied at run time.
        self._words = weights["words"]  # uint32 (n,)
        self._as_filler = weights["as_filler"]  # float16 (n + 1, hidden), last row zero
        self._as_predicate = weights["as_predicate"]

    def frames(self, trees: Sequence[tuple[Tree, Sequence[int]]]) -> list[list[Frame]]:
        """Label the given predicates of each tree; all of them go through the models at once."""
        result = extract(trees)
        chosen = decode(self.scores(result.rows), result, self._numbered, self._location)
        tasks = [(tree, predicate) for tree, heads in trees for predicate in heads]
        senses = self.senses(tasks, result.contexts)
        labels, heads, above = (column.tolist() for column in (chosen, result.heads, result.above))
        starts, passive = result.starts.tolist(), result.passive.tolist()
        frames = []
        for i, (tree, predicate) in enumerate(tasks):
            arguments: list[Argument] = []
            for k in range(starts[i], starts[i + 1]):
                label, head = labels[k], heads[k]
                if label == IN and arguments:
                    last = arguments[-1]
                    arguments[-1] = last._replace(more=(*last.more, head))
                elif label not in (NONE, IN):
                    name = PLACE_LABEL if label == PLACE else self.labels[label]
                    relation = "" if above[k] else tree.deps[head]
                    arguments.append(Argument(head, name, relation))
            frames.append(Frame(predicate, senses[i], tuple(arguments), passive[i]))
        remaining = iter(frames)
        return [[next(remaining) for _ in heads] for _, heads in trees]

    def scores(self, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.float32]:
        """Unnormalised log-probability of each label: (candidates, labels)."""
        # So few numbers of 8 bits never add up to more than 16 bits hold.
        total = np.zeros((len(rows), self._embedding.shape[1]), dtype=np.int16)
        for feature in buckets(rows).T:
            total += self._embedding.take(feature, axis=0)
        hidden = total.astype(np.int32) * self._scale
        hidden += self._as_filler[self._row(rows[:, CONTENT])]
        hidden += self._as_predicate[self._row(rows[:, PREDICATE])]
        hidden += self._bias
        np.maximum(hidden, 0, out=hidden)
        scores: npt.NDArray[np.float32] = hidden @ self._out + self._out_bias
        return scores

    def _row(self, codes: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        wanted = codes.astype(np.uint32)
        at = np.searchsorted(self._words, wanted)
        at[at == len(self._words)] = 0
        return np.where(self._words[at] == wanted, at, len(self._words))

    def senses(
        self, predicates: Sequence[tuple[Tree, int]], contexts: npt.NDArray[np.uint64]
    ) -> list[str | None]:
        """The best roleset of each predicate, None where the frames have none for it."""
        best: list[str | None] = [None] * len(predicates)
        open_cases: list[int] = []
        lemmas = [tree.lemmas[head] for tree, head in predicates]
        for i, lemma in enumerate(lemmas):
            names = self._rolesets(lemma)[0]
            if len(names) == 1:
                best[i] = names[0]
            elif names:
                open_cases.append(i)
        if not open_cases:
            return best
        codes = [self._rolesets(lemmas[i])[1] for i in open_cases]
        sizes = [len(block) for block in codes]
        table = np.repeat(contexts[open_cases], sizes, axis=0)
        features = sense_buckets(table, np.concatenate(codes))
        scores = self._sense[features].sum(axis=1)
        stop = 0
        for i, size in zip(open_cases, sizes, strict=True):
            names, _, extras = self._rolesets(lemmas[i])
            start, stop = stop, stop + size
            for k in (-scores[start:stop]).argsort().tolist():
                # "fall_back.08" is no sense of a "fall" without "back".
                if not extras[k] or extras[k] <= _companions(*predicates[i]):
                    best[i] = names[k]
                    break
        return best

    def _rolesets(
        self, lemma: str
    ) -> tuple[list[str], npt.NDArray[np.uint64], list[frozenset[str]]]:
        """The rolesets of a lemma, their codes, and the words that each asks for; made once."""
        if lemma not in self._codes:
            names = list(self.lexicon.get(lemma, ()))
            codes = np.array([code(name) for name in names], dtype=np.uint64)
            self._codes[lemma] = names, codes, [_extra(name) for name in names]
        return self._codes[lemma]


def _companions(tree: Tree, predicate: int) -> frozenset[str]:
    """Particles, prepositions and adverbs of a predicate, which multiword senses ask for."""
    return frozenset(
        tree.lemmas[kid]
        for kid in tree.kids(predicate)
        if tree.deps[kid] in ("prt", "prep", "advmod", "acomp", "dobj", "npadvmod", "agent")
    )


def _extra(roleset: str) -> frozenset[str]:
    """Return the words of a roleset beside its verb: ``give_up.08`` has ``up``."""
    return frozenset(spelled(roleset).split("_")[1:])


def decode(
    scores: npt.NDArray[np.float32],
    results: Candidates,
    numbered: npt.NDArray[np.bool_],
    location: int,
) -> npt.NDArray[np.int64]:
    """The label number of each candidate (n,), a numbered label at most once for a predicate.

    The candidate that is surest of its label has it; another that wants it takes its next best.
    ``scores`` (n, labels) are unnormalised log-probabilities; ``numbered`` (labels,) marks those
    that a predicate has at most once; ``location`` is the label of places.
    """
    chances = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
    chances /= chances.sum(axis=1, keepdims=True)
    # A phrase inside an argument that would be a place if it were an argument itself.
    others = chances[:, IN + 1 :]
    place = results.places & (2 * chances[:, location] > others.sum(axis=1))
    # What hangs on the predicate itself is rather an argument than part of one, and what does so by
    # a preposition says something of the event: who "slept beneath a boat", where.
    chances[results.direct, IN] = 0.0
    chances[results.rows[:, _PATH] == code("prep"), NONE] = 0.0
    chosen: npt.NDArray[np.int64] = chances.argmax(axis=1)
    _share(chances, results.starts, numbered, chosen)
    chosen[place & (chosen <= IN)] = PLACE
    return chosen


def _share(
    chances: npt.NDArray[np.float32],
    starts: npt.NDArray[np.int64],
    numbered: npt.NDArray[np.bool_],
    chosen: npt.NDArray[np.int64],
) -> None:
    """Settle, in place, who has a numbered label that two candidates of a predicate want."""
    owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    wanted = owners * chances.shape[1] + np.where(numbered[chosen], chosen, 0)
    _, inverse, count = np.unique(wanted, return_inverse=True, return_counts=True)
    disputed = numbered[chosen] & (count[inverse] > 1)
    for q in np.unique(owners[disputed]).tolist():
        own = slice(int(starts[q]), int(starts[q + 1]))
        ranked = (-chances[own]).argsort(axis=1, kind="stable").tolist()
        taken: set[int] = set()
        for i in (-chances[own].max(axis=1)).argsort(kind="stable").tolist():
            label = next(label for label in ranked[i] if label not in taken)
            chosen[own.start + i] = label
            if numbered[label]:
                taken.add(label)
