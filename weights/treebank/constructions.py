"""The constructions that plain sentences are made in, each a function from speaker to tree.

>>> sorted(maker.__name__ for maker, _ in CONSTRUCTIONS)[:4]
['adverbial', 'after_relative', 'asked', 'bare']
"""

from __future__ import annotations

from collections.abc import Callable

from compsim.weights.treebank.grammar import Node
from compsim.weights.treebank.phrases import OBJECTS, TENSES, Speaker, preposition
from compsim.weights.treebank.skeletons import Clause

__all__ = ["CONSTRUCTIONS"]

WHEN = (("when", "WRB", "advmod"), ("because", "IN", "mark"), ("if", "IN", "mark"),
        ("while", "IN", "mark"), ("after", "IN", "mark"), ("before", "IN", "mark"),
        ("although", "IN", "mark"), ("since", "IN", "mark"), ("until", "IN", "mark"))  # fmt: skip


def stop(root: Node, mark: str = ".", share: float = 0.8, speaker: Speaker | None = None) -> Node:
    """The sentence with its last mark, which some lack."""
    if speaker is None or speaker.chance(share):
        root.right.append(Node(mark, ".", "punct", tight=True))
    return root


def statement(s: Speaker) -> Node:
    """The old dogs chased a cat in the garden."""
    return stop(s.clause(s.skeleton()), speaker=s)


def past(s: Speaker) -> Node:
    """The old dog bit a man."""
    clause = s.skeleton("object")
    subject = s.noun(clause.subject, "nsubj", clause.adjective)
    helpers, word, tag = s.group(clause.verb, subject, "past")
    return stop(Node(word, tag, "ROOT", [subject, *helpers], s.rest(clause)), speaker=s)


def bare(s: Speaker) -> Node:
    """Police question suspects."""
    return stop(s.clause(s.skeleton(), bare=True, tense="present"), speaker=s)


def headline(s: Speaker) -> Node:
    """City Council Raises Taxes; Minister to Visit Town; Three Held after Raid."""
    clause = s.skeleton("object") if s.chance(0.7) else s.skeleton()
    subject = s.name("nsubj") if s.chance(0.3) else s.noun(clause.subject, "nsubj", bare=True)
    if subject.tag != "NNP" and s.chance(0.4):
        subject.left.insert(0, Node(s.pick(s.lexicon.names), "NNP", "compound"))
    kind = s.rng.random()
    if kind < 0.7:
        helpers, word, tag = s.group(clause.verb, subject, "present")
        return Node(word, tag, "ROOT", [subject, *helpers], s.rest(clause, bare=True))
    if kind < 0.85 or not clause.object:
        form = s.lexicon.form(clause.verb, "VB")
        to = Node("to", "TO", "aux")
        return Node(form, "VB", "ROOT", [subject, to], s.rest(clause, bare=True))
    thing = s.noun(clause.object, "nsubjpass", bare=True)
    place = s.place(clause, bare=True) if clause.preposition else None
    by = preposition("by", s.noun(clause.subject, "pobj", bare=True), "agent")
    right = [by] if s.chance(0.4) or place is None else [place]
    return Node(s.lexicon.form(clause.verb, "VBN"), "VBN", "ROOT", [thing], right)


def command(s: Speaker) -> Node:
    """Please do not open the door."""
    clause = s.skeleton("object") if s.chance(0.75) else s.skeleton()
    verb = Node(s.lexicon.form(clause.verb, "VB"), "VB", "ROOT", [], s.rest(clause))
    return _commanded(s, verb)


def _commanded(s: Speaker, verb: Node) -> Node:
    if s.chance(0.12):
        short = s.chance(0.5)
        verb.left.append(Node("do", "VB", "aux"))
        verb.left.append(Node("n't" if short else "not", "RB", "neg", tight=short))
    polite = s.rng.random()
    if polite < 0.15:
        verb.left.insert(0, Node("please", "UH", "intj"))
    elif polite < 0.25:
        verb.right.append(Node("please", "UH", "intj"))
    if s.chance(0.08):
        other = s.skeleton()
        second = Node(s.lexicon.form(other.verb, "VB"), "VB", "conj", [], s.rest(other))
        verb.right += [Node("and", "CC", "cc"), second]
    return stop(verb, "!" if s.chance(0.1) else ".", speaker=s)


