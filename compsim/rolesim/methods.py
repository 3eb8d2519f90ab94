"""VerbNet-CN: compare two sentences role by role, by the cosine of their role phrases.

Source: the weights, alignment order and ``fixed`` normalisation are those of the STS3k paper; the
default normalisation, ``matched``, divides by the weights of the roles that were compared.

>>> from compsim import load
>>> method = load("verbnet-cn")  # doctest: +SKIP
>>> float(method.similarity_pairwise(["Cats chase mice."], ["Mice chase cats."])[0])  # doctest: +SKIP
0.5
"""  # noqa: E501

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from compsim.errors import InputError, ParseError
from compsim.explanation import Explanation, RoleRow
from compsim.graph import Node, RoleGraph
from compsim.method import Method, MethodInfo, check_sentences
from compsim.rolesim.batch import STATUS, RoleBatch
from compsim.rolesim.scheme import Scheme

if TYPE_CHECKING:
    from compsim.cache import ParseCache
    from compsim.parsers.base import Parser
    from compsim.vectors import WordVectors

__all__ = ["OnFailure", "RoleSimMethod"]

OnFailure = Literal["fallback", "raise", "nan"]

_UNPARSED: Final = "whole sentence"


class RoleSimMethod(Method[RoleBatch]):
    """VerbNet-CN over any semantic-role parser and any word vectors.

    - ``parser``: a name (``"srl"``) or a ``Parser``; ``vectors``: what ``WordVectors.open`` takes,
      or ``WordVectors``; ``weights``: ``"paper"``, ``"uniform"`` or a TOML file; ``normalize``:
      ``"matched"``, ``"union"`` or ``"fixed"`` (see ``Scheme``).
    - ``on_failure`` says what is done where a sentence has no role at all. ``"fallback"`` scores
      the pair by the cosine of the two sentences' mean word vectors (content words); where neither
      has a known word that is 1 for equal texts that are not blank, else 0. ``"raise"`` raises
      ``ParseError`` when encoding; ``"nan"`` scores such pairs NaN.
    - ``cache``: keep parses on disk (True, False, or a ``ParseCache``); by default those of a
      parser given by name are kept, except ``"stored"``, which reads from disk as it is.

    The score lies in [-1, 1] and is symmetric. With ``matched`` and ``union`` a sentence scores 1
    with itself where each of its phrases has a known word (a phrase without one has cosine 0, with
    itself too); with ``fixed`` it scores the weights of its roles over the divisor.
    """

    info = MethodInfo(
        name="verbnet-cn",
        summary="cosine of the phrases in eight VerbNet roles, weighted (STS3k paper)",
        lowest=-1.0,
        highest=1.0,
        symmetric=True,
        identity=1.0,
        deterministic=True,
    )
    encoded = RoleBatch

    def __init__(
        self,
        parser: str | Parser = "srl",
        vectors: str | Path | WordVectors | None = None,
        weights: str | Path = "paper",
        normalize: Literal["matched", "union", "fixed"] = "matched",
        on_failure: OnFailure = "fallback",
        cache: bool | ParseCache | None = None,
    ) -> None:
        if on_failure not in get_args(OnFailure):
            raise InputError(
                f"on_failure={on_failure!r} is not known: use one of "
                f"{', '.join(get_args(OnFailure))}"
            )
        self.scheme = Scheme.read(weights, normalize)
        self.on_failure = on_failure
        self.vectors = _open_vectors(vectors)
        if cache is None:
            cache = isinstance(parser, str) and not parser.startswith("stored")
        self.parser = _cached(_open_parser(parser), cache)
        if normalize == "fixed":
            self.info = replace(type(self).info, identity=None)

    @property
    def vectors_name(self) -> str:
        """The word vectors that the scores rest on."""
        return self.vectors.name

    def parse(self, sentences: list[str]) -> list[RoleGraph]:
        """One role graph for each sentence, from the cache where it has them."""
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

    def _encode(self, sentences: list[str]) -> RoleBatch:
        batch = RoleBatch.from_graphs(self.parse(sentences), self.vectors, self.scheme.roles)
        if self.on_failure == "raise" and batch.failed.any():
            i = int(np.flatnonzero(batch.failed)[0])
            reason = batch.graphs[i].reason or "it has none of the roles"
            raise ParseError(
                f"sentence {i}, {sentences[i]!r}, could not be parsed ({reason}): leave it out, "
                'or use on_failure="fallback" or "nan"'
            )
        return batch

    def _pairwise(self, a: RoleBatch, b: RoleBatch) -> npt.NDArray[np.float64]:
        from compsim.rolesim import kernel

        out = kernel.pairwise(a, b, self.scheme)
        failed = np.flatnonzero(a.failed | b.failed)
        if len(failed) and self.on_failure == "nan":
            out[failed] = np.nan
        elif len(failed):
            first, second = a[failed], b[failed]
            x, y = first.whole(self.vectors), second.whole(self.vectors)
            cosines = np.einsum("ij,ij->i", x, y, dtype=np.float64)
            wordless = ~x.any(axis=1) & ~y.any(axis=1)
            texts = zip(first.texts, second.texts, strict=True)
            equal = np.array([_equal(s, t) for s, t in texts])
            out[failed] = np.where(wordless & equal, 1.0, np.clip(cosines, -1.0, 1.0))
        return out

    def _matrix(self, a: RoleBatch, b: RoleBatch) -> npt.NDArray[np.float32]:
        from compsim.rolesim import kernel

        out = kernel.matrix(a, b, self.scheme)
        rows, columns = np.flatnonzero(a.failed), np.flatnonzero(b.failed)
        if len(rows) and len(b):
            out[rows] = self._unparsed(a, rows, b)
        if len(columns) and len(a):
            out[:, columns] = self._unparsed(b, columns, a).T
        return out

    def _unparsed(
        self, a: RoleBatch, rows: npt.NDArray[np.int64], b: RoleBatch
    ) -> npt.NDArray[np.float32]:
        """Scores of some sentences, none with a star, against all of b: float32 (rows, m)."""
        if self.on_failure == "nan":
            return np.full((len(rows), len(b)), np.nan, dtype=np.float32)
        x, y = a[rows].whole(self.vectors), b.whole(self.vectors)
        scores: npt.NDArray[np.float32] = np.clip(x @ y.T, -1.0, 1.0)
        wordless = np.flatnonzero(~y.any(axis=1)).tolist()
        for i in np.flatnonzero(~x.any(axis=1)).tolist():
            text = a.graphs[int(rows[i])].text
            for j in wordless:
                scores[i, j] = float(_equal(text, b.graphs[j].text))
        return scores

    def explain(self, s1: str, s2: str) -> Explanation:
        """The score of two sentences, role by role."""
        batch = self._encode(check_sentences([s1, s2]))
        first, second = batch.graphs
        rows: list[RoleRow] = []
        divisor, normalize, note, undefined = 1.0, "", "", False
        if not batch.failed.any():
            rows, divisor = self._rows(batch)
            normalize = self.scheme.normalize
        elif self.on_failure == "nan":
            note = f'{_who(batch)}, so the score is undefined (on_failure="nan").'
            undefined = True
        else:
            cosine = float(self._pairwise(batch[:1], batch[1:])[0])
            whole = [Node(graph.text, (0, len(graph.text))) for graph in (first, second)]
            rows = [RoleRow(_UNPARSED, whole[0], whole[1], cosine, 1.0, cosine)]
            how = "the cosine of the mean word vectors of the whole sentences"
            if not batch.whole(self.vectors).any():
                how = "1 for equal sentences, else 0, since neither has a word with a vector"
            note = f"{_who(batch)}, so the score is {how}."
        return Explanation(
            method=self.info.name,
            sentences=(first.text, second.text),
            rows=tuple(rows),
            divisor=divisor,
            normalize=normalize,
            vectors=self.vectors.name,
            parser=self.parser.name,
            statuses=(str(STATUS[batch.status[0]]), str(STATUS[batch.status[1]])),
            note=note,
            undefined=undefined,
        )

    def _rows(self, batch: RoleBatch) -> tuple[list[RoleRow], float]:
        """The rows of an explanation, matched roles first, and N."""
        scheme = self.scheme
        a, b = (graph.roles() for graph in batch.graphs)
        x, y = batch.star(0), batch.star(1)
        matches = scheme.match(x, y)
        divisor = scheme.total(matches, x, y)
        rows = []
        for role, one, other in matches:
            product = np.dot(x[one].astype(np.float64), y[other].astype(np.float64))
            cosine = float(np.clip(product, -1.0, 1.0))
            weight = scheme.weight_of(role)
            contribution = weight * cosine / divisor if divisor > 0 else 0.0
            name = role if one == other else f"{one}~{other}"
            rows.append(RoleRow(name, a[one], b[other], cosine, weight, contribution))
        for role in scheme.roles:
            weight = scheme.weight_of(role)
            if role in x and role not in {match.first for match in matches}:
                rows.append(RoleRow(role, a[role], None, None, weight, 0.0))
            if role in y and role not in {match.second for match in matches}:
                rows.append(RoleRow(role, None, b[role], None, weight, 0.0))
        return rows, divisor


