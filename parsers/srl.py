"""Semantic roles from a dependency parse: the parser behind ``verbnet-cn``.

A spaCy pipeline gives the tree, the trained labeller gives PropBank rolesets and arguments, and the
VerbNet links of the roleset turn those into the eight roles; every predicate becomes a star, the
main one is the root of the graph. The pipeline is the one that compsim ships unless another is
named; any English pipeline with ClearNLP labels will do (``en_core_web_sm``, ``md``, ``lg``,
``trf``)::

    from compsim.parsers.srl import SrlParser
    graph, = SrlParser().parse(["The dog that Mary fed chased a cat yesterday."])
    graph.roles()        # Verb: chased, Agent: The dog that Mary fed, Theme: a cat, Time: yesterday
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from compsim._version import __version__
from compsim.errors import CompsimError, DataError, MissingExtraError
from compsim.graph import Edge, Node, RoleGraph, Status

from .consolidate import from_propbank
from .labeller import PLACE_LABEL, Argument, Frame, RoleLabeller, core
from .repair import mend
from .syntax import FastSyntax, Syntax
from .tree import Tree, predicates

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = ["SrlParser"]

WEIGHTS = Path(__file__).parent.parent / "weights"
#: Longer texts are cut here, and their graph is marked partial.
MAX_CHARACTERS = 20_000
#: Sentences that are worked on at a time: few enough for their arrays to stay near the processor.
BATCH = 128
FUNCTIONS = {"nsubj": "subject", "dobj": "object", "nsubjpass": "object"}
_OTHER_UNDERGOER = {"Theme": "Patient", "Patient": "Theme"}
_TRIMMED = frozenset(",;:.!?-()[]\"'`\u2013\u2014\u2018\u2019\u201c\u201d\u2026")


class SrlParser:
    """VerbNet-style semantic roles; ``pipeline`` is the name or folder of a spaCy pipeline.

    Nothing is loaded before the first sentence. Raises MissingExtraError when the named pipeline is
    not installed and DataError when it has no parser or is damaged.
    """

    name = "srl"
    cacheable_failures = True

    def __init__(self, pipeline: str | Path = "builtin") -> None:
        self.pipeline = str(pipeline)

    @cached_property
    def version(self) -> str:
        """Package, pipeline and role model: what the output depends on. Loads none of them."""
        roles = json.loads((WEIGHTS / "roles" / "about.json").read_text(encoding="utf8"))
        return f"{__version__}/{self._pipeline_version()}/{roles['version']}"

    def _pipeline_version(self) -> str:
        about = self._source / "meta.json"
        if about.is_file():
            return f"{self._source.name}-{crc32(about.read_bytes()):08x}"
        try:
            return f"{self.pipeline}-{metadata.version(self.pipeline)}"
        except (metadata.PackageNotFoundError, ValueError):
            raise self._missing() from None

    @property
    def _source(self) -> Path:
        return WEIGHTS / "pipeline" if self.pipeline == "builtin" else Path(self.pipeline)

    @cached_property
    def _labeller(self) -> RoleLabeller:
        return RoleLabeller(WEIGHTS / "roles")

    @cached_property
    def _syntax(self) -> Syntax:
        return (FastSyntax if self.pipeline == "builtin" else Syntax)(self._nlp)

    @cached_property
    def _nlp(self) -> Language:
        import spacy

        source = str(self._source)
        if self.pipeline == "builtin" and not self._source.exists():
            raise DataError(f"the shipped pipeline is not at {source}: reinstall compsim")
        if not self._source.exists() and find_spec(source.partition(".")[0]) is None:
            raise self._missing()
        try:
            # The shipped tokenizer is spaCy's own for English: building it once is enough.
            spare = ["tokenizer"] if self.pipeline == "builtin" else []
            nlp = spacy.load(source, exclude=["ner", "senter", *spare])
        except (OSError, ValueError) as error:
            raise DataError(
                f"the spaCy pipeline {source!r} does not load ({error}): reinstall it"
            ) from error
        if "parser" not in nlp.pipe_names:
            raise DataError(
                f"the spaCy pipeline {source!r} has no dependency parser, and roles are read off "
                "dependencies: name another pipeline"
            )
        _quicken(nlp)
        return nlp

    def _missing(self) -> MissingExtraError:
        return MissingExtraError(
            f"the spaCy pipeline {self.pipeline!r} is not installed: run `python -m spacy download "
            f"{self.pipeline}`, or leave the pipeline out to use the one that compsim ships"
        )

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        """One graph per sentence; a sentence without a predicate gets a failed graph."""
        graphs: list[RoleGraph] = []
        for start in range(0, len(sentences), BATCH):
            graphs += self._parse_batch(sentences[start : start + BATCH])
        return graphs

    def _parse_batch(self, sentences: Sequence[str]) -> list[RoleGraph]:
        # spaCy stores strings as UTF-8, which has no room for lone surrogates.
        texts = [text.encode("utf8", "replace").decode("utf8") for text in sentences]
        try:
            graphs = self._label(self._syntax.trees([text[:MAX_CHARACTERS] for text in texts]))
        except CompsimError:
            raise
        except Exception as error:  # whatever a user's pipeline does, the other sentences count
            if len(texts) > 1:
                return [graph for text in texts for graph in self._parse_batch([text])]
            graphs = [RoleGraph.failed(texts[0], f"the parser broke: {error}", parser=self.name)]
        return [
            self._cut(graph, text) if len(text) > MAX_CHARACTERS else graph
            for graph, text in zip(graphs, texts, strict=True)
        ]

    def parse_docs(self, docs: Sequence[Doc]) -> list[RoleGraph]:
        """Graphs of documents that are parsed already (tags, lemmas, heads, ClearNLP labels)."""
        return self._label([Tree.of(doc) for doc in docs])

    def _label(self, trees: list[Tree]) -> list[RoleGraph]:
        tasks = [(tree, self._predicates(tree)) for tree in trees]
        return [
            self._graph(tree, frames)
            for tree, frames in zip(trees, self._labeller.frames(tasks), strict=True)
        ]

    def _predicates(self, tree: Tree) -> list[int]:
        return predicates(tree) or (predicates(tree) if mend(tree, self._labeller.lexicon) else [])

    def _cut(self, graph: RoleGraph, text: str) -> RoleGraph:
        reason = f"only the first {MAX_CHARACTERS} characters were parsed"
        status = Status.FAILED if graph.status is Status.FAILED else Status.PARTIAL
        return replace(graph, text=text, status=status, reason=graph.reason or reason)

    def _graph(self, tree: Tree, frames: list[Frame]) -> RoleGraph:
        text = tree.text
        if not frames:
            reason = "no predicate found" if text.strip() else "empty text"
            return RoleGraph.failed(text, reason, parser=self.name)
        main = _main_predicate(tree, frames)
        nodes: list[Node] = []
        edges: list[Edge] = []
        for frame in sorted(frames, key=lambda frame: frame is not main):
            hub = len(nodes)
            nodes.append(_predicate_node(tree, frame))
            for role, label, node in self._phrases(tree, frame):
                edges.append(Edge(hub, role, len(nodes), label))
                nodes.append(node)
        return RoleGraph(tuple(nodes), tuple(edges), 0, text, parser=self.name)

    def _phrases(self, tree: Tree, frame: Frame) -> Iterator[tuple[str, str | None, Node]]:
        """(role, PropBank label, phrase) of a star, each role once, in text order."""
        lemma = tree.lemmas[frame.predicate]
        links = self._labeller.lexicon.get(lemma, {}).get(frame.sense or "", {})
        tokens = _argument_tokens(tree, frame)
        slots: dict[str, tuple[list[str], list[int]]] = {}
        for argument in _ordered(frame.arguments):
            link = links.get(argument.label)
            function = FUNCTIONS.get(argument.relation, "")
            if function == "subject" and (frame.passive or "Agent" in slots):
                function = ""
            inner = argument.label == PLACE_LABEL
            role = "Location" if inner else from_propbank(argument.label, link, function)
            # Two undergoers are told apart even where their roles fall together.
            if core(argument.label) and role in slots:
                role = _OTHER_UNDERGOER.get(role, role)
            labels, words = slots.setdefault(role or argument.label, ([], []))
            labels.append(argument.label)
            words += tokens[argument.head]
        for role, (labels, words) in sorted(slots.items(), key=lambda slot: min(slot[1][1])):
            if words:
                propbank = "+".join(dict.fromkeys(name for name in labels if name != PLACE_LABEL))
                yield role, propbank or None, _phrase_node(tree, sorted(set(words)))


def _quicken(nlp: Language) -> None:
    """Let the lemmatizer find a word in its lists of base forms without reading them through."""
    for name, component in nlp.pipeline:
        lookups = getattr(component, "lookups", None)
        if name == "lemmatizer" and lookups is not None and lookups.has_table("lemma_index"):
            index = lookups.get_table("lemma_index")
            for pos in list(index):
                index[pos] = frozenset(index[pos])


def _ordered(arguments: tuple[Argument, ...]) -> list[Argument]:
    """Direct objects pick their roles first, then other numbered arguments, then modifiers."""
    return sorted(
        arguments,
        key=lambda argument: (
            not core(argument.label),
            FUNCTIONS.get(argument.relation) != "object",
            argument.label,
        ),
    )


def _main_predicate(tree: Tree, frames: list[Frame]) -> Frame:
    """The predicate nearest to the root of the first sentence that has one."""

    def rank(frame: Frame) -> tuple[int, int, int]:
        depth, here = 0, frame.predicate
        while tree.heads[here] != here:
            here = tree.heads[here]
            depth += 1
        return here, depth, frame.predicate

    return min(frames, key=rank)


def _argument_tokens(tree: Tree, frame: Frame) -> dict[int, list[int]]:
    """Tokens of each argument, by its head: its subtree without what belongs to another part.

    An argument above the predicate (the noun of a relative clause) does not contain the clause.
    """
    tops = {frame.predicate, *(head for argument in frame.arguments for head in _heads(argument))}
    here = frame.predicate
    while tree.heads[here] != here:
        here = tree.heads[here]
        tops.add(here)
    parts = tree.parts(tops)
    return {
        argument.head: [i for head in _heads(argument) for i in parts[head]]
        for argument in frame.arguments
    }


def _heads(argument: Argument) -> tuple[int, ...]:
    return (argument.head, *argument.more)


def _predicate_node(tree: Tree, frame: Frame) -> Node:
    particles = [kid for kid in tree.kids(frame.predicate) if tree.deps[kid] == "prt"]
    return _phrase_node(tree, sorted([frame.predicate, *particles]), frame.sense)


def _phrase_node(tree: Tree, words: list[int], sense: str | None = None) -> Node:
    """Node of the given tokens; ``parts`` are set where they are not contiguous."""
    while len(words) > 1 and _trimmed(tree, words[-1]):
        words = words[:-1]
    while len(words) > 1 and _trimmed(tree, words[0]):
        words = words[1:]
    parts: list[tuple[int, int]] = []
    last = -2
    for i in words:
        start = parts.pop()[0] if i == last + 1 else tree.starts[i]
        parts.append((start, tree.ends[i]))
        last = i
    label = " ".join(tree.text[start:end] for start, end in parts)
    span = (parts[0][0], parts[-1][1])
    return Node(label, span, sense, parts=tuple(parts) if len(parts) > 1 else ())


def _trimmed(tree: Tree, i: int) -> bool:
    word = tree.word(i)
    return word in _TRIMMED or word.isspace()
