"""Word analogies put into sentences: six relations from Google's word analogies and templates.

After Zhu and de Melo (2020): each distinct word pair of a category, in the order of the file, in
each of the category's templates. The sizes are theirs, the templates are our own. A template is a
pair, for either sentence; ``generator`` makes the paper's other relations too.

>>> fill([("{} is large.", "{} is far away.")], [("Rome", "Italy"), ("Oslo", "Norway")])
[('Rome is large.', 'Italy is far away.'), ('Oslo is large.', 'Norway is far away.')]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from compsim.benchmarks.datasets.tables import read_table
from compsim.errors import DataError, InputError
from compsim.storage.reading import read_text

__all__ = ["RELATIONS", "Made", "fill", "generate", "read_templates", "read_words"]

Pair: TypeAlias = tuple[str, str]


class Made(NamedTuple):
    """A section of Google's file, the templates, and what is done to the section's pairs first."""

    section: str
    templates: tuple[Pair, ...]
    prepared: Callable[[list[Pair]], list[Pair]] = list


def _both(*templates: str) -> tuple[Pair, ...]:
    """Templates that serve both sentences."""
    return tuple((template, template) for template in templates)


def _capitalised(pairs: list[Pair]) -> list[Pair]:
    return [(first, second[0].upper() + second[1:]) for first, second in pairs]


def _by_city(pairs: list[Pair]) -> list[Pair]:
    """One state for each city: the first that is named."""
    return list({city: (city, state) for city, state in reversed(pairs)}.values())[::-1]


#: Pairs that are no nouns, and nouns that are no kin.
_PRONOUNS: Final = {"he", "his"}
_ROLES: Final = {"boy", "king", "groom", "prince", "man", "policeman"}


def _with_determiner(pairs: list[Pair]) -> list[Pair]:
    """ "My" before kin, "The" before others."""
    results = []
    for first, second in pairs:
        if first not in _PRONOUNS:
            word = "The" if first in _ROLES else "My"
            results.append((f"{word} {first}", f"{word} {second}"))
    return results


_PLACES: Final = _both(
    "Our train to {} leaves at noon.",
    "She wrote a long book about {}.",
    "It has rained in {} since Monday.",
    "My neighbours were born in {}.",
    "The museum lent two paintings to {}.",
    "Nobody in the office has ever been to {}.",
    "He learned to cook when he lived in {}.",
    "The letter from {} arrived yesterday.",
)
#: The relations by name, which is that of their file.
RELATIONS: Final[Mapping[str, Made]] = {
    "capital-common": Made("capital-common-countries", _PLACES[:6]),
    "capital-world": Made("capital-world", _PLACES),
    "currency": Made(
        "currency",
        (
            ("The harvest in {} was poor this year.", "{} prices rose again this week."),
            ("Many tourists flew to {} in June.", "{} notes are hard to forge."),
            ("The parliament of {} met on Friday.", "{} coins filled the whole drawer."),
            ("The trains in {} are seldom late.", "{} loans have become expensive."),
            ("A new bank was founded in {}.", "{} bills lay on the counter."),
        ),
        _capitalised,
    ),
    "city-in-state": Made(
        "city-in-state",
        (
            *_PLACES[:4],
            ("The mayor of {} opened the bridge.", "The governor of {} signed the bill."),
            ("The streets of {} were empty at dawn.", "The farms of {} lost much of their corn."),
        ),
        _by_city,
    ),
    "gender": Made(
        "family",
        (
            *_both(
                "{} waited in the rain for an hour.",
                "{} forgot to lock the back door.",
                "{} bought apples at the market.",
                "{} sang an old song after dinner.",
                "{} came home late from the party.",
            ),
            ("{} wore a tie to the wedding.", "{} wore a long dress to the wedding."),
        ),
        _with_determiner,
    ),
    "nationality": Made(
        "gram6-nationality-adjective",
        (
            ("The painter from {} sold a landscape.", "The {} painter sold a landscape."),
            ("A student from {} won the prize.", "A {} student won the prize."),
            ("The cheese from {} tastes of nuts.", "The {} cheese tastes of nuts."),
            ("We hired two engineers from {}.", "We hired two {} engineers."),
            ("The team from {} lost the final.", "The {} team lost the final."),
        ),
    ),
}


def read_templates(path: str | Path) -> dict[str, Made]:
    """Templates of one's own: a relation, a section of words, and two templates, tabs between.

    The second template may be left out where it is the first. Raises ``DataError`` that names the
    line of what is malformed.
    """
    sections: dict[str, str] = {}
    result: dict[str, list[Pair]] = {}
    for line, cells in read_table(Path(path), "\t", verbatim=True):
        if len(cells) not in (3, 4) or not all(cells):
            raise DataError(
                f"{path}, line {line}: {len(cells)} columns, not 3 or 4: give a relation, a "
                "section of the words and one or two templates, tabs between"
            )
        name, section, first, *second = cells
        for template in (first, *second):
            if template.count("{}") != 1:
                raise DataError(f"{path}, line {line}: {_not_one(template)}")
        if sections.setdefault(name, section) != section or "/" in name:
            raise DataError(
                f"{path}, line {line}: relation {name!r} has words of the section "
                f"{sections[name]!r} before: give it one section, and a plain name"
            )
        result.setdefault(name, []).append((first, second[0] if second else first))
    if not result:
        raise DataError(f"{path} has no template: give one a line")
    return {name: Made(sections[name], tuple(pairs)) for name, pairs in result.items()}


def generate(
    sections: Mapping[str, Sequence[Pair]], relations: Mapping[str, Made] | None = None
) -> dict[str, list[Pair]]:
    """The pairs of sentences of each relation, of the word pairs by section of Google's file.

    ``relations`` are other ones than the built-in. Raises ``DataError`` where a section is not
    there.
    """
    result = {}
    for name, made in (RELATIONS if relations is None else relations).items():
        if not sections.get(made.section):
            raise DataError(
                f"there are no word pairs in the section {made.section!r}, of which {name} is "
                "made: give Google's questions-words.txt, or one like it"
            )
        result[name] = fill(made.templates, made.prepared(list(sections[made.section])))
    return result


def fill(templates: Sequence[Pair], pairs: Sequence[Pair]) -> list[Pair]:
    """Each pair of words in each pair of templates, all of the first template first.

    Raises ``InputError`` for a template that does not have one ``{}``.
    """
    for template in (each for both in templates for each in both):
        if template.count("{}") != 1:
            raise InputError(_not_one(template))
    return [
        (first.replace("{}", a), second.replace("{}", b))
        for first, second in templates
        for a, b in pairs
    ]


def _not_one(template: str) -> str:
    return f"template {template!r} has not one {{}}: mark one place for the word"


def read_words(path: str | Path) -> dict[str, list[Pair]]:
    """The distinct word pairs of each section of a file of Google's word analogies, in its order.

    Raises ``DataError`` that names the line of what is malformed.
    """
    result: dict[str, dict[Pair, None]] = {}
    section: dict[Pair, None] | None = None
    for number, line in enumerate(read_text(Path(path)).splitlines(), start=1):
        words = line.split()
        if words[:1] == [":"] and len(words) == 2:
            section = result.setdefault(words[1], {})
        elif len(words) == 4 and section is not None:
            section |= {(words[0], words[1]): None, (words[2], words[3]): None}
        elif words:
            raise DataError(
                f"{path}, line {number}: neither ': SECTION' nor four words below one: give "
                "Google's questions-words.txt"
            )
    return {name: list(pairs) for name, pairs in result.items()}
