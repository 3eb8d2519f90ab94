"""The augmentation study of SR: what a model learns from pairs with exchanged roles.

A sentence transformer is trained by sentence-transformers' own trainer, as in section 4.2 of the SR
paper: on rated pairs, and on the same with pairs that were made by rule of their sentences (roles
exchanged, rated 1 or 2 of 5; another syntax, rated 5). Each is judged on SR and on rated pairs held
out, beside the model before training. Sentences that stand in either are never rewritten.

``perturb`` adds the study of section 4.1: training on the rated pairs with the words of the second
sentence in random order, or with its roles exchanged, the ratings as they were. In the paper the
held-out correlation is 85.2 after exchanged roles and 86.2 without; there ChatGPT exchanged them in
every sentence, here rules do where they can, and a remark says in how many.

>>> from compsim.benchmarks.task import run
>>> task = augment("SR", "stsb:sts-train.csv", "stsb:sts-dev.csv")  # doctest: +SKIP
>>> print(run(task).to_markdown())  # doctest: +SKIP
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from compsim.benchmarks.datasets import Dataset, SentencePair, open_dataset
from compsim.benchmarks.datasets.sts.sr import KINDS, open_sr
from compsim.benchmarks.results import Figure, Results, Row
from compsim.benchmarks.task import Advance, Spec, Task, listed
from compsim.benchmarks.training.finetune_transformer import BATCH, EPOCHS
from compsim.benchmarks.workspace import Workspace
from compsim.errors import InputError

__all__ = ["Augment", "augment", "generated_pairs", "perturbed_pairs"]

#: The models that are compared: as it is, trained on the pairs, trained on the generated ones too.
BEFORE: Final = "before"
PLAIN: Final = "trained"
MORE: Final = "trained, generated pairs too"
SHUFFLED: Final = "trained, words shuffled"
EXCHANGED: Final = "trained, roles exchanged"
#: The folder that each trained model is saved in.
_FOLDERS: Final = {
    PLAIN: "plain",
    MORE: "generated",
    SHUFFLED: "shuffled",
    EXCHANGED: "exchanged",
}
#: Sentences that are rewritten at a time.
_BATCH: Final = 256
_HIGHEST: Final = 5
_PERCENT: Final = 100


def augment(
    data: Annotated[Path, "a folder with files of SR: stsb.csv, sickr.csv and so on"],
    train: Annotated[str, "rated pairs to train on: PATH or FORMAT:PATH, as for bench sts"],
    test: Annotated[str, "rated pairs held out: PATH or FORMAT:PATH"],
    datasets: Annotated[str | None, "which files of SR, with commas; default: all there"] = None,
    sentences: Annotated[
        Path | None, "sentences to rewrite, one a line; default: those of --train"
    ] = None,
    base: Annotated[str | None, "a model's folder or hub name; default: MiniLM"] = None,
    generated: Annotated[int, "number of sentences to rewrite, each into two pairs"] = 10_000,
    rated: Annotated[int | None, "so many pairs of --train, at random; default: all"] = None,
    epochs: Annotated[int, "number of training epochs"] = EPOCHS,
    seed: Annotated[int, "random seed of training and sampling"] = 1,
    perturb: Annotated[
        bool, "also train on pairs with shuffled words and with exchanged roles"
    ] = False,
    generate: Annotated[bool, "train on generated pairs too"] = True,
    save: Annotated[Path | None, "a new folder for the trained models"] = None,
    advance: Callable[[int], None] = lambda count: None,
) -> Task:
    """Train with and without generated pairs, and measure SR and held-out pairs (Spearman)."""
    from compsim.benchmarks.rewriting.sr_set import read_sentences

    sr, pairs, held = (
        open_sr(data, None if datasets is None else listed(datasets)),
        open_dataset(train),
        open_dataset(test),
    )
    if save is not None and save.exists():
        raise InputError(f"{save} exists already: name a new folder for the models")
    more = read_sentences(sentences) if sentences is not None else pairs.sentences()
    counts = generated if generate else 0, rated, epochs, seed
    return Augment(sr, pairs, held, more, base, *counts, save, perturb, advance)


class Augment(Task):
    """A model before training, after training, and after training on generated pairs as well."""

    name = "augment"
    title = "What a model learns from exchanged roles"
    form = ".2f"

    def __init__(
        self,
        sr: Dataset,
        train: Dataset,
        test: Dataset,
        sentences: Sequence[str],
        base: str | None = None,
        generated: int = 10_000,
        rated: int | None = None,
        epochs: int = EPOCHS,
        seed: int = 1,
        save: Path | None = None,
        perturb: bool = False,
        advance: Callable[[int], None] = lambda count: None,
    ) -> None:
        if epochs < 1 or generated < 0 or (rated is not None and rated < 1):
            raise InputError(
                "there is nothing to train on: give 1 or more epochs and rated pairs, and 0 or "
                "more sentences to rewrite"
            )
        rng = random.Random(seed)
        judged = {*sr.sentences(), *test.sentences()}
        kept = [pair for pair in train.pairs if judged.isdisjoint(pair[:2])]
        self.rated = kept if rated is None else rng.sample(kept, min(rated, len(kept)))
        if not self.rated:
            raise InputError(f"{train.name}: all its pairs are judged on: give others to train on")
        own = [text for text in sentences if text not in judged]
        rng.shuffle(own)
        self.sr, self.test, self.base, self.save = sr, test, base, save
        self.epochs, self.seed = epochs, seed
        self.made = generated_pairs(own, generated, seed, advance) if generated else []
        self.trained_on = {BEFORE: [], PLAIN: self.rated}
        if self.made:
            self.trained_on[MORE] = [*self.rated, *self.made]
        if perturb:
            self.trained_on |= perturbed_pairs(self.rated, seed, advance)
        self.specs = [Spec(which, {"base": base, "save": save}) for which in self.trained_on]
        self.data = f"{sr.name} and {test.name}", f"{sr.source}, {test.source}", sr.checksum
        # What is to be saved must be trained, whatever was kept.
        self.content = (
            None if save else [sr.checksum, test.checksum, self.rated, self.made, epochs, seed]
        )
        self.columns = {part: len(index) for part, index in sr.parts.items()}
        self.columns |= {f"mean {kind}": 0 for kind in KINDS} | {test.name: len(test)}
        self.steps = epochs * -(-(len(self.rated) + len(self.made)) // BATCH)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """Train as the spec says, and judge."""
        from compsim.benchmarks.stats.correlation import correlate
        from compsim.benchmarks.training.finetune_transformer import cosines, open_model, trained

        model, name = open_model(self.base)
        pairs = self.trained_on[spec.method]
        done = 0

        def step(count: int) -> None:
            nonlocal done
            done += count
            advance(spec.method, count)

        if pairs:
            trained(model, pairs, epochs=self.epochs, seed=self.seed, advance=step)
        advance(spec.method, self.steps - done)
        if self.save is not None and pairs:
            self.save.mkdir(parents=True, exist_ok=True)
            model.save(str(self.save / _FOLDERS[spec.method]), create_model_card=False)
        scores = cosines(model, self.sr.pairs)
        ratings = [pair.rating for pair in self.sr.pairs]
        figures = {}
        for part, index in self.sr.parts.items():
            rows = list(index)
            figures[part] = _figure(correlate(scores[rows], [ratings[i] for i in rows]))
        for kind in KINDS:
            values = [figures[part].value for part in self.sr.parts if part.endswith(kind)]
            known = [value for value in values if value is not None]
            whole = len(known) == len(values)
            figures[f"mean {kind}"] = Figure(sum(known) / len(known) if whole else None)
        held = correlate(cosines(model, self.test.pairs), [p.rating for p in self.test.pairs])
        figures[self.test.name] = _figure(held)
        result = {"rated pairs": len(pairs) and len(self.rated), "epochs": self.epochs}
        result["generated pairs"] = len(self.made) if spec.method == MORE else 0
        return [Row({"model": spec.method, "base": name}, figures, details=result)]

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows, and what they were trained on."""
        more_pairs = f"and {len(self.made)} generated ones, " if self.made else ""
        remark = (
            f"trained on {len(self.rated)} rated pairs, {more_pairs}{self.epochs} epochs, "
            f"batches of {BATCH}"
        )
        remarks = [remark]
        if EXCHANGED in self.trained_on:
            both = zip(self.rated, self.trained_on[EXCHANGED], strict=True)
            changed = sum(pair != other for pair, other in both)
            remarks.append(
                f"{EXCHANGED}: in {changed} of {len(self.rated)} pairs, the others as they are"
            )
        return super().results(rows, remarks=remarks)


