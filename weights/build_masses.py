"""Recipe of the masses of words (``weights/masses.txt``) that the method ``synwmd`` moves.

::

    python -m compsim.weights.build_masses --data FOLDER --out weights/masses.txt

``FOLDER`` holds ``parses/silver-en_core_web_sm-2.2.5.conll.gz``, trees of plain sentences. Their
words make a graph (``compsim.embeddings.word_flow``); those of which the mass is below .9 are
listed, by their masses.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from compsim.embeddings.word_flow import WordGraph, is_word
from compsim.parsers.files.conll import read_conll

_TREES: Final = "parses/silver-en_core_web_sm-2.2.5.conll.gz"
#: Words of a higher mass are taken for the rarest.
_MOST: Final = 0.9


def main(
    data: Annotated[Path, typer.Option(help="Folder of the sources.")],
    out: Annotated[Path, typer.Option(help="File to write.")],
) -> None:
    """Write the words that weigh less than the rarest, and what they weigh."""
    graph = WordGraph()
    for tree in read_conll(data / _TREES):
        graph.add([word.lower() for word in tree.words], tree.heads)
    masses = sorted((mass, word) for word, mass in graph.masses().items())
    kept = [f"{word}\t{mass:.3g}\n" for mass, word in masses if mass < _MOST and is_word(word)]
    out.write_text("".join(kept), encoding="utf8")
    typer.echo(f"{len(kept):,} of {len(masses):,} words: {out}")


if __name__ == "__main__":
    typer.run(main)
