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

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from compsim.errors import DataError, MissingExtraError
from compsim.graph import Edge, Node, RoleGraph, Status

from .candidates import Tree, predicates
from .consolidate import from_propbank
from .features import voice
from .labeller import Argument, Frame, RoleLabeller, core
from .repair import mend

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = ["SrlParser"]

WEIGHTS = Path(__file__).parent.parent / "weights"
#: Longer texts are cut here, and their graph is marked partial.
MAX_CHARACTERS = 20_000
BATCH = 512
_TRIMMED = frozenset(",;:.!?-–—()[]\"'`“”‘’…")


class SrlParser:
    """VerbNet-style semantic roles; ``pipeline`` is the name or folder of a spaCy pipeline.

    Nothing is loaded before the first sentence. Raises MissingExtraError when the named pipeline is
    not installed and DataError when it has no parser or is damaged.
    """

    name = "srl"
    cacheable_failures = True

    def __init__(self, pipeline: str | Path = "builtin") -> None:
        self.pipeline = str(pipeline)

    @property
    def version(self) -> str:
        """Package version, pipeline and role model: what the output depends on."""
        from compsim._version import __version__

        return f"{__version__}/{self._pipeline_version}/{self._labeller.version}"

    @cached_property
    def _pipeline_version(self) -> str:
        meta = self._nlp.meta
        return f"{meta.get('name')}-{meta.get('version')}" if self.pipeline == "builtin" else (
            f"{self.pipeline}-{meta.get('version')}"
        )

    @cached_property
    def _labeller(self) -> RoleLabeller:
        return RoleLabeller(WEIGHTS / "roles")

    @cached_property
    def _nlp(self) -> Language:
        import spacy

        source = str(WEIGHTS / "pipeline") if self.pipeline == "builtin" else self.pipeline
        if not Path(source).exists() and find_spec(source.partition(".")[0]) is None:
            raise MissingExtraError(
                f"the spaCy pipeline {source!r} is not installed: run `python -m spacy download "
                f"{source}`, or leave the pipeline out to use the one that compsim ships"
            )
        try:
            nlp = spacy.load(source, exclude=["ner", "senter"])
        except (OSError, ValueError) as error:
            raise DataError(f"the spaCy pipeline {source!r} does not load: {error}") from error
        if "parser" not in nlp.pipe_names:
            raise DataError(
                f"the spaCy pipeline {source!r} has no dependency parser, and roles are read off "
                "dependencies: name another pipeline"
            )
        return nlp

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        """One graph per sentence; a sentence without a predicate gets a failed graph."""
        graphs: list[RoleGraph] = []
        for start in range(0, len(sentences), BATCH):
            graphs += self._parse_batch(sentences[start : start + BATCH])
        return graphs

    def _parse_batch(self, sentences: Sequence[str]) -> list[RoleGraph]:
        # spaCy stores strings as UTF-8, which has no room for lone surrogates.
        texts = [text.encode("utf8", "replace").decode("utf8") for text in sentences]
        docs = self._nlp.pipe([text[:MAX_CHARACTERS] for text in texts], batch_size=BATCH)
        return [
            self._cut(graph, text) if len(text) > MAX_CHARACTERS else graph
            for graph, text in zip(self.parse_docs(list(docs)), texts, strict=True)
        ]

    def parse_docs(self, docs: Sequence[Doc]) -> list[RoleGraph]:
        """Graphs of documents that are parsed already (tags, lemmas, heads, ClearNLP labels)."""
        trees = [Tree(doc) for doc in docs]
        tasks = [(tree, self._predicates(tree)) for tree in trees]
        return [
            self._graph(tree, frames)
            for tree, frames in zip(trees, self._labeller.frames(tasks), strict=True)
        ]

    def _predicates(self, tree: Tree) -> list[int]:
        return predicates(tree) or (
            predicates(tree) if mend(tree, self._labeller.lexicon) else []
        )

    def _cut(self, graph: RoleGraph, text: str) -> RoleGraph:
        reason = f"only the first {MAX_CHARACTERS} characters were parsed"
        status = Status.FAILED if graph.status is Status.FAILED else Status.PARTIAL
        return replace(graph, text=text, status=status, reason=graph.reason or reason)

    def _graph(self, tree: Tree, frames: list[Frame]) -> RoleGraph:
        text = tree.doc.text
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

    def _phrases(self, tree: Tree, frame: Frame) -> Iterator[tuple[str, str, Node]]:
        """(role, PropBank label, phrase) of a star, each role once, in text order."""
        lemma = tree.lemmas[frame.predicate]
        links = self._labeller.lexicon.get(lemma, {}).get(frame.sense or "", {})
        active = voice(tree, frame.predicate) == "active"
        tokens = _argument_tokens(tree, frame)
        slots: dict[str, tuple[list[str], list[int]]] = {}
        for argument in _ordered(frame.arguments):
            subject = active and argument.path[-1] == "nsubj"
            role = from_propbank(argument.label, links.get(argument.label), subject)
            if role == "Agent" and role in slots:
                role = from_propbank(argument.label, links.get(argument.label))
            # Two undergoers are told apart even where VerbNet's finer roles fall together.
            if core(argument.label) and role in slots:
                role = {"Theme": "Patient", "Patient": "Theme"}.get(role, role)
            labels, words = slots.setdefault(role or argument.label, ([], []))
            labels.append(argument.label)
            words += tokens[argument.head]
        for role, (labels, words) in sorted(slots.items(), key=lambda item: min(item[1][1], default=0)):
            if words:
                yield role, "+".join(dict.fromkeys(labels)), _phrase_node(tree, sorted(set(words)))


def _ordered(arguments: tuple[Argument, ...]) -> list[Argument]:
    """Numbered arguments first, so that they get their roles before modifiers do."""
    return sorted(arguments, key=lambda argument: (not core(argument.label), argument.label))


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
    cut = {frame.predicate}
    here = frame.predicate
    while tree.heads[here] != here:
        here = tree.heads[here]
        cut.add(here)
    cut.update(head for argument in frame.arguments for head in (argument.head, *argument.more))
    tokens: dict[int, list[int]] = {}
    for argument in frame.arguments:
        below = frozenset(cut - {argument.head})
        found = tree.subtree(argument.head, below)
        for head in argument.more:
            found += tree.subtree(head, frozenset(cut - {head}))
        tokens[argument.head] = found
    return tokens


def _predicate_node(tree: Tree, frame: Frame) -> Node:
    particles = [kid for kid in tree.kids[frame.predicate] if tree.deps[kid] == "prt"]
    return _phrase_node(tree, sorted([frame.predicate, *particles]), frame.sense)


def _phrase_node(tree: Tree, words: list[int], sense: str | None = None) -> Node:
    """Node of the given tokens; ``parts`` are set where they are not contiguous."""
    doc = tree.doc
    texts = [doc[i].text for i in words]
    while len(words) > 1 and (texts[-1] in _TRIMMED or texts[-1].isspace()):
        words, texts = words[:-1], texts[:-1]
    while len(words) > 1 and (texts[0] in _TRIMMED or texts[0].isspace()):
        words, texts = words[1:], texts[1:]
    parts: list[tuple[int, int]] = []
    last = -2
    for i in words:
        start, end = doc[i].idx, doc[i].idx + len(doc[i])
        if i == last + 1:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((start, end))
        last = i
    label = " ".join(doc.text[start:end] for start, end in parts)
    span = (parts[0][0], parts[-1][1])
    return Node(label, span, sense, parts=tuple(parts) if len(parts) > 1 else ())
