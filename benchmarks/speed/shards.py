"""A shard of a corpus: how fast one worker scores and encodes it, and what that takes on disk.

The figures behind ``docs/scaling.md``: documents of four plain sentences, 56 words, in one Parquet
file; one worker in this process. Those of a corpus of one's own:

>>> measure(texts=my_documents)  # doctest: +SKIP
{'shard_scored_per_second': 150.0, ...}
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from compsim.benchmarks.speed.rivals import best_times
from compsim.benchmarks.speed.text import sentences
from compsim.benchmarks.stats import library

__all__ = ["measure"]

#: Sentences of a document.
_SENTENCES: Final = 4
_QUERY: Final = "Who sold a basket of apples to the judge at the station?"


def measure(
    texts: Sequence[str] | None = None, rounds: int = 3, whole: str = "static"
) -> Mapping[str, float]:
    """Documents a second of one worker, and bytes a document, all from ``hybrid``.

    ``texts`` are the documents, by default 500 made ones; ``whole`` is the hybrid's.
    ``shard_scored_per_second`` and ``shard_encoded_per_second`` count reading and writing;
    ``shard_ranked_per_second`` are documents that are read from disk, encoded, and ranked.
    ``shard_batch_bytes`` is the folder of a document's encoded sentences, ``shard_score_bytes``
    a row of scores with its sentence.
    """
    from compsim.distributed import encode_shards, read_documents, score_shards
    from compsim.retrieval import Reranker

    if texts is None:
        drawn = sentences(_SENTENCES * 500)
        texts = [" ".join(drawn[i : i + _SENTENCES]) for i in range(0, len(drawn), _SENTENCES)]
    reranker = Reranker("hybrid", whole=whole, vectors="builtin", cache=False)
    pa, pq = library("pyarrow"), library("pyarrow.parquet")
    with tempfile.TemporaryDirectory() as made:
        folder, turns = Path(made), iter(range(10_000))
        (folder / "corpus").mkdir()
        pq.write_table(
            pa.table({"id": range(len(texts)), "text": texts}), folder / "corpus" / "a.parquet"
        )

        def score(name: str) -> Path:
            target = folder / name
            score_shards(folder / "corpus", target, query=_QUERY, method=reranker, workers=0)
            return target

        def encode(name: str) -> Path:
            target = folder / name
            encode_shards(folder / "corpus", target, method=reranker, workers=0)
            return target

        encoded, scored = encode("encoded"), score("scored")

        def rank() -> None:
            reranker.rank(_QUERY, read_documents(encoded / "a.parquet", reranker), top_k=10)

        rank()
        best = best_times(
            {
                "scored": lambda: score(f"scored {next(turns)}"),
                "encoded": lambda: encode(f"encoded {next(turns)}"),
                "ranked": partial(rank),
            },
            rounds,
        )
        sizes = {
            "shard_batch_bytes": _size(encoded / "a.batch"),
            "shard_score_bytes": (scored / "a.parquet").stat().st_size,
        }
    count = len(texts)
    rates = {f"shard_{name}_per_second": count / seconds for name, seconds in best.items()}
    return {**rates, **{name: size / count for name, size in sizes.items()}}


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
