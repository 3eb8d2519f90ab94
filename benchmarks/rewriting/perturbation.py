"""Sentences whose syntax is destroyed while their words stay: for training on perturbed pairs.

After section 4.1 of the SR paper (Zhang et al. 2023), which perturbs the second sentence of each
training pair, leaves the ratings, and finds that a model trained on these loses little.

>>> shuffled_words("The dog bit the postman.")
'the bit The postman dog.'
>>> exchanged_roles(["The dog bit the postman.", "It rains."])
['The dog was bitten by the postman.', None]
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

from compsim.benchmarks.rewriting.generator import Rewriter, exchanges

__all__ = ["exchanged_roles", "shuffled_words"]

#: Sentences that are read at a time.
_BATCH: Final = 256
#: Marks that stay at the end of a sentence.
_ENDS: Final = ".!?"


def shuffled_words(sentence: str, seed: int = 1) -> str:
    """Return a sentence with its words in random order; its final mark stays at the end.

    The order depends on the seed and the sentence alone, whatever stands beside it.
    """
    text = sentence.rstrip()
    bare = text.rstrip(_ENDS)
    words = bare.split()
    random.Random(f"{seed} {sentence}").shuffle(words)
    return " ".join(words) + text[len(bare) :]


def exchanged_roles(
    sentences: Sequence[str],
    seed: int = 1,
    rewriter: Rewriter | None = None,
    advance: Callable[[int], None] = lambda count: None,
) -> list[str | None]:
    """Return each sentence with the participants of its verb exchanged, None where no rule can.

    Where there are several ways, the seed and the sentence choose. Raises ``MissingExtraError``
    where lemminflect is not installed.
    """
    rewriter = rewriter or Rewriter()
    texts: list[str | None] = []
    for start in range(0, len(sentences), _BATCH):
        batch = sentences[start : start + _BATCH]
        for sentence, clause in zip(batch, rewriter.clauses(batch), strict=True):
            swaps = [] if clause is None else exchanges(clause)
            chosen = random.Random(f"{seed} {sentence}").choice(swaps).text if swaps else None
            texts.append(chosen)
        advance(len(batch))
    return texts