def giving(s: Speaker) -> Node:
    """The teacher gave Mary a book; Send a letter to them."""
    verb, thing = s.rng.choice(s.lexicon.gifts)
    given = s.noun(thing, "dobj")
    kind = s.rng.random()
    if kind < 0.35:
        getter = s.name("dative")
    elif kind < 0.6:
        getter = Node(s.pick(OBJECTS), "PRP", "dative")
    else:
        getter = s.noun(s.skeleton().subject, "dative")
    bare = s.chance(0.7)
    right = [getter, given] if bare else [given, preposition("to", getter, "dative")]
    if s.chance(0.45):
        return _commanded(s, Node(s.lexicon.form(verb, "VB"), "VB", "ROOT", [], right))
    subject = s.subject(s.skeleton().subject)
    helpers, word, tag = s.group(verb, subject, s.pick(TENSES))
    return stop(Node(word, tag, "ROOT", [subject, *helpers], right), speaker=s)


def particle(s: Speaker) -> Node:
    """She picked up the phone; She picked the phone up."""
    verb, word, thing = s.rng.choice(s.lexicon.phrasal)
    clause = Clause(s.skeleton().subject, verb, object=thing, particle=word)
    if s.chance(0.35):
        form = s.lexicon.form(verb, "VB")
        return _commanded(s, Node(form, "VB", "ROOT", [], s.rest(clause)))
    return stop(s.clause(clause), speaker=s)


def _asked(s: Speaker, clause: Clause, first: list[Node], thing: bool = True) -> Node:
    """A question whose auxiliary stands before its subject; ``first`` opens it."""
    subject = s.subject(clause.subject, clause.adjective)
    tense = s.pick(["do", "do", "do", "modal", "perfect", "progressive"])
    helpers, word, tag = s.group(clause.verb, subject, tense)
    helpers = [node for node in helpers if node.dep != "neg"]
    return Node(word, tag, "ROOT", [*first, *helpers, subject], s.rest(clause, thing=thing))


def asked(s: Speaker) -> Node:
    """Did the dog chase the cat?"""
    if s.chance(0.15):  # "Is the dog old?"
        subject = s.subject(s.skeleton().subject)
        be = s.be(subject, "ROOT")
        adjective = s.pick(sorted(s.lexicon.described))
        be.right = [subject, Node(s.pick(s.lexicon.described[adjective]), "JJ", "acomp")]
        return stop(be, "?", 0.9, s)
    return stop(_asked(s, s.skeleton(), []), "?", 0.9, s)


def which(s: Speaker) -> Node:
    """Object question: "What did the dog chase?", "Where did it chase the cat?"."""
    kind = s.rng.random()
    if kind < 0.5:
        word = s.pick(["when", "where", "why", "how"])
        return stop(_asked(s, s.skeleton(), [Node(word, "WRB", "advmod")]), "?", 0.9, s)
    clause = s.skeleton("object")
    if kind < 0.85:
        opened = Node(s.pick(["what", "what", "who", "whom"]), "WP", "dobj")
    else:
        opened = s.noun(clause.object, "dobj", bare=True)
        opened.left.insert(0, Node(s.pick(["which", "what"]), "WDT", "det"))
    return stop(_asked(s, clause, [opened], thing=False), "?", 0.9, s)


def who(s: Speaker) -> Node:
    """Subject question: "Who chased the cat?", "Which dog chased it?"."""
    clause = s.skeleton("object") if s.chance(0.7) else s.skeleton()
    subject = Node(s.pick(["who", "who", "what"]), "WP", "nsubj")
    if s.chance(0.25):
        subject = s.noun(clause.subject, "nsubj", bare=True)
        subject.left.insert(0, Node(s.pick(["which", "what"]), "WDT", "det"))
    helpers, word, tag = s.group(clause.verb, subject, s.pick(["past", "past", "present", "modal"]))
    return stop(Node(word, tag, "ROOT", [subject, *helpers], s.rest(clause)), "?", 0.9, s)


