"""Light verbs: who makes a decision decides, who gets thanks from somebody is thanked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.events import Events, verb_of
from compsim.parsers.roles.labeller import Argument, Frame, core
from compsim.parsers.roles.nominal import noun_arguments

__all__ = ["event_object", "of_light", "of_received"]

#: PropBank's label of the noun that carries the meaning of a light verb.
_CARRIED = "ARGM-PRR"
#: Light verbs that are too often heavy (*have a building*) for nouns not known to go with them.
_HEAVY = frozenset(["have", "get"])
#: Nouns that a light verb must be known to go with to go with others too.
_MANY = 5
_GIVE = "give.01"
#: What marks a topic or a partner: with these, *have an argument* is to argue.
_TALKED = frozenset(["about", "with"])

Kids = Sequence[Sequence[int]]


def event_object(tree: Tree, frame: Frame, events: Events) -> int | None:
    """The noun that carries the meaning of a light verb, None where the verb is not light."""
    verb = tree.lemmas[frame.predicate]
    nouns = events.light.get(verb)
    if nouns is None:
        return None
    for argument in frame.arguments:
        noun = tree.lemmas[argument.head]
        sense = events.nouns.get(noun)
        if sense is None or argument.relation not in ("dobj", "nsubjpass"):
            continue
        if tree.tags[argument.head] not in ("NN", "NNS"):
            continue
        marked = argument.label == _CARRIED or (frame.sense or "").endswith(".LV")
        # A noun with an ending of its own (decision, statement) is hardly ever a thing.
        made = len(nouns) >= _MANY and verb_of(sense) != noun and not noun.endswith("ing")
        if made and (verb in _HEAVY or noun in events.seldom):
            made = noun not in events.seldom and _is_talk(tree, argument.head)
        if marked or noun in nouns or made:
            return argument.head
    return None


def _is_talk(tree: Tree, noun: int) -> bool:
    """Whether a noun has an indefinite article, and a topic or a partner."""
    kids = tree.kids(noun)
    indefinite = any(tree.deps[kid] == "det" and tree.lemmas[kid] in ("a", "an") for kid in kids)
    return indefinite and any(tree.lemmas[kid] in _TALKED for kid in kids if kid > noun)


def of_light(tree: Tree, kids: Kids, frame: Frame, noun: int, events: Events) -> Frame:
    """The frame of the event that a light verb's noun names."""
    sense = events.nouns[tree.lemmas[noun]]
    subject = events.subject_of(sense)
    arguments: list[Argument] = []
    undergoer: Argument | None = None
    for argument in frame.arguments:
        if argument.head == noun:
            continue
        if argument.label == "ARG0" or argument.relation == "nsubj":
            arguments.append(argument._replace(label=subject, relation="nsubj"))
        elif argument.relation == "dative" and undergoer is None:
            undergoer = argument
        elif not core(argument.label) and argument.label != _CARRIED:
            arguments.append(argument)
    taken = {argument.head for argument in arguments}
    for argument in noun_arguments(tree, kids, noun, sense, events):
        if argument.head not in taken and argument.label not in (subject, "ARGM-MNR"):
            if argument.relation == "dobj":
                undergoer = undergoer or argument
            else:
                arguments.append(argument)
    if undergoer is not None:
        arguments.append(undergoer._replace(label="ARG1", relation="dobj"))
    # "pays attention to the girl": the parser hangs the phrase on either word.
    beside = (kid for kid in kids[frame.predicate] if kid > noun and tree.deps[kid] == "prep")
    for kid in (*kids[noun], *beside):
        known = {a.head for a in arguments}, {a.label for a in arguments}
        if tree.deps[kid] == "amod":
            arguments.append(Argument(kid, "ARGM-MNR", "amod"))
        elif tree.deps[kid] == "prep" and kid not in known[0]:
            label = events.marked(sense, tree.lemmas[kid])
            own = tree.heads[kid] == noun or (label and core(label) and label not in known[1])
            if label and own and tree.lemmas[kid] not in ("of", "by"):
                arguments.append(Argument(kid, label, "prep"))
    lemma = ("lemma", verb_of(sense))
    return Frame(frame.predicate, sense, tuple(sorted(set(arguments))), False, (lemma,))


def of_received(tree: Tree, kids: Kids, frame: Frame, events: Events) -> Iterator[Frame]:
    """The event that somebody gets from who does it."""
    verb = tree.lemmas[frame.predicate]
    given = any(sense == _GIVE for sense, _ in events.converses.get(frame.sense or "", ()))
    if not given and verb != "have":
        return
    receiver = next((a for a in frame.arguments if a.relation == "nsubj"), None)
    thing = next((a.head for a in frame.arguments if a.relation == "dobj"), None)
    if receiver is None or thing is None or tree.tags[thing] not in ("NN", "NNS"):
        return
    noun = tree.word(thing).lower()
    sense = events.nouns.get(tree.lemmas[thing], events.nouns.get(noun))
    beside = (kid for kid in (*kids[thing], *kids[frame.predicate]) if tree.lemmas[kid] == "from")
    source = next(beside, None)
    # Most nouns in "-ing" are things as well ("got a painting from a friend").
    if sense is None or source is None or noun in events.seldom or noun.endswith("ing"):
        return
    rest = [a for a in frame.arguments if not core(a.label) and a.head != source]
    told = (
        *rest,
        Argument(source, events.subject_of(sense), "nsubj"),
        receiver._replace(label="ARG1", relation="dobj"),
    )
    yield Frame(frame.predicate, sense, tuple(sorted(told)), False, (("lemma", verb_of(sense)),))
