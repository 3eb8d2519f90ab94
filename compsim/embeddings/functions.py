"""A function of one's own as a method: sentences to vectors, or two lists of sentences to scores.

The function is given itself, or named as ``"package.module:function"`` or ``"FILE.py:function"``.
How many arguments it must be given says what it is:

- one list of n sentences: it gives their vectors (n, dim), which are compared by their cosines;
- two lists of n sentences: it gives n similarities, the higher the more alike.

>>> def lengths(sentences):
...     return [[len(text), 1.0] for text in sentences]
>>> scores = CallableMethod(lengths).similarity(["Cats sleep."], ["Dogs sleep.", "No."])
>>> [round(float(score), 2) for score in scores[0]]
[1.0, 0.97]
>>> def same_length(first, second):
...     return [float(len(a) == len(b)) for a, b in zip(first, second)]
>>> CallableMethod(same_length).similarity(["a", "bc"], ["d"]).tolist()
[[1.0], [0.0]]
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from compsim.embeddings.batch import VectorBatch
from compsim.embeddings.method import EmbeddingMethod
from compsim.embeddings.postprocess import Normalizer
from compsim.embeddings.sentence_pairs import PairMethod, SentenceBatch
from compsim.errors import DataError, InputError
from compsim.method import Method, MethodInfo
from compsim.plain_text import plain

__all__ = ["CallableMethod", "Function", "gives_vectors", "source_of"]

Function: TypeAlias = Callable[..., Any]


class CallableMethod(Method[Any]):
    """A method made of a function; see the module.

    - ``function``: the function, or where it is: ``"package.module:function"``,
      ``"FILE.py:function"``.
    - ``normalize``: as for other sentence vectors; nothing but ``"none"`` for a function of two
      lists.

    Raises ``InputError`` for a function that cannot be found, or that takes neither one nor two
    arguments. What it raises itself is passed on. Answers of another shape, and NaN or infinity in
    vectors, are a ``DataError``; a score of NaN stays NaN.
    """

    info = MethodInfo(
        "callable",
        "a function of yours: sentences to vectors, or two lists of sentences to scores",
        lowest=-np.inf,
        highest=np.inf,
        symmetric=False,
        identity=None,
    )
    normalizations = EmbeddingMethod.normalizations

    def __new__(
        cls, function: Function | str, normalize: str | Path | Normalizer = "none"
    ) -> CallableMethod:
        """The kind of method that the function's arguments ask for."""
        kind = cls
        if cls is CallableMethod:
            kind = _Vectors if gives_vectors(function) else _Scores
        return super().__new__(kind, function, normalize)


class _Vectors(CallableMethod, EmbeddingMethod):
    """Sentence vectors that a function gives, compared by their cosines."""

    info = replace(CallableMethod.info, lowest=-1.0, highest=1.0, symmetric=True, identity=1.0)
    encoded = VectorBatch

    def __init__(
        self, function: Function | str, normalize: str | Path | Normalizer = "none"
    ) -> None:
        EmbeddingMethod.__init__(self, normalize)
        self._function, self.name = _resolve(function), _name(function)

    @property
    def space(self) -> str:
        """Identifier of the function."""
        return f"callable {self.name}"

    def embed(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        """The vector of each sentence, float32 (n, dim)."""
        if not sentences:
            return self.embed(["a"])[:0]  # as wide as others
        values = _array(self._function(list(sentences)), self.name)
        if values.ndim != 2 or len(values) != len(sentences):
            raise DataError(
                f"{self.name} gave an array of shape {values.shape} for {len(sentences)} "
                "sentences: give one row of numbers for each sentence"
            )
        if not np.isfinite(values).all():
            bad = sentences[int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])]
            raise DataError(f"{self.name} gave NaN or infinity for {bad!r}: mend the function")
        return values.astype(np.float32)


class _Scores(CallableMethod, PairMethod):
    """Similarities that a function of two lists gives."""

    def __init__(self, function: Function | str, normalize: str = "none") -> None:
        if normalize != "none":
            raise InputError(
                f"{_name(function)} gives similarities, which are not normalised: leave normalize "
                "out, or give a function of one list that gives vectors"
            )
        self._function, self.name = _resolve(function), _name(function)

    def _pairwise(self, a: SentenceBatch, b: SentenceBatch) -> npt.NDArray[np.float64]:
        if not len(a):
            return np.zeros(0)
        first, second = (list(map(plain, side.texts)) for side in (a, b))
        values = _array(self._function(first, second), self.name)
        if values.size != len(first):
            raise DataError(
                f"{self.name} gave an array of shape {values.shape} for {len(first)} pairs: give "
                "one similarity for each pair"
            )
        return values.astype(np.float64).reshape(-1)


def gives_vectors(function: Function | str) -> bool:
    """Return whether a function is of one list, so that it gives vectors, not of two.

    Raises ``InputError`` for one that must be given another number of arguments.
    """
    result = _resolve(function)
    try:
        parameters = list(inspect.signature(result).parameters.values())
    except (TypeError, ValueError):  # compiled code may not tell
        parameters = []
    needed = [
        one
        for one in parameters
        if one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    if len(needed) not in (1, 2):
        raise InputError(
            f"{_name(function)} must be given {len(needed)} arguments: give a function of a list "
            "of sentences, or of two lists"
        )
    return len(needed) == 1


def source_of(name: str) -> Path | None:
    """The file that holds a function given by name; None where there is none of that name."""
    module = name.rpartition(":")[0]
    if module.endswith(".py"):
        return Path(module)
    try:
        result = importlib.util.find_spec(module) if module else None
    except (ImportError, ValueError):
        return None
    origin = result.origin if result else None
    return Path(origin) if origin and Path(origin).is_file() else None


def _resolve(function: Function | str) -> Function:
    """The function, looked up where it is a name."""
    if not isinstance(function, str):
        if not callable(function):
            raise InputError(
                f"{function!r} cannot be called: give a function, or package.module:function"
            )
        return function
    module, _, name = function.rpartition(":")
    if not module or not name:
        raise InputError(f"{function!r} is no package.module:function and no FILE.py:function")
    try:
        result = attrgetter(name)(_module(module))
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        raise InputError(
            f"there is no module {module!r} here: put its folder on PYTHONPATH, or give FILE.py:"
            f"{name}"
        ) from error
    except AttributeError as error:
        raise InputError(f"{module} has no {name!r}: give the name of a function in it") from error
    if not callable(result):
        raise InputError(f"{name!r} of {module} cannot be called: give the name of a function")
    checked: Function = result
    return checked


def _module(name: str) -> Any:
    """A module by its name, or by its file."""
    if not name.endswith(".py"):
        return importlib.import_module(name)
    path = Path(name)
    if not path.is_file():
        raise InputError(f"there is no file {name}: give FILE.py:function")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _name(function: Function | str) -> str:
    """Return the name of a function."""
    return function if isinstance(function, str) else getattr(function, "__name__", repr(function))


def _array(results: Any, name: str) -> npt.NDArray[Any]:
    """Return the output of a function as numbers."""
    try:
        return np.asarray(results, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} gave no numbers ({error}): give an array of numbers") from error
