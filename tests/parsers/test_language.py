from __future__ import annotations

import gc
import pickle
import sys
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
import spacy
from spacy.language import Language

from compsim.errors import DataError
from compsim.parsers.pipeline.language import LanguageSource
from compsim.parsers.roles.srl import SrlParser
from compsim.retrieval import sentences
from compsim.vectors import WordVectors
from compsim.vectors.all_words import AllWords

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


@pytest.fixture(params=["a few at a time", "many at a time"])
def few_words(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> SrlParser:
    """A parser that may meet few words, by each of the engines."""
    monkeypatch.setattr("compsim.parsers.pipeline.tree._CHARACTERS", 500)
    monkeypatch.setattr("compsim.parsers.pipeline.bulk._KEPT", WORDS)
    monkeypatch.setattr("compsim.parsers.pipeline.network._KEPT", WORDS)
    parser = SrlParser()
    parser._language = LanguageSource(parser._language._load, WORDS)
    if request.param == "many at a time":
        parser.warm_up()
    return parser


def test_the_vocabulary_stays_bounded_and_the_parses_the_same(
    few_words: SrlParser, parser: SrlParser
) -> None:
    languages: list[weakref.ref[Language]] = []
    for seed in range(3):
        batch = texts(40, seed)
        assert few_words.parse(batch) == parser.parse(batch)
        language = few_words._language._language
        assert language is not None
        # What an engine asks of all words of a batch comes on top.
        assert len(language.vocab) <= WORDS + 40 * 6 + TEXT
        if "_bulk" in vars(few_words):
            assert len(few_words._bulk._forms) <= WORDS + 40 * 11
            assert len(few_words._bulk._network._kept.row) <= WORDS + 40 * 11
        languages.append(weakref.ref(language))
        del language
    gc.collect()
    assert [one() is None for one in languages] == [True, True, False]


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
    splitter = LanguageSource(sentences._load, WORDS)
    monkeypatch.setattr(sentences, "_splitter", splitter)
    most = len(splitter.current().vocab) + WORDS + 5 * TEXT
    for seed in range(30):
        document = " ".join(texts(5, seed))
        assert len(sentences.sentences(document)) == 5
        assert len(splitter.current().vocab) <= most


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
