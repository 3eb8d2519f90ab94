"""Seven rated pairs of sentences that the toy parser reads."""

from __future__ import annotations

from compsim.benchmarks.datasets import Dataset, SentencePair

PAIRS = (
    SentencePair("Cats chase mice.", "Dogs chase birds.", 0.7),
    SentencePair("Cats chase mice.", "Mice chase cats.", 0.4),
    SentencePair("Dogs help cats.", "Birds visit park.", 0.1),
    SentencePair("Dogs help cats.", "Dogs help cats.", 1.0),
    SentencePair("Birds chase cats sadly.", "Cats chase birds in house.", 0.3),
    SentencePair("Mice visit house.", "Dogs visit park.", 0.5),
    SentencePair("Dogs help cats.", "Cats help dogs.", 0.45),
)
DATA = Dataset("toy", PAIRS, {"all": tuple(range(7)), "adv": (1, 4, 6)}, "made by the test")
