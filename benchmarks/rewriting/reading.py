"""From a dependency tree to a plain clause, where the sentence is one and nothing else.

The tree has ClearNLP labels, as spaCy's English pipelines give them; ``labels`` say the PropBank
label of each phrase of the main verb by its head.

>>> from compsim.parsers.roles.srl import SrlParser
>>> (tree, frames), = SrlParser().analyse(["The dog has bitten two men."])
>>> clause = read_clause(tree, {a.head: a.label for a in frames[0].arguments})
>>> clause.object.text, clause.group.perfect
('two men', True)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from compsim.benchmarks.rewriting.clause import Clause, Phrase, written
from compsim.benchmarks.rewriting.verb_group import read_group
from compsim.benchmarks.rewriting.words import DATIVE_FOR, DATIVE_TO
from compsim.parsers.pipeline.casing import inner_spelling
from compsim.parsers.pipeline.tree import Tree

__all__ = ["read_clause", "read_clauses"]

_SUBJECTS: Final = frozenset(("nsubj", "nsubjpass"))
_AUXILIARIES: Final = frozenset(("aux", "auxpass"))
_CIRCUMSTANCES: Final = frozenset(("prep", "advmod", "npadvmod", "advcl"))
_NOUNS: Final = frozenset(("NN", "NNS", "NNP", "NNPS", "PRP"))
#: Tags that no phrase of several words ends in.
_UNFINISHED: Final = frozenset(("IN", "TO", "DT", "CC", "PRP$", "MD"))
_ENDS: Final = frozenset((".", "!"))
#: Marks after which text is somebody else's, or no part of the clause.
_STRANGE: Final = (*'"()[]{}:;/*_<>|`?\u201c\u201d\u2018\u2026\u2013\u2014', " - ", "--", "..")
#: Dependents that join a clause to others, or are addressed to somebody.
_JOINING: Final = frozenset(
    ("cc", "conj", "mark", "parataxis", "discourse", "intj", "vocative", "dep", "preconj")
)
#: Labels of verbs that can have a subject of their own, first of those that no question reaches.
_BELOW: Final = frozenset(("advcl", "ccomp"))
_CLAUSES: Final = _BELOW | {"ROOT", "conj", "parataxis"}


@dataclass
class _Found:
    """Phrases collected among the dependents of the verb.

    ``comma`` waits for what it stands before; ``apart``: one stands behind what is in front.
    """

    subject: Phrase | None = None
    passive: bool = False
    object: Phrase | None = None
    recipient: Phrase | None = None
    to: str = ""
    agent: Phrase | None = None
    particle: str = ""
    auxiliaries: list[str] = field(default_factory=list)
    front: list[Phrase] = field(default_factory=list)
    middle: list[str] = field(default_factory=list)
    rest: list[Phrase] = field(default_factory=list)
    before_agent: int = 0
    comma: bool = False
    apart: bool = False


def read_clause(tree: Tree, labels: Mapping[int, str]) -> Clause | None:
    """The clause of a sentence; None for a question, an order, two clauses, and all that is odd."""
    roots = [i for i, head in enumerate(tree.heads) if head == i]
    text = tree.text.strip()
    if len(roots) != 1 or not text or any(mark in text for mark in _STRANGE):
        return None
    last = len(tree) - 1
    if tree.word(last) not in _ENDS or tree.deps[last] != "punct":
        return None  # a title, whose verb may be none
    kids = [kid for kid in tree.kids(roots[0]) if kid != last]
    return _read(tree, labels, roots[0], kids, tree.word(last), text)


def read_clauses(tree: Tree, labels: Mapping[int, Mapping[int, str]]) -> list[Clause]:
    """The clauses inside a sentence, each by itself: what joins it to others is left out.

    That are those of the main verb and of verbs beside or below it that have a subject of their
    own, but for relative clauses; ``labels`` are of each verb by its place. What a clause's
    ``text`` says is the clause as it is written alone.
    """
    asked = tree.text.strip().endswith("?")
    clauses = []
    for verb, of in labels.items():
        if tree.deps[verb] not in _CLAUSES or (asked and tree.deps[verb] not in _BELOW):
            continue
        kids = [kid for kid in tree.kids(verb) if tree.deps[kid] not in _JOINING]
        if kids and tree.deps[kids[0]] == "advmod" and not tree.kids(kids[0]) and kids[0] < verb:
            del kids[0]  # "so", "just"
        # The commas that are left set a circumstance apart, or nothing that is still there.
        kids = [
            kid
            for place, kid in enumerate(kids)
            if tree.deps[kid] != "punct" or _sets_apart(tree, verb, kid, kids[place + 1 :])
        ]
        clause = _read(tree, of, verb, kids, ".", "")
        if clause is not None and (text := written(clause)):
            clauses.append(replace(clause, text=text))
    return clauses


def _sets_apart(tree: Tree, verb: int, comma: int, later: Sequence[int]) -> bool:
    """Return whether a comma stands before a circumstance behind the verb."""
    behind = tree.word(comma) == "," and comma > verb
    return behind and bool(later) and tree.deps[later[0]] in _CIRCUMSTANCES


def _read(
    tree: Tree, labels: Mapping[int, str], verb: int, kids: Sequence[int], end: str, text: str
) -> Clause | None:
    """The clause of these dependents of a verb."""
    if not tree.tags[verb].startswith("VB") or not tree.lemmas[verb].isalpha():
        return None
    if tree.word(verb) != tree.word(verb).lower():
        return None  # SHOUTED, or taken for a name
    result = _Found()
    for place, kid in enumerate(kids):
        following = kids[place + 1] if place + 1 < len(kids) else None
        if not _take(tree, labels, verb, kid, following, result):
            return None
    if result.front and result.front[0].tag == "RB" and not result.apart:
        return None
    group = read_group(result.auxiliaries, tree.word(verb), tree.lemmas[verb], tree.tags[verb])
    if result.subject is None or group is None or result.comma:
        return None
    if group.passive != result.passive or (result.passive and result.object is not None):
        return None
    if result.particle and result.object is not None and result.recipient is not None:
        return None
    return Clause(
        result.subject,
        group,
        result.object,
        result.recipient,
        result.to,
        result.agent,
        tuple(result.front),
        tuple(result.middle),
        result.particle,
        tuple(result.rest),
        result.before_agent,
        end=end,
        text=text,
    )


def _take(
    tree: Tree,
    labels: Mapping[int, str],
    verb: int,
    kid: int,
    following: int | None,
    results: _Found,
) -> bool:
    """Put one dependent of the verb where it belongs; False where it fits nowhere."""
    dep, word = tree.deps[kid], tree.word(kid)
    if dep == "punct":
        return _comma(tree, verb, kid, following, results)
    comma, results.comma = results.comma, False
    phrase = _phrase(tree, kid, labels.get(kid, ""), comma)
    if phrase is None:
        return False
    if dep in _SUBJECTS:
        plain = results.subject is None and kid < verb and not (comma or results.auxiliaries)
        results.subject, results.passive = phrase, dep == "nsubjpass"
        return plain and tree.tags[kid] in _NOUNS
    if dep in _AUXILIARIES or dep == "neg":
        never = dep == "neg" and word.lower() not in ("not", "n't", "n\u2019t")
        (results.middle if never else results.auxiliaries).append(phrase.text)
        return results.subject is not None and kid < verb and not comma and phrase.text == word
    if dep == "dobj":
        plain = not results.object and kid > verb and not (results.rest or comma or results.agent)
        results.object = phrase
        return plain and tree.tags[kid] in _NOUNS
    if dep == "prt":
        plain = not results.particle and kid > verb and not (results.rest or comma or results.agent)
        results.particle = word
        return plain and phrase.text == word
    if dep == "dative" and tree.pos[kid] != "ADP":
        plain = not results.recipient and not results.object and kid > verb and not comma
        results.recipient = phrase
        return plain and tree.tags[kid] in _NOUNS and not results.particle and not results.rest
    if dep == "agent":
        below = _object_of(tree, kid, labels.get(kid, ""))
        plain = results.agent is None and kid > verb and not comma and below is not None
        results.agent, results.before_agent = below, len(results.rest)
        return plain and word.lower() == "by"
    if dep == "dative" or (dep == "prep" and _gives(tree, verb, kid, labels, results)):
        below = _object_of(tree, kid, labels.get(kid, ""))
        plain = results.recipient is None and results.object is not None and not results.rest
        results.recipient, results.to = below, word.lower()
        return plain and below is not None and not comma and word.lower() in ("to", "for")
    if tree.tags[kid].startswith("W"):
        return False
    return dep in _CIRCUMSTANCES and _circumstance(tree, verb, kid, phrase, results)


def _circumstance(tree: Tree, verb: int, kid: int, phrase: Phrase, results: _Found) -> bool:
    if kid > verb:
        results.rest.append(phrase)
        return True
    if results.subject is None:
        results.front.append(phrase)
        order = phrase.tag == "VB" and phrase.inner.isdisjoint(("aux", "mark"))
        return len(results.front) == 1 and not phrase.comma and not order
    results.middle.append(phrase.text)
    return tree.deps[kid] == "advmod" and " " not in phrase.text and not phrase.comma


def _comma(tree: Tree, verb: int, kid: int, following: int | None, results: _Found) -> bool:
    """A comma before a circumstance, or after the one in front."""
    if tree.word(kid) != "," or following is None or results.comma:
        return False
    if kid < verb:
        results.apart = bool(results.front) and results.subject is None
        return results.apart and tree.deps[following] in _SUBJECTS
    results.comma = tree.deps[following] in _CIRCUMSTANCES
    return results.comma


def _gives(tree: Tree, verb: int, kid: int, labels: Mapping[int, str], results: _Found) -> bool:
    """Return whether a preposition makes its noun the recipient of the verb's object."""
    word, lemma, label = tree.word(kid).lower(), tree.lemmas[verb], labels.get(kid, "")
    if results.object is None or results.recipient is not None or kid < verb:
        return False
    if word == "to":
        return lemma in DATIVE_TO and label == "ARG2"
    return word == "for" and lemma in DATIVE_FOR and label in ("ARG2", "ARG3", "ARG4", "ARGM-GOL")


