"""Base of all methods over graphs: batches, the parser, and sentences without a parse.

What they encode differs (frames and phrases, label features, nodes and edges, triples), but all of
it is a few rows for each graph: a ``Ragged``. A :class:`GraphBatch` holds some of them by name
beside the parses, and can be sliced, joined, saved and mapped from disk.

A subclass of :class:`GraphMethod` says how parses are encoded, how pairs of batches are scored and
which rows explain a pair. Sentences that the parser made nothing of are scored here.

>>> from compsim import load
>>> isinstance(load("verbnet-cn"), GraphMethod), isinstance(load("amr-wlk"), GraphMethod)
(True, True)
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple, Self, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from compsim.batches import Encoded, Index, items_at, joined_items, parts_of
from compsim.errors import InputError, ParseError, check_choice
from compsim.explanation import Explanation, RoleRow
from compsim.graph import RoleGraph, Status
from compsim.graph.respacing import restored
from compsim.kernels.cosine import cosine_matrix, cosines, unit_rows
from compsim.kernels.layout import Field, Layout, check
from compsim.kernels.ragged import Array, Ragged
from compsim.method import Method
from compsim.parsers.opening import open_parser
from compsim.plain_text import PlainText, plain
from compsim.sentences import check_sentences
from compsim.storage.batch_files import Records, Stored

if TYPE_CHECKING:
    from compsim.parsers.base import Parser
    from compsim.parsers.opening import CacheOption
    from compsim.vectors.encoder import PhraseEncoder

__all__ = ["FAILED", "STATUS", "GraphBatch", "GraphMethod", "OnFailure", "Parts", "status_codes"]

OnFailure = Literal["fallback", "raise", "nan"]

#: The parse status by its code in ``GraphBatch.status``.
STATUS: Final = (Status.OK, Status.PARTIAL, Status.FAILED)
#: The code of a failed parse.
FAILED: Final = STATUS.index(Status.FAILED)


class GraphBatch(Encoded):
    """Encoded graphs: ``parts`` by name, ``status`` int8 (n) and the parses, ``graphs`` (n).

    ``graphs`` may be empty in a batch that was made from arrays; such a batch has no texts.
    ``space`` says what else the arrays depend on, word vectors or parameters: batches of different
    spaces are not compared. ``names`` are the strings that codes in the arrays stand for,
    ``shared`` arrays that belong to the batch as a whole. Raises ``InputError`` for
    parts that do not fit. ``layout`` says what the columns of a kind of batch hold.
    """

    layout: ClassVar[Layout] = {}

    def __init__(
        self,
        parts: Mapping[str, Ragged],
        *,
        status: Array,
        graphs: Sequence[RoleGraph] = (),
        space: str = "",
        names: Mapping[str, Sequence[str]] | None = None,
        shared: Mapping[str, Array] | None = None,
    ) -> None:
        self.parts = dict(parts)
        self.status = np.ascontiguousarray(status, dtype=np.int8)
        self.graphs = graphs
        self.space = space
        self.names = dict(names or {})
        self.shared = dict(shared or {})
        lengths = {
            len(self.status),
            len(graphs) or len(self.status),
            *map(len, self.parts.values()),
        }
        if self.status.ndim != 1 or len(lengths) > 1:
            raise InputError(
                "the arrays of a batch do not fit together: it has one status, one graph and one "
                "stretch for each sentence"
            )

    @property
    def failed(self) -> npt.NDArray[np.bool_]:
        """Mask of sentences that have nothing to compare, bool (n,)."""
        failed: npt.NDArray[np.bool_] = self.status == FAILED
        return failed

    @property
    def texts(self) -> Sequence[str]:
        """The sentences. Raises ``InputError`` for a batch that was made without its parses."""
        if len(self.graphs) != len(self):
            raise InputError("the batch holds no parses: make it with the method's encode()")
        return Records(self.graphs, _text)

    def __len__(self) -> int:
        return len(self.status)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} sentences)"

    def __getitem__(self, index: Index) -> Self:
        places = self._places(index)
        return self._with(
            {name: part[places] for name, part in self.parts.items()},
            status=self.status[places],
            graphs=items_at(self.graphs, places) if len(self.graphs) else (),
        )

    def _with(self, parts: Mapping[str, Ragged], **changed: Any) -> Self:
        """A batch of other parts that is like this one in all else but what is given."""
        kept = {
            name: getattr(self, name) for name in ("status", "graphs", "space", "names", "shared")
        }
        return type(self)(parts, **{**kept, **changed})

    @classmethod
    def concat(cls, batches: Iterable[Self]) -> Self:
        """One batch of several; they must have been encoded with the same options."""
        batches = parts_of(batches)
        for batch in batches[1:]:
            batches[0].check(batch)
        whole = all(len(batch.graphs) == len(batch) for batch in batches)
        return cls._joined(
            batches,
            status=np.concatenate([batch.status for batch in batches]),
            graphs=joined_items([batch.graphs for batch in batches]) if whole else (),
        )

    @classmethod
    def _joined(cls, batches: list[Self], **common: Any) -> Self:
        first, *others = batches
        parts = {
            name: part.joined(other.parts[name] for other in others)
            for name, part in first.parts.items()
        }
        return first._with(parts, **common)

    def check(self, other: GraphBatch) -> None:
        """Raise ``InputError`` for a batch that cannot be compared with this one."""
        if self.space != other.space:
            raise InputError(
                f"the batches were encoded differently ({self.space}, {other.space}): "
                "encode both with one method"
            )

    def _to_stored(self) -> Stored:
        arrays: dict[str, Array] = {"status": self.status}
        for name, part in self.parts.items():
            arrays |= dict(part.named(f"{name}."))
        arrays |= {f"shared.{name}": array for name, array in self.shared.items()}
        details = {
            "space": self.space,
            "parts": list(self.parts),
            "names": {name: list(strings) for name, strings in self.names.items()},
            "shared": list(self.shared),
        }
        return Stored(arrays, details, [graph.to_json() for graph in self.graphs])

    @classmethod
    def _of_stored(cls, stored: Stored) -> Self:
        arrays, details = stored.arrays, stored.details
        parts = {name: Ragged.of_named(arrays, f"{name}.") for name in details["parts"]}
        names = {name: tuple(strings) for name, strings in details["names"].items()}
        shared = {name: arrays[f"shared.{name}"] for name in details["shared"]}
        status = Ragged.single({"code": arrays["status"]})
        counts = {name: len(strings) for name, strings in names.items()}
        layout = {**cls.layout, "status.code": Field("int8", 0, FAILED)}
        check({**parts, "status": status}, layout, counts, shared, finite=stored.verified)
        return cls(
            parts,
            status=arrays["status"],
            graphs=Records(stored.records, RoleGraph.from_json),
            space=details["space"],
            names=names,
            shared=shared,
        )


B = TypeVar("B", bound=GraphBatch)


class Parts(NamedTuple):
    """Parts of a score; ``mapping`` pairs nodes of the two graphs, None: not to be drawn.

    ``score`` is that of the comparison that the rows come from, where it is known.
    """

    rows: list[RoleRow]
    divisor: float = 1.0
    note: str = ""
    mapping: Sequence[tuple[int, int]] | None = None
    score: float | None = None


class GraphMethod(Method[B]):
    """A method over parses.

    - ``parser``: a name or a ``Parser``; any that gives role graphs will do.
    - ``on_failure``: what is done where a sentence has nothing to compare. ``"fallback"``
      compares the words of the two sentences (content words): the cosine of their mean vectors, or
      where the method has no word vectors that of their counts; where neither has a word to compare
      that is 1 for equal texts that are not blank, else 0. ``"raise"`` raises ``ParseError`` when
      encoding; ``"nan"`` scores such pairs NaN.
    - ``cache``: where parses are kept: on disk in the user's data folder (True), in a folder, in a
      ``ParseCache``, or nowhere (False); by default in memory, and nothing is written. On disk they
      are sealed: see ``compsim.storage.sealing``.
    """

    #: The word vectors, None where the method compares symbols.
    vectors: PhraseEncoder | None = None
    #: What a sentence must have to be compared, and what is said where it has none.
    part: ClassVar[str] = "graph"
    without: ClassVar[str] = "its graph has no nodes"

    def __init__(self, parser: str | Parser, on_failure: OnFailure, cache: CacheOption) -> None:
        check_choice("on_failure", on_failure, get_args(OnFailure))
        self.on_failure = on_failure
        self.parser = open_parser(parser, cache)

    def warm_up(self) -> None:
        """Load what the first calls load, the parser's code for many sentences too."""
        _warmed(self.parser)
        super().warm_up()

    @abstractmethod
    def encode_graphs(self, graphs: Sequence[RoleGraph]) -> B:
        """Encode parses that are at hand, one for each sentence."""

    @abstractmethod
    def _scores(self, a: B, b: B) -> npt.NDArray[np.float64]:
        """Scores of row i of a and of b, (n,); anything where a parse is missing."""

    @abstractmethod
    def _score_matrix(self, a: B, b: B) -> npt.NDArray[np.float32]:
        """Scores of all rows, (n, m); anything where a parse is missing."""

    @abstractmethod
    def _parts(self, batch: B) -> Parts:
        """Return the parts of the score of a pair, a batch of two that parsed."""

    def parse(self, sentences: Iterable[str]) -> list[RoleGraph]:
        """One graph for each sentence, from the cache where it has them.

        The parser is given the sentences with their white space evened out.

        Raises ``InputError`` for anything but strings, ``ParseError`` for a parser that gives more
        or fewer graphs than sentences.
        """
        texts = check_sentences(sentences)
        read = list(map(PlainText.of, texts))
        graphs = self.parser.parse([one.text for one in read])
        if len(graphs) != len(texts):
            raise ParseError(
                f"parser {self.parser.name!r} gave {len(graphs)} graphs for {len(texts)} "
                "sentences: a parser gives one for each"
            )
        return [
            restored(graph if graph.text else replace(graph, text=one.text), one)
            for graph, one in zip(graphs, read, strict=True)
        ]

    def _encode(self, sentences: list[str]) -> B:
        return self._checked(self.encode_graphs(self.parse(sentences)))

    def _encode_pairs(self, a: list[str], b: list[str]) -> tuple[B, B]:
        # Parsed together, encoded by themselves: a transformer rounds otherwise in a batch.
        graphs = self.parse(a + b)
        first, second = graphs[: len(a)], graphs[len(a) :]
        return self._checked(self.encode_graphs(first)), self._checked(self.encode_graphs(second))

    def _checked(self, batch: B) -> B:
        if self.on_failure == "raise" and batch.failed.any():
            i = int(np.flatnonzero(batch.failed)[0])
            graph = batch.graphs[i]
            raise ParseError(
                f"sentence {i}, {graph.text!r}, could not be parsed "
                f"({graph.reason or self.without}): leave it out, or use "
                'on_failure="fallback" or "nan"'
            )
        return batch

    def _pairwise(self, a: B, b: B) -> npt.NDArray[np.float64]:
        out = self._scores(a, b)
        failed = np.flatnonzero(a.failed | b.failed)
        if len(failed):
            out[failed] = self._unparsed(a[failed], b[failed])
        return out

    def _matrix(self, a: B, b: B) -> npt.NDArray[np.float32]:
        out = self._score_matrix(a, b)
        rows, columns = np.flatnonzero(a.failed), np.flatnonzero(b.failed)
        if len(rows) and len(b):
            out[rows] = self._unparsed_matrix(a[rows], b)
        if len(columns) and len(a):
            out[:, columns] = self._unparsed_matrix(b[columns], a).T
        return out

    def _unparsed(self, a: B, b: B) -> npt.NDArray[np.float64]:
        """Scores of pairs of sentences by their words, float64 (n,)."""
        if self.on_failure == "nan":
            return np.full(len(a), np.nan)
        if self.vectors is None:
            pairs = zip(_word_counts(a.texts), _word_counts(b.texts), strict=True)
            return np.array([_cosine(x, y) for x, y in pairs])
        result = cosines(self._whole(a), self._whole(b), a.texts, b.texts)
        return np.maximum(result, self.info.lowest)

    def _unparsed_matrix(self, a: B, b: B) -> npt.NDArray[np.float32]:
        """Scores of all pairs of sentences by their words, float32 (n, m)."""
        shape = len(a), len(b)
        if self.on_failure == "nan":
            return np.full(shape, np.nan, dtype=np.float32)
        if self.vectors is None:
            columns = _word_counts(b.texts)
            rows = [[_cosine(x, y) for y in columns] for x in _word_counts(a.texts)]
            return np.array(rows, dtype=np.float32).reshape(shape)
        result = cosine_matrix(self._whole(a), self._whole(b), a.texts, b.texts)
        return np.maximum(result, np.float32(self.info.lowest))

    def _whole(self, batch: B) -> npt.NDArray[np.float32]:
        """Mean vector of all words of each sentence at unit length or zero, float32 (n, dim)."""
        assert self.vectors is not None
        means = self.vectors.texts(list(map(plain, batch.texts)))
        return unit_rows(means).reshape(len(batch), self.vectors.dim)

    def explain(self, s1: str, s2: str) -> Explanation:
        """The score of two sentences, part by part."""
        return self.explain_graphs(*self.parse([s1, s2]))

    def explain_graphs(self, first: RoleGraph, second: RoleGraph) -> Explanation:
        """The score of two parses, part by part.

        Raises ``ParseError`` where one has nothing to compare and ``on_failure="raise"``.
        """
        # Each by itself, as a pair is encoded: a transformer rounds otherwise in a batch.
        alone = [self._checked(self.encode_graphs([graph])) for graph in (first, second)]
        return self.explain_encoded(type(alone[0]).concat(alone))

    def explain_encoded(self, batch: B, parts: Parts | None = None) -> Explanation:
        """The score of the two sentences of a batch that was made with their parses.

        ``parts`` are given by a method that makes its own of this one's comparison.
        """
        first, second = batch.graphs
        compared = not batch.failed.any()
        if parts is None:
            parts = self._parts(batch) if compared else self._whole_sentences(batch)
        figure = None
        if parts.mapping is not None:
            from compsim.explanation.figure import drawing

            figure = drawing(parts.rows, first, second, parts.mapping)
        parsers = dict.fromkeys(graph.parser or self.parser.name for graph in (first, second))
        explanation = Explanation(
            method=self.info.name,
            sentences=(first.text, second.text),
            rows=tuple(parts.rows),
            divisor=parts.divisor,
            normalize=self.normalize if compared else "",
            vectors="" if self.vectors is None else self.vectors.name,
            parser=" and ".join(parsers),
            statuses=(str(STATUS[batch.status[0]]), str(STATUS[batch.status[1]])),
            note=" ".join(filter(None, (*_left_out(batch.graphs), parts.note))),
            undefined=not compared and self.on_failure == "nan",
            figure=figure,
        )
        score = parts.score
        if score is None:
            score = float(self._pairwise(batch[:1], batch[1:])[0])
        return explanation if explanation.undefined else explanation.with_score(score)

    def _whole_sentences(self, batch: B) -> Parts:
        """Return the parts of a pair of which one or both cannot be compared part by part."""
        who = self._who(batch)
        if self.on_failure == "nan":
            return Parts([], note=f'{who}, so the score is undefined (on_failure="nan").')
        score = float(self._unparsed(batch[:1], batch[1:])[0])
        how = "the cosine of the counts of their content words"
        if self.vectors is not None:
            how = "the cosine of the mean word vectors of the whole sentences"
            if not self._whole(batch).any():
                how = "1 for equal sentences, else 0, since neither has a word with a vector"
        if not all(map(plain, batch.texts)):
            how = "0: a text with nothing in it is like nothing, itself included"
        return Parts([RoleRow.whole(batch.texts, score)], note=f"{who}, so the score is {how}.")

    def _who(self, batch: B) -> str:
        """Return the sentence that lacks a parse, with the reason."""
        names = ["The first sentence", "The second sentence"]
        failed = [name for name, bad in zip(names, batch.failed, strict=True) if bad]
        who = f"{failed[0]} has no" if len(failed) == 1 else "Neither sentence has a"
        reasons = [
            graph.reason for graph, bad in zip(batch.graphs, batch.failed, strict=True) if bad
        ]
        reason = next(filter(None, reasons), "")
        return f"{who} {self.part}" + (f" ({reason})" if reason else "")


