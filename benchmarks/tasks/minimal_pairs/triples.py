"""Triples that others wrote: a text, one that says the same, and one that says something else.

SugarCrepe++ (Dumpala et al. 2024, arXiv:2406.11171), in its authors' task for text alone: two
captions of an image must be nearer to each other than either is to the foil; a figure for each
file, and the mean of the files. Sentence Smith (Li et al. 2025, arXiv:2502.14734): the paraphrase
must be nearer to the sentence than the foil is; a figure for each kind of change, the mean of the
kinds, and that mean of the triples whose paraphrase two readers accept (:mod:`.judgements`).
Files of contrast triples are evaluated as ``contrasts`` does, and SemAntoNeg as
``choices`` does.

>>> from compsim.benchmarks.task import run
>>> tasks = triples([Path("swap_obj.json"), Path("paws.csv")], methods="sbert")  # doctest: +SKIP
>>> run(tasks[0]).rows[0].figures["swap_obj"].value  # doctest: +SKIP
0.167
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from compsim.benchmarks.datasets.judgements import judgement
from compsim.benchmarks.datasets.triples import (
    FILES,
    order_files,
    read_triples,
    triple_format,
)
from compsim.benchmarks.task import Figure, Results, Row, Spec, Task, sha256
from compsim.benchmarks.tasks.minimal_pairs.choices import Choices
from compsim.benchmarks.tasks.minimal_pairs.contrasts import Contrasts
from compsim.benchmarks.tasks.minimal_pairs.margins import (
    Margins,
    figures,
    kind_figures,
    kind_sizes,
)
from compsim.benchmarks.tasks.similarity.sts import specs_of

__all__ = ["Triples", "triples"]

#: The name of each format, and the paper that it comes from.
_SOURCES: Final = {
    "sugarcrepe-pp": ("SugarCrepe++", "Dumpala et al. 2024 (SugarCrepe++)"),
    "sentence-smith": ("Sentence Smith", "Li et al. 2025 (Sentence Smith)"),
    "events-adapt": ("EventsAdapt", "Kauf et al. 2023 (EventsAdapt)"),
}
#: The column of the mean of triples whose paraphrase two readers accept.
_ACCEPTED: Final = "accepted"


def triples(
    files: Annotated[
        list[Path],
        "SugarCrepe++ or SemAntoNeg (JSON), Sentence Smith or EventsAdapt (CSV), contrast triples "
        "(TSV)",
    ],
    /,
    methods: str = "verbnet-cn",
    parser: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    option: Mapping[str, Any] | None = None,
) -> list[Task]:
    """Count triples in which the paraphrase scores higher than the foil, by file or by kind."""
    specs = specs_of(methods, normalize, parser=parser, vectors=vectors, **option or {})
    formats = {file: triple_format(file) for file in files}
    captions = [file for file, form in formats.items() if form == "sugarcrepe-pp"]
    tasks: list[Task] = [Triples(captions, specs)] if captions else []
    for file, form in formats.items():
        if form == "contrasts":
            tasks.append(Contrasts(file, specs))
        elif form == "semantoneg":
            tasks.append(Choices(file, specs))
        elif form != "sugarcrepe-pp":
            tasks.append(Triples([file], specs))
    return tasks


class Triples(Margins):
    """The triples of files of one format: the share won of each kind, and the mean of these.

    Args:
        files: Those of SugarCrepe++ together, or one of Sentence Smith or EventsAdapt.
        specs: The methods.
    """

    name = "triples"
    title = "Texts that say the same against texts that say something else"
    figure = "share won, mean of kinds"
    #: Scores are taken as they are, as the authors do: only rounding makes a tie.
    tie = 1e-9

    def __init__(self, files: Sequence[Path], specs: Sequence[Spec]) -> None:
        form = triple_format(files[0])
        files = order_files(files)
        super().__init__([read_triples(file) for file in files], specs)
        name, self.paper = _SOURCES[form]
        self.both = form == "sugarcrepe-pp"
        self.sizes = kind_sizes(self.triples)
        self.columns = {**self.sizes, "macro": len(self.triples)}
        self.accepted = [
            i for i, each in enumerate(self.triples) if judgement(each.text, each.same) == "same"
        ]
        if self.accepted:
            self.columns[_ACCEPTED] = len(self.accepted)
        checksum = sha256(files)
        self.content = [form, list(self.sizes), checksum]
        self.data = name, ", ".join(map(str, files)), checksum

    def figures(self, margins: Sequence[float]) -> dict[str, Figure]:
        """Return the share won of each kind, and their mean: of all, and of those accepted."""
        macro = figures(self.triples, margins, self.tie)["macro"]
        result = {**kind_figures(self.triples, margins, self.tie), "macro": macro}
        if self.accepted:
            some = [self.triples[i] for i in self.accepted], [margins[i] for i in self.accepted]
            result[_ACCEPTED] = figures(*some, self.tie)["macro"]
        return result

    def results(self, rows: Sequence[Row], **more: Any) -> Results:
        """The rows, and how many of the files of SugarCrepe++ their mean is of."""
        known = [kind for kind in self.sizes if kind in FILES]
        remarks = []
        if self.both and len(known) == len(self.sizes) < len(FILES):
            remarks = [f"macro is the mean of {len(known)} of the {len(FILES)} files"]
        if self.accepted:
            remarks.append(
                f"{_ACCEPTED}: macro of the triples whose paraphrase states the same facts, as two "
                "readers judged"
            )
        return super().results(rows, remarks=remarks, **more)
