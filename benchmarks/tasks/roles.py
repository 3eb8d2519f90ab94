"""How well a parser finds the roles: its words against those of the roles fixed by hand.

For each sentence of each STS3k pair, the parser's main star and the hand-fixed roles are compared
as sets of (role, content word). Patient counts with Theme and Location with Trajectory, since
annotators and parsers draw those lines differently. Counts are summed over all sentences (micro).

>>> from compsim.benchmarks.tasks.roles import role_words
>>> from compsim.graph import RoleGraph
>>> star = RoleGraph.star("Cats chase the mice.", {"Verb": "chase", "Patient": "the mice"})
>>> sorted(role_words(star))
[('Patient/Theme', 'mice'), ('Verb', 'chase')]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from compsim.benchmarks.datasets import STS3k
from compsim.errors import DataError
from compsim.graph import RoleGraph, Status
from compsim.roles import VERBNET
from compsim.vectors.words import content_words

if TYPE_CHECKING:
    from compsim.parsers.base import Parser

__all__ = [
    "CLASSES",
    "Counts",
    "RoleScores",
    "compare",
    "parse_file",
    "parse_sentences",
    "role_words",
]

GraphPair = tuple[RoleGraph, RoleGraph]

#: The class that a role counts as.
CLASSES: Final = {
    role: {
        "Patient": "Patient/Theme",
        "Theme": "Patient/Theme",
        "Location": "Location/Trajectory",
        "Trajectory": "Location/Trajectory",
    }.get(role, role)
    for role in VERBNET.roles
}

_CHUNK: Final = 256


@dataclass(frozen=True, slots=True)
class Counts:
    """(role, word) items that both have, only the parser has, and only the hand-fixed roles have.

    Precision, recall and F1 are 0 where they have no denominator.
    """

    both: int = 0
    spurious: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        """Share of the parser's items that are right."""
        return self.both / max(self.both + self.spurious, 1)

    @property
    def recall(self) -> float:
        """Share of the hand-fixed items that were found."""
        return self.both / max(self.both + self.missed, 1)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.both / max(2 * self.both + self.spurious + self.missed, 1)

    def to_dict(self) -> dict[str, float]:
        """The three figures and ``support``, the number of hand-fixed items."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "support": self.both + self.missed,
        }


@dataclass(frozen=True)
class RoleScores:
    """The outcome: counts over all roles and by class, and the sentences that have no parse."""

    total: Counts
    per_role: dict[str, Counts]
    sentences: int
    failed: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON types."""
        total = self.total
        return {
            "f1": total.f1,
            "precision": total.precision,
            "recall": total.recall,
            "per_role": {role: counts.to_dict() for role, counts in self.per_role.items()},
            "sentences": self.sentences,
            "failed": list(self.failed),
        }


def role_words(graph: RoleGraph) -> set[tuple[str, str]]:
    """The (role class, content word) items of a graph's main star."""
    return {
        (CLASSES[role], word)
        for role, node in graph.roles().items()
        if role in CLASSES
        for word in content_words(node.label)
    }


def compare(gold: Sequence[GraphPair], parsed: Sequence[GraphPair]) -> RoleScores:
    """Score the parses of each pair against the hand-fixed ones of the same pair."""
    both: Counter[str] = Counter()
    spurious: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    failed: dict[str, None] = {}
    for true_pair, parsed_pair in zip(gold, parsed, strict=True):
        for true, graph in zip(true_pair, parsed_pair, strict=True):
            expected, found = role_words(true), role_words(graph)
            both.update(role for role, _ in expected & found)
            spurious.update(role for role, _ in found - expected)
            missed.update(role for role, _ in expected - found)
            if graph.status is Status.FAILED:
                failed[true.text] = None
    if not both.total() + missed.total():
        raise DataError("the hand-fixed roles hold no words, so nothing can be compared with them")
    per_role = {
        role: Counts(both[role], spurious[role], missed[role])
        for role in dict.fromkeys(CLASSES.values())
    }
    return RoleScores(
        Counts(both.total(), spurious.total(), missed.total()),
        per_role,
        2 * len(gold),
        tuple(failed),
    )


def parse_sentences(
    data: STS3k, parser: Parser, advance: Callable[[int], None] = lambda count: None
) -> list[GraphPair]:
    """Parse each distinct sentence once; ``advance`` is told how many more are done."""
    graphs: dict[str, RoleGraph] = {}
    sentences = data.sentences()
    for start in range(0, len(sentences), _CHUNK):
        chunk = sentences[start : start + _CHUNK]
        graphs.update(zip(chunk, parser.parse(chunk), strict=True))
        advance(len(chunk))
    return _paired(data, graphs)


def parse_file(data: STS3k, path: str | Path) -> list[GraphPair]:
    """Read roles off the dependency trees of a CoNLL file rather than run the pipeline.

    The trees carry ClearNLP labels; a sentence without a tree gets a failed graph. Raises
    ``DataError`` for a file that is not CoNLL.
    """
    from compsim.parsers.roles.srl import SrlParser

    parser = SrlParser()
    file = Path(path)
    graphs: dict[str, RoleGraph] = {}
    wanted = data.sentences()
    docs = _read_docs(file, set(wanted))
    texts = list(docs)
    graphs.update(zip(texts, parser.parse_docs([docs[text] for text in texts]), strict=True))
    for text in wanted:
        graphs.setdefault(
            text, RoleGraph.failed(text, f"the sentence is not in {file.name}", parser.name)
        )
    return _paired(data, graphs)


def _paired(data: STS3k, graphs: Mapping[str, RoleGraph]) -> list[GraphPair]:
    return [(graphs[pair.first], graphs[pair.second]) for pair in data.pairs]


def _read_docs(path: Path, wanted: set[str]) -> dict[str, Any]:
    """The spaCy documents of the trees whose text is wanted, the first of each text."""
    import spacy
    from spacy.tokens import Doc

    from compsim.parsers.files.conll import Tree, read_conll

    vocab = spacy.blank("en").vocab

    def document(tree: Tree) -> Doc:
        return Doc(
            vocab,
            words=tree.words,
            spaces=[*tree.spaces[:-1], False],  # else the text would end in a space
            tags=tree.tags,
            pos=tree.pos,
            lemmas=_lemmas(tree.words, tree.lemmas),
            heads=tree.heads,
            deps=tree.deps,
        )

    docs: dict[str, Any] = {}
    number = 0
    try:
        for number, tree in enumerate(read_conll(path), start=1):  # noqa: B007
            if tree.text in wanted and tree.text not in docs:
                docs[tree.text] = document(tree)
    except (OSError, EOFError, ValueError, IndexError) as error:
        raise DataError(
            f"{path} cannot be read as CoNLL after {number} trees ({error}): give ten columns, "
            "tab-separated, and an empty line between sentences"
        ) from error
    return docs


def _lemmas(words: Iterable[str], lemmas: Iterable[str]) -> list[str]:
    """The lemmas; older pipelines write -PRON- for pronouns."""
    return [
        word.lower() if lemma == "-PRON-" else lemma
        for word, lemma in zip(words, lemmas, strict=True)
    ]
