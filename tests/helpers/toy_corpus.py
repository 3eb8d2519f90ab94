"""A corpus of toys, and a writer that says what it has saved until it is killed.

As a program: ``toy_corpus.py append|compact FOLDER`` writes without an end, and prints a line when
something is on disk for good.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.modules["torch"] = None  # type: ignore[assignment]  # spaCy would start it; no toy does

from toys import NOUNS, VERBS, ToyParser, toy_vectors

from compsim import Corpus


def toy_corpus(path: str | Path, method: str = "hybrid", **options: Any) -> Corpus:
    """A corpus whose parser and vectors are toys."""
    given: dict[str, Any] = {"vectors": toy_vectors()}
    if method not in ("mean-cn", "tensor-cn"):
        given["parser"] = ToyParser()
    if method == "hybrid":
        given["whole"] = "mean-cn"
    return Corpus(path, method, **{**given, **options})


def text_of(number: int) -> str:
    """A document, the same for the same number."""
    first, second, third = (NOUNS[number // k % len(NOUNS)] for k in (1, 5, 31))
    verb = VERBS[number // 3 % len(VERBS)]
    return f"{first} {verb} {second} {number}. {third} {verb} {first}."


def write(task: str, folder: str) -> None:
    """Append without an end; or append, delete and compact."""
    corpus = toy_corpus(folder)
    corpus.encode([text_of(0)])  # what is opened once is open before the time begins
    print("ready", flush=True)
    number = int(max(corpus.ids(), key=int, default="-1")) + 1
    while True:
        own = [str(number + i) for i in range(7)]
        number += len(own)
        corpus.add([text_of(int(one)) for one in own], own, batch_size=3, saved=_tell)
        if task == "compact":
            corpus.delete(own[:5:2])
            print("deleted", *own[:5:2], flush=True)
            corpus.compact(most=40)


def _tell(ids: list[str]) -> None:
    print("saved", *ids, flush=True)


if __name__ == "__main__":
    write(*sys.argv[1:])
