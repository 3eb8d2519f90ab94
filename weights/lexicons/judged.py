"""Pairs of frequent words as readers have judged them: ``weights/lexicons/judged.tsv``.

What two words are to each other in ordinary sentences, both in those of their usual senses that
come nearest: ``S`` the sentence says the same, ``N`` nearly so, ``A`` the first word is a kind of
the second, ``B`` the second of the first, ``X`` both fit and the sentence says something else,
``O`` it says the opposite, ``T`` they are related by topic, or in rare senses alone. The pairs were
drawn from those that the other sources list and from those with near vectors, by frequency; nobody
who judged them saw a sentence. On 200 of these 17,000 pairs four readers agree with a kappa of .81
(the same, one narrower, exclusive, unrelated). Beside them, readers named what can stand for each
of 5,400 words, frequent ones and those that set phrases stand for: ``S`` where both words were
given for each other, else ``N``. Of 1,408 such pairs that were judged as well, .97 are so there
too; the 3,444 others are here. Two writers listed words that nobody would use for each other: the
2,028 of 3,079 pairs that no source has are here, nouns as ``X``, others as ``O``.

>>> judged_relation("X", Kind.SIMILAR, 0.6), judged_relation("N", Kind.SYNONYM, 0.8)
((<Kind.SISTER: 7>, 0.9), (<Kind.SYNONYM: 2>, 0.8))
>>> judged_relation("T", Kind.SISTER, 0.5), judged_relation("T", Kind.SIMILAR, 0.5)
((<Kind.SISTER: 7>, 0.5), (<Kind.NONE: 0>, 0.0))
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Final

from compsim.errors import DataError
from compsim.vectors.relations import Kind
from compsim.weights.lexicons.lexical_pairs import Pair

__all__ = ["JUDGED", "judged_relation", "read_judged"]

#: The table of judgements, beside this module.
JUDGED: Final = Path(__file__).with_name("judged.tsv")
#: The relation of each judgement, how sure it is, and the relations that may stay beside it.
_RELATIONS: Final = {
    "S": (Kind.SYNONYM, 0.9, (Kind.SYNONYM,)),
    "N": (Kind.SIMILAR, 0.7, (Kind.SIMILAR, Kind.SYNONYM, Kind.DERIVED)),
    "A": (Kind.NARROWER, 0.8, (Kind.NARROWER, Kind.SYNONYM)),
    "B": (Kind.WIDER, 0.8, (Kind.WIDER, Kind.SYNONYM)),
    "X": (Kind.SISTER, 0.9, (Kind.SISTER, Kind.ANTONYM)),
    "O": (Kind.ANTONYM, 0.9, (Kind.ANTONYM,)),
    "T": (Kind.NONE, 0.0, (Kind.SISTER, Kind.ANTONYM, Kind.DERIVED)),
}


def read_judged(path: Path = JUDGED) -> dict[Pair, str]:
    """Return the judgement of each pair, the lower word first.

    Raises:
        DataError: A row has another judgement, or two words that are not in order.
    """
    judged: dict[Pair, str] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file, delimiter="\t"), 2):
            pair = (row["word"], row["other"])
            if pair[0] >= pair[1] or row["judgement"] not in _RELATIONS:
                raise DataError(f"{path}, line {number}: not two words in order and a judgement")
            judged[pair] = row["judgement"]
    return judged


def judged_relation(judgement: str, kind: Kind, strength: float) -> tuple[Kind, float]:
    """Return the relation of a judged pair and its strength, from those of the other sources."""
    judged, least, saying = _RELATIONS[judgement]
    if kind not in saying:
        return judged, least
    return kind, max(strength, least) if kind != Kind.ANTONYM else strength
