"""Semantic roles from a dependency parse: the parser behind ``verbnet-cn``.

A spaCy pipeline gives the tree, the trained labeller gives PropBank rolesets and arguments, and
VerbNet's frames and the links of the roleset turn those into the eight roles
(:mod:`.consolidation`); every predicate becomes a star, the main one is the root of the graph. The
pipeline is the one that compsim ships unless another is named; any English pipeline with ClearNLP
labels will do (``en_core_web_sm``, ``md``, ``lg``, ``trf``)::

    from compsim.parsers.roles.srl import SrlParser
    graph, = SrlParser().parse(["The dog that Mary fed chased a cat yesterday."])
    graph.roles()        # Verb: chased, Agent: The dog that Mary fed, Theme: a cat, Time: yesterday
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import TypeAlias

from compsim.graph import Edge, Node, RoleGraph
from compsim.graph.nodes import ANY, READING
from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.analysis import Analysis, AnalysisParser
from compsim.parsers.roles.candidates import MAX_CLIMB
from compsim.parsers.roles.consolidation import from_propbank
from compsim.parsers.roles.events import events, verb_of
from compsim.parsers.roles.features.phrases import Features
from compsim.parsers.roles.labeller import OWN_LABELS, STANDARD_LABEL, Argument, Frame, core
from compsim.parsers.roles.nominal import is_noun
from compsim.parsers.roles.paths import PATHS
from compsim.parsers.roles.readings import COPULA, SAYS, TURNED, is_copula, readings
from compsim.parsers.roles.retelling import retold

__all__ = ["SrlParser", "warm_up"]

FUNCTIONS = {"nsubj": "subject", "agent": "subject", "dobj": "object", "nsubjpass": "object"}
#: PropBank's tag of goals. One after a preposition of place is a place, any other rather somebody,
#: as VerbNet's links have it where a roleset has some.
_GOAL = "ARGM-GOL"
_PLACED = PATHS | {"in", "on"}
#: Roles of places, and PropBank's modifiers that are one or the other by VerbNet's frames.
_PLACES = ("Location", "Trajectory")
_OF_PLACES = ("ARGM-DIR", "ARGM-GOL", "ARGM-LOC")
#: PropBank's mark of a relative word, which RoleGraph.frames() replaces by its noun.
_RELATIVE = "R-"
#: What VerbNet calls who or what changes: of a subject that PropBank has as ARG1, its role.
_CHANGING = "patient"
_OTHER_UNDERGOER = {"Theme": "Patient", "Patient": "Theme"}

#: The role of a phrase, its PropBank label and its node.
Phrase: TypeAlias = tuple[str, str | None, Node]
_TRIMMED = frozenset(["--"]).union(",;:.!?-()[]\"'`\u2013\u2014\u2018\u2019\u201c\u201d\u2026")


class SrlParser(AnalysisParser):
    """VerbNet-style semantic roles; ``pipeline`` is the name or folder of a spaCy pipeline.

    A text without a verb is a frame around its head, a noun is also a phrase in any role. A text
    without a word gets a failed graph.
    """

    name = credit = "srl"

    def graph(self, analysis: Analysis) -> RoleGraph:
        """One star per predicate, the main one as the root."""
        tree, verbs = analysis
        text, kids = tree.text, tree.children()
        frames = retold(tree, kids, verbs)
        if not frames:
            reason = "no word found" if text.strip() else "empty text"
            return RoleGraph.failed(text, reason, parser=self.name)
        by_token = {frame.predicate: frame for frame in frames}
        own = [by_token[verb.predicate] for verb in verbs if verb.predicate in by_token]
        # What stands for a verb that only introduced it may be the main one.
        main = _main_predicate(tree, own if len(own) == len(verbs) > 0 else frames)
        phrases = _Phrases(tree, self._labeller.lexicon)
        stars = _Stars()
        for frame in sorted(frames, key=lambda frame: frame is not main):
            filled = phrases.of(frame)
            told = (COPULA, *frame.features) if is_copula(tree, frame) else frame.features
            predicate = _featured(phrases.predicate(frame), _in_roles(told, filled))
            if _nobody(tree, frame, filled) and not predicate.feature("polarity"):
                predicate = _featured(predicate, (("polarity", "-"),))
            hub = stars.add(predicate, filled)
            told_first = _fillers(filled), frame.sense
            for reading in readings(tree, kids, frame, by_token, events()):
                other = phrases.of(reading)
                if (_fillers(other), reading.sense) != told_first:
                    told = _in_roles(reading.features, other)
                    node = _featured(predicate, told, reading.sense)
                    stars.add(node, other, reading_of=hub)
            if not verbs and is_noun(tree, frame.predicate):
                stars.add(predicate, [(ANY, None, phrases.around(frame))], reading_of=hub)
        return RoleGraph(tuple(stars.nodes), tuple(stars.edges), 0, text, parser=self.name)


class _Phrases:
    """The phrases of the frames of one text; those of the same words are one node."""

    def __init__(self, tree: Tree, lexicon: Mapping[str, Mapping[str, Mapping[str, str]]]) -> None:
        self._tree = tree
        self._lexicon = lexicon
        self._features = Features(tree)
        self._nodes: dict[tuple[str | int, ...], Node] = {}
        self._tokens: dict[tuple[int, tuple[int, ...]], dict[int, Sequence[int]]] = {}

    def predicate(self, frame: Frame) -> Node:
        """The node of a predicate, with its particles."""
        at, deps = frame.predicate, self._tree.deps
        words = [at]
        for kid in self._features.kids[at]:
            if deps[kid] == "prt":
                words.append(kid)
        return self._written(sorted(words), frame.sense, self._features.predicate(frame))

    def of(self, frame: Frame) -> list[Phrase]:
        """The phrases of a frame, each role once, in text order; particles belong to the verb."""
        sense = frame.sense or ""
        links = self._lexicon.get(verb_of(sense), {}).get(sense, {})
        tokens = self._argument_tokens(frame)
        arguments = [argument for argument in frame.arguments if argument.relation != "prt"]
        oblique = events().oblique(sense)
        told = [(a.label, self._linked(a, links, oblique.roles), a.relation) for a in arguments]
        found = []
        for role, label, places in _slots(tuple(told), frame.passive):
            pieces = [tokens[arguments[place].head] for place in places]
            own = pieces[0] if len(pieces) == 1 else sorted(set(chain.from_iterable(pieces)))
            if own:
                modifier = label is not None and not core(label)
                node = self._node(own) if modifier else self._marked(own, oblique.same)
                found.append((own[0], (role, label, node)))
        found.sort(key=itemgetter(0))
        return [phrase for _, phrase in found]

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

    def around(self, frame: Frame) -> Node:
        """The whole noun phrase of a frame without a verb, without what it is joined with."""
        at, deps = frame.predicate, self._tree.deps
        kids = self._features.kids[at]
        joined = [kid for kid in kids if deps[kid] in ("cc", "conj", "appos", "punct")]
        return self._node(self._tree.parts([at], joined)[at])

    def _argument_tokens(self, frame: Frame) -> dict[int, Sequence[int]]:
        """Tokens of each argument, by its head: its subtree without what belongs to another part.

        An argument above the predicate (the noun of a relative clause) does not contain the clause.
        """
        more = [argument for argument in frame.arguments if argument.more]
        heads = [argument.head for argument in frame.arguments]
        heads += chain.from_iterable(argument.more for argument in more)
        key = frame.predicate, tuple(heads)
        found = self._tokens.get(key)
        if found is None:
            above = [frame.predicate]
            for _ in range(MAX_CLIMB):  # no argument is further up
                above.append(self._tree.heads[above[-1]])
            found = self._tokens[key] = {
                head: _without_case(self._tree, head, words)
                for head, words in self._tree.parts(heads, above).items()
            }
        if not more:
            return found
        joint = {
            argument.head: {i for head in (argument.head, *argument.more) for i in found[head]}
            for argument in more
        }
        return {**found, **{head: sorted(words) for head, words in joint.items()}}

    def _node(self, words: Sequence[int]) -> Node:
        """The node of the given tokens, in text order, with their features."""
        key = tuple(words)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = self._written(words, None, self._features.phrase(words))
        return node

    def _marked(self, words: Sequence[int], same: Mapping[str, str]) -> Node:
        """The node of a phrase with the preposition that stands for all that mark its role."""
        node = self._node(words)
        own = (node.feature("prep") or "").partition(" ")[0]
        other = same.get(own, own)
        if other == own:
            return node
        return self._nodes.setdefault((other, *words), _featured(node, (("prep", other),)))

    def _written(
        self, words: Sequence[int], sense: str | None, features: tuple[tuple[str, str], ...]
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


def _nobody(tree: Tree, frame: Frame, phrases: list[Phrase]) -> bool:
    """Whether a participant is none, also where it stands in another clause.

    "There is no man playing": nobody plays. Of a complement the verb above says what is true:
    "nobody refused to sign".
    """
    for _, label, node in phrases:
        if node.feature("quant") == "no" and core(label or ""):
            return tree.deps[frame.predicate] not in ("xcomp", "ccomp")
    return False


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
        role = _role(label, link, function)
        if role and relative:
            role = relative + role
        # Two undergoers are told apart even where their roles fall together.
        if (core(name) or name == STANDARD_LABEL) and role in slots:
            role = _OTHER_UNDERGOER.get(role, role)
        labels, places = slots.setdefault(role or name, ([], []))
        labels += [name] if name not in OWN_LABELS and name not in labels else []
        places.append(place)
    return [(role, "+".join(labels) or None, places) for role, (labels, places) in slots.items()]


def _role(label: str, link: str | None, function: str) -> str | None:
    """The one of the eight roles that a label stands for, PropBank's or one beside these."""
    return OWN_LABELS.get(label) or from_propbank(label, link, function)


