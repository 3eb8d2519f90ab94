"""The grammar as one thing: rules, lexicon, and the functions that they compile to.

>>> grammar = Grammar.open()
>>> grammar is Grammar.open(), len(grammar.rules) == len(grammar.traced_functions)
(True, True)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Final

from compsim.errors import DataError
from compsim.parsers.grammar.compilation import compile_rules
from compsim.parsers.grammar.dispatch import Dispatch
from compsim.parsers.grammar.draft import Draft
from compsim.parsers.grammar.lexicon import Lexicon, lexicon_folder
from compsim.parsers.grammar.rules import (
    Rule,
    check_names,
    read_order,
    read_rule_file,
    read_rules,
    rules_folder,
)
from compsim.parsers.grammar.trace import TracedDraft

__all__ = ["Grammar", "hash_files", "shipped_files"]

_DIGEST: Final = 8


class Grammar:
    """Rules in the order in which they run, the lexicon that they name, and a version.

    Attributes:
        rules: The rules.
        lexicon: The words by class.
        helpers: Roles of edges that the graph does not keep.
        version: A hash of the files of rules and words: what graphs depend on beside the tree.
    """

    def __init__(self, rules: Sequence[Rule], source: Path | None, version: str) -> None:
        check_names(rules)
        self.rules = tuple(rules)
        self.lexicon = Lexicon.open()
        self.helpers = read_order().helpers
        self.version = version
        compiled = compile_rules(rules, self.lexicon)
        self._dispatch = Dispatch(
            [rule.build for rule in compiled], [rule.demands for rule in compiled]
        )
        self._source = source

    def __reduce__(self) -> tuple[Callable[..., Grammar], tuple[Path | None]]:
        return Grammar.open, (self._source,)

    @classmethod
    def open(cls, rules: str | Path | None = None) -> Grammar:
        """Return the shipped grammar, read once in a process, or one with more rules.

        Args:
            rules: A file of rules. They stand in the place of a shipped group if the file has its
                name (``canonical.toml``), else they run behind the shipped rules.

        Returns:
            The grammar.

        Raises:
            DataError: A file or a rule cannot be read, names a class that the lexicon lacks, or has
                the name of another rule.
        """
        return _shipped() if rules is None else _extended(Path(rules))

    def apply(self, draft: Draft) -> None:
        """Apply the rules to a draft, in their order."""
        self._dispatch.apply(draft)

    @cached_property
    def traced_functions(self) -> list[Callable[[TracedDraft], None]]:
        """The compiled rules, which tell a draft of each match."""
        return [rule.build() for rule in compile_rules(self.rules, self.lexicon, trace=True)]


@cache
def _shipped() -> Grammar:
    return Grammar(read_rules(), None, hash_files(shipped_files()))


def _extended(path: Path) -> Grammar:
    shipped, more = _shipped(), read_rule_file(path)
    if path.stem in read_order().groups:
        at = [i for i, rule in enumerate(shipped.rules) if rule.group == path.stem]
        rules = [*shipped.rules[: at[0]], *more, *shipped.rules[at[-1] + 1 :]]
    else:
        rules = [*shipped.rules, *more]
    grammar = Grammar(rules, path, hash_files([*shipped_files(), path]))
    for rule in compile_rules(more, grammar.lexicon):
        rule.build()  # what Python does not compile is told now, not at the first match
    return grammar


def shipped_files() -> list[Path]:
    """Return the files that the shipped grammar is read from: rules, their order, and words."""
    return [*sorted(rules_folder().glob("*.toml")), *sorted(lexicon_folder().glob("*.tsv"))]


def hash_files(files: Sequence[Path]) -> str:
    """Return a hash of the names and contents of some files.

    Raises:
        DataError: One of them cannot be read.
    """
    digest = blake2b(digest_size=_DIGEST)
    for file in files:
        try:
            content = file.read_bytes()
        except OSError as error:
            raise DataError(f"{file} cannot be read ({error.strerror}): restore it") from error
        digest.update(f"{file.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()
