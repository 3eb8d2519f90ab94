"""Re-ordering what a first stage found, by who did what to whom.

>>> reranker = Reranker("hybrid", vectors="builtin")
>>> documents = ["The man bit the dog.", "It rained. A dog has bitten the man.", "Prices fell."]
>>> [hit["corpus_id"] for hit in reranker.rank("The dog bit the man.", documents)]
[1, 0, 2]

A document is split into sentences, each is scored, and the best decides. Keywords and questions
are queries like others. A question's "who" is open: it matches whatever stands in its role. A bare
noun phrase ("the old bridge") is compared with the phrase in any role that is most like it; what
the sentence says of that phrase counts as words that the query lacks. What a query leaves out
("but not the Seine") is no part of what it asks for, and counts against a document: see
:mod:`compsim.retrieval.exclusions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from compsim.defaults import DEFAULT_METHOD
from compsim.method import Method
from compsim.registry import check_unmade, load
from compsim.retrieval.calibration import Calibration, as_calibration, fit_calibration
from compsim.retrieval.combination import best_of, combined, counted, deciding, penalties
from compsim.retrieval.contrast import Contrast, parts_of
from compsim.retrieval.documents import Documents
from compsim.retrieval.exclusions import check_exclude, exclusions
from compsim.retrieval.fusion import Blend, check_blend, first_scores, fused
from compsim.retrieval.neural import activated, converted
from compsim.retrieval.pairs import as_pairs, places_of, read_judgements, read_pairs
from compsim.retrieval.queries import Question, check_limits, check_queries
from compsim.retrieval.ranking import Ranking, SentenceScore

if TYPE_CHECKING:
    from compsim.method_options import AnyOptions

__all__ = ["Reranker"]


class Reranker:
    """Ranks documents for a query, with the calls of a sentence-transformers ``CrossEncoder``.

    A document's score has the method's range, less what exclusions take, or from 0 to 1 where it is
    blended; after ``fit`` it is a probability that the document is relevant. A document of which
    nothing can be compared, such as an empty one, has the method's lowest score.

    Args:
        method: The name of a method, or a ``Method``.
        combine: What the scores of a document's sentences make: ``"max"``, ``"mean"``, or a number,
            the mean of so many of the best.
        blend: How the scores of a first stage come in where they are given: ``"score"``, both
            stretched from 0 to 1 over the candidates, or ``"rrf"``, reciprocal rank fusion.
        weight: The share of the reranker's own score in that, from 0 to 1.
        exclude: How much the likeness of a document's sentence to what the query leaves out takes
            from its score, from 0 to 1; None takes queries as they are, as for pairs of plain
            sentences.
        calibration: What turns scores to probabilities, as ``fit`` finds it, or its two numbers,
            slope and intercept, as a pair or by name; None: nothing does.
        **options: Options of the method, where it is given by name.

    Raises:
        InputError: An argument is out of range, or the method has no such option.
        UnknownNameError: There is no method of this name.
        MissingExtraError: A package that the method needs is not installed.

    Examples:
        >>> reranker = Reranker("hybrid", vectors="builtin")
        >>> documents = ["The man bit the dog.", "It rained. A dog has bitten the man."]
        >>> [hit["corpus_id"] for hit in reranker.rank("The dog bit the man.", documents)]
        [1, 0]
    """

    def __init__(
        self,
        method: str | Method[Any] = DEFAULT_METHOD,
        *,
        combine: str | int = "max",
        blend: Blend = "score",
        weight: float = 0.5,
        exclude: float | None = 0.2,
        calibration: Calibration | Mapping[str, float] | Sequence[float] | None = None,
        **options: Unpack[AnyOptions],
    ) -> None:
        check_unmade(method, options)
        self._best = best_of(combine)
        check_blend(blend, weight)
        check_exclude(exclude)
        self.combine, self.blend, self.weight = combine, blend, float(weight)
        self.exclude, self.calibration = exclude, as_calibration(calibration)
        self.method: Method[Any] = load(method, **options) if isinstance(method, str) else method

    def __repr__(self) -> str:
        return f"Reranker({self.method!r}, combine={self.combine!r})"

    def fit(self, judgements: Iterable[tuple[str, str, float]]) -> Reranker:
        """Calibrate scores, so that they are probabilities of relevance from then on.

        The order of documents stays as it is. Blended scores are no probabilities.

        Args:
            judgements: Queries, documents, and how relevant each of these is, any real number,
                above 0 for at all: some hundred, of documents as they come, relevant ones and
                others.

        Returns:
            The reranker; ``calibration`` is what was found.

        Raises:
            InputError: A judgement is no such triple, all are alike, or higher scores are not more
                often relevant.

        Examples:
            >>> reranker = Reranker("hybrid", vectors="builtin")
            >>> texts = ["Dogs bark.", "A dog barked.", "Prices fell.", "It rained.", "Ada slept."]
            >>> judgements = [("Dogs bark.", text, i < 2) for i, text in enumerate(texts)]
            >>> reranker.fit(judgements).rank("Dogs bark.", ["A cat slept."], score_threshold=0.5)
            []
        """
        pairs, relevant = read_judgements(judgements)
        self.calibration = fit_calibration(self._pair_scores(pairs), relevant)
        return self

    def encode(self, documents: Iterable[str]) -> Documents:
        """Split documents into sentences and encode them, for ``rank`` and ``scores``.

        Args:
            documents: Texts of any length.

        Returns:
            The documents, which can be sliced and used for many queries.

        Raises:
            InputError: Something in them is no string.
        """
        return Documents.encode(documents, self.method.encode)

    def scores(
        self,
        query: str | Question,
        documents: Documents | Iterable[str],
        first: npt.ArrayLike | None = None,
    ) -> npt.NDArray[np.float64]:
        """The score of each document.

        Args:
            query: What is looked for: a text, or what ``ask`` gave.
            documents: n texts, or what ``encode`` gave.
            first: The scores of a first stage (n,), NaN for a document that it did not find, which
                then counts as the worst of them.

        Returns:
            The scores, float64 (n,).

        Raises:
            InputError: The query has no word, or the scores do not fit the documents.
        """
        if not isinstance(query, Question):
            check_queries([query])  # tells what is wrong with it before the long part
        docs = self._documents(documents)
        given = None if first is None else first_scores(first, len(docs))
        if docs.batch is None or len(docs.places) == 0:
            own = np.full(len(docs), np.nan)
        else:
            question = query if isinstance(query, Question) else self.ask(query)
            own = self._own(self.sentence_scores(question, docs), docs)
        if given is not None:
            return fused(own, given, self.blend, self.weight)
        return self._final(own)

    def ask(self, query: str) -> Question:
        """Parse and encode a query, to ask it of documents more than once.

        Args:
            query: What is looked for.

        Returns:
            The query, encoded.

        Raises:
            InputError: The query has no word.
        """
        return self._question(*check_queries([query]))

    def decided(
        self, query: str, documents: Documents | Iterable[str]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """The score of each document, as ``scores`` gives it, and its best sentence.

        Args:
            query: What is looked for.
            documents: n texts, or what ``encode`` gave.

        Returns:
            The scores, float64 (n,), and int64 (n,) the place of the sentence among those of its
            document (see ``Documents.sentences``), the first of equal ones, -1 where none can be
            compared.

        Raises:
            InputError: The query has no word.

        Examples:
            >>> reranker = Reranker("mean-cn", vectors="builtin")
            >>> reranker.decided("Dogs bark.", ["It rained. A dog barked.", ""])[1].tolist()
            [1, -1]
        """
        (text,) = check_queries([query])
        docs = self._documents(documents)
        if docs.batch is None or len(docs.places) == 0:
            nothing = np.full(len(docs), np.nan)
            return self._final(nothing), np.full(len(docs), -1, dtype=np.int64)
        each = self.sentence_scores(self._question(text), docs)
        return self.document_scores(each, docs), deciding(each[0], docs.starts)

    def sentence_scores(self, question: Question, docs: Documents) -> npt.NDArray[np.float64]:
        """The scores of all sentences of documents that have some.

        Args:
            question: What ``ask`` gave.
            docs: What ``encode`` gave.

        Returns:
            The scores, float64 (asked, sentences): the first row is for what the question asks for,
            the others for what it leaves out.
        """
        assert docs.batch is not None
        batch, places = docs.batch, docs.places
        if len(batch) > len(places):  # a part of the documents that were encoded
            used, places = np.unique(places, return_inverse=True)
            scores = self.method.similarity_at(question.batch, batch, used)
        else:
            scores = self.method.similarity(question.batch, batch)
        each: npt.NDArray[np.float64] = scores.astype(np.float64)[:, places]
        return each

    def document_scores(
        self, each: npt.NDArray[np.float64], docs: Documents
    ) -> npt.NDArray[np.float64]:
        """The scores of documents by those of their sentences.

        Args:
            each: What ``sentence_scores`` gave for them.
            docs: n documents, as ``encode`` gives them.

        Returns:
            The scores, float64 (n,).
        """
        return self._final(self._own(each, docs))

    def rank(
        self,
        query: str | Question,
        documents: Documents | Iterable[str],
        top_k: int | None = None,
        return_documents: bool = False,
        prompt_name: str | None = None,
        prompt: str | None = None,
        batch_size: int = 32,
        show_progress_bar: bool | None = None,
        activation_fn: Callable[[Any], Any] | None = None,
        device: Any = None,
        pool: Any = None,
        chunk_size: int | None = None,
        *,
        apply_softmax: bool | None = False,
        convert_to_numpy: bool = True,
        convert_to_tensor: bool = False,
        first: npt.ArrayLike | None = None,
        score_threshold: float | None = None,
    ) -> list[dict[str, Any]]:
        """The documents, best first.

        The arguments are those of ``CrossEncoder.rank`` of sentence-transformers, older ones too;
        those that are for neural models (see ``predict``) change nothing.

        Args:
            query: What is looked for.
            documents: n texts, or what ``encode`` gave.
            top_k: How many are wanted; None for all.
            return_documents: Whether each result has its text.
            prompt_name: Changes nothing.
            prompt: Changes nothing.
            batch_size: Changes nothing.
            show_progress_bar: Changes nothing.
            activation_fn: What is applied to the scores, as for ``predict``, before the threshold.
            device: Changes nothing.
            pool: Changes nothing.
            chunk_size: Changes nothing.
            apply_softmax: Changes nothing.
            convert_to_numpy: Changes nothing.
            convert_to_tensor: Changes nothing.
            first: The scores of a first stage (n,), as for ``scores``.
            score_threshold: Documents with a lower score are left out, which may be all: nothing is
                relevant, then. None keeps all.

        Returns:
            A list of ``{"corpus_id", "score"}``, with ``"text"`` if asked; scores are floats.
            ``corpus_id`` is the place of a document in what was given; equal ones, and equal
            scores, stay in that order.

        Raises:
            InputError: The query has no word, ``top_k`` is below 1, ``score_threshold`` is no
                number, or the scores do not fit.
        """
        check_limits(top_k, score_threshold)
        docs = self._documents(documents)
        scores: npt.NDArray[Any] = self.scores(query, docs, first)
        order = np.argsort(-scores, kind="stable")
        if activation_fn is not None:
            scores = activated(scores, activation_fn)
            order = order[np.argsort(-scores[order], kind="stable")]
        ranked = [
            {"corpus_id": i, "score": float(scores[i])}
            for i in order[:top_k].tolist()
            if score_threshold is None or scores[i] >= score_threshold
        ]
        if return_documents:
            return [{**one, "text": docs.texts[one["corpus_id"]]} for one in ranked]
        return ranked

    def predict(
        self,
        inputs: Iterable[Sequence[str]] | Sequence[str],
        prompt_name: str | None = None,
        prompt: str | None = None,
        batch_size: int = 32,
        show_progress_bar: bool | None = None,
        activation_fn: Callable[[Any], Any] | None = None,
        apply_softmax: bool | None = False,
        convert_to_numpy: bool = True,
        convert_to_tensor: bool = False,
        device: Any = None,
        pool: Any = None,
        chunk_size: int | None = None,
    ) -> Any:
        """Score pairs of a query and a document; each distinct query and sentence is encoded once.

        The arguments are those of ``CrossEncoder.predict`` of sentence-transformers. Prompts,
        batches, the progress bar, the softmax of a single score, devices and processes are for
        neural models, and change nothing.

        Args:
            inputs: n pairs of strings, or one pair.
            prompt_name: Changes nothing.
            prompt: Changes nothing.
            batch_size: Changes nothing.
            show_progress_bar: Changes nothing.
            activation_fn: What is applied to the scores, a float32 tensor (n,) of PyTorch, such as
                ``torch.nn.Sigmoid()``; None: nothing.
            apply_softmax: Changes nothing.
            convert_to_numpy: Whether an array is wanted; otherwise a list of floats.
            convert_to_tensor: Whether a tensor of PyTorch is wanted, which goes before an array.
            device: Changes nothing.
            pool: Changes nothing.
            chunk_size: Changes nothing.

        Returns:
            The scores, float32 (n,); of one pair a float, or a tensor without dimensions.

        Raises:
            InputError: Something is no pair of strings, or a query has no word.
        """
        pairs, single = as_pairs(inputs)
        scores = self._final(self._pair_scores(pairs)).astype(np.float32)
        if activation_fn is not None:
            scores = activated(scores, activation_fn)
        return converted(
            scores,
            single=single,
            convert_to_numpy=convert_to_numpy,
            convert_to_tensor=convert_to_tensor,
        )

    def explain(self, query: str, document: str) -> Ranking:
        """Explain the score of a document by its deciding sentences and their roles.

        Args:
            query: What is looked for.
            document: A text.

        Returns:
            The score, the sentences with theirs, and the explanation of the best.

        Raises:
            InputError: The query has no word, or an argument is no string.
        """
        (text,) = check_queries([query])
        docs = self._documents([document])
        if docs.batch is None:
            lowest = self.method.info.lowest
            return Ranking(text, document, lowest, (), None, probability=self._probability(lowest))
        question = self._question(text)
        asked = question.asked
        each = self.sentence_scores(question, docs)
        taken = float(self._penalty(each, docs)[0])
        chosen = counted(each[0], docs.starts, self._best)
        score = float(self._known(self._own(each, docs))[0])
        sentences = docs.sentences(0)
        best = None
        if chosen.any():
            best = self.method.explain(asked[0], sentences[int(np.nanargmax(each[0]))])
        rows = zip(sentences, docs.spans.tolist(), each[0].tolist(), chosen.tolist(), strict=True)
        scored = tuple(SentenceScore(one, (s, e), value, c) for one, (s, e), value, c in rows)
        sure = self._probability(score)
        return Ranking(text, document, score, scored, best, tuple(asked[1:]), taken, sure)

    def compare(self, query: str, first: str, second: str) -> Contrast:
        """Compare two documents: the parts of the difference of their scores.

        Args:
            query: What is looked for.
            first: A document, A.
            second: Another one, B.

        Returns:
            Which phrases, conflicts and exclusions make the difference of their scores; it prints
            as a table, and shows itself as a page in a notebook.

        Raises:
            InputError: The query has no word, or an argument is no string.

        Examples:
            >>> reranker = Reranker("hybrid", vectors="builtin")
            >>> why = reranker.compare("Who won in 2019?", "Ada won in 2019.", "Ada won in 2021.")
            >>> why.difference > 0.1, why.parts[0].sentence
            (True, 'B contradicts the query (how many)')
        """
        one, other = self.explain(query, first), self.explain(query, second)
        return Contrast(query, one, other, parts_of(one, other))

    def _question(self, query: str) -> Question:
        asked = self._asked(query)
        return Question(query, tuple(asked), self.method.encode(asked))

    def _asked(self, query: str) -> list[str]:
        """Return the query without its exclusions, then the exclusions."""
        if self.exclude is None:
            return [query]
        parts = exclusions(query)
        return [parts.wanted, *parts.excluded]

    def _documents(self, documents: Documents | Iterable[str]) -> Documents:
        return documents if isinstance(documents, Documents) else self.encode(documents)

    def _own(self, each: npt.NDArray[np.float64], docs: Documents) -> npt.NDArray[np.float64]:
        """The scores of documents by what ``sentence_scores`` gives; NaN: nothing to compare."""
        return combined(each[0], docs.starts, self._best) - self._penalty(each, docs)

    def _penalty(self, each: npt.NDArray[np.float64], docs: Documents) -> npt.NDArray[np.float64]:
        """Return each document's deduction for exclusions, by its sentence most similar to one."""
        return penalties(each[1:], docs.starts, self.exclude or 0.0)

    def _known(self, scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.where(np.isnan(scores), self.method.info.lowest, scores)

    def _final(self, scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Scores as they are given: the lowest for NaN, and probabilities after a fit."""
        known = self._known(scores)
        return known if self.calibration is None else self.calibration.probabilities(known)

    def _probability(self, score: float) -> float | None:
        """The probability of relevance for a score; None before a fit."""
        if self.calibration is None:
            return None
        return float(self.calibration.probabilities([score])[0])

    def _pair_scores(self, pairs: Iterable[Any]) -> npt.NDArray[np.float64]:
        """The score of each pair by the method's own scale; each distinct text is encoded once."""
        queries, documents = read_pairs(pairs)
        texts = list(dict.fromkeys(documents))
        out = np.full(len(queries), np.nan)
        docs = self.encode(texts)
        if docs.batch is None:
            return self._known(out)
        rows = places_of(queries)
        place = {text: i for i, text in enumerate(texts)}
        asked = [self._asked(query) for query in rows]
        encoded = self.method.encode([text for one in asked for text in one])
        stops = np.cumsum([len(one) for one in asked]).tolist()
        for one, own, stop in zip(asked, rows.values(), stops, strict=True):
            wanted = docs[[place[documents[i]] for i in own]]
            if len(wanted.places):
                question = Question(one[0], tuple(one), encoded[stop - len(one) : stop])
                out[own] = self._own(self.sentence_scores(question, wanted), wanted)
        return self._known(out)
