"""Sentences with one word changed or added: the lexical part of SR (Zhang et al. 2023, appendix A).

A noun, a verb or an adjective is replaced by a word that the lexicon relates to it
(``compsim.vectors.relations``), in the same form, or an adjective is put before a noun that has
none; the rest of the sentence stays. Ratings are from 0 to 5, by what was changed: 5 for a synonym,
4 for a near one, for a wider or a narrower word, and for an adjective more, 2 for another member of
the same class, 1 for an opposite. In the paper ChatGPT changes and rates.

>>> change, = lexical_changes(["The dog chased a ball."], seed=3)
>>> change.text != "The dog chased a ball.", change.rating in (1, 2, 4, 5)
(True, True)
>>> lexical_changes(["It is."])
[None]
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple

from compsim.errors import MissingExtraError
from compsim.missing import install_command
from compsim.parsers.pipeline.tree import Tree, word_set
from compsim.vectors import WordVectors
from compsim.vectors.relations import Kind, Relations

__all__ = ["LexicalChange", "lexical_changes"]

#: How alike sentences are rated whose words differ so.
_RATINGS: Final = {
    Kind.SYNONYM: 5,
    Kind.SIMILAR: 4,
    Kind.NARROWER: 4,
    Kind.WIDER: 4,
    Kind.SISTER: 2,
    Kind.ANTONYM: 1,
}
_INSERTED: Final = 4
#: Adjectives that go with most nouns.
_ADJECTIVES: Final = ("new", "small", "big", "local", "famous", "beautiful", "strange", "quiet")
#: Part of speech, as lemminflect names it, by the beginning of a tag of the Penn Treebank.
_CLASSES: Final = {"NN": "NOUN", "VB": "VERB", "JJ": "ADJ"}
#: Relations less sure than this, and words rarer (on the Zipf scale), make odd sentences.
_SUREST: Final = 0.6
_COMMON: Final = 3.5
#: The least cosine of a word and what is put in its place.
_NEAREST: Final = 0.5
#: Dependents of verbs that few others take.
_TAKEN: Final = word_set("dative prt xcomp ccomp oprd prep acomp attr")
#: Words that stand for others, or carry grammar.
_LEFT: Final = word_set("be have do get make take go one other such same many much")
_VOWELS: Final = frozenset("aeiou")


class LexicalChange(NamedTuple):
    """A changed sentence: ``kind`` says of what, "noun" or "adjective, inserted"."""

    text: str
    kind: str
    rating: int


def lexical_changes(
    sentences: Sequence[str],
    seed: int = 1,
    advance: Callable[[int], None] = lambda count: None,
) -> list[LexicalChange | None]:
    """Return one change of each sentence, None where no word can be changed.

    The kind of change is drawn first, then one of that kind, by the seed and the sentence alone.
    Raises ``MissingExtraError`` where lemminflect or wordfreq is not installed.
    """
    from compsim.parsers.roles.srl import SrlParser

    changes: list[LexicalChange | None] = []
    for sentence, tree in zip(sentences, SrlParser().trees(list(sentences)), strict=True):
        rng = random.Random(f"{seed} {sentence}")
        by_kind: dict[str, list[LexicalChange]] = {}
        for change in (*_replaced(tree), *_inserted(tree, rng)):
            by_kind.setdefault(f"{change.kind} {change.rating}", []).append(change)
        kinds = sorted(by_kind)
        changes.append(rng.choice(by_kind[rng.choice(kinds)]) if kinds else None)
        advance(1)
    return changes


def _replaced(tree: Tree) -> Iterator[LexicalChange]:
    """Yield the sentence with one of its words replaced by a related one."""
    relations = Relations.open()
    for i in range(len(tree)):
        tag, lemma, word = tree.tags[i], tree.lemmas[i].lower(), tree.word(i)
        part = _CLASSES.get(tag[:2], "")
        if tag.startswith("NNP") or not part or lemma in _LEFT or not word.isalpha():
            continue
        if part == "VERB" and any(tree.deps[kid] in _TAKEN for kid in tree.kids(i)):
            continue
        for other in _candidates(lemma, part):
            kind, _ = relations.relation(other, lemma)
            form = _form(other, tag)
            if form and _fits_article(tree, i, form):
                shown = form.capitalize() if word[0].isupper() else form
                text = _with(tree, i, shown)
                yield LexicalChange(text, part.lower(), _RATINGS[kind])


def _inserted(tree: Tree, rng: random.Random) -> Iterator[LexicalChange]:
    """Yield the sentence with an adjective before a noun behind its article."""
    for i in range(1, len(tree)):
        bare = tree.deps[i - 1] == "det" and tree.heads[i - 1] == i
        if bare and tree.tags[i] in ("NN", "NNS"):
            adjective = rng.choice(_ADJECTIVES)
            text = _with(tree, i, f"{adjective} {tree.word(i)}")
            if tree.word(i - 1).lower() == "an":  # no adjective here begins with a vowel
                stop = tree.ends[i - 1]
                text = text[: stop - 1] + text[stop:]
            yield LexicalChange(text, "adjective, inserted", _INSERTED)


def _with(tree: Tree, place: int, text: str) -> str:
    """Return the sentence with another text in place of a token."""
    return tree.text[: tree.starts[place]] + text + tree.text[tree.ends[place] :]


def _fits_article(tree: Tree, place: int, form: str) -> bool:
    """Return whether "a" or "an" before a token may stay before another word."""
    before = tree.word(place - 1).lower() if place else ""
    return before not in ("a", "an") or (form[0].lower() in _VOWELS) == (before == "an")


@cache
def _candidates(lemma: str, part: str) -> tuple[str, ...]:
    """Return common words of the same part of speech alone that are surely related to a lemma."""
    relations = Relations.open()
    (row,) = relations.ids([lemma]).tolist()
    if row < 0:
        return ()
    arrays = relations.arrays
    # Each pair is stored with the lower of its two words.
    near = set(arrays.others[arrays.starts[row] : arrays.starts[row + 1]].tolist())
    near.update(_owners()[arrays.others == row].tolist())
    words = sorted(relations.words[other] for other in near)
    return tuple(
        word
        for word in words
        if word.isalpha()
        and relations.relation(word, lemma).kind in _RATINGS
        and relations.relation(word, lemma).strength >= _SUREST
        and _library("wordfreq").zipf_frequency(word, "en") >= _COMMON
        and _library("lemminflect").getAllLemmas(word) == {part: (word,)}
        # Opposites were moved apart in these vectors.
        and (
            relations.relation(word, lemma).kind == Kind.ANTONYM or _cosine(word, lemma) >= _NEAREST
        )
    )


def _cosine(first: str, second: str) -> float:
    """Return how near two words are, by the built-in vectors; 0 without either."""
    import numpy as np

    vectors = _vectors()
    rows = vectors.rows([first, second])
    if (rows < 0).any():
        return 0.0
    x, y = vectors.take(rows).astype(np.float64)
    return float(x @ y / max(float(np.linalg.norm(x) * np.linalg.norm(y)), 1e-12))


@cache
def _vectors() -> WordVectors:
    return WordVectors.open("builtin")


@cache
def _owners() -> Any:
    """Return the row of the lower word of each stored pair."""
    import numpy as np

    starts = Relations.open().arrays.starts
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def _form(lemma: str, tag: str) -> str:
    """Return the form of a lemma that a tag asks for, "" where none is known."""
    from compsim.benchmarks.rewriting.inflection import verb_form

    if tag in ("NN", "JJ"):
        return lemma
    if tag.startswith("VB"):
        return verb_form(lemma, tag)
    forms = _library("lemminflect").getInflection(lemma, tag)
    return str(forms[0]) if forms else ""


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtraError(
            f"changing words needs {name}, which is not installed: run {install_command('bench')}",
            name=name,
        ) from error
