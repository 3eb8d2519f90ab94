"""The trained role labeller: PropBank arguments and senses for the predicates of trees.

Two small models, both learned from gold PropBank by ``weights/train_roles.py``. *Arguments*: a
network with one hidden layer over hashed features (:mod:`compsim.parsers.features`) and the word
vectors of predicate and filler gives each candidate a label, ``NONE``, a PropBank label, or ``IN``
(it continues the argument on its left). *Senses*: a linear model over the same kind of features
ranks the rolesets that the predicate's lemma has in the PropBank frames.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError

from .candidates import Candidate, Tree, candidates
from .features import (
    CONTENT,
    PREDICATE,
    buckets,
    candidate_rows,
    code,
    companions,
    sense_buckets,
    sense_rows,
)

__all__ = ["PLACE", "Argument", "Frame", "RoleLabeller", "core"]

_IN = 1  # the labels begin with NONE and IN

#: Label of a place inside an argument ("an explosion *at a plant*"). PropBank has none for it.
PLACE = "PLACE"


@dataclass(frozen=True, slots=True)
class Argument:
    """A labelled candidate: head token, PropBank label, and heads that continue its phrase."""

    head: int
    label: str
    path: tuple[str, ...]
    more: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """One predicate with its roleset (None if the frames do not know the lemma) and arguments."""

    predicate: int
    sense: str | None
    arguments: tuple[Argument, ...]


def core(label: str) -> bool:
    """Whether a label is a numbered argument, of which a predicate has each at most once."""
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
        self._embedding = weights["embedding"]  # int8 (BUCKETS, hidden)
        self._scale = weights["scale"].astype(np.float32)
        self._bias = weights["bias"].astype(np.float32)
        self._out = weights["out"].astype(np.float32)
        self._out_bias = weights["out_bias"].astype(np.float32)
        self._sense = weights["sense"].astype(np.float32)
        self._codes: dict[str, tuple[list[str], npt.NDArray[np.uint64]]] = {}
        # Words enter as checksums, sorted for binary search; each has its projections as filler
        # and as predicate ready, so no vector is multiplied at run time.
        self._words = weights["words"]  # uint32 (n,)
        self._as_filler = weights["as_filler"]  # float16 (n + 1, hidden), last row zero
        self._as_predicate = weights["as_predicate"]

    def frames(self, trees: Sequence[tuple[Tree, Sequence[int]]]) -> list[list[Frame]]:
        """Label the given predicates of each tree; all of them go through the models at once."""
        rows: list[list[int]] = []
        contexts: list[list[int]] = []
        tasks: list[tuple[int, int, list[Candidate]]] = []
        lemmas: list[str] = []
        beside: list[frozenset[str]] = []
        for index, (tree, heads) in enumerate(trees):
            for predicate in heads:
                found = candidates(tree, predicate)
                rows += candidate_rows(tree, predicate, found)
                contexts.append(sense_rows(tree, predicate))
                beside.append(companions(tree, predicate))
                tasks.append((index, predicate, found))
                lemmas.append(tree.lemmas[predicate])
        scores = self.scores(rows)
        senses = self.senses(lemmas, contexts, beside)
        out: list[list[Frame]] = [[] for _ in trees]
        start = 0
        for (index, predicate, found), sense in zip(tasks, senses, strict=True):
            stop = start + len(found)
            arguments = self._decode(found, scores[start:stop])
            out[index].append(Frame(predicate, sense, arguments))
            start = stop
        return out

    def scores(self, rows: Sequence[Sequence[int]]) -> npt.NDArray[np.float32]:
        """Unnormalised log-probability of each label: (candidates, labels)."""
        if not len(rows):
            return np.zeros((0, len(self.labels)), dtype=np.float32)
        table = np.asarray(rows, dtype=np.uint64)
        hidden = self._embedding[buckets(table)].sum(axis=1, dtype=np.int32) * self._scale
        hidden += self._as_filler[self._row(table[:, CONTENT])]
        hidden += self._as_predicate[self._row(table[:, PREDICATE])]
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
        self,
        lemmas: Sequence[str],
        contexts: Sequence[Sequence[int]],
        beside: Sequence[frozenset[str]],
    ) -> list[str | None]:
        """The best roleset of each predicate, None where the frames have none for it."""
        best: list[str | None] = [None] * len(lemmas)
        open_cases: list[int] = []
        for i, lemma in enumerate(lemmas):
            rolesets = self._rolesets(lemma)
            if len(rolesets[0]) == 1:
                best[i] = rolesets[0][0]
            elif rolesets[0]:
                open_cases.append(i)
        if not open_cases:
            return best
        codes = [self._rolesets(lemmas[i])[1] for i in open_cases]
        sizes = [len(block) for block in codes]
        table = np.asarray([contexts[i] for i in open_cases], dtype=np.uint64)
        features = sense_buckets(np.repeat(table, sizes, axis=0), np.concatenate(codes))
        scores = self._sense[features].sum(axis=1)
        for i, block in zip(open_cases, np.split(scores, np.cumsum(sizes)[:-1]), strict=True):
            names = self._rolesets(lemmas[i])[0]
            # "fall_back.08" is no sense of a "fall" without "back".
            best[i] = next(
                (names[k] for k in (-block).argsort() if set(_extra(names[k])) <= beside[i]), None
            )
        return best

    def _rolesets(self, lemma: str) -> tuple[list[str], npt.NDArray[np.uint64]]:
        """The rolesets of a lemma and their codes, made once."""
        if lemma not in self._codes:
            names = list(self.lexicon.get(lemma, ()))
            self._codes[lemma] = names, np.array([code(name) for name in names], dtype=np.uint64)
        return self._codes[lemma]

    def _decode(
        self,
        found: Sequence[Candidate],
        scores: npt.NDArray[np.float32],
    ) -> tuple[Argument, ...]:
        """Best label of each candidate, a numbered label at most once, continuations attached."""
        labels = self.labels
        if not len(found):
            return ()
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        for candidate, row in zip(found, chances, strict=True):
            # What hangs on the predicate itself is rather an argument than part of one.
            if len(candidate.path) == 1:
                row[_IN] = 0.0
        inner = [_is_place(self.labels, *pair) for pair in zip(found, chances, strict=True)]
        chosen = chances.argmax(axis=1).tolist()
        peak = chances.max(axis=1).tolist()
        taken: dict[int, int] = {}
        for i in sorted(range(len(found)), key=lambda i: -peak[i]):
            ranked = iter(chances[i].argsort()[::-1].tolist())
            while core(labels[chosen[i]]) and chosen[i] in taken:
                chosen[i] = next(ranked)
            taken[chosen[i]] = i
        arguments: list[Argument] = []
        for candidate, k, place in zip(found, chosen, inner, strict=True):
            label = PLACE if place and k <= _IN else labels[k]
            if label == "IN" and arguments:
                last = arguments[-1]
                arguments[-1] = replace(last, more=(*last.more, candidate.head))
            elif label not in ("NONE", "IN"):
                arguments.append(Argument(candidate.head, label, candidate.path))
        return tuple(arguments)


def _is_place(
    labels: Sequence[str], candidate: Candidate, chances: npt.NDArray[np.float32]
) -> bool:
    """Whether a phrase inside an argument would be a location if it were an argument itself."""
    path = candidate.path
    if len(path) < 2 or path[-1] != "prep" or any(step.startswith("^") for step in path):
        return False
    arguments = chances[_IN + 1 :]
    best = int(arguments.argmax())
    return labels[_IN + 1 + best] == "ARGM-LOC" and bool(2 * arguments[best] > arguments.sum())


def _extra(roleset: str) -> list[str]:
    """What a multiword roleset has beside its verb: ``give_up.08`` has ``up``."""
    return roleset.rsplit(".", 1)[0].replace("-", "_").split("_")[1:]