def _object_of(tree: Tree, preposition: int, label: str) -> Phrase | None:
    """The noun behind a preposition, None where there is more or less than that."""
    below = tree.kids(preposition)
    if len(below) != 1 or tree.deps[below[0]] != "pobj" or tree.tags[below[0]] not in _NOUNS:
        return None
    return _phrase(tree, below[0], label, False)


def _phrase(tree: Tree, head: int, label: str, comma: bool) -> Phrase | None:
    """The phrase below a word, None where it is in pieces or ends in a mark."""
    inside = _below(tree, head)
    start, stop = inside[0], inside[-1]
    if stop - start + 1 != len(inside) or tree.deps[stop] == "punct":
        return None
    if len(inside) > 1 and tree.tags[stop] in _UNFINISHED:
        return None
    text = tree.text[tree.starts[start] : tree.ends[stop]]
    if start == 0 and not tree.tags[0].startswith("NNP"):
        text = inner_spelling(text[: tree.ends[0] - tree.starts[0]]) + text[tree.ends[0] :]
    text = " ".join(text.split())
    if any(mark in text for mark in _STRANGE):
        return None
    deps = frozenset(tree.deps[i] for i in inside if i != head)
    joined = {tree.word(i).lower() for i in tree.kids(head) if tree.deps[i] == "cc"}
    if "," in text and "conj" not in deps:
        # Set apart, it would need its commas in any place.
        return None
    return Phrase(
        text, tree.word(head), tree.tags[head], label, "and" in joined, comma, deps | joined
    )


def _below(tree: Tree, head: int) -> list[int]:
    results = [head]
    for i in results:
        results += tree.kids(i)
    return sorted(results)
