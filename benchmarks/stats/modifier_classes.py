"""Results of the adjective-noun tests by class of adjectives, with intervals and p values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from compsim.benchmarks.results import Figure
from compsim.benchmarks.stats import modifiers
from compsim.benchmarks.stats.modifiers import Distance, Hits
from compsim.benchmarks.stats.permutation import (
    interval_of_share,
    interval_of_table,
    p_of_shares,
    p_of_table,
    share,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compsim.benchmarks.datasets.modifiers.phrases import Phrases

__all__ = ["Outcome"]


@dataclass
class Outcome:
    """Hits of each adjective, ``single`` by test (a,), and of each ordered pair of them (a, a).

    ``classes`` has the places of each class's adjectives. ``gain`` (a,) is how much nearer phrases
    are to the adjective than to the noun. ``authors`` is test 2 with every first noun weighing the
    same, and counts in the figures if ``authors_mean``.
    """

    words: list[str]
    classes: dict[str, npt.NDArray[np.int64]]
    single: dict[str, Hits] = field(default_factory=dict)
    double: Hits | None = None
    plain: Hits | None = None
    authors: Hits | None = None
    gain: npt.NDArray[np.float64] | None = None
    authors_mean: bool = False
    left_out: dict[str, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        distance: Distance,
        phrases: Phrases,
        tests: Sequence[int] = (1, 2, 3),
        authors_mean: bool = False,
    ) -> Outcome:
        """Make the tests; test 1 on two adjectives too, test 3 on synonyms, where there are any."""
        names, words = zip(*phrases.lists.adjectives, strict=True)
        classes = {name: np.flatnonzero(np.array(names) == name) for name in dict.fromkeys(names)}
        result = cls(list(words), classes, authors_mean=authors_mean)
        if 1 in tests:
            result._keep("1 AN", modifiers.intersective(distance, phrases), phrases.single.size)
            if len(phrases.triples):
                result.double = modifiers.intersective_pairs(distance, phrases)
                result._count("1 AAN", result.double, len(phrases.triples))
        if 2 in tests:
            nouns = modifiers.noun_pairs(distance, phrases)
            result.plain = modifiers.nearer_nouns(nouns, result.words)
            result.authors = modifiers.nearer_nouns(nouns, result.words, authors_mean=True)
            result.left_out["2"] = int(np.isnan(nouns).sum()), nouns.size
        if 3 in tests:
            hits, result.gain = modifiers.nearer(distance, phrases, phrases.adjective)
            result._keep("3", hits, phrases.single.size)
            if (phrases.synonym >= 0).any():
                hits, _ = modifiers.nearer(distance, phrases, phrases.synonym)
                known = int((phrases.synonym >= 0).sum()) * len(phrases.noun)
                result._keep("3 synonym", hits, known)
        return result

    def _keep(self, test: str, hits: Hits, total: int) -> None:
        self.single[test] = hits
        self._count(test, hits, total)

    def _count(self, test: str, hits: Hits, total: int) -> None:
        self.left_out[test] = total - round(float(hits.counts.sum())), total

    def missing(self) -> list[str]:
        """Return the number of items that each test leaves out, one line per test."""
        return [
            f"test {test}: {count} of {total} {'pairs of phrases' if test == '2' else 'phrases'} "
            "left out"
            for test, (count, total) in self.left_out.items()
            if count
        ]

    def of_class(self, name: str) -> tuple[dict[str, Figure], dict[str, Any]]:
        """The figures of a class, and as JSON types what else there is.

        "p" has p values against each class after it, by test; "test 2" both means against every
        class, "of the next class" for each adjective how often it brings nouns nearer than one of
        the next class does, and of how many; "adjectives" the shares of each adjective; "nearer to
        the adjective" the mean of d(phrase, noun) - d(phrase, adjective).
        """
        own = self.classes[name]
        later = list(self.classes)[list(self.classes).index(name) + 1 :]
        figures: dict[str, Figure] = {}
        tests: dict[str, dict[str, float | None]] = {}
        details: dict[str, Any] = {"p": tests}
        for test, (hits, counts) in self.single.items():
            figures[test] = _figure(hits[own], counts[own])
            tests[test] = {}
            for other in later:
                both = np.concatenate([own, self.classes[other]])
                tests[test][other] = p_of_shares(hits[both], counts[both], len(own))
            if test == "1 AN" and self.double is not None:
                figures |= self._doubles(name)
        if self.plain is not None and self.authors is not None:
            chosen = self.authors if self.authors_mean else self.plain
            tests["2"] = {}
            for other in later:
                both = np.concatenate([own, self.classes[other]])
                cut = np.ix_(own, self.classes[other])
                figures[f"2 {other}"] = _table_figure(chosen.hits[cut], chosen.counts[cut])
                square = np.ix_(both, both)
                p = p_of_table(chosen.hits[square], chosen.counts[square], len(own))
                tests["2"][other] = p
            if later:
                cut = np.ix_(own, self.classes[later[0]])
                sums = (of[cut].sum(axis=1).tolist() for of in (chosen.hits, chosen.counts))
                details["of the next class"] = [list(one) for one in zip(*sums, strict=True)]
            details["mean"] = "authors" if self.authors_mean else "plain"
            details["test 2"] = {
                mean: {
                    other: share(of.hits[np.ix_(own, places)], of.counts[np.ix_(own, places)])
                    for other, places in self.classes.items()
                }
                for mean, of in (("plain", self.plain), ("authors", self.authors))
            }
        if self.gain is not None:
            known = self.gain[own][~np.isnan(self.gain[own])]
            details["nearer to the adjective"] = float(known.mean()) if len(known) else None
        details["adjectives"] = {
            self.words[i]: {
                test: share(of.hits[i], of.counts[i]) for test, of in self.single.items()
            }
            for i in own.tolist()
        }
        return figures, details

    def _doubles(self, name: str) -> dict[str, Figure]:
        """Test 1 on phrases whose first adjective is of the class."""
        assert self.double is not None
        doubles = {}
        for other, places in self.classes.items():
            cut = np.ix_(self.classes[name], places)
            hits, counts = self.double.hits[cut], self.double.counts[cut]
            doubles[f"1 AAN {other}"] = _table_figure(hits, counts, same=other == name)
        return doubles


def _figure(hits: npt.NDArray[np.float64], counts: npt.NDArray[np.float64]) -> Figure:
    return Figure(share(hits, counts), int(counts.sum()), *interval_of_share(hits, counts))


def _table_figure(
    hits: npt.NDArray[np.float64], counts: npt.NDArray[np.float64], same: bool = False
) -> Figure:
    ends = interval_of_table(hits, counts, same)
    return Figure(share(hits, counts), round(float(counts.sum())), *ends)