def perturbed_pairs(
    pairs: Sequence[SentencePair],
    seed: int = 1,
    advance: Callable[[int], None] = lambda count: None,
) -> dict[str, list[SentencePair]]:
    """Return pairs whose second sentence has its words shuffled, or its roles exchanged.

    Where roles cannot be exchanged the pair stays. ``advance`` is told how many sentences were
    read.

    >>> pairs = [SentencePair("A dog bites.", "The dog bit the postman.", 0.8)]
    >>> [pair.second for (pair,) in perturbed_pairs(pairs).values()]
    ['the bit The postman dog.', 'The dog was bitten by the postman.']
    """
    from compsim.benchmarks.rewriting.perturbation import exchanged_roles, shuffled_words

    exchanged = exchanged_roles([pair.second for pair in pairs], seed, advance=advance)
    return {
        SHUFFLED: [pair._replace(second=shuffled_words(pair.second, seed)) for pair in pairs],
        EXCHANGED: [
            pair if text is None else pair._replace(second=text)
            for pair, text in zip(pairs, exchanged, strict=True)
        ],
    }


def generated_pairs(
    sentences: Sequence[str],
    most: int,
    seed: int = 1,
    advance: Callable[[int], None] = lambda count: None,
) -> list[SentencePair]:
    """Pairs of the first ``most`` sentences that can be rewritten both ways, two of each.

    Ratings are from 0 to 1. Raises ``InputError`` where no sentence can.

    >>> generated_pairs(["The dog bit the postman."], 5)[0].second
    'The dog was bitten by the postman.'
    """
    from compsim.benchmarks.rewriting.generator import Rewriter
    from compsim.benchmarks.rewriting.sr_set import SrRow, sr_rows

    rewriter = Rewriter()
    rows: list[SrRow] = []
    for start in range(0, len(sentences), _BATCH):
        rows += sr_rows(sentences[start : start + _BATCH], seed, rewriter, advance)
        if len(rows) >= most:
            break
    rows = rows[:most]
    if not rows:
        raise InputError(
            "no sentence can be rewritten both ways: give more, each of one plain clause with a "
            "subject, a verb, an object, and a full stop"
        )
    pairs = []
    for row in rows:
        pairs.append(SentencePair(row.sentence, row.relation, row.relation_score / _HIGHEST))
        pairs.append(SentencePair(row.sentence, row.structure, row.structure_score / _HIGHEST))
    return pairs


def _figure(results: Any) -> Figure:
    """A correlation times 100."""
    value = None if results.spearman is None else _PERCENT * results.spearman
    return Figure(value, results.n, note=results.note)
