"""What the methods over AMR parses share: the parser, and what is done where there is no parse.

A subclass says how parses are encoded and pairs of batches are scored; sentences without a graph
are scored here.

>>> from compsim import load
>>> method = load("amr-wwlk")  # doctest: +SKIP
>>> print(method.explain("Cats chase mice.", "Mice chase cats."))  # doctest: +SKIP
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from compsim.amr.batch import GraphBatch
from compsim.errors import InputError, ParseError
from compsim.explanation import Explanation, RoleRow
from compsim.graph import Node, RoleGraph
from compsim.method import Method, check_sentences
from compsim.rolesim.batch import RoleBatch, unit_rows
from compsim.rolesim.methods import _cached, _equal, _open_parser, _open_vectors

if TYPE_CHECKING:
    from compsim.cache import ParseCache
    from compsim.parsers.base import Parser
    from compsim.vectors import WordVectors

__all__ = ["AmrMethod", "OnFailure", "open_vectors"]

OnFailure = Literal["fallback", "raise", "nan"]

#: The parser that is used where none is named.
DEFAULT_PARSER: Final = "amr"

_UNPARSED: Final = "whole sentence"

open_vectors = _open_vectors

B = TypeVar("B", bound=GraphBatch | RoleBatch)


class AmrMethod(Method[B]):
    """A method over parses into meaning graphs.

    - ``parser``: a name or a ``Parser``; any that gives role graphs will do, also one that gives
      semantic roles.
    - ``on_failure`` says what is done where a sentence has no graph. ``"fallback"`` compares the
      words of the two sentences (content words): the cosine of their mean vectors, or where the
      method has no word vectors that of their counts; where neither has a word to compare that is
      1 for equal texts that are not blank, else 0. ``"raise"`` raises ``ParseError`` when
      encoding; ``"nan"`` scores such pairs NaN.
    - ``cache``: keep parses on disk (True, False, or a ``ParseCache``); by default those of a
      parser given by name are kept, except ``"stored"`` ones, which are read from disk as they are.
    """

    #: The word vectors, None where the method compares symbols.
    vectors: WordVectors | None = None

    def __init__(
        self,
        parser: str | Parser = DEFAULT_PARSER,
        on_failure: OnFailure = "fallback",
        cache: bool | ParseCache | None = None,
    ) -> None:
        if on_failure not in get_args(OnFailure):
            raise InputError(
                f"on_failure={on_failure!r} is not known: use one of "
                f"{', '.join(get_args(OnFailure))}"
            )
        self.on_failure = on_failure
        if cache is None:
            name = parser.partition(":")[0] if isinstance(parser, str) else "stored"
            cache = "stored" not in name
        self.parser = _cached(_open_parser(parser), cache)

    @abstractmethod
    def encode_graphs(self, graphs: Sequence[RoleGraph]) -> B:
        """Encode parses that are at hand, one for each sentence."""

    @abstractmethod
    def _scores(self, a: B, b: B) -> npt.NDArray[np.float64]:
        """Scores of row i of a and of b, (n,); anything where a graph is missing."""

    @abstractmethod
    def _score_matrix(self, a: B, b: B) -> npt.NDArray[np.float32]:
        """Scores of all rows, (n, m); anything where a graph is missing."""

    @abstractmethod
    def _rows(self, batch: B) -> tuple[list[RoleRow], float, str]:
        """The rows that explain a pair, a batch of two that parsed; the divisor; a note."""

    def parse(self, sentences: list[str]) -> list[RoleGraph]:
        """One graph for each sentence, from the cache where it has them."""
        graphs = self.parser.parse(sentences)
        if len(graphs) != len(sentences):
            raise ParseError(
                f"parser {self.parser.name!r} gave {len(graphs)} graphs for {len(sentences)} "
                "sentences: a parser gives one for each"
            )
        return [
            graph if graph.text else replace(graph, text=sentence)
            for graph, sentence in zip(graphs, sentences, strict=True)
        ]

    def _encode(self, sentences: list[str]) -> B:
        batch = self.encode_graphs(self.parse(sentences))
        if self.on_failure == "raise" and batch.failed.any():
            i = int(np.flatnonzero(batch.failed)[0])
            reason = batch.graphs[i].reason or "its graph has no nodes"
            raise ParseError(
                f"sentence {i}, {sentences[i]!r}, could not be parsed ({reason}): leave it out, "
                'or use on_failure="fallback" or "nan"'
            )
        return batch

    def _pairwise(self, a: B, b: B) -> npt.NDArray[np.float64]:
        out = self._scores(a, b)
        failed = np.flatnonzero(a.failed | b.failed)
        if len(failed):
            out[failed] = self._unparsed(a[failed].texts, b[failed].texts)
        return out

    def _matrix(self, a: B, b: B) -> npt.NDArray[np.float32]:
        out = self._score_matrix(a, b)
        rows, columns = np.flatnonzero(a.failed), np.flatnonzero(b.failed)
        if len(rows) and len(b):
            out[rows] = self._unparsed_matrix(a[rows].texts, b.texts)
        if len(columns) and len(a):
            out[:, columns] = self._unparsed_matrix(b[columns].texts, a.texts).T
        return out

    def _unparsed(self, first: list[str], second: list[str]) -> npt.NDArray[np.float64]:
        """Scores of pairs of sentences by their words, float64 (n,)."""
        if self.on_failure == "nan":
            return np.full(len(first), np.nan)
        if self.vectors is None:
            from compsim.amr.wlk import feature_cosines, word_features

            return feature_cosines(word_features(first), word_features(second))
        x, y = (unit_rows(self.vectors.phrases(texts)) for texts in (first, second))
        cosines = np.einsum("ij,ij->i", x, y, dtype=np.float64)
        wordless = ~x.any(axis=1) & ~y.any(axis=1)
        equal = np.array([_equal(s, t) for s, t in zip(first, second, strict=True)])
        scores: npt.NDArray[np.float64] = np.where(wordless & equal, 1.0, cosines)
        return np.clip(scores, self.info.lowest, self.info.highest)

    def _unparsed_matrix(self, first: list[str], second: list[str]) -> npt.NDArray[np.float32]:
        """Scores of all pairs of sentences by their words, float32 (n, m)."""
        shape = len(first), len(second)
        if self.on_failure == "nan":
            return np.full(shape, np.nan, dtype=np.float32)
        if self.vectors is None:
            from compsim.amr.wlk import feature_cosines, word_features

            places = (place.reshape(-1) for place in np.indices(shape))
            found = feature_cosines(word_features(first), word_features(second), *places)
            return found.reshape(shape).astype(np.float32)
        x, y = (unit_rows(self.vectors.phrases(texts)) for texts in (first, second))
        scores: npt.NDArray[np.float32] = np.clip(x @ y.T, self.info.lowest, self.info.highest)
        wordless = np.flatnonzero(~y.any(axis=1)).tolist()
        for i in np.flatnonzero(~x.any(axis=1)).tolist():
            for j in wordless:
                scores[i, j] = float(_equal(first[i], second[j]))
        return scores

    def explain(self, s1: str, s2: str) -> Explanation:
        """The score of two sentences, part by part."""
        return self.explain_graphs(*self.parse(check_sentences([s1, s2])))

    def explain_graphs(self, first: RoleGraph, second: RoleGraph) -> Explanation:
        """The score of two parses, part by part.

        Raises ``ParseError`` where one has no nodes and ``on_failure="raise"``.
        """
        batch = self.encode_graphs([first, second])
        rows: list[RoleRow] = []
        divisor, note, undefined = 1.0, "", False
        if not batch.failed.any():
            rows, divisor, note = self._rows(batch)
        else:
            who = _who(batch)
            if self.on_failure == "raise":
                raise ParseError(f'{who}: leave it out, or use on_failure="fallback" or "nan"')
            if self.on_failure == "nan":
                note = f'{who}, so the score is undefined (on_failure="nan").'
                undefined = True
            else:
                score = float(self._unparsed([first.text], [second.text])[0])
                whole = [Node(graph.text, (0, len(graph.text))) for graph in (first, second)]
                rows = [RoleRow(_UNPARSED, whole[0], whole[1], score, 1.0, score)]
                what = "counts" if self.vectors is None else "mean vectors"
                note = f"{who}, so the score is the cosine of the {what} of their content words."
        return Explanation(
            method=self.info.name,
            sentences=(first.text, second.text),
            rows=tuple(rows),
            divisor=divisor,
            vectors="" if self.vectors is None else self.vectors.name,
            parser=self.parser.name,
            statuses=(str(first.status), str(second.status)),
            note=note,
            undefined=undefined,
        )


def _who(batch: Any) -> str:
    names = ["The first sentence", "The second sentence"]
    failed = [name for name, bad in zip(names, batch.failed, strict=True) if bad]
    who = f"{failed[0]} has no graph" if len(failed) == 1 else "Neither sentence has a graph"
    reason = next((graph.reason for graph in batch.graphs if graph.reason), "")
    return who + (f" ({reason})" if reason else "")
