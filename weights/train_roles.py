"""Recipe of the role labeller (``weights/roles``), learned from gold PropBank.

::

    python -m compsim.weights.train_roles --data FOLDER --parser en_core_web_md \\
        --parser en_core_web_sm --out weights/roles

``FOLDER`` holds ``ewt-propbank/{train,dev}.conll.gz``, ``propbank/{frame-examples.jsonl.gz,
propbank-frames.zip}``, ``verbnet/pbvn-mappings.json`` and ``text/sentences.tsv.gz``.

The parsers, installed packages or folders, have to make some mistakes: the shipped pipeline was
taught with the gold annotation of these very sentences, and who learns from its trees alone trusts
trees too much. So the gold sentences are parsed by two that were not; classes and lemmas are the
shipped pipeline's.

What is shipped is the *student* of a transformer (:mod:`.role_teacher`): it learns what that says
of the gold sentences, and of more, plain ones as the shipped pipeline parses them. Its weights are
the mean of those that it has in the last part of the training, which vary less from run to run.

Prints the argument F1 on EWT dev. Needs the ``recipes`` extra; takes about 40 minutes on two cores,
most of it the teacher, which ``--teacher FILE`` keeps for the next student.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import torch
import typer
from torch.nn import functional

from compsim.parsers.roles.candidates import (
    BUCKETS,
    CONTENT,
    PREDICATE,
    buckets,
    code,
    sense_buckets,
)
from compsim.parsers.roles.labeller import RoleLabeller
from compsim.vectors import WordVectors
from compsim.weights.export_pipeline import opened
from compsim.weights.propbank import read_ewt, read_examples, read_lexicon
from compsim.weights.role_figures import argument_f1
from compsim.weights.role_samples import LABELS, Sample, join, plain, sample, trees
from compsim.weights.role_teacher import probabilities, teacher_of

HERE = Path(__file__).parent
KEPT_WORDS = 40000
BATCH = 512
RATE = 0.004
HIDDEN = 32
EPOCHS = 3
#: The part of the features that each step leaves out.
DROP = 0.2
#: Where in the training the mean of the weights begins, and how many steps lie between two of them.
MEAN_FROM, MEAN_STEPS = 0.6, 10


class ArgumentNet(torch.nn.Module):
    """Hashed features (summed embeddings) + word vectors -> one hidden layer -> label scores."""

    def __init__(self, vectors: npt.NDArray[np.float32]) -> None:
        super().__init__()
        self.embedding = torch.nn.EmbeddingBag(BUCKETS, HIDDEN, mode="sum", sparse=True)
        torch.nn.init.normal_(self.embedding.weight, std=0.05)
        self.bias = torch.nn.Parameter(torch.zeros(HIDDEN))
        self.out = torch.nn.Linear(HIDDEN, len(LABELS))
        self.vectors = torch.from_numpy(vectors)
        self.filler = torch.nn.Linear(vectors.shape[1], HIDDEN, bias=False)
        self.predicate = torch.nn.Linear(vectors.shape[1], HIDDEN, bias=False)

    def forward(self, features: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        """Label scores (n, labels) of feature buckets (n, templates) and word rows (n, 2)."""
        kept = torch.rand(features.shape) >= DROP
        hidden = functional.embedding_bag(
            features,
            self.embedding.weight,
            per_sample_weights=kept.float() / (1 - DROP),
            mode="sum",
            sparse=True,
        )
        hidden = hidden + self.bias
        hidden = hidden + self.filler(self.vectors[words[:, 0]])
        hidden = hidden + self.predicate(self.vectors[words[:, 1]])
        scores: torch.Tensor = self.out(torch.relu(hidden))
        return scores


def train_arguments(
    net: ArgumentNet, rows: torch.Tensor, words: torch.Tensor, taught: torch.Tensor
) -> None:
    """Cross-entropy with the probabilities ``taught`` (n, labels), by Adam.

    The learning rate falls linearly over the epochs, to a tenth. The network ends with the mean of
    its weights in the last part of the steps.
    """
    sparse = torch.optim.SparseAdam(net.embedding.parameters(), lr=RATE)
    rest = [p for name, p in net.named_parameters() if not name.startswith("embedding")]
    dense = torch.optim.Adam(rest, lr=RATE)
    mean = torch.optim.swa_utils.AveragedModel(net)
    steps = EPOCHS * (-(-len(taught) // BATCH))
    step = 0
    for epoch in range(EPOCHS):
        total = 0.0
        for batch in torch.randperm(len(taught)).split(BATCH):
            for group in (*sparse.param_groups, *dense.param_groups):
                group["lr"] = RATE * max(1 - step / steps, 0.1)
            loss = functional.cross_entropy(net(rows[batch], words[batch]), taught[batch])
            sparse.zero_grad()
            dense.zero_grad()
            loss.backward()
            sparse.step()
            dense.step()
            total += loss.item() * len(batch)
            step += 1
            if step > MEAN_FROM * steps and step % MEAN_STEPS == 0:
                mean.update_parameters(net)
        typer.echo(f"  student, epoch {epoch + 1}: loss {total / len(taught):.4f}")
    net.load_state_dict(mean.module.state_dict())


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


def main(
    data: Annotated[Path, typer.Option(help="folder of the gold data")],
    out: Annotated[Path, typer.Option(help="folder to write the labeller to")],
    parser: Annotated[list[str], typer.Option(help="pipelines that parse the gold sentences")],
    pipeline: Annotated[str, typer.Option(help="pipeline to parse with")] = str(HERE / "pipeline"),
    teacher: Annotated[Path | None, typer.Option(help="file that keeps the teacher")] = None,
) -> None:
    """Train, report, write the role labeller."""
    own = opened(pipeline)
    lexicon = read_lexicon(
        data / "propbank" / "propbank-frames.zip", data / "verbnet" / "pbvn-mappings.json"
    )
    gold = join(
        [
            sample(trees(nlp, own, propositions))
            for nlp in map(opened, parser)
            for propositions in (
                read_ewt(data / "ewt-propbank" / "train.conll.gz"),
                read_examples(data / "propbank" / "frame-examples.jsonl.gz"),
            )
        ]
    )
    dev = list(trees(own, own, read_ewt(data / "ewt-propbank" / "dev.conll.gz")))
    held = sample(dev)
    tutor = teacher_of(teacher, gold)
    said = probabilities(tutor, held).argmax(1)
    right = ((said == held.labels) & (said > 1)).sum()
    f1 = 2 * right / ((said > 1).sum() + (held.labels > 1).sum())
    typer.echo(f"teacher: F1 over the candidates of EWT dev {f1:.4f}")

    table = WordVectors.open("builtin")
    names = list(table.words[:KEPT_WORDS])
    matrix = table.take(np.arange(len(names)))
    matrix = matrix / np.linalg.norm(matrix, axis=1).mean()
    matrix = np.vstack([matrix, np.zeros((1, table.dim))]).astype(np.float32)
    codes = np.array([code(name) for name in names], dtype=np.uint32)
    index = {int(key): i for i, key in enumerate(codes.tolist())}
    more = plain(own, data / "text" / "sentences.tsv.gz")
    rows = np.concatenate([gold.rows, more.rows])
    taught = np.concatenate([probabilities(tutor, part) for part in (gold, more)])
    torch.manual_seed(20)
    student = ArgumentNet(matrix)
    train_arguments(
        student,
        torch.from_numpy(buckets(rows)),
        word_rows(rows, index, len(names)),
        torch.from_numpy(taught),
    )
    export(student, train_senses(gold, lexicon), lexicon, codes, out)
    for name, value in argument_f1(RoleLabeller(out), dev).items():
        typer.echo(f"PropBank {name} on EWT dev: {value:.4f}")


if __name__ == "__main__":
    typer.run(main)
