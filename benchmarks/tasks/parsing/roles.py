"""Evaluation of role labelling: a parser's words against roles fixed by hand.

For each sentence of each STS3k pair, the parser's main star and the hand-fixed roles are compared
as sets of (role, content word). Patient counts with Theme and Location with Trajectory, since
annotators and parsers draw those lines differently. Counts are summed over all sentences (micro);
the interval of F1 is over resamples of the sentences.

>>> from compsim.benchmarks.tasks.parsing.roles import role_words
>>> from compsim.graph import RoleGraph
>>> star = RoleGraph.star("Cats chase the mice.", {"Verb": "chase", "Patient": "the mice"})
>>> sorted(role_words(star))
[('Patient/Theme', 'mice'), ('Verb', 'chase')]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any, Final

from compsim.benchmarks.datasets import STS3k, open_sts3k
from compsim.benchmarks.task import Advance, Figure, Results, Row, Spec, Task
from compsim.benchmarks.tasks.parsing.role_classes import CLASSES, scores
from compsim.benchmarks.tasks.similarity.sts3k import published_file
from compsim.benchmarks.workspace import Workspace
from compsim.errors import DataError, InputError
from compsim.graph import RoleGraph, Status
from compsim.parsers import load
from compsim.parsers.base import Parser
from compsim.parsers.pipeline.tree import Tree

__all__ = ["Roles", "compare", "parse_file", "role_words", "roles"]

#: Names of columns at the top of the JSON, where they are others.
_JSON: Final = {"F1": "f1", "words": "support"}
#: Sentences without a parse that are named.
_NAMED: Final = 5


def roles(
    data: Path | None = None,
    parser: str | None = None,
    parses: Annotated[Path | None, "dependency trees (CoNLL) to read roles off, for srl"] = None,
    roles: str | None = None,
    gold: Annotated[
        Path | None, "gold roles (Parallel SemLink, Challenge-SRL) to compare with, instead of data"
    ] = None,
) -> Task:
    """Score a parser's roles against roles fixed by hand, word by word, or gold spans (F1)."""
    if sum(given is not None for given in (parser, parses, roles)) > 1:
        raise InputError("parser, parses and roles exclude each other: give one")
    if gold is not None:
        from compsim.benchmarks.tasks.parsing.gold_roles import GoldRoles

        if parses or roles:
            raise InputError("parses and roles are of other sentences than gold: give a parser")
        return GoldRoles(gold, parser or "srl")
    if data is None:
        raise InputError("there is nothing to compare with: give data, or gold")
    return Roles(open_sts3k(data), parser or "srl", parses, roles or published_file(parser))


class Roles(Task):
    """A parser, dependency trees, or published roles against the hand-fixed ones of STS3k."""

    name = "roles"
    title = "Roles found, word by word"
    columns = dict.fromkeys(("precision", "recall", "F1", "words"), 0)
    form = ".4f"

    def __init__(
        self,
        sts3k: STS3k,
        parser: str | Parser,
        parses: str | Path | None = None,
        roles: str | Path | None = None,
    ) -> None:
        self.sts3k, self.parses = sts3k, parses
        self.data = sts3k.name, sts3k.source, sts3k.checksum
        self.gold = [graph for pair in sts3k.roles("hand-fixed") for graph in pair]
        self.specs = [Spec(str(roles or parses or parser), {"parser": parser}, roles)]
        self.steps = len(sts3k.sentences())

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """Parse each distinct sentence once, or read its roles; a row for each class of roles."""
        from compsim.benchmarks.sides import parse_once

        texts = self.sts3k.sentences()
        if spec.roles is not None:
            results = [graph for pair in self.sts3k.roles(spec.roles) for graph in pair]
        else:
            parser = spec.options["parser"]
            if self.parses is not None:
                graphs = parse_file(texts, self.parses)
            else:
                opened = load(parser) if isinstance(parser, str) else parser
                graphs = parse_once(opened, texts, spec, workspace, advance)
            results = [graphs[text] for pair in self.sts3k.pairs for text in pair[:2]]
        failed = list(dict.fromkeys(g.text for g in results if g.status is Status.FAILED))
        result = {"parser": spec.method, "failed": failed}
        return [
            Row({"role": role}, figures, details=result)
            for role, figures in compare(self.gold, results).items()
        ]

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows of all classes, the last for all, and what has no parse."""
        table = dict(rows[-1].details)
        failed = table.get("failed", ())
        per_role = {
            row.of.get("role", "all"): {_JSON.get(n, n): f.value for n, f in row.figures.items()}
            for row in rows
        }
        table |= {"sentences": len(self.gold), **per_role.pop("all"), "per_role": per_role}
        remarks = [f"no parse: {text}" for text in failed[:_NAMED]]
        if len(failed) > _NAMED:
            remarks.append(f"no parse: and {len(failed) - _NAMED} more")
        summary = [f"{len(self.gold)} sentences, {len(failed)} distinct ones without a parse"]
        rows = [replace(row, details={}) for row in rows]
        return super().results(rows, summary=summary, remarks=remarks, details=table)


def role_words(graph: RoleGraph) -> set[tuple[str, str]]:
    """The (role class, content word) items of a graph's main star."""
    from compsim.vectors.words import content_words

    return {
        (CLASSES[role], word)
        for role, node in graph.roles().items()
        if role in CLASSES
        for word in content_words(node.label)
    }


