"""Semantic roles from a dependency parse: the parser behind ``verbnet-cn``.

A spaCy pipeline gives the tree, the trained labeller gives PropBank rolesets and arguments, and the
VerbNet links of the roleset turn those into the eight roles; every predicate becomes a star, the
main one is the root of the graph. The pipeline is the one that compsim ships unless another is
named; any English pipeline with ClearNLP labels will do (``en_core_web_sm``, ``md``, ``lg``,
``trf``)::

    from compsim.parsers.roles.srl import SrlParser
    graph, = SrlParser().parse(["The dog that Mary fed chased a cat yesterday."])
    graph.roles()        # Verb: chased, Agent: The dog that Mary fed, Theme: a cat, Time: yesterday

From PropBank labels and VerbNet's thematic roles to the eight roles of VerbNet-CN (paper 001,
section 4.6): Agent, Patient and Theme are kept, "most of the less common roles" are grouped into
Location, Trajectory, Manner and Time. Which goes where follows VerbNet's own role hierarchy: kinds
of actors are Agents, what undergoes a change or is affected is a Patient, what is moved, used,
perceived or talked about is a Theme, places that paths begin or end at belong to the Trajectory
(VerbNet's Source and Goal are no places: the giver and the getter of a transfer), and what tells
how or why belongs to Manner.

>>> consolidate("Initial_Location"), consolidate("experiencer"), consolidate("Axis")
('Trajectory', 'Agent', None)
>>> from_propbank("ARG1", "experiencer", "object"), from_propbank("ARGM-TMP")
('Patient', 'Time')
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from compsim.graph import Edge, Node, RoleGraph
from compsim.graph.nodes import READING
from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.analysis import Analysis, AnalysisParser
from compsim.parsers.roles.candidates import MAX_CLIMB
from compsim.parsers.roles.events import events, verb_of
from compsim.parsers.roles.features.phrases import Features
from compsim.parsers.roles.labeller import PLACE_LABEL, Argument, Frame, core
from compsim.parsers.roles.readings import COPULA, is_copula, readings
from compsim.parsers.roles.retelling import retold

__all__ = [
    "MODIFIERS",
    "VERBNET_TO_EIGHT",
    "SrlParser",
    "consolidate",
    "from_propbank",
    "warm_up",
]

VERBNET_TO_EIGHT: dict[str, str] = {
    "Actor": "Agent",
    "Affector": "Agent",
    "Agent": "Agent",
    "Asset": "Theme",
    "Attribute": "Theme",
    "Beneficiary": "Patient",
    "Cause": "Agent",
    "Causer": "Agent",
    "Circumstance": "Manner",
    "Co-Agent": "Theme",
    "Co-Patient": "Theme",
    "Co-Theme": "Theme",
    "Destination": "Trajectory",
    "Duration": "Time",
    "Eventuality": "Theme",
    "Experiencer": "Agent",
    "Extent": "Manner",
    "Goal": "Patient",
    "Initial_Location": "Trajectory",
    "Initial_State": "Theme",
    "Instrument": "Theme",
    "Location": "Location",
    "Maleficiary": "Patient",
    "Manner": "Manner",
    "Material": "Theme",
    "Path": "Trajectory",
    "Patient": "Patient",
    "Pivot": "Agent",
    "Predicate": "Theme",
    "Product": "Theme",
    "Proposition": "Theme",
    "Purpose": "Manner",
    "Recipient": "Patient",
    "Reflexive": "Patient",
    "Result": "Theme",
    "Source": "Theme",
    "Stimulus": "Theme",
    "Subeventuality": "Theme",
    "Theme": "Theme",
    "Time": "Time",
    "Topic": "Theme",
    "Trajectory": "Trajectory",
    "Value": "Theme",
}

# Mood, negation, discourse markers and light-verb bookkeeping name no participant or circumstance.
MODIFIERS: dict[str, str] = {
    "ARGM-ADV": "Manner",
    "ARGM-CAU": "Manner",
    "ARGM-COM": "Theme",
    "ARGM-DIR": "Trajectory",
    "ARGM-EXT": "Manner",
    "ARGM-GOL": "Trajectory",
    "ARGM-LOC": "Location",
    "ARGM-MNR": "Manner",
    "ARGM-PRD": "Theme",
    "ARGM-PRP": "Manner",
    "ARGM-PRR": "Theme",
    "ARGM-TMP": "Time",
}

FUNCTIONS = {"nsubj": "subject", "dobj": "object", "nsubjpass": "object"}
#: PropBank's mark of a relative word, which RoleGraph.frames() replaces by its noun.
_RELATIVE = "R-"
_OTHER_UNDERGOER = {"Theme": "Patient", "Patient": "Theme"}
_TRIMMED = frozenset(["--"]).union(",;:.!?-()[]\"'`\u2013\u2014\u2018\u2019\u201c\u201d\u2026")


class SrlParser(AnalysisParser):
    """VerbNet-style semantic roles; ``pipeline`` is the name or folder of a spaCy pipeline.

    A text without a verb is a frame around its head; one without a word gets a failed graph.
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
        features = Features(tree)
        main = _main_predicate(tree, own or frames)
        stars = _Stars()
        for frame in sorted(frames, key=lambda frame: frame is not main):
            copula = (COPULA,) if is_copula(tree, frame) else ()
            node = _predicate_node(tree, frame, features)
            node = _featured(node, (*copula, *frame.features))
            phrases = list(self._phrases(tree, frame, features))
            if not node.feature("polarity") and _nobody(tree, frame, phrases):
                node = _featured(node, (("polarity", "-"),))
            hub = stars.add(node, phrases)
            for reading in readings(tree, kids, frame, by_token, events()):
                told = list(self._phrases(tree, reading, features))
                if (told, reading.sense) != (phrases, frame.sense):
                    other = replace(_featured(node, reading.features), sense=reading.sense)
                    stars.add(other, told, reading_of=hub)
        return RoleGraph(tuple(stars.nodes), tuple(stars.edges), 0, text, parser=self.name)

    def _phrases(
        self, tree: Tree, frame: Frame, features: Features
    ) -> Iterator[tuple[str, str | None, Node]]:
        """(role, PropBank label, phrase) of a star, each role once, in text order."""
        sense = frame.sense or ""
        links = self._labeller.lexicon.get(verb_of(sense), {}).get(sense, {})
        tokens = _argument_tokens(tree, frame)
        slots: dict[str, tuple[list[str], list[int]]] = {}
        for argument in _ordered(frame.arguments):
            relative = _RELATIVE if argument.label.startswith(_RELATIVE) else ""
            label = argument.label.removeprefix(relative)
            function = FUNCTIONS.get(argument.relation, "")
            if function == "subject" and (frame.passive or "Agent" in slots):
                function = ""
            inner = label == PLACE_LABEL
            role = "Location" if inner else from_propbank(label, links.get(label), function)
            if role and relative:
                role = relative + role
            # Two undergoers are told apart even where their roles fall together.
            if core(argument.label) and role in slots:
                role = _OTHER_UNDERGOER.get(role, role)
            labels, words = slots.setdefault(role or argument.label, ([], []))
            labels.append(argument.label)
            words += _without_case(tree, argument.head, tokens[argument.head])
        for role, (labels, words) in sorted(slots.items(), key=lambda slot: min(slot[1][1])):
            if words:
                propbank = "+".join(dict.fromkeys(name for name in labels if name != PLACE_LABEL))
                own = sorted(set(words))
                yield role, propbank or None, _phrase_node(tree, own, None, features.phrase(own))


