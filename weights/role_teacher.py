"""The teacher of the role labeller: a transformer that reads the whole sentence.

The shipped labeller judges a candidate by features of the tree around it. Its teacher sees the same
features and, besides, what a small sentence transformer (all-MiniLM-L6-v2, the one of ``sbert``)
makes of candidate and predicate in their sentence; all of it is trained, on the gold arguments.
What it says of them, and of plain sentences, is what the labeller learns (Hinton et al. 2015)::

    teacher = trained(gold)
    probabilities(teacher, plain)       # float32 (candidates, labels)
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
import typer
from torch.nn import functional
from transformers import AutoModel, AutoTokenizer

from compsim.parsers.roles.candidates import BUCKETS, buckets
from compsim.transformers.hub import minilm
from compsim.weights.role_samples import LABELS, Sample

__all__ = ["ContextNet", "probabilities", "teacher_of", "trained"]

HIDDEN = 128
EPOCHS = 3
#: Sentences in a step, and steps until the learning rates are at their full value.
BATCH = 24
WARM_UP = 200
#: Learning rates of the transformer and of what is built on it.
FINE, COARSE = 1e-4, 2e-3
#: The part of the tree's features, and of the hidden units, that a step of training leaves out.
DROP, DROP_HIDDEN = 0.3, 0.1
_PIECES: Final = 256


class ContextNet(torch.nn.Module):
    """Hashed features and the states of candidate, content word and predicate -> label scores.

    Beside one hidden layer there are products of what candidate and predicate are mapped to.
    """

    def __init__(self) -> None:
        super().__init__()
        source = str(minilm())
        self.tokenizer: Any = AutoTokenizer.from_pretrained(source)
        self.reader: Any = AutoModel.from_pretrained(source)
        dim = self.reader.config.hidden_size
        self.embedding = torch.nn.EmbeddingBag(BUCKETS, HIDDEN, mode="sum", sparse=True)
        torch.nn.init.normal_(self.embedding.weight, std=0.03)
        self.candidate = torch.nn.Linear(dim, HIDDEN)
        self.content = torch.nn.Linear(dim, HIDDEN, bias=False)
        self.predicate = torch.nn.Linear(dim, HIDDEN, bias=False)
        self.left = torch.nn.Linear(dim, HIDDEN, bias=False)
        self.right = torch.nn.Linear(dim, HIDDEN, bias=False)
        self.out = torch.nn.Linear(2 * HIDDEN, len(LABELS))

    def states(self, sentences: Sequence[Sequence[str]]) -> torch.Tensor:
        """The mean state of each word's pieces: (sentences, words, dim)."""
        read = self.tokenizer(
            [list(words) for words in sentences],
            is_split_into_words=True,
            padding=True,
            truncation=True,
            max_length=_PIECES,
            return_tensors="pt",
        )
        pieces = self.reader(**read).last_hidden_state
        owners = torch.tensor(
            [
                [-1 if word is None else word for word in read.word_ids(i)]
                for i in range(len(sentences))
            ]
        )
        words = torch.arange(max(map(len, sentences)))
        shares = (owners[:, None, :] == words[None, :, None]).float()
        mean: torch.Tensor = shares @ pieces / shares.sum(2, keepdim=True).clamp(min=1)
        return mean

    def forward(
        self, sentences: Sequence[Sequence[str]], places: torch.Tensor, features: torch.Tensor
    ) -> torch.Tensor:
        """Label scores (n, labels); ``places`` (n, 4) as in ``Sample``, ``features`` (n, k)."""
        states = self.states(sentences)
        owners, heads, contents, verbs = places.T
        head, verb = states[owners, heads], states[owners, verbs]
        drop = DROP if self.training else 0.0
        kept = (torch.rand(features.shape) >= drop).float() / (1 - drop)
        hidden = functional.embedding_bag(
            features, self.embedding.weight, per_sample_weights=kept, mode="sum", sparse=True
        )
        hidden = hidden + self.candidate(head) + self.predicate(verb)
        hidden = torch.relu(hidden + self.content(states[owners, contents]))
        both = torch.cat([hidden, self.left(verb) * self.right(head)], 1)
        scores: torch.Tensor = self.out(functional.dropout(both, DROP_HIDDEN, self.training))
        return scores


