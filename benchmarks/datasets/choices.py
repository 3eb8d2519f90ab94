"""SemAntoNeg (Vahtola, Creutz and Tiedemann 2022): which of three sentences says the same?

JSON Lines, 3,152 entries: ``input``, a sentence; ``sentences``, its negation, the sentence with an
antonym, and the one with both, which says the same; ``label``, the number of the last of these.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp(), "SemAntoNeg.json")
>>> line = '{"idx": 0, "label": 2, "input": "He slept.", '
>>> line += '"sentences": ["He did not sleep.", "He was awake.", "He was not awake."]}'
>>> _ = path.write_text(line)
>>> read_choices(path)[0].same
'He was not awake.'
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

from compsim.benchmarks.datasets.tables import read_objects
from compsim.errors import DataError

__all__ = ["Choice", "is_choices", "read_choices"]

_KEYS: Final = ("input", "sentences", "label")


class Choice(NamedTuple):
    """A sentence, the one that says the same, and those that do not.

    Attributes:
        text: The sentence.
        same: The one of the sentences to choose from that says the same.
        others: The others.
    """

    text: str
    same: str
    others: tuple[str, ...]


def is_choices(line: str) -> bool:
    """Return whether a first line is an entry of SemAntoNeg.

    >>> is_choices('{"label": 0, "input": "a", "sentences": ["b", "c", "d"]}')
    True
    """
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(entry, dict) and entry.keys() >= set(_KEYS)


def read_choices(path: str | Path) -> list[Choice]:
    """Return the entries of a file, in its order; raises ``DataError`` for a malformed one."""
    choices = [_choice(entry, f"{path}, line {line}") for line, entry in read_objects(Path(path))]
    if not choices:
        raise DataError(f"{path}: there are no entries: give a file of SemAntoNeg, JSON Lines")
    return choices


def _choice(entry: dict[str, Any], where: str) -> Choice:
    text: Any
    sentences: Any
    label: Any
    text, sentences, label = (entry.get(key) for key in _KEYS)
    texts = [text, *sentences] if isinstance(sentences, list) else []
    fits = (
        len(texts) > 2
        and all(isinstance(one, str) and one.strip() for one in texts)
        and type(label) is int
        and 0 <= label < len(texts) - 1
    )
    if not fits:
        raise DataError(
            f"{where}: not a sentence (input), two or more to choose from (sentences) and the "
            "number of one of these (label): give a file of SemAntoNeg, JSON Lines"
        )
    same = texts[label + 1]
    return Choice(texts[0], same, tuple(x for i, x in enumerate(texts[1:]) if i != label))