def _left_out(graphs: Sequence[RoleGraph]) -> list[str]:
    """A sentence for each of two texts of which a part was not compared."""
    return [
        f"Of the {name} text, {graph.reason}."
        for name, graph in zip(("first", "second"), graphs, strict=True)
        if graph.status is Status.PARTIAL and graph.reason
    ]


def _warmed(parser: Parser) -> None:
    """Call ``warm_up`` of a parser that has one; behind a cache is another."""
    inner = getattr(parser, "parser", parser)
    if hasattr(inner, "warm_up"):
        inner.warm_up()


def _word_counts(texts: Sequence[str]) -> list[Counter[str]]:
    """Return the count of each content word in each text; the text itself if it has none."""
    from compsim.vectors.words import content_words

    counts = []
    for text in texts:
        words = [f"word {word}" for word in content_words(text)]
        if not words and (whole := plain(text)):
            words = [f"text {whole}"]
        counts.append(Counter(words))
    return counts


def _cosine(x: Counter[str], y: Counter[str]) -> float:
    """The cosine of two vectors of counts; 0 where one is empty."""
    product = sum(count * y[word] for word, count in x.items())
    lengths = (sum(count * count for count in counts.values()) for counts in (x, y))
    return min(1.0, product / math.sqrt(math.prod(lengths))) if product else 0.0


def status_codes(graphs: Sequence[RoleGraph]) -> npt.NDArray[np.int8]:
    """The status of each graph as ``GraphBatch`` holds it; one without nodes has failed."""
    codes = [STATUS.index(graph.status) if graph.nodes else FAILED for graph in graphs]
    return np.array(codes, dtype=np.int8)


def _text(graph: RoleGraph) -> str:
    return graph.text