def _nobody(tree: Tree, frame: Frame, phrases: list[tuple[str, str | None, Node]]) -> bool:
    """Whether a participant is none, also where it stands in another clause.

    "There is no man playing": nobody plays. Of a complement the verb above says what is true:
    "nobody refused to sign".
    """
    if tree.deps[frame.predicate] in ("xcomp", "ccomp"):
        return False
    return any(core(label or "") and node.feature("quant") == "no" for _, label, node in phrases)


class _Stars:
    """The nodes and edges of a graph in the making; readings share the phrases of their base."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []

    def add(
        self, hub: Node, phrases: list[tuple[str, str | None, Node]], reading_of: int | None = None
    ) -> int:
        """Add a star, that of a reading after its base, and return the place of its hub."""
        place = len(self.nodes)
        self.nodes.append(hub)
        if reading_of is None:
            for role, label, node in phrases:
                self.edges.append(Edge(place, role, len(self.nodes), label))
                self.nodes.append(node)
            return place
        self.edges.append(Edge(reading_of, READING, place))
        places = {self.nodes[e.target]: e.target for e in self.edges if e.source == reading_of}
        for role, label, node in phrases:
            if node not in places:
                places[node] = len(self.nodes)
                self.nodes.append(node)
            self.edges.append(Edge(place, role, places[node], label))
        return place


def _ordered(arguments: tuple[Argument, ...]) -> list[Argument]:
    """Direct objects pick their roles first, then other numbered arguments, then modifiers."""
    return sorted(
        arguments,
        key=lambda argument: (
            not core(argument.label),
            FUNCTIONS.get(argument.relation) != "object",
            argument.label,
        ),
    )


def _main_predicate(tree: Tree, frames: list[Frame]) -> Frame:
    """The predicate nearest to the root of the first sentence that has one."""

    up = tree.steps_up()
    return min(frames, key=lambda frame: (*up[frame.predicate], frame.predicate))


def _argument_tokens(tree: Tree, frame: Frame) -> dict[int, list[int]]:
    """Tokens of each argument, by its head: its subtree without what belongs to another part.

    An argument above the predicate (the noun of a relative clause) does not contain the clause.
    """
    tops = {head for argument in frame.arguments for head in _heads(argument)}
    above = [frame.predicate]
    for _ in range(MAX_CLIMB):  # no argument is further up
        above.append(tree.heads[above[-1]])
    parts = tree.parts(tops, above)
    return {
        argument.head: [i for head in _heads(argument) for i in parts[head]]
        for argument in frame.arguments
    }


def _without_case(tree: Tree, head: int, words: list[int]) -> list[int]:
    """The words of a phrase; of an owner's without the "'s", which only marks its role."""
    if tree.deps[head] != "poss":
        return words
    return [i for i in words if tree.deps[i] != "case" or tree.heads[i] != head]


