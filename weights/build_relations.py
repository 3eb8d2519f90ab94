"""Recipe of the table of lexical relations (``weights/lexicon/relations.npz``).

::

    python -m compsim.weights.build_relations --data FOLDER --out weights/lexicon

``FOLDER`` holds ``lexicons/`` (Open English WordNet's pairs by relation, PPDB-XL, the lists of
counter-fitting) and ``text/sentences.tsv.gz``. The words are the lemmas of that WordNet that are in
the built-in table of vectors or on Zipf's scale at 2.0 or more, and its entries of several words
that the text has. What the lexicons list is weighed by single-word vectors of all-MiniLM-L6-v2
(:mod:`compsim.weights.lexicons.related`), and so is what class a word belongs to
(:mod:`compsim.weights.lexicons.taxonomy`). Two words are sisters when they share a class, at most
three steps above both: how much that says is what is left of the words outside it (the intrinsic
information content of Seco et al. 2004). Nothing is fitted to ratings of word pairs or sentences.

It needs the extra ``compsim[recipes]`` and takes about five minutes on one core.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import numpy.typing as npt
import typer

from compsim.vectors.relations import (
    SISTER_LIMIT,
    Kind,
    RelationArrays,
    Relations,
    lexical_key,
    write_relations,
)
from compsim.weights.build_names import read_sentences
from compsim.weights.build_vectors import CENTRE_WORDS, frequent_words, word_vectors
from compsim.weights.lexicons import paraphrases, related
from compsim.weights.lexicons.antonyms import ANTONYMS
from compsim.weights.lexicons.inflection import Tables, forms, read_tables
from compsim.weights.lexicons.multiword import count_entries
from compsim.weights.lexicons.related import Pair, Sources, Strengths
from compsim.weights.lexicons.taxonomy import Ancestor, Class, Taxonomy
from compsim.weights.lexicons.wordnet import RELATIONS, relations

__all__ = ["assemble", "class_lists", "links", "narrower", "resolve", "vocabulary"]

_LEAST_ZIPF: Final = 2.0
_WORD: Final = re.compile(r"[a-z][a-z'.]*|[0-9]+")
#: Steps up to a wider word, and what each after the first leaves of the strength.
_STEPS: Final = 3
_STEP: Final = 0.85
#: Steps up within which the words below a class are counted.
_COUNTED: Final = 6
#: Classes of a word that are stored at most.
_CLASSES: Final = 12
#: The least strength of a narrower word.
_NARROWER: Final = 0.2
#: What an adjective has of the classes of the noun that it derives from.
_INHERITED: Final = 0.8

Floats = npt.NDArray[np.floating[Any]]


def links(path: Path) -> dict[str, set[Pair]]:
    """Return the pairs of WordNet by relation, as the table spells words."""
    found: defaultdict[str, set[Pair]] = defaultdict(set)
    for word, relation, other in relations(path):
        pair = (lexical_key(word), lexical_key(other))
        if pair[0] != pair[1]:
            found[relation].add(pair)
    return dict(found)


def vocabulary(
    words: Iterable[str], builtin: Collection[str], zipf: Callable[[str], float], text: str
) -> list[str]:
    """Return those of ``words`` to list: frequent ones, and entries of several that a text has."""
    listed = set(words)
    joined = {word for word in listed if "_" in word}
    seen = count_entries(text, joined)
    single = (word for word in listed - joined if _WORD.fullmatch(word))
    frequent = {word for word in single if word in builtin or zipf(word) >= _LEAST_ZIPF}
    return sorted(frequent | {word for word in joined if word in builtin or seen[word]})


def narrower(
    ancestors: Mapping[str, Mapping[Class, Ancestor]],
    taxonomy: Taxonomy,
) -> Strengths:
    """Return pairs of a narrower and a wider word of the vocabulary, the keys of ``ancestors``."""
    found: Strengths = {}
    for word, classes in ancestors.items():
        for names, (share, depth) in classes.items():
            if depth > _STEPS:
                continue
            for name in names:
                if name in ancestors and name != word:
                    strength = share * _STEP ** (depth - 1) * taxonomy.fit(name, names)
                    if strength >= _NARROWER:
                        found[word, name] = max(strength, found.get((word, name), 0.0))
    return found


def class_lists(
    ancestors: Mapping[str, Mapping[Class, Ancestor]],
) -> tuple[dict[str, dict[Class, float]], dict[Class, float]]:
    """Return the share of each word in its classes, and the specificity of each class.

    The specificity is 1 - log(1 + n) / log(1 + N) for a class with n of all N words below it.
    """
    below: Counter[Class] = Counter()
    for classes in ancestors.values():
        below.update({names: ancestor.share for names, ancestor in classes.items()})
    whole = math.log1p(len(ancestors))
    specific = {names: 1 - math.log1p(count) / whole for names, count in below.items()}
    shares: dict[str, dict[Class, float]] = {}
    for word, classes in ancestors.items():
        near = {
            names: share * _STEP ** (depth - 1)
            for names, (share, depth) in classes.items()
            if depth <= _STEPS
        }
        useful = {c: share for c, share in near.items() if share * specific[c] >= SISTER_LIMIT}
        first = sorted(useful, key=lambda c: (-useful[c] * specific[c], c))[:_CLASSES]
        shares[word] = {names: useful[names] for names in first}
    return shares, specific


def inherit(
    shares: Mapping[str, Mapping[Class, float]], derived: Strengths
) -> dict[str, dict[Class, float]]:
    """Give words without a class those of the words that they derive from: happy, happiness."""
    found = {word: dict(classes) for word, classes in shares.items()}
    for (a, b), strength in sorted(derived.items()):
        for word, base in ((a, b), (b, a)):
            if word in shares and not shares[word]:
                for names, share in shares.get(base, {}).items():
                    part = share * _INHERITED * strength
                    found[word][names] = max(part, found[word].get(names, 0.0))
    return found


def resolve(
    sources: Sources, wider: Strengths, sister: Callable[[Pair], float]
) -> dict[Pair, tuple[Kind, float]]:
    """Return one relation for each pair, of the lower to the higher word.

    ``wider`` are pairs of a narrower and a wider word, ``sister`` says how sure a pair shares a
    class. Opposites come first; a derivation is one even among synonyms; paraphrases that nothing
    else bears out give way to sisters.
    """
    opposite, near = related.antonyms(sources), related.synonyms(sources)
    derived, apart = related.derivations(sources), related.exclusions(sources)
    found: dict[Pair, tuple[Kind, float]] = {}
    listed = sources.listed("similar", "synonym")
    for pair, strength in related.similar(sources).items():
        if pair in listed or sister(pair) < SISTER_LIMIT:
            found[pair] = (Kind.SIMILAR, strength)
    found |= {pair: (Kind.SISTER, strength) for pair, strength in apart.items()}
    synonyms = sources.listed("synonym")
    taxonomic = (Kind.NARROWER, Kind.WIDER)
    for (word, high), strength in sorted(wider.items()):
        pair = (min(word, high), max(word, high))
        known = found.get(pair, (Kind.NONE, 0.0))
        if known[0] not in taxonomic or known[1] < strength:
            found[pair] = (Kind.NARROWER if pair[0] == word else Kind.WIDER, strength)
    for pair, strength in near.items():
        if pair in synonyms or found.get(pair, (Kind.NONE, 0.0))[0] not in taxonomic:
            found[pair] = (Kind.SYNONYM, strength)
    found |= {pair: (Kind.DERIVED, strength) for pair, strength in derived.items()}
    for pair, strength in opposite.items():
        if strength == 1 or pair not in synonyms:
            found[pair] = (Kind.ANTONYM, strength)
    return found


def assemble(
    words: Sequence[str],
    pairs: Mapping[Pair, tuple[Kind, float]],
    shares: Mapping[str, Mapping[Class, float]],
    specific: Mapping[Class, float],
) -> Relations:
    """Return the table of ``words`` (sorted) with these pairs and classes."""
    row = {word: i for i, word in enumerate(words)}
    used = sorted({names for classes in shares.values() for names in classes})
    number = {names: i for i, names in enumerate(used)}
    stored = sorted((row[a], row[b], kind, strength) for (a, b), (kind, strength) in pairs.items())
    members = [
        sorted((number[names], share) for names, share in shares.get(word, {}).items())
        for word in words
    ]
    first = np.array([pair[0] for pair in stored], dtype=np.int64)
    arrays = RelationArrays(
        starts=_starts(np.bincount(first, minlength=len(words))),
        others=np.array([pair[1] for pair in stored], dtype=np.int32),
        kinds=np.array([pair[2] for pair in stored], dtype=np.int8),
        strengths=_bytes([pair[3] for pair in stored]),
        class_starts=_starts([len(classes) for classes in members]),
        classes=np.array([c for classes in members for c, _ in classes], dtype=np.int32),
        shares=_bytes([share for classes in members for _, share in classes]),
        specificity=_bytes([specific[names] for names in used]),
    )
    return Relations(words, arrays)


def _starts(counts: Sequence[int] | npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


def _bytes(values: Sequence[float]) -> npt.NDArray[np.uint8]:
    whole = np.rint(np.clip(np.array(values, dtype=float), 1 / 255, 1) * 255)
    return np.asarray(whole, dtype=np.uint8)


def upward(words: Iterable[str], above: Mapping[str, Collection[str]]) -> set[str]:
    """Return ``words`` and all words above them."""
    reached, front = set[str](), set(words)
    while front:
        reached |= front
        front = {high for word in front for high in above.get(word, ())} - reached
    return reached


def build(
    words: Sequence[str],
    sources: Sources,
    vectors: Mapping[str, Floats],
    zipf: Mapping[str, float],
    parts: Mapping[str, Collection[str]],
) -> Relations:
    """Return the table of ``words`` (sorted).

    ``vectors`` (unit length) and ``zipf`` have these words and all words above them, ``parts`` the
    parts of speech of words that are known.
    """
    above: defaultdict[str, set[str]] = defaultdict(set)
    for word, high in sources.links.get("hypernym", ()):
        if word in vectors:
            above[word].add(high)
    taxonomy = Taxonomy(above, sources.neighbours("synonym"), vectors, zipf, parts)
    ancestors = {word: taxonomy.ancestors(word, _COUNTED) for word in words}
    within = _within(sources, set(words))
    shares, specific = class_lists(ancestors)
    shares = inherit(shares, related.derivations(within))

    def sister(pair: Pair) -> float:
        first, second = (shares[word] for word in pair)
        common = first.keys() & second.keys()
        return max((first[c] * second[c] * specific[c] for c in common), default=0.0)

    pairs = resolve(within, narrower(ancestors, taxonomy), sister)
    return assemble(words, pairs, shares, specific)


def _within(sources: Sources, words: Collection[str]) -> Sources:
    """Return the pairs of ``sources`` whose words are both among ``words``."""

    def keep(pairs: Iterable[Pair]) -> set[Pair]:
        return {pair for pair in pairs if pair[0] in words and pair[1] in words}

    return Sources(
        {relation: keep(pairs) for relation, pairs in sources.links.items()},
        {pair: rank for pair, rank in sources.ranks.items() if keep([pair])},
        keep(sources.sure),
        keep(sources.exclusive),
        keep(sources.opposites),
        sources.cosine,
    )


def counts(table: Relations) -> dict[str, int]:
    """Return how many pairs of each relation are stored."""
    found = Counter(table.arrays.kinds.tolist())
    return {kind.name.lower(): found[kind] for kind in Kind if found[kind]}


def main(
    out: Annotated[Path, typer.Option(help="Folder to write the table to.")],
    data: Annotated[Path, typer.Option(help="Folder of lexicons/ and text/.")],
) -> None:
    """Make the table of lexical relations."""
    import wordfreq

    lexicons = data / "lexicons"
    table = links(lexicons / RELATIONS)
    builtin = (files("compsim.weights") / "builtin" / "words.txt").read_text(encoding="utf-8")

    def frequency(word: str) -> float:
        return min(wordfreq.zipf_frequency(part, "en") for part in re.split(r"[_.]+", word) if part)

    listed = {word for pairs in table.values() for pair in pairs for word in pair}
    text = "\n".join(read_sentences(data / "text" / "sentences.tsv.gz"))
    words = vocabulary(listed, set(builtin.split()), frequency, text)
    above: defaultdict[str, set[str]] = defaultdict(set)
    for word, high in table["hypernym"]:
        above[word].add(high)
    reached = sorted(upward(words, above))
    tables = read_tables()
    vectors = unit_vectors(reached)
    row = {word: i for i, word in enumerate(reached)}

    def cosine(pair: Pair) -> float:
        return float(vectors[row[pair[0]]] @ vectors[row[pair[1]]])

    lemmas = lemmas_of(lexicons, set(words), tables)
    known = set(words)
    sources = Sources(
        table,
        paraphrases.ranks(paraphrases.rows(lexicons / paraphrases.PARAPHRASES), lemmas, known),
        paraphrases.pairs(lexicons / paraphrases.SURE, lemmas, known),
        paraphrases.pairs(lexicons / paraphrases.EXCLUSIONS, lemmas, known),
        paraphrases.pairs(lexicons / ANTONYMS[0], lemmas, known),
        cosine,
    )
    parts: defaultdict[str, set[str]] = defaultdict(set)
    for part, of_part in tables.lemmas.items():
        for lemma in of_part:
            parts[lexical_key(lemma)].add(part)
    relations = build(
        words,
        sources,
        {word: vectors[i] for word, i in row.items()},
        {word: frequency(word) for word in reached},
        parts,
    )
    about = {
        "recipe": "compsim.weights.build_relations",
        "sources": {
            "relations, words": "Open English WordNet, CC BY 4.0",
            "paraphrases": "PPDB 1.0 XL, CC BY 3.0",
            "synonyms, antonyms, exclusions": "counter-fitting, Apache-2.0",
            "weights": "all-MiniLM-L6-v2, Apache-2.0",
        },
        "words": len(relations),
        "classes": len(relations.arrays.specificity),
        "memberships": len(relations.arrays.classes),
        "pairs": counts(relations),
    }
    write_relations(out, relations, about)
    size = (out / "relations.npz").stat().st_size
    typer.echo(f"{out}: {len(relations)} words, {about['pairs']}, {size / 1e6:.2f} MB")


def unit_vectors(words: Sequence[str]) -> Floats:
    """Return the unit vectors (len(words), 384) of words, less the mean of frequent ones."""
    centre = word_vectors(frequent_words(CENTRE_WORDS)).mean(axis=0)
    vectors = word_vectors([word.replace("_", " ") for word in words]) - centre
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def lemmas_of(folder: Path, words: Collection[str], tables: Tables) -> dict[str, str]:
    """Return the lemma in ``words`` of each form in the lists of paraphrases and antonyms."""
    listed = {
        word
        for name in (paraphrases.PARAPHRASES, paraphrases.SURE, ANTONYMS[0])
        for first, others in paraphrases.rows(folder / name)
        for word in (first, *others)
    }
    found: dict[str, str] = {}
    for form, lemma in forms(sorted(listed | set(words)), tables):
        if lemma in words:
            found.setdefault(form, lemma)
    return found


if __name__ == "__main__":
    typer.run(main)
