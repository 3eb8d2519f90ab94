"""From the frames of a role graph to the phrases that are compared.

A frame of a graph holds phrases as the parser found them, an embedded clause and all. What is
compared is a matter of choice, :class:`Phrasing`, which a scheme file makes: only the main frame or
all; a phrase with its clause or without, since the clause is a frame of its own; what to do with
words that the parser put into no role.

>>> from compsim.graph import RoleGraph
>>> from compsim.roles import VERBNET
>>> graph = RoleGraph.star("Cats sleep.", {"Verb": "sleep", "Agent": "Cats"})
>>> frame, = phrased(graph, VERBNET, Phrasing())
>>> [(phrase.role, phrase.node.label) for phrase in frame.phrases]
[(0, 'sleep'), (1, 'Cats')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from compsim.graph import Node
from compsim.graph.nodes import ANY
from compsim.plain_text import plain
from compsim.rolesim.features import direction
from compsim.vectors.rarity import information
from compsim.vectors.words import normalize

if TYPE_CHECKING:
    from compsim.graph import Frame, RoleGraph
    from compsim.graph.nodes import Span
    from compsim.roles import Inventory

__all__ = ["ORIGIN", "PLAIN", "REST", "Phrase", "PhrasedFrame", "Phrasing", "phrased"]

#: The role of what the parser put into none.
REST: Final = "Rest"
#: The role of where a path begins, apart from where it leads.
ORIGIN: Final = "Origin"
_PATH: Final = "Trajectory"
#: The roles in which the parser may have a beginning besides.
_ELSEWHERE: Final = ("Location", "Theme", "Manner", "Patient")
#: The role of what a copula says of its subject.
_ATTRIBUTE: Final = "Theme"
_WORD: Final = re.compile(r"\S+")
#: What stands between phrases mostly, and says nothing.
_PUNCTUATION: Final = frozenset(" .,;:!?\"'")
#: What is said by features, or between sentences: PropBank's negation, modals, discourse markers.
_MARKS: Final = ("ARGM-NEG", "ARGM-MOD", "ARGM-DIS")
#: What opens a clause that is a whole phrase (a closed class).
_OPENINGS: Final = frozenset(
    ("that", "whether", "if", "because", "although", "while", "when", "since", "until", "to")
)


@dataclass(frozen=True, slots=True)
class Phrasing:
    """What of a sentence is compared, and how its phrases become vectors.

    ``frames``: ``"main"`` or ``"all"``. ``words``: ``"content"``, the mean of the content words
    that the table of word vectors holds, or ``"all"``, every word
    (:class:`compsim.vectors.all_words.AllWords`, with its ``form`` and ``head``).
    ``information``: a phrase counts by what it says to this power; 0, all phrases alike. ``inner``:
    the share that the words of an embedded clause keep in the phrase that holds it. ``features``:
    the weight of each group of features (:mod:`compsim.rolesim.features`).
    """

    frames: str = "main"
    words: str = "content"
    form: float = 0.5
    head: float = 0.0
    information: float = 0.0
    inner: float = 1.0
    features: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def said_by(self, words: str, asked: bool = False) -> float:
        """How much a phrase of these words counts; what is ``asked`` for no less than 1."""
        if not self.information:
            return 1.0
        counted: float = information(words) ** self.information
        return max(counted, float(asked))

    @property
    def space(self) -> str:
        """What batches must share to be compared; empty for the phrasing of the paper."""
        of_words = Phrasing(self.frames, self.words, self.form, self.head)
        if self == of_words:
            return ""
        features = ", ".join(f"{name} {weight:g}" for name, weight in sorted(self.features.items()))
        return f"information {self.information:g}, inner {self.inner:g}, {features}"


#: The phrasing of the paper: the main frame, its content words, all phrases alike.
PLAIN: Final = Phrasing()


class Phrase(NamedTuple):
    """A phrase in a role: the node of the graph, and what stands for it in the comparison.

    ``outer`` is the phrase without the clauses in it, None where it holds none; ``amount`` its
    words, by which it counts. ``open``: a question asks for it. ``clause`` is the place of the
    frame of the one clause that stands in it, -1 without one, or with several.
    """

    role: int
    node: Node
    outer: Node | None = None
    amount: str = ""
    open: bool = False
    clause: int = -1


class PhrasedFrame(NamedTuple):
    """A frame, its phrases by role, and where it stands: see ``Frame``; ``depth`` in clauses.

    ``said`` is the role of what the frame says: the predicate's, that of a copula's attribute, or
    that of what is compared ("runs *faster*").
    """

    frame: Frame
    phrases: list[Phrase]
    depth: int = 0
    parent: int = -1
    reading: int = -1
    said: int = 0


def phrased(graph: RoleGraph, inventory: Inventory, phrasing: Phrasing) -> list[PhrasedFrame]:
    """The frames with phrases in roles of the inventory; readings come last; none if failed."""
    number = _places(inventory)
    if phrasing.frames == "main":
        main = graph.main_frame(inventory)
        found = [] if main is None else [main]
    else:
        found = list(graph.frames(inventory))
    depths = _depths(found)
    inner = _clauses(found)
    rest = _rest(graph.text, found, number) if REST in number else None
    made: list[PhrasedFrame] = []
    place_of: dict[int, int] = {}
    for place, frame in enumerate(found):
        if ANY in frame.roles:
            above = -1 if frame.reading_of is None else place_of.get(frame.reading_of, -1)
            made += _anywhere(frame, depths[place], above, len(number)) if above >= 0 else ()
            continue
        filled = frame.phrases(inventory.roles[0])
        if ORIGIN in number and ORIGIN not in filled:
            filled = _with_origin(filled, graph.text)
        phrases = [
            _phrase(number[name], node, graph.text, _held(inner, found, place, name, node), found)
            for name, node in filled.items()
            if name in number
        ]
        if frame.predicate.feature("order") and phrasing.features.get("time"):
            phrases = [told for phrase in phrases if (told := _unordered(phrase)) is not None]
        if rest is not None and 0 in (place, frame.reading_of) and REST not in filled:
            phrases.append(Phrase(number[REST], rest, None, rest.label))
        if not phrases or (frame.reading_of is not None and frame.reading_of not in place_of):
            continue
        place_of[place] = len(made)
        parent = place_of.get(-1 if frame.parent is None else frame.parent, -1)
        reading = -1 if frame.reading_of is None else place_of[frame.reading_of]
        if reading >= 0:
            phrases = _in_other_words(phrases, made[reading].frame.predicate)
        phrases.sort(key=lambda phrase: phrase.role)
        says = frame.predicate.feature("says")
        says = _ATTRIBUTE if frame.predicate.feature("copula") else says
        said = number.get(says, 0)
        said = said if any(phrase.role == said for phrase in phrases) else 0
        made.append(PhrasedFrame(frame, phrases, depths[place], parent, reading, said))
    return [_with_clauses(frame, place_of) for frame in made] if inner else made


@lru_cache(maxsize=64)
def _places(inventory: Inventory) -> dict[str, int]:
    """The place of each role."""
    return {name: place for place, name in enumerate(inventory.roles)}


def _anywhere(frame: Frame, depth: int, base: int, roles: int) -> Iterator[PhrasedFrame]:
    """A bare noun phrase in each role but the predicate's, since nobody says what it does."""
    node = frame.roles[ANY]
    for role in range(1, roles):
        yield PhrasedFrame(frame, [Phrase(role, node, None, node.label)], depth, -1, base)