def _heads(argument: Argument) -> tuple[int, ...]:
    return (argument.head, *argument.more)


def _predicate_node(tree: Tree, frame: Frame, features: Features) -> Node:
    particles = [kid for kid in features.kids[frame.predicate] if tree.deps[kid] == "prt"]
    words = sorted([frame.predicate, *particles])
    return _phrase_node(tree, words, frame.sense, features.predicate(frame))


def _phrase_node(
    tree: Tree, words: list[int], sense: str | None, features: tuple[tuple[str, str], ...]
) -> Node:
    """Node of the given tokens; ``parts`` are set where they are not contiguous."""
    first, last = 0, len(words) - 1
    while first < last and _trimmed(tree, words[last]):
        last -= 1
    while first < last and _trimmed(tree, words[first]):
        first += 1
    parts: list[tuple[int, int]] = []
    if words[last] - words[first] == last - first:  # one stretch, as most phrases are
        parts.append((tree.starts[words[first]], tree.ends[words[last]]))
    else:
        before = -2
        for i in words[first : last + 1]:
            start = parts.pop()[0] if i == before + 1 else tree.starts[i]
            parts.append((start, tree.ends[i]))
            before = i
    label = " ".join(tree.text[start:end] for start, end in parts)
    span = (parts[0][0], parts[-1][1])
    return Node(label, span, sense, None, tuple(parts) if len(parts) > 1 else (), features)


def _featured(node: Node, features: tuple[tuple[str, str], ...]) -> Node:
    """The node with these features too, in place of its own of the same names."""
    if not features:
        return node
    return replace(node, features=tuple(sorted({**dict(node.features), **dict(features)}.items())))


def _trimmed(tree: Tree, i: int) -> bool:
    word = tree.word(i)
    return word in _TRIMMED or word.isspace()


def warm_up() -> None:
    """Compile what parses in bulk, or load its machine code, ahead of the first call."""
    SrlParser().warm_up()


def consolidate(role: str) -> str | None:
    """Return which of the eight a VerbNet role or PropBank modifier is, None where none fits."""
    return MODIFIERS.get(role) or VERBNET_TO_EIGHT.get(_spelling(role))


@cache
def from_propbank(label: str, verbnet: str | None = None, function: str = "") -> str | None:
    """Return which of the eight roles a PropBank argument counts as, None where none fits.

    ``verbnet`` is the thematic role that the argument's roleset links to, if any, or the modifier
    label that says what a numbered argument without a link is; ``function`` is
    its grammatical function, ``"subject"`` (of an active clause), ``"object"`` or neither.

    - A subject is the Agent and an object the Patient, as in every one of the paper's hand-fixed
      pilot sentences, whatever VerbNet calls them (an Experiencer that sees, a Stimulus that
      disgusts, a Theme that is moved, a place that is entered). In the paper's own prompt (section
      8.2.2) even the food of "Food is what people eat" is an Agent.
    - PropBank's ARG0 is the proto-agent of every verb, its ARG4 the end point.
    """
    if not label.startswith("ARG") or label.startswith("ARGM"):
        return MODIFIERS.get(label)
    if label == "ARG0" or function == "subject":
        return "Agent"
    if function == "object":
        return "Patient"
    if label == "ARG4":
        return "Trajectory"
    role = consolidate(verbnet) if verbnet else None
    if role == "Agent" or (role is None and label == "ARG1"):
        return "Patient"
    return role or "Theme"


def _spelling(role: str) -> str:
    parts = role.strip().replace("_", "-").split("-")
    name = "-".join(part.capitalize() for part in parts)
    return name if name.startswith("Co-") else name.replace("-", "_")
