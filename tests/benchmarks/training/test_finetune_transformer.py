from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from compsim.benchmarks.datasets import Dataset, SentencePair
from compsim.benchmarks.training.finetune import Split
from compsim.benchmarks.training.finetune_transformer import RECORD, fine_tune
from compsim.errors import DataError, InputError

WORDS = ("cats", "dogs", "mice", "birds", "chase", "help")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence transformer of one layer with random weights."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("tiny")
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", *WORDS]))
    with torch.random.fork_rng():
        torch.manual_seed(1)
        bert = BertModel(
            BertConfig(
                vocab_size=12,
                hidden_size=16,
                num_hidden_layers=1,
                num_attention_heads=2,
                intermediate_size=32,
                max_position_embeddings=16,
            )
        )
    bert.save_pretrained(folder / "bert")
    BertTokenizerFast(vocab=str(vocabulary)).save_pretrained(folder / "bert")
    layers = [modules.Transformer(str(folder / "bert"), max_seq_length=16), modules.Pooling(16)]
    SentenceTransformer(modules=layers, device="cpu").save(
        str(folder / "model"), create_model_card=False
    )
    return folder / "model"


def toy() -> tuple[Dataset, Split]:
    """Sentences are alike where their verbs are the same, whatever else they say."""
    rng = np.random.default_rng(0)
    pairs = []
    for _ in range(120):
        a, b, c, d = rng.choice(WORDS[:4], 4)
        v, w = rng.choice(WORDS[4:], 2)
        rating = 0.8 * (v == w) + 0.2 * rng.random()
        pairs.append(SentencePair(f"{a} {v} {b}.", f"{c} {w} {d}.", float(rating)))
    data = Dataset("toy", tuple(pairs), {"all": tuple(range(120))}, "made by the test")
    return data, Split("random", np.arange(80), np.arange(80, 120))


def tune(tiny: Path, out: Path, **settings: Any) -> Any:
    defaults = {"epochs": 6, "batch_size": 8, "learning_rate": 3e-3, "device": "cpu"}
    return fine_tune(*toy(), out, base=tiny, **(defaults | settings))


def test_training_moves_the_model_and_is_saved_and_repeatable(
    tiny: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from sentence_transformers import SentenceTransformer

    steps: list[int] = []
    states = random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state().tolist()
    tuned = tune(tiny, tmp_path / "deep" / "one", advance=steps.append)
    assert states == (
        random.getstate(),
        np.random.get_state()[1].tolist(),
        torch.get_rng_state().tolist(),
    )
    assert capfd.readouterr().out == ""
    assert sum(steps) == 6 * 10  # eighty pairs are ten batches
    assert (tuned.train, tuned.test, tuned.base) == (80, 40, "model")

    # The slow twin: the saved model's cosines of the held-out pairs, one at a time.
    data, split = toy()
    from scipy.stats import spearmanr

    for place, figure in ((tiny, tuned.before), (tmp_path / "deep" / "one", tuned.after)):
        model = SentenceTransformer(str(place), device="cpu")
        cosines = []
        for row in split.test:
            x, y = (model.encode(text) for text in data.pairs[row][:2])
            cosines.append(x @ y / np.linalg.norm(x) / np.linalg.norm(y))
        ratings = [data.pairs[row].rating for row in split.test]
        # Batches differ in the last bits, which may part or join ties.
        assert figure.spearman == pytest.approx(spearmanr(cosines, ratings).statistic, abs=0.02)
    assert tuned.after.pearson > 0.9 > tuned.before.pearson

    record = json.loads((tmp_path / "deep" / "one" / RECORD).read_text())
    assert record == json.loads(json.dumps(tuned.to_dict()))
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["one"]
    assert tune(tiny, tmp_path / "two") == tuned


def test_what_cannot_be_trained_is_said(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="exists already"):
        tune(tiny, tmp_path)
    for settings in ({"epochs": 0}, {"batch_size": 0}, {"learning_rate": float("nan")}):
        with pytest.raises(InputError, match="train nothing"):
            tune(tiny, tmp_path / "x", **settings)
    with pytest.raises(DataError, match="cannot be opened as a sentence transformer"):
        tune(tmp_path, tmp_path / "x")  # an empty folder
    data, split = toy()
    none = Split("none", split.train, split.test[:0])
    with pytest.raises(InputError, match="no pairs to train or to test on"):
        fine_tune(data, none, tmp_path / "x", base=tiny)
    assert not list(tmp_path.iterdir())
