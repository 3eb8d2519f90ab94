"""Sentences encoded or parsed once each, in chunks that are kept: what most evaluations begin with.

>>> from compsim import load
>>> from compsim.benchmarks.datasets import Dataset, SentencePair
>>> pairs = (SentencePair("Cats sleep.", "Dogs bark.", 0.1), SentencePair("...", "Cats sleep.", 0))
>>> method = load("verbnet-cn", vectors="builtin")
>>> first, second = encode_sides(Dataset("toy", pairs, {}, ""), method)
>>> len(first), unparsed(first, second)
(2, 1)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from compsim.benchmarks.datasets import Dataset
from compsim.benchmarks.task import Advance, Spec
from compsim.benchmarks.workspace import Workspace, by_content, key
from compsim.errors import InputError
from compsim.graph import RoleGraph, Status
from compsim.graph_method import GraphMethod
from compsim.method import Method
from compsim.parsers.base import Parser

__all__ = ["encode_all", "encode_sides", "encoding_content", "parse_once", "unparsed"]

#: Sentences that are encoded or parsed, and kept, at a time.
_CHUNK: Final = 256
#: Options that change how encoded sentences are scored, not how they are encoded.
_SCORING: Final = ("normalize",)


def encode_sides(
    data: Dataset,
    method: Method[Any],
    roles: str | Path | None = None,
    *,
    workspace: Workspace | None = None,
    content: Any = None,
    advance: Advance = lambda name, count: None,
) -> tuple[Any, Any]:
    """Batches of the first and the second sentences of all pairs, each distinct one encoded once.

    ``roles`` names published parses to take in place of the method's parser (of STS3k and the other
    files of its authors).
    ``workspace`` keeps what is encoded under ``content``, what the method is made of; None: nothing
    is kept. ``advance`` is told the method and how many more sentences are encoded. Raises
    ``InputError`` where the data has no published parses, or the method reads none.
    """
    sentences = data.sentences()
    if roles is not None:
        if not isinstance(method, GraphMethod):
            raise InputError(f"method {method.info.name!r} reads no parses: leave roles out")
        a, b = (method.encode_graphs(side) for side in zip(*data.roles(roles), strict=True))
        advance(method.info.name, len(sentences))
        return a, b
    whole = encode_all(sentences, method, workspace=workspace, content=content, advance=advance)
    place = {text: i for i, text in enumerate(sentences)}
    first = np.array([place[pair.first] for pair in data.pairs], dtype=np.int64)
    second = np.array([place[pair.second] for pair in data.pairs], dtype=np.int64)
    return whole[first], whole[second]


def encode_all(
    sentences: Sequence[str],
    method: Method[Any],
    *,
    workspace: Workspace | None = None,
    content: Any = None,
    advance: Advance = lambda name, count: None,
) -> Any:
    """A batch of sentences, at least one, encoded and kept a chunk at a time: see above."""
    batches = []
    for start in range(0, len(sentences), _CHUNK):
        chunk = sentences[start : start + _CHUNK]
        kept = None if content is None else key("encoded", content, chunk)
        batch = workspace.read_batch(method.encoded, kept) if workspace else None
        if batch is None:
            batch = method.encode(chunk)
            if workspace:
                workspace.write_batch(kept, batch)
        batches.append(batch)
        advance(method.info.name, len(chunk))
    return type(batches[0]).concat(batches)


def encoding_content(spec: Spec) -> Any:
    """Return what the encoded sentences of a spec depend on; None for a model that is given."""
    if spec.model is not None:
        return None
    options = {name: value for name, value in spec.options.items() if name not in _SCORING}
    return spec.method, by_content(options), spec.roles


def unparsed(*sides: Any) -> int:
    """Return the number of distinct sentences without a parse; 0 for batches of no parses."""
    batches = (side for side in sides if hasattr(side, "failed"))
    return len({text for side in batches for text in side[side.failed].texts})


def parse_once(
    parser: Parser, sentences: Sequence[str], spec: Spec, workspace: Workspace, advance: Advance
) -> dict[str, RoleGraph]:
    """The graph of each distinct sentence; ``workspace`` keeps them under a spec's options."""
    texts = list(dict.fromkeys(sentences))
    graphs: dict[str, RoleGraph] = {}
    for start in range(0, len(texts), _CHUNK):
        chunk = texts[start : start + _CHUNK]
        kept = key("parsed", by_content(spec.options), chunk)
        content = workspace.read(kept)
        if content is not None:
            graphs |= {text: RoleGraph.from_json(content[text]) for text in chunk}
        else:
            parsed = dict(zip(chunk, parser.parse(chunk), strict=True))
            graphs |= parsed
            # A failure may be the server's, of this very hour.
            failed = any(graph.status is Status.FAILED for graph in parsed.values())
            if not failed or getattr(parser, "cacheable_failures", False):
                workspace.write(kept, {text: graph.to_json() for text, graph in parsed.items()})
        advance(spec.method, len(chunk))
    return graphs
