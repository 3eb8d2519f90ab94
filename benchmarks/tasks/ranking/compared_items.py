"""Items of EvalRank as a spec compares them: rows of a table, bags of words, vectors, or pairs.

A spec that has vectors compares them in several ways, centred or not, by cosine or distance; one
without compares pair by pair, in one way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

from compsim.benchmarks.sides import encode_all, unparsed
from compsim.benchmarks.spaces import (
    Comparison,
    Items,
    items_of_bags,
    items_of_vectors,
    items_of_words,
)
from compsim.benchmarks.stats.neighbours import Pairwise
from compsim.benchmarks.task import Advance, Spec, open_method
from compsim.benchmarks.tasks.ranking.table_specs import BOW, WORDS
from compsim.benchmarks.workspace import Workspace, by_content
from compsim.errors import InputError

__all__ = ["Way", "compared_items"]

#: The row's labels, its items, and notes on them.
Way: TypeAlias = tuple[dict[str, str], Items, list[str]]

#: Normalisations that subtract no mean.
_NOT_CENTRED: Final = ("pcr",)


def compared_items(
    spec: Spec,
    items: Sequence[str],
    how: Sequence[Comparison],
    workspace: Workspace,
    advance: Advance,
) -> list[Way]:
    """Return what a spec makes of all items in each way that it knows.

    Args:
        spec: ``WORDS`` or ``BOW`` with a table of vectors, or a method.
        items: Words or sentences.
        how: The ways to compare vectors, the first one for what has none.
        workspace: Where encoded items are kept.
        advance: Is told how many items are done.

    Raises:
        InputError: A method without vectors is asked for another metric than the cosine.
    """
    if spec.method in (WORDS, BOW):
        from compsim.vectors import WordVectors

        table = WordVectors.open(spec.options["vectors"])
        normalize = spec.options["normalize"]
        make = items_of_words if spec.method == WORDS else items_of_bags
        advance(spec.method, len(items))
        of = {"method": spec.title, "vectors": table.name, "normalize": normalize}
        return list(_ways(of, how, partial(make, table, items, normalize)))
    from compsim.embeddings.method import EmbeddingMethod

    method: Any = open_method(spec)
    vectors = str(getattr(getattr(method, "vectors", None), "name", ""))
    of = {"method": spec.title, "vectors": vectors, "normalize": method.normalize}
    if not isinstance(method, EmbeddingMethod) and how[0].metric != "cos":
        raise InputError(f"{spec.method} has no vectors: use metric=cos, which are its scores")
    batch = _encoded(spec, method, items, workspace, advance)
    if isinstance(method, EmbeddingMethod):
        asked = spec.options.get("normalize", method.normalize)
        fitted = None if asked in method.normalizations else method.normalizer
        whole = partial(items_of_vectors, batch.vector, method.normalize, fitted)
        return list(_ways(of, how, whole))
    scores = Pairwise(len(items), lambda places: method.similarity(batch[places], batch))
    failed = unparsed(batch)
    notes = [f"{failed} sentences have no parse"] if failed else []
    return [(of, Items(np.arange(len(items)), scores), notes)]


def _ways(
    of: dict[str, str], how: Sequence[Comparison], make: Callable[..., Items]
) -> Iterator[Way]:
    """Yield the items in each way; what is normalised is centred by that, or never, so once."""
    both = [(one.metric, one.center) for one in how]
    normalize = of["normalize"]
    for one in how:
        if normalize != "none" and not one.center and (one.metric, True) in both:
            continue
        made = make(how=one)
        centred = one.center if normalize == "none" else normalize not in _NOT_CENTRED
        labels = {"metric": one.metric, "centred": "yes" if centred else "no"}
        yield {**of, **labels}, made, list(made.notes)


def _encoded(
    spec: Spec, method: Any, items: Sequence[str], workspace: Workspace, advance: Advance
) -> Any:
    """Return the items encoded, in order."""
    options = {name: o for name, o in spec.options.items() if name != "normalize"}
    content = None if spec.model else (spec.method, by_content(options), None)
    # Texts that a model reads alike stand together: their vectors then come from one batch, and
    # do not differ in the last bit.
    bare = ["".join(text.split()) for text in items]
    order = sorted(range(len(items)), key=lambda i: (len(bare[i]), bare[i]))
    batch = encode_all(
        [items[i] for i in order],
        method,
        workspace=workspace,
        content=content,
        advance=lambda _, count: advance(spec.method, count),
    )
    return batch[np.argsort(order)]
