"""Structural similarity of a text's sentences: the tree kernel of the SR paper (Table 5).

The figure is the mean, over all pairs of a sample of sentences, of the normalised kernel of Collins
and Duffy (``stats.tree_kernel``); the lower, the more diverse. The paper takes trees of
StanfordCoreNLP and says neither decay nor whether words count: with a file of such trees and those
options its setting can be tried; of plain sentences the shipped parser makes trees, whose figures
compare with each other only.

>>> from compsim.benchmarks.task import run
>>> print(run(diversity(["nli.txt", "questions.txt"])).to_markdown())  # doctest: +SKIP
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from compsim.benchmarks.datasets.trees.phrase_structure import read_phrase_trees
from compsim.benchmarks.results import Figure, Results, Row
from compsim.benchmarks.task import Advance, Spec, Task, sha256
from compsim.benchmarks.workspace import Workspace
from compsim.errors import DataError, InputError

__all__ = ["Diversity", "diversity"]

#: Table 5 of the SR paper.
PUBLISHED: Final = {"WebQA": 0.064, "NLI": 0.072}


def diversity(
    files: Annotated[list[Path], "sentences, one a line, or trees in brackets"],
    /,
    sample: Annotated[int, "so many sentences of each file, at random"] = 1000,
    decay: Annotated[float, "decay factor of the tree kernel per production, in (0, 1]"] = 0.4,
    words: Annotated[bool, "include the words as leaves of the trees"] = False,
    seed: Annotated[int, "of the sample"] = 1,
) -> Task:
    """Compare the syntactic diversity of texts (tree kernel, mean over pairs)."""
    return Diversity(files, sample, decay, words, seed)


class Diversity(Task):
    """Files, each with the mean similarity of the trees of its sentences."""

    name = "diversity"
    title = "How alike sentences are built"
    columns = dict.fromkeys(("similarity", "sentences", "nodes", "productions"), 0)
    form = ""

    def __init__(
        self,
        files: Sequence[str | Path],
        sample: int = 1000,
        decay: float = 0.4,
        words: bool = False,
        seed: int = 1,
    ) -> None:
        for file in files:
            if not Path(file).is_file():
                raise DataError(f"{file} is not there: give a file of sentences or of trees")
        if sample < 2 or not 0 < decay <= 1:
            raise InputError("give a sample of 2 or more, and a decay above 0 and at most 1")
        self.sample, self.decay, self.words, self.seed = sample, decay, words, seed
        self.specs = [Spec(Path(file).name, {"file": Path(file)}) for file in files]
        self.content = [sample, decay, words, seed]
        self.data = "trees", ", ".join(map(str, files)), sha256(files)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """The mean over pairs of the sample, and how large the trees are."""
        from compsim.benchmarks.stats.tree_kernel import kernel, mean_similarity

        trees = read_phrase_trees(spec.options["file"])
        count = len(trees)
        if count > self.sample:
            trees = random.Random(self.seed).sample(trees, self.sample)
        if len(trees) < 2:
            raise DataError(f"{spec.options['file']} has one sentence: give two or more")
        value, low, high = mean_similarity(kernel(trees, self.decay, self.words))
        productions = [text for tree in trees for text in tree.productions(self.words)]
        figures = {
            "similarity": Figure(value, len(trees), low, high),
            "sentences": Figure(len(trees)),
            "nodes": Figure(len(productions) / len(trees), len(trees)),
            "productions": Figure(len(set(productions))),
        }
        advance(spec.method, self.steps)
        return [Row({"file": spec.method}, figures, details={"sentences there": count})]

    def results(self, rows: Sequence[Row], **more: object) -> Results:
        """The rows, and below them the published ones."""
        printed = [
            Row({"file": f"{name}, published"}, {"similarity": Figure(value)})
            for name, value in PUBLISHED.items()
        ]
        remark = (
            "the lower the similarity, the more diverse; the published figures are of other trees "
            "(StanfordCoreNLP) and settings that are not told"
        )
        return super().results(rows, literature=printed, remarks=[remark])
