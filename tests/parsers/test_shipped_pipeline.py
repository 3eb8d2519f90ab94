"""The shipped pipeline, plain and compiled, against spaCy with the same weights."""

from __future__ import annotations

import json
import re
import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.language import Language
from spacy.strings import hash_string
from spacy.tokens import Doc
from thinc.api import NumpyOps

from compsim.benchmarks.speed.text import sentences
from compsim.errors import DataError, MissingExtraError
from compsim.parsers import load
from compsim.parsers.pipeline.lemmas import Lemmatizer
from compsim.parsers.pipeline.shipped import ShippedPipeline
from compsim.parsers.pipeline.spacy_pipeline import SpacyPipeline, tree_of
from compsim.parsers.pipeline.tokens import Tokenizer
from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.pipeline.words import hash_text, hashed_rows
from compsim.parsers.roles.analysis import WEIGHTS
from compsim.parsers.roles.srl import SrlParser
from compsim.weights.export_pipeline import export, restored

FOLDER = WEIGHTS / "pipeline"
WORDS = (
    "cats", "mice", "the", "dog", "chased", "that", "which", "gave", "was", "been", "by", "in",
    "on", "it", "who", "yesterday", "slowly", ".", ",", "?", "don't", "I've", "Paris", "\U0001f600",
    "2,000", "\n", "and", "to", "what", "not", "seen",
)  # fmt: skip
MARKS = "'\"().,:;-!?/&%$#@_~*\u2019\u201c\u2026\U0001f600"
ODD = (
    "",
    "   ",
    "\n\n",
    "Go!",
    "What did the man that Mary saw in the park say he would never do again? Nothing.",
    "A hearing is scheduled on the issue today, which nobody had expected.",
    "Whom did you say that they believe we like? I've no idea, can't tell, won't ask.",
    "word " * 600,
    "\x00 odd \x7f \u2028 text \U0001f600",
    "We met :-) at 10a.m. in the U.S. (see http://a.b/c?d=e, p. 5), 'tis said.",
    "\u201cQuoted\u201d \u2018text\u2019\u2014dash\u2026 $5.00/kg, 10km, rock'n'roll, x=y",
    " two  spaces \t tab",
    "Both =):( are faces, and so is :)(: here.",
)


@cache
def reference() -> Language:
    return restored(FOLDER)


def by_spacy(texts: list[str]) -> list[Tree]:
    return [tree_of(reference()(text)) for text in texts]


@cache
def plain() -> ShippedPipeline:
    return ShippedPipeline(FOLDER)


@cache
def compiled() -> ShippedPipeline:
    pipeline = ShippedPipeline(FOLDER)
    pipeline.warm_up()
    return pipeline


def test_plain_sentences_have_the_same_trees() -> None:
    texts = sentences(300)
    assert plain().trees(texts) == compiled().trees(texts) == by_spacy(texts)


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_have_the_same_trees(text: str) -> None:
    texts = [text] * 3
    assert plain().trees(texts) == compiled().trees(texts) == by_spacy(texts)


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join), min_size=1))
def test_any_words_have_the_same_trees(texts: list[str]) -> None:
    assert plain().trees(texts) == compiled().trees(texts) == by_spacy(texts)


def test_many_sentences_are_parsed_by_compiled_code() -> None:
    pipeline = ShippedPipeline(FOLDER)
    pipeline.trees(["Cats sleep."])
    assert not pipeline._compiled
    pipeline.trees(["Cats sleep."], count=5000)
    assert pipeline._compiled
    assert pipeline.trees([]) == []


@cache
def tokenizers() -> tuple[Tokenizer, Language]:
    return Tokenizer.read(FOLDER / "tokens.json"), spacy.blank("en")


def same_tokens(text: str) -> None:
    own, blank = tokenizers()
    expected = [(token.text, token.idx) for token in blank.make_doc(text)]
    assert [(token.text, token.start) for token in own.tokens(text)] == expected
    assert all(text[token.start : token.end] == token.text for token in own.tokens(text))


@given(st.text(max_size=40))
def test_any_text_has_the_tokens_of_spacy(text: str) -> None:
    same_tokens(text)


@given(st.lists(st.sampled_from([*WORDS, *MARKS, "can't", "U.S.", "10", "km", " "])).map("".join))
def test_words_and_marks_have_the_tokens_of_spacy(text: str) -> None:
    same_tokens(text)


def test_every_special_case_has_the_tokens_of_spacy() -> None:
    rules = json.loads((FOLDER / "tokens.json").read_text(encoding="utf8"))
    for word in rules["special"]:
        for text in (word, f"({word})", f"he {word}, she"):
            same_tokens(text)


@given(st.text(), st.lists(st.integers(0, 2**64 - 1), max_size=5))
def test_hashes_are_those_of_spacy(text: str, keys: list[int]) -> None:
    if text.isprintable() and text:
        assert hash_text(text) == hash_string(text)
    array = np.array(keys, dtype=np.uint64)
    expected = NumpyOps().hash(array, 8) % 1500
    np.testing.assert_array_equal(hashed_rows(array, 8, 1500), expected.reshape(-1, 4))


