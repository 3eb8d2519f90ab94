"""Every method by name: one table, to which other packages add through an entry point.

A package that declares ``my-method = "my_package:MyMethod"`` in the entry-point group
``compsim.methods`` is found here; ``MyMethod`` is a subclass of ``Method`` with its ``info``.

>>> from compsim.registry import methods
>>> "verbnet-cn" in [info.name for info in methods()]
True
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import warnings
from collections.abc import Iterable
from importlib.metadata import entry_points
from typing import Any, Final

from compsim.errors import CompsimError, InputError, MissingExtraError, UnknownNameError
from compsim.method import Method, MethodInfo

__all__ = ["GROUP", "load", "methods", "normalizations", "options"]

#: The entry-point group for methods of other packages.
GROUP: Final = "compsim.methods"

_BUILT_IN: Final = {
    "verbnet-cn": "compsim.rolesim.method:RoleSimMethod",
    "amr-cn": "compsim.amr.cn:AmrCn",
    "amr-smatch": "compsim.amr.smatch.method:AmrSmatch",
    "amr-wlk": "compsim.amr.wlk.methods:AmrWlk",
    "amr-wwlk": "compsim.amr.wlk.methods:AmrWwlk",
    "mean-cn": "compsim.embeddings.arithmetic:MeanMethod",
    "weighted-mean-cn": "compsim.embeddings.arithmetic:WeightedMeanMethod",
    "mult-cn": "compsim.embeddings.arithmetic:MultMethod",
    "conv-cn": "compsim.embeddings.arithmetic:ConvMethod",
    "tensor-cn": "compsim.embeddings.tensor:TensorMethod",
    "sbert": "compsim.embeddings.sentence_transformer:SentenceTransformerMethod",
    "mpnet": "compsim.embeddings.presets:Mpnet",
    "defsent": "compsim.embeddings.presets:DefSent",
    "simcse": "compsim.embeddings.presets:SimCse",
    "sentence-t5": "compsim.embeddings.presets:SentenceT5",
    "instructor": "compsim.embeddings.presets:Instructor",
    "labse": "compsim.embeddings.presets:LaBse",
    "nv-embed": "compsim.embeddings.presets:NvEmbed",
    "ernie": "compsim.embeddings.transformer_layer:Ernie",
    "transformer": "compsim.embeddings.transformer_layer:TransformerLayer",
    "bertscore": "compsim.embeddings.bertscore:BertScore",
    "s3bert": "compsim.embeddings.s3bert:S3Bert",
    "amrbart": "compsim.amr.amrbart:AmrBart",
    "infersent": "compsim.embeddings.encoders.infersent:InferSent",
    "openai": "compsim.embeddings.services.openai:OpenAi",
    "use": "compsim.embeddings.encoders.use:UniversalSentenceEncoder",
}


def methods() -> list[MethodInfo]:
    """What each method promises, built-in ones first.

    A method of another package that cannot be imported is left out with a warning.
    """
    found = [_built_in(name).info for name in _BUILT_IN]
    for point in entry_points(group=GROUP):
        if point.name in _BUILT_IN:
            continue
        try:
            found.append(point.load().info)
        except Exception as error:  # whatever another package does on import
            warnings.warn(
                f"method {point.name!r} of {point.value} cannot be used ({error}): mend or "
                "uninstall that package",
                stacklevel=2,
            )
    return found


def load(name: str, **options: Any) -> Method[Any]:
    """Make a method ready to use: its parser, vectors and weights are opened.

    Raises ``UnknownNameError`` for a name that is not known, ``InputError`` for an option that the
    method does not have, ``MissingExtraError`` where a package it needs is not installed.
    """
    kind = _find(name)
    _check_options(name, kind, options)
    try:
        method: Method[Any] = kind(**options)
    except CompsimError:
        raise
    except ImportError as error:
        raise _missing(name, kind.info.needs, error) from error
    return method


def options(name: str) -> list[str]:
    """The names of the options that a method takes.

    Raises ``UnknownNameError`` for a name that is not known.
    """
    return list(inspect.signature(_find(name)).parameters)


def normalizations(name: str) -> tuple[str, ...]:
    """The values of a method's ``normalize`` option, the default first; none without the option.

    Raises ``UnknownNameError`` for a name that is not known.
    """
    return _find(name).normalizations


def _built_in(name: str) -> type[Method[Any]]:
    module, _, attribute = _BUILT_IN[name].partition(":")
    kind: type[Method[Any]] = getattr(importlib.import_module(module), attribute)
    return kind


def _find(name: str) -> type[Method[Any]]:
    if name in _BUILT_IN:
        return _built_in(name)
    others = {point.name: point for point in entry_points(group=GROUP)}
    if name in others:
        try:
            kind: type[Method[Any]] = others[name].load()
        except ImportError as error:
            raise _missing(name, (), error) from error
        return kind
    known = [*_BUILT_IN, *others]
    raise UnknownNameError(
        f"there is no method {name!r}: {_nearest(str(name), known)}",
    )


def _check_options(name: str, kind: type[Method[Any]], options: dict[str, Any]) -> None:
    parameters = inspect.signature(kind).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return
    known = [parameter.name for parameter in parameters]
    for option in options:
        if option not in known:
            raise InputError(f"method {name!r} has no option {option!r}: {_nearest(option, known)}")


def _nearest(name: str, known: Iterable[str]) -> str:
    """What was perhaps meant, else all there is."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=3)
    if near:
        return f"did you mean {' or '.join(map(repr, near))}?"
    return f"there are {', '.join(names)}" if names else "it has none"


def _missing(name: str, needs: tuple[str, ...], error: ImportError) -> MissingExtraError:
    extras = f"compsim[{','.join(needs)}]" if needs else (error.name or "the package").split(".")[0]
    return MissingExtraError(
        f"method {name!r} needs a package that is not installed ({error}): "
        f"run pip install '{extras}'",
        name=error.name,
    )