def _equal(s: str, t: str) -> bool:
    """Whether two texts are the same but for white space around them, and not blank."""
    return bool(s.strip()) and s.strip() == t.strip()


def _who(batch: RoleBatch) -> str:
    names = ["The first sentence", "The second sentence"]
    failed = [name for name, bad in zip(names, batch.failed, strict=True) if bad]
    who = failed[0] if len(failed) == 1 else "Neither sentence"
    reason = next((g.reason for g in batch.graphs if g.reason), "")
    verb = "has no role" if len(failed) == 1 else "has a role"
    return f"{who} {verb}" + (f" ({reason})" if reason else "")


def _open_vectors(vectors: str | Path | WordVectors | None) -> WordVectors:
    from compsim.vectors import WordVectors

    if isinstance(vectors, WordVectors):
        return vectors
    if vectors is not None and not isinstance(vectors, str | Path):
        raise InputError(
            f"vectors is a {type(vectors).__name__}: give a name, a path or WordVectors"
        )
    return WordVectors.open(vectors)


def _open_parser(parser: str | Parser) -> Parser:
    if isinstance(parser, str):
        from compsim import parsers

        return parsers.load(parser)
    if not callable(getattr(parser, "parse", None)):
        raise InputError(
            f"parser is a {type(parser).__name__}: give a name or an object with parse(sentences)"
        )
    return parser


def _cached(parser: Parser, cache: bool | ParseCache) -> Parser:
    """The parser, behind the cache if there is one."""
    if cache is False:
        return parser
    from compsim.cache import CachedParser, ParseCache, default_path

    if cache is True:
        return CachedParser(parser, ParseCache(default_path()))
    if not isinstance(cache, ParseCache):
        raise InputError(f"cache is a {type(cache).__name__}: give True, False or a ParseCache")
    return CachedParser(parser, cache)