def _relative(s: Speaker, noun: Node) -> None:
    """Hang a relative clause on a noun: "that chased the cat", "(that) the dog chased", "seen"."""
    kind = s.rng.random()
    if kind < 0.4:
        clause = s.skeleton("object") if s.chance(0.7) else s.skeleton()
        word, tag = s.rng.choice((("that", "WDT"), ("who", "WP"), ("which", "WDT")))
        helpers, form, verb_tag = s.group(clause.verb, noun, s.pick(TENSES))
        opener = Node(word, tag, "nsubj")
        noun.right.append(Node(form, verb_tag, "relcl", [opener, *helpers], s.rest(clause)))
    elif kind < 0.8:
        clause = s.skeleton("object")
        subject = s.subject(clause.subject, clause.adjective)
        helpers, form, verb_tag = s.group(clause.verb, subject, s.pick(TENSES))
        rest = [] if s.chance(0.6) else s.rest(clause, thing=False)
        openers = (("that", "WDT"), ("who", "WP"), ("whom", "WP"), ("which", "WDT"), ("", ""))
        word, tag = s.rng.choice(openers)
        first = [Node(word, tag, "dobj")] if word else []
        noun.right.append(Node(form, verb_tag, "relcl", [*first, subject, *helpers], rest))
    else:
        noun.right.append(_participle(s, s.skeleton("object")))


def _participle(s: Speaker, clause: Clause) -> Node:
    if s.chance(0.6):
        return Node(s.lexicon.form(clause.verb, "VBG"), "VBG", "acl", [], s.rest(clause))
    by = preposition("by", s.noun(clause.subject, "pobj"), "agent")
    return Node(s.lexicon.form(clause.verb, "VBN"), "VBN", "acl", [], [by])


def after_relative(s: Speaker) -> Node:
    """The man that the dog bit cried."""
    clause = s.skeleton() if s.chance(0.5) else s.skeleton("object")
    article = s.pick(["the", "the", "a", ""])
    subject = s.noun(clause.subject, "nsubj", article=article)
    _relative(s, subject)
    if s.chance(0.15):
        be = s.be(subject, "ROOT")
        be.left = [subject]
        be.right = [Node(s.pick(s.lexicon.described[clause.subject]), "JJ", "acomp")]
        return stop(be, speaker=s)
    helpers, word, tag = s.group(clause.verb, subject, s.pick(["past", "past", *TENSES]))
    return stop(Node(word, tag, "ROOT", [subject, *helpers], s.rest(clause)), speaker=s)


def with_relative(s: Speaker) -> Node:
    """The dog chased the cat that the girl had fed."""
    clause = s.skeleton("object")
    subject = s.subject(clause.subject, clause.adjective)
    thing = s.noun(clause.object, "dobj")
    _relative(s, thing)
    helpers, word, tag = s.group(clause.verb, subject, s.pick(TENSES))
    return stop(Node(word, tag, "ROOT", [subject, *helpers], [thing]), speaker=s)


def joined(s: Speaker) -> Node:
    """The dog barked and chased the cat; the dog barked, but the cat slept."""
    first = s.clause(s.skeleton())
    other = s.skeleton()
    if s.chance(0.5):
        helpers, word, tag = s.group(other.verb, first.left[0], s.pick(["past", "present"]))
        second = Node(word, tag, "conj", helpers, s.rest(other))
    else:
        second = s.clause(other, "conj")
        if s.chance(0.6):
            first.right.append(Node(",", ",", "punct", tight=True))
    first.right += [Node(s.pick(["and", "and", "but", "or"]), "CC", "cc"), second]
    return stop(first, speaker=s)


def adverbial(s: Speaker) -> Node:
    """Adverbial clause: "When the dog barked, the cat ran", "The cat ran because it barked"."""
    main, side = s.clause(s.skeleton()), s.clause(s.skeleton(), "advcl")
    side.left.insert(0, Node(*s.rng.choice(WHEN)))
    if s.chance(0.5):
        comma = [Node(",", ",", "punct", tight=True)] if s.chance(0.8) else []
        main.left = [side, *comma, *main.left]
    else:
        main.right.append(side)
    return stop(main, speaker=s)


