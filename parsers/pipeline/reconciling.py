"""Trees whose tags and arcs disagree, reconciled: arcs tell verbs where taggers miss them.

Tagger and parser decide each for itself, so a tree may hold what no sentence does. Mended are:

- a noun or adjective with a subject and an object ("The news shocked them."), or with a subject in
  a relative clause ("the man that the bull hurt"), or after "make" and "let" ("made the boy cry"):
  a verb;
- an adjective after "being" that has an agent ("is being eaten by mice"): a participle;
- a noun in "-ing" that is joined with a verb ("is eating and singing"), or with the noun before it
  ("is beating a drum and singing"): a verb, joined with the verb;
- a noun right before a finite verb without a subject, as part of which it is read ("The tapir
  delights the ferret."): the subject of that;
- a noun that is joined with an object right before another finite verb without a subject ("the cat
  chased a rat and the dog slept", "... and a crowd of tourists was watching"): the subject of that;
- "can" behind a noun or adjective, where it helps no verb ("into the trash can"): a noun;
- a clause with "if" of somebody who asked or was asked: what is asked;
- a second object behind "and" or "as well as": joined with the first;
- "then" before a verb that is joined with the one before: of the second;
- "what time", no object of the verb behind it but when it happens;
- a second subject right after the verb of a clause in the first, or that is the first ("the man
  that chased the boy fell", "what scared the boy was a bear"): the object of that verb;
- a word that "do" stands before as an auxiliary ("does he like me?"): a verb;
- "left" right behind a bare verb of motion ("turn left at the bank"): where to, not who left;
- a noun or adjective in "-er" that no dictionary has, which is the comparative of an adjective
  ("the drum is louder");
- the subject of a passive, which is one of a passive, and "by whom" before it, its agent.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Final, TypeAlias

from compsim.parsers.pipeline.tree import NOUN_TAGS, Tree, word_set
from compsim.vectors.words import lemma_candidates

__all__ = ["WITH_INFINITIVES", "reconcile", "verb_lemma"]

#: The lemmas of irregular forms.
Irregular: TypeAlias = Mapping[str, Sequence[str]]
#: Lemmas by part of speech.
Dictionary: TypeAlias = Mapping[str, Container[str]]

_NO_VERBS: Final = NOUN_TAGS | {"JJ"}
#: Verbs of which a time may be the object.
_TAKING_TIME: Final = word_set(
    "choose find have keep like need pick prefer propose recommend save say set spend suggest waste"
)
#: Verbs that go left or right.
_TURNING: Final = word_set("bear go keep look move scroll stay steer step swipe turn veer")
_FINITE: Final = ("VBD", "VBP", "VBZ")
_AUXILIARIES: Final = ("aux", "auxpass")
_SUBJECTS: Final = frozenset(("nsubj", "nsubjpass", "csubj", "expl"))
_DETERMINERS: Final = frozenset(("det", "poss", "nummod"))
#: What tells a verb from the last noun of a phrase.
_COMPLEMENTS: Final = frozenset(("dobj", "ccomp", "xcomp", "dative", "prt"))
#: What nouns have and verbs do not.
_OF_NOUNS: Final = frozenset(("det", "poss", "compound", "amod"))
#: Verbs whose object does what a bare infinitive says (Quirk et al. 1985, 16.52).
WITH_INFINITIVES: Final = ("make", "let", "have", "help", "see", "hear", "feel", "watch")


def reconcile(
    tree: Tree, verbs: Container[str], irregular: Irregular, dictionary: Dictionary
) -> None:
    """Mend a tree in place.

    ``verbs`` holds the lemmas that can be verbs, ``irregular`` the lemmas of irregular forms,
    ``dictionary`` the lemmas of each part of speech, "adj" and "noun".
    """
    have_subjects: set[int] = set()
    for i, dep in enumerate(tree.deps):
        tag = tree.tags[i]
        if tag in ("VBD", "VBN") and tree.lemmas[i] in ("leave", "left"):
            _read_direction(tree, i)
        if tag in ("JJ", "NN") and tree.lemmas[i].endswith("er"):
            _make_comparative(tree, i, dictionary)
        if tag == "MD" and dep != "aux" and tree.word(i).lower() == "can":
            _make_container(tree, i)
        if dep == "advmod" and tree.lemmas[i] == "then":
            _move_then(tree, i)
        if dep == "cc":
            _join_objects(tree, i)
            _join_between(tree, i)
        if dep == "dobj" and tree.lemmas[i] == "time" and i < tree.heads[i]:
            _make_adverbial(tree, i)
        if dep == "advcl" and tree.tags[tree.heads[i]] in ("VBD", "VBN"):
            _make_question(tree, i)
        if dep == "nsubj":
            above = tree.heads[i]
            if tree.tags[above] in _NO_VERBS:
                if new := _verbal_tag(tree, above, irregular):
                    _make_verb(tree, above, new, verbs, irregular)
            elif above in have_subjects:
                _give_object(tree, i, above)
            have_subjects.add(above)
        elif dep == "csubj":
            have_subjects.add(tree.heads[i])
        elif dep == "aux":
            if tree.lemmas[i] == "do" and not tree.tags[tree.heads[i]].startswith("VB"):
                _make_infinitive(tree, tree.heads[i], verbs, irregular)
        elif dep == "auxpass":
            _agree_with_passive(tree, i)
        elif dep == "acomp" and tag == "JJ":
            by = _agent(tree, i)
            if by >= 0 and _make_verb(tree, i, "VBN", verbs, irregular):
                _make_passive(tree, i, by)
        elif dep in ("compound", "amod") and tag in NOUN_TAGS:
            _free_subject(tree, i, verbs)
        elif dep == "conj" and (finite := _finite_word(tree, i)) >= 0:
            _give_subject(tree, i, finite)
        elif dep == "conj" and tag in ("NN", "VBG") and tree.word(i).lower().endswith("ing"):
            _join_to_verb(tree, i)
            if tag == "NN" and tree.tags[tree.heads[i]] == "VBG" and not tree.kids(i):
                _make_verb(tree, i, "VBG", verbs, irregular)


def _read_direction(tree: Tree, i: int) -> None:
    """Make "left" the direction of a verb right before it."""
    verb, root = i - 1, tree.heads[i] == i
    if i == 0 or tree.word(i).lower() != "left" or tree.word(verb).lower() not in _TURNING:
        return
    if tree.heads[verb] == i:
        tree.hang(verb, verb if root else tree.heads[i], tree.deps[i])
        for kid in list(tree.kids(i)):
            if kid != verb:
                tree.hang(kid, verb, tree.deps[kid])
    elif tree.heads[i] != verb:
        return
    tree.tags[verb], tree.pos[verb], tree.lemmas[verb] = "VB", "VERB", tree.word(verb).lower()
    tree.hang(i, verb, "advmod")
    tree.tags[i], tree.pos[i], tree.lemmas[i] = "RB", "ADV", "left"


def verb_lemma(tree: Tree, i: int, verbs: Container[str], irregular: Irregular) -> str | None:
    """The lemma of a word as a verb, None where it can be none."""
    word = tree.word(i).lower()
    forms = (*irregular.get(word, ()), word, *lemma_candidates(word))
    return next((form for form in forms if form in verbs), None)


def _make_verb(tree: Tree, i: int, tag: str, verbs: Container[str], irregular: Irregular) -> bool:
    """Make a verb of a word, if it can be one; whether it is."""
    lemma = verb_lemma(tree, i, verbs, irregular)
    if lemma is None:
        return False
    tree.tags[i], tree.pos[i], tree.lemmas[i] = tag, "VERB", lemma
    return True


def _make_comparative(tree: Tree, i: int, dictionary: Dictionary) -> None:
    """Make the comparative of an adjective of a word that no dictionary has, where it can be one.

    The head of a phrase is none, but behind "the".
    """
    word, dep = tree.word(i).lower(), tree.deps[i]
    if word in dictionary["noun"] or word in dictionary["adj"] or not tree.word(i).islower():
        return
    if dep not in ("acomp", "attr", "amod", "compound"):
        return
    if any(tree.word(kid).lower() != "the" for kid in tree.kids(i) if kid < i):
        return
    lemma = next((form for form in lemma_candidates(word) if form in dictionary["adj"]), None)
    if lemma is not None:
        tree.tags[i], tree.pos[i], tree.lemmas[i] = "JJR", "ADJ", lemma
        tree.deps[i] = "amod" if dep == "compound" else dep


def _make_infinitive(tree: Tree, i: int, verbs: Container[str], irregular: Irregular) -> None:
    """Make a verb of a word after "do", or of the preposition after a noun that "do" hangs on.

    What it governs as a preposition is its object ("like").
    """
    verb = i
    if any(tree.deps[kid] in _OF_NOUNS for kid in tree.kids(i)):
        verb = next((k for k in tree.kids(i) if k > i and tree.deps[k] == "prep"), i)
    if (verb != i and tree.heads[i] != i) or not _make_verb(tree, verb, "VB", verbs, irregular):
        return
    if verb != i:
        tree.hang(verb, verb, "ROOT")
        for kid in list(tree.kids(i)):
            if tree.deps[kid] in ("aux", "punct"):
                tree.hang(kid, verb, tree.deps[kid])
        tree.hang(i, verb, "nsubj")
    for kid in tree.kids(verb):
        if tree.deps[kid] == "pobj":
            tree.deps[kid] = "dobj"


def _verbal_tag(tree: Tree, i: int, irregular: Irregular) -> str:
    """The tag that a noun or adjective with a subject has as a verb, empty where it is none."""
    own, dep = {tree.deps[kid] for kid in tree.kids(i)}, tree.deps[i]
    if not _OF_NOUNS.isdisjoint(own):
        return ""
    word, noun = tree.word(i).lower(), tree.tags[i] in NOUN_TAGS
    bare = tree.lemmas[i] == word
    infinitive = bare and dep == "ccomp" and tree.lemmas[tree.heads[i]] in WITH_INFINITIVES
    if "dobj" not in own and not (noun and (infinitive or dep == "relcl")):
        return ""
    if "aux" in own or infinitive:
        return "VB"
    if tree.tags[i] in ("NNS", "NNPS"):
        return "VBZ"
    return "VBP" if noun and bare and word not in irregular else "VBD"


def _agree_with_passive(tree: Tree, auxiliary: int) -> None:
    """Make the subject of a passive one of a passive, and "by whom" before it its agent."""
    participle = tree.heads[auxiliary]
    for kid in tree.kids(participle):
        if tree.deps[kid] == "nsubj":
            tree.deps[kid] = "nsubjpass"
    for by in (*tree.kids(auxiliary), *tree.kids(participle)):
        asked = any(tree.tags[kid] == "WP" for kid in tree.kids(by))
        if asked and by < auxiliary and (tree.lemmas[by], tree.deps[by]) == ("by", "prep"):
            tree.hang(by, participle, "agent")


def _give_object(tree: Tree, noun: int, verb: int) -> None:
    """Give the noun after a clause, a second subject of a verb, to the clause's verb."""
    start = noun
    while tree.kids(start) and tree.kids(start)[0] < start:
        start = tree.kids(start)[0]
    inner = start - 1
    above = tree.heads[inner]
    if inner < 0 or verb < noun:
        return
    relative = tree.deps[inner] == "relcl" and tree.deps[above] == "nsubj"
    top = above if relative else inner
    if tree.heads[top] != verb or not (relative or tree.deps[inner] == "csubj"):
        return
    if all(tree.deps[kid] not in ("dobj", "ccomp") for kid in tree.kids(inner)):
        tree.hang(noun, inner, "dobj")