def trained(gold: Sample, seed: int = 0) -> ContextNet:
    """A teacher that has learned the labels of a sample."""
    torch.manual_seed(seed)
    chance = random.Random(seed)
    net = ContextNet().train()  # the reader is opened for reading, without its drop-out
    above = [
        weight
        for name, weight in net.named_parameters()
        if not name.startswith(("reader.", "embedding."))
    ]
    groups = [list(net.reader.parameters()), above]
    rates = [FINE, COARSE, COARSE]
    dense = torch.optim.AdamW([{"params": group} for group in groups], lr=COARSE, weight_decay=0.01)
    sparse = torch.optim.SparseAdam(net.embedding.parameters(), lr=COARSE)
    labels = torch.from_numpy(gold.labels)
    steps = EPOCHS * -(-len(gold.words) // BATCH)
    step = 0
    for epoch in range(EPOCHS):
        total = 0.0
        for chosen, batch in _batches(gold, chance):
            share = min(1.0, (step + 1) / WARM_UP) * (1 - step / steps)
            for group, rate in zip((*dense.param_groups, *sparse.param_groups), rates, strict=True):
                group["lr"] = rate * share
            loss = functional.cross_entropy(net(*batch), labels[chosen])
            dense.zero_grad()
            sparse.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_([*groups[0], *groups[1]], 1.0)
            dense.step()
            sparse.step()
            total += loss.item() * len(chosen)
            step += 1
        typer.echo(f"  teacher, epoch {epoch + 1}: loss {total / len(labels):.4f}")
    return net.eval()


def teacher_of(file: Path | None, gold: Sample) -> ContextNet:
    """The teacher that a file holds; where there is none, one is trained, and kept there."""
    if file is None or not file.exists():
        net = trained(gold)
        if file is not None:
            fresh = file.with_name(f"{file.name}.fresh")
            torch.save(net.state_dict(), fresh)
            os.replace(fresh, file)
        return net
    net = ContextNet()
    net.load_state_dict(torch.load(file, weights_only=True))
    return net.eval()


def probabilities(net: ContextNet, sample: Sample) -> npt.NDArray[np.float32]:
    """The probabilities of the labels (candidates, labels) that a teacher gives."""
    values = np.zeros((len(sample.rows), len(LABELS)), dtype=np.float32)
    with torch.inference_mode():
        for chosen, batch in _batches(sample, None):
            values[chosen] = torch.softmax(net(*batch), 1).numpy()
    return values


def _batches(
    sample: Sample, chance: random.Random | None
) -> Iterator[
    tuple[npt.NDArray[np.int64], tuple[list[tuple[str, ...]], torch.Tensor, torch.Tensor]]
]:
    """Candidates of sentences of like length, with what the network takes, in random order."""
    owners = sample.places[:, 0]
    order = np.argsort(owners, kind="stable")
    starts = np.searchsorted(owners[order], np.arange(len(sample.words) + 1))
    sentences = list(range(len(sample.words)))
    if chance is not None:
        chance.shuffle(sentences)
    sentences.sort(key=lambda i: len(sample.words[i]))
    parts = [sentences[i : i + BATCH] for i in range(0, len(sentences), BATCH)]
    if chance is not None:
        chance.shuffle(parts)
    for part in parts:
        own = [order[starts[i] : starts[i + 1]] for i in part]
        chosen = np.concatenate(own)
        places = sample.places[chosen].copy()
        places[:, 0] = np.repeat(np.arange(len(part)), list(map(len, own)))
        if len(chosen):
            words = [sample.words[i] for i in part]
            features = torch.from_numpy(buckets(sample.rows[chosen]))
            yield chosen, (words, torch.from_numpy(places), features)