def passive(s: Speaker) -> Node:
    """The cat was chased by the dog."""
    clause = s.skeleton("object")
    thing = s.noun(clause.object, "nsubjpass")
    be = s.be(thing, "auxpass")
    first = [thing, be]
    kind = s.rng.random()
    if kind < 0.15:
        first = [thing, Node(s.pick(["will", "can", "must"]), "MD", "aux"), be]
        be.word, be.tag = "be", "VB"
    elif kind < 0.25:
        first = [be, thing]
    right = []
    if s.chance(0.7):
        right.append(preposition("by", s.object(clause.subject, dep="pobj"), "agent"))
    if clause.preposition and s.chance(0.4):
        right.append(s.place(clause))
    form = s.lexicon.form(clause.verb, "VBN")
    return stop(Node(form, "VBN", "ROOT", first, right), "?" if first[0] is be else ".", speaker=s)


def cleft(s: Speaker) -> Node:
    """It was the dog that chased the cat; it was the cat that the dog chased."""
    clause = s.skeleton("object")
    be = Node(*s.rng.choice((("was", "VBD"), ("is", "VBZ"))), "ROOT")
    who = s.rng.choice((("that", "WDT"), ("who", "WP")))
    if s.chance(0.6):
        focus = s.noun(clause.subject, "attr")
        helpers, word, tag = s.group(clause.verb, focus, s.pick(["past", "past", *TENSES]))
        first = [Node(*who, "nsubj"), *helpers]
        side = Node(word, tag, "relcl", first, s.rest(clause))
    else:
        focus = s.object(clause.object, dep="attr")
        subject = s.subject(clause.subject)
        helpers, word, tag = s.group(clause.verb, subject, s.pick(["past", "past", *TENSES]))
        side = Node(word, tag, "relcl", [Node(*who, "dobj"), subject, *helpers])
    focus.right.append(side)
    be.left, be.right = [Node("it", "PRP", "nsubj")], [focus]
    return stop(be, speaker=s)


def existential(s: Speaker) -> Node:
    """There is a dog chasing a cat; there are no dogs in the garden."""
    clause = s.skeleton()
    thing = s.noun(clause.subject, "attr")
    be = s.be(thing, "ROOT")
    be.left, be.right = [Node("there", "EX", "expl")], [thing]
    if s.chance(0.6):
        thing.right.append(_participle(s, s.skeleton("object")))
    else:
        be.right.append(s.place(clause))
    return stop(be, speaker=s)


def fragment(s: Speaker) -> Node:
    """A girl doing exercises on the beach; a letter written by a friend."""
    clause = s.skeleton("object") if s.chance(0.7) else s.skeleton()
    if clause.object and s.chance(0.2):
        noun = s.noun(clause.object, "ROOT", article="a")
        by = preposition("by", s.noun(clause.subject, "pobj"), "agent")
        noun.right.append(Node(s.lexicon.form(clause.verb, "VBN"), "VBN", "acl", [], [by]))
    else:
        bare = s.chance(0.2)
        noun = s.noun(clause.subject, "ROOT", clause.adjective, bare=bare)
        form = s.lexicon.form(clause.verb, "VBG")
        noun.right.append(Node(form, "VBG", "acl", [], s.rest(clause)))
    return stop(noun, share=0.5, speaker=s)


def said(s: Speaker) -> Node:
    """The girl said that the dog had chased the cat."""
    subject = s.subject(s.skeleton().subject)
    verb = s.pick(s.lexicon.speech)
    helpers, word, tag = s.group(verb, subject, s.pick(TENSES))
    inner = s.clause(s.skeleton(), "ccomp")
    if s.chance(0.6):
        inner.left.insert(0, Node("that", "IN", "mark"))
    return stop(Node(word, tag, "ROOT", [subject, *helpers], [inner]), speaker=s)


#: Makers with how often each is asked, relative to the others.
CONSTRUCTIONS: tuple[tuple[Callable[[Speaker], Node], int], ...] = (
    (statement, 12), (past, 10), (bare, 10), (headline, 8), (command, 9), (giving, 6),
    (particle, 6), (asked, 5), (which, 5), (who, 3), (after_relative, 10), (with_relative, 6),
    (joined, 4), (adverbial, 4), (passive, 4), (cleft, 2), (existential, 2), (fragment, 5),
    (said, 2),
)  # fmt: skip
