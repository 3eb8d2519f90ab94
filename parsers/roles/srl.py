"""Semantic roles from a dependency parse: predicates with the phrases in their roles.

The pipeline gives the tree, the trained labeller gives PropBank rolesets and arguments, and
VerbNet's frames and the links of the roleset turn those into the eight roles
(:mod:`.consolidation`); every predicate becomes a star, the main one is the root of the graph. The
pipeline is the one that compsim ships unless another is named; any English one of spaCy with
ClearNLP labels will do (``en_core_web_sm``, ``md``, ``lg``, ``trf``)::

    from compsim.parsers.roles.srl import SrlParser
    graph, = SrlParser().parse(["The dog that Mary fed chased a cat yesterday."])
    graph.roles()        # Verb: chased, Agent: The dog that Mary fed, Theme: a cat, Time: yesterday
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Final, TypeAlias

from compsim.graph import Edge, Node, RoleGraph
from compsim.parsers.pipeline.tree import Tree, word_set
from compsim.parsers.roles.analysis import Analysis, AnalysisParser
from compsim.parsers.roles.candidates import MAX_CLIMB
from compsim.parsers.roles.consolidation import from_propbank
from compsim.parsers.roles.events import events, spelled, verb_of
from compsim.parsers.roles.labeller import PLACE_LABEL, Argument, Frame, core

__all__ = ["SrlParser", "warm_up"]

FUNCTIONS: Final = {"nsubj": "subject", "agent": "subject", "dobj": "object", "nsubjpass": "object"}
#: PropBank's tag of goals. One after a preposition of place is a place, any other rather somebody,
#: as VerbNet's links have it where a roleset has some.
_GOAL = "ARGM-GOL"
_PLACED: Final = word_set(
    "into onto out off toward towards through across along past up down over in on"
)
#: Roles of places, and PropBank's modifiers that are one or the other by VerbNet's frames.
_PLACE: Final = "Location"
_PLACES = (_PLACE, "Trajectory")
_OF_PLACES = ("ARGM-DIR", "ARGM-GOL", "ARGM-LOC")
#: PropBank's mark of a relative word.
_RELATIVE = "R-"
#: What VerbNet calls who or what changes: of a subject that PropBank has as ARG1, its role.
_CHANGING = "patient"
_OTHER_UNDERGOER = {"Theme": "Patient", "Patient": "Theme"}

#: The role of a phrase, its PropBank label and its node.
Phrase: TypeAlias = tuple[str, str | None, Node]
_TRIMMED = frozenset(["--"]).union(",;:.!?-()[]\"'`\u2013\u2014\u2018\u2019\u201c\u201d\u2026")


#: Parts of speech of what may head a text without a verb.
_HEADS: Final = ("NOUN", "PROPN", "PRON", "ADJ", "ADV", "NUM", "INTJ", "VERB", "AUX", "ADP", "X")


class SrlParser(AnalysisParser):
    """VerbNet-style semantic roles; ``pipeline`` is what ``AnalysisParser`` takes.

    A text without a verb is its root alone. A text without a word gets a failed graph.
    """

    name = credit = "srl"

    def graph(self, analysis: Analysis) -> RoleGraph:
        """One star per predicate, the main one as the root."""
        tree, frames = analysis
        if not frames:
            frames = _headline(tree)
        if not frames:
            reason = "no word found" if tree.text.strip() else "empty text"
            return RoleGraph.failed(tree.text, reason, parser=self.name)
        main = _main_predicate(tree, frames)
        phrases = _Phrases(tree, self._labeller.lexicon)
        nodes: list[Node] = []
        edges: list[Edge] = []
        for frame in sorted(frames, key=lambda frame: frame is not main):
            hub = len(nodes)
            nodes.append(phrases.predicate(frame))
            for role, label, node in phrases.of(frame):
                edges.append(Edge(hub, role, len(nodes), label))
                nodes.append(node)
        return RoleGraph(tuple(nodes), tuple(edges), 0, tree.text, parser=self.name)


def _headline(tree: Tree) -> list[Frame]:
    """A frame without arguments for the root of a text without a verb."""
    roots = (i for i, head in enumerate(tree.heads) if head == i)
    words = [i for i in roots if tree.pos[i] in _HEADS and _is_latin(tree.word(i))]
    return [Frame(words[0], None, (), False)] if words else []


def _is_latin(word: str) -> bool:
    """Return whether a word begins with a letter or a digit of Latin script."""
    return word[:1].isalnum() and word[:1] < "\u0250"


class _Phrases:
    """The phrases of the frames of one text."""

    def __init__(self, tree: Tree, lexicon: Mapping[str, Mapping[str, Mapping[str, str]]]) -> None:
        self._tree = tree
        self._lexicon = lexicon
        self._kids = tree.children()

    def predicate(self, frame: Frame) -> Node:
        """The node of a predicate, with its particles."""
        at, deps = frame.predicate, self._tree.deps
        words = sorted([at, *(kid for kid in self._kids[at] if deps[kid] == "prt")])
        lemma = spelled(frame.sense) if frame.sense else self._tree.lemmas[at]
        return self._written(words, frame.sense, (("lemma", lemma),))

    def of(self, frame: Frame) -> list[Phrase]:
        """The phrases of a frame, each role once, in text order; particles belong to the verb."""
        sense = frame.sense or ""
        links = self._lexicon.get(verb_of(sense), {}).get(sense, {})
        tokens = self._argument_tokens(frame)
        arguments = [argument for argument in frame.arguments if argument.relation != "prt"]
        oblique = events().oblique(sense)
        result = [(a.label, self._linked(a, links, oblique.roles), a.relation) for a in arguments]
        results = []
        for role, label, places in _slots(tuple(result), frame.passive):
            pieces = [tokens[arguments[place].head] for place in places]
            words = pieces[0] if len(pieces) == 1 else sorted(set(chain.from_iterable(pieces)))
            if words:
                results.append((words[0], (role, label, self._written(words))))
        results.sort(key=itemgetter(0))
        return [phrase for _, phrase in results]

    def _linked(
        self, argument: Argument, links: Mapping[str, str], after: Mapping[str, str]
    ) -> str | None:
        """The thematic role of an argument: VerbNet's after its preposition, else of its link."""
        if argument.relation == "prep":
            role = after.get(self._tree.lemmas[argument.head])
            # The end point is somewhere, or somebody by its link.
            if argument.label.endswith("ARG4"):
                role = role if role == "Trajectory" else None
            placed = argument.label in _OF_PLACES and role in _PLACES
            if placed or (core(argument.label) and role):
                return role
        link = links.get(argument.label.removeprefix(_RELATIVE))
        if link != _GOAL or argument.label.endswith("ARG4"):
            return link
        return link if self._tree.lemmas[argument.head] in _PLACED else "goal"

    def _argument_tokens(self, frame: Frame) -> dict[int, Sequence[int]]:
        """Tokens of each argument, by its head: its subtree without what belongs to another part.

        An argument above the predicate (the noun of a relative clause) does not contain the clause.
        """
        more = [argument for argument in frame.arguments if argument.more]
        heads = [argument.head for argument in frame.arguments]
        heads += chain.from_iterable(argument.more for argument in more)
        above = [frame.predicate]
        for _ in range(MAX_CLIMB):  # no argument is further up
            above.append(self._tree.heads[above[-1]])
        argument_tokens = {
            head: _without_case(self._tree, head, words)
            for head, words in self._tree.parts(heads, above).items()
        }
        if not more:
            return argument_tokens
        joint = {
            argument.head: {
                i for head in (argument.head, *argument.more) for i in argument_tokens[head]
            }
            for argument in more
        }
        return {**argument_tokens, **{head: sorted(words) for head, words in joint.items()}}

    def _written(
        self,
        words: Sequence[int],
        sense: str | None = None,
        features: tuple[tuple[str, str], ...] = (),
    ) -> Node:
        """Node of the given tokens; ``parts`` are set where they are not contiguous."""
        tree = self._tree
        text, starts, ends = tree.text, tree.starts, tree.ends
        first, last = 0, len(words) - 1
        while first < last and _trimmed(tree, words[last]):
            last -= 1
        while first < last and _trimmed(tree, words[first]):
            first += 1
        begin, end = starts[words[first]], ends[words[last]]
        if words[last] - words[first] == last - first:  # one stretch, as most phrases are
            return Node(text[begin:end], (begin, end), sense, None, (), features)
        parts: list[tuple[int, int]] = []
        before = -2
        for i in words[first : last + 1]:
            start = parts.pop()[0] if i == before + 1 else starts[i]
            parts.append((start, ends[i]))
            before = i
        label = " ".join([text[start:stop] for start, stop in parts])
        return Node(label, (begin, end), sense, None, tuple(parts), features)


