"""Which rules can match in a sentence at all, by its labels, parts of speech and words.

Of hundreds of rules a few dozen can match in a sentence: each of the others names a label, a part
of speech or a word that the sentence lacks. These are sorted out all at once, by bits: bit r of
segment s says that the s-th such demand of rule r is met, or that there is none.

>>> calls = []
>>> demands = [(("seen", frozenset({"not", "no"})),), (("dep", frozenset({"aux"})),), ()]
>>> dispatch = Dispatch([lambda i=i: lambda draft: calls.append(i) for i in range(3)], demands)
>>> from types import SimpleNamespace
>>> dispatch.apply(SimpleNamespace(seen={"no"}, by_dep={}, by_pos={}))
>>> calls
[0, 2]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

__all__ = ["Demand", "Dispatch"]

#: What a rule cannot match without: one of some words (``"seen"``), labels (``"dep"``) or parts of
#: speech (``"pos"``).
Demand = tuple[str, frozenset[str]]

_SEEN: Final = "seen"


class Dispatch:
    """Rules that are applied in their order, but for those that cannot match.

    ``builders`` return the functions that apply the rules, each called when its rule may match for
    the first time; ``demands`` are those of each rule, of the kinds above.
    """

    def __init__(
        self,
        builders: Sequence[Callable[[], Callable[[Any], None]]],
        demands: Sequence[Iterable[Demand]],
    ) -> None:
        self._builders = builders
        self._count = len(builders)
        self._functions: list[Callable[[Any], None] | None] = [None] * self._count
        self._all = (1 << self._count) - 1
        listed = [list(each) for each in demands]
        self._segments = max(map(len, listed), default=0)
        #: The bits of demands that are met by a word, label or part of speech.
        self._bits: dict[str, dict[str, int]] = {_SEEN: {}, "dep": {}, "pos": {}}
        self._free = 0
        for number, each in enumerate(listed):
            for segment in range(self._segments):
                bit = 1 << (segment * self._count + number)
                if segment >= len(each):
                    self._free |= bit
                    continue
                kind, values = each[segment]
                bits = self._bits[kind]
                for value in values:
                    bits[value] = bits.get(value, 0) | bit

    def apply(self, draft: Any) -> None:
        """Apply the rules to a draft, as if each were called in turn."""
        met = self._met("dep", draft.by_dep) | self._met("pos", draft.by_pos) | self._free
        seen, size = draft.seen, len(draft.seen)
        rules = self._rules(met | self._met(_SEEN, seen))
        functions = self._functions
        number = rules.find("1")
        while number >= 0:
            function = functions[number]
            if function is None:
                function = functions[number] = self._builders[number]()
            function(draft)
            if len(seen) != size:
                # A rule has given a token another lemma, which later rules may name.
                size = len(seen)
                rules = self._rules(met | self._met(_SEEN, seen))
            number = rules.find("1", number + 1)

    def _met(self, kind: str, values: Iterable[str]) -> int:
        """Return the bits of the demands that some of these values meet."""
        bits, met = self._bits[kind], 0
        for value in values:
            if value in bits:
                met |= bits[value]
        return met

    def _rules(self, met: int) -> str:
        """Return a character for each rule: "1" where all of its demands are met."""
        rules = self._all
        for segment in range(self._segments):
            rules &= met >> (segment * self._count)
        return f"{rules:0{self._count}b}"[::-1]
