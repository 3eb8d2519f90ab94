"""The states of a transformer's tokens by ONNX Runtime, without torch.

A model is a folder, or a model of the hub, with ``tokenizer.json`` and an ONNX file: of full
precision ``onnx/model.onnx``, in int8 one of those that the hub's models have, the one for this
processor first. ``compsim export-onnx`` makes them.

>>> states = OnnxStates("FOLDER")  # doctest: +SKIP
>>> [part.states.shape for part in states.read(["Cats sleep."], batch_size=32)]  # doctest: +SKIP
[(1, 5, 384)]
"""

from __future__ import annotations

import json
import platform
import warnings
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from compsim.errors import DataError, InputError
from compsim.missing import missing
from compsim.transformers import hub
from compsim.transformers.token_places import TokenPlaces

__all__ = ["FULL", "ArrayStates", "OnnxStates", "read_json"]

#: Where the model of full precision is.
FULL: Final = ("onnx/model.onnx", "model.onnx")
#: Models in int8, and the instructions that each was made for; none for any.
_INT8: Final = {
    "onnx/model_qint8_avx512_vnni.onnx": "avx512_vnni",
    "onnx/model_qint8_avx512.onnx": "avx512f",
    "onnx/model_quint8_avx2.onnx": "avx2",
    "onnx/model_qint8_arm64.onnx": "arm64",
    "onnx/model_int8.onnx": "",
    "onnx/model_quantized.onnx": "",
}
_SMALL: Final = ("*.json", "1_Pooling/*", "2_Normalize/*")
#: Outputs that hold a state for each token, and inputs that are known.
_OUTPUTS: Final = ("last_hidden_state", "token_embeddings")
_INPUTS: Final = frozenset(("input_ids", "attention_mask", "token_type_ids"))
#: Architectures whose first positions are before the first token's.
_OFFSET: Final = frozenset(("roberta", "xlm-roberta", "camembert", "mpnet"))
_UNBOUNDED: Final = 512


class ArrayStates(NamedTuple):
    """The states of some texts: ``states`` float32 (n, length, dim), padded at the end.

    ``places``: where each text stood in what was given. ``numbers`` int64 (n, length): the tokens.
    ``kept`` bool (n, length): tokens that are part of the text; ``mask`` bool (n, length): those
    that are no padding. ``spans`` int64 (n, length, 2): the characters of each.
    """

    places: list[int]
    states: npt.NDArray[np.float32]
    numbers: npt.NDArray[np.int64]
    mask: npt.NDArray[np.bool_]
    kept: npt.NDArray[np.bool_]
    spans: npt.NDArray[np.int64]


class OnnxStates:
    """A transformer's last layer.

    - ``model``: a folder or a hub name; by default all-MiniLM-L6-v2;
    - ``int8``: whether the model with weights of one byte is taken;
    - ``sentences``: whether texts are cut and written as sentence-transformers is told to; else as
      the transformer alone reads them.

    Raises ``DataError`` for a model that is missing or damaged or has other inputs or outputs,
    ``MissingExtraError`` without onnxruntime and tokenizers.
    """

    def __init__(
        self, model: str | Path | None = None, int8: bool = False, sentences: bool = True
    ) -> None:
        self.source = hub.find("sentence-transformers/all-MiniLM-L6-v2" if model is None else model)
        self.folder = self.source.folder or _fetched(self.source.name, int8)
        self._file = _model_file(self.folder, self.source.name, int8)
        settings = read_json(self.folder / "sentence_bert_config.json")
        self._settings = settings if sentences else {}
        self._config = read_json(self.folder / "config.json")
        self.tokenizer = _tokenizer(self.folder)
        self.longest = self._longest()
        self.tokenizer.enable_truncation(self.longest)
        self._session, self._output = _session(self._file)
        self._inputs = [given.name for given in self._session.get_inputs()]

    @cached_property
    def fingerprint(self) -> str:
        """The model with a hash of its files."""
        return f"{hub.fingerprint(hub.Source(self.source.name, self.folder), None)}"

    @property
    def dim(self) -> int:
        """The length of a state."""
        return int(self._config.get("hidden_size") or self._run(["a"], [0]).states.shape[2])

    def read(self, texts: Sequence[str], batch_size: int) -> Iterator[ArrayStates]:
        """The states of the texts, those of like length together, every text once."""
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        for start in range(0, len(order), batch_size):
            yield self._run(texts, order[start : start + batch_size])

    def numbers(self, text: str) -> list[int]:
        """Return the numbers of the tokens of a text, special ones left out."""
        text = text.lower() if self._settings.get("do_lower_case") else text
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def token_places(self, text: str) -> TokenPlaces:
        """Return the tokens of a text as the model reads it, with their characters."""
        read = self.tokenizer.encode(text)
        special = list(map(bool, read.special_tokens_mask))
        spans = [
            (start, stop) if stop > start and not added else None
            for (start, stop), added in zip(read.offsets, special, strict=True)
        ]
        return TokenPlaces(read.tokens, special, spans, True, bool(read.overflowing))

    def _run(self, texts: Sequence[str], places: list[int]) -> ArrayStates:
        lower = bool(self._settings.get("do_lower_case"))
        given = [texts[place].lower() if lower else texts[place] for place in places]
        read = self.tokenizer.encode_batch(given)
        shape = (len(read), max(len(item.ids) for item in read))
        pad = int(self._config.get("pad_token_id") or 0)
        columns = {
            "input_ids": np.full(shape, pad, dtype=np.int64),
            "attention_mask": np.zeros(shape, dtype=np.int64),
            "token_type_ids": np.zeros(shape, dtype=np.int64),
        }
        special = np.ones(shape, dtype=np.bool_)
        spans = np.zeros((*shape, 2), dtype=np.int64)
        for row, item in enumerate(read):
            length = len(item.ids)
            columns["input_ids"][row, :length] = item.ids
            columns["attention_mask"][row, :length] = 1
            columns["token_type_ids"][row, :length] = item.type_ids
            special[row, :length] = item.special_tokens_mask
            spans[row, :length] = item.offsets
        feed = {name: columns[name] for name in self._inputs}
        (states,) = self._session.run([self._output], feed)
        mask = columns["attention_mask"] == 1
        return ArrayStates(
            places, states.astype(np.float32), columns["input_ids"], mask, mask & ~special, spans
        )

    def _longest(self) -> int:
        """The most tokens that the model reads."""
        limits = [self._settings.get("max_seq_length")]
        limits.append(read_json(self.folder / "tokenizer_config.json").get("model_max_length"))
        positions = self._config.get("max_position_embeddings")
        if positions and self._config.get("model_type") in _OFFSET:
            positions -= 2
        limits.append(positions)
        return min((int(x) for x in limits if x and x < 1 << 31), default=_UNBOUNDED)


