"""All rewritings of sentences: those that keep who did what to whom, and those that exchange it.

>>> rewriter = Rewriter()
>>> clause, = rewriter.clauses(["The dog bit the postman in the garden."])
>>> for rewriting in retellings(clause):
...     print(rewriting.kind, rewriting.text, sep=": ")
passive: The postman was bitten in the garden by the dog.
fronting: In the garden, the dog bit the postman.
subject cleft: It was the dog that bit the postman in the garden.
object cleft: It was the postman that the dog bit in the garden.
circumstance cleft: It was in the garden that the dog bit the postman.
>>> [rewriting.text for rewriting in exchanges(clause, ["passive"])]
['The postman bit the dog in the garden.', 'The dog was bitten in the garden by the postman.']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from compsim.benchmarks.rewriting.clause import Clause, written
from compsim.benchmarks.rewriting.cleft import cleft
from compsim.benchmarks.rewriting.dative import dative
from compsim.benchmarks.rewriting.fronting import fronted
from compsim.benchmarks.rewriting.inversion import inverted, object_fronted
from compsim.benchmarks.rewriting.reading import read_clause
from compsim.benchmarks.rewriting.swap import swapped
from compsim.benchmarks.rewriting.voice import active, passive
from compsim.errors import check_choice

__all__ = ["KINDS", "MARKED", "Rewriter", "Rewriting", "exchanges", "retellings"]


class Rewriting(NamedTuple):
    """Rewriting that was applied to a clause.

    Attributes:
        kind: The name of what was done.
        clause: The clause that came of it.
        text: Its sentence.

    Examples:
        >>> (clause,) = Rewriter().clauses(["The dog bit the postman."])
        >>> rewritings = exchanges(clause, [])[0]
        >>> rewritings.kind, rewritings.text
        ('swap', 'The postman bit the dog.')
    """

    kind: str
    clause: Clause
    text: str


#: What keeps the roles, by its name.
KINDS: Final[dict[str, Callable[[Clause], Clause | None]]] = {
    "passive": passive,
    "active": active,
    "fronting": fronted,
    "dative": dative,
    "subject cleft": partial(cleft, focus="subject"),
    "object cleft": partial(cleft, focus="object"),
    "circumstance cleft": partial(cleft, focus="circumstance"),
}


#: What English seldom says, by its name: made only where it is asked for.
MARKED: Final[dict[str, Callable[[Clause], Clause | None]]] = {
    "object fronting": object_fronted,
    "inversion": inverted,
}


class Rewriter:
    """Reads clauses out of sentences.

    Args:
        pipeline: ``"builtin"``, or a spaCy pipeline by its name or folder.

    Examples:
        >>> (clause,) = Rewriter().clauses(["The dog bit the postman."])
        >>> [rewriting.text for rewriting in retellings(clause, ["passive"])]
        ['The postman was bitten by the dog.']
    """

    def __init__(self, pipeline: str = "builtin") -> None:
        from compsim.parsers.roles.srl import SrlParser

        self._parser = SrlParser(pipeline)

    def clauses(self, sentences: Sequence[str]) -> list[Clause | None]:
        """The clause of each sentence.

        Args:
            sentences: n sentences.

        Returns:
            n clauses, None where a sentence is not one plain clause.

        Raises:
            MissingExtraError: A package that the pipeline needs is not installed.
            DataError: The pipeline cannot be opened.
        """
        results: list[Clause | None] = []
        ended = [sentence if _ends(sentence) else f"{sentence.rstrip()}." for sentence in sentences]
        for sentence, (tree, frames) in zip(sentences, self._parser.analyse(ended), strict=True):
            roots = [i for i, head in enumerate(tree.heads) if head == i]
            labels = {
                argument.head: argument.label
                for frame in frames
                if frame.predicate in roots
                for argument in frame.arguments
            }
            titled = not _ends(sentence) and _is_title(sentence)
            clause = None if titled else read_clause(tree, labels)
            if clause is not None and not _ends(sentence):
                # Captions have no full stop, and get none in what is made of them.
                clause = replace(clause, end="", text=sentence.strip())
            results.append(clause)
        return results


def _ends(sentence: str) -> bool:
    """Return whether a sentence ends in a mark, and not in a word."""
    return not sentence.rstrip()[-1:].isalnum()


def _is_title(sentence: str) -> bool:
    """Return whether more than half of the words behind the first have a capital."""
    words = [word for word in sentence.split()[1:] if word[0].isalpha()]
    return 2 * sum(word[0].isupper() for word in words) > len(words)


def retellings(clause: Clause, kinds: Iterable[str] = KINDS) -> list[Rewriting]:
    """The clause told otherwise with the same roles.

    Args:
        clause: A clause.
        kinds: What is tried, of ``KINDS`` and ``MARKED``.

    Returns:
        What English can say, at most one of each kind.

    Raises:
        InputError: A kind is neither of ``KINDS`` nor of ``MARKED``.

    Examples:
        >>> (clause,) = Rewriter().clauses(["The dog bit the postman."])
        >>> retellings(clause, ["passive"])[0].text
        'The postman was bitten by the dog.'
    """
    return _written(clause, _each(clause, kinds))


def exchanges(clause: Clause, kinds: Iterable[str] = KINDS) -> list[Rewriting]:
    """The clause with exchanged roles.

    Args:
        clause: A clause.
        kinds: How else the exchanged clause is told, of ``KINDS`` and ``MARKED``.

    Returns:
        The clause as it stands with two participants in each other's place, and then as each kind
        tells that; none where none can be exchanged.

    Raises:
        InputError: A kind is neither of ``KINDS`` nor of ``MARKED``.

    Examples:
        >>> (clause,) = Rewriter().clauses(["The dog bit the postman."])
        >>> exchanges(clause, [])[0].text
        'The postman bit the dog.'
    """
    other = swapped(clause)
    if other is None:
        return []
    results = [("swap", other), *((f"swap, {kind}", of) for kind, of in _each(other, kinds))]
    return _written(clause, results)


def _each(clause: Clause, kinds: Iterable[str]) -> list[tuple[str, Clause | None]]:
    kinds = list(kinds)
    for kind in kinds:
        check_choice("kind", kind, [*KINDS, *MARKED])
    return [(kind, {**KINDS, **MARKED}[kind](clause)) for kind in kinds]


def _written(clause: Clause, results: Iterable[tuple[str, Clause | None]]) -> list[Rewriting]:
    made = []
    for kind, other in results:
        text = "" if other is None else written(other)
        if other is not None and text and text != clause.text:
            made.append(Rewriting(kind, other, text))
    return made
