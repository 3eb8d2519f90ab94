"""From what a method is given, a name or an object, to the parser that it asks.

>>> open_parser("srl", cache=False).name
'srl'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compsim.errors import InputError
from compsim.parsers import load

if TYPE_CHECKING:
    from compsim.parsers.base import Parser
    from compsim.parsers.cache import ParseCache

__all__ = ["open_parser"]


def open_parser(parser: str | Parser, cache: bool | ParseCache | None = None) -> Parser:
    """The parser of this name, or the one given, behind a cache of parses if there is to be one.

    ``cache``: True, False, a ``ParseCache``, or None: the parses of a parser given by name are kept
    on disk, except of stored ones, which are read from disk as they are. Raises ``InputError`` for
    what is neither a name nor a parser.
    """
    if cache is None:
        cache = isinstance(parser, str) and "stored" not in parser.partition(":")[0]
    opened = load(parser) if isinstance(parser, str) else parser
    if not callable(getattr(opened, "parse", None)):
        raise InputError(
            f"parser is a {type(parser).__name__}: give a name or an object with parse(sentences)"
        )
    if cache is False:
        return opened
    from compsim.parsers.cache import CachedParser, ParseCache, default_path

    if cache is True:
        return CachedParser(opened, ParseCache(default_path()))
    if not isinstance(cache, ParseCache):
        raise InputError(f"cache is a {type(cache).__name__}: give True, False or a ParseCache")
    return CachedParser(opened, cache)
