"""Sentences that spread one event over two verbs, told with one.

- Clefts: *It was the nurse that called* and *The one who called was the nurse* are *the nurse
  called*, *What she ate was a cake* is *she ate a cake*, *It was at noon that she ate* is *she ate
  at noon*.
- Existentials: *There is a man cutting bread* is *a man is cutting bread*.
- Participles of feeling: *They were surprised that he won* is *it surprised them*.
- Raising: *The nurse seems to sleep* and *It seems that the nurse sleeps* tell of sleeping.

The frame of the verb that adds nothing is dropped; a negated one adds something and stays::

    frames = plain(tree, tree.children(), frames, events())
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from compsim.parsers.pipeline.tree import RELATIVE_PRONOUNS, Tree
from compsim.parsers.roles.events import Events, verb_of
from compsim.parsers.roles.labeller import Argument, Frame, core
from compsim.parsers.roles.nominal import is_time
from compsim.parsers.roles.readings import is_definite
from compsim.vectors.words import lemma_candidates

__all__ = ["plain"]

#: Openings of a relative clause that a cleft can have.
_OPENINGS = frozenset(["that", "who", "whom"])
#: Nouns and pronouns that stand for any focus of their kind (Huddleston and Pullum 2002, chapter
#: 16, section 9.3).
_GENERAL = frozenset(["one", "person", "thing", "those"])
#: Prepositions of what makes somebody feel so (Quirk et al. 1985, 16.69).
_CAUSES = frozenset(["at", "by", "about", "with"])
_TIME, _PLACE = "ARGM-TMP", "ARGM-LOC"
_SUBJECTS = ("nsubj", "nsubjpass", "expl")

Kids = Sequence[Sequence[int]]


def plain(tree: Tree, kids: Kids, frames: list[Frame], events: Events) -> list[Frame]:
    """The frames without those of verbs that only introduce another one's event."""
    by_token = {frame.predicate: frame for frame in frames}
    for frame in frames:
        at = frame.predicate
        copula, raises = tree.lemmas[at] == "be", frame.sense in events.raising
        if not (copula or raises) or any(tree.deps[kid] == "neg" for kid in kids[at]):
            continue
        if copula:
            told = (
                _of_cleft(tree, kids, at, by_token)
                or _of_phrase_cleft(tree, kids, frame, by_token, events)
                or _of_existential(tree, kids, at, by_token)
                or _of_pseudo_cleft(tree, kids, at, by_token)
                or _of_feeling(tree, kids, frame, events)
            )
        else:
            told = {i: by_token[i] for i in _below(tree, kids, at, ("xcomp", "ccomp"), by_token)}
        if told:
            del by_token[at]
            by_token.update(told)
    return list(by_token.values())


def _below(
    tree: Tree, kids: Kids, at: int, deps: Iterable[str], known: dict[int, Frame]
) -> list[int]:
    return [kid for kid in kids[at] if tree.deps[kid] in deps and kid in known]


def _first(tree: Tree, kids: Kids, at: int, *deps: str) -> int | None:
    return next((kid for kid in kids[at] if tree.deps[kid] in deps), None)


def _of_cleft(tree: Tree, kids: Kids, at: int, known: dict[int, Frame]) -> dict[int, Frame]:
    """The clause of *It was the nurse that called*, with the nurse in her place."""
    subject, focus = _first(tree, kids, at, *_SUBJECTS), _first(tree, kids, at, "attr")
    if subject is None or focus is None or tree.word(subject).lower() != "it":
        return {}
    # "It is a book that I like" may tell what a thing is.
    if not is_definite(tree, kids, focus):
        return {}
    for clause in _below(tree, kids, focus, ("relcl",), known):
        word = _first_relative(tree, kids, clause)
        if word is not None and tree.word(word).lower() in _OPENINGS:
            return {clause: _filled(tree, kids, known[clause], focus, word)}
    return {}


def _of_phrase_cleft(
    tree: Tree, kids: Kids, frame: Frame, known: dict[int, Frame], events: Events
) -> dict[int, Frame]:
    """The clause of *It was on Friday that she called*, with the phrase in it."""
    at = frame.predicate
    subject, phrase = _first(tree, kids, at, *_SUBJECTS), _first(tree, kids, at, "prep")
    if subject is None or phrase is None or tree.word(subject).lower() != "it" or phrase < at:
        return {}
    for clause in _below(tree, kids, at, ("ccomp", "advcl"), known):
        that = next((k for k in kids[clause] if tree.word(k).lower() == "that"), clause)
        if phrase < that < clause and not tree.deps[that].startswith("nsubj"):
            told = known[clause]
            label = next((a.label for a in frame.arguments if a.head == phrase), "ARG2")
            if core(label):
                label = events.marked(told.sense or "", tree.lemmas[phrase]) or _PLACE
            if label in (_TIME, _PLACE):
                label = _TIME if is_time(tree, kids, phrase) else _PLACE
            rest = (a for a in told.arguments if a.head != that)
            arguments = (*rest, Argument(phrase, label, "prep"))
            return {clause: told._replace(arguments=tuple(sorted(arguments)))}
    return {}