def _with_origin(filled: dict[str, Node], text: str) -> dict[str, Node]:
    """The phrases with what a path begins with ("from London") in a role of its own."""
    path = filled.get(_PATH)
    if path is not None and path.spans:
        pieces = _pieces(path, text)
        if ORIGIN in pieces:
            return {**{name: node for name, node in filled.items() if name != _PATH}, **pieces}
    for start in _ELSEWHERE:
        if start in filled and direction(filled[start].feature("prep")) < 0:
            return {ORIGIN if name == start else name: node for name, node in filled.items()}
    return filled


def _pieces(path: Node, text: str) -> dict[str, Node]:
    """Where a path begins and where it leads, as far as it says so."""
    words = [word for start, end in path.spans for word in _WORD.finditer(text, start, end)]
    marks = [direction(plain(word.group()).lower()) for word in words]
    begins = next((i for i, mark in enumerate(marks) if mark < 0), -1)
    if begins < 0:
        return {_PATH: path}
    ends = next((i for i, mark in enumerate(marks) if mark > 0), -1)
    cut = begins if ends < begins else ends
    pieces = {}
    for place, piece in ((0, words[:cut]), (cut, words[cut:])):
        if piece:
            name = ORIGIN if place <= begins < place + len(piece) else _PATH
            spans = tuple(word.span() for word in piece)
            label = plain(" ".join(word.group() for word in piece))
            first = (("prep", plain(piece[0].group()).lower()),) if marks[place] else ()
            node = Node(label, (spans[0][0], spans[-1][1]), parts=spans, features=first)
            pieces[name] = node if len(words) > len(piece) else path
    return pieces


