"""Trees and predicate frames of texts: what every parser that runs on the shipped pipeline shares.

A spaCy pipeline gives the dependency tree, the trained labeller the PropBank frames. A parser is
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
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from importlib import metadata
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self
from zlib import crc32

from compsim._version import __version__
from compsim.collection import paused
from compsim.errors import DataError, MissingExtraError
from compsim.graph import RoleGraph, Status
from compsim.graph.respacing import restored
from compsim.parsers.pipeline.casing import recased
from compsim.parsers.pipeline.language import LanguageSource
from compsim.parsers.pipeline.long_words import PieceTokenizer
from compsim.parsers.pipeline.reconciling import reconcile
from compsim.parsers.pipeline.relative_clauses import part
from compsim.parsers.pipeline.tree import Syntax, Tree, predicates
from compsim.parsers.roles.completion import complete_frames
from compsim.parsers.roles.labeller import Frame, RoleLabeller
from compsim.parsers.sharing import crew_of, shared
from compsim.plain_text import PlainText
from compsim.storage.places import weights_folder
from compsim.storage.reading import expanded

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from compsim.parsers.pipeline.bulk import BulkSyntax

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
#: So many sentences at once are worth compiled code, which takes seconds to make or to load; fewer
#: go through spaCy's own until it is there, and the fewest always do.
_MANY, _FEW = 1000, 32


class Analysis(NamedTuple):
    """The tree of a text and the frames of its predicates, in text order."""

    tree: Tree
    frames: list[Frame]


class AnalysisParser(ABC):
    """A parser that makes a graph of each analysis; ``pipeline`` names a spaCy pipeline or folder.

    Nothing is loaded before the first sentence. Parsers of one process share the shipped pipeline
    and the role model. Raises MissingExtraError when the named pipeline is
    not installed and DataError when it has no parser or is damaged.
    """

    name: ClassVar[str]
    #: What the graphs say made them.
    credit: ClassVar[str]
    cacheable_failures = True

    def __init__(self, pipeline: str | Path = "builtin") -> None:
        self.pipeline = str(pipeline)
        builtin = self.pipeline == "builtin"
        self._language = _shipped() if builtin else LanguageSource(partial(_load, self.pipeline))

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
        about = source / "meta.json"
        if about.is_file():
            return f"{source.name}-{crc32(about.read_bytes()):08x}"
        try:
            return f"{self.pipeline}-{metadata.version(self.pipeline)}"
        except (metadata.PackageNotFoundError, ValueError):
            raise _missing(self.pipeline) from None

    @cached_property
    def _labeller(self) -> RoleLabeller:
        return _role_model(WEIGHTS / "roles")

    @cached_property
    def _bulk(self) -> BulkSyntax:
        from compsim.parsers.pipeline.bulk import BulkSyntax

        return BulkSyntax(self._language)

    def _syntax(self, count: int) -> Syntax:
        """What makes trees of so many sentences; all engines make the same."""
        enough = _FEW if "_bulk" in vars(self) else _MANY
        bulk = self.pipeline == "builtin" and count >= enough
        return self._bulk if bulk else Syntax(self._language)

    def warm_up(self) -> None:
        """Compile what parses the shipped pipeline in bulk, or load its machine code, now.

        From then on batches of a few dozen sentences use it too. Does nothing for other pipelines.
        """
        self._syntax(_MANY).trees(["Cats chase mice."])

    def read(self, text: str) -> PlainText:
        """The text as the pipeline gets it."""
        return PlainText.typed(text)

    def analyse(self, texts: Sequence[str]) -> list[Analysis]:
        """Tree and frames of each text, read plain; all go through the models at once."""
        return self._label(self._trees([self.read(text).text for text in texts], len(texts)))

    def trees(self, texts: Sequence[str]) -> list[Tree]:
        """The tree of each text, read plain (``PlainText.typed``); of a long one, of its beginning.

        A tree is that of the pipeline, whose capitals alone are mended.
        """
        plain = [
            PlainText.typed(text.encode("utf8", "replace").decode("utf8")).text for text in texts
        ]
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
        # Another pipeline has threads of its own, or needs a device.
        many = self.pipeline == "builtin" and len(batches) > 1
        with paused():
            graphs = shared(batches, parse, crew_of(self)) if many else map(parse, batches)
            return [*chain.from_iterable(graphs)]

    def parse_docs(self, docs: Sequence[Doc]) -> list[RoleGraph]:
        """Graphs of documents that are parsed already (tags, lemmas, heads, ClearNLP labels)."""
        return [self.graph(result) for result in self._label([Tree.of(doc) for doc in docs])]

    def parse_batch(self, sentences: Sequence[str]) -> list[RoleGraph]:
        """Graphs of one of many batches, as ``parse`` gives them."""
        with paused():
            return self._parse_batch(sentences, _MANY)

    def _parse_batch(self, sentences: Sequence[str], count: int) -> list[RoleGraph]:
        # spaCy stores strings as UTF-8, which has no room for lone surrogates.
        plain = [self.read(text.encode("utf8", "replace").decode("utf8")) for text in sentences]
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
        trees = self._syntax(count).trees([recased(text) for text in texts])
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
        reconcile(tree, lexicon, self._irregular, self._dictionary)
        part(tree, lexicon, self._irregular)
        return predicates(tree)

    @cached_property
    def _irregular(self) -> dict[str, list[str]]:
        """Lemmas of irregular verb forms, none where the lemmatizer has no such table."""
        return dict(self._lemma_table("lemma_exc").get("verb", {}))

    @cached_property
    def _dictionary(self) -> dict[str, frozenset[str]]:
        """Lemmas of adjectives and nouns, none where the lemmatizer has no such table."""
        table = self._lemma_table("lemma_index")
        return {pos: frozenset(table.get(pos, ())) for pos in ("adj", "noun")}

    def _lemma_table(self, table: str) -> Mapping[str, Any]:
        for name, component in self._language.current().pipeline:
            lookups = getattr(component, "lookups", None)
            if name == "lemmatizer" and lookups is not None and lookups.has_table(table):
                result: Mapping[str, Any] = lookups.get_table(table)
                return result
        return {}

    def _cut(self, graph: RoleGraph, text: str, end: int) -> RoleGraph:
        reason = f"only the first {end:,} of {len(text):,} characters were parsed"
        status = Status.FAILED if graph.status is Status.FAILED else Status.PARTIAL
        return replace(graph, text=text, status=status, reason=graph.reason or reason)


def _end(text: str) -> int:
    """The end of what is parsed of a plain text."""
    if len(text) <= MAX_PIECES:
        return len(text)
    after = next(islice(_PIECE.finditer(text), MAX_PIECES, None), None)
    return min(len(text) if after is None else after.start(), MAX_CHARACTERS)


def _source(pipeline: str) -> Path:
    """The folder of a pipeline, or its name where it is installed."""
    return WEIGHTS / "pipeline" if pipeline == "builtin" else expanded(pipeline)


@lru_cache(maxsize=1)
def _shipped() -> LanguageSource:
    """Return the source of the shipped pipeline, one for all parsers of this process."""
    return LanguageSource(partial(_load, "builtin"))


@lru_cache(maxsize=1)
def _role_model(folder: Path) -> RoleLabeller:
    """Return the role model in a folder, read once."""
    return RoleLabeller(folder)


def _load(pipeline: str) -> Language:
    """The pipeline of this name or folder, loaded."""
    import spacy

    source = _source(pipeline)
    if pipeline == "builtin" and not source.exists():
        raise DataError(f"the shipped pipeline is not at {source}: reinstall compsim")
    if not source.exists() and find_spec(str(source).partition(".")[0]) is None:
        raise _missing(pipeline)
    try:
        # The shipped tokenizer is spaCy's own for English: building it once is enough.
        spare = ["tokenizer"] if pipeline == "builtin" else []
        nlp = spacy.load(str(source), exclude=["ner", "senter", *spare])
    except (OSError, ValueError) as error:
        raise DataError(
            f"the spaCy pipeline {str(source)!r} does not load ({error}): reinstall it"
        ) from error
    if "parser" not in nlp.pipe_names:
        raise DataError(
            f"the spaCy pipeline {str(source)!r} has no dependency parser, and roles are read off "
            "dependencies: name another pipeline"
        )
    _quicken(nlp)
    nlp.tokenizer = PieceTokenizer(nlp.tokenizer, nlp.vocab)
    return nlp


def _missing(pipeline: str) -> MissingExtraError:
    return MissingExtraError(
        f"the spaCy pipeline {pipeline!r} is not installed: run `python -m spacy download "
        f"{pipeline}`, or leave the pipeline out to use the one that compsim ships"
    )


def _quicken(nlp: Language) -> None:
    """Let the lemmatizer find a word in its lists of base forms without reading them through."""
    for name, component in nlp.pipeline:
        lookups = getattr(component, "lookups", None)
        if name == "lemmatizer" and lookups is not None and lookups.has_table("lemma_index"):
            index = lookups.get_table("lemma_index")
            for pos in list(index):
                index[pos] = frozenset(index[pos])
