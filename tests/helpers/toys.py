"""A toy parser and toy word vectors: quick, deterministic, and good for any sentence."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from tiny_models import model_options

from compsim.benchmarks.datasets import Dataset, SentencePair
from compsim.embeddings.flow import Flow
from compsim.embeddings.postprocess import Normalizer
from compsim.embeddings.transformer_layer import BertFlow
from compsim.graph import Node, RoleGraph, Status
from compsim.method import Method
from compsim.parsers.pipeline.tree import Tree
from compsim.rolesim.method import RoleSimMethod
from compsim.vectors import WordVectors

VERBS = ("chase", "help", "visit")
NOUNS = ("cats", "dogs", "mice", "birds", "park", "house")
MANNERS = ("quickly", "sadly")
KNOWN = (*VERBS, *NOUNS, *MANNERS)
UNKNOWN = ("zzyzx", "qwrt")


class ToyParser:
    """Agent, Verb, Patient (Theme after "visit"), "in" Location, and a Manner word."""

    name = "toy"
    version = "1"

    def __init__(self) -> None:
        self.parsed: list[str] = []

    def parse(self, sentences: Sequence[str]) -> list[RoleGraph]:
        self.parsed.extend(sentences)
        return [self._parse(sentence) for sentence in sentences]

    def _parse(self, sentence: str) -> RoleGraph:
        phrases: dict[str, list[tuple[int, int]]] = {}
        role = "Agent"
        place = 0
        for word in sentence.split():
            start = sentence.index(word, place)
            place = start + len(word)
            token = word.strip(".,").lower()
            if token in VERBS and "Verb" not in phrases:
                phrases["Verb"] = [(start, place)]
                role = "Theme" if token == "visit" else "Patient"
            elif token in MANNERS and "Manner" not in phrases:
                phrases["Manner"] = [(start, place)]
            elif token == "in":
                role = "Location"
            else:
                phrases.setdefault(role, []).append((start, place))
        if "Verb" not in phrases:
            return RoleGraph.failed(sentence, "no verb", self.name)
        nodes: dict[str, str | Node] = {}
        for role, spans in phrases.items():
            start, stop = spans[0][0], spans[-1][1]
            nodes[role] = Node(sentence[start:stop], (start, stop))
        status = Status.OK if "Agent" in nodes else Status.PARTIAL
        return RoleGraph.star(sentence, nodes, status=status, parser=self.name)


def toy_vectors() -> WordVectors:
    """Eight-dimensional random vectors of the known words."""
    rng = np.random.default_rng(7)
    return WordVectors.from_arrays(KNOWN, rng.normal(size=(len(KNOWN), 8)), name="toy-vectors")


def toy_pairs(count: int, seed: int = 3) -> Dataset:
    """Pairs of toy sentences, not rated, of which few share a sentence."""
    rng = np.random.default_rng(seed)

    def sentence() -> str:
        first, second, place = rng.choice(NOUNS, 3, replace=False)
        text = f"{first} {rng.choice(VERBS)} {second}"
        text += f" {rng.choice(MANNERS)}" if rng.random() < 0.5 else ""
        return text + (f" in {place}." if rng.random() < 0.5 else ".")

    texts = list(dict.fromkeys(sentence() for _ in range(20 * count)))[: 2 * count]
    rng.shuffle(texts)
    pairs = [SentencePair(x, y, 0.0) for x, y in zip(texts[::2], texts[1::2], strict=True)]
    return Dataset("toy", tuple(pairs), {"all": tuple(range(len(pairs)))}, "made by the test")


def toy_options(name: str) -> dict[str, Any]:
    """Return the options of a method of the registry in the tests."""
    from compsim.registry import options

    if name == "openai":
        from embedding_server import toy_url

        return {"url": toy_url(), "model": "toy", "api_key": ""}
    if name == "llm-rating":
        import rating_server

        return {"url": rating_server.toy_url(), "model": "toy", "api_key": ""}
    if name == "infersent":
        from toy_encoders import infersent_options

        return infersent_options()
    if name in ("skipthought", "quickthought", "gensen"):
        from toy_recurrent import toy_options as recurrent_options

        return recurrent_options(name)
    if name == "bert-flow":
        return {**model_options(name), "normalize": saved_flow()}
    if name == "callable":
        return {"function": "toys:vectors_of_letters"}
    if name == "use":
        from toy_encoders import use_options

        return use_options()
    if name in ("verbnet-cn", "hybrid", "drs"):
        whole = {"whole": "mean-cn"} if name == "hybrid" else {}
        return {"vectors": "builtin", **whole}
    toys = {"parser": ToyParser, "vectors": toy_vectors}
    result = {option: toys[option]() for option in options(name) if option in toys}
    return result | model_options(name)


def random_flow(dim: int, seed: int = 3) -> Flow:
    """A flow with random weights, which no training has brought anywhere."""
    rng = np.random.default_rng(seed)
    start = Flow.start(dim, seed)
    arrays = {n: a + rng.normal(0, 0.3, a.shape) for n, a in start.arrays().items() if n != "order"}
    return Flow(**arrays, order=start.order)


@cache
def saved_flow() -> Path:
    """The file of a flow for vectors of the tiny model of ``bert-flow``."""
    dim = BertFlow(**model_options("bert-flow")).encode(["cats"]).vector.shape[1]
    path = Path(tempfile.mkdtemp(prefix="compsim-toy-"), "flow.npz")
    Normalizer("flow", np.full(dim, 0.1), np.full(dim, 2.0), random_flow(dim)).save(path)
    return path


def vectors_of_letters(sentences: list[str]) -> np.ndarray:
    """Return letter counts of a sentence: a function as a user may have it."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return np.array([[text.lower().count(letter) for letter in letters] for text in sentences])


def shared_words(first: list[str], second: list[str]) -> list[float]:
    """The share of the words of two sentences that both have: a function of pairs."""
    sides = [[set(text.lower().split()) for text in side] for side in (first, second)]
    return [len(a & b) / max(len(a | b), 1) for a, b in zip(*sides, strict=True)]


def make_tree(words: str, tags: str, heads: list[int], deps: str) -> Tree:
    """A tree of words set apart by one space, verbs by their tag."""
    tokens = words.split()
    ends = np.cumsum([len(token) + 1 for token in tokens]) - 1
    return Tree(
        words,
        [int(end) - len(token) for end, token in zip(ends, tokens, strict=True)],
        ends.tolist(),
        heads,
        deps.split(),
        tags.split(),
        ["VERB" if tag.startswith("VB") else "NOUN" for tag in tags.split()],
        words.lower().split(),
    )


def verbnet(**options: Any) -> RoleSimMethod:
    """The method of the paper, on toys."""
    defaults = {"parser": ToyParser(), "vectors": toy_vectors(), "weights": "paper"}
    return RoleSimMethod(**{**defaults, **options})


def digest(method: Method[Any]) -> str:
    """Return the hash of a method's scores of toy sentences, to compare those of two processes."""
    words = KNOWN[::2], KNOWN[:2], KNOWN[3:6]
    texts = [f"{x} {v} {y}" for x in words[0] for v in words[1] for y in words[2]]
    some = texts[::4] if method.info.name == "llm-rating" else texts  # a request for each pair
    scores = method.similarity(some, some).tobytes()
    scores += method.similarity_pairwise(some, some[::-1]).tobytes()
    return hashlib.sha256(scores).hexdigest()