def _in_other_words(phrases: list[Phrase], own: Node) -> list[Phrase]:
    """The phrases of a reading; a predicate of another lemma has no form in the text."""
    lemma = next((p.node.feature("lemma") for p in phrases if p.role == 0), "")
    if not lemma or lemma == own.feature("lemma"):
        return phrases
    label = lemma.replace("_", " ")
    return [p._replace(node=replace(p.node, label=label)) if p.role == 0 else p for p in phrases]


def _depths(found: Sequence[Frame]) -> list[int]:
    """In how many clauses each frame stands."""
    if len(found) < 2:
        return [0] * len(found)
    depths: list[int] = []
    for frame in found:
        depth, above = 0, frame.parent
        while above is not None:
            if above < len(depths):
                depth += depths[above] + 1
                break
            depth += 1
            above = found[above].parent
        depths.append(depth)
    return depths


def _clauses(found: Sequence[Frame]) -> dict[tuple[int, str], list[int]]:
    """The frames that stand in each phrase, by the place of its frame and its role."""
    inner: dict[tuple[int, str], list[int]] = {}
    for place, frame in enumerate(found):
        if frame.parent is not None and frame.reading_of is None:
            inner.setdefault((frame.parent, frame.relation), []).append(place)
    return inner


def _held(
    inner: Mapping[tuple[int, str], Sequence[int]],
    found: Sequence[Frame],
    place: int,
    role: str,
    node: Node,
) -> Sequence[int]:
    """The frames that stand in a phrase; one of a reading is known by its node."""
    of = found[place].reading_of
    if of is not None and inner:
        place = of
        role = next((name for name, own in found[of].roles.items() if own == node), "")
    return inner.get((place, role), ())


def _with_clauses(frame: PhrasedFrame, place_of: Mapping[int, int]) -> PhrasedFrame:
    """The frame with the places of clauses among the frames that are compared."""
    phrases = [p._replace(clause=place_of.get(p.clause, -1)) for p in frame.phrases]
    return frame._replace(phrases=phrases)


def _unordered(phrase: Phrase) -> Phrase | None:
    """A phrase without what the order of its predicate says already, None if that is all.

    Of "two days after he left", whose clause is a frame marked by its order, "two days" is left; of
    the adverb "then" nothing.
    """
    node, outer = phrase.node, phrase.outer
    if node.feature("order") != "told":
        return phrase
    if outer is None:
        return phrase if " " in node.label else None
    return None if outer.feature("order") else phrase._replace(node=outer, outer=None)


