"""Passives without their auxiliary, as headlines have them: *Two divers rescued near Malta*.

A parser takes such a verb for a past tense and the divers for those who rescue. They are not where
the form is known to tell, unless an object stands there, mostly what happened to its subject
(``weights/roles/passives.txt``, counted in plain text), and where the subject has no determiner::

    restore(tree)       # rescued: VBN; divers: "nsubjpass"

Headlines leave out determiners and forms of *be* alike (Quirk et al. 1985, 11.45). *They cooked*,
*the bell rang* and *rebels captured a town* stay as they are.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from compsim.errors import DataError
from compsim.parsers.pipeline.tree import NOUN_TAGS, Tree
from compsim.storage.places import weights_folder

__all__ = ["bare", "pattern", "restore"]

_PAST: Final = ("VBD", "VBN")
_NOUNS: Final = NOUN_TAGS | {"CD"}
#: Beside one of these, what is done is not done to the subject, or the passive is plain.
_OTHERWISE: Final = frozenset(
    ("dobj", "ccomp", "attr", "oprd", "dative", "acomp", "aux", "auxpass", "nsubjpass", "agent")
)
#: Clauses that leave out what they share with the noun or the comparison before them.
_GAPPED: Final = frozenset(("relcl", "acl", "amod"))
_COMPARING: Final = "than"


def restore(tree: Tree) -> None:
    """Make participles of such verbs, and subjects of a passive of their subjects, in place."""
    for subject, dep in enumerate(tree.deps):
        verb = tree.heads[subject]
        if dep == "nsubj" and tree.tags[verb] in _PAST and _is_bare_passive(tree, subject, verb):
            tree.tags[verb] = "VBN"
            tree.deps[subject] = "nsubjpass"


def _is_bare_passive(tree: Tree, subject: int, verb: int) -> bool:
    deps, kids = tree.deps, tree.kids(verb)
    return (
        subject < verb
        and tree.tags[subject] in _NOUNS
        and deps[verb] not in _GAPPED
        and bare(tree, verb)
        and not any(deps[kid] in ("det", "poss") for kid in tree.kids(subject))
        and not any(deps[kid] == "mark" and tree.lemmas[kid] == _COMPARING for kid in kids)
        # "Guards chased and caught a thief": the object is shared.
        and all(bare(tree, kid) for kid in kids if deps[kid] == "conj")
        and pattern(tree, verb) in _patterns()
    )


def bare(tree: Tree, verb: int) -> bool:
    """Whether a verb has neither an object nor an auxiliary."""
    return _OTHERWISE.isdisjoint(tree.deps[kid] for kid in tree.kids(verb))


def pattern(tree: Tree, verb: int) -> str:
    """The form of a verb with its particle and the *to* of an infinitive: ``forced to``."""
    kids = tree.kids(verb)
    particles = [tree.lemmas[kid] for kid in kids if tree.deps[kid] == "prt"]
    infinitive = any(tree.deps[kid] == "xcomp" and kid > verb for kid in kids)
    return " ".join([tree.word(verb).lower(), *particles, *(["to"] if infinitive else ())])


@cache
def _patterns() -> frozenset[str]:
    """Those of the package. Raises DataError where they can not be read."""
    path = weights_folder() / "roles" / "passives.txt"
    try:
        return frozenset(path.read_text(encoding="utf8").splitlines())
    except (OSError, ValueError) as error:
        raise DataError(f"{path} can not be read ({error}): reinstall compsim") from error