def _free_subject(tree: Tree, noun: int, verbs: Container[str]) -> None:
    """Make a noun that is part of the finite verb right after it the subject of that."""
    verb = tree.heads[noun]
    if verb != noun + 1 or tree.tags[verb] not in _FINITE or tree.lemmas[verb] not in verbs:
        return
    own = {tree.deps[kid] for kid in tree.kids(verb)}
    if own.isdisjoint(_COMPLEMENTS) or not own.isdisjoint(_SUBJECTS):
        return
    if tree.deps[verb] not in ("ROOT", "relcl") or not _agree(tree, noun, verb):
        return
    for kid in [kid for kid in tree.kids(verb) if kid < noun]:
        if tree.deps[kid] in _OF_NOUNS:
            tree.hang(kid, noun, tree.deps[kid])
    tree.hang(noun, verb, "nsubj")


def _agree(tree: Tree, noun: int, verb: int) -> bool:
    """Return whether a finite verb is in the number of a noun."""
    plural = tree.tags[noun] in ("NNS", "NNPS")
    return tree.tags[verb] in ("VBD", "MD") or plural == (tree.tags[verb] == "VBP")


def _finite_word(tree: Tree, verb: int) -> int:
    """Return the first word of a verb with its auxiliaries where that is finite, -1 otherwise."""
    first = min([verb, *(kid for kid in tree.kids(verb) if tree.deps[kid] in _AUXILIARIES)])
    return first if tree.tags[first] in (*_FINITE, "MD") else -1


