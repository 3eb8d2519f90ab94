"""Recipe of the role labeller (``weights/roles``), learned from gold PropBank.

::

    python -m compsim.weights.train_roles --data FOLDER --parser A --parser en_core_web_md \\
        --out weights/roles

``FOLDER`` holds ``ewt-propbank/{train,dev}.conll.gz``, ``propbank/{frame-examples.jsonl.gz,
propbank-frames.zip}``, ``verbnet/pbvn-mappings.json`` and ``text/sentences.tsv.gz``.

The gold sentences are parsed, so the labeller learns to live with a parser's mistakes. The parsers
have to make some: the shipped pipeline was taught with the gold annotation of these very sentences,
and who learns from its trees alone trusts trees too much. So they are parsed by two that were not,
the first run of the shipped one (``A`` in :mod:`compsim.weights.train_pipeline`) and one of its
teachers; classes and lemmas are the shipped pipeline's.

What is shipped is the *student* of several *teachers*, larger networks that differ in where their
training began: it learns the mean of what these say of the gold sentences, and of more, plain ones
(``text``) as the shipped pipeline parses them.

Prints the argument F1 on EWT dev; ``--compare`` also trains the models that were not chosen. Needs
the ``recipes`` extra; takes about a quarter of an hour on one core.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import spacy
import torch
import typer
from spacy.language import Language
from spacy.tokens import Doc
from torch.nn import functional

from compsim.parsers.pipeline.tree import Tree, predicates
from compsim.parsers.roles.candidates import (
    BUCKETS,
    CONTENT,
    PREDICATE,
    buckets,
    code,
    extract,
    sense_buckets,
)
from compsim.parsers.roles.labeller import PLACE_LABEL, RoleLabeller, core
from compsim.vectors import WordVectors
from compsim.weights.build_names import read_sentences
from compsim.weights.propbank import Proposition, read_ewt, read_examples, read_lexicon

HERE = Path(__file__).parent
KEPT_WORDS = 40000
BATCH = 512
RATE = 0.004
HIDDEN = 32
#: Teachers: how many, how large, and which part of the features each of their steps leaves out.
TEACHERS = 6
TEACHER_HIDDEN = 48
TEACHER_DROP = 0.4
#: Plain sentences that the student learns from, and how many words they have.
PLAIN = 43000
PLAIN_WORDS = range(3, 41)
LABELS = [
    "NONE", "IN", "ARG0", "ARG1", "ARG2", "ARG3", "ARG4", "ARG5", "ARGM-ADJ", "ARGM-ADV",
    "ARGM-CAU", "ARGM-COM", "ARGM-CXN", "ARGM-DIR", "ARGM-DIS", "ARGM-EXT", "ARGM-GOL", "ARGM-LOC",
    "ARGM-LVB", "ARGM-MNR", "ARGM-MOD", "ARGM-NEG", "ARGM-PRD", "ARGM-PRP", "ARGM-PRR", "ARGM-REC",
    "ARGM-TMP", "C-ARG0", "C-ARG1", "C-ARG2", "R-ARG0", "R-ARG1", "R-ARG2", "R-ARGM-LOC",
    "R-ARGM-TMP",
]  # fmt: skip
PAIRS = (("(", ")"), ("[", "]"), ('"', '"'), ("``", "''"), ("\u201c", "\u201d"), ("'", "'"))
_RENAMED = {"ARGM-PNC": "ARGM-PRP"}


@dataclass(frozen=True)
class Sample:
    """Candidates (column codes, gold labels) and predicates (context, lemma, roleset)."""

    rows: npt.NDArray[np.uint64]
    labels: npt.NDArray[np.int64]
    contexts: npt.NDArray[np.uint64]
    lemmas: list[str]
    rolesets: list[str]


def trees(
    parser: Language, own: Language, gold: Iterable[tuple[list[str], list[Proposition]]]
) -> Iterator[tuple[Tree, list[Proposition]]]:
    """Gold sentences parsed by ``parser``, with the classes and lemmas of the pipeline ``own``."""
    tokens, propositions = zip(*gold, strict=True)
    docs = (Doc(parser.vocab, words=words) for words in tokens)
    for doc, found in zip(parser.pipe(docs, batch_size=512), propositions, strict=True):
        parsed = Doc(
            own.vocab,
            words=[token.text for token in doc],
            tags=[token.tag_ for token in doc],
            heads=[token.head.i for token in doc],
            deps=[token.dep_ for token in doc],
        )
        for name in ("attribute_ruler", "lemmatizer"):
            parsed = own.get_pipe(name)(parsed)
        yield Tree.of(parsed), found


def plain_rows(own: Language, path: Path) -> npt.NDArray[np.uint64]:
    """Candidates of the predicates of plain sentences, as the pipeline ``own`` parses them."""
    texts = [text for text in read_sentences(path) if len(text.split()) in PLAIN_WORDS]
    chosen = random.Random(4).sample(texts, min(PLAIN, len(texts)))
    parsed = map(Tree.of, own.pipe(chosen, batch_size=512))
    return extract([(tree, heads) for tree in parsed if (heads := predicates(tree))]).rows


def span_heads(tree: Tree, start: int, end: int) -> list[int]:
    """Tokens of a span whose head lies outside it, punctuation last."""
    inside = range(start, end + 1)
    heads = [i for i in inside if tree.heads[i] == i or tree.heads[i] not in inside]
    return sorted(heads, key=lambda i: tree.deps[i] == "punct")


def gold_labels(tree: Tree, heads: list[int], proposition: Proposition) -> dict[int, str]:
    """The gold label of each candidate head that stands for (part of) a gold argument."""
    allowed = set(heads)
    found: dict[int, str] = {}
    for label, start, end in proposition.arguments:
        tops = [head for head in span_heads(tree, start, end) if head in allowed]
        if not tops:
            continue
        best = max(tops, key=lambda head: len(tree.parts([head])[head]))
        name = _RENAMED.get(label, label)
        found[best] = name if name in LABELS else "NONE"
        for head in tops:
            found.setdefault(head, "IN")
    return found


def sample(parsed: Iterable[tuple[Tree, list[Proposition]]]) -> Sample:
    """Training material of parsed gold sentences, without gold predicates that the tree lacks."""
    tasks = [
        (tree, head, proposition)
        for tree, propositions in parsed
        for known in [set(predicates(tree))]
        for proposition in propositions
        for head in [next((i for i in proposition.predicate if i in known), None)]
        if head is not None
    ]
    found = extract([(tree, [head]) for tree, head, _ in tasks])
    heads, starts = found.heads.tolist(), found.starts.tolist()
    labels: list[int] = []
    for i, (tree, _, proposition) in enumerate(tasks):
        own = heads[starts[i] : starts[i + 1]]
        gold = gold_labels(tree, own, proposition)
        labels += [LABELS.index(gold.get(head, "NONE")) for head in own]
    return Sample(
        found.rows,
        np.array(labels),
        found.contexts,
        [tree.lemmas[head] for tree, head, _ in tasks],
        [proposition.roleset for *_, proposition in tasks],
    )


def join(parts: Sequence[Sample]) -> Sample:
    """One sample of several."""
    return Sample(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.contexts for part in parts]),
        [lemma for part in parts for lemma in part.lemmas],
        [roleset for part in parts for roleset in part.rolesets],
    )


class ArgumentNet(torch.nn.Module):
    """Hashed features (summed embeddings) + word vectors -> one hidden layer -> label scores.

    With ``hidden=None`` the features score the labels directly: the linear model.
    """

    def __init__(
        self, vectors: npt.NDArray[np.float32] | None, hidden: int | None = HIDDEN
    ) -> None:
        super().__init__()
        width = hidden or len(LABELS)
        self.embedding = torch.nn.EmbeddingBag(BUCKETS, width, mode="sum", sparse=True)
        torch.nn.init.normal_(self.embedding.weight, std=0.05 if hidden else 0.0)
        self.bias = torch.nn.Parameter(torch.zeros(width))
        self.out = torch.nn.Linear(width, len(LABELS)) if hidden else None
        self.vectors = None if vectors is None else torch.from_numpy(vectors)
        dim = 0 if vectors is None else vectors.shape[1]
        self.filler = torch.nn.Linear(dim, width, bias=False) if dim else None
        self.predicate = torch.nn.Linear(dim, width, bias=False) if dim else None

    def forward(
        self, features: torch.Tensor, words: torch.Tensor, drop: float = 0.0
    ) -> torch.Tensor:
        """Label scores (n, labels) of feature buckets (n, templates) and word rows (n, 2)."""
        kept = torch.rand(features.shape) >= drop
        hidden = functional.embedding_bag(
            features,
            self.embedding.weight,
            per_sample_weights=kept.float() / (1 - drop),
            mode="sum",
            sparse=True,
        )
        hidden = hidden + self.bias
        if self.filler is not None and self.predicate is not None and self.vectors is not None:
            hidden = hidden + self.filler(self.vectors[words[:, 0]])
            hidden = hidden + self.predicate(self.vectors[words[:, 1]])
        scores: torch.Tensor = self.out(torch.relu(hidden)) if self.out else hidden
        return scores


def train_arguments(
    net: ArgumentNet,
    rows: torch.Tensor,
    words: torch.Tensor,
    gold: torch.Tensor,
    epochs: int = 3,
    drop: float = 0.2,
) -> None:
    """Cross-entropy with Adam; ``drop`` of the features are left out of each step.

    ``gold`` are labels (n,) or their probabilities (n, labels). The learning rate falls linearly
    over the epochs.
    """
    sparse = torch.optim.SparseAdam(net.embedding.parameters(), lr=RATE)
    rest = [p for name, p in net.named_parameters() if not name.startswith("embedding")]
    dense = torch.optim.Adam(rest, lr=RATE)
    steps = epochs * (-(-len(gold) // BATCH))
    step = 0
    for epoch in range(epochs):
        total = 0.0
        for batch in torch.randperm(len(gold)).split(BATCH):
            for group in (*sparse.param_groups, *dense.param_groups):
                group["lr"] = RATE * (1 - step / steps)
            loss = functional.cross_entropy(net(rows[batch], words[batch], drop), gold[batch])
            sparse.zero_grad()
            dense.zero_grad()
            loss.backward()
            sparse.step()
            dense.step()
            total += loss.item() * len(batch)
            step += 1
        typer.echo(f"  epoch {epoch + 1}: loss {total / len(gold):.4f}")


def mean_of(
    nets: Sequence[ArgumentNet], features: torch.Tensor, words: torch.Tensor
) -> torch.Tensor:
    """The mean probabilities (n, labels) that some networks give to the labels."""
    parts = []
    with torch.no_grad():
        for some in torch.arange(len(features)).split(20000):
            each = [torch.softmax(net(features[some], words[some]), 1) for net in nets]
            parts.append(torch.stack(each).mean(0))
    return torch.cat(parts)


def train_senses(
    data: Sample, lexicon: dict[str, dict[str, dict[str, str]]], steps: int = 120
) -> npt.NDArray[np.float32]:
    """Weights of hashed (roleset, context) features: softmax over the rolesets of each lemma."""
    weights = torch.zeros(BUCKETS, requires_grad=True)
    optimizer = torch.optim.Adam([weights], lr=0.1)
    cases = [
        (i, list(lexicon[lemma]))
        for i, lemma in enumerate(data.lemmas)
        if data.rolesets[i] in lexicon.get(lemma, {}) and len(lexicon[lemma]) > 1
    ]
    sizes = [len(names) for _, names in cases]
    gold = torch.tensor([names.index(data.rolesets[i]) for i, names in cases])
    owner = torch.arange(len(cases)).repeat_interleave(torch.tensor(sizes))
    table = data.contexts[np.repeat([i for i, _ in cases], sizes)]
    codes = np.array([code(name) for _, names in cases for name in names], dtype=np.uint64)
    features = torch.from_numpy(sense_buckets(table, codes))
    right = torch.tensor(np.cumsum([0, *sizes[:-1]])) + gold
    for _ in range(steps):
        scores = weights[features].sum(1)
        peak = torch.full((len(cases),), -1e9).scatter_reduce(0, owner, scores.detach(), "amax")
        spread = torch.zeros(len(cases)).scatter_add(0, owner, (scores - peak[owner]).exp())
        fit = (spread.log() + peak - scores[right]).mean()
        optimizer.zero_grad()
        (fit + 2e-6 * (weights**2).sum()).backward()
        optimizer.step()
    return weights.detach().numpy()


def word_rows(table: npt.NDArray[np.uint64], index: dict[int, int], missing: int) -> torch.Tensor:
    """Vector rows of each candidate's filler and predicate: (n, 2)."""
    pairs = [
        [index.get(filler, missing), index.get(predicate, missing)]
        for filler, predicate in table[:, [CONTENT, PREDICATE]].tolist()
    ]
    return torch.tensor(pairs)