def compare(gold: Sequence[RoleGraph], parsed: Sequence[RoleGraph]) -> dict[str, dict[str, Figure]]:
    """The figures of each class of roles, and of "all", for parses of the same sentences.

    A figure without a denominator is 0; "words" counts the hand-fixed items.
    """
    import numpy as np

    classes = {role: i for i, role in enumerate(dict.fromkeys(CLASSES.values()))}
    # Items of both, of the parse, of the hand-fixed roles, for each sentence and class.
    counts = np.zeros((3, len(gold), len(classes)))
    for i, (true, graph) in enumerate(zip(gold, parsed, strict=True)):
        expected, result = role_words(true), role_words(graph)
        for which, items in enumerate((expected & result, result, expected)):
            for role, _ in items:
                counts[which, i, classes[role]] += 1
    if not counts[2].any():
        raise DataError("the hand-fixed roles hold no words, so nothing can be compared with them")
    tables = {role: counts[:, :, i] for role, i in classes.items()} | {"all": counts.sum(axis=2)}
    return {
        role: {**scores(table), "words": Figure(float(table[2].sum()))}
        for role, table in tables.items()
    }


def parse_file(wanted: Sequence[str], path: str | Path) -> dict[str, RoleGraph]:
    """Read roles off the dependency trees of a CoNLL file rather than run the pipeline.

    The trees carry ClearNLP labels; a sentence without a tree gets a failed graph. Raises
    ``DataError`` for a file that is not CoNLL.
    """
    from compsim.parsers.roles.srl import SrlParser

    parser = SrlParser()
    file = Path(path)
    trees = _read_trees(file, set(wanted))
    table = dict(zip(trees, parser.parse_trees(list(trees.values())), strict=True))
    absent = f"the sentence is not in {file.name}"
    return {text: table.get(text) or RoleGraph.failed(text, absent, parser.name) for text in wanted}


def _read_trees(path: Path, wanted: set[str]) -> dict[str, Tree]:
    """The trees whose text is wanted, the first of each text."""
    from compsim.parsers.files.conll import read_conll

    trees: dict[str, Tree] = {}
    number = 0
    try:
        for number, tree in enumerate(read_conll(path), start=1):  # noqa: B007
            if tree.text in wanted and tree.text not in trees:
                if not _ends_at_roots(tree.heads):
                    raise ValueError("a head is no word of its sentence, or its own dependent")
                starts, ends = _places(tree.words, tree.spaces)
                trees[tree.text] = Tree(
                    tree.text,
                    starts,
                    ends,
                    list(tree.heads),
                    list(tree.deps),
                    list(tree.tags),
                    list(tree.pos),
                    # Older pipelines write -PRON- for pronouns.
                    [
                        (word if lemma == "-PRON-" else lemma).lower()
                        for word, lemma in zip(tree.words, tree.lemmas, strict=True)
                    ],
                )
    except (OSError, EOFError, ValueError, IndexError) as error:
        raise DataError(
            f"{path} cannot be read as CoNLL after {number} trees ({error}): give ten columns, "
            "tab-separated, and an empty line between sentences"
        ) from error
    return trees


def _ends_at_roots(heads: Sequence[int]) -> bool:
    """Return whether each word is a root, its own head, or some steps below one."""
    known = {i for i, head in enumerate(heads) if head == i}
    for i in range(len(heads)):
        path: list[int] = []
        while 0 <= i < len(heads) and i not in known and i not in path:
            path.append(i)
            i = heads[i]
        if i not in known:
            return False
        known.update(path)
    return True


def _places(words: Sequence[str], spaces: Sequence[bool]) -> tuple[list[int], list[int]]:
    """Where words start and end in their text; ``spaces`` says which a space follows."""
    ends = list(accumulate(len(word) + space for word, space in zip(words, spaces, strict=True)))
    starts = [0, *ends[:-1]]
    return starts, [start + len(word) for start, word in zip(starts, words, strict=True)]