def read_json(path: Path) -> dict[str, Any]:
    """Return what a file of a model says, nothing where there is none.

    Raises ``DataError`` for one that cannot be read.
    """
    if not path.is_file():
        return {}
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(
            f"{path} cannot be read ({error}): fetch all files of the model again"
        ) from error
    return values if isinstance(values, dict) else {}


def _model_file(folder: Path, name: str, int8: bool) -> Path:
    """Return the ONNX file to run."""
    if not int8:
        for place in FULL:
            if (folder / place).is_file():
                return folder / place
        raise DataError(
            f"the model {name} has no onnx/model.onnx: run `compsim export-onnx {name}` where "
            "the extra transformers is installed, or give a model that has one"
        )
    here = [place for place in _INT8 if (folder / place).is_file()]
    if not here:
        raise DataError(
            f"the model {name} has no ONNX file in int8: run `compsim export-onnx {name} --int8` "
            'where the extra transformers is installed, or give backend="onnx"'
        )
    able = _instructions()
    fitting = [place for place in here if not _INT8[place] or _INT8[place] in able]
    if not fitting:
        warnings.warn(
            f"{here[-1]} of {name} was made for {_INT8[here[-1]]}, which this processor lacks: "
            'it runs more slowly; backend="onnx" may be faster',
            stacklevel=6,
        )
    return folder / (fitting or here[::-1])[0]


def _instructions() -> frozenset[str]:
    """Return the instructions for int8 that this processor has, as far as it tells."""
    if platform.machine().lower() in ("arm64", "aarch64"):
        return frozenset(("arm64",))
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return frozenset(("avx2",))
    return frozenset(next((x for x in text.splitlines() if x.startswith("flags")), "").split())


def _fetched(name: str, int8: bool) -> Path:
    """Return the folder of a model of the hub, fetched where it is not on this machine."""
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise missing("huggingface_hub", "onnx", error) from error
    wanted = [*_SMALL, *(_INT8 if int8 else FULL)]
    try:
        return Path(snapshot_download(name, allow_patterns=wanted, local_files_only=hub.offline()))
    except Exception as error:  # which package asks, and what that raises, changed with versions
        why = " ".join(str(error).split())[:300]
        raise DataError(
            f"the model {name} is not on this machine and cannot be fetched ({why}): give a "
            f"folder, or run `compsim export-onnx` where the extra transformers is installed"
        ) from error


def _tokenizer(folder: Path) -> Any:
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise DataError(
            f"{folder} has no tokenizer.json: save the model's fast tokenizer there, or run "
            "`compsim export-onnx`"
        )
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise missing("tokenizers", "onnx", error) from error
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the package raises Exception itself
        raise DataError(
            f"{path} cannot be read ({error}): fetch all files of the model again"
        ) from error
    tokenizer.no_padding()
    return tokenizer


def _session(path: Path) -> tuple[Any, str]:
    """Return a session for a model, and the name of the output with a state for each token."""
    try:
        import onnxruntime
    except ImportError as error:
        raise missing("onnxruntime", "onnx", error) from error
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # what goes wrong is raised, and need not be printed too
    try:
        session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # the errors of onnxruntime have no base class of their own
        why = " ".join(str(error).split())[:300]
        raise DataError(
            f"the ONNX model {path} does not load ({why}): export it again, or update onnxruntime"
        ) from error
    inputs = [given.name for given in session.get_inputs()]
    result = {given.name: given.shape for given in session.get_outputs()}
    output = next((name for name in _OUTPUTS if len(result.get(name) or ()) == 3), "")
    if not output or "input_ids" not in inputs or not _INPUTS.issuperset(inputs):
        raise DataError(
            f"the ONNX model {path} takes {', '.join(inputs)} and gives {', '.join(result)}, not "
            "last_hidden_state for input_ids and attention_mask: export the transformer alone"
        )
    return session, output


def check_cpu(device: str | None) -> None:
    """Raise ``InputError`` for another device than the processor, the only one used here."""
    if device not in (None, "cpu"):
        raise InputError(f'device={device!r} needs backend="torch": ONNX models run on the CPU')
