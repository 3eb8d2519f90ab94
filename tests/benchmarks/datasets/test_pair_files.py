"""Labelled pairs: each format on a few rows of its own, malformed files, the real file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from compsim.benchmarks.datasets.pairs import (
    LabelledPair,
    pair_format,
    pairs_of_triples,
    read_pairs,
)
from compsim.benchmarks.datasets.triples import Triple, read_triples
from compsim.errors import DataError

PAWS = "id\tsentence1\tsentence2\tlabel\n"
PLAIN = "kind\tfirst\tsecond\tsame\n"


def test_paws_is_read_as_published(tmp_path: Path) -> None:
    path = tmp_path / "dev_and_test.tsv"
    path.write_text(
        PAWS + "1\tHe said `` no '' .\t'' No , '' he said .\t1\n12\tA saw B .\tB .\t0\n"
    )
    assert pair_format(path) == "paws"
    expected = [
        LabelledPair("", "He said `` no '' .", "'' No , '' he said .", True),
        LabelledPair("", "A saw B .", "B .", False),
    ]
    assert read_pairs(path) == expected
    path.write_text(path.read_text().replace("label", "noisy_label"))
    assert read_pairs(path) == expected


def test_questions_as_the_script_of_paws_writes_them_in_python_3(tmp_path: Path) -> None:
    questions = [("Who is it ?", "What is 'it' ?"), ("Why \u2026 ?", "How b' ?"), ("b'", "b'\\x'")]
    written = [
        tuple(str(text.encode()) if text[0] != "b" else text for text in pair) for pair in questions
    ]
    assert written[0][0] == "b'Who is it ?'"
    path = tmp_path / "train.tsv"
    path.write_text(PAWS + "".join(f"{i}\t{a}\t{b}\t0\n" for i, (a, b) in enumerate(written)))
    assert [(pair.first, pair.second) for pair in read_pairs(path)] == questions


def test_plain_pairs_have_kinds_and_breaks(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text(PLAIN + 'voice\tA\\nB\t"C"\t1\nnegation\tA\tnot A\t0\n')
    assert pair_format(path) == "pairs"
    assert read_pairs(path) == [
        LabelledPair("voice", "A\nB", '"C"', True),
        LabelledPair("negation", "A", "not A", False),
    ]


def test_rated_pairs_are_the_same_or_not_and_those_between_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "sts-dev.csv"
    path.write_text(
        "".join(
            f"main\tnews\t2015\t1\t{rating}\tA {rating}.\tB.\n" for rating in (5, 4, 3.9, 3, 2.9)
        )
    )
    assert pair_format(path) == "rated"
    assert read_pairs(path) == [
        LabelledPair("", "A 5.", "B.", True),
        LabelledPair("", "A 4.", "B.", True),
        LabelledPair("", "A 2.9.", "B.", False),
    ]
    path.write_text("".join(f"main\tnews\t2015\t1\t3.{i}\tA {i}.\tB.\n" for i in range(4)))
    with pytest.raises(DataError, match="no rating is below"):
        read_pairs(path)


def test_a_triple_makes_three_pairs(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("phenomenon\tsentence\tsame\tother\nvoice\ta\tb\tc\nnegation\td\te\tf\n")
    assert pair_format(path) == "contrasts"
    assert read_pairs(path)[:3] == [
        LabelledPair("voice", "a", "b", True),
        LabelledPair("voice", "a", "c", False),
        LabelledPair("voice", "b", "c", False),
    ]
    assert read_pairs(path) == pairs_of_triples(read_triples(path))
    assert pairs_of_triples([Triple("voice", "a", "b", "c")]) == read_pairs(path)[:3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: neither the columns of pairs nor a file of triples"),
        ("a\tb\n", "line 1: neither the columns of pairs"),
        (PLAIN, "line 2: there are no pairs"),
        (PLAIN + "x\ta\tb\t2\n", "line 2: not four cells .* 0 or 1: give a kind"),
        (PLAIN + "x\ta\tb\t1\n\nx\ta\t\t1\n", "line 4: not four cells"),
        (PAWS + "1\ta\t1\n", "line 2: not four cells .*: give an id"),
    ],
)
def test_what_is_malformed_is_named(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        read_pairs(path)


def test_the_real_file(data_dir: Path) -> None:
    path = data_dir / "guard" / "guard.tsv"
    if not path.is_file():
        pytest.skip(f"there is no {path}")
    labels = Counter(pair.same for pair in read_pairs(path))
    assert sum(labels.values()) == 232
    assert min(labels.values()) > 100
