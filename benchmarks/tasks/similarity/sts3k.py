"""STS3k: do scores follow who did what to whom, as people's ratings do?

>>> from compsim.benchmarks.task import run
>>> task = sts3k("compositional-semantics-eval", roles="hand-fixed")  # doctest: +SKIP
>>> print(run(task).to_markdown())  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from compsim.benchmarks.datasets import STS3k, open_sts3k
from compsim.benchmarks.datasets.sts.scores import read_scores
from compsim.benchmarks.results import Results
from compsim.benchmarks.task import Spec, Task
from compsim.benchmarks.tasks.similarity.sts import Sts, specs_of
from compsim.errors import InputError

__all__ = ["Sts3k", "published_file", "sts3k"]


def sts3k(
    data: Path,
    methods: str = "verbnet-cn",
    parser: str | None = None,
    roles: str | None = None,
    vectors: str | None = None,
    normalize: str | None = None,
    option: Mapping[str, Any] | None = None,
    scores: Annotated[
        list[Path] | None, "a file of similarities, one a line; may be repeated"
    ] = None,
) -> Task:
    """Correlate scores with the human ratings of STS3k (Spearman), in all and by part.

    In brackets the 95 % interval; a star marks what is not significantly worse than the best.
    """
    if parser is not None and roles is not None:
        raise InputError("parser and roles exclude each other: give one")
    if (file := published_file(parser)) is not None:
        parser, roles = None, file
    specs = specs_of(methods, normalize, roles, parser=parser, vectors=vectors, **option or {})
    specs += [Spec(label, scores=result) for label, result in read_scores(scores or ())]
    return Sts3k(open_sts3k(data), specs)


class Sts3k(Sts):
    """Scores against the ratings of STS3k, whose raters are known one by one."""

    name = "sts3k"
    paper = "Fodor, De Deyne, Suzuki 2024 (STS3k)"
    pairs: STS3k

    def report(self, results: Results) -> str:
        """The plots of the paper, with what the raters' agreement leaves to be reached."""
        from compsim.benchmarks.report import pairs_section
        from compsim.benchmarks.stats.agreement import of_sts3k

        return pairs_section(self.pairs, results, self.title, of_sts3k(self.pairs))


def published_file(parser: str | None) -> str | None:
    """The file of ``stored:FILE`` where it holds roles by row number, not by sentence."""
    name, _, path = (parser or "").partition(":")
    return path if name == "stored" and path and not path.endswith(".jsonl") else None