def _give_subject(tree: Tree, verb: int, finite: int) -> None:
    """Give a verb the noun before it, where that is joined with a noun of another verb.

    ``finite`` is its first word, which agrees with the noun or with what belongs to it ("a group of
    people are").
    """
    last = finite - 1
    while last > 0 and tree.tags[last] == "RB":
        last -= 1
    noun = last
    while tree.deps[noun] in ("pobj", "prep") and tree.heads[noun] < noun:
        noun = tree.heads[noun]
    other, first = tree.heads[noun], tree.heads[verb]
    if not (first < other < noun and tree.deps[noun] == "conj" and tree.tags[noun] in NOUN_TAGS):
        return
    if any(tree.deps[kid] in _SUBJECTS for kid in tree.kids(verb)):
        return
    if not (_agree(tree, noun, finite) or _agree(tree, last, finite)):
        return
    passive = any(tree.deps[kid] == "auxpass" for kid in tree.kids(verb))
    tree.hang(noun, verb, "nsubjpass" if passive else "nsubj")
    _lift_joints(tree, other, noun, first)


def _make_container(tree: Tree, can: int) -> None:
    """Make a noun of "can" that ends a phrase, in the place of the noun before it."""
    before = can - 1
    if before < 0 or any(tree.deps[kid] in _SUBJECTS for kid in tree.kids(can)):
        return
    phrase = tree.deps[before] in ("pobj", "dobj", "attr", "conj", "compound", "amod")
    if not phrase or tree.tags[before] not in ("NN", "JJ", "VBG") or tree.heads[can] == before:
        return
    head, dep = tree.heads[before], tree.deps[before]
    if head == can:
        head, dep = tree.heads[can], tree.deps[can]
    tree.tags[can], tree.pos[can], tree.lemmas[can] = "NN", "NOUN", "can"
    if head != can:
        tree.hang(can, head, dep)
    for kid in list(tree.kids(before)):
        if kid < before and tree.deps[kid] in _OF_NOUNS:
            tree.hang(kid, can, tree.deps[kid])
    tree.hang(before, can, "compound" if tree.tags[before] == "NN" else "amod")


