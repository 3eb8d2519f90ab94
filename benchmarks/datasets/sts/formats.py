"""The formats in which STS datasets are published: where the pair and the rating stand.

A format is data: how cells are separated, which of them are the pair, the rating and what else the
file tells, and the ends of its scale of ratings.

>>> FORMATS["sick"].name, FORMATS["sick"].low, FORMATS["sick"].high
('SICK', 1.0, 5.0)
>>> recognise("pair_ID\\tsentence_A\\tsentence_B\\trelatedness_score", "x.txt")
'sick'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from compsim.benchmarks.datasets.tables import number

__all__ = ["FORMATS", "Format", "Row", "recognise", "third_person"]

#: The cells of a row by their column's name in lower case, or by "0", "1", ... without a header.
Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Format:
    """File format of a published dataset.

    ``pair`` makes the two sentences of a row and raises ``KeyError`` for a cell that is not there;
    ``rating``, ``types`` and ``parts`` are columns, the first one there counts. ``header``: the
    first row has the columns' names; None, it may have some, and cells are known by place.
    ``raters``: a row is one person's rating, so that pairs come several times. ``quoted``: quotes
    hold a cell together; elsewhere they are text. An empty ``name`` is that of the file.
    """

    name: str
    mark: str
    low: float
    high: float
    pair: Callable[[Row], tuple[str, str]]
    rating: str
    header: bool | None = True
    raters: bool = False
    quoted: bool = False
    types: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()


def third_person(verb: str) -> str:
    """The present tense of a verb after "it": carries, watches, has."""
    if verb in ("have", "be"):
        return {"have": "has", "be": "is"}[verb]
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def _cells(first: str, second: str) -> Callable[[Row], tuple[str, str]]:
    return lambda row: (row[first], row[second])


def _lines_of_text(row: Row) -> tuple[str, str]:
    """STR-2022 has both sentences in one cell, a line each."""
    first, mark, second = row["text"].partition("\n")
    if not mark:
        raise KeyError("second sentence")
    return first.strip(), second.strip()


def _transitive(subject: str, verb: str, object_: str) -> str:
    """The words of a triple as a sentence; they are published as lemmas."""
    return f"the {subject} {third_person(verb)} the {object_}"


def _landmark(row: Row) -> tuple[str, str]:
    """GS2011 changes the verb, all else stays."""
    first, second = (
        _transitive(row["subject"], row[verb], row["object"]) for verb in ("verb", "landmark")
    )
    return first, second


def _triples(row: Row) -> tuple[str, str]:
    """KS2013 has two triples."""
    first, second = (
        _transitive(row[f"subject{i}"], row[f"verb{i}"], row[f"object{i}"]) for i in (1, 2)
    )
    return first, second


def _adjectives(row: Row) -> tuple[str, str]:
    """GS2012 has an adjective with each noun, and changes the verb."""
    subject = f"{row['adj_subj']} {row['subj']}"
    object_ = f"{row['adj_obj']} {row['obj']}"
    first, second = (_transitive(subject, row[verb], object_) for verb in ("verb", "landmark"))
    return first, second


def _phrases(row: Row) -> tuple[str, str]:
    """Mitchell and Lapata (2010): the head of a verb's phrase comes behind its object."""
    words = [row[str(i)] for i in (3, 4, 5, 6)]
    if row["1"] == "verbobjects":
        words = [words[1], words[0], words[3], words[2]]
    return " ".join(words[:2]), " ".join(words[2:])


#: The formats by the name that ``open_dataset`` knows them by.
FORMATS: Final = {
    # s1;s2;rating of the STS3k authors, for their own data and what they have made of others'.
    "sts3k-pairs": Format("", ";", 0, 1, _cells("0", "1"), "2", header=False),
    "stsb": Format("STSb", "\t", 0, 5, _cells("5", "6"), "4", header=False, parts=("0",)),
    "sick": Format(
        "SICK",
        "\t",
        1.0,
        5.0,
        _cells("sentence_a", "sentence_b"),
        "relatedness_score",
        types=("entailment_judgment", "entailment_label"),
        parts=("semeval_set",),
    ),
    "stss131": Format("STSS-131", ";", 0, 4, _cells("1", "2"), "3", header=None, quoted=True),
    "str2022": Format("STR-2022", ",", 0, 1, _lines_of_text, "score", quoted=True),
    # SemRel-2024 has STR-2022's columns, its files are named after a language: eng_train.csv.
    "semrel": Format("SemRel-2024", ",", 0, 1, _lines_of_text, "score", quoted=True),
    "gs2011": Format("GS2011", " ", 1, 7, _landmark, "input", raters=True, types=("hilo",)),
    # KS2013-CoNLL is in the same format, so that the name is the file's.
    "gs2012": Format("", " ", 1, 7, _adjectives, "annotator_score", raters=True),
    "ks2013": Format("KS2013", " ", 1, 7, _triples, "score", raters=True),
    "mitchell324": Format(
        "Mitchell-324", " ", 1, 7, _phrases, "7", header=None, raters=True, types=("1",)
    ),
    "bird": Format("BiRD", "\t", 0, 1, _cells("1", "2"), "6", header=None),
}

#: Columns by which a header tells its format.
_HEADERS: Final = {
    "sick": {"sentence_a", "sentence_b", "relatedness_score"},
    "str2022": {"text", "score"},
    "gs2011": {"subject", "verb", "object", "landmark"},
    "gs2012": {"adj_subj", "subj", "landmark", "verb", "adj_obj", "obj"},
    "ks2013": {"subject1", "verb1", "object1", "subject2", "verb2", "object2"},
}
_SPLITS: Final = ("train", "dev", "test")
_PHRASES: Final = ("adjectivenouns", "compoundnouns", "verbobjects")


def recognise(line: str, file_name: str) -> str | None:
    """The format of a file by its first line and its name, None for an unknown one."""
    for name, columns in _HEADERS.items():
        cells = [cell.strip().strip('"').lower() for cell in _split(line, FORMATS[name].mark)]
        if columns <= set(cells):
            return "semrel" if name == "str2022" and _is_semrel(file_name) else name
    if file_name.lower().startswith("bird") and line.count("\t") >= 6:
        return "bird"
    if "stss" in file_name.lower() and line.count(";") >= 3:
        return "stss131"
    cells = line.split()
    if len(cells) == 8 and cells[1] in _PHRASES:
        return "mitchell324"
    cells = line.split("\t")
    if len(cells) >= 7 and number(cells[4]) is not None:
        return "stsb"
    cells = line.split(";")
    if len(cells) == 3 and number(cells[2]) is not None:
        return "sts3k-pairs"
    if len(cells) in (4, 5) and cells[0].strip().isdecimal() and number(cells[3]) is not None:
        return "stss131"
    return None


def _is_semrel(file_name: str) -> bool:
    """Return whether a name is a language of three letters, then a split."""
    language, _, split = file_name.lower().partition("_")
    return len(language) == 3 and split.partition(".")[0].partition("_")[0] in _SPLITS


def _split(line: str, mark: str) -> list[str]:
    return line.split(mark if mark != " " else None)
