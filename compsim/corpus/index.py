"""An index of whole sentences, for corpora of which a look at every sentence takes too long.

Each segment has one of its own, a graph of near neighbours (HNSW, Malkov and Yashunin 2020) over
the same int8 vectors, by usearch. It is read where it lies on disk, and gives nearly all of the
sentences that a look at all of them would.

>>> rows = np.sign(np.random.default_rng(0).normal(size=(200, 16))).astype(np.int8)
>>> import tempfile
>>> path = Path(tempfile.mkdtemp()) / "toy.index"
>>> _ = build(path, rows)
>>> nearest(opened(path, 200, 16), rows[7].astype(np.float32) / 4, 3)[0].item()
7
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from compsim.corpus.index_file import check_index
from compsim.kernels.quantization import quantized
from compsim.missing import missing
from compsim.storage.files import write_durably

__all__ = ["build", "nearest", "opened"]

#: Neighbours of a sentence in the graph, and how widely they are looked for.
_NEIGHBOURS: Final = 16
_BUILD_WIDTH: Final = 128
#: Sentences that are added at a time.
_BLOCK: Final = 1 << 14


def build(path: Path, code: npt.NDArray[np.int8]) -> int:
    """Write an index of rows int8 (n, dim), by their number; returns the file's checksum.

    Raises ``OSError`` where it cannot be written, ``MissingExtraError`` without usearch.
    """
    from compsim.kernels.threads import thread_count

    made = _index(code.shape[1])
    for start in range(0, len(code), _BLOCK):
        rows = np.ascontiguousarray(code[start : start + _BLOCK])
        made.add(np.arange(start, start + len(rows)), rows, threads=thread_count())
    # Through our own file, so that what cannot be written is told as elsewhere.
    return write_durably(path, lambda file: file.write(made.save()))


def opened(path: Path, count: int, dim: int) -> Any:
    """An index of so many vectors, read where it lies.

    Raises ``OSError`` or ``ValueError`` for a file that is none: usearch trusts all of it.
    """
    check_index(path, count, dim)
    made = _index(dim)
    made.view(str(path))
    return made


def nearest(index: Any, unit: npt.NDArray[np.float32], count: int) -> npt.NDArray[np.int64]:
    """The numbers of about so many sentences most like a vector (dim,), best first."""
    count = min(count, len(index))
    index.expansion_search = max(count, 64)
    match = index.search(quantized(unit[None]).code[0], count)
    return np.asarray(match.keys, dtype=np.int64)


def _index(dim: int) -> Any:
    try:
        from usearch.index import Index
    except ImportError as error:
        raise missing("usearch", "index", error) from error
    return Index(
        ndim=dim,
        metric="cos",
        dtype="i8",
        connectivity=_NEIGHBOURS,
        expansion_add=_BUILD_WIDTH,
    )
