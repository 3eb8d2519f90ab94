"""Tiny recurrent encoders in the formats of their authors, saved where a test wants them.

The checkpoint in ``checkpoint/`` was written by TensorFlow 2.21 (its GRU cell of version 1, two
states in each direction, word vectors of three numbers for five words): 1.5 kB.
"""

from __future__ import annotations

import io
import json
import pickle
import shutil
import struct
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from toy_encoders import TOY_WORDS

CHECKPOINT = Path(__file__).with_name("checkpoint") / "model.ckpt-500"
LAYER = ("W", "b", "U", "Wx", "bx", "Ux")


def _python2(value: Any) -> bytes:
    """A pickle of protocol 2 as Python 2 writes it: bytes are strings."""

    def save_bytes(pickler: Any, data: bytes) -> None:
        pickler.write(b"T" + struct.pack("<i", len(data)) + data)
        pickler.memoize(data)

    file = io.BytesIO()
    pickler = pickle._Pickler(file, 2)  # type: ignore[attr-defined]
    pickler.dispatch = {**pickler.dispatch, bytes: save_bytes}
    pickler.dump(value)
    return file.getvalue().replace(b"numpy._core.multiarray", b"numpy.core.multiarray")


def save_object_rows(path: Path, rows: npt.NDArray[np.float32]) -> None:
    """An array of arrays as ``numpy.save`` of Python 2 pickles it."""
    objects = np.empty(len(rows), dtype=object)
    for place, row in enumerate(rows):
        objects[place] = row[None]  # as the published ones, a row of a matrix
    head = f"{{'descr': '|O', 'fortran_order': False, 'shape': ({len(rows)},), }}"
    head += " " * (-(len(head) + 11) % 16) + "\n"
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()
    path.write_bytes(start + _python2(objects))


def gru_weights(
    rng: np.random.Generator, dim: int, states: int, prefix: str
) -> dict[str, npt.NDArray[np.float32]]:
    """Random weights of one direction, under the names of Kiros."""
    shapes = {
        "W": (dim, 2 * states),
        "b": (2 * states,),
        "U": (states, 2 * states),
        "Wx": (dim, states),
        "bx": (states,),
        "Ux": (states, states),
    }
    return {
        f"{prefix}_{name}": rng.normal(size=shape).astype(np.float32)
        for name, shape in shapes.items()
    }


def save_skipthought(folder: Path, words: Sequence[str] = TOY_WORDS, dim: int = 5) -> Path:
    """The five published files: three states one way, two in each of both ways."""
    rng = np.random.default_rng(11)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dictionary.txt").write_text("\n".join([*words, "UNK", "<eos>", ""]), "utf-8")
    one, two = rng.normal(size=(2, len(words) + 2, dim)).astype(np.float32)
    save_object_rows(folder / "utable.npy", one)
    np.save(folder / "btable.npy", two)
    more = {"Wemb": np.zeros((2, dim), np.float32), "history": np.array([None])}
    uni = gru_weights(rng, dim, 3, "encoder")
    bi = gru_weights(rng, dim, 2, "encoder") | gru_weights(rng, dim, 2, "encoder_r")
    np.savez(folder / "uni_skip.npz", **uni, **more)
    np.savez(folder / "bi_skip.npz", **bi, **more)
    return folder


def configuration(**more: Any) -> dict[str, Any]:
    """A configuration of Quick-Thought as its authors write them."""
    vocabulary = {
        "mode": "trained",
        "name": "word_embedding",
        "cap": False,
        "dim": 3,
        "size": 5,
        "vocab_file": "words.txt",
        "embs_file": "",
    }
    settings = {
        "encoder": "gru",
        "encoder_dim": 4,
        "bidir": True,
        "case_sensitive": True,
        "checkpoint_path": "train",
        "vocab_configs": [{**vocabulary, **more.pop("vocabulary", {})}],
    }
    return {**settings, **more}


def save_quickthought(folder: Path, words: Sequence[str] = TOY_WORDS) -> Path:
    """A configuration with more words than the checkpoint was trained on, its files beside it."""
    rng = np.random.default_rng(13)
    (folder / "train").mkdir(parents=True, exist_ok=True)
    for file in CHECKPOINT.parent.iterdir():
        shutil.copy(file, folder / "train" / file.name)
    pointer = 'model_checkpoint_path: "/elsewhere/train/model.ckpt-500"\n'
    (folder / "train" / "checkpoint").write_text(pointer)
    (folder / "words.txt").write_text("<unk>\ncats\nchase\nmice\né\n", "utf-8")
    for side in ("", "_out"):
        listed = "\n".join([*words, "<unk>"])
        (folder / f"more{side}.txt").write_text(listed, "utf-8")
        np.save(folder / f"more{side}.npy", rng.normal(size=(len(words) + 1, 3)))
    more = {"mode": "expand", "vocab_file": "more", "embs_file": "more"}
    path = folder / "eval.json"
    path.write_text(json.dumps(configuration(vocabulary=more)))
    return path


def vocabulary_of_python2(words: Sequence[str]) -> bytes:
    """The numbers of words, pickled by protocol 0 of Python 2: byte strings with escapes."""
    lines = [b"(dp0", b"S'word2id'", b"p1", b"(dp2"]
    for number, word in enumerate(words):
        lines += [f"S{word.encode()!r}".replace("Sb", "S").encode(), b"p9", b"I%d" % number, b"s"]
    return b"\n".join([*lines]).replace(b"\ns\n", b"\ns") + b"s."


def save_gensen(
    folder: Path, words: Sequence[str] = TOY_WORDS, *, name: str = "toy", layers: int = 1
) -> Path:
    """A state dict with the published names and its vocabulary, by an old PyTorch and Python 2."""
    import torch

    folder.mkdir(parents=True, exist_ok=True)
    generator = torch.Generator().manual_seed(layers)
    gru = torch.nn.GRU(5, 3, num_layers=layers, bidirectional=True)
    known = list(dict.fromkeys(["<s>", "<pad>", "</s>", "<unk>", *words]))
    state = {"src_embedding.weight": torch.randn(len(known), 5, generator=generator)}
    for key, values in gru.state_dict().items():
        state[f"encoder.{key}"] = torch.randn(values.shape, generator=generator)
    torch.save(state, folder / f"{name}.model", _use_new_zipfile_serialization=layers > 1)
    (folder / f"{name}_vocab.pkl").write_bytes(vocabulary_of_python2(known))
    return folder / f"{name}.model"


@cache
def toy_options(name: str) -> dict[str, Any]:
    """Return the options of one of these methods in the tests of all methods."""
    savers: Mapping[str, Any] = {
        "skipthought": save_skipthought,
        "quickthought": save_quickthought,
        "gensen": save_gensen,
    }
    folder = Path(tempfile.mkdtemp(prefix="compsim-toy-"))
    return {"model": savers[name](folder), "device": "cpu"}
