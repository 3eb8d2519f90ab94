"""Base class of all similarity methods: encode once, compare many.

A method turns sentences into an :class:`Encoded` batch, and batches into scores. Wherever a batch
is asked for, a list of sentences does too.

>>> from compsim import load
>>> load("mean-cn", vectors="builtin").info.name
'mean-cn'
"""

from __future__ import annotations

import inspect
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Self, TypeVar, overload

import numpy as np
import numpy.typing as npt

from compsim.batches import Encoded
from compsim.errors import InputError
from compsim.sentences import check_pairs, check_sentences, unequal_lengths

if TYPE_CHECKING:
    from compsim.explanation import Explanation

__all__ = ["Method", "MethodInfo"]

#: Long options are cut in the middle.
_REPR: Final = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = 60

#: Scores that top_k holds at a time: 64 MiB of float32.
_SCORES_AT_ONCE: Final = 1 << 24


@dataclass(frozen=True, slots=True)
class MethodInfo:
    """Properties that a method promises; the tests hold every method in the registry to them.

    What is not given is as for the cosine of two vectors.

    Attributes:
        name: The name by which it is loaded.
        summary: What it computes, in one line.
        lowest: No score is below this.
        highest: No score is above this.
        symmetric: Whether a and b score as b and a.
        identity: The score of a sentence with itself, where it parses and its words are known; None
            where it is not fixed.
        deterministic: Whether the same sentences always get the same score.
        needs: The extras that must be installed.

    Examples:
        >>> from compsim import load
        >>> load("mean-cn", vectors="builtin").info.lowest
        -1.0
    """

    name: str
    summary: str
    lowest: float = -1.0
    highest: float = 1.0
    symmetric: bool = True
    identity: float | None = 1.0
    deterministic: bool = True
    needs: tuple[str, ...] = ()


T = TypeVar("T")
E = TypeVar("E", bound="Encoded")


