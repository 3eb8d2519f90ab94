"""From tokens to concepts: which words have a node in the AMR, and which.

Articles, auxiliaries and punctuation have none, nouns and pronouns their lemma, verbs their
roleset; a nominal predicate is its verb ("attack": attack-01), an agent who does it ("teacher":
person :ARG0-of teach-01), a name hangs below what it names, dates and quantities are entities.
"""

from __future__ import annotations

from typing import Final

from compsim.parsers.amr_rules import tables as closed
from compsim.parsers.amr_rules.scene import VERB_TAGS, Scene
from compsim.parsers.pipeline.tree import NOUN_TAGS

__all__ = ["add_concepts", "any_concept", "number"]

_SILENT_DEPS: Final = frozenset(
    {"punct", "aux", "auxpass", "mark", "cc", "preconj", "prt", "expl", "case", "neg", ""}
)
_SILENT_TAGS: Final = frozenset(
    {"POS", "_SP", "SP", ",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "XX", "EX", "NFP"}
)
_PEOPLE: Final = ("er", "or", "ist", "ant", "ent", "ee", "ess", "ic", "an")
_LOCATIVE: Final = frozenset({"in", "at", "to", "from", "into", "near", "through"})


def add_concepts(scene: Scene) -> None:
    """Give each token that stands for itself its node; ``core`` is filled."""
    for i in range(len(scene)):
        if _proper(scene, i) and scene.deps[i] not in _SILENT_DEPS:
            _gather_name(scene, i)
    for i in range(len(scene)):
        if scene.stand[i] == i and i not in scene.absorbed and not _silent(scene, i):
            scene.core[i] = _concept(scene, i)


def any_concept(scene: Scene, i: int) -> int:
    """A node for a token that has none, the last resort of a text of articles and the like."""
    scene.core[i] = scene.draft.concept(scene.lemmas[i] or scene.words[i], (i,))
    return scene.core[i]


def number(word: str) -> str | None:
    """The digits of a number word, None if it is none; ``1,000`` is ``1000``."""
    plain = word.replace(",", "")
    if plain.replace(".", "", 1).isdecimal() and plain.isascii():
        return plain
    return closed.NUMBERS.get(word)


def _silent(scene: Scene, i: int) -> bool:
    tag, dep, word = scene.tags[i], scene.deps[i], scene.words[i]
    if not any(map(str.isalnum, word)) and word not in ("%", "$"):
        return True
    if tag == "WRB" and scene.deps[scene.heads[i]] in ("advcl", "relcl"):
        return True
    if word == "please" and dep == "intj" and scene.heads[i] != i:
        return True
    if tag in _SILENT_TAGS or (dep in _SILENT_DEPS and scene.heads[i] != i):
        return True
    if word in closed.ARTICLES or (word == "no" and dep == "det") or word in closed.NEGATIONS:
        return scene.heads[i] != i
    if word == "how" and scene.words[scene.heads[i]] in ("many", "much"):
        return True
    # A number beside a noun is an attribute, not a concept.
    counted = dep in ("nummod", "quantmod") and scene.heads[i] != i
    return (counted and number(word) is not None) or tag in ("TO", "MD")


def _concept(scene: Scene, i: int) -> int:
    word, tag, draft = scene.words[i], scene.tags[i], scene.draft
    if word in closed.PRONOUNS and tag[:3] in ("PRP", "NNS", "NN", "JJ"):
        return draft.concept(closed.PRONOUNS[word], (i,))
    if word in closed.REFLEXIVES:
        return draft.concept(closed.REFLEXIVES[word], (i,))
    if tag.startswith("W") and word in closed.QUESTION_WORDS:
        return draft.concept("amr-unknown", (i,))
    if word in closed.WEEKDAYS or (word in closed.MONTHS and tag.startswith("NNP")):
        return _date(scene, i)
    if tag == "CD":
        return _number(scene, i)
    if _proper(scene, i):
        return _name(scene, i)
    if tag in NOUN_TAGS or (tag == "$" and scene.deps[i] != "quantmod"):
        return _noun(scene, i)
    if tag in VERB_TAGS and not (scene.deps[i] == "amod" and word in scene.lexicon.adjectives):
        return _verb(scene, i)
    return _property(scene, i)


def _property(scene: Scene, i: int) -> int:
    """Adjectives, adverbs, determiners and all that is left."""
    word, lemma, tag = scene.words[i], scene.lemmas[i], scene.tags[i]
    lexicon, draft = scene.lexicon, scene.draft
    if word in ("many", "much") and i and scene.words[i - 1] == "how" and scene.heads[i - 1] == i:
        return draft.concept("amr-unknown", (i - 1, i))
    if word in ("able", "unable"):
        node = scene.predicate("capable.01", (i,))
    elif word in closed.ORDINALS and scene.deps[i] == "amod":
        node = draft.concept("ordinal-entity", (i,))
        draft.constant(node, "value", closed.ORDINALS[word], (i,))
        return node
    else:
        if tag.startswith("RB"):
            lemma = lexicon.adverbs.get(word, lemma)
        if tag.startswith("DT"):
            lemma = closed.DEMONSTRATIVES.get(word, word)
        opposite = lexicon.opposite(lemma)
        plain = word if word in lexicon.adjectives else opposite or lemma
        result = lexicon.adjectives.get(plain) if tag[:2] in ("JJ", "RB", "VB") else None
        if tag.startswith("RB") and plain == word and not word.endswith("ly"):
            result = None
        node = scene.predicate(result[0], (i,)) if result else draft.concept(plain or word, (i,))
        if opposite:
            draft.constant(node, "polarity", "-", (i,))
    if word == "unable":
        draft.constant(node, "polarity", "-", (i,))
    return node


def _verb(scene: Scene, i: int) -> int:
    particles = [kid for kid in scene.kids[i] if scene.deps[kid] == "prt"]
    tokens = tuple(sorted([i, *particles]))
    if scene.lemmas[i] == "be":
        existential = scene.child(i, "expl") is not None
        for kid in scene.kids[i]:
            if existential and scene.words[kid] not in closed.PLACE_PREPOSITIONS:
                continue
            if scene.deps[kid] in ("prep", "advmod") and scene.deps[i] not in ("aux", "auxpass"):
                inner = scene.child(kid, "pobj")
                timely = inner is not None and scene.lemmas[inner] in closed.TIMES
                return scene.draft.concept(
                    "be-temporally-at-91" if timely else "be-located-at-91", tokens
                )
    roleset = scene.roleset(i)
    if roleset is None:
        return scene.draft.concept(f"{scene.lemmas[i]}-00", tokens)
    return scene.predicate(roleset, tokens)


def _noun(scene: Scene, i: int) -> int:
    lemma, draft, lexicon = scene.lemmas[i], scene.draft, scene.lexicon
    word = scene.words[i]
    if lemma in closed.UNITS and (counted := _count(scene, i)) is not None:
        node = draft.concept(closed.UNITS[lemma], (*counted[1], i))
        if closed.UNITS[lemma] == "percentage-entity":
            draft.constant(node, "value", counted[0], counted[1])
            scene.linked.update(counted[1])
            return node
        draft.constant(node, "quant", counted[0], counted[1])
        draft.edge(node, "unit", draft.concept(lemma, (i,)))
        scene.absorbed.update(counted[1])
        scene.linked.update(counted[1])
        return node
    for words, frame in ((closed.KIN, "have-rel-role-91"), (closed.OFFICES, "have-org-role-91")):
        if lemma in words and scene.deps[i] != "compound":
            person = draft.concept("person", (i,))
            role = draft.concept(frame, (i,))
            draft.edge(role, "ARG0", person)
            draft.edge(role, "ARG2", draft.concept(lemma, (i,)))
            return person
    if lemma in lexicon.agents:
        roleset, label = lexicon.agents[lemma]
        who = draft.concept("person" if lemma.endswith(_PEOPLE) else "thing", (i,))
        draft.edge(scene.predicate(roleset, (i,)), label, who)
        return who
    # A plural counts things; "talks" and "thoughts" are events all the same.
    event = lexicon.nouns.get(lemma) or lexicon.nouns.get(word)
    if event is not None:
        return scene.predicate(event, (i,))
    return draft.concept(lemma or word, (i,))


def _count(scene: Scene, i: int) -> tuple[str, tuple[int, ...]] | None:
    """The number beside a noun and its token."""
    for kid in scene.kids[i]:
        if scene.deps[kid] == "nummod":
            digits = number(scene.words[kid])
            if digits is not None:
                return digits, (kid,)
    return None


def _number(scene: Scene, i: int) -> int:
    """A number that stands alone: a year, or so many of something."""
    word, draft = scene.words[i], scene.draft
    digits = number(word)
    if digits is None:
        return draft.concept(word, (i,))
    if len(word) == 4 and digits.isdecimal() and 1000 <= int(digits) <= 2100:
        node = draft.concept("date-entity", (i,))
        draft.constant(node, "year", digits, (i,))
        return node
    node = draft.concept("thing", (i,))
    draft.constant(node, "quant", digits, (i,))
    return node


def _date(scene: Scene, i: int) -> int:
    """A weekday or month, with the numbers of day and year beside it."""
    word, draft = scene.words[i], scene.draft
    near = [k for k in scene.kids[i] if scene.tags[k] == "CD" and number(scene.words[k])]
    near += [k for day in near for k in scene.kids[day] if scene.tags[k] == "CD"]
    node = draft.concept("date-entity", tuple(sorted([i, *near])))
    if word in closed.WEEKDAYS:
        draft.edge(node, "weekday", draft.concept(word, (i,)))
    else:
        draft.constant(node, "month", str(closed.MONTHS[word]), (i,))
    for kid in near:
        digits = number(scene.words[kid]) or ""
        if digits.isdecimal():
            draft.constant(node, "year" if int(digits) > 31 else "day", digits, (kid,))
            scene.absorbed.add(kid)
            scene.linked.add(kid)
    return node


def _proper(scene: Scene, i: int) -> bool:
    """Return whether a word is a name; a sentence's first word can be mistaken for one."""
    word = scene.words[i]
    if scene.tags[i] not in ("NNP", "NNPS") or not any(map(str.isalnum, word)):
        return False
    first = i == 0 or scene.tags[i - 1] in (".", "``", "''", "_SP")
    common = scene.tags[i] == "NNPS" or word in scene.lexicon.nouns or word in scene.lexicon.agents
    return not (first and common)


def _gather_name(scene: Scene, i: int) -> None:
    """Let the words of a name stand together under its head."""
    head = scene.heads[i]
    if scene.deps[i] == "compound" and head != i and _proper(scene, head):
        scene.stands_for(i, head)
        scene.absorbed.add(i)
        scene.linked.add(i)


def _name(scene: Scene, i: int) -> int:
    draft, tree = scene.draft, scene.tree
    tokens = [i]
    stack = [i]
    while stack:
        for kid in scene.kids[stack.pop()]:
            if scene.deps[kid] == "compound" and kid in scene.absorbed and scene.stand[kid] != kid:
                tokens.append(kid)
                stack.append(kid)
    tokens.sort()
    thing = draft.concept(_kind(scene, i, len(tokens)), tuple(tokens))
    name = draft.concept("name", tuple(tokens))
    draft.edge(thing, "name", name)
    for place, token in enumerate(tokens, start=1):
        draft.constant(name, f"op{place}", tree.word(token), (token,))
    return thing


def _kind(scene: Scene, i: int, length: int) -> str:
    """Return the type of a name: of a known place, by its last word, else a person."""
    word = scene.words[i]
    for kind, names in (
        ("country", closed.COUNTRIES),
        ("continent", closed.CONTINENTS),
        ("planet", closed.PLANETS),
    ):
        if word in names:
            return kind
    if length > 1 and word in closed.NAME_TYPES:
        return word
    if scene.deps[i] == "pobj" and scene.words[scene.heads[i]] in _LOCATIVE:
        return "city"
    return "organization" if scene.deps[i] == "compound" else "person"
