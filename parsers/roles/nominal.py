"""Events that nouns name, and texts that have nothing but nouns.

*The army's destruction of the city* tells what *the army destroyed the city* does. PropBank lists
the noun under the verb's roleset; who has it, or who it is by, is the one who acts, what it is of
is what it happens to, or who does it where nothing can be acted on (*the arrival of the train*).
Other phrases get the role that PropBank's sentences give them most often beside such nouns.

A text without a verb (*Red apples on a table*) is a frame around its head, marked by the feature
``nominal``::

    found = event_nouns(tree, tree.children(), frames, events())
    found = headline(tree, tree.children())
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.events import Events, verb_of
from compsim.parsers.roles.labeller import Argument, Frame

__all__ = ["NOMINAL", "event_nouns", "headline", "is_noun", "noun_arguments"]

#: Feature of the frames of texts without a verb.
NOMINAL = ("nominal", "yes")
_NOUNS = frozenset(["NN", "NNS"])
_PLACES = frozenset((
    "in", "on", "at", "near", "under", "behind", "beside", "above", "below", "inside", "outside",
    "beneath", "between", "over",
))  # fmt: skip
_PHRASES = {
    "amod": "ARGM-MNR",
    "compound": "ARGM-MNR",
    "nmod": "ARGM-MNR",
    "poss": "ARGM-MNR",
    "advmod": "ARGM-MNR",
    "npadvmod": "ARGM-TMP",
    "acl": "ARGM-ADV",
    "relcl": "ARGM-ADV",
}
#: Letters of the scripts that English is written in end here.
_LATIN = 0x250

Kids = Sequence[Sequence[int]]


def event_nouns(tree: Tree, kids: Kids, taken: Container[int], events: Events) -> Iterator[Frame]:
    """The frames of nouns that name an event and say who or what takes part in it.

    ``taken`` are tokens that have a frame already, or whose event another frame tells.
    """
    for at, tag in enumerate(tree.tags):
        if tag in _NOUNS and at not in taken:
            sense = events.nouns.get(tree.lemmas[at])
            if sense is None or tree.deps[at] in ("compound", "amod"):
                continue
            arguments = noun_arguments(tree, kids, at, sense, events)
            if any(argument.label in ("ARG0", "ARG1") for argument in arguments):
                yield Frame(at, sense, arguments, False, (("lemma", verb_of(sense)),))


def noun_arguments(
    tree: Tree, kids: Kids, at: int, sense: str, events: Events
) -> tuple[Argument, ...]:
    """Who and what takes part in the event of a noun: only if someone or something surely does."""
    owner = next((kid for kid in kids[at] if tree.deps[kid] == "poss"), None)
    phrases: dict[str, int] = {}
    for kid in kids[at]:
        if tree.deps[kid] in ("prep", "agent") and any(tree.deps[k] == "pobj" for k in kids[kid]):
            phrases.setdefault(tree.lemmas[kid], kid)
    of, by = phrases.pop("of", None), phrases.pop("by", None)
    # "The firm's acquisition" is an event; "the bank's vault" need not be.
    named = owner is not None and sense in events.transitive
    if verb_of(sense) == tree.lemmas[at] or tree.lemmas[at].endswith("ing"):
        named = False
    if of is None and by is None and not named:
        return ()
    subject = events.subject_of(sense)
    can_act_on = sense in events.transitive
    found: dict[str, Argument] = {}
    if by is not None and can_act_on:
        found["ARG0"] = Argument(by, "ARG0", "agent")
    if of is not None:
        if can_act_on:
            found["ARG1"] = Argument(of, "ARG1", "dobj")
        elif owner is None:
            found[subject] = Argument(of, subject, "nsubj")
        else:
            label = events.marked(sense, "of") or "ARG1"
            found[label] = Argument(of, label, "dobj" if label == "ARG1" else "prep")
    if owner is not None:
        label = subject if "ARG0" not in found else "ARG1"
        # "the city's destruction by the army"
        function = "nsubj" if label == subject else "dobj"
        found.setdefault(label, Argument(owner, label, function))
    for marker, kid in phrases.items():
        role = events.marked(sense, marker)
        if role:
            found.setdefault(role, Argument(kid, role, "prep"))
    for kid in kids[at]:
        if tree.deps[kid] == "amod":
            found.setdefault("ARGM-MNR", Argument(kid, "ARGM-MNR", "amod"))
    return tuple(sorted(found.values()))


def headline(tree: Tree, kids: Kids, events: Events) -> list[Frame]:
    """The frames of a text without a verb: one around each of its heads, none without a word."""
    frames: list[Frame] = []
    for at, head in enumerate(tree.heads):
        if head == at and _is_word(tree, at):
            frames += (_around(tree, kids, i, events) for i in _coordinated(tree, kids, at))
    if not frames:
        words = [at for at in range(len(tree)) if _is_word(tree, at)]
        frames = [_around(tree, kids, words[-1], events)] if words else []
    return frames


def is_noun(tree: Tree, at: int) -> bool:
    """Whether a token is a noun or a name."""
    return tree.tags[at] in ("NN", "NNS", "NNP", "NNPS")


def _is_word(tree: Tree, at: int) -> bool:
    """Whether a token is a word or number that English may have."""
    word = tree.word(at)
    return any(letter.isalnum() and ord(letter) < _LATIN for letter in word)


def _coordinated(tree: Tree, kids: Kids, at: int) -> Iterator[int]:
    """A head and what it is joined with (*two dogs and a cat*)."""
    queue = [at]
    while queue:
        here = queue.pop(0)
        yield here
        queue += (kid for kid in kids[here] if tree.deps[kid] in ("conj", "appos"))


def _around(tree: Tree, kids: Kids, at: int, events: Events) -> Frame:
    """The frame of a head with what stands around it."""
    sense = events.nouns.get(tree.lemmas[at]) if tree.tags[at] in _NOUNS else None
    if sense is not None:
        found = noun_arguments(tree, kids, at, sense, events)
        if found:
            return Frame(at, sense, found, False, (("lemma", verb_of(sense)), NOMINAL))
    arguments = []
    for kid in kids[at]:
        label = _PHRASES.get(tree.deps[kid], "")
        if tree.deps[kid] == "prep":
            label = _of_phrase(tree, kids, kid)
        if label:
            arguments.append(Argument(kid, label, tree.deps[kid]))
    return Frame(at, None, tuple(arguments), False, (NOMINAL,))


def _of_phrase(tree: Tree, kids: Kids, at: int) -> str:
    """What a prepositional phrase says of a noun."""
    if any(tree.deps[kid] == "pobj" and tree.tags[kid] == "CD" for kid in kids[at]):
        return "ARGM-TMP"
    return "ARGM-LOC" if tree.lemmas[at] in _PLACES else "ARGM-PRD"