@lru_cache(maxsize=1 << 14)
def _slots(
    arguments: tuple[tuple[str, str | None, str], ...], passive: bool
) -> list[tuple[str, str | None, list[int]]]:
    """The roles of arguments: each with its PropBank label and the places of those that fill it.

    ``arguments`` are label, thematic role that the roleset links it to, and relation.
    """
    slots: dict[str, tuple[list[str], list[int]]] = {}
    # Direct objects pick their roles first, then other numbered arguments, then modifiers.
    order = sorted(
        (not core(label), FUNCTIONS.get(relation) != "object", label, place)
        for place, (label, _, relation) in enumerate(arguments)
    )
    for *_, place in order:
        name, link, relation = arguments[place]
        relative = _RELATIVE if name.startswith(_RELATIVE) else ""
        label = name.removeprefix(relative)
        function = FUNCTIONS.get(relation, "")
        if function == "subject":
            changes = label == "ARG1" and link == _CHANGING and not _undergone(arguments, place)
            voiced = passive == (relation == "agent")
            if not voiced or "Agent" in slots or changes:
                function = ""
        role = _PLACE if label == PLACE_LABEL else from_propbank(label, link, function)
        if role and relative:
            role = relative + role
        # Two undergoers are told apart even where their roles fall together.
        if core(name) and role in slots:
            role = _OTHER_UNDERGOER.get(role, role)
        labels, places = slots.setdefault(role or name, ([], []))
        labels += [name] if name not in (PLACE_LABEL, *labels) else []
        places.append(place)
    return [(role, "+".join(labels) or None, places) for role, (labels, places) in slots.items()]


