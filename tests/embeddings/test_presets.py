"""The named presets, each against its transformer read plainly, one sentence at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_models import MODELS, sentence_transformer, transformer

from compsim import load
from compsim.benchmarks import Spec, evaluate
from compsim.benchmarks.datasets import Dataset, SentencePair
from compsim.benchmarks.workspace import Workspace
from compsim.embeddings.presets import PRESETS
from compsim.errors import DataError, InputError

torch = pytest.importorskip("torch")
pytest.importorskip("sentence_transformers")

SENTENCES = ["cats chase mice", "Dogs help birds in the park.", "represent"]


def states(folder: Path, text: str) -> tuple[Any, Any]:
    """The last states of the tokens of one text, (length, width), and the model."""
    from transformers import AutoModel, AutoTokenizer, T5EncoderModel

    kind = T5EncoderModel if "t5" in folder.name else AutoModel
    model = kind.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    read = tokenizer(text, return_tensors="pt")
    with torch.no_grad():
        return model(**read).last_hidden_state[0], model


def dense(folder: Path, vector: Any) -> Any:
    from safetensors.torch import load_file

    return load_file(folder / "2_Dense" / "model.safetensors")["linear.weight"] @ vector


def first(folder: Path, text: str) -> Any:
    return states(folder, text)[0][0]


def mean(folder: Path, text: str) -> Any:
    return states(folder, text)[0].mean(dim=0)


def through_pooler(folder: Path, text: str) -> Any:
    result, model = states(folder, text)
    return torch.tanh(model.pooler.dense(result[0]))


def instructed(folder: Path, text: str) -> Any:
    prompt = PRESETS["instructor"].prompt
    assert prompt is not None
    result, _ = states(folder, prompt + text)
    # The prompt is four words; T5 puts no token before it.
    return dense(folder, result[4:].mean(dim=0))


def ended(folder: Path, text: str) -> Any:
    from transformers import AutoTokenizer

    prompt = PRESETS["nv-embed"].prompt
    assert prompt is not None
    length = len(AutoTokenizer.from_pretrained(folder)(prompt, add_special_tokens=False).input_ids)
    return states(folder, prompt + text + "</s>")[0][length:].mean(dim=0)


def prompted(folder: Path, text: str) -> Any:
    prompt = PRESETS["stella"].prompt
    assert prompt is not None
    return dense(folder, mean(folder, prompt + text))


TWINS: dict[str, Callable[[Path, str], Any]] = {
    "mpnet": mean,
    "defsent": first,
    "simcse": through_pooler,
    "sentence-t5": lambda folder, text: dense(folder, mean(folder, text)),
    "instructor": instructed,
    "labse": lambda folder, text: dense(folder, first(folder, text)),
    "dpr": first,
    "specter": first,
    "stella": prompted,
    "nv-embed": ended,
}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_its_plain_reading(name: str) -> None:
    folder = MODELS[name]()
    method = load(name, model=folder, device="cpu")
    expected = [TWINS[name](folder, text).detach().numpy() for text in SENTENCES]
    np.testing.assert_allclose(method.encode(SENTENCES).vector, expected, atol=1e-5)
    assert method.info.name == name
    # However long a text is, the rest is encoded with it.
    long = method.encode(["cats " * 10_000, *SENTENCES]).vector
    np.testing.assert_allclose(long[1:], expected, atol=1e-5)
    assert np.isfinite(long).all()


def test_the_table_fits_the_methods() -> None:
    from compsim.registry import methods

    names = [info.name for info in methods()]
    assert set(PRESETS) <= set(names)
    assert set(TWINS) == set(PRESETS)


def test_a_prompt_of_ones_own() -> None:
    folder = MODELS["instructor"]()
    method, plain = (load("instructor", model=folder, prompt=p) for p in ("query the ", ""))
    assert not np.allclose(method.encode(["cats"]).vector, plain.encode(["cats"]).vector)
    assert method.space != plain.space
    expected = dense(folder, mean(folder, "cats")).numpy()
    np.testing.assert_allclose(plain.encode(["cats"]).vector[0], expected, atol=1e-5)


def test_a_whole_sentence_transformer_keeps_its_pooling() -> None:
    folder = sentence_transformer("roberta", "max")
    expected = states(folder, "cats chase mice")[0].max(dim=0).values.numpy()
    result = load("simcse", model=folder).encode(["cats chase mice"]).vector[0]
    np.testing.assert_allclose(result, expected, atol=1e-5)


def test_a_checkpoint_without_a_pooling_layer_is_refused() -> None:
    with pytest.raises(InputError, match="no pooling layer"):
        load("simcse", model=transformer("mistral"))


def test_foreign_code_runs_only_where_it_is_trusted(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"NV-Embed-v2 runs code of its own.*trust_remote_code"):
        load("nv-embed")
    (tmp_path / "config.json").write_text(
        '{"model_type": "foreign", "auto_map": {"AutoConfig": "code.Foreign"}}'
    )
    (tmp_path / "code.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    for name in ("nv-embed", "sbert"):
        with pytest.raises(InputError, match="give trust_remote_code=True"):
            load(name, model=tmp_path)
    assert not (tmp_path / "ran").exists()


def test_a_method_whose_code_is_not_trusted_stops_no_table(tmp_path: Path) -> None:
    pairs = tuple(SentencePair(f"Cats chase {n} mice.", "Dogs help.", n / 4) for n in range(4))
    data = Dataset("toy", pairs, {"all": (0, 1, 2, 3)}, "by the test")
    specs = [Spec("nv-embed"), Spec("mean-cn", {"vectors": "builtin"})]
    first, second = evaluate(data, specs, workspace=Workspace(tmp_path)).rows
    assert first.status == "unavailable"
    assert "trust_remote_code=True" in first.reason
    assert second.status == "ok"


@pytest.mark.parametrize("name", PRESETS)
def test_a_missing_checkpoint_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPSIM_OFFLINE", "1")
    options = {"trust_remote_code": True} if PRESETS[name].own_code else {}
    with pytest.raises(DataError, match=f"hf download {PRESETS[name].model} --local-dir FOLDER"):
        load(name, **options)
