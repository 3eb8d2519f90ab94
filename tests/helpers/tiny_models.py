"""Tiny random transformers, built and saved as a user would find them: a folder each."""

from __future__ import annotations

import atexit
import functools
import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

KNOWN = (
    *("chase", "help", "visit", "cats", "dogs", "mice", "birds", "park", "house", "quickly"),
    *("sadly", "in", "the", "a", "represent", "statement", "instruct", "query", "##s", "##y"),
    *("retrieve", "semantically", "similar", "text"),
)
_SPECIAL = ("<pad>", "<s>", "</s>", "<unk>", "<mask>")
_WIDTH = 16
#: Where special tokens stand: T5 and Mistral have one at the end, XLNet both.
_TEMPLATES = {"t5": "$A </s>", "mistral": "$A </s>", "xlnet": "$A </s> <s>"}


@functools.cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="compsim-tiny-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _tokenizer(kind: str) -> Any:
    """Words of a small list, else their letters; special tokens as BERT, T5 or XLNet has them."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import Lowercase
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    letters = [chr(code) for code in range(ord("!"), ord("~") + 1) if not chr(code).isupper()]
    words = dict.fromkeys([*_SPECIAL, *KNOWN, *letters, *(f"##{letter}" for letter in letters)])
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="<unk>"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single=_TEMPLATES.get(kind, "<s> $A </s>"),
        special_tokens=[("<s>", 1), ("</s>", 2)],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        cls_token="<s>",
        sep_token="</s>",
        unk_token="<unk>",
        mask_token="<mask>",
        model_input_names=["input_ids", "attention_mask"],
    )


def _model(kind: str, size: int) -> Any:
    import transformers as t

    encoder = {
        "vocab_size": size,
        "hidden_size": _WIDTH,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 24,
        "max_position_embeddings": 40,
        "pad_token_id": 0,
        "bos_token_id": 1,
        "eos_token_id": 2,
    }
    halves = {
        "d_model": _WIDTH,
        "encoder_layers": 2,
        "decoder_layers": 1,
        "encoder_attention_heads": 2,
        "decoder_attention_heads": 2,
        "encoder_ffn_dim": 24,
        "decoder_ffn_dim": 24,
        "max_position_embeddings": 60,
    }
    ids = {key: value for key, value in encoder.items() if key.endswith("_id")}
    if kind == "bert":
        return t.BertModel(t.BertConfig(**encoder))
    if kind == "ernie":
        return t.ErnieModel(t.ErnieConfig(**encoder))
    if kind == "roberta":
        return t.RobertaModel(t.RobertaConfig(**encoder))
    if kind == "mpnet":
        return t.MPNetModel(t.MPNetConfig(**encoder))
    if kind == "mistral":
        return t.MistralModel(t.MistralConfig(**encoder, num_key_value_heads=1, head_dim=8))
    if kind == "t5":
        return t.T5EncoderModel(
            t.T5Config(vocab_size=size, d_model=_WIDTH, d_kv=8, d_ff=24, num_layers=2, num_heads=2)
        )
    if kind == "xlnet":
        return t.XLNetModel(
            t.XLNetConfig(vocab_size=size, d_model=_WIDTH, n_layer=2, n_head=2, d_inner=24)
        )
    if kind == "dpr":
        return t.DPRContextEncoder(t.DPRConfig(**encoder))
    if kind == "masked":
        return t.BertForMaskedLM(t.BertConfig(**encoder))
    if kind.startswith("classes"):
        labels = int(kind.removeprefix("classes"))
        return t.BertForSequenceClassification(t.BertConfig(**encoder, num_labels=labels))
    if kind == "bart":
        return t.BartModel(t.BartConfig(vocab_size=size, **halves, **ids))
    raise ValueError(kind)


@functools.cache
def transformer(kind: str, name: str = "") -> Path:
    """A folder with a transformer of an architecture and its tokenizer, nothing else."""
    import torch

    folder = _folder() / (name or kind)
    tokenizer = _tokenizer(kind)
    with torch.random.fork_rng():
        torch.manual_seed(len(kind))
        model = _model(kind, len(tokenizer))
        for parameter in model.parameters():  # random ones start so small that all is alike
            if parameter.ndim == 2:
                torch.nn.init.normal_(parameter, std=0.3)
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def sentence_transformer(kind: str, pooling: str = "mean", dense: bool = False) -> Path:
    """A folder as sentence-transformers saves it: transformer, pooling, where asked a dense."""
    folder = _folder() / f"{kind}-{pooling}{'-dense' if dense else ''}-sentences"
    if folder.exists():
        return folder
    shutil.copytree(transformer(kind), folder)
    base = "sentence_transformers.models."
    kinds = [("0", "", "Transformer"), ("1", "1_Pooling", "Pooling")]
    modules = [
        {"idx": int(i), "name": i, "path": path, "type": base + type_} for i, path, type_ in kinds
    ]
    (folder / "1_Pooling").mkdir()
    modes = {
        "word_embedding_dimension": _WIDTH,
        "pooling_mode_cls_token": pooling == "cls",
        "pooling_mode_mean_tokens": pooling == "mean",
        "pooling_mode_max_tokens": pooling == "max",
    }
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(modes))
    if dense:
        import torch
        from safetensors.torch import save_file

        modules.append({"idx": 2, "name": "2", "path": "2_Dense", "type": f"{base}Dense"})
        (folder / "2_Dense").mkdir()
        shape = {
            "in_features": _WIDTH,
            "out_features": 12,
            "bias": False,
            "activation_function": "torch.nn.modules.linear.Identity",
        }
        (folder / "2_Dense" / "config.json").write_text(json.dumps(shape))
        draw = torch.Generator().manual_seed(5)
        weight = torch.randn(12, _WIDTH, generator=draw)
        save_file({"linear.weight": weight}, folder / "2_Dense" / "model.safetensors")
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 30}')
    return folder


def model_options(name: str) -> dict[str, Any]:
    """The tiny model that a method of the registry is tested with; nothing where it needs none."""
    if name in MODELS:
        return {"model": MODELS[name]()}
    return {}


#: Methods that run a transformer, and the tiny one of the same architecture.
MODELS: dict[str, Callable[[], Path]] = {
    "sbert": lambda: sentence_transformer("bert"),
    "mpnet": lambda: sentence_transformer("mpnet"),
    "defsent": lambda: transformer("roberta"),
    "simcse": lambda: transformer("roberta"),
    "sentence-t5": lambda: sentence_transformer("t5", dense=True),
    "instructor": lambda: sentence_transformer("t5", dense=True),
    "labse": lambda: sentence_transformer("bert", "cls", dense=True),
    "dpr": lambda: transformer("bert"),
    "specter": lambda: transformer("bert"),
    "stella": lambda: sentence_transformer("mistral", dense=True),
    "nv-embed": lambda: transformer("mistral"),
    "ef-sbert": lambda: sentence_transformer("bert"),
    "spebert": lambda: transformer("bert"),
    "ernie": lambda: transformer("ernie"),
    "bert-flow": lambda: transformer("bert"),
    "transformer": lambda: transformer("bart"),
    "cross-encoder": lambda: transformer("classes1"),
    "bertscore": lambda: transformer("bert"),
    "s3bert": lambda: sentence_transformer("mpnet"),
    "amrbart": lambda: transformer("bart"),
}
#: Of these methods, those that the others inherit everything from.
_ONE_OF_EACH_BASE = ("sbert", "transformer", "bertscore", "s3bert", "amrbart")


def is_inherited(name: str) -> bool:
    """Return whether a method runs a transformer by code that is tested as another method's."""
    return name in MODELS and name not in _ONE_OF_EACH_BASE