class Method(ABC, Generic[E]):
    """Base class of similarity methods, which ``load`` opens.

    Subclasses write ``_encode``, ``_matrix``, ``_pairwise`` and ``explain``, and set ``info`` and
    ``encoded``; the checks and the rest are here. A method pickles, and copies deeply, as the
    options that it was made with: models, caches and connections are opened again.

    Attributes:
        info: What it promises.
        encoded: The class of what ``encode`` gives.
        normalizations: The values of its ``normalize`` option, the default first.
        normalize: The value in use, "" where there is no such option.

    Examples:
        >>> from compsim import load
        >>> method = load("verbnet-cn", vectors="builtin")
        >>> documents = method.encode(["The dog bit the man.", "The man bit the dog."])
        >>> indices, scores = method.top_k(["A dog bites a man."], documents, k=1)
        >>> indices.tolist()
        [[0]]
    """

    info: MethodInfo
    #: The class of what ``encode`` gives.
    encoded: ClassVar[type[Any]] = Encoded
    #: The values of its ``normalize`` option, the default first.
    normalizations: ClassVar[tuple[str, ...]] = ()
    #: The value in use, "" where there is no such option.
    normalize: str = ""
    #: The attributes that calls may change, which a pickle keeps beside the options.
    changing: ClassVar[tuple[str, ...]] = ()
    _options: dict[str, Any]

    def __new__(cls, *given: Any, **options: Any) -> Self:
        """Remember the options, from which a pickle makes the method again."""
        self = super().__new__(cls)
        names = inspect.signature(cls).parameters
        self._options = {**dict(zip(names, given, strict=False)), **options}
        return self

    def __repr__(self) -> str:
        given = {name: _REPR.repr(value) for name, value in self._options.items()}
        shown = [f"{name}={'...' if 'key' in name else text}" for name, text in given.items()]
        return f"load({', '.join([repr(self.info.name), *shown])})"

    def __copy__(self) -> Self:
        """A twin that shares what is open; ``copy.deepcopy`` shares nothing."""
        twin = object.__new__(type(self))
        vars(twin).update(vars(self))
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        changed = {name: vars(self)[name] for name in self.changing}
        return _made, (type(self), self._options), changed

    def encode(self, sentences: Iterable[str]) -> E:
        """Do the expensive part, parsing and look-ups, for these sentences.

        Args:
            sentences: n sentences, in any ordered iterable.

        Returns:
            A batch of n, which the other calls take in place of the sentences.

        Raises:
            InputError: Something in them is no string.
        """
        return self._encode(check_sentences(sentences))

    @overload
    def similarity(self, a: str, b: str) -> float: ...  # type: ignore[overload-overlap]
    @overload
    def similarity(self, a: E | Iterable[str], b: E | Iterable[str]) -> npt.NDArray[np.float32]: ...
    def similarity(
        self, a: str | E | Iterable[str], b: str | E | Iterable[str]
    ) -> float | npt.NDArray[np.float32]:
        """Score each sentence of a against each of b.

        Args:
            a: A sentence, n sentences, or a batch of n.
            b: A sentence, m sentences, or a batch of m.

        Returns:
            A float for two sentences, float32 (m,) or (n,) for a sentence and several, float32
            (n, m) otherwise. ``info`` tells the range of the scores.

        Raises:
            InputError: Something is no string, or a batch was made by another method.

        Examples:
            >>> from compsim import load
            >>> method = load("mean-cn")
            >>> method.similarity("Cats sleep.", ["Cats sleep.", "Dogs bark."]).shape
            (2,)
        """
        if isinstance(a, str) and isinstance(b, str):
            return float(self.similarity_pairwise([a], [b])[0])
        if isinstance(a, str):
            row: npt.NDArray[np.float32] = self._matrix(
                self._batch([a]), self._batch(b, "the second argument")
            )[0]
            return row
        first = self._batch(a, "the first argument")
        if isinstance(b, str):
            column: npt.NDArray[np.float32] = self._matrix(first, self._batch([b]))[:, 0]
            return column
        return self._matrix(first, first if b is a else self._batch(b, "the second argument"))

    def similarity_at(
        self, a: E | Iterable[str], b: E, places: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        """Score every sentence of a against those at some places of b.

        The same as ``similarity(a, b[places])``, without that batch where a method can do so.

        Args:
            a: n sentences, or a batch of them.
            b: A batch.
            places: m places in it.

        Returns:
            The scores, float32 (n, m).

        Raises:
            InputError: A place is not there.
        """
        chosen = np.atleast_1d(np.asarray(places, dtype=np.int64))
        if len(chosen) and not 0 <= chosen.min() <= chosen.max() < len(b):
            raise InputError(f"a batch of {len(b)} sentences has not all of these places")
        return self._matrix_at(self._batch(a), self._batch(b), chosen)

    def similarity_pairwise(
        self, a: E | Iterable[str], b: E | Iterable[str]
    ) -> npt.NDArray[np.float64]:
        """Score each sentence of a against the one at the same place in b.

        Args:
            a: n sentences, or a batch of them.
            b: As many.

        Returns:
            The scores, float64 (n,).

        Raises:
            InputError: a and b are not equally long, something is no string, or a batch was made by
                another method.
        """
        if not isinstance(a, Encoded) and not isinstance(b, Encoded):
            return self._pairwise(*self._encode_pairs(*check_pairs(a, b)))
        first, second = self._batch(a), self._batch(b)
        if len(first) != len(second):
            raise InputError(unequal_lengths(len(first), len(second)))
        return self._pairwise(first, second)

    def top_k(
        self,
        query: E | Iterable[str],
        documents: E | Iterable[str],
        k: int,
        score_cutoff: float | None = None,
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """The k documents most like each query, best first; ties go to the lower index.

        Args:
            query: n sentences, or a batch of them.
            documents: m sentences, or a batch of them.
            k: How many are wanted, at least 1.
            score_cutoff: The lowest score that counts; None for any.

        Returns:
            The document numbers, int64 (n, min(k, m)), and their scores, float32 of the same shape.
            Where fewer documents reach ``score_cutoff``, -1 and NaN fill the row; a document whose
            score is NaN is never returned.

        Raises:
            InputError: k is below 1, something is no string, or a batch was made by another method.
        """
        if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
            raise InputError(f"k={k!r} is not a whole number above 0: ask for at least one")
        queries, docs = self._batch(query), self._batch(documents)
        width = min(int(k), len(docs))
        indices = np.full((len(queries), width), -1, dtype=np.int64)
        scores = np.full((len(queries), width), np.nan, dtype=np.float32)
        if width == 0:
            return indices, scores
        step = max(1, _SCORES_AT_ONCE // len(docs))
        for start in range(0, len(queries), step):
            block = self._matrix(queries[start : start + step], docs)
            for i, row in enumerate(block, start):
                best = _best(row, width, score_cutoff)
                indices[i, : len(best)] = best
                scores[i, : len(best)] = row[best]
        return indices, scores

    @abstractmethod
    def explain(self, s1: str, s2: str) -> Explanation:
        """Explain the score of two sentences.

        Args:
            s1: A sentence.
            s2: Another.

        Returns:
            The rows of the score.

        Raises:
            InputError: One of them is no string.
        """

    def warm_up(self) -> None:
        """Load now what else the first calls load: a model, the kernels' machine code.

        From then on small batches are as fast as large ones, which a service or a command that
        answers one request at a time wants. Two plain sentences are encoded and compared.

        Examples:
            >>> from compsim import load
            >>> load("mean-cn", vectors="builtin").warm_up()
        """
        batch = self.encode(["The dog bit the man.", "Cats sleep."])
        self.similarity(batch, batch)

    @abstractmethod
    def _encode(self, sentences: list[str]) -> E: ...

    def _encode_pairs(self, a: list[str], b: list[str]) -> tuple[E, E]:
        """Both sides of some pairs; faster than one after the other where a method can do so."""
        return self._encode(a), self._encode(b)

    @abstractmethod
    def _matrix(self, a: E, b: E) -> npt.NDArray[np.float32]: ...

    @abstractmethod
    def _pairwise(self, a: E, b: E) -> npt.NDArray[np.float64]: ...

    def _matrix_at(self, a: E, b: E, places: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        return self._matrix(a, b[places])

    def _batch(self, sentences: E | Iterable[str], name: str = "sentences") -> E:
        if isinstance(sentences, Encoded):
            if not isinstance(sentences, self.encoded):
                raise InputError(
                    f"the batch is a {type(sentences).__name__}, made by another method: encode "
                    f"the sentences with {self.info.name!r}"
                )
            batch: E = sentences
            return batch
        return self._encode(check_sentences(sentences, name))


def _made(kind: type[Method[Any]], options: dict[str, Any]) -> Method[Any]:
    """Construct a method; called when a pickle is loaded."""
    return kind(**options)


def _best(
    row: npt.NDArray[np.float32], k: int, score_cutoff: float | None
) -> npt.NDArray[np.int64]:
    """Places of the k highest scores that reach the cutoff, best first, ties by place."""
    floor = -np.inf if score_cutoff is None else score_cutoff
    fit = np.flatnonzero(row >= floor)  # false for NaN
    if len(fit) > k:
        values = row[fit]
        edge = values[np.argpartition(-values, k - 1)[k - 1]]
        above = fit[values > edge]
        # argpartition takes any of the scores that equal the k-th: take the first ones.
        fit = np.concatenate([above, fit[values == edge][: k - len(above)]])
    order = np.lexsort((fit, -row[fit]))
    return fit[order].astype(np.int64, copy=False)