def export(
    net: ArgumentNet,
    sense: npt.NDArray[np.float32],
    lexicon: dict[str, dict[str, dict[str, str]]],
    codes: npt.NDArray[np.uint32],
    out: Path,
) -> None:
    """Write the models as plain arrays and JSON; embeddings and projections in 8 and 16 bits."""
    assert net.out is not None
    assert net.filler is not None
    assert net.predicate is not None
    assert net.vectors is not None
    embedding = net.embedding.weight.detach().numpy()
    scale = np.abs(embedding).max(axis=0) / 127
    order = np.argsort(codes)
    with torch.no_grad():
        filler = net.filler(net.vectors).numpy().astype(np.float16)
        predicate = net.predicate(net.vectors).numpy().astype(np.float16)
    last = [len(codes)]  # the row of an unknown word, all zeros
    out.mkdir(parents=True, exist_ok=True)
    fresh = out / "model.npz.fresh"
    with fresh.open("wb") as file:
        np.savez_compressed(
            file,
            embedding=np.round(embedding / scale).astype(np.int8),
            scale=scale.astype(np.float32),
            bias=net.bias.detach().numpy(),
            out=net.out.weight.detach().numpy().T.copy(),
            out_bias=net.out.bias.detach().numpy(),
            sense=sense.astype(np.float16),
            words=codes[order],
            as_filler=filler[[*order, *last]],
            as_predicate=predicate[[*order, *last]],
        )
    os.replace(fresh, out / "model.npz")
    (out / "lexicon.json").write_text(json.dumps(lexicon, separators=(",", ":")), encoding="utf8")
    model = (out / "model.npz").read_bytes() + json.dumps(lexicon).encode()
    about = {"version": hashlib.sha256(model).hexdigest()[:12], "labels": LABELS}
    (out / "about.json").write_text(json.dumps(about, indent=1), encoding="utf8")


