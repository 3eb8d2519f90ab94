"""Requests as jobs of the process that computes: from the bytes of a body to those of an answer.

>>> settings = Settings(options={"vectors": "builtin"})
>>> jobs = Jobs(settings, Engine.open(settings))
>>> job = jobs.read("similarity", b'{"first": "Dogs bark.", "second": "Dogs bark."}')
>>> job.counts
{'pairs': 1}
>>> job.answer(Due.within(60))
b'{"method":"hybrid","scores":[...]}'
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pydantic import BaseModel, TypeAdapter, ValidationError

from compsim.errors import InputError
from compsim.explanation.html import fragment
from compsim.retrieval import contrast_html
from compsim.serving import models, tei
from compsim.serving.checks import check_count, check_length, check_lengths, check_words
from compsim.serving.due import Due
from compsim.serving.engine import Engine
from compsim.serving.refusal import RefusedError
from compsim.serving.settings import Settings
from compsim.serving.strict_json import read

if TYPE_CHECKING:
    from compsim.explanation import Explanation

__all__ = ["Job", "Jobs"]

_KINDS: Final[Mapping[str, TypeAdapter[Any]]] = {
    "rerank": TypeAdapter(models.RerankRequest),
    "rerank-v2": TypeAdapter(models.RerankRequest),
    "any-rerank": TypeAdapter(tei.AnyRerankRequest),
    "similarity": TypeAdapter(models.SimilarityRequest),
    "similarity-pairwise": TypeAdapter(models.PairsRequest),
    "similarities": TypeAdapter(tei.SentencesSimilarityRequest),
    "same": TypeAdapter(models.SameRequest),
    "explain": TypeAdapter(models.ExplanationRequest),
    "compare": TypeAdapter(models.CompareRequest),
}
#: What a field must be, by the types of pydantic's problems, whose messages have Python's names.
_VALUES: Final = {
    "string_type": "a string",
    "string_unicode": "a string without half of a surrogate pair",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "greater_than_equal": "at least {ge}",
    "greater_than": "above {gt:g}",
    "less_than": "below {lt:g}",
}
#: What is wrong with a field that is there and of the right kind, and the remedy.
_EMPTY: Final = {
    "too_short": "has no item: send at least one",
    "string_too_short": "is empty: send a text",
}


class Job(NamedTuple):
    """Checked content of a request.

    Attributes:
        counts: How many documents, pairs or explanations it asks for.
        answer: The body of the answer, computed when called; raises ``RefusedError`` when it is too
            late.
    """

    counts: dict[str, int]
    answer: Callable[[Due], bytes]


class Jobs:
    """The jobs of one service."""

    def __init__(self, settings: Settings, engine: Engine) -> None:
        self.settings, self.engine = settings, engine

    def read(self, kind: str, body: bytes) -> Job:
        """Return the job of a body, by its kind: one of those that have an address.

        Raises ``InputError`` or ``RefusedError`` for a body that is not as it should be.
        """
        asked = self._validated(kind, body)
        if isinstance(asked, models.RerankRequest):
            counts, compute = self._rerank(asked, of_cohere_v2=kind == "rerank-v2")
        elif isinstance(asked, tei.TextsRerankRequest):
            counts, compute = self._rerank_texts(asked)
        elif isinstance(asked, tei.SentencesSimilarityRequest):
            counts, compute = self._similarities(asked)
        elif isinstance(asked, models.SimilarityRequest):
            counts, compute = self._similarity(asked)
        elif isinstance(asked, models.PairsRequest):
            counts, compute = self._pairs(asked)
        elif isinstance(asked, models.SameRequest):
            counts, compute = self._same(asked)
        elif isinstance(asked, models.CompareRequest):
            counts, compute = self._compare(asked)
        else:
            counts, compute = self._explain(asked)
        return Job(counts, lambda due: compute(due).model_dump_json(exclude_unset=True).encode())

    def _rerank(self, asked: models.RerankRequest, *, of_cohere_v2: bool) -> _Work:
        check_length("query", len(asked.query), self.settings.max_sentence)
        texts = asked.texts(self.settings.max_document)
        check_words([[asked.query], texts], self.settings.max_words)

        def compute(due: Due) -> models.RerankAnswer:
            documents = asked.read(texts)
            ranking = self.engine.rank(asked.query, documents, due, asked.top_n or None)
            repeats = asked.return_documents
            if repeats is None:  # Jina and vLLM repeat texts, and Cohere's clients do not mind
                repeats = not of_cohere_v2
            return models.RerankAnswer.of(
                uuid.uuid4().hex,
                self.engine.name,
                [(one["corpus_id"], one["score"]) for one in ranking],
                texts if repeats else None,
                version="2" if of_cohere_v2 else "1",
                tokens=models.count_tokens(asked.query, documents),
            )

        return {"documents": len(texts)}, compute

    def _rerank_texts(self, asked: tei.TextsRerankRequest) -> _Work:
        check_length("query", len(asked.query), self.settings.max_sentence)
        check_lengths("texts", asked.texts, self.settings.max_document)
        check_words([[asked.query], asked.texts], self.settings.max_words)

        def compute(due: Due) -> tei.TextsRerankAnswer:
            results = []
            for one in self.engine.rank(asked.query, asked.texts, due):
                scored = tei.ScoredText(index=one["corpus_id"], score=one["score"])
                if asked.return_text:
                    scored.text = asked.texts[scored.index]
                results.append(scored)
            return tei.TextsRerankAnswer(results)

        return {"documents": len(asked.texts)}, compute

    def _similarities(self, asked: tei.SentencesSimilarityRequest) -> _Work:
        second = asked.inputs.sentences
        source = asked.inputs.source_sentence
        first = [source] * len(second)
        self._check_sides({"inputs.source_sentence": source, "inputs.sentences": second})

        def compute(due: Due) -> tei.SimilaritiesAnswer:
            return tei.SimilaritiesAnswer(list(self.engine.similarity_pairwise(first, second, due)))

        return {"pairs": len(second)}, compute

    def _similarity(self, asked: models.SimilarityRequest) -> _Work:
        first, second = asked.sides()
        pairs, most = len(first) * len(second), self.settings.max_documents
        if pairs > most:
            raise InputError(
                f"first and second make {len(first)} x {len(second)} = {pairs} pairs and this "
                f"service takes {most}: send fewer, or ask /v1/similarity_pairwise for a row"
            )
        self._check_sides({"first": asked.first, "second": asked.second})

        def compute(due: Due) -> models.SimilarityAnswer:
            if isinstance(asked.first, str) and isinstance(asked.second, str):
                scores: Any = self.engine.similarity_pairwise(first, second, due)
            else:
                scores = self.engine.similarity(first, second, due)
                if isinstance(asked.first, str) or isinstance(asked.second, str):
                    scores = [score for row in scores for score in row]
            return models.SimilarityAnswer(method=self.engine.name, scores=scores)

        return {"pairs": pairs}, compute

    def _pairs(self, asked: models.PairsRequest) -> _Work:
        first, second = asked.sentences()
        self._check_sides({"first": asked.first, "second": asked.second})

        def compute(due: Due) -> models.PairsAnswer:
            scores = self.engine.similarity_pairwise(first, second, due)
            return models.PairsAnswer(method=self.engine.name, scores=list(scores))

        return {"pairs": len(first)}, compute

    def _same(self, asked: models.SameRequest) -> _Work:
        first, second = asked.texts()
        self._check_sides({"first": asked.first, "second": asked.second})

        def compute(due: Due) -> models.SameAnswer:
            result = self.engine.same(first, second, asked.max_false, due)
            verdicts = [models.VerdictAnswer.model_validate(each) for each in result]
            return models.SameAnswer(method=self.engine.name, verdicts=verdicts)

        return {"pairs": len(first)}, compute

    def _check_sides(self, sides: Mapping[str, str | list[str]]) -> None:
        """Raise ``InputError`` where a text of pairs, by its field, or all of them are too long."""
        for name, texts in sides.items():
            check_lengths(name, texts, self.settings.max_sentence)
        listed = [[texts] if isinstance(texts, str) else texts for texts in sides.values()]
        check_words(listed, self.settings.max_words)

    def _explain(
        self, asked: models.SentencesExplanationRequest | models.DocumentExplanationRequest
    ) -> _Work:
        if isinstance(asked, models.SentencesExplanationRequest):
            check_length("first", len(asked.first), self.settings.max_sentence)
            check_length("second", len(asked.second), self.settings.max_sentence)
            check_words([[asked.first, asked.second]], self.settings.max_words)
        else:
            check_length("query", len(asked.query), self.settings.max_sentence)
            check_length("document", len(asked.document), self.settings.max_document)
            check_words([[asked.query, asked.document]], self.settings.max_words)

        def compute(due: Due) -> models.ExplanationAnswer:
            best: Explanation | None
            if isinstance(asked, models.SentencesExplanationRequest):
                best = self.engine.explain(asked.first, asked.second)
                score, rows = best.score, best.to_dict()
            else:
                ranking = self.engine.explain_document(asked.query, asked.document)
                best, score, rows = ranking.best, ranking.score, ranking.to_dict()
            html = fragment(best) if asked.html and best is not None else None
            return models.ExplanationAnswer(
                method=self.engine.name, score=score, explanation=rows, html=html
            )

        return {"explanations": 1}, compute

    def _compare(self, asked: models.CompareRequest) -> _Work:
        check_length("query", len(asked.query), self.settings.max_sentence)
        check_length("first", len(asked.first), self.settings.max_document)
        check_length("second", len(asked.second), self.settings.max_document)
        check_words([[asked.query, asked.first, asked.second]], self.settings.max_words)

        def compute(due: Due) -> models.CompareAnswer:
            contrast = self.engine.compare(asked.query, asked.first, asked.second)
            return models.CompareAnswer(
                method=self.engine.name,
                difference=contrast.difference,
                verdict=contrast.verdict,
                comparison=contrast.to_dict(),
                html=contrast_html.fragment(contrast) if asked.html else None,
            )

        return {"explanations": 2}, compute

    def _validated(self, kind: str, body: bytes) -> Any:
        """Return the request of a body; raises ``InputError`` or ``RefusedError`` for none."""
        if not body:
            message = "the body is missing: send an object as /docs has it, as application/json"
            raise RefusedError(400, message)
        asked = read(body)
        if not isinstance(asked, dict):
            raise InputError("the body is no JSON object: send one as /docs has it")
        # Before they are looked at: a body has room for a million items.
        inputs = asked.get("inputs")
        for name in ("documents", "texts", "first", "second", "rank_fields"):
            if isinstance(asked.get(name), list):
                most = models.MAX_FIELDS if name == "rank_fields" else self.settings.max_documents
                check_count(name, len(asked[name]), most)
        if isinstance(inputs, dict) and isinstance(inputs.get("sentences"), list):
            check_count("inputs.sentences", len(inputs["sentences"]), self.settings.max_documents)
        try:
            return _KINDS[kind].validate_python(asked)
        except ValidationError as error:
            missing = "texts or documents" if kind == "any-rerank" else "documents"
            problems = error.errors(include_input=False)
            raise InputError(_invalid(problems, {"documents": missing})) from error


_Work = tuple[dict[str, int], Callable[[Due], BaseModel]]


def _invalid(problems: Sequence[Mapping[str, Any]], missing: Mapping[str, str]) -> str:
    """One sentence for the first field of a request that is wrong, without what the client sent.

    ``missing`` has other names of fields for those that are not there.
    """
    # Beside fields and numbers, a place names the kinds of value that a field may have.
    places = [
        [part for part in problem["loc"] if isinstance(part, int) or part in tei.FIELDS]
        for problem in problems
    ]
    # A field that takes several kinds of value has problems with each: those furthest in are of the
    # kind that was sent.
    place = max((place for place in places if place[:1] == places[0][:1]), key=len)
    here = [problem for problem, at in zip(problems, places, strict=True) if at == place]
    name = ".".join(map(str, place)) or "the body"
    for problem in here:
        if problem["type"] == "missing":
            absent = missing.get(name, name)
            return f"{absent} is missing: send an object as /docs has it, as application/json"
        if problem["type"] in _EMPTY:
            return f"{name} {_EMPTY[problem['type']]}"
    kinds = (
        _VALUES.get(problem["type"], "of another form").format(**problem.get("ctx", {}))
        for problem in here
    )
    return f"{name} must be {' or '.join(dict.fromkeys(kinds))}: /docs has the format"
