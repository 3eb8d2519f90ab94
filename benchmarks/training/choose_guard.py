"""Search for the constants of ``weights/guard.toml``.

::

    python -m compsim.benchmarks.training.choose_guard --data FOLDER --output weights/guard.toml

``FOLDER`` is that of ``choose_concepts``. The pairs come from SICK train (the same: entailed and
rated at least 4.6; different: contradictions, and neutral ones), STSb train (at least 4.6; at most
3.4), SugarCrepe++ and Sentence Smith (developers' parts: sentence and paraphrase; sentence and
foil, paraphrase and foil), the example pairs of the grammar's rules, GS2011, sentences of SICK and
STSb with two roles exchanged or a path turned round (:mod:`.swaps`), and pairs and triples beside
this file, which people who knew nothing of compsim's grammar and of no evaluation set wrote: what
says the same is freely reworded there, and what does not keeps most words. The guard set, the
contrasts and STS3k are not opened.

Pairs of each set fall into two halves that share no text. The first half is fitted, the same and
the different pairs of a set counting as much as each other, and the sets as ``WEIGHTS`` says: those
of triples and rules more, since overlap of words says little in them. The second half makes the
counts behind the thresholds, at most ``MOST`` pairs of a set and label, and the table: area under
the ROC curve, hits at 2 % false, expected calibration error.

Tried and found no better on the left-out halves: strengths of conflicts as they are, or scaled by
agreement too (then more agreement could lower a probability), their square roots, all of them taken
together in place of the strongest; logarithms of agreement and of the whole similarity, and limits
of both; the ratio of lengths; words added or moved beside those replaced. The written sets count
half: the mean of the areas of all sets, MiniLM as whole, was .838 without them, .856 where they
count a quarter, .860 half, .859 one, .851 two. Since there are 520 triples more, which four people
wrote, triples count one: that mean is .8684 where they count half, .8678 one, .8638 two, .8608
three (static vectors .8642, .8624, .8591, .8548), but the left-out triples are .778, .786, .797,
.802, and 140 others that were never fitted .790, .797, .806, .813.

Pairs of plain sentences (``plain.tsv``), which differ in one change or in grammar alone, count half
as much, as requests do. With each set left out as a whole in turn, twice or half of any weight
changes the mean area by less than .003. So measured, the mean length of two texts, which was a
feature, lowers that mean from .850 to .846 (MiniLM as whole), from .836 to .830 (static vectors)
and from .833 to .828 (none), and ten times the penalty from .850 to .846; the norm of all conflicts
in place of each type has .844, conflicts scaled by the root of length .850, unscaled ones .850.

The strongest conflict is that of near-duplicates, since those of two sentences that differ in few
places are seldom faults. The mean of the areas (static vectors; MiniLM as whole) was .821; .827 for
the strongest one scaled by length, .826; .832 with nearness beside it, .828; .837 where sentences
that differ in relations alone are near, .831; .838 with the square of wording, .836; .841 with the
square of the strongest in place of that by length, as it is now. The square is as good as the third
power; the number of places alone (.830; .837), that of their words (.831; .838), and both where
at least .6 or .8 of the words are shared (.830; .836 and .827; .833) are not.

Half of the paraphrases of Sentence Smith have facts exchanged (:mod:`.judgements`). Those that two
readers do not accept are left out: the written pairs rise from .748 to .764, the written triples
from .752 to .759, the made pairs from .927 to .933 (static vectors); SugarCrepe++ falls from .919
to .915. As different pairs they change the mean of all sets by less than .001.

Pairs of rules compared without their rule, as a picture of constructions that no rule names, change
the area of other sets by .001 (.820; .824). Trees of decisions (boosted, by all terms and counts of
words) have .850; .845 on these halves, and no more than these features on families of constructions
written afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import numpy.typing as npt
import typer

from compsim.benchmarks.datasets.judgements import judgement
from compsim.benchmarks.datasets.pairs import LabelledPair, pairs_of_triples, read_pairs
from compsim.benchmarks.datasets.tables import read_table
from compsim.benchmarks.datasets.triples import read_triples
from compsim.benchmarks.training.choose_concepts import open_hybrids
from compsim.benchmarks.training.swaps import SETS, made_swaps, sets_of, shares, swapped, turned
from compsim.comparison.scheme import KINDS
from compsim.guard.calibration import Calibration, Curve
from compsim.guard.features import feature_names, kind_of, pair_features, signs
from compsim.guard.fitting import fit_logistic
from compsim.guard.folds import folds_of
from compsim.guard.report import area, calibration_error, hits_at
from compsim.guard.spelling import corrected
from compsim.hybrid.batch import HybridBatch
from compsim.hybrid.method import HybridMethod
from compsim.parsers import load
from compsim.storage.files import write_text

__all__ = ["MOST", "WEIGHTS", "calibrated", "guard_sets", "written"]

Floats = npt.NDArray[np.float64]

#: How much each set counts.
WEIGHTS: Final = {
    "SICK": 0.5, "STSb": 0.5, "SugarCrepe++": 1.0, "Sentence Smith": 1.0, "rules": 1.0,
    "GS2011": 0.2, "made": 0.5, "written pairs": 0.5, "written triples": 1.0,
    "written requests": 0.5, "written plain": 0.5,
}  # fmt: skip
#: Pairs of a set and label that are counted for the thresholds.
MOST: Final = 300
#: Triples of a collection, and pairs of a label of a rated set, that are used.
_TRIPLES, _RATED = 800, 700
#: Shares of the range of ratings: at least so much for the same, at most so much for different.
_ALIKE, _UNLIKE = 0.92, 0.68
_ENTAILED: Final = 4.6
_WRITTEN: Final = Path(__file__).parent


def guard_sets(data: Path) -> dict[str, list[LabelledPair]]:
    """Return the labelled pairs of each set."""
    rated = {name: shares(pairs) for name, pairs in sets_of(data, 1 << 20).items()}
    some = {name: shares(pairs) for name, pairs in sets_of(data).items()}
    alike, swaps = made_swaps(load("srl").parse, some, (swapped, turned))
    grammar = load("concepts").grammar  # type: ignore[attr-defined]
    rules = [
        LabelledPair(rule.name, first, second, same)
        for rule in grammar.rules
        for same, pairs in ((True, rule.same), (False, rule.other))
        for first, second in pairs
    ]
    made = [LabelledPair("", a, b, True) for a, b, rating in alike if rating >= _ALIKE]
    made += [LabelledPair("", a, b, False) for a, b, _ in swaps]
    return {
        "SICK": _some(_sick(data / SETS["SICK"].partition(":")[2])),
        "STSb": _some(_of_ratings(rated["STSb"])),
        "SugarCrepe++": _triples(sorted((data / "sugarcrepe-pp").glob("*.json"))),
        "Sentence Smith": _triples(sorted((data / "sentence-smith").glob("*.csv"))),
        "rules": rules,
        "GS2011": _of_ratings(rated["GS2011"]),
        "made": _some(made),
        "written pairs": read_pairs(_WRITTEN / "pairs.tsv"),
        "written triples": read_pairs(_WRITTEN / "triples.tsv"),
        "written requests": read_pairs(_WRITTEN / "requests.tsv"),
        "written plain": read_pairs(_WRITTEN / "plain.tsv"),
    }


def _sick(path: Path) -> list[LabelledPair]:
    """Pairs of SICK by inference; entailed ones that are rated low are left out."""
    results = []
    for _, (_, first, second, rating, inference) in read_table(path, "\t", quoted=False)[1:]:
        entailed = inference == "ENTAILMENT"
        if not entailed or float(rating) >= _ENTAILED:
            results.append(LabelledPair(inference, first, second, entailed))
    return results


def _of_ratings(pairs: Sequence[tuple[str, str, float]]) -> list[LabelledPair]:
    return [
        LabelledPair("", first, second, rating >= _ALIKE)
        for first, second, rating in pairs
        if not _UNLIKE < rating < _ALIKE
    ]


def _some(pairs: Sequence[LabelledPair]) -> list[LabelledPair]:
    """At most so many pairs of each label, drawn with a fixed seed, in their order."""
    chosen = []
    for label in (True, False):
        rows = [i for i, pair in enumerate(pairs) if pair.same == label]
        chosen += np.random.RandomState(2).permutation(rows)[:_RATED].tolist()
    return [pairs[i] for i in sorted(chosen)]


def _triples(files: Sequence[Path]) -> list[LabelledPair]:
    """Pairs of triples, drawn with a fixed seed, but for those whose paraphrase is none."""
    triples = [
        triple
        for file in files
        for triple in read_triples(file)
        if judgement(triple.text, triple.same) in (None, "same")
    ]
    drawn = np.random.RandomState(2).permutation(len(triples))[:_TRIPLES]
    return pairs_of_triples(triples[i] for i in sorted(drawn.tolist()))


def _features(
    pairs: Sequence[LabelledPair], methods: Mapping[str, HybridMethod]
) -> dict[str, tuple[Floats, npt.NDArray[np.bool_]]]:
    """Features of pairs by kind, and which rows have them; each text is parsed once."""
    rows: dict[str, int] = {}
    for pair in pairs:
        for text in (pair.first, pair.second):
            rows.setdefault(text, len(rows))
    first, second = (
        np.array([rows[text] for text in texts], dtype=np.int64)
        for texts in ([pair.first for pair in pairs], [pair.second for pair in pairs])
    )
    texts = [corrected(text).text for text in rows]
    graphs = next(iter(methods.values())).graphs
    roles = graphs.encode(texts)
    batches: dict[str, tuple[Any, Any]] = {
        kind: (method, HybridBatch(method.whole.encode(texts), roles))
        for kind, method in methods.items()
    }
    batches[kind_of(graphs)] = graphs, roles
    return {
        kind: pair_features(method, batch[first], batch[second])
        for kind, (method, batch) in batches.items()
    }


def calibrated(
    kind: str, sets: Mapping[str, Sequence[LabelledPair]], features: Mapping[str, Any]
) -> tuple[Calibration, list[list[str]]]:
    """Return the calibration of a kind, and a row of figures for each left-out half."""
    names = feature_names(kind)
    fitted: list[tuple[Floats, Any, Floats]] = []
    left_out: dict[str, tuple[Floats, Any]] = {}
    for name, pairs in sets.items():
        values, known = features[name][kind]
        labels = np.array([pair.same for pair in pairs])
        half = folds_of([(pair.first, pair.second) for pair in pairs], 2)
        rows = np.flatnonzero(known & (half == 0))
        count = np.where(labels[rows], labels[rows].sum(), (~labels[rows]).sum())
        fitted.append((values[rows], labels[rows], WEIGHTS[name] / 2.0 / count))
        rows = np.flatnonzero(known & (half == 1))
        left_out[name] = values[rows], labels[rows]
    x, y, w = (np.concatenate(column) for column in zip(*fitted, strict=True))
    intercept, values = fit_logistic(x, y, signs(names), w)
    coefficients = {
        name: round(value, 4) + 0.0 for name, value in zip(names, values.tolist(), strict=True)
    }
    made = Calibration(kind, round(intercept, 4), coefficients, Curve((), (), (), 0, 0))
    scores, same, rows_of_table = [], [], []
    for name, (values, labels) in left_out.items():
        probabilities = made.probabilities(values)
        error = calibration_error(probabilities, labels)
        figures = area(probabilities, labels), hits_at(probabilities, labels, 0.02), error
        rows_of_table.append(
            [kind, name, str(len(labels)), *(f"{figure:.3f}" for figure in figures)]
        )
        for label in (True, False):
            drawn = np.random.RandomState(2).permutation(np.flatnonzero(labels == label))[:MOST]
            scores.append(probabilities[drawn])
            same.append(np.full(len(drawn), label))
    curve = Curve.of(np.concatenate(scores), np.concatenate(same))
    return Calibration(kind, made.intercept, coefficients, curve), rows_of_table


def written(calibrations: Sequence[Calibration]) -> str:
    """Return the TOML of some calibrations."""
    lines = [
        "# When two texts say the same: coefficients of a logistic regression by what compares",
        "# whole texts, and counts of left-out pairs at or above some probabilities. Fitted by",
        "# `python -m compsim.benchmarks.training.choose_guard`, which says on which pairs; never",
        "# on the guard set, the contrasts or STS3k.",
    ]
    for each in calibrations:
        lines += ["", f"[{each.kind}]", f"intercept = {each.intercept}", ""]
        lines += [f"[{each.kind}.coefficients]"]
        lines += [f'"{name}" = {value}' for name, value in each.coefficients.items()]
        lines += ["", f"[{each.kind}.curve]"]
        for name, value in vars(each.curve).items():
            listed = list(value) if isinstance(value, tuple) else value
            lines.append(f"{name} = {listed}")
    return "\n".join(lines) + "\n"


def rows_of(data: Path, output: Path | None) -> Iterator[list[str]]:
    """The table: the constants, then a row for each kind and set; ``output`` is written."""
    methods = open_hybrids()
    sets = guard_sets(data)
    features = {name: _features(pairs, methods) for name, pairs in sets.items()}
    made, table = [], [["kind", "set", "left out", "AUC", "hits at 2 %", "calibration error"]]
    for kind in KINDS:
        calibration, rows = calibrated(kind, sets, features)
        made.append(calibration)
        table += rows
        yield [kind, f"intercept = {calibration.intercept}"]
        yield from ([kind, f"{n} = {x}"] for n, x in calibration.coefficients.items())
        for share in (0.01, 0.02, 0.05):
            upper = calibration.curve.upper(share)
            if upper is not None and math.isfinite(upper):
                hits = calibration.curve.hits(upper)
                yield [kind, f"at most {share:.0%} false: from {upper:.4f}, hits {hits:.3f}"]
    yield from table
    if output is not None:
        write_text(output, written(made))


def main(
    data: Annotated[Path, typer.Option(help="folder of the sets")],
    output: Annotated[Path | None, typer.Option(help="the TOML file to write")] = None,
) -> None:
    """Print the figures behind weights/guard.toml, and write it."""
    for row in rows_of(data, output):
        typer.echo("\t".join(row))


if __name__ == "__main__":
    typer.run(main)
