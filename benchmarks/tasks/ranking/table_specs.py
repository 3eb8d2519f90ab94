"""Tables of word vectors beside methods: what is evaluated where rows or means of them count.

>>> [spec.title for spec in table_specs("word", "words,mean-cn", "builtin", "none", {})]
['words', 'mean-cn']
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from compsim.benchmarks.specs import method_labels
from compsim.benchmarks.task import Spec, listed
from compsim.benchmarks.tasks.similarity.sts import specs_of
from compsim.errors import UnknownNameError

__all__ = ["BOW", "WORDS", "table_specs"]

#: What is not a method of the registry: a table of word vectors, and means of its vectors.
WORDS: Final = "words"
BOW: Final = "bow"


def table_specs(
    level: str,
    methods: str | None,
    vectors: str | None,
    normalize: str | None,
    options: Mapping[str, Any],
) -> list[Spec]:
    """Return methods in each way to normalise, ``WORDS`` and ``BOW`` among them with each table.

    ``vectors`` are tables, with commas; without ``methods`` the tables themselves are meant, at the
    level "sentence" the means of their vectors. Raises ``UnknownNameError`` for a normalisation
    that there is none of.
    """
    from compsim.embeddings.method import EmbeddingMethod
    from compsim.registry import named
    from compsim.registry import options as takes

    tables = listed(vectors) if vectors else [None]
    kinds = list(EmbeddingMethod.normalizations)
    ways = kinds if normalize == "all" else [normalize or "none"]

    def of_tables(name: str) -> list[Spec]:
        for way in ways:
            if way not in kinds:
                raise UnknownNameError(f"normalize={way!r} is not known: use {', '.join(kinds)}")
        return [
            Spec(name, {"vectors": table, "normalize": way}) for table in tables for way in ways
        ]

    names = method_labels(methods or (WORDS if level == "word" else BOW))
    specs: dict[str, list[Spec]] = {name: [] for name in names}
    others = [name for name in names if name not in (WORDS, BOW)]
    if others:
        # Beside tables, vectors may be for these alone.
        alone = len(others) < len(names) and "all" not in others
        if alone and not any("vectors" in takes(named(name)[0]) for name in others):
            vectors = None
        for spec in specs_of(",".join(others), normalize, vectors=vectors, **options):
            specs.setdefault(spec.title, []).append(spec)
    for name in (WORDS, BOW):
        if name in specs:
            specs[name] = of_tables(name)
    return [spec for several in specs.values() for spec in several]