@given(st.text("abdegilnrsty", min_size=1, max_size=9), st.data())
def test_any_word_has_the_lemma_of_spacy(word: str, data: st.DataObject) -> None:
    nlp = reference()
    tag = data.draw(st.sampled_from(nlp.get_pipe("tagger").labels))  # type: ignore[attr-defined]
    end = data.draw(st.sampled_from(["", "s", "es", "ies", "ed", "ing", "er", "est", "men"]))
    doc = Doc(nlp.vocab, words=[word + end], tags=[tag])
    for name in ("attribute_ruler", "lemmatizer"):
        doc = nlp.get_pipe(name)(doc)  # type: ignore[operator]
    lemmatizer = Lemmatizer.read(FOLDER / "lemmas.json")
    assert lemmatizer.form(word + end, tag) == (doc[0].pos_, doc[0].lemma_.lower())


def test_what_spacy_restores_is_exported_as_it_was(tmp_path: Path) -> None:
    export(reference(), tmp_path)
    for name in ("about", "tokens", "lemmas"):
        assert (tmp_path / f"{name}.json").read_bytes() == (FOLDER / f"{name}.json").read_bytes()
    with np.load(tmp_path / "model.npz") as again, np.load(FOLDER / "model.npz") as first:
        assert again.files == first.files
        for name in first.files:
            np.testing.assert_array_equal(again[name], first[name])


@pytest.mark.parametrize("name", ["model.npz", "about.json", "tokens.json", "lemmas.json"])
@pytest.mark.parametrize("damage", ["missing", "half"])
def test_a_damaged_folder_is_one_error(name: str, damage: str, tmp_path: Path) -> None:
    folder = tmp_path / "pipeline"
    shutil.copytree(FOLDER, folder)
    content = (folder / name).read_bytes()
    (folder / name).unlink()
    if damage == "half":
        (folder / name).write_bytes(content[: len(content) // 2])
    with pytest.raises(DataError, match="reinstall compsim"):
        ShippedPipeline(folder)


@pytest.mark.parametrize(
    ("name", "part"), [("tokens", "norms"), ("tokens", "prefix"), ("about", "tags")]
)
def test_a_file_that_lacks_a_part_is_one_error(name: str, part: str, tmp_path: Path) -> None:
    folder = tmp_path / "pipeline"
    shutil.copytree(FOLDER, folder)
    content = json.loads((folder / f"{name}.json").read_text(encoding="utf8"))
    del content[part]
    (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf8")
    with pytest.raises(DataError, match="reinstall compsim"):
        ShippedPipeline(folder)


def test_a_text_that_is_no_unicode_spoils_no_other() -> None:
    pipeline = ShippedPipeline(FOLDER)
    pipeline.trees(["bad \ud800 word"])
    assert pipeline.trees(["Cats chase mice."]) == plain().trees(["Cats chase mice."])
    (analysis,) = SrlParser().analyse(["bad \ud800 word"])
    assert len(analysis.tree) == 3


def test_what_is_kept_of_words_is_bounded_in_number_and_length(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("compsim.parsers.pipeline.words._KEPT", 50)
    pipeline = ShippedPipeline(FOLDER)
    words = pipeline._words
    for i in range(30):
        # Few words, but ever another one between spaces.
        pipeline.trees([f"{'a/' * (i + 1)}b {'b/' * (i + 1)}c and/or either-or"])
        assert len(words._known.parts) <= 50 + 4
    long = ["x/" * 400, " " * 5000]
    pipeline.trees(long)
    for text in (*long, "and/or"):
        list(words._tokenizer.tokens(text))
    assert max(map(len, words._known.parts)) <= 100
    assert max(map(len, words._tokenizer._kept)) <= 100


def test_many_long_texts_are_read_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*sentences(60), "", "word " * 100]
    expected = plain().trees(texts)
    monkeypatch.setattr("compsim.parsers.pipeline.shipped._CHARACTERS", 200)
    assert plain().trees(texts) == expected


def test_the_version_depends_on_weights_and_tables(tmp_path: Path) -> None:
    nlp = restored(FOLDER)
    nlp.get_pipe("lemmatizer").lookups.get_table("lemma_exc")["noun"]["geese"] = ["swan"]  # type: ignore[attr-defined]
    export(nlp, tmp_path)
    own, shipped = (
        json.loads((folder / "about.json").read_text(encoding="utf8"))["version"]
        for folder in (tmp_path, FOLDER)
    )
    assert own != shipped
    assert SrlParser(tmp_path).version != SrlParser().version


def test_without_spacy_its_pipelines_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compsim.missing.find_spec", lambda name: None)
    for use in (lambda: SrlParser("en_core_web_nope").version, lambda: spacy_tree()):
        with pytest.raises(MissingExtraError, match=re.escape('pip install ".[spacy]"')):
            use()


def spacy_tree() -> list[Tree]:
    return SpacyPipeline("en_core_web_nope").trees(["Cats sleep."])


def test_a_folder_of_the_same_format_is_a_pipeline(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "own")
    own = load("srl", pipeline=str(tmp_path / "own"))
    assert own.parse(["Cats chase mice."]) == load("srl").parse(["Cats chase mice."])