def _join_objects(tree: Tree, joint: int) -> None:
    """Join two objects of one verb between which a conjunction of the verb stands."""
    verb = tree.heads[joint]
    objects = [kid for kid in tree.kids(verb) if tree.deps[kid] == "dobj" and kid > verb]
    if len(objects) == 2 and objects[0] < joint < objects[1]:
        tree.hang(objects[1], objects[0], "conj")
        tree.hang(joint, objects[0], "cc")


def _join_between(tree: Tree, joint: int) -> None:
    """Join the two nouns behind "between": "the chair between the desk and the door"."""
    above = tree.heads[joint]
    for between in tree.kids(above):
        if not (tree.deps[between] == "prep" and tree.lemmas[between] == "between"):
            continue
        nouns = [kid for kid in tree.kids(between) if tree.deps[kid] == "pobj"]
        joined = [kid for kid in tree.kids(above) if tree.deps[kid] == "conj" and kid > joint]
        if len(nouns) == 1 and between < nouns[0] < joint and joined:
            alone = all(tree.deps[kid] not in ("cc", "conj") for kid in tree.kids(nouns[0]))
            if alone and tree.tags[nouns[0]] in NOUN_TAGS and tree.tags[joined[0]] in NOUN_TAGS:
                tree.hang(joined[0], nouns[0], "conj")
                tree.hang(joint, nouns[0], "cc")


