"""Fine-tuning on ratings: small networks on features of pairs, or a sentence transformer.

>>> from compsim.benchmarks.task import run
>>> task = finetune("compositional-semantics-eval", methods="verbnet-cn")  # doctest: +SKIP
>>> print(run(task).to_markdown())  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from compsim.benchmarks.datasets import Dataset, open_sts3k
from compsim.benchmarks.specs import method_labels, own_options
from compsim.benchmarks.task import Advance, Figure, Results, Row, Spec, Task
from compsim.benchmarks.workspace import Workspace
from compsim.errors import InputError

__all__ = ["Networks", "Transformer", "finetune"]


def finetune(
    data: Path,
    methods: Annotated[
        str, "names, separated by commas; verbnet-cn or of sentence vectors"
    ] = "verbnet-cn,mean-cn,sbert",
    vectors: str | None = None,
    roles: str | None = None,
    seeds: Annotated[int, "trainings of each network"] = 5,
    folds: Annotated[
        int | None, "cross-validation with this many folds, in place of --seeds"
    ] = None,
    pca: Annotated[bool, "reduce the vectors of a pair to eight principal components (PCA)"] = True,
    as_published: Annotated[
        bool, "use scikit-learn's default batch size and number of epochs, as the paper does"
    ] = False,
    train: Annotated[
        Path | None, "instead, fine-tune a sentence transformer and save it in this folder"
    ] = None,
    base: Annotated[str | None, "with --train: its folder or hub name (default: MiniLM)"] = None,
    split: Annotated[str, "with --train: random, grouped or adversarial"] = "adversarial",
) -> Task:
    """Train small networks on features of the pairs, as in section 4.7 of the STS3k paper.

    A figure is Spearman's rho on pairs held out, over seeds or folds; in brackets its standard
    deviation. Published roles are read by verbnet-cn alone.
    """
    from compsim.benchmarks.training.finetune import COMPONENTS
    from compsim.registry import named

    opened = open_sts3k(data)
    if train is not None:
        return Transformer(opened, train, base, split)
    given = {label: named(label) for label in method_labels(methods)}
    names = [name for name, _ in given.values()]
    specs = []
    for label, (name, first) in given.items():
        own = {**own_options(name, names, vectors=vectors), **_plain(name), **first}
        read = roles if name == "verbnet-cn" else None
        specs.append(Spec(name, own, read, label=label))
    if roles is not None and not any(spec.roles for spec in specs):
        raise InputError("roles are read by verbnet-cn alone: name it among the methods")
    return Networks(opened, specs, seeds, COMPONENTS if pca else None, folds, as_published)


def _plain(name: str) -> dict[str, str]:
    """Role cosines, the features of networks, are those of the paper's scheme."""
    return {"weights": "paper"} if name == "verbnet-cn" else {}


class Networks(Task):
    """Networks of increasing size on what methods know of pairs, a row a method and split."""

    name = "finetune"
    title = "Fine-tuned networks"

    def __init__(
        self,
        pairs: Dataset,
        specs: Sequence[Spec],
        seeds: int = 5,
        components: int | None = 8,
        folds: int | None = None,
        as_published: bool = False,
    ) -> None:
        from compsim.benchmarks.training.finetune import SIZES, fold_splits, splits

        self.pairs, self.specs, self.seeds = pairs, specs, folds or seeds
        self.components, self.folds, self.as_published = components, folds, as_published
        self.data = pairs.name, pairs.source, pairs.checksum
        self.content = [pairs.checksum, seeds, components, folds, as_published]
        self.columns = dict.fromkeys(("test", "untrained", *map(layers, SIZES)), 0)
        made = splits(pairs, 0) if folds is None else fold_splits(pairs, folds)[0]
        self.steps = self.seeds * len(made) * len(SIZES)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """The mean over seeds for each split and size of network."""
        from compsim.benchmarks.training.finetune import Features, fine_tuning_study
        from compsim.registry import load

        method = load(spec.method, **spec.options)
        cells = fine_tuning_study(
            self.pairs,
            [Features.of(method, self.pairs, spec.roles)],
            seeds=self.seeds,
            components=self.components,
            folds=self.folds,
            as_published=self.as_published,
            advance=advance,
        )
        rows = []
        for split in dict.fromkeys(cell.split for cell in cells):
            sizes = {layers(cell.hidden): cell for cell in cells if cell.split == split}
            one = next(iter(sizes.values()))
            figures = {"test": Figure(one.test), "untrained": Figure(one.untrained, one.test)}
            figures |= {n: Figure(c.mean, c.defined, sd=c.sd) for n, c in sizes.items()}
            lost = {size: self.seeds - cell.defined for size, cell in sizes.items()}
            slow = {size: cell.unconverged for size, cell in sizes.items()}
            notes = [
                f"{size}: {count} of {self.seeds} networks {what}"
                for counts, what in (
                    (lost, "give no correlation and are in no mean"),
                    (slow, "used up scikit-learn's iterations"),
                )
                for size, count in counts.items()
                if count
            ]
            of = {"method": spec.title, "split": split}
            result = {"cells": [asdict(cell) for cell in sizes.values()]}
            rows.append(Row(of, figures, notes=notes, details=result))
        return rows

    def report(self, results: Results) -> str:
        """The table, and for each split the curve of rho over sizes of networks."""
        from compsim.benchmarks.report import section
        from compsim.benchmarks.report.charts import dots

        sizes = [name for name in self.columns if name != "test"]
        measured = [row for row in results.rows if row.status == "ok"]
        curves = []
        for split in dict.fromkeys(row.of["split"] for row in measured):
            series = {
                row.of["method"]: [row.figures[size].value for size in sizes]
                for row in measured
                if row.of["split"] == split
            }
            title = f"{split} split: Spearman's rho by hidden units"
            curves.append(f"<h3>{title}</h3>{dots(sizes, series, title=title)}")
        return section(results, self.title, *curves)


class Transformer(Task):
    """A sentence transformer before and after it is fine-tuned, on pairs held out; it is saved."""

    name = "finetune"
    title = "A fine-tuned sentence transformer"

    def __init__(self, pairs: Dataset, folder: Path, base: str | None, split: str) -> None:
        from compsim.benchmarks.training.finetune import splits
        from compsim.benchmarks.training.finetune_transformer import BATCH, EPOCHS

        chosen = {item.name: item for item in splits(pairs, 0)}
        if split not in chosen:
            raise InputError(f"split={split!r} is not known: use {', '.join(chosen)}")
        self.pairs, self.folder, self.split = pairs, folder, chosen[split]
        self.data = pairs.name, pairs.source, pairs.checksum
        self.specs = [Spec(base or "MiniLM", {"base": base})]
        self.columns = dict.fromkeys(("before", "after"), len(self.split.test))
        self.steps = EPOCHS * -(-len(self.split.train) // BATCH)

    def measure(self, spec: Spec, workspace: Workspace, advance: Advance) -> list[Row]:
        """Train it and save it."""
        from compsim.benchmarks.training.finetune_transformer import fine_tune

        base, name = spec.options["base"], spec.method
        tuned = fine_tune(
            self.pairs, self.split, self.folder, base=base, advance=lambda n: advance(name, n)
        )
        figures = {
            when: Figure(result.spearman, result.n, note=result.note)
            for when, result in (("before", tuned.before), ("after", tuned.after))
        }
        of = {"model": tuned.base, "split": tuned.split}
        return [Row(of, figures, details={"training": tuned.to_dict()})]


def layers(hidden: Sequence[int]) -> str:
    """The hidden units of a network, layer by layer."""
    return "-".join(map(str, hidden)) or "linear"