def _phrase(
    role: int, node: Node, text: str, inner: Sequence[int], found: Sequence[Frame]
) -> Phrase:
    asks, lemma = False, ""
    for name, value in node.features:
        if name == "open":
            asks = True
        elif name == "lemma":
            lemma = value.replace("_", " ")
    frames = [found[place] for place in inner]
    outer = _without(node, text, frames) if frames and node.spans else None
    clause = inner[0] if len(inner) == 1 else -1
    return Phrase(role, node, outer, lemma or (outer or node).label, asks, clause)


def _without(node: Node, text: str, inner: Sequence[Frame]) -> Node | None:
    """The phrase without the clauses in it; if nothing is left, the predicate of the first.

    None where no clause is found in it.
    """
    told = _first_content(node, text)
    cut = [span for frame in inner for span in _extent(node, text, frame, told)]
    if not cut:
        return None
    kept: list[Span] = []
    for start, end in node.spans:
        for word in _WORD.finditer(text, start, end):
            if not any(a < word.end() and word.start() < b for a, b in cut):
                kept.append(word.span())
    if any(_says(text[a:b]) for a, b in kept):
        label = plain(" ".join(text[a:b] for a, b in kept))
        return replace(node, label=label, span=(kept[0][0], kept[-1][1]), parts=tuple(kept))
    return inner[0].predicate


def _first_content(node: Node, text: str) -> int:
    """Where the first content word of a phrase ends; behind the phrase where it has none."""
    start, stop = node.span or (0, 0)
    words = _WORD.finditer(text, start, stop)
    return next((word.end() for word in words if _says(word.group())), stop + 1)


def _extent(node: Node, text: str, frame: Frame, told: int) -> list[Span]:
    """Where in a phrase the clause of a frame stands, from its first word to its last.

    ``told`` is where the first content word of the phrase ends.
    """
    if frame.predicate.span is None or node.span is None:
        return []
    # The noun of a relative clause is in a role of it, but outside the clause; so is what comes
    # first in the phrase, prepositions aside, unless the phrase is nothing but the clause.
    head = node.feature("head")
    opening = text[node.span[0] : node.span[1]].split(maxsplit=1)[:1]
    whole = bool(head) and head == frame.predicate.feature("lemma")
    whole = whole or any(plain(word).lower() in _OPENINGS for word in opening)
    spans = [frame.predicate.span]
    for other in frame.roles.values():
        for start, end in other.spans:
            inside = node.span[0] <= start and end <= node.span[1]
            if inside and (whole or told <= start):
                spans.append((start, end))
    return [(min(a for a, _ in spans), max(b for _, b in spans))]


def _says(text: str) -> bool:
    """Whether there is a content word in a stretch of text."""
    return any(map(normalize, plain(text).split()))


def _rest(text: str, found: Sequence[Frame], roles: Mapping[str, int]) -> Node | None:
    """The content words that stand in no phrase that is compared, and are no mere marks."""
    taken: list[Span] = []
    for frame in found:
        taken += frame.predicate.spans
        for role, node in frame.roles.items():
            if role in roles or role in _MARKS:
                taken += node.spans
    taken.sort()
    kept: list[Span] = []
    reached = 0
    for start, end in (*taken, (len(text), len(text))):
        if start > reached and not _PUNCTUATION.issuperset(text[reached:start]):
            for word in _WORD.finditer(text, reached, start):
                whole = _ends_word(text, word.start()) and _ends_word(text, word.end())
                if whole and normalize(plain(word.group())):
                    kept.append(word.span())
        reached = max(reached, end)
    if not kept or not taken:
        return None
    label = plain(" ".join(text[a:b] for a, b in kept))
    return Node(label, (kept[0][0], kept[-1][1]), parts=tuple(kept) if len(kept) > 1 else ())


def _ends_word(text: str, place: int) -> bool:
    """Whether no word goes on across a place in the text."""
    inner = 0 < place < len(text)
    return not inner or text[place - 1].isspace() or text[place].isspace()