def argument_f1(
    labeller: RoleLabeller, parsed: list[tuple[Tree, list[Proposition]]]
) -> dict[str, float]:
    """Argument F1 (label and exact span) and sense accuracy over all gold verbal predicates."""
    hit = said = gold_total = numbered = numbered_said = numbered_gold = senses = verbs = 0
    for tree, propositions in parsed:
        frames = {f.predicate: f for f in labeller.frames([(tree, predicates(tree))])[0]}
        for proposition in propositions:
            if not proposition.verbal:
                continue
            frame = frames.get(proposition.predicate[0])
            gold = {a for a in proposition.arguments if not a[0].startswith(("C-", "R-"))}
            found = set() if frame is None else set(spans(tree, frame))
            hit += len(gold & found)
            said += len(found)
            gold_total += len(gold)
            numbered += sum(core(a[0]) for a in gold & found)
            numbered_said += sum(core(a[0]) for a in found)
            numbered_gold += sum(core(a[0]) for a in gold)
            verbs += frame is not None
            senses += frame is not None and frame.sense == proposition.roleset
    return {
        "f1": 2 * hit / (said + gold_total),
        "numbered_f1": 2 * numbered / (numbered_said + numbered_gold),
        "sense_accuracy": senses / verbs,
    }


def spans(tree: Tree, frame: Any) -> Iterator[tuple[str, int, int]]:
    """(label, first, last) of each argument of a frame, as PropBank writes them.

    The noun that predicates beside a light verb (ARGM-PRR) stands alone: "walk" of "take a walk".
    """
    arguments = [argument for argument in frame.arguments if argument.label != PLACE_LABEL]
    parts = tree.parts({frame.predicate, *(i for a in arguments for i in (a.head, *a.more))})
    for argument in arguments:
        if argument.label.startswith(("C-", "R-")):
            continue
        tokens = [i for head in (argument.head, *argument.more) for i in parts[head]]
        if argument.label == "ARGM-PRR":
            tokens = [argument.head]
        spoken = [i for i in tokens if tree.deps[i] != "punct"] or tokens
        yield argument.label, *closed(tree, min(spoken), max(spoken))


