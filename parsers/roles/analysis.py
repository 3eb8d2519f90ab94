"""Trees and predicate frames of texts: what every parser that runs on the shipped pipeline shares.

A pipeline gives the dependency tree, the trained labeller the PropBank frames. A parser is
then a function from both to a graph; :class:`AnalysisParser` does the rest: loading, batches, texts
that are too long or break a pipeline::

    from compsim.parsers.roles.srl import SrlParser
    (tree, frames), = SrlParser().analyse(["Cats chase mice."])
    frames[0].sense      # chase.01
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from importlib import metadata
from itertools import chain, islice
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, Self
from zlib import crc32

from compsim._version import __version__
from compsim.collection import paused
from compsim.errors import DataError, MissingExtraError
from compsim.graph import RoleGraph, Status
from compsim.graph.respacing import restored
from compsim.kernels.locks import SharedLock
from compsim.missing import require
from compsim.parsers.pipeline.casing import recased
from compsim.parsers.pipeline.reconciling import reconcile
from compsim.parsers.pipeline.relative_clauses import part
from compsim.parsers.pipeline.shipped import MANY, ShippedPipeline
from compsim.parsers.pipeline.tree import Pipeline, Tree, predicates
from compsim.parsers.roles.completion import complete_frames
from compsim.parsers.roles.labeller import Frame, RoleLabeller
from compsim.plain_text import PlainText
from compsim.storage.places import weights_folder
from compsim.storage.reading import expanded

__all__ = ["BATCH", "MAX_CHARACTERS", "MAX_PIECES", "WEIGHTS", "Analysis", "AnalysisParser"]

WEIGHTS = weights_folder()
#: Counts what changes graphs without a change of the models; a part of the parsers' version.
_OUTPUT = 42
#: Longer texts are cut here, and their graph is marked partial.
MAX_CHARACTERS = 20_000
#: So are texts of more words, figures and marks than so much prose has: they are what takes time.
MAX_PIECES = 4_000
_PIECE = re.compile(r"\w+|[^\w\s]")
#: Sentences that are worked on at a time: enough to make little of what any batch costs, few enough
#: for their arrays to stay near the processor.
BATCH = 400


class Analysis(NamedTuple):
    """The tree of a text and the frames of its predicates, in text order."""

    tree: Tree
    frames: list[Frame]


class AnalysisParser(ABC):
    """A parser that makes a graph of each analysis.

    ``pipeline`` is "builtin", the name of a pipeline of spaCy, or a folder with either. Nothing is
    loaded before the first sentence. Parsers of one process share the shipped pipeline and the role
    model. Raises MissingExtraError when the named pipeline is not installed and DataError when it
    has no parser or is damaged.
    """

    name: ClassVar[str]
    #: What the graphs say made them.
    credit: ClassVar[str]
    cacheable_failures = True

    def __init__(self, pipeline: str | Path = "builtin") -> None:
        self.pipeline = str(pipeline)

    def __reduce__(self) -> tuple[partial[Self], tuple[()]]:
        """A pickle holds the settings: models are opened again."""
        return partial(type(self), **self.settings), ()

    @property
    def settings(self) -> dict[str, Any]:
        """The options that it was made with."""
        return {"pipeline": self.pipeline}

    @abstractmethod
    def graph(self, analysis: Analysis) -> RoleGraph:
        """The graph of one text."""

    @cached_property
    def version(self) -> str:
        """Package, pipeline and role model: what the output depends on. Loads none of them."""
        roles = json.loads((WEIGHTS / "roles" / "about.json").read_text(encoding="utf8"))
        return f"{__version__}-{_OUTPUT}/{self._pipeline_version()}/{roles['version']}"

    def _pipeline_version(self) -> str:
        source = _source(self.pipeline)
        for about in (source / "about.json", source / "meta.json"):
            if about.is_file():
                return f"{source.name}-{crc32(about.read_bytes()):08x}"
        try:
            return f"{self.pipeline}-{metadata.version(self.pipeline)}"
        except (metadata.PackageNotFoundError, ValueError):
            from compsim.parsers.pipeline.spacy_pipeline import missing_pipeline

            require("spacy", "spacy")
            raise missing_pipeline(self.pipeline) from None

    @cached_property
    def _labeller(self) -> RoleLabeller:
        return _role_model(WEIGHTS / "roles")

    @cached_property
    def _trees_of(self) -> Pipeline:
        return _shipped() if self.pipeline == "builtin" else _opened(self.pipeline)

    def warm_up(self) -> None:
        """Compile what parses with the shipped pipeline, or load its machine code, now.

        From then on it parses all sentences, not only many at a time. Does nothing for a pipeline
        of spaCy.
        """
        self._trees_of.warm_up()

    def read(self, text: str) -> PlainText:
        """The text as the pipeline gets it."""
        return PlainText.typed(text)

    def analyse(self, texts: Sequence[str]) -> list[Analysis]:
        """Tree and frames of each text, read plain; all go through the models at once."""
        plain = [self.read(_encodable(text)).text for text in texts]
        return self._label(self._trees(plain, len(texts)))

    def trees(self, texts: Sequence[str]) -> list[Tree]:
        """The tree of each text, read plain (``PlainText.typed``); of a long one, of its beginning.

        A tree is that of the pipeline, whose capitals alone are mended.
        """
        plain = [PlainText.typed(_encodable(text)).text for text in texts]
        cut = [text[: _end(text)] for text in plain]
        with paused():
            return [
                tree
                for start in range(0, len(cut), BATCH)
                for tree in self._trees(cut[start : start + BATCH], len(cut))
            ]

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        """One graph per sentence; a sentence that can not be parsed gets a failed graph."""
        batches = [sentences[start : start + BATCH] for start in range(0, len(sentences), BATCH)]
        parse = partial(self._parse_batch, count=len(sentences))
        # A pipeline of spaCy has threads of its own, or needs a device.
        many = self.pipeline == "builtin" and len(batches) > 1
        with paused():
            if not many:
                return [*chain.from_iterable(map(parse, batches))]
            from compsim.parsers.sharing import crew_of, shared

            return [*chain.from_iterable(shared(batches, parse, crew_of(self)))]

    def parse_trees(self, trees: Sequence[Tree]) -> list[RoleGraph]:
        """Graphs of trees, which are changed (tags, parts of speech, lemmas, ClearNLP labels)."""
        return [self.graph(result) for result in self._label(list(trees))]

    def parse_batch(self, sentences: Sequence[str]) -> list[RoleGraph]:
        """Graphs of one of many batches, as ``parse`` gives them."""
        with paused():
            return self._parse_batch(sentences, MANY)

    def _parse_batch(self, sentences: Sequence[str], count: int) -> list[RoleGraph]:
        plain = [self.read(_encodable(text)) for text in sentences]
        texts = [read.text for read in plain]
        ends = [_end(text) for text in texts]
        try:
            trees = self._trees([text[:end] for text, end in zip(texts, ends, strict=True)], count)
            graphs = [self.graph(result) for result in self._label(trees)]
        except (DataError, MissingExtraError):  # the installation's fault, not the text's
            raise
        except Exception as error:  # whatever a user's pipeline does, the other sentences count
            if len(texts) > 1:
                return [graph for text in sentences for graph in self._parse_batch([text], 1)]
            graphs = [RoleGraph.failed(texts[0], f"the parser broke: {error}", parser=self.credit)]
        whole = [
            self._cut(graph, text, end) if len(text) > end else graph
            for graph, text, end in zip(graphs, texts, ends, strict=True)
        ]
        return list(map(restored, whole, plain))

    def _trees(self, texts: Sequence[str], count: int) -> list[Tree]:
        """Trees of some of so many plain texts, which are read with their usual capitals."""
        trees = self._trees_of.trees([recased(text) for text in texts], count)
        for tree, text in zip(trees, texts, strict=True):
            tree.read, tree.text = tree.text, text
        return trees

    def _label(self, trees: list[Tree]) -> list[Analysis]:
        tasks = [(tree, self._predicates(tree)) for tree in trees]
        frames = map(complete_frames, trees, self._labeller.frames(tasks))
        return list(map(Analysis, trees, frames))

    def _predicates(self, tree: Tree) -> list[int]:
        if not tree.text.strip():  # taggers have odd ideas of a text that is all space
            return []
        lexicon = self._labeller.lexicon
        pipeline = self._trees_of
        reconcile(tree, lexicon, pipeline.irregular_verbs, pipeline.dictionary)
        part(tree, lexicon, pipeline.irregular_verbs)
        return predicates(tree)

    def _cut(self, graph: RoleGraph, text: str, end: int) -> RoleGraph:
        reason = f"only the first {end:,} of {len(text):,} characters were parsed"
        status = Status.FAILED if graph.status is Status.FAILED else Status.PARTIAL
        return replace(graph, text=text, status=status, reason=graph.reason or reason)


def _encodable(text: str) -> str:
    """The text as UTF-8 holds it, which has no room for lone surrogates."""
    return text.encode("utf8", "replace").decode("utf8")


def _end(text: str) -> int:
    """The end of what is parsed of a plain text."""
    if len(text) <= MAX_PIECES:
        return len(text)
    after = next(islice(_PIECE.finditer(text), MAX_PIECES, None), None)
    return min(len(text) if after is None else after.start(), MAX_CHARACTERS)


def _source(pipeline: str) -> Path:
    """The folder of a pipeline, or its name where it is installed."""
    return WEIGHTS / "pipeline" if pipeline == "builtin" else expanded(pipeline)


_lock: Final = SharedLock()


def _shipped() -> Pipeline:
    """Return the shipped pipeline, one for all parsers of this process."""
    with _lock:
        return _once("builtin")


@lru_cache(maxsize=1)
def _once(pipeline: str) -> Pipeline:
    return _opened(pipeline)


def _opened(pipeline: str) -> Pipeline:
    """Return a pipeline of this name or folder."""
    source = _source(pipeline)
    if pipeline == "builtin" or (source / "tokens.json").is_file():
        return ShippedPipeline(source)
    from compsim.parsers.pipeline.spacy_pipeline import SpacyPipeline

    return SpacyPipeline(pipeline)


@lru_cache(maxsize=1)
def _role_model(folder: Path) -> RoleLabeller:
    """Return the role model in a folder, read once."""
    return RoleLabeller(folder)
