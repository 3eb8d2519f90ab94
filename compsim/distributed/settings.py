"""Settings that the results of a corpus depend on, as JSON, stored and compared on resume.

>>> import compsim
>>> reranker = opened("mean-cn", {"vectors": "builtin"})
>>> settings_of("scores", reranker, "text", None)["options"]
{'vectors': 'builtin'}
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from compsim._version import __version__
from compsim.errors import InputError
from compsim.method import Method
from compsim.registry import options as options_of
from compsim.registry import resolved
from compsim.retrieval import Reranker
from compsim.storage.files import file_sha256

__all__ = ["opened", "settings_of"]

#: What every method can encode, for the names of the spaces that it encodes into.
_ANY = "Cats chase mice."


def opened(method: str | Method[Any] | Reranker, options: Mapping[str, Any]) -> Reranker:
    """The reranker of a method; one that is made here keeps no parses, unless told to.

    Raises ``InputError`` for options beside a reranker, and what ``Reranker`` raises.
    """
    if isinstance(method, Reranker):
        if options:
            raise InputError(f"the reranker is made already: leave out {', '.join(options)}")
        return method
    if isinstance(method, str):
        method, options = resolved(method, options)
        if "cache" in options_of(method):
            options = {"cache": False, **options}
    return Reranker(method, **options)


def settings_of(
    kind: str, reranker: Reranker, text_column: str, columns: Sequence[str] | None
) -> dict[str, Any]:
    """Return the settings that results of a kind depend on, the query excepted.

    A file that an option names stands for its content. The spaces are those of a batch that the
    method encodes: which vectors, parser's phrases and model are in use where no option says so.
    """
    method = reranker.method
    return {
        "kind": kind,
        "version": __version__,
        "method": method.info.name,
        "options": _options(method),
        "spaces": sorted(_spaces(method.encode([_ANY])._to_stored().details)),
        "text_column": text_column,
        "columns": None if columns is None else list(columns),
    }


def _options(method: Method[Any]) -> dict[str, Any]:
    """The options of a method that scores depend on; secrets are not written down."""
    given = method._options.items()
    return {name: _plain(one) for name, one in given if name != "cache" and "key" not in name}


def _plain(value: Any) -> Any:
    """An option as JSON types."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str | Path):
        return _with_content(str(value))
    if isinstance(value, Method):
        return {value.info.name: _options(value)}
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    name, version = (getattr(value, key, "") for key in ("name", "version"))
    kind = value if inspect.isroutine(value) else type(value)
    return f"{kind.__module__}.{kind.__qualname__} {name} {version}".rstrip()


def _with_content(text: str) -> Any:
    """A name; that of a file, alone or as in "stored:FILE", with what is in the file."""
    for place in dict.fromkeys((text, text.partition(":")[2])):
        if place and Path(place).is_file():
            return [text, file_sha256(Path(place))]
    return text


def _spaces(details: Any) -> set[str]:
    """All that batches, and batches within batches, call their space."""
    if not isinstance(details, Mapping):
        return set()
    own = {details["space"]} if isinstance(details.get("space"), str) else set()
    return own.union(*map(_spaces, details.values()))
