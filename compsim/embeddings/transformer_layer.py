"""Any transformer, read at any layer: the token states there, pooled into one vector.

>>> from compsim import load
>>> embeddings = load("ernie", layer=0)  # doctest: +SKIP
>>> middle = load("transformer", model="google-bert/bert-base-uncased", layer=6)  # doctest: +SKIP
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, get_args

import numpy as np
import numpy.typing as npt

from compsim.embeddings.method import EmbeddingMethod
from compsim.embeddings.word_matrix import TokenSum, explain_by_words
from compsim.errors import DataError, InputError, check_choice
from compsim.method import MethodInfo
from compsim.transformers.token_states import Pooling, TokenStates, check_batch_size, pooled

if TYPE_CHECKING:
    from compsim.embeddings.postprocess import Normalizer
    from compsim.explanation import WordMatrix
    from compsim.plain_text import PlainText

__all__ = ["BertFlow", "Ernie", "TransformerLayer"]

_ERNIE: Final = "nghuyong/ernie-2.0-base-en"
_BERT: Final = "google-bert/bert-base-uncased"


class TransformerLayer(EmbeddingMethod):
    """The cosine of the pooled token states of a transformer's encoder at a layer.

    - ``model``: a folder or a hub name of any transformer;
    - ``layer``: 0 for the embeddings that go into the first layer, k for what comes out of layer k;
      by default the last. ``"first+last"`` is the mean of the first and the last layer,
      ``"0+6+12"`` that of three;
    - ``pooling``: ``"mean"`` or ``"max"`` over all tokens, the special ones among them; ``"cls"``,
      the state of the token that stands for the text, which is the first but for XLNet's last;
      ``"pooler"``, what the model's pooling layer makes of that;
    - ``device``, ``batch_size``, ``trust_remote_code``: see ``SentenceTransformerMethod``.

    A blank sentence has the zero vector. The score lies in [-1, 1], is symmetric, and 1 for a
    sentence with itself. Raises ``DataError`` for a model that is missing or damaged, or whose
    weights do not fit its architecture, ``InputError`` for a layer that it does not have.
    """

    info = MethodInfo(
        name="transformer",
        summary="cosine of the pooled states of a transformer's tokens at a layer",
        needs=("transformers",),
    )

    #: What is run where no model is named.
    default: ClassVar[str | None] = None

    def __init__(
        self,
        model: str | Path | None = None,
        layer: int | str | None = None,
        pooling: Pooling = "mean",
        device: str | None = None,
        batch_size: int = 32,
        trust_remote_code: bool = False,
        normalize: str | Path | Normalizer = "none",
    ) -> None:
        super().__init__(normalize)
        model = self.default if model is None else model
        if model is None:
            raise InputError(
                f"method {self.info.name!r} needs a model: give model=, a folder or a hub name"
            )
        check_choice("pooling", pooling, get_args(Pooling))
        self.pooling: Pooling = pooling
        self.batch_size = check_batch_size(batch_size)
        self.encoder = TokenStates(model, layer, device, trust_remote_code)
        if pooling == "pooler":
            self._check_pooler()

    def _check_pooler(self) -> None:
        """Raise where the model has no trained pooling layer, or another layer is read."""
        if not self.encoder.is_last:
            raise InputError(
                f"layer={self.encoder.layer} is not the last layer, and the pooling layer reads "
                "that: leave layer out, or give another pooling"
            )
        if self.encoder.checkpoint.lacks_pooler:
            raise DataError(
                f"the checkpoint {self.encoder.source.name} has no weights of the pooling layer, "
                "which would be random: give another pooling"
            )
        if next(self.encoder.read(["a"], 1)).pooler is None:
            raise InputError(
                f"the model {self.encoder.source.name} has no pooling layer: give another pooling"
            )

    @property
    def space(self) -> str:
        """The model with a hash of its files, the layer, the pooling."""
        return f"{self.encoder.fingerprint} {self.pooling}"

    def embed(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        """The vector of each sentence, float32 (n, dim); equal sentences have equal ones."""
        pool = partial(pooled, pooling=self.pooling)
        return self.encoder.vectors(sentences, self.batch_size, pool)

    def _words(self, sentences: list[str]) -> tuple[WordMatrix | None, str]:
        """Return the contribution of each pair of words, unless the pooling is a maximum."""
        linear = self.pooling in ("mean", "cls")
        why_not = "" if linear else f"the pooling is {self.pooling}, not the mean"
        return explain_by_words(sentences, self._token_sum, why_not, self._normalizer)

    def _token_sum(self, read: PlainText) -> TokenSum:
        """The tokens of a sentence that is not blank."""
        (part,) = self.encoder.read([read.text], 1)
        numbers = part.numbers[0].tolist()
        places = part.mask[0].nonzero()[:, 0].tolist()
        if self.pooling == "cls" and part.first is not None:
            places = part.first.tolist()
        tokens = self.encoder.token_places(read.text, numbers)
        states = part.states[0, places].double().cpu().numpy()
        return TokenSum(states, tokens, places, read, single=self.pooling == "cls")


class Ernie(TransformerLayer):
    """ERNIE 2.0 (Sun et al. 2020) at a layer; the papers take the mean of layers 0 and 12.

    ``model`` is the English base model by default; ``layer`` and the other options as of
    ``TransformerLayer``. Tested on a random ERNIE; the published checkpoint has not been run.
    """

    info = MethodInfo(
        name="ernie",
        summary="cosine of the pooled states of ERNIE 2.0's tokens at a layer",
        needs=("transformers",),
    )
    default = _ERNIE


class BertFlow(TransformerLayer):
    """BERT-flow (Li et al. 2020): vectors of BERT, brought to a Gaussian by a trained flow.

    The mean of BERT's first and last layer, over all tokens, with ``normalize="flow"``, which is
    fitted to the sentences of each call, to those of ``fit``, or read from a saved one (see
    ``compsim.embeddings.flow``). ``model`` is BERT base, uncased, by default; the other options as
    of ``TransformerLayer``. Tested on a random BERT; the published checkpoint has not been run.
    """

    info = MethodInfo(
        name="bert-flow",
        summary="cosine of BERT's vectors after a normalising flow (Li et al. 2020)",
        needs=("transformers",),
    )
    default = _BERT
    normalizations = ("flow", *(way for way in EmbeddingMethod.normalizations if way != "flow"))

    def __init__(
        self,
        model: str | Path | None = None,
        layer: int | str | None = "first+last",
        pooling: Pooling = "mean",
        device: str | None = None,
        batch_size: int = 32,
        trust_remote_code: bool = False,
        normalize: str | Path | Normalizer = "flow",
    ) -> None:
        super().__init__(model, layer, pooling, device, batch_size, trust_remote_code, normalize)