def _move_then(tree: Tree, then: int) -> None:
    """Hang "then" on the verb right behind it that is joined with the one that it hangs on."""
    following, verb = then + 1, tree.heads[then]
    joined = following < len(tree) and tree.deps[following] == "conj" and verb < then
    if joined and tree.heads[following] == verb:
        tree.hang(then, following, "advmod")


def _make_adverbial(tree: Tree, time: int) -> None:
    """Make an adverbial of "what time" before a verb that takes no time for its object."""
    asked = any(tree.word(kid).lower() in ("what", "which") for kid in tree.kids(time))
    if asked and tree.lemmas[tree.heads[time]] not in _TAKING_TIME:
        tree.deps[time] = "npadvmod"


def _make_question(tree: Tree, clause: int) -> None:
    """Make what is asked of a clause with "if" behind a verb of asking in the past."""
    verb = tree.heads[clause]
    if verb > clause or tree.lemmas[verb] not in ("ask", "wonder", "inquire", "enquire"):
        return
    if any(tree.deps[k] == "mark" and tree.lemmas[k] == "if" for k in tree.kids(clause)):
        tree.deps[clause] = "ccomp"


def _join_to_verb(tree: Tree, i: int) -> None:
    """Hang a bare word that is joined with a noun on the noun's verb in "-ing", in place.

    The noun has a determiner: two bare ones are joined as readily ("enjoys music and dancing").
    """
    noun = tree.heads[i]
    above = tree.heads[noun]
    verb = tree.heads[above] if tree.deps[noun] == "pobj" else above
    if (
        tree.tags[verb] == "VBG"
        and tree.deps[noun] in ("dobj", "pobj")
        and any(tree.deps[kid] in _DETERMINERS for kid in tree.kids(noun))
        and not any(kid < i for kid in tree.kids(i))
    ):
        tree.hang(i, verb, "conj")
        _lift_joints(tree, noun, i, verb)


def _lift_joints(tree: Tree, noun: int, joined: int, verb: int) -> None:
    """Hang "and" between a noun and what was joined with it on the verb."""
    for kid in [kid for kid in tree.kids(noun) if noun < kid < joined]:
        if tree.deps[kid] in ("cc", "punct"):
            tree.hang(kid, verb, tree.deps[kid])


def _agent(tree: Tree, participle: int) -> int:
    """The "by" after a word that hangs on "being", -1 where there is none."""
    being = tree.heads[participle]
    if tree.word(being).lower() != "being":
        return -1
    beside = (*tree.kids(participle), *tree.kids(being))
    after = (kid for kid in beside if kid > participle and tree.deps[kid] == "prep")
    return next((kid for kid in after if tree.lemmas[kid] == "by"), -1)


def _make_passive(tree: Tree, participle: int, by: int) -> None:
    """Put a participle in the place of the "being" that it hangs on; ``by`` marks its agent."""
    being = tree.heads[participle]
    root = tree.heads[being] == being
    tree.hang(participle, participle if root else tree.heads[being], tree.deps[being])
    for kid in list(tree.kids(being)):
        dep = tree.deps[kid]
        tree.hang(kid, participle, "nsubjpass" if dep == "nsubj" else dep)
    tree.hang(being, participle, "auxpass")
    tree.hang(by, participle, "agent")
