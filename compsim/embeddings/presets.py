"""Sentence encoders by name: each with the pooling, the prompt and the checkpoint of its authors.

What a preset is, is data: a line of ``PRESETS``. Any of them runs another checkpoint of its kind
with ``model=FOLDER``; where that folder is a whole sentence transformer (it has a
``modules.json``), its own pooling holds.

>>> PRESETS["defsent"].model, PRESETS["defsent"].pooling
('cl-nagoya/defsent-roberta-large-cls', 'cls')
>>> from compsim import load
>>> method = load("simcse", device="cuda")  # doctest: +SKIP
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from compsim.embeddings.sentence_transformer import SentenceTransformerMethod
from compsim.errors import DataError, InputError
from compsim.method import MethodInfo
from compsim.transformers import hub

if TYPE_CHECKING:
    from compsim.embeddings.onnx_sentences import OnnxSentences

__all__ = [
    "PRESETS",
    "DefSent",
    "Dpr",
    "Instructor",
    "LaBse",
    "Mpnet",
    "NvEmbed",
    "Preset",
    "PresetMethod",
    "SentenceT5",
    "SimCse",
    "Specter",
    "Stella",
]


@dataclass(frozen=True, slots=True)
class Preset:
    """A checkpoint and how its authors read a sentence vector off it.

    ``model`` is its hub name. ``pooling`` is for a checkpoint that is a plain transformer:
    ``"cls"``, the first token's state; ``"mean"``, that of all tokens; ``"pooler"``, the first
    token's through the model's own pooling layer. None: its files say. ``prompt`` is put before a
    sentence, and its tokens count in the pooling if ``pool_prompt``; the end-of-text token is put
    behind it if ``end``. ``own_code``: the checkpoint brings code that has to be trusted.
    ``dtype``: the precision to run in, "auto" for that of the files; None for float32.
    """

    model: str
    summary: str
    pooling: Literal["cls", "mean", "pooler"] | None = None
    prompt: str | None = None
    pool_prompt: bool = True
    end: bool = False
    own_code: bool = False
    dtype: str | None = None


PRESETS: Final = {
    "mpnet": Preset(
        "sentence-transformers/all-mpnet-base-v2",
        "cosine of all-mpnet-base-v2 vectors",
    ),
    "defsent": Preset(
        "cl-nagoya/defsent-roberta-large-cls",
        "cosine of DefSent vectors, trained on definitions (Tsukagoshi et al. 2021)",
        pooling="cls",
    ),
    "simcse": Preset(
        "princeton-nlp/sup-simcse-roberta-large",
        "cosine of supervised SimCSE vectors (Gao et al. 2021)",
        pooling="pooler",
    ),
    "sentence-t5": Preset(
        "sentence-transformers/sentence-t5-large",
        "cosine of Sentence-T5 vectors (Ni et al. 2022)",
        pooling="mean",
    ),
    "instructor": Preset(
        "hkunlp/instructor-large",
        "cosine of INSTRUCTOR vectors, made to an instruction (Su et al. 2023)",
        pooling="mean",
        prompt="Represent the statement: ",
        pool_prompt=False,
    ),
    "labse": Preset(
        "sentence-transformers/LaBSE",
        "cosine of LaBSE vectors, for 109 languages (Feng et al. 2022)",
        pooling="pooler",
    ),
    "dpr": Preset(
        "sentence-transformers/facebook-dpr-ctx_encoder-single-nq-base",
        "cosine of the passage vectors of a dense retriever (Karpukhin et al. 2020)",
        pooling="cls",
    ),
    "specter": Preset(
        "sentence-transformers/allenai-specter",
        "cosine of SPECTER vectors, trained on citations (Cohan et al. 2020)",
        pooling="cls",
    ),
    "stella": Preset(
        "NovaSearch/stella_en_1.5B_v5",
        "cosine of stella_en_1.5B_v5 vectors, made to an instruction (Zhang et al. 2025)",
        pooling="mean",
        prompt="Instruct: Retrieve semantically similar text.\nQuery: ",
        own_code=True,
    ),
    "nv-embed": Preset(
        "nvidia/NV-Embed-v2",
        "cosine of NV-Embed-v2 vectors, made to an instruction (Lee et al. 2025)",
        pooling="mean",
        prompt="Instruct: Retrieve semantically similar text.\nQuery: ",
        pool_prompt=False,
        end=True,
        own_code=True,
        dtype="auto",
    ),
}


class PresetMethod(SentenceTransformerMethod):
    """The cosine of two sentence vectors as a preset makes them.

    - ``model``: another checkpoint of the kind, a folder or a hub name;
    - ``prompt``: another one than the preset's, ``""`` for none;
    - ``device``, ``backend``, ``batch_size``, ``trust_remote_code``, ``normalize``: see
      ``SentenceTransformerMethod``.
    """

    preset: ClassVar[Preset]

    def __init_subclass__(cls, preset: str, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.preset = PRESETS[preset]
        cls.info = MethodInfo(
            name=preset,
            summary=cls.preset.summary,
            needs=("transformers",),
        )

    def _default(self) -> str:
        return self.preset.model

    def _given(self, text: str) -> str:
        return f"{text}{self.model.tokenizer.eos_token}" if self.preset.end else text

    def _open_onnx(self, model: str | Path | None, device: str | None) -> OnnxSentences:
        preset = self.preset
        if preset.pooling is not None or preset.end or not preset.pool_prompt or preset.own_code:
            raise InputError(
                f'{self.info.name} does what no ONNX file holds: use backend="torch", or sbert '
                "with model=FOLDER"
            )
        return super()._open_onnx(preset.model if model is None else model, device)

    def _open(self, device: str | None, trust_remote_code: bool, **more: Any) -> Any:
        preset = self.preset
        if self.prompt is None:
            self.prompt = preset.prompt
        if preset.own_code and self.source.name == preset.model and not trust_remote_code:
            raise hub.untrusted(preset.model)
        if preset.dtype is not None and self.backend == "torch":
            more["model_kwargs"] = {"dtype": preset.dtype}
        model = super()._open(device, trust_remote_code, **more)
        if preset.pooling is not None and not self._is_whole():
            if preset.pooling == "pooler" and self.checkpoint.lacks_pooler:
                raise DataError(
                    f"the checkpoint {self.source.name} has no weights of the pooling layer, which "
                    "this method reads the vector from: give a checkpoint that has them"
                )
            model = _pooled(model, preset.pooling)
        if not preset.pool_prompt:
            model.set_pooling_include_prompt(False)
        return model

    def _is_whole(self) -> bool:
        """Return whether the model's files say how it is pooled."""
        if self.source.folder is not None:
            return (self.source.folder / "modules.json").is_file()
        from huggingface_hub import try_to_load_from_cache

        # Loading has left the file in the cache, if the model has it.
        return isinstance(try_to_load_from_cache(self.source.name, "modules.json"), str)


