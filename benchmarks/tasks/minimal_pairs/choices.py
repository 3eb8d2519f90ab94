"""SemAntoNeg: the sentence that says the same must be nearer than each of those that do not.

The figure is its authors' accuracy: the share of sentences whose paraphrase scores above all others
to choose from. Where two scores are equal they take the first sentence; here nothing is chosen.

>>> from compsim.benchmarks.task import run
>>> task = Choices(Path("SemAntoNeg.json"), specs)  # doctest: +SKIP
>>> run(task).rows[0].figures["accuracy"].value  # doctest: +SKIP
0.26
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from compsim.benchmarks.datasets.choices import read_choices
from compsim.benchmarks.datasets.triples import triples_of_choices
from compsim.benchmarks.task import Figure, Row, Spec, sha256
from compsim.benchmarks.tasks.minimal_pairs.margins import Margins, figures

if TYPE_CHECKING:
    from compsim.benchmarks.stats.paired import Sample

__all__ = ["Choices"]


class Choices(Margins):
    """The sentences of a file of SemAntoNeg, and how often the right one of three is chosen."""

    name = "triples"
    title = "A sentence that says the same among some with a negation or an antonym"
    paper = "Vahtola, Creutz, Tiedemann 2022 (SemAntoNeg)"
    headline = "accuracy"
    figure = "accuracy"
    unit = "sentences"
    #: Only rounding makes a tie.
    tie = 1e-9

    def __init__(self, file: Path, specs: Sequence[Spec]) -> None:
        choices = read_choices(file)
        super().__init__([triples_of_choices(choices)], specs)
        ends = [0]
        for choice in choices:
            ends.append(ends[-1] + len(choice.others))
        #: Which triples are those of a sentence.
        self.parts = [slice(start, end) for start, end in pairwise(ends)]
        self.columns = {"accuracy": len(choices), "won": len(self.triples)}
        checksum = sha256([file])
        self.content = ["semantoneg", checksum]
        self.data = "SemAntoNeg", str(file), checksum

    def figures(self, margins: Sequence[float]) -> dict[str, Figure]:
        """Return the share of sentences that win all their triples, and that of triples won."""
        least = [min(margins[part]) if _known(margins[part]) else -1.0 for part in self.parts]
        first = [self.triples[part.start] for part in self.parts]
        return {
            "accuracy": figures(first, least, self.tie)["macro"],
            "won": figures(self.triples, margins, self.tie)["won"],
        }

    def items_of(self, row: Row) -> Sample | None:
        """Return the sentences that win all their triples, as a sample."""
        import numpy as np

        from compsim.benchmarks.stats.paired import Sample

        margins = row.details["margins"]
        won = [
            all(margin is not None and margin > self.tie for margin in margins[part])
            for part in self.parts
        ]
        return Sample(np.array(won, dtype=np.float64))


def _known(margins: Sequence[float]) -> bool:
    """Return whether all have a score; NaN is not equal to itself."""
    return all(margin == margin for margin in margins)
