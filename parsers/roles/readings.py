"""Other ways to tell the event of a frame, so that sentences that differ in them can meet.

Each reading is a frame of its own with the same predicate token:

- *converses*: who sells is who is bought from
- *inchoatives*: what melts is what somebody may have melted
- *causatives*: who makes the ice melt melts the ice
- *places*: hay is loaded onto the truck that is loaded with hay, bees swarm in the garden that
  swarms with bees
- *copulas*: what is the capital is what the capital is; what there is is somewhere
- *light verbs*: who makes a decision decides

::

    for reading in readings(tree, tree.children(), frame, events()):
        reading.sense        # buy.01, of a frame with sell.01
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.events import Events, verb_of
from compsim.parsers.roles.labeller import Argument, Frame, core
from compsim.parsers.roles.nominal import may_act, noun_arguments

__all__ = ["COPULA", "event_object", "is_copula", "is_definite", "readings"]

#: Feature of the frames of "be", which say little by themselves.
COPULA = ("copula", "yes")
#: PropBank's label of the noun that carries the meaning of a light verb.
_CARRIED = "ARGM-PRR"
#: Light verbs that are too often heavy (*have a building*) for nouns not known to go with them.
_HEAVY = frozenset(["have", "get"])
#: Nouns that a light verb must be known to go with to go with others too.
_MANY = 5
#: What marks a topic or a partner: with these, *have an argument* is to argue.
_TALKED = frozenset(["about", "with"])
_DEFINITE = frozenset(["the", "this", "that", "these", "those", "my", "your", "his", "her", "its"])
_DEFINITE |= {"our", "their", "whose"}
_SUBJECTS = ("nsubj", "nsubjpass")
#: Prepositions of who gives or gets.
_PARTIES = frozenset(["to", "from", "by", "off", "of"])
#: Prepositions that put nothing anywhere.
_NO_PLACES = frozenset(["with", "of", "for", "by", "about", "as"])

Kids = Sequence[Sequence[int]]


def readings(
    tree: Tree, kids: Kids, frame: Frame, frames: Mapping[int, Frame], events: Events
) -> Iterator[Frame]:
    """The other readings of a frame; ``frames`` has the frames of all predicates by their token."""
    if is_copula(tree, frame):
        yield from _of_copula(tree, kids, frame)
        return
    if frame.sense is None:
        return
    noun = event_object(tree, frame, events)
    if noun is not None:
        yield _of_light(tree, kids, frame, noun, events)
        return
    yield from _of_converse(tree, frame, events)
    if frame.sense in events.inchoative:
        yield from _of_inchoative(frame)
    if frame.sense in events.places:
        yield from _of_place(tree, kids, frame, events.places[frame.sense])
    if frame.sense in events.causing:
        yield from _of_cause(tree, kids, frame, frames, events)


def is_copula(tree: Tree, frame: Frame) -> bool:
    """Whether a frame is that of *be*, used as a verb."""
    return tree.lemmas[frame.predicate] == "be" and frame.features == ()


def _of_converse(tree: Tree, frame: Frame, events: Events) -> Iterator[Frame]:
    own = {argument.label: argument for argument in frame.arguments}
    for sense, labels in events.converses.get(frame.sense or "", ()):
        # Verbs of order (precede, follow) exchange ARG1 and ARG2; a subject is the first of them.
        actor, undergoer = ("ARG0", "ARG1") if "ARG0" in labels else ("ARG1", "ARG2")
        if actor == "ARG1" and "ARG0" in own:
            own.setdefault("ARG1", own["ARG0"])
        theirs = {label: own[ours] for label, ours in labels.items() if ours in own}
        if actor not in theirs or not _is_party(tree, theirs[actor]):
            continue
        acts_on = undergoer == "ARG2" or sense in events.transitive
        arguments = [a for a in frame.arguments if not core(a.label)]
        for label, argument in theirs.items():
            function = {actor: "nsubj", undergoer: "dobj" if acts_on else ""}.get(label, "")
            arguments.append(argument._replace(label=label, relation=function))
        lemma = ("lemma", verb_of(sense))
        yield Frame(frame.predicate, sense, tuple(sorted(arguments)), False, (lemma,))


def _is_party(tree: Tree, argument: Argument) -> bool:
    """Whether an argument may be who gives or gets: bought *from*, sold *to*, but not *for*."""
    if argument.relation not in ("prep", "dative"):
        return True
    return tree.tags[argument.head] not in ("IN", "TO") or tree.lemmas[argument.head] in _PARTIES


def _of_inchoative(frame: Frame) -> Iterator[Frame]:
    """What melts, as what is melted: only where nobody else may be the one who acts."""
    labels = {argument.label for argument in frame.arguments}
    subject = next((a for a in frame.arguments if a.relation == "nsubj"), None)
    if frame.passive or subject is None or subject.label != "ARG1" or "ARG0" in labels:
        return
    if any(argument.relation == "dobj" for argument in frame.arguments):
        return
    yield frame._replace(
        arguments=tuple(
            argument._replace(relation="nsubjpass") if argument is subject else argument
            for argument in frame.arguments
        )
    )


def _of_place(tree: Tree, kids: Kids, frame: Frame, place: tuple[str, str, str]) -> Iterator[Frame]:
    """The reading in which the theme is the object, or the subject, and the place a phrase."""
    function, marker, label = place
    wanted = ("dobj", "nsubjpass") if function == "object" else ("nsubj",)
    held = next((a for a in frame.arguments if a.relation in wanted), None)
    themes = [a for a in frame.arguments if a.relation == "prep" and tree.lemmas[a.head] == marker]
    if function == "subject":
        # Who swims with somebody is no place.
        themes = [theme for theme in themes if core(theme.label)]
    if held is None or (function == "subject" and may_act(tree, held.head)):
        return
    theme_function = "dobj" if function == "object" else "nsubj"
    if themes:
        moved = {
            themes[0]: Argument(themes[0].head, "ARG1", theme_function, themes[0].more),
            held: Argument(held.head, label, "", held.more),
        }
    else:
        where = [a for a in frame.arguments if a.relation == "prep" and core(a.label)]
        if not where or tree.lemmas[where[0].head] in _NO_PLACES:
            return
        moved = {
            held: Argument(held.head, "ARG1", theme_function, held.more),
            where[0]: Argument(where[0].head, label, "", where[0].more),
        }
    yield frame._replace(
        arguments=tuple(moved.get(argument, argument) for argument in frame.arguments)
    )


def _of_cause(
    tree: Tree, kids: Kids, frame: Frame, frames: Mapping[int, Frame], events: Events
) -> Iterator[Frame]:
    """Who makes the ice melt, as who melts it."""
    causer = next((a for a in frame.arguments if a.label == "ARG0"), None)
    for kid in kids[frame.predicate]:
        below = frames.get(kid) if tree.deps[kid] in ("ccomp", "xcomp") else None
        if below is None or causer is None or below.sense not in events.inchoative:
            continue
        subjects = [a for a in below.arguments if a.relation in _SUBJECTS]
        if len(subjects) != 1 or any(a.relation == "dobj" for a in below.arguments):
            continue
        rest = [a for a in below.arguments if a is not subjects[0]]
        undergoer = subjects[0]._replace(label="ARG1", relation="dobj")
        actor = Argument(causer.head, "ARG0", causer.relation, causer.more)
        lemma = ("lemma", tree.lemmas[kid])
        arguments = tuple(sorted((*rest, actor, undergoer)))
        yield Frame(frame.predicate, below.sense, arguments, frame.passive, (lemma,))


def _of_copula(tree: Tree, kids: Kids, frame: Frame) -> Iterator[Frame]:
    at = frame.predicate
    by_dep = {tree.deps[kid]: kid for kid in reversed(kids[at])}
    own = {argument.head: argument for argument in frame.arguments}
    if "expl" in by_dep:
        noun = by_dep.get("attr", by_dep.get("dobj"))
        if noun is None or tree.word(by_dep["expl"]).lower() != "there":
            return
        places = [kid for top in (at, noun) for kid in kids[top] if tree.deps[kid] == "prep"]
        places = [kid for kid in places if kid > noun and tree.lemmas[kid] != "of"]
        rest = tuple(a for a in frame.arguments if a.head not in (noun, *places))
        arguments = (*rest, Argument(noun, "ARG1", "nsubj"))
        if places:
            arguments += (Argument(places[0], "ARG2", "prep", tuple(places[1:])),)
        yield frame._replace(sense="be.01", arguments=tuple(sorted(arguments)))
        return
    subject, told = own.get(by_dep.get("nsubj", -1)), own.get(by_dep.get("attr", -1))
    if subject is None or told is None:
        return
    if is_definite(tree, kids, subject.head) and is_definite(tree, kids, told.head):
        swapped = {
            subject: told._replace(label=subject.label, relation="nsubj"),
            told: subject._replace(label=told.label, relation=told.relation),
        }
        yield frame._replace(arguments=tuple(swapped.get(a, a) for a in frame.arguments))


def is_definite(tree: Tree, kids: Kids, noun: int) -> bool:
    """Whether a phrase names something that there is one of."""
    if tree.tags[noun] in ("NNP", "NNPS", "PRP"):
        return True
    if tree.tags[noun] not in ("NN", "NNS"):
        return False
    return any(
        tree.deps[kid] == "poss" or (tree.deps[kid] == "det" and tree.lemmas[kid] in _DEFINITE)
        for kid in kids[noun]
    )


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


def _of_light(tree: Tree, kids: Kids, frame: Frame, noun: int, events: Events) -> Frame:
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
