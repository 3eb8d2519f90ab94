"""Verbs, adjectives and adverbs that say no more of an event than an auxiliary would.

"She was able to swim" tells of swimming, as "she could swim" does, "he is going to leave" as "he
will leave", "perhaps it rains" as "it may rain". Source: Quirk et al., *A Comprehensive Grammar of
the English Language* (1985), 3.40 to 3.51 (marginal modals, modal idioms, semi-auxiliaries), 4.51
to 4.66 (what they mean), 8.128 (content disjuncts), 16.72 to 16.76 (adjectives with a clause).

What is said of *modality* has a scope: "need not come" is "may stay away", "can not come" is "must
stay away":

>>> scoped("needed", False), scoped("able", False), scoped("necessary", False)
('possible', 'necessary', 'necessary')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from compsim.parsers.pipeline.tree import Tree
from compsim.parsers.roles.labeller import Argument, Frame, core

__all__ = ["MODALS", "SemiModal", "fused", "had_better", "modal_adverb", "scoped", "semi_modal"]

Kids = Sequence[Sequence[int]]


class SemiModal(NamedTuple):
    """What a semi-modal says: its modality and tense, and whether it denies what is below.

    ``host`` is the token of the predicate that it needs, "be" or its own; ``word`` its own.
    """

    modality: str
    tense: str
    denies: bool
    host: int
    word: int


#: Auxiliaries, by what they say (Quirk et al. 1985, 4.51).
MODALS: Final = {
    **dict.fromkeys(("may", "might"), "possible"),
    **dict.fromkeys(("can", "could", "ca"), "able"),
    **dict.fromkeys(("must", "should", "ought"), "necessary"),
    "need": "needed",
}
_SCOPED: Final = {"able": ("possible", "necessary"), "needed": ("necessary", "possible")}
_DENIED: Final = ("able", "", True)
_DOUBTED: Final = ("possible", "", True)
#: Verbs before an infinitive: modality, tense, denial.
_VERBS: Final = {
    "have": ("needed", "", False),
    "need": ("needed", "", False),
    "ought": ("necessary", "", False),
    "get": ("needed", "", False),
    "go": ("", "future", False),
    "use": ("", "past", False),
    # What somebody managed to do, they did (L. Karttunen, "Implicative verbs", 1971).
    **dict.fromkeys(("manage", "happen"), ("", "", False)),
}
#: Participles after "be".
_PARTICIPLES: Final = {
    **dict.fromkeys(("require", "oblige"), ("needed", "", False)),
    **dict.fromkeys(("allow", "permit"), ("able", "", False)),
    **dict.fromkeys(("suppose", "mean"), ("necessary", "", False)),
    "bind": ("necessary", "", False),
}
#: Adjectives after "be".
_ADJECTIVES: Final = {
    "able": ("able", "", False),
    "unable": _DENIED,
    "likely": ("possible", "", False),
    "unlikely": _DOUBTED,
    **dict.fromkeys(("bound", "certain", "sure"), ("necessary", "", False)),
    "about": ("", "future", False),
    "supposed": ("necessary", "", False),
}
#: Adjectives after "it is", before a clause or an infinitive.
_IMPERSONAL: Final = {
    **dict.fromkeys(("possible", "conceivable"), ("able", "", False)),
    **dict.fromkeys(("likely", "probable"), ("possible", "", False)),
    **dict.fromkeys(("necessary", "essential", "obligatory"), ("needed", "", False)),
    "certain": ("necessary", "", False),
    "impossible": _DENIED,
    **dict.fromkeys(("unlikely", "improbable"), _DOUBTED),
}
#: Disjuncts that say that something may be so.
_ADVERBS: Final = frozenset(
    ("perhaps", "maybe", "possibly", "probably", "conceivably", "presumably")
)
#: PropBank's label of auxiliaries that say how sure something is.
_MODAL: Final = "ARGM-MOD"
#: The lemmas of those, and of "better".
_MODAL_WORDS: Final = _ADVERBS | {"well", "better", "good"}
_ALL: Final = frozenset((*_VERBS, *_PARTICIPLES, *_ADJECTIVES, "be"))
_HAVE: Final = frozenset(("have", "'ve", "ve"))


def scoped(modality: str, truth: bool) -> str:
    """``possible`` or ``necessary``: what a modality says of an event, or of its not being so."""
    return _SCOPED.get(modality, (modality, modality))[not truth]


def semi_modal(tree: Tree, kids: Kids, below: int) -> SemiModal | None:
    """The semi-modal that verb ``below`` hangs on, None where it hangs on none."""
    at, dep = tree.heads[below], tree.deps[below]
    lemma = tree.lemmas[at]
    if lemma not in _ALL or at >= below or dep not in ("xcomp", "ccomp", "advcl"):
        return None
    infinitive = any(tree.tags[kid] == "TO" for kid in kids[below])
    host = word = at
    if infinitive and dep == "xcomp" and _is_yet(tree, kids, at, below):
        return SemiModal("", "", True, at, at)
    if lemma == "be":
        word = _impersonal(tree, kids, at) if dep != "advcl" or infinitive else at
        found = _IMPERSONAL.get(tree.lemmas[word])
    elif dep != "xcomp" or not infinitive or _has(tree, kids, at, "dobj"):
        return None
    elif tree.deps[at] == "acomp":
        found, host = _ADJECTIVES.get(lemma), tree.heads[at]
    elif tree.tags[at] == "VBN" and _has(tree, kids, at, "auxpass"):
        found = _PARTICIPLES.get(lemma)
    else:
        found = _VERBS.get(lemma) if _is_auxiliary(tree, kids, at) else None
    return None if found is None else SemiModal(*found, host, word)


def fused(tree: Tree, kids: Kids, frames: list[Frame]) -> list[Frame]:
    """The frames without those of semi-modals, whose circumstances are those of the event below.

    "In May she was able to leave": she left in May. Whoever allows or obliges stays. The words
    themselves, and adverbs that say no more, are labelled as auxiliaries are.
    """
    by_token = {frame.predicate: frame for frame in frames}
    for frame in frames if len(frames) > 1 else ():
        told = semi_modal(tree, kids, frame.predicate)
        if told is None:
            continue
        host, below = by_token.get(told.host), by_token.get(frame.predicate)
        if host is None or below is None or _has(tree, kids, host.predicate, "agent"):
            continue
        del by_token[host.predicate]
        have = {argument.head for argument in below.arguments} | {below.predicate, told.word}
        more = [a for a in host.arguments if _is_circumstance(tree, a) and a.head not in have]
        more.append(Argument(told.word, _MODAL, tree.deps[told.word]))
        kept = (a for a in below.arguments if a.head != told.word)
        by_token[below.predicate] = below._replace(arguments=tuple(sorted((*kept, *more))))
    if _MODAL_WORDS.isdisjoint(tree.lemmas):
        return list(by_token.values())
    return [_with_adverbs(tree, frame) for frame in by_token.values()]


def modal_adverb(tree: Tree, i: int) -> bool:
    """Whether token ``i`` says that what its clause tells may be so."""
    return tree.lemmas[i] in _ADVERBS


def had_better(tree: Tree, had: int) -> bool:
    """Whether an auxiliary is that of "had better", which is one with its adverb."""
    after = had + 1 < len(tree) and tree.word(had + 1).lower() == "better"
    return after and tree.word(had).lower() in ("had", "'d", "\u2019d")


def _with_adverbs(tree: Tree, frame: Frame) -> Frame:
    """The frame with phrases that only say how sure it is labelled so."""
    arguments = tuple(
        a._replace(label=_MODAL) if a.relation == "advmod" and _is_modal(tree, a.head) else a
        for a in frame.arguments
    )
    return frame._replace(arguments=arguments)


def _is_modal(tree: Tree, adverb: int) -> bool:
    return modal_adverb(tree, adverb) or (adverb > 0 and had_better(tree, adverb - 1))


def _is_circumstance(tree: Tree, argument: Argument) -> bool:
    known = argument.relation in ("prep", "advmod", "npadvmod", "advcl")
    return known and not core(argument.label)


def _impersonal(tree: Tree, kids: Kids, at: int) -> int:
    """The adjective of "it is possible that", "be" itself where it is told of something else."""
    it, adjective = "", at
    for kid in kids[at]:
        if tree.deps[kid] in ("nsubj", "expl"):
            it = tree.lemmas[kid]
        elif tree.deps[kid] == "acomp":
            adjective = kid
    return adjective if it == "it" else at


def _is_yet(tree: Tree, kids: Kids, at: int, below: int) -> bool:
    """Whether an infinitive tells what is not so: "has yet to come", "is yet to come"."""
    yet = any(tree.lemmas[kid] == "yet" and kid < below for kid in kids[at])
    return yet and tree.lemmas[at] in ("have", "be")


def _is_auxiliary(tree: Tree, kids: Kids, at: int) -> bool:
    """Whether a verb before an infinitive is used as one: "going to", "have got to", "used to"."""
    lemma = tree.lemmas[at]
    if lemma == "go":
        return tree.tags[at] == "VBG" and _has(tree, kids, at, "aux")
    if lemma == "get":
        return any(tree.lemmas[kid] in _HAVE for kid in kids[at] if tree.deps[kid] == "aux")
    return lemma != "use" or _has(tree, kids, at, "nsubj", "nsubjpass", "expl")


def _has(tree: Tree, kids: Kids, at: int, *deps: str) -> bool:
    return any(tree.deps[kid] in deps for kid in kids[at])