def _undergone(arguments: tuple[tuple[str, str | None, str], ...], subject: int) -> bool:
    """Return whether there is a Patient beside the subject, so that each has a role.

    The relative word that stands for the subject is none.
    """
    return any(
        from_propbank(label, link, FUNCTIONS.get(relation, "")) == "Patient"
        for place, (label, link, relation) in enumerate(arguments)
        if place != subject and not label.startswith(_RELATIVE)
    )


def _main_predicate(tree: Tree, frames: list[Frame]) -> Frame:
    """The predicate nearest to the root of the first sentence that has one."""
    if len(frames) == 1:
        return frames[0]
    up = tree.steps_up()
    return min(frames, key=lambda frame: (*up[frame.predicate], frame.predicate))


def _without_case(tree: Tree, head: int, words: Sequence[int]) -> Sequence[int]:
    """The words of a phrase; of an owner's without the "'s", which only marks its role."""
    if tree.deps[head] != "poss":
        return words
    return [i for i in words if tree.deps[i] != "case" or tree.heads[i] != head]


def _trimmed(tree: Tree, i: int) -> bool:
    if tree.text[tree.starts[i]].isalnum():
        return False
    word = tree.word(i)
    return word in _TRIMMED or word.isspace()


def warm_up() -> None:
    """Compile what parses in bulk, or load its machine code, ahead of the first call."""
    SrlParser().warm_up()
