"""A corpus on disk: appending against encoding alone, opening, ranking, searching a million.

``measure`` is quick. ``measure_search`` makes a corpus of some GB, of synthetic documents: the
roles of plain sentences, and their whole-sentence vectors with noise, and searches it in a process
of its own, whose memory is told.

>>> from compsim.benchmarks.speed.corpus import measure_search
>>> measure_search(1_000_000)["corpus_search_ms"] < 250  # doctest: +SKIP
True
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from compsim.benchmarks.speed.apart import measured_apart, peak_megabytes
from compsim.benchmarks.speed.rivals import best_times
from compsim.benchmarks.speed.text import sentences

__all__ = ["make_synthetic", "measure", "measure_append", "measure_search"]

#: Distinct sentences that synthetic documents are made of, and documents of a segment.
_SENTENCES: Final = 2000
_SEGMENT: Final = 50_000
#: The length of the noise beside that of a vector.
_NOISE: Final = 0.5
_QUERIES: Final = 30


def measure(count: int = 1000, candidates: int = 100, rounds: int = 5) -> Mapping[str, float]:
    """Documents appended a second over those encoded alone; milliseconds to open and to rank.

    ``corpus_rank_ms`` is for so many candidates, by their ids, of a query that is parsed.
    """
    from compsim import Corpus

    texts = sentences(2 * count + 64)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus(Path(folder) / "corpus", vectors="builtin", cache=False)
        corpus.add(texts[:64])  # what is opened once is open
        encode = _seconds(partial(corpus.encode, texts[64 : 64 + count]))
        ids = corpus.add(texts[64 : 64 + count], batch_size=count)
        append = _seconds(partial(corpus.add, texts[64 + count :], batch_size=count))
        corpus.compact()
        question = corpus.ask(texts[0])
        some = ids[:: max(1, len(ids) // candidates)][:candidates]
        work: dict[str, Callable[[], object]] = {
            "open": lambda: len(Corpus.open(corpus.path)),
            "rank": lambda: corpus.search(question, candidates=some),
        }
        best = best_times({name: partial(_again, action) for name, action in work.items()}, rounds)
    return {
        "corpus_add_vs_encode": encode / append,
        "corpus_open_ms": 1000 * best["open"] / _AGAIN,
        "corpus_rank_ms": 1000 * best["rank"] / _AGAIN,
    }


def measure_append(count: int = 100_000, folder: str | Path | None = None) -> Mapping[str, float]:
    """The same for so many documents, appended a thousand at a time, then joined, then opened."""
    from compsim import Corpus

    texts = sentences(count)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        corpus = Corpus(Path(place) / "corpus", vectors="builtin", cache=False)
        corpus.encode(texts[:64])
        part = texts[: min(count, 5000)]
        encode = _seconds(partial(corpus.encode, part))
        append = _seconds(partial(corpus.add, texts))
        opened = min(_seconds(lambda: len(Corpus.open(corpus.path))) for _ in range(5))
        compact = _seconds(corpus.compact)
    return {
        "corpus_documents": count,
        "corpus_encoded_per_second": len(part) / encode,
        "corpus_added_per_second": count / append,
        "corpus_open_ms": 1000 * opened,
        "corpus_compact_seconds": compact,
    }


def make_synthetic(path: Path, count: int, **options: Any) -> None:
    """Make a corpus of so many synthetic documents, of one sentence each.

    ``options`` are those of ``Corpus``; the method must be ``hybrid``.
    """
    from compsim import Corpus
    from compsim.embeddings.batch import VectorBatch
    from compsim.hybrid.batch import HybridBatch
    from compsim.kernels.cosine import unit_rows
    from compsim.retrieval import Documents

    rng = np.random.default_rng(5)
    corpus = Corpus(path, vectors="builtin", cache=False, **options)
    base = corpus.method.encode(sentences(_SENTENCES))
    unit = base.whole.unit
    noise = _NOISE / unit.shape[1] ** 0.5
    for start in range(len(corpus), count, _SEGMENT):
        size = min(_SEGMENT, count - start)
        rows = rng.integers(0, len(base), size)
        vectors = rng.standard_normal((size, unit.shape[1]), dtype=np.float32)
        vectors = unit_rows(vectors * noise + unit[rows])
        texts = [base.texts[row] for row in rows.tolist()]
        whole = VectorBatch(vectors, texts=texts, space=base.whole.space)
        spans = np.array([(0, len(text)) for text in texts], dtype=np.int64)
        batch = HybridBatch(whole, base.roles[rows])
        docs = Documents(texts, batch, np.arange(size), np.arange(size + 1), spans)
        corpus.add(docs, batch_size=size)


def measure_search(
    count: int = 1_000_000, folder: str | Path | None = None, **options: Any
) -> Mapping[str, float]:
    """Searches of a synthetic corpus, the best ten: see ``searched``.

    It is made in the folder, or in one that is gone afterwards; what is there is searched.
    """
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(folder or temporary) / f"synthetic-{count}"
        make_synthetic(path, count, **options)
        return measured_apart(searched, str(path))


def searched(path: str) -> dict[str, float]:
    """Milliseconds that searches take, in the median, and the memory that this process took.

    ``corpus_first_search_ms`` is the first, which maps the files; ``corpus_query_ms`` is for a
    query that is not parsed yet; ``corpus_recall`` is how many of the ten best are found, of those
    that comparing until they are known for certain finds.
    """
    from compsim import Corpus

    start = time.perf_counter()
    corpus = Corpus.open(path)
    count = len(corpus)
    opened = time.perf_counter() - start
    texts = sentences(_SENTENCES + _QUERIES, seed=21)[-_QUERIES:]
    questions = [corpus.ask(text) for text in texts]
    corpus.search(questions[0], candidates=["0"])  # the kernels are compiled
    first = _seconds(partial(corpus.search, questions[0]))
    parsed = [_seconds(partial(corpus.search, question)) for question in questions]
    whole = [_seconds(partial(corpus.search, text)) for text in texts]
    peak = peak_megabytes()
    result = total = 0
    for question in questions[:5]:
        exact = {one["corpus_id"] for one in corpus.search(question, depth=None)}
        result += len(exact & {one["corpus_id"] for one in corpus.search(question)})
        total += len(exact)
    return {
        "corpus_documents": count,
        "corpus_open_ms": 1000 * opened,
        "corpus_first_search_ms": 1000 * first,
        "corpus_search_ms": 1000 * statistics.median(parsed),
        "corpus_query_ms": 1000 * statistics.median(whole),
        "corpus_peak_megabytes": peak,
        "corpus_recall": result / max(total, 1),
    }


#: How often what takes too little time to be timed once is done.
_AGAIN: Final = 20


def _again(action: Callable[[], object]) -> None:
    for _ in range(_AGAIN):
        action()


def _seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start