def _pooled(model: Any, pooling: str) -> Any:
    """The model, which sentence-transformers has given mean pooling, with another."""
    if pooling == "mean":
        return model
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import Dense

    transformer, mean = model[0], model[1]
    inner = transformer.auto_model
    width = inner.config.hidden_size
    modules = [transformer, type(mean)(width, pooling_mode="cls")]
    if pooling == "pooler":
        pooler = getattr(getattr(inner, "pooler", None), "dense", None)
        if pooler is None:
            raise InputError(
                "the model has no pooling layer, which this method reads the vector from: give a "
                "checkpoint that has one"
            )
        modules.append(
            Dense(
                width,
                pooler.out_features,
                activation_function=torch.nn.Tanh(),
                init_weight=pooler.weight.detach(),
                init_bias=pooler.bias.detach(),
            )
        )
    return SentenceTransformer(modules=modules, device=str(model.device))


class Mpnet(PresetMethod, preset="mpnet"):
    """all-mpnet-base-v2, the published ``sentbert_mpnet`` column; options as of ``PresetMethod``.

    Run with the published weights, and tested on a random MPNet of the same build.
    """


class DefSent(PresetMethod, preset="defsent"):
    """DefSent on RoBERTa-large, the first token's state; options as of ``PresetMethod``.

    Tested on a random RoBERTa.
    """


class SimCse(PresetMethod, preset="simcse"):
    """Supervised SimCSE on RoBERTa-large: the first token's state through the pooling layer.

    Options as of ``PresetMethod``. Tested on a random RoBERTa. (The unsupervised checkpoints are
    read before that layer: ``load("transformer", model=..., pooling="cls")``.)
    """


class SentenceT5(PresetMethod, preset="sentence-t5"):
    """Sentence-T5: the mean state of T5's encoder through a dense layer, as its files say.

    Options as of ``PresetMethod``. Tested on a random T5 encoder with a dense layer.
    """


class Instructor(PresetMethod, preset="instructor"):
    """INSTRUCTOR: a T5 encoder that reads an instruction first, whose tokens are not pooled.

    Options as of ``PresetMethod``; ``prompt`` is the instruction. Only a random T5 encoder with a
    dense layer has been run; the published checkpoint has not.
    """


class LaBse(PresetMethod, preset="labse"):
    """LaBSE: BERT's first token through a dense layer, as its files say.

    Options as of ``PresetMethod``. Tested on a random BERT with a dense layer.
    """


class Dpr(PresetMethod, preset="dpr"):
    """DPR's encoder of passages, as a BERT: the first token's state.

    Options as of ``PresetMethod``; the encoder of questions is another checkpoint of the kind,
    ``model="sentence-transformers/facebook-dpr-question_encoder-single-nq-base"``. Tested on a
    random BERT.
    """


class Specter(PresetMethod, preset="specter"):
    """SPECTER: the first token's state of a SciBERT.

    Options as of ``PresetMethod``. Tested on a random BERT.
    """


class Stella(PresetMethod, preset="stella"):
    """stella_en_1.5B_v5: a Qwen2 that reads an instruction first, its mean state made shorter.

    Options as of ``PresetMethod``; ``prompt`` is the instruction of its authors for similarity,
    whose tokens are pooled too. The published checkpoint brings its own code, which runs only with
    ``trust_remote_code=True``; it has not been run. What is tested is a random Mistral with a dense
    layer.
    """


class NvEmbed(PresetMethod, preset="nv-embed"):
    """NV-Embed-v2: a Mistral of 8 billion parameters that reads an instruction first.

    Options as of ``PresetMethod``; ``prompt`` is the instruction. The published checkpoint brings
    its own code (attention both ways, and a layer that pools through latent vectors), which runs
    only with ``trust_remote_code=True``. That checkpoint has not been run: what is tested is a
    random Mistral, and the instruction, the end-of-text token and the pooling around it.
    """