def _of_existential(tree: Tree, kids: Kids, at: int, known: dict[int, Frame]) -> dict[int, Frame]:
    """The participle or relative clause of *There is a man who is cutting bread*."""
    noun = _first(tree, kids, at, "attr", "dobj", "nsubj")
    there = _first(tree, kids, at, "expl")
    if noun is None or there is None or tree.word(there).lower() != "there":
        return {}
    for clause in _below(tree, kids, noun, ("acl", "relcl"), known):
        own = _first(tree, kids, clause, *_SUBJECTS)
        if tree.deps[clause] == "acl" and tree.tags[clause] in ("VBG", "VBN") and own is None:
            return {clause: known[clause]}
        word = _first_relative(tree, kids, clause)
        if tree.deps[clause] == "relcl" and word is not None:
            return {clause: _filled(tree, kids, known[clause], noun, word)}
    # Some parsers hang the participle on the verb.
    for clause in _below(tree, kids, at, ("advcl", "xcomp"), known):
        broken = any(tree.deps[i] in ("punct", "cc") for i in range(noun, clause))
        if tree.tags[clause] == "VBG" and clause > noun and not broken:
            return {clause: _filled(tree, kids, known[clause], noun, None)}
    return {}


def _of_pseudo_cleft(tree: Tree, kids: Kids, at: int, known: dict[int, Frame]) -> dict[int, Frame]:
    """The clause of *What she ate was a cake*, with the cake as what she ate.

    "The one who left was Ann", "Ann was the one who left" and "A cake is what she ate" too.
    """
    subject = _first(tree, kids, at, "nsubj", "csubj")
    told = _first(tree, kids, at, "attr", "ccomp")
    if subject is None or told is None or told < at:
        return {}
    for general, focus in ((subject, told), (told, subject)):
        clause, word = _general_clause(tree, kids, general)
        if clause not in known or word is None:
            continue
        frame = known[clause]
        if clause != general:
            if not is_definite(tree, kids, focus):  # "those who left were cowards"
                continue
            # The noun stands in the clause beside its relative word.
            rest = tuple(a for a in frame.arguments if a.head != general)
            frame = frame._replace(arguments=rest)
        return {clause: _filled(tree, kids, frame, focus, word)}
    return {}


def _of_feeling(tree: Tree, kids: Kids, frame: Frame, events: Events) -> dict[int, Frame]:
    """The passive of *were surprised that he won*: it surprised them."""
    at = frame.predicate
    how, who = _first(tree, kids, at, "acomp"), _first(tree, kids, at, "nsubj")
    if how is None or who is None or not tree.word(how).lower().endswith("ed"):
        return {}
    verbs = (tree.lemmas[how], *lemma_candidates(tree.word(how).lower()))
    sense = next((f"{v}.01" for v in verbs if f"{v}.01" in events.feelings), None)
    cause = next((kid for kid in kids[how] if _is_cause(tree, kids, kid)), None)
    if sense is None or cause is None:
        return {}
    rest = [a for a in frame.arguments if a.head not in (how, who)]
    felt = (Argument(who, "ARG1", "nsubjpass"), Argument(cause, "ARG0", tree.deps[cause]))
    lemma = (("lemma", verb_of(sense)),)
    return {how: Frame(how, sense, tuple(sorted((*rest, *felt))), True, lemma)}


def _is_cause(tree: Tree, kids: Kids, kid: int) -> bool:
    """Whether a clause or a phrase beside a participle names what makes somebody feel so."""
    if tree.deps[kid] in ("prep", "agent"):
        return tree.lemmas[kid] in _CAUSES
    marked = any(tree.deps[k] == "mark" and tree.word(k).lower() == "that" for k in kids[kid])
    return tree.deps[kid] == "ccomp" or (tree.deps[kid] == "advcl" and marked)


def _general_clause(tree: Tree, kids: Kids, at: int) -> tuple[int, int | None]:
    """The clause that a focus is said of, and the word in it that the focus stands for.

    Either a clause with *what*, or one that is relative to a general noun (*the one who*).
    """
    clause = at
    if tree.lemmas[at] in _GENERAL:
        clause = next((kid for kid in kids[at] if tree.deps[kid] == "relcl"), at)
    if clause != at:
        return clause, _first_relative(tree, kids, clause)
    return at, next((kid for kid in kids[at] if tree.word(kid).lower() == "what"), None)


def _first_relative(tree: Tree, kids: Kids, clause: int) -> int | None:
    return next((kid for kid in kids[clause] if tree.tags[kid] in RELATIVE_PRONOUNS), None)


def _filled(tree: Tree, kids: Kids, frame: Frame, noun: int, word: int | None) -> Frame:
    """The frame with a noun for the relative word, or for the subject that it lacks."""
    arguments = [argument for argument in frame.arguments if argument.head not in (noun, word)]
    old = [argument for argument in frame.arguments if argument.head in (noun, word)]
    # Both the word and its noun may be labelled; the word is the one that has a place.
    source = next((each for each in old if each.head == word), old[0] if old else None)
    relation = tree.deps[word] if word is not None else ""
    if source is None:
        missing = not any(tree.deps[kid] in _SUBJECTS for kid in kids[frame.predicate])
        label = "ARG0" if missing or relation.startswith("nsubj") else "ARG1"
        relation = relation or ("nsubj" if missing else "dobj")
    else:
        label = source.label.removeprefix("R-")
        if not relation:
            missing = not any(tree.deps[kid] in _SUBJECTS for kid in kids[frame.predicate])
            relation = "nsubj" if missing else "dobj"
    if frame.passive and relation == "nsubj":
        relation = "nsubjpass"
    if any(argument.label == label for argument in arguments):
        return frame._replace(arguments=tuple(arguments))
    filled = (*arguments, Argument(noun, label, relation))
    return frame._replace(arguments=tuple(sorted(filled)))