def closed(tree: Tree, start: int, end: int) -> tuple[int, int]:
    """A span with the bracket or quotation mark next to it whose partner is in it or beside it."""
    before = tree.word(start - 1) if start else ""
    after = tree.word(end + 1) if end + 1 < len(tree) else ""
    if (before, after) in PAIRS:
        return start - 1, end + 1
    inside = [tree.word(i) for i in range(start, end + 1)]
    for opening, closing in PAIRS:
        opened, shut = inside.count(opening), inside.count(closing)
        odd = opening == closing and opened % 2 == 1
        if after == closing and (opened > shut or odd):
            return start, end + 1
        if before == opening and (opened < shut or odd):
            return start - 1, end
    return start, end


def main(
    data: Annotated[Path, typer.Option(help="folder of the gold data")],
    out: Annotated[Path, typer.Option(help="folder to write the labeller to")],
    parser: Annotated[list[str], typer.Option(help="pipelines that parse the gold sentences")],
    pipeline: Annotated[str, typer.Option(help="pipeline to parse with")] = str(HERE / "pipeline"),
    compare: Annotated[bool, typer.Option(help="train the rejected models too")] = False,
) -> None:
    """Train, report, write the role labeller."""
    torch.set_num_threads(1)  # the same sums in the same order wherever the recipe runs
    own = spacy.load(pipeline)
    lexicon = read_lexicon(
        data / "propbank" / "propbank-frames.zip", data / "verbnet" / "pbvn-mappings.json"
    )
    everything = join(
        [
            sample(trees(nlp, own, gold))
            for nlp in (spacy.load(name, exclude=["ner", "senter"]) for name in parser)
            for gold in (
                read_ewt(data / "ewt-propbank" / "train.conll.gz"),
                read_examples(data / "propbank" / "frame-examples.jsonl.gz"),
            )
        ]
    )
    dev = list(trees(own, own, read_ewt(data / "ewt-propbank" / "dev.conll.gz")))
    table = WordVectors.open("builtin")
    names = list(table.words[:KEPT_WORDS])
    matrix = table.take(np.arange(len(names)))
    matrix = matrix / np.linalg.norm(matrix, axis=1).mean()
    matrix = np.vstack([matrix, np.zeros((1, table.dim))]).astype(np.float32)
    codes = np.array([code(name) for name in names], dtype=np.uint32)
    index = {int(key): i for i, key in enumerate(codes.tolist())}

    def inputs(rows: npt.NDArray[np.uint64]) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.from_numpy(buckets(rows)), word_rows(rows, index, len(names))

    held = sample(dev)
    held_inputs = inputs(held.rows)

    def tell(title: str, nets: Sequence[ArgumentNet]) -> None:
        said = mean_of(nets, *held_inputs).argmax(1).numpy()
        right = ((said == held.labels) & (said > 1)).sum()
        f1 = 2 * right / ((said > 1).sum() + (held.labels > 1).sum())
        typer.echo(f"{title}: F1 over the candidates of EWT dev {f1:.4f}")

    features, words = inputs(everything.rows)
    gold = torch.from_numpy(everything.labels)
    rejected = {
        "linear, hashed features": (None, None),
        "hidden layer, hashed features": (None, HIDDEN),
        "hidden layer, hashed features, word vectors": (matrix, HIDDEN),
    }
    for title, (vectors, hidden) in rejected.items() if compare else ():
        torch.manual_seed(20)
        net = ArgumentNet(vectors, hidden)
        train_arguments(net, features, words, gold)
        tell(title, [net])
    teachers = []
    for seed in range(TEACHERS):
        torch.manual_seed(seed)
        teachers.append(ArgumentNet(matrix, TEACHER_HIDDEN))
        train_arguments(teachers[-1], features, words, gold, drop=TEACHER_DROP)
    tell("teachers", teachers)

    more, more_words = inputs(plain_rows(own, data / "text" / "sentences.tsv.gz"))
    features, words = torch.cat([features, more]), torch.cat([words, more_words])
    torch.manual_seed(20)
    student = ArgumentNet(matrix)
    train_arguments(student, features, words, mean_of(teachers, features, words))
    tell("student", [student])
    export(student, train_senses(everything, lexicon), lexicon, codes, out)
    for name, value in argument_f1(RoleLabeller(out), dev).items():
        typer.echo(f"PropBank {name} on EWT dev: {value:.4f}")


if __name__ == "__main__":
    typer.run(main)
