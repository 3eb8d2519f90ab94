"""From what a method is given, a name or an object, to the parser that it asks.

>>> open_parser("srl", cache=False).name
'srl'
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from compsim.errors import InputError
from compsim.parsers import load
from compsim.storage.reading import expanded

if TYPE_CHECKING:
    from compsim.parsers.base import Parser
    from compsim.parsers.cache import ParseCache

    #: Where parses are kept: see ``open_parser``.
    CacheOption: TypeAlias = bool | str | Path | ParseCache | None

__all__ = ["open_parser"]


def open_parser(parser: str | Parser, cache: CacheOption = None) -> Parser:
    """The parser of this name, or the one given, behind a cache of parses if there is to be one.

    ``cache``: True keeps parses on disk, in the user-data folder; a folder keeps them there; a
    ``ParseCache`` is used as it is; False keeps none. None keeps those of a parser given by name in
    memory, except of stored ones, which are there already; nothing is written. Raises
    ``InputError`` for what is neither a name nor a parser.
    """
    opened = load(parser) if isinstance(parser, str) else parser
    if not callable(getattr(opened, "parse", None)):
        raise InputError(
            f"parser is a {type(parser).__name__}: give a name, such as srl:en_core_web_sm for a "
            "pipeline of spaCy, or an object with parse(sentences)"
        )
    named = isinstance(parser, str) and "stored" not in parser.partition(":")[0]
    if cache is False or (cache is None and not named):
        return opened
    from compsim.parsers.cache import FILE, CachedParser, ParseCache, default_path

    if cache is None:
        cache = ParseCache(None)
    elif cache is True:
        cache = ParseCache(default_path())
    elif isinstance(cache, str | Path):
        cache = ParseCache(expanded(cache) / FILE)
    if not isinstance(cache, ParseCache):
        raise InputError(
            f"cache is a {type(cache).__name__}: give True, False, a folder or a ParseCache"
        )
    return CachedParser(opened, cache)
