from __future__ import annotations

import gc
import pickle
import sys
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import spacy
from spacy.language import Language

from compsim.errors import DataError
from compsim.parsers.pipeline.language import LanguageSource
from compsim.parsers.pipeline.shipped import ShippedPipeline
from compsim.parsers.pipeline.words import Known
from compsim.parsers.roles.analysis import WEIGHTS
from compsim.parsers.roles.srl import SrlParser
from compsim.retrieval import sentences
from compsim.vectors import WordVectors
from compsim.vectors.all_words import AllWords
from compsim.weights.export_pipeline import restored

LETTERS = list("abcdefghijklmnopqrstuvwxyz")
#: Words that a pipeline may meet in these tests, and more than a text of them has.
WORDS, TEXT = 200, 40


def texts(count: int, seed: int) -> list[str]:
    """Sentences of words that come once."""
    rng = np.random.default_rng(seed)
    words = ["".join(rng.choice(LETTERS, 9)) for _ in range(6 * count)]
    return [
        f"The {a} {b} bit the {c} in {d} with {e}{f.upper()}."
        for a, b, c, d, e, f in zip(*(words[i::6] for i in range(6)), strict=True)
    ]


@pytest.fixture(params=["a few at a time", "many at a time", "spaCy"])
def few_words(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> SrlParser:
    """A parser that may meet few words: the shipped pipeline by each way, and one of spaCy."""
    monkeypatch.setattr("compsim.parsers.pipeline.spacy_pipeline._CHARACTERS", 500)
    monkeypatch.setattr("compsim.parsers.pipeline.language._WORDS", WORDS)
    monkeypatch.setattr("compsim.parsers.pipeline.words._KEPT", WORDS)
    if request.param == "spaCy":
        restored(WEIGHTS / "pipeline").to_disk(tmp_path / "spacy")
        return SrlParser(tmp_path / "spacy")
    parser = SrlParser(WEIGHTS / "pipeline")  # shares no pipeline with those of other tests
    if request.param == "many at a time":
        parser.warm_up()
    return parser


def language(parser: SrlParser) -> Language:
    """The pipeline of spaCy of a parser, newly loaded."""
    pipeline: Any = parser._trees_of
    new: Language = pipeline._language._load()
    return new


def vocabulary(parser: SrlParser) -> Any:
    """What a parser's pipeline keeps of words, now."""
    pipeline: Any = parser._trees_of
    if isinstance(pipeline, ShippedPipeline):
        return pipeline._words._known
    return pipeline._language._language


def test_the_vocabulary_stays_bounded_and_the_parses_the_same(
    few_words: SrlParser, parser: SrlParser
) -> None:
    met: list[weakref.ref[Any]] = []
    for seed in range(3):
        batch = texts(40, seed)
        assert few_words.parse(batch) == parser.parse(batch)
        words = vocabulary(few_words)
        if isinstance(words, Known):
            assert len(words.words) == len(words.numbers) <= WORDS + 40 * 11
        else:
            # Special cases of the tokenizer are there from the beginning.
            assert len(words.vocab) <= len(language(few_words).vocab) + WORDS + 40 * 6 + TEXT
        met.append(weakref.ref(words))
        del words
    gc.collect()
    assert [one() is None for one in met] == [True, True, False]


def test_threads_read_on_while_a_pipeline_is_loaded_anew(
    few_words: SrlParser, parser: SrlParser
) -> None:
    batches = [texts(36, seed) for seed in range(10, 14)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            graphs = list(pool.map(few_words.parse, batches))
    finally:
        sys.setswitchinterval(before)
    assert graphs == list(map(parser.parse, batches))


def test_documents_are_split_by_a_bounded_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compsim.parsers.pipeline.tokens._KEPT", WORDS)
    for seed in range(30):
        document = " ".join(texts(5, seed))
        assert len(sentences.sentences(document)) == 5
        assert len(sentences._tokenizer()._kept) <= WORDS


def blank(name: str = "one") -> Language:
    return spacy.blank("en", meta={"name": name})


def load_once(then: Callable[[], Language]) -> LanguageSource:
    """A source whose pipeline is loaded once, and then what is given happens."""
    loads = iter([blank])
    return LanguageSource(lambda: next(loads, then)(), words=3)


def fail() -> Language:
    raise DataError("its folder is gone")


@pytest.mark.parametrize("then", [fail, partial(blank, "another")])
def test_a_pipeline_that_can_not_be_had_again_is_used_on(then: Callable[[], Language]) -> None:
    source = load_once(then)
    language = source.current()
    for text in ("one two three four", "five six seven eight", "nine ten eleven twelve"):
        assert len(source.current()(text)) == 4
        assert source.current() is language


def test_what_can_not_be_loaded_at_first_is_told_each_time() -> None:
    source = LanguageSource(fail)
    for _ in range(2):
        with pytest.raises(DataError, match="gone"):
            source.current()


def test_a_source_pickles_without_its_pipeline() -> None:
    source = LanguageSource(blank, words=7)
    source.current()
    again = pickle.loads(pickle.dumps(source))
    assert again._language is None
    assert again._words == 7
    assert again.current()("Cats sleep.").text == "Cats sleep."


def test_what_is_kept_of_words_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compsim.vectors.all_words._KEPT", WORDS)
    monkeypatch.setattr("compsim.vectors.all_words._CHUNK", 10)
    monkeypatch.setattr("compsim.vectors.word_vectors._CACHE_LIMIT", WORDS)
    vectors = WordVectors.open("builtin")
    encoder, whole = AllWords(vectors), AllWords(WordVectors.open("builtin"))
    batch = texts(300, 5)
    result = encoder.texts(batch)
    vectors.texts(batch)
    vectors.rows(word for text in batch for word in text.split())
    assert len(encoder._table.row) <= WORDS + 10 * TEXT
    assert max(len(vectors._tokens), len(vectors._in_phrase)) <= WORDS
    monkeypatch.undo()
    np.testing.assert_array_equal(result, whole.texts(batch))
