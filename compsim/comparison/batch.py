"""Role graphs of concepts as arrays: what the comparison works on.

A sentence has nodes and edges. A node is a lemma, by its row in the table of the batch's lemmas,
with a kind, a weight and features; an edge joins two nodes of the sentence by a numbered relation.

>>> from compsim.parsers import load
>>> graphs = load("concepts").parse(["The dog bit two men."])
>>> batch = ConceptEncoder.open("builtin").encode(graphs)
>>> batch
ConceptBatch(1 sentence, 4 concepts)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self
from zlib import crc32

import numpy as np
import numpy.typing as npt

from compsim.comparison.concepts import (
    BARE,
    KINDS,
    NUMBERS,
    PARTICLES,
    SOUNDS,
    UNKNOWN,
    concept_weight,
    key_of,
    kind_of,
    spelled_out,
    spelt_right,
)
from compsim.comparison.features import FeatureTable
from compsim.comparison.packed import packed
from compsim.comparison.roles import RoleTable
from compsim.comparison.words import words_of
from compsim.errors import InputError
from compsim.graph import RoleGraph
from compsim.graph_method import FAILED, GraphBatch, status_codes
from compsim.kernels.layout import Field
from compsim.kernels.ragged import Array, Ragged, read_only
from compsim.vectors import KeyedVectors, WordVectors
from compsim.vectors.all_words import AllWords
from compsim.vectors.numbers import number
from compsim.vectors.rarity import probability
from compsim.vectors.transcriptions import consonants

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ConceptArrays", "ConceptBatch", "ConceptEncoder"]


class ConceptArrays(NamedTuple):
    """A batch as the kernel takes it: where nodes and edges of a sentence start, and the columns.

    ``node`` and ``edge`` int64 (sentences + 1); per node ``lemma`` int32, ``kind`` and
    ``negated`` int8, ``features`` int64 (packed by ``FeatureTable``), ``weight`` float32; per edge
    ``source`` and ``target`` int32 (places in the sentence), ``role`` int32, ``confidence``
    float32; ``word`` int64 (sentences + 1) where the words of a sentence start, and per word
    ``form`` int32, the row of its lemma, ``concept`` int32, its node in the sentence or -1, and
    ``featured`` int8, 1 where it is a feature of that node; per lemma ``key`` int64 (equal for
    equal lemmas of any batch), ``entry`` int32 (row in the lexical relations, or -1), ``contrast``
    and ``member`` int32 (a class of words that exclude each other and the part in it, 0 for none)
    and ``vector`` int16 (lemmas, dim), ``packed``.
    """

    node: Array
    lemma: Array
    kind: Array
    negated: Array
    features: Array
    weight: Array
    edge: Array
    source: Array
    target: Array
    role: Array
    confidence: Array
    word: Array
    form: Array
    concept: Array
    featured: Array
    key: Array
    entry: Array
    contrast: Array
    member: Array
    vector: Array


class ConceptBatch(GraphBatch):
    """Encoded role graphs of concepts: nodes, edges and words, the lemmas as shared arrays."""

    layout = MappingProxyType(
        {
            "node.lemma": Field("int32", 0, of="shared.key"),
            "node.kind": Field("int8", 0, len(KINDS) - 1),
            "node.negated": Field("int8", 0, 1),
            "node.features": Field("int64", 0),
            "node.weight": Field("float32", 0, 1),
            "edge.source": Field("int32", 0, of="part.node"),
            "edge.target": Field("int32", 0, of="part.node"),
            "edge.role": Field("int32", 0),
            "edge.confidence": Field("float32", 0, 1),
            "word.form": Field("int32", 0, of="shared.key"),
            "word.concept": Field("int32", -1, of="part.node"),
            "word.featured": Field("int8", 0, 1),
            "text.request": Field("int8", 0, 1),
            "shared.key": Field("int64"),
            "shared.entry": Field("int32", -1),
            "shared.contrast": Field("int32", 0),
            "shared.member": Field("int32", 0),
            "shared.vector": Field("int16", dimensions=2),
        }
    )

    def __init__(self, parts: Mapping[str, Ragged], **common: Any) -> None:
        super().__init__(parts, **common)
        from compsim.vectors.relations import Relations

        # Not in the layout, since the tables are not read before they are needed.
        role, entry = self.parts["edge"].columns["role"], self.shared["entry"]
        known = len(RoleTable.open().names), len(Relations.open())
        if role.max(initial=0) >= known[0] or entry.max(initial=0) >= known[1]:
            raise InputError(
                "a batch of concepts names relations that this version does not have: encode its "
                "sentences again"
            )

    def __repr__(self) -> str:
        n, nodes = len(self), int(self.parts["node"].indptr[-1])
        return f"ConceptBatch({n} sentence{'s' * (n != 1)}, {nodes} concepts)"

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """The number of concepts of each sentence, int64 (n,)."""
        return np.diff(self.parts["node"].indptr)

    @property
    def requests(self) -> npt.NDArray[np.bool_]:
        """Mask of sentences that ask, or tell somebody to do something, bool (n,)."""
        request: npt.NDArray[np.bool_] = self.parts["text"].columns["request"] > 0
        return request

    @property
    def arrays(self) -> ConceptArrays:
        """The batch as the kernel takes it."""
        shared = (read_only(self.shared[name]) for name in _SHARED)
        parts = (self.parts[name].arrays for name in _PARTS)
        return ConceptArrays(*chain.from_iterable(parts), *shared)

    @classmethod
    def _joined(cls, batches: list[Self], **common: Any) -> Self:
        # A part of a batch holds the lemmas of the whole: those of its own sentences will do.
        used = [
            np.unique(np.concatenate([batch.parts[part].columns[name] for part, name in _LEMMAS]))
            for batch in batches
        ]
        lemmas = {
            name: np.concatenate(
                [batch.shared[name][own] for batch, own in zip(batches, used, strict=True)]
            )
            for name in _SHARED
        }
        _, first, rows = np.unique(lemmas["key"], return_index=True, return_inverse=True)
        shared = {name: values[first] for name, values in lemmas.items()}
        renumbered = []
        for batch, own in zip(batches, used, strict=True):
            node, word = batch.parts["node"], batch.parts["word"]
            table = np.zeros(len(batch.shared["key"]), dtype=np.int32)
            table[own], rows = rows[: len(own)], rows[len(own) :]
            columns = {**node.columns, "lemma": table[node.columns["lemma"]]}
            parts = {
                **batch.parts,
                "node": Ragged(node.indptr, columns),
                "word": Ragged(word.indptr, {**word.columns, "form": table[word.columns["form"]]}),
            }
            renumbered.append(batch._with(parts, shared=shared))
        return super()._joined(renumbered, **common)


#: The parts of a batch that are compared, the columns that are places in the lemmas, and the arrays
#: of these, which all sentences share.
_PARTS: Final = ("node", "edge", "word")
_LEMMAS: Final = (("node", "lemma"), ("word", "form"))
_SHARED: Final = ("key", "entry", "contrast", "member", "vector")


class ConceptEncoder:
    """Turns role graphs of concepts into batches, with word vectors and lexical relations."""

    def __init__(self, vectors: AllWords) -> None:
        self.vectors = vectors
        from compsim.vectors.relations import Relations

        self.relations = Relations.open()
        self.roles = RoleTable.open()
        self.features = FeatureTable.open()
        self.space = f"concepts, {vectors.space}, relations {self.relations.version}"

    @classmethod
    def open(cls, vectors: str | Path | WordVectors | KeyedVectors | None = None) -> Self:
        """Make an encoder with the word vectors of this name or path, see ``WordVectors.open``."""
        return cls(AllWords(WordVectors.open(vectors), form=0.0))

    def encode(self, graphs: Sequence[RoleGraph]) -> ConceptBatch:
        """Encode n graphs; one without nodes has failed."""
        lemmas: dict[str, int] = {}
        nodes: list[tuple[float, ...]] = []
        edges: list[tuple[int, int, int, float]] = []
        words: list[tuple[int, int, bool]] = []
        node_ends, edge_ends, word_ends = [0], [0], [0]
        number_of = self.roles.number
        for graph in graphs:
            for node in graph.nodes:
                lemma, columns = _node_columns(node.label, node.features)
                nodes.append((lemmas.setdefault(lemma, len(lemmas)), *columns))
            for edge in graph.edges:
                edges.append((edge.source, edge.target, number_of(edge.role), edge.confidence))
            for word in words_of(graph):
                form = lemmas.setdefault(word.form, len(lemmas))
                words.append((form, word.node, word.feature))
            node_ends.append(len(nodes))
            edge_ends.append(len(edges))
            word_ends.append(len(words))
        requests = list(map(_is_request, graphs))
        return ConceptBatch(
            {
                "node": _ragged(node_ends, nodes, _NODE_COLUMNS),
                "edge": _ragged(edge_ends, edges, _EDGE_COLUMNS),
                "word": _ragged(word_ends, words, _WORD_COLUMNS),
                "text": Ragged.single({"request": np.array(requests, dtype=np.int8)}),
            },
            status=_status(graphs),
            graphs=list(graphs),
            space=self.space,
            shared=self._lemmas(list(lemmas)),
        )

    def _lemmas(self, lemmas: list[str]) -> dict[str, Array]:
        groups = [contrast_of(lemma) for lemma in lemmas]
        vector = self.vectors.texts([spelled_out(lemma) for lemma in lemmas])
        return {
            "key": np.array([key_of(lemma) for lemma in lemmas], dtype=np.int64),
            "entry": self.relations.ids(lemmas).astype(np.int32),
            "contrast": np.array([group for group, _ in groups], dtype=np.int32),
            "member": np.array([member for _, member in groups], dtype=np.int32),
            "vector": packed(vector.reshape(len(lemmas), self.vectors.dim)),
        }


@lru_cache(maxsize=1 << 14)
def _node_columns(
    label: str, features: tuple[tuple[str, str], ...]
) -> tuple[str, tuple[int, int, int, float]]:
    """Return the lemma of a concept and the other columns of its row, from how it is parsed."""
    by_name = dict(features)
    lemma = by_name.get("lemma") or label.lower()
    pos = by_name.get("pos", "")
    is_name = pos == "PROPN" and not label.islower()
    lemma = lemma if is_name else spelt_right(lemma, pos)
    kind = kind_of(lemma, pos, "open" in by_name)
    weight = concept_weight(lemma, pos, "carrier" in by_name)
    return lemma, (kind, int("negated" in by_name), FeatureTable.open().pack(by_name), weight)


_NODE_COLUMNS: Final = {
    "lemma": np.int32, "kind": np.int8, "negated": np.int8, "features": np.int64,
    "weight": np.float32,
}  # fmt: skip
_EDGE_COLUMNS: Final = {
    "source": np.int32, "target": np.int32, "role": np.int32, "confidence": np.float32,
}  # fmt: skip
_WORD_COLUMNS: Final = {"form": np.int32, "concept": np.int32, "featured": np.int8}


def _ragged(ends: list[int], rows: Iterable[tuple[float, ...]], columns: dict[str, Any]) -> Ragged:
    table: Iterable[Any] = list(zip(*rows, strict=True)) or [()] * len(columns)
    arrays = {
        name: np.array(values, dtype=kind)
        for (name, kind), values in zip(columns.items(), table, strict=True)
    }
    return Ragged(np.array(ends, dtype=np.int64), arrays)


def _is_request(graph: RoleGraph) -> bool:
    """Return whether a sentence asks, or tells somebody to do something."""
    return graph.text.rstrip().endswith("?") or any(
        node.feature("asked") or node.feature("modality") == "told" for node in graph.nodes
    )


def _status(graphs: Sequence[RoleGraph]) -> npt.NDArray[np.int8]:
    status = status_codes(graphs)
    status[[i for i, graph in enumerate(graphs) if not graph.nodes]] = FAILED
    return status


@lru_cache(maxsize=1 << 14)
def contrast_of(lemma: str) -> tuple[int, int]:
    """Return the number of the class of mutually exclusive words of a lemma, and of its group.

    From ``PARTICLES`` on two groups are opposites if they differ in the last bit; words of the
    groups 0 and 1 need not mean the same. From ``SOUNDS`` to there, names that are spelt alike but
    for vowels are one class, and those that no list of words has its group ``UNKNOWN``. ``BARE`` is
    the group of a verb among those that it makes with particles.
    """
    from compsim.parsers.grammar.lexicon import Lexicon

    lexicon = Lexicon.open()
    group = lexicon.feature("opposite", lemma, "group")
    if group:
        opposite = lexicon.feature("opposite", lemma, "opposite")
        pair = f"{min(group, opposite)}|{max(group, opposite)}"
        return PARTICLES + crc32(pair.encode()) % PARTICLES, int(group > opposite)
    verb, _, particle = lemma.rpartition("_")
    if verb and particle in lexicon.members("particle"):
        # Whoever turns something on does not turn it off: opposites differ in the last bit.
        opposite = lexicon.feature("particle", particle, "opposite") or particle
        first = lexicon.contrast(min(particle, opposite))[1]
        return _class_of_particles(verb), 2 * first + (particle > opposite)
    value = number(lemma)
    if value is not None:
        return NUMBERS, 1 + crc32(f"{value:.12g}".encode()) % NUMBERS
    contrast = lexicon.contrast(lemma)
    if not contrast[0] and _has_particle_verbs(lemma):
        return _class_of_particles(lemma), BARE
    if not contrast[0] and (sounds := consonants(lemma)):
        kind = SOUNDS + crc32(sounds.encode()) % (PARTICLES - SOUNDS)
        return kind, UNKNOWN + _is_known(lemma)
    return contrast


def _is_known(lemma: str) -> bool:
    """Return whether a list of words has a lemma."""
    from compsim.vectors.relations import Relations

    return probability(lemma) > 0.0 or bool((Relations.open().ids([lemma]) >= 0).any())


def _class_of_particles(verb: str) -> int:
    """Return the number of the class of a verb with its particles."""
    return PARTICLES + crc32(verb.encode()) % PARTICLES


def _has_particle_verbs(verb: str) -> bool:
    """Return whether there are verbs of this verb and a particle: "give up"."""
    from compsim.parsers.grammar.lexicon import Lexicon
    from compsim.vectors.relations import Relations

    particles = Lexicon.open().members("particle")
    return bool((Relations.open().ids(f"{verb}_{word}" for word in particles) >= 0).any())
