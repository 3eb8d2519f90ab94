"""The lexicon: rows of words, and errors that name file and line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compsim.errors import DataError
from compsim.parsers.grammar.lexicon import Lexicon

HEAD = "word\tpos\tclass\tfeatures\tsource\n"


def read(folder: Path, text: str) -> Lexicon:
    (folder / "words.tsv").write_text(text, encoding="utf8")
    return Lexicon.open(folder)


def test_words_by_class(tmp_path: Path) -> None:
    rows = "sit\tVERB\tposture\t\tVerbNet\nin front of\tADP\tplace\ta=b c=d=e\tgrammar\n"
    (tmp_path / "more.tsv").write_text(HEAD + "lie\t\tposture\t\tVerbNet\n", encoding="utf8")
    lexicon = read(tmp_path, HEAD + rows)
    assert lexicon.members("posture") == {"sit", "lie"}
    assert lexicon.feature("place", "in front of", "c") == "d=e"
    assert lexicon.feature("place", "in front of", "x") == ""
    assert lexicon.feature("place", "behind", "a") == lexicon.feature("none", "behind", "a") == ""
    entry = lexicon.entry("posture", "sit")
    assert entry is not None
    assert (entry.pos, entry.kind, entry.features) == ("VERB", "posture", {})
    assert lexicon.entry("posture", "in front of") is None
    with pytest.raises(DataError, match="the lexicon has no class 'furry'"):
        lexicon.members("furry")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "words.tsv: the first line does not name the columns"),
        ("word\tpos\tclass\n", "words.tsv: the first line does not name the columns"),
        (HEAD + "sit\tVERB\tposture\tVerbNet\n", "words.tsv, line 2: not word, pos, class"),
        (HEAD + "sit\tVERB\tposture\t\tVerbNet\t\n", "words.tsv, line 2: not word, pos, class"),
        (HEAD + "sit\tVERB\tposture\t\tVerbNet\n\n", "words.tsv, line 3: not word, pos, class"),
        (HEAD + "\tVERB\tposture\t\tVerbNet\n", "words.tsv, line 2: not word, pos, class"),
        (HEAD + "sit\tVERB\t\t\tVerbNet\n", "words.tsv, line 2: not word, pos, class"),
        (HEAD + "sit\tVERB\tposture\t\t\n", "words.tsv, line 2: not word, pos, class"),
        (HEAD + "sit\tVERB\tposture\tdeep\tVerbNet\n", "line 2: write features as name=value"),
        (HEAD + "sit\tVERB\tposture\tdeep=\tVerbNet\n", "line 2: write features as name=value"),
        (HEAD + "sit\tVERB\tposture\t=yes\tVerbNet\n", "line 2: write features as name=value"),
    ],
)
def test_a_table_that_cannot_be_read(text: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=re.escape(fault)):
        read(tmp_path, text)


def test_a_table_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "words.tsv").write_bytes(b"\xff")
    with pytest.raises(DataError, match=r"words\.tsv is not UTF-8"):
        Lexicon.open(tmp_path)


def test_no_word_stands_twice_in_a_class(tmp_path: Path) -> None:
    rows = "sit\tVERB\tposture\t\tVerbNet\n" * 2
    with pytest.raises(DataError, match=r"line 3: 'sit' stands in the class 'posture' already"):
        read(tmp_path, HEAD + rows)


def test_words_that_exclude_each_other_are_grouped(tmp_path: Path) -> None:
    rows = "red\t\tcolour\tgroup=red\tx\nscarlet\t\tcolour\tgroup=red\tx\nblue\t\tcolour\tgroup=blue\tx\n"
    lexicon = read(tmp_path, HEAD + rows + "sit\tVERB\tposture\t\tVerbNet\n")
    assert lexicon.contrast("red") == lexicon.contrast("scarlet") != lexicon.contrast("blue")
    assert lexicon.contrast("red")[0] == lexicon.contrast("blue")[0] > 0
    assert lexicon.contrast("sit") == lexicon.contrast("absent") == (0, 0)
