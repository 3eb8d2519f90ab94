"""Things that are made by name: those built in, and those that other packages add.

>>> shapes = Catalogue("shape", {"fraction": "fractions:Fraction"})
>>> shapes.make("fraction", {"numerator": 3})
Fraction(3, 1)
>>> shapes.make("fracton", {})
Traceback (most recent call last):
...
compsim.errors.UnknownNameError: there is no shape 'fracton': did you mean 'fraction'?

Another package adds a shape by an entry point of the group ``compsim.shapes``.
"""

from __future__ import annotations

import difflib
import inspect
import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from compsim.errors import CompsimError, DataError, InputError, MissingExtraError, UnknownNameError
from compsim.missing import incomplete, install_command

__all__ = [
    "Catalogue",
    "near_names",
    "option_text",
    "option_value",
    "suggestion",
    "written_options",
]

#: An option and its value; no name has such a beginning.
_OPTION: Final = re.compile(r"\s*([A-Za-z_][\w-]*)=(.*)", re.DOTALL)


@dataclass(frozen=True)
class Catalogue:
    """Makers by name: ``kind`` says of what, ``built_in`` where, as ``"module:attribute"``.

    A module is imported only when something of it is asked for.
    """

    kind: str
    built_in: Mapping[str, str]

    @property
    def group(self) -> str:
        """The entry-point group for the makers of other packages."""
        return f"compsim.{self.kind}s"

    def find(self, name: str) -> Any:
        """The maker of this name.

        Raises ``UnknownNameError`` for a name that is not known, ``MissingExtraError`` where it
        needs a package that is not installed, ``DataError`` where another package is broken.
        """
        if name in self.built_in:
            module, _, attribute = self.built_in[name].partition(":")
            return getattr(import_module(module), attribute)
        others = {point.name: point for point in _entry_points(self.group)}
        if name not in others:
            known = suggestion(str(name), [*self.built_in, *others])
            raise UnknownNameError(f"there is no {self.kind} {name!r}: {known}")
        try:
            return others[name].load()
        except ImportError as error:
            raise self._missing(name, (), error) from error
        except Exception as error:  # whatever another package does on import
            raise DataError(self._broken(name, others[name].value, error)) from error

    def makers(self) -> Iterator[Any]:
        """All makers, built-in ones first; one that cannot be imported is warned of."""
        for name in self.built_in:
            yield self.find(name)
        for point in _entry_points(self.group):
            if point.name in self.built_in:
                continue
            try:
                yield point.load()
            except Exception as error:  # whatever another package does on import
                warnings.warn(self._broken(point.name, point.value, error), stacklevel=4)

    def make(self, name: str, options: Mapping[str, Any], first: str | None = None) -> Any:
        """Make the thing of this name; ``first`` is the value of its first option, if not None.

        Raises what ``find`` raises, and ``InputError`` for options that the maker does not take.
        """
        maker = self.find(name)
        parameters = inspect.signature(maker).parameters
        if first is not None:
            options = {next(iter(parameters), ""): first, **options}
        if not any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
            for option in options:
                if option not in parameters:
                    known = suggestion(option, parameters)
                    raise InputError(f"{self.kind} {name!r} has no option {option!r}: {known}")
        absent = [
            option
            for option, one in parameters.items()
            if option not in options
            and one.default is one.empty
            and one.kind is one.POSITIONAL_OR_KEYWORD
        ]
        if absent:
            raise InputError(
                f"{self.kind} {name!r} needs {' and '.join(absent)}: give "
                f"{name}:{','.join(f'{option}=...' for option in absent)}; its options are "
                f"{', '.join(parameters)}"
            )
        try:
            return maker(**options)
        except CompsimError:
            raise
        except ImportError as error:
            needs = getattr(getattr(maker, "info", None), "needs", ())
            raise self._missing(name, needs, error) from error

    def _broken(self, name: str, place: str, error: Exception) -> str:
        return (
            f"{self.kind} {name!r} of {place} cannot be used ({error}): mend or uninstall that "
            "package"
        )

    def _missing(self, name: str, needs: tuple[str, ...], error: ImportError) -> MissingExtraError:
        package = (error.name or "the package").split(".")[0]
        command = install_command(*needs) if needs else f"pip install {package}"
        return incomplete(f"{self.kind} {name!r}", error) or MissingExtraError(
            f"{self.kind} {name!r} needs a package that is not installed ({error}): run {command}",
            name=error.name,
        )


def option_value(text: str) -> Any:
    """Return the value of an option that is written as text: JSON where it is any, else the text.

    >>> option_value("3"), option_value("true"), option_value("out")
    (3, True, 'out')
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def option_text(text: str) -> tuple[str, Any] | None:
    """Return the name and the value of a text like "k=3", None for another text.

    >>> option_text("top-concept=false"), option_text("builtin")
    (('top_concept', False), None)
    """
    match = _OPTION.fullmatch(text)
    return match and (match[1].replace("-", "_"), option_value(match[2]))


def written_options(text: str, known: Sequence[str]) -> dict[str, Any]:
    """Return the options of a text: ``VALUE`` of the first option, and ``OPTION=VALUE``.

    ``known`` are the names of the options, the first one first. Commas stand between the options.

    >>> written_options("a.txt,k=3", ["file", "k"]), written_options("k=3", ["file", "k"])
    ({'file': 'a.txt', 'k': 3}, {'k': 3})
    """
    first, *more = re.split(r",(?=\s*[A-Za-z_][\w-]*=)", text)
    options: dict[str, Any] = {}
    option = option_text(first)
    # What is nearly the name of an option is a slip, which whoever makes the thing tells of.
    if option is not None and (option[0] in known or near_names(option[0], known)):
        more = [first, *more]
    elif known:
        options[known[0]] = first
    options.update(filter(None, map(option_text, more)))
    return options


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return what was perhaps meant, else all that there is.

    >>> suggestion("vector", ["vectors", "parser"]), suggestion("hue", ["vectors", "parser"])
    ("did you mean 'vectors'?", 'there are parser, vectors')
    """
    names = sorted(known)
    if near := near_names(name, names):
        return f"did you mean {' or '.join(map(repr, near))}?"
    return f"there are {', '.join(names)}" if names else "it has none"


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that are most like a name, three at most."""
    return difflib.get_close_matches(name, list(known), n=3)


def _entry_points(group: str) -> Iterable[Any]:
    """Return the entry points of a group; the module that reads them takes long to be imported."""
    from importlib.metadata import entry_points

    return entry_points(group=group)
