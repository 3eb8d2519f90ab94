"""Recipe of the words that are written with a capital (``weights/names.txt``), from plain text.

::

    python -m compsim.weights.build_names --data FOLDER --out weights/names.txt

``FOLDER`` holds ``text/sentences.tsv.gz``, a source and a sentence a line. Words inside sentences
are counted as they are written: one that mostly has a capital is a name, a month, a nationality or
an abbreviation, and is listed in its commonest spelling. So are pairs of words that have capitals
together but not each by itself: *New York*. Headlines, in which every word has one, do not count.

>>> names(["In May we saw Anna and the new house in New York."] * 5)
['Anna', 'May', 'New York', 'York']
"""

from __future__ import annotations

import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

__all__ = ["names", "read_sentences"]

#: As rare words and pairs are left out.
_WORDS, _PAIRS = 3, 5
#: The letters of the longest abbreviation.
_LONGEST: Final = 4
#: A word with a capital in a smaller share of its uses is none of these.
_SHARE: Final = 0.6
_WORD: Final = re.compile(r"[^\W\d_]+")
#: A capital after one of these says nothing.
_OPENING: Final = re.compile(r"[.!?:;\"\u201c(\[]\s*\Z|^\W*\Z")


def read_sentences(path: Path) -> Iterator[str]:
    """The sentence of each line, behind its source."""
    with gzip.open(path, "rt", encoding="utf8") as lines:
        for line in lines:
            yield line.rstrip("\n").partition("\t")[2]


def names(sentences: Iterable[str]) -> list[str]:
    """Words and pairs that mostly have a capital, as they are mostly written, sorted."""
    words: dict[str, Counter[str]] = defaultdict(Counter)
    pairs: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        tokens = list(_WORD.finditer(sentence))
        lower = sum(token[0].islower() for token in tokens)
        if lower * 2 < len(tokens):
            continue
        last = ""
        for token in tokens:
            if _OPENING.search(sentence[: token.start()][-3:]):
                last = ""
                continue
            word = token[0]
            words[word.lower()][word] += 1
            if last and sentence[token.start() - 1] == " ":
                pairs[f"{last} {word}".lower()][f"{last} {word}"] += 1
            last = word
    result = {word: best for word, forms in words.items() if (best := _capital(forms, _WORDS))}
    for pair, forms in pairs.items():
        best = _capital(forms, _PAIRS)
        parts = best.split()
        if parts and parts[1][0].isupper() and any(result.get(p.lower()) != p for p in parts):
            result[pair] = best
    return sorted(result.values())


def _capital(forms: Counter[str], least: int) -> str:
    """The commonest spelling with a capital, "" where most uses have none.

    A long word in capitals is a name that was shouted, as in a play, rather than an abbreviation.
    """
    capital = {form: count for form, count in forms.items() if form[0].isupper()}
    if not capital or sum(capital.values()) < max(least, _SHARE * forms.total()):
        return ""
    best = min(capital, key=lambda form: (-capital[form], form))
    return best.capitalize() if best.isupper() and len(best) > _LONGEST else best


def main(
    data: Annotated[Path, typer.Option(help="Folder of the sources.")],
    out: Annotated[Path, typer.Option(help="File to write.")],
) -> None:
    """Write the list."""
    result = names(read_sentences(data / "text" / "sentences.tsv.gz"))
    out.write_text("\n".join(result) + "\n", encoding="utf8")


if __name__ == "__main__":
    typer.run(main)
