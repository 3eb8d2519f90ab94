"""Method that scores the documents of a corpus: the given one, else the one of its manifest.

>>> scoring = Scoring(Path("corpus"), "mean-cn", {"vectors": "builtin"})
>>> manifest = scoring.manifest("int8")
>>> manifest.method, manifest.options
('mean-cn', {'vectors': 'builtin'})
>>> scoring.reranker(manifest)
Reranker(...)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from compsim.corpus.first_look import check_normalization
from compsim.corpus.manifest import Manifest
from compsim.defaults import DEFAULT_METHOD
from compsim.errors import DataError, InputError
from compsim.method import Method
from compsim.registry import check_unmade, load, resolved
from compsim.retrieval.combination import best_of
from compsim.retrieval.reranker import Reranker
from compsim.trust import check, undecided

__all__ = ["Scoring"]


class Scoring:
    """The method and the settings of the reranker, which is made when it is first needed.

    ``method`` and ``options`` are what ``Corpus`` is given for the corpus in a folder, ``combine``
    and ``exclude`` go to the ``Reranker``. Raises ``InputError`` for options beside a method that
    is made already, and for an unknown ``combine``.
    """

    def __init__(
        self,
        path: Path,
        method: str | Method[Any] | None,
        options: Mapping[str, Any],
        *,
        combine: str | int = "max",
        exclude: float | None = 0.2,
    ) -> None:
        check_unmade(method, options)
        best_of(combine)  # raises for what is not known, before anything is made
        if isinstance(method, str):
            method, options = resolved(method, options)
        self._path, self._method, self._options = path, method, options
        self._asked: dict[str, Any] = {"combine": combine, "exclude": exclude}
        self._reranker: Reranker | None = None

    def manifest(self, precision: str) -> Manifest:
        """Return the manifest of a new corpus; loads the method, so that a broken one fails."""
        method, options = self._method, self._options
        if isinstance(method, Method):
            name, options = method.info.name, method._options
        else:
            name = method or DEFAULT_METHOD
            self._reranker = Reranker(load(name, **options), **self._asked)
            check_normalization(self._reranker.method)
        kept, absent = _storable(options)
        return Manifest(name, kept, absent, precision)

    def check_made(self, manifest: Manifest, precision: str | None) -> None:
        """Raise ``DataError`` where the corpus has another method or precision than asked for."""
        method = self._method
        name = method.info.name if isinstance(method, Method) else method
        if name is not None and name != manifest.method:
            raise DataError(
                f"{self._path} was made with the method {manifest.method!r}, not {name!r}: open it "
                "without a method, or make another corpus"
            )
        if precision is not None and precision != manifest.precision:
            raise DataError(
                f"{self._path} was made with precision={manifest.precision!r}: open it without, "
                "or make another corpus"
            )

    @staticmethod
    def required_options(manifest: Manifest) -> list[str]:
        """Return the options that the caller must give again: see ``compsim.trust``."""
        return [*manifest.absent, *undecided(manifest.method, manifest.options)]

    def reranker(self, manifest: Manifest) -> Reranker:
        """Return the reranker that scores documents for a query.

        Raises ``InputError`` where options that the manifest cannot hold, or may not decide, are
        not given again.
        """
        if self._reranker is None:
            method = self._method
            if not isinstance(method, Method):
                absent = [name for name in manifest.absent if name not in self._options]
                if absent:
                    raise InputError(
                        f"{self._path} was made with {', '.join(absent)}, which no file can hold: "
                        "give the same again to open it"
                    )
                given = {"method"} if method is not None else set()
                check(
                    str(self._path),
                    manifest.method,
                    manifest.options,
                    given | self._options.keys(),
                    "give the same to Corpus.open, or with --method and --option",
                )
                method = load(manifest.method, **{**manifest.options, **self._options})
            check_normalization(method)
            self._reranker = Reranker(method, **self._asked)
        return self._reranker


def _storable(options: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The options that a manifest can hold, and the names of the others."""
    kept: dict[str, Any] = {}
    absent = []
    for name, value in options.items():
        if "key" in name:  # a secret
            continue
        if name == "cache" and value is not False:  # where parses are kept is the caller's affair
            continue
        value = str(value) if isinstance(value, Path) else value
        try:
            same = json.loads(json.dumps(value)) == value
        except (TypeError, ValueError):
            same = False
        if same:
            kept[name] = value
        else:
            absent.append(name)
    return kept, absent
