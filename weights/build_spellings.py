"""Recipe of ``weights/spellings.txt``: British and American spellings of one word.

::

    python -m compsim.weights.build_spellings oewn-relations.tsv.gz

The synonyms of Open English WordNet hold both spellings of most words that have two. A pair is
taken where one of the patterns below leads from one to the other, and one of the two is among the
built-in word vectors. What WordNet does not have as synonyms is listed here.

>>> sorted(british_spellings([("colour", "color"), ("metre", "meter"), ("hall", "hallway")]))
[('colour', 'color'), ('metre', 'meter')]
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final

import typer

from compsim.storage.files import write_text
from compsim.storage.places import weights_folder
from compsim.storage.reading import read_text
from compsim.vectors import WordVectors

__all__ = ["british_spellings"]

_PATTERNS: Final = (
    ("our", "or"), ("is(?=e|ing|ation|able)", "iz"), ("yse", "yze"), ("re$", "er"),
    ("re(?=d|s|board|piece|fold|glass|optic)", "er"), ("ogue", "og"), ("ence", "ense"),
    ("ae", "e"), ("oe", "e"), ("mme", "m"), ("que", "ck"), ("ough", "ow"),
    ("ll(?=ed$|ing$|or|er|ous|ist)", "l"), ("l(?=s?$|ment)", "ll"),
)  # fmt: skip
_OTHERS: Final = """
ageing aging, aluminium aluminum, artefact artifact, cheque check, cosy cozy, draught draft,
gaol jail, grey gray, judgement judgment, acknowledgement acknowledgment, kerb curb, mould mold,
mouldy moldy, moustache mustache, mum mom, mums moms, maths math, plough plow, practise practice,
programme program, pyjamas pajamas, sceptical skeptical, sceptic skeptic, smoulder smolder,
storey story, storeys stories, sulphur sulfur, towards toward, afterwards afterward,
backwards backward, forwards forward, tyre tire, tyres tires, whisky whiskey, learnt learned,
burnt burned, dreamt dreamed, spelt spelled, spoilt spoiled, leapt leaped, leant leaned,
spilt spilled, jewellery jewelry, woollen woolen, counsellor counselor, councillor councilor,
skilful skillful, wilful willful, fulfil fulfill, enrol enroll, instal install, distil distill,
appal appall, instalment installment, enrolment enrollment, fulfilment fulfillment,
licence license, defence defense, offence offense, pretence pretense, catalogue catalog,
analogue analog, dialogue dialog, manoeuvre maneuver, diarrhoea diarrhea, anaemia anemia,
paediatric pediatric, paediatrician pediatrician, orthopaedic orthopedic, foetus fetus,
encyclopaedia encyclopedia, mediaeval medieval, aeroplane airplane, doughnut donut,
yoghurt yogurt, sceptre scepter, theatre theater, axe ax, omelette omelet, disc disk,
enquiry inquiry, enquiries inquiries, enquire inquire, whilst while, amongst among
"""


def british_spellings(synonyms: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the pairs of a British and an American spelling among pairs of synonyms."""
    seen = set()
    for one, two in synonyms:
        for british, american in ((one, two), (two, one)):
            for pattern, ending in _PATTERNS:
                for match in re.finditer(pattern, british):
                    if british[: match.start()] + ending + british[match.end() :] == american:
                        seen.add((british, american))
    return seen


def main(
    relations: Annotated[Path, typer.Argument(help="word, relation, word; tabs between; gzipped")],
) -> None:
    """Write weights/spellings.txt."""
    rows = [line.split("\t") for line in read_text(relations).splitlines()]
    known = set(WordVectors.open("builtin").words)
    synonyms = [
        (row[0], row[2])
        for row in rows
        if row[1] == "synonym" and all(word.isalpha() and word.islower() for word in row[::2])
    ]
    made = {pair for pair in british_spellings(synonyms) if known & set(pair)}
    table = {british: american for british, american in sorted(made) if american not in _SAME}
    for pair in _OTHERS.split(","):
        british, american = pair.split()
        table[british] = american
    # A chain ends at its last word: "colourise" is "colorise" is "colorize".
    for british in table:
        seen = {british}
        while (american := table[british]) in table and american not in seen:
            seen.add(american)
            table[british] = table[american]
    lines = [f"{british} {american}" for british, american in sorted(table.items())]
    head = "# British and American spellings of one word: python -m compsim.weights.build_spellings"
    write_text(weights_folder() / "spellings.txt", "\n".join([head, *lines]) + "\n")


#: American words of pairs that differ in meaning elsewhere.
_SAME: Final = frozenset(("chilli", "chilly", "ether"))


if __name__ == "__main__":
    typer.run(main)