def _undergone(arguments: tuple[tuple[str, str | None, str], ...], subject: int) -> bool:
    """Whether there is a Patient beside the subject: a role for each, whichever of them changes.

    The relative word that stands for the subject is none.
    """
    return any(
        _role(label, link, FUNCTIONS.get(relation, "")) == "Patient"
        for place, (label, link, relation) in enumerate(arguments)
        if place != subject and not label.startswith(_RELATIVE)
    )


class _Stars:
    """The nodes and edges of a graph in the making; readings share the phrases of their base."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self._shared: dict[int, int] = {}

    def add(self, hub: Node, phrases: list[Phrase], reading_of: int | None = None) -> int:
        """Add a star, that of a reading after its base, and return the place of its hub."""
        place = len(self.nodes)
        self.nodes.append(hub)
        if reading_of is None:
            self._shared = {}
        else:
            self.edges.append(Edge(reading_of, READING, place))
        for role, label, node in phrases:
            # The same node, and not one that only says the same.
            target = self._shared.setdefault(id(node), len(self.nodes))
            if target == len(self.nodes):
                self.nodes.append(node)
            self.edges.append(Edge(place, role, target, label))
        return place


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


def _fillers(phrases: list[Phrase]) -> list[tuple[str, Node]]:
    """The phrases with their roles, which are all that a score sees."""
    return [(role, node) for role, _, node in phrases]


def _featured(node: Node, features: tuple[tuple[str, str], ...], sense: str | None = None) -> Node:
    """The node with these features too, in place of its own of the same names."""
    if not features and sense in (None, node.sense):
        return node
    joint = {**dict(node.features), **dict(features)}
    if TURNED in features:
        joint["polarity"] = "+" if node.feature("polarity") == "-" else "-"
    return replace(node, features=tuple(sorted(joint.items())), sense=sense or node.sense)


def _in_roles(
    features: tuple[tuple[str, str], ...], phrases: list[Phrase]
) -> tuple[tuple[str, str], ...]:
    """The features of a frame, the label of the argument that says most as its role."""
    said = dict(features).get(SAYS)
    if said is None:
        return features
    role = next((role for role, label, _ in phrases if said in (label or "").split("+")), "")
    return tuple((name, role if name == SAYS else value) for name, value in features)


def _trimmed(tree: Tree, i: int) -> bool:
    if tree.text[tree.starts[i]].isalnum():
        return False
    word = tree.word(i)
    return word in _TRIMMED or word.isspace()


def warm_up() -> None:
    """Compile what parses in bulk, or load its machine code, ahead of the first call."""
    SrlParser().warm_up()
