"""Other ways to tell the event of a frame, so that sentences that differ in them can meet.

Each reading is a frame of its own with the same predicate token:

- *converses*: who sells is who is bought from
- *symmetric verbs*: who meets somebody is met by that one, and both meet
- *inchoatives*: what melts is what somebody may have melted
- *subjects*: who dies is the subject of that, as of any verb
- *causatives*: who makes the ice melt melts the ice
- *places*: hay is loaded onto the truck that is loaded with hay, bees swarm in the garden that
  swarms with bees, desks are provided to the school that is provided with desks
- *relations of place*: what hangs above the sofa has the sofa below it
- *copulas*: what is the capital is what the capital is; what has a hole in it is where one is
- *comparisons*: who is taller than another, than whom that one is not taller
- *light verbs*: who makes a decision decides, who gets thanks from somebody is thanked

::

    for reading in readings(tree, tree.children(), frame, by_token, events()):
        reading.sense        # buy.01, of a frame with sell.01
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.events import Events
from compsim.parsers.roles.labeller import Frame
from compsim.parsers.roles.readings.comparisons import (
    SAYS,
    TURNED,
    of_comparison,
    with_standards,
)
from compsim.parsers.roles.readings.copulas import (
    COPULA,
    OWNING,
    existential,
    is_copula,
    is_definite,
    of_copula,
    of_possession,
)
from compsim.parsers.roles.readings.light import event_object, of_light, of_received
from compsim.parsers.roles.readings.places import of_place
from compsim.parsers.roles.readings.relations import of_relation
from compsim.parsers.roles.readings.verbs import (
    of_cause,
    of_converse,
    of_inchoative,
    of_subject,
    of_symmetric,
)

__all__ = [
    "COPULA",
    "SAYS",
    "TURNED",
    "event_object",
    "existential",
    "is_copula",
    "is_definite",
    "readings",
    "with_standards",
]

Kids = Sequence[Sequence[int]]


def readings(
    tree: Tree, kids: Kids, frame: Frame, frames: Mapping[int, Frame], events: Events
) -> Iterator[Frame]:
    """The other readings of a frame; ``frames`` has the frames of all predicates by their token."""
    yield from of_comparison(tree, kids, frame)
    if is_copula(tree, frame):
        yield from of_copula(tree, kids, frame)
        yield from of_relation(tree, kids, frame)
        return
    if frame.sense is None:
        return
    if tree.lemmas[frame.predicate] in OWNING:
        yield from of_possession(tree, kids, frame)
    received = list(of_received(tree, kids, frame, events))
    yield from received
    noun = None if received else event_object(tree, frame, events)
    if noun is not None:
        yield of_light(tree, kids, frame, noun, events)
        return
    told = frame
    if frame.sense in events.places:
        told = of_place(tree, kids, frame, events.places[frame.sense]) or frame
        yield told
    yield from of_converse(tree, told, events)
    if frame.sense in events.symmetric:
        yield from of_symmetric(tree, kids, frame, events)
    yield from of_subject(frame)
    if frame.sense in events.inchoative:
        yield from of_inchoative(frame)
    if frame.sense in events.positions:
        yield from of_relation(tree, kids, frame)
    if frame.sense in events.causing:
        yield from of_cause(tree, kids, frame, frames, events)
