"""Reading many AMRs in PENMAN notation, quickly and without stopping at a bad one.

An entry is a graph with the comments before it; entries stand apart by blank lines. What is well
formed is read as ``RoleGraph.from_penman`` reads it. What is not becomes a failed graph whose
reason gives line and column, and reading goes on with the next entry: at a blank line or comment,
or at a line that starts with a bracket.

>>> from compsim.graph.penman_reader import read_amr
>>> text = '''# ::snt Dogs bark.
... (b / bark-01 :ARG0 (d / dog))
...
... # ::snt Cats sleep.
... (s / sleep-01 :ARG0 (c / cat)
...
... # ::snt Birds sing.
... NULL'''
>>> for graph in read_amr(text):
...     print(graph.text, graph.reason or "is read")
Dogs bark. is read
Cats sleep. line 5, column 30: the graph ends with 1 bracket open
Birds sing. line 8, column 1: the graph is NULL

A variable that is introduced twice is one node with the later concept; one without a concept has an
empty label; alignments are skipped. What is read and what is not is as the ``penman`` package has
it, but that

- text which belongs to no graph is an error, where ``penman`` stops reading without a word;
- a bracket that starts a line after a blank one starts an entry, whatever is still open;
- nesting may be of any depth, and a comment or a byte order mark stand behind or before any graph;
- lines end at line feeds and returns only, in a text as in a file;
- a graph that a ``RoleGraph`` cannot hold is an error: one with an empty node inside, a node as the
  target of ``:instance``, a role inverted twice, or a name with control characters or blanks beyond
  ASCII.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from compsim.errors import DataError
from compsim.graph.penman_entries import Entry, entries, lines_of
from compsim.graph.role_graph import RoleGraph

__all__ = ["Entry", "read_amr", "read_entries"]


def read_amr(source: str | Path | Iterable[str]) -> Iterator[RoleGraph]:
    r"""Read the graphs of a text, a file or lines, in order; failed ones too.

    Args:
        source: The text itself, a ``Path`` of a file, or lines.

    Yields:
        The graphs.

    Raises:
        DataError: The file cannot be read.

    Examples:
        >>> [graph.roles()["Verb"].label for graph in read_amr("(d / dog)\n\n(c / cat)")]
        ['dog', 'cat']
    """
    for entry in read_entries(source):
        yield entry.graph


def read_entries(source: str | Path | Iterable[str]) -> Iterator[Entry[RoleGraph]]:
    """Yield the entries as :func:`read_amr` does, with their comments.

    Comments with an ``::id`` or ``::snt`` but no graph after them are an entry that failed.
    """
    if isinstance(source, Path):
        try:
            with source.open(encoding="utf-8-sig", errors="replace") as lines:
                yield from entries(lines, RoleGraph)
        except OSError as error:
            raise DataError(
                f"{source} cannot be read ({error}): give the path of a file"
            ) from error
    else:
        yield from entries(lines_of(source) if isinstance(source, str) else source, RoleGraph)
