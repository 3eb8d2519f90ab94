"""Training samples of the role labeller: candidates of predicates in parsed gold sentences.

The gold sentences are parsed, so the labeller learns to live with a parser's mistakes. A candidate
is a constituent of the tree; it has the gold label of the argument that it heads, ``IN`` where it
goes on one, else ``NONE``::

    gold = sample(trees(parser, own, read_ewt(path)))
    gold.rows.shape, gold.labels.shape      # (candidates, columns), (candidates,)

Sentences that several parsers have read are one sentence with the candidates of all.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from spacy.language import Language
from spacy.tokens import Doc

from compsim.parsers.pipeline.spacy_pipeline import tree_of
from compsim.parsers.pipeline.tree import Tree, predicates
from compsim.parsers.roles.candidates import extract
from compsim.weights.build_names import read_sentences
from compsim.weights.propbank import Proposition

__all__ = ["LABELS", "Sample", "gold_labels", "join", "plain", "sample", "trees"]

LABELS = [
    "NONE", "IN", "ARG0", "ARG1", "ARG2", "ARG3", "ARG4", "ARG5", "ARGM-ADJ", "ARGM-ADV",
    "ARGM-CAU", "ARGM-COM", "ARGM-CXN", "ARGM-DIR", "ARGM-DIS", "ARGM-EXT", "ARGM-GOL", "ARGM-LOC",
    "ARGM-LVB", "ARGM-MNR", "ARGM-MOD", "ARGM-NEG", "ARGM-PRD", "ARGM-PRP", "ARGM-PRR", "ARGM-REC",
    "ARGM-TMP", "C-ARG0", "C-ARG1", "C-ARG2", "R-ARG0", "R-ARG1", "R-ARG2", "R-ARGM-LOC",
    "R-ARGM-TMP",
]  # fmt: skip
#: Longer gold sentences are left out.
LONGEST = 80
#: Plain sentences that are learned from besides, and how many words they have.
PLAIN = 43000
PLAIN_WORDS = range(3, 41)
_RENAMED = {"ARGM-PNC": "ARGM-PRP"}


@dataclass(frozen=True)
class Sample:
    """Candidates and predicates of some sentences.

    ``rows`` uint64 (n, columns) and ``labels`` int (n,) are those of the candidates, all ``NONE``
    where nobody knows them; ``places`` int (n, 4) the sentence of each, its token, the token that
    carries its meaning (the noun after a preposition), and that of the predicate. ``words`` are the
    tokens of each sentence; ``contexts``, ``lemmas`` and ``rolesets`` are those of the predicates.
    """

    rows: npt.NDArray[np.uint64]
    labels: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    words: list[tuple[str, ...]]
    contexts: npt.NDArray[np.uint64]
    lemmas: list[str]
    rolesets: list[str]


def trees(
    parser: Language, own: Language, gold: Iterable[tuple[list[str], list[Proposition]]]
) -> Iterator[tuple[Tree, list[Proposition]]]:
    """Gold sentences parsed by ``parser``, with the classes and lemmas of the pipeline ``own``."""
    tokens, propositions = zip(*gold, strict=True)
    docs = (Doc(parser.vocab, words=words) for words in tokens)
    for doc, result in zip(parser.pipe(docs, batch_size=512), propositions, strict=True):
        parsed = Doc(
            own.vocab,
            words=[token.text for token in doc],
            tags=[token.tag_ for token in doc],
            heads=[token.head.i for token in doc],
            deps=[token.dep_ for token in doc],
        )
        for name in ("attribute_ruler", "lemmatizer"):
            parsed = own.get_pipe(name)(parsed)
        yield tree_of(parsed), result


def sample(parsed: Iterable[tuple[Tree, list[Proposition]]]) -> Sample:
    """Training material of parsed gold sentences, without gold predicates that the tree lacks."""
    tasks = [
        (tree, head, proposition)
        for tree, propositions in parsed
        for known in [set(predicates(tree)) if len(tree) <= LONGEST else set()]
        for proposition in propositions
        for head in [next((i for i in proposition.predicate if i in known), None)]
        if head is not None
    ]
    return _of([(tree, head) for tree, head, _ in tasks], [known for *_, known in tasks])


def plain(own: Language, path: Path) -> Sample:
    """The predicates of plain sentences, as the pipeline ``own`` parses them, without labels."""
    texts = [text for text in read_sentences(path) if len(text.split()) in PLAIN_WORDS]
    chosen = random.Random(4).sample(texts, min(PLAIN, len(texts)))
    parsed = map(tree_of, own.pipe(chosen, batch_size=512))
    return _of([(tree, head) for tree in parsed for head in predicates(tree)], None)


def _of(tasks: Sequence[tuple[Tree, int]], gold: Sequence[Proposition] | None) -> Sample:
    result = extract([(tree, [head]) for tree, head in tasks])
    heads, contents, starts = (
        each.tolist() for each in (result.heads, result.contents, result.starts)
    )
    labels: list[int] = []
    places: list[tuple[int, int, int, int]] = []
    numbers: dict[tuple[str, ...], int] = {}
    for i, (tree, predicate) in enumerate(tasks):
        mine = slice(starts[i], starts[i + 1])
        own = heads[mine]
        known = {} if gold is None else gold_labels(tree, own, gold[i])
        labels += [LABELS.index(known.get(head, "NONE")) for head in own]
        words = tuple(map(tree.word, range(len(tree))))
        sentence = numbers.setdefault(words, len(numbers))
        places += [(sentence, *pair, predicate) for pair in zip(own, contents[mine], strict=True)]
    return Sample(
        result.rows,
        np.array(labels, dtype=np.int64),
        np.array(places, dtype=np.int64).reshape(-1, 4),
        list(numbers),
        result.contexts,
        [tree.lemmas[head] for tree, head in tasks],
        [] if gold is None else [proposition.roleset for proposition in gold],
    )


def gold_labels(tree: Tree, heads: list[int], proposition: Proposition) -> dict[int, str]:
    """The gold label of each candidate head that stands for (part of) a gold argument."""
    allowed = set(heads)
    result: dict[int, str] = {}
    for label, start, end in proposition.arguments:
        tops = [head for head in _span_heads(tree, start, end) if head in allowed]
        if not tops:
            continue
        best = max(tops, key=lambda head: len(tree.parts([head])[head]))
        name = _RENAMED.get(label, label)
        result[best] = name if name in LABELS else "NONE"
        for head in tops:
            result.setdefault(head, "IN")
    return result


def _span_heads(tree: Tree, start: int, end: int) -> list[int]:
    """Tokens of a span whose head lies outside it, punctuation last."""
    inside = range(start, end + 1)
    heads = [i for i in inside if tree.heads[i] == i or tree.heads[i] not in inside]
    return sorted(heads, key=lambda i: tree.deps[i] == "punct")


def join(parts: Sequence[Sample]) -> Sample:
    """One sample of several; equal sentences are one."""
    numbers: dict[tuple[str, ...], int] = {}
    places = []
    for part in parts:
        new = np.array([numbers.setdefault(words, len(numbers)) for words in part.words])
        places.append(np.column_stack([new[part.places[:, 0]], part.places[:, 1:]]))
    return Sample(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.labels for part in parts]),
        np.concatenate(places),
        list(numbers),
        np.concatenate([part.contexts for part in parts]),
        [lemma for part in parts for lemma in part.lemmas],
        [roleset for part in parts for roleset in part.rolesets],
    )
