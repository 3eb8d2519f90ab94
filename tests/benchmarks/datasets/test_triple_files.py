"""Triples: each format on a few rows of its own, malformed files, the real files."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from compsim.benchmarks.datasets.judgements import judgement
from compsim.benchmarks.datasets.triples import (
    FILES,
    Triple,
    order_files,
    read_contrasts,
    read_triples,
    triple_format,
)
from compsim.errors import DataError

COLUMNS = "phenomenon\tsentence\tsame\tother\n"
CONTRASTS = COLUMNS + (
    "order\tCats chase mice.\tMice are chased by cats.\tMice chase cats.\n"
    'white space\tHe said "no".\tHe said\\n"no".\tShe said "no".\n'
)
CAPTIONS = [
    {
        "id": 2,
        "filename": "000000287347.jpg",
        "caption": "a cat on a mat ",
        "caption2": "On a mat is a cat.",
        "negative_caption": "a mat on a cat",
    }
]
SMITH = (
    "original_sentence,modified_sentence,modification_type,semantic_relationship,paraphrase,"
    "source_file\n"
    '"A, then B .",Not A .,polarity_negation,contradiction,"He said ""B after A"" .",paws.csv\n'
    "A ran .,B ran .,RS,contradiction,Running was done by A .,paws.csv\n"
)


def test_each_format_is_recognised_and_read(tmp_path: Path) -> None:
    captions, smith, contrasts = (
        tmp_path / name for name in ("swap_obj.json", "paws.csv", "mine.tsv")
    )
    captions.write_text(json.dumps(CAPTIONS))
    smith.write_text(SMITH)
    contrasts.write_text(CONTRASTS)
    result = {triple_format(file): read_triples(file) for file in (captions, smith, contrasts)}
    assert result == {
        "sugarcrepe-pp": [
            Triple("swap_obj", "a cat on a mat ", "On a mat is a cat.", "a mat on a cat")
        ],
        "sentence-smith": [
            Triple("polarity_negation", "A, then B .", 'He said "B after A" .', "Not A ."),
            Triple("RS", "A ran .", "Running was done by A .", "B ran ."),
        ],
        "contrasts": [
            Triple("order", "Cats chase mice.", "Mice are chased by cats.", "Mice chase cats."),
            Triple("white space", 'He said "no".', 'He said\n"no".', 'She said "no".'),
        ],
    }
    packed = tmp_path / "swap_obj.json.gz"
    packed.write_bytes(gzip.compress(captions.read_bytes()))
    assert read_triples(packed) == result["sugarcrepe-pp"]
    captions.write_text(json.dumps({"0": CAPTIONS[0]}))
    assert read_triples(captions) == result["sugarcrepe-pp"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: neither JSON nor the columns of a table of triples"),
        ("kind\tfirst\tsecond\tsame\na\tb\tc\t1\n", "line 1: neither JSON nor"),
        ("[", "not JSON"),
        ("[]", "no triples: give a file of SugarCrepe"),
        ("[3]", "entry 1: not three captions"),
        (json.dumps([*CAPTIONS, {**CAPTIONS[0], "caption2": None}]), "entry 2: not three captions"),
        ('{"0": {"caption": "a", "negative_caption": "b"}}', "entry 1: not three captions"),
        (SMITH.split("\n")[0], "line 2: there are no triples"),
        (SMITH + "A,,RS,x,B,paws.csv\n", "line 4: 6 cells for 6 columns, or an empty one"),
        (SMITH + "A,B,RS\n", "line 4: 3 cells for 6 columns"),
    ],
)
def test_what_is_malformed_is_named(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        read_triples(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: not the columns"),
        ("a\tb\n", "line 1: not the columns phenomenon, sentence, same, other"),
        (COLUMNS, "line 2: there are no triples"),
        (COLUMNS + "x\tOne.\tTwo.\n", "line 2: 3 cells with text in 3, not 4"),
        (CONTRASTS + "\nx\tOne.\t\tTwo.\n", "line 5: 3 cells with text in 4"),
        (CONTRASTS + "x\tOne.\tTwo.\tThree.\tFour.\n", "line 4: 5 cells"),
    ],
)
def test_malformed_contrasts_are_named(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        read_contrasts(path)
    with pytest.raises(DataError, match="cannot be read"):
        read_contrasts(tmp_path / "none.tsv")


def test_the_real_files(data_dir: Path) -> None:
    folder, smith = data_dir / "sugarcrepe-pp", data_dir / "sentence-smith" / "paws.csv"
    if not folder.is_dir() or not smith.is_file():
        pytest.skip(f"no SugarCrepe++ or Sentence Smith in {data_dir}")
    files = order_files(folder.glob("*.json"))
    assert [file.stem for file in files] == list(FILES)
    counts = {file.stem: len(read_triples(file)) for file in files}
    assert counts == {
        "replace_att": 303,
        "replace_obj": 678,
        "replace_rel": 573,
        "swap_att": 272,
        "swap_obj": 114,
    }
    triples = read_triples(smith)
    kinds = Counter(triple.kind for triple in triples)
    judged = Counter(judgement(*pair) for pair in {(each.text, each.same) for each in triples})
    assert judged == {"same": 186, "different": 227, "unclear": 23}
    assert kinds == {"polarity_negation": 278, "antonym": 185, "RS": 125, "RD": 69, "hypernym": 28}
    assert len(read_triples(data_dir / "contrasts" / "contrasts.tsv")) == 123
