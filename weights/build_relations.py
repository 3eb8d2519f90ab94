"""Recipe of the table of lexical relations (``weights/lexicon/relations.npz``).

::

    python -m compsim.weights.build_relations --data FOLDER --out weights/lexicon

``FOLDER`` holds ``lexicons/`` (Open English WordNet's pairs by relation, PPDB-XL, the lists of
counter-fitting) and ``text/sentences.tsv.gz``. The words are the lemmas of that WordNet that are in
the built-in table of vectors or on Zipf's scale at 2.0 or more, and its entries of several words
that the text has. What the lexicons list is weighed by single-word vectors of all-MiniLM-L6-v2
(:mod:`compsim.weights.lexicons.lexical_pairs`), and so is what class a word belongs to
(:mod:`compsim.weights.lexicons.taxonomy`). Two words are sisters when they share a class and their
vectors are near (:mod:`compsim.weights.lexicons.sisters`). What 22,000 pairs of frequent words are
to each other readers have judged, which comes first (:mod:`compsim.weights.lexicons.judged`).
Numbers in digits are left out. Nothing is fitted to ratings of sentences.

It needs the extra ``recipes`` and takes about eight minutes on one core.
"""

from __future__ import annotations

import csv
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
    Kind,
    RelationArrays,
    Relations,
    lexical_key,
    write_relations,
)
from compsim.weights.build_names import read_sentences
from compsim.weights.build_vectors import CENTRE_WORDS, frequent_words, word_vectors
from compsim.weights.lexicons import lexical_pairs, paraphrases
from compsim.weights.lexicons.antonyms import ANTONYMS
from compsim.weights.lexicons.inflection import Tables, forms, read_tables
from compsim.weights.lexicons.judged import judged_relation, read_judged
from compsim.weights.lexicons.lexical_pairs import Pair, Sources, Strengths
from compsim.weights.lexicons.multiword import count_entries
from compsim.weights.lexicons.sisters import (
    Sisterhood,
    class_shares,
    inherit,
    sisters,
    specificity,
)
from compsim.weights.lexicons.taxonomy import Ancestor, Class, Taxonomy
from compsim.weights.lexicons.wordnet import RELATIONS, relations

__all__ = [
    "CLOSED",
    "assemble",
    "build",
    "closed_classes",
    "links",
    "narrower",
    "resolve",
    "vocabulary",
]

#: The table of closed classes, beside the relations.
CLOSED: Final = "sisters.tsv"

_LEAST_ZIPF: Final = 2.0
_UNLISTED_ZIPF: Final = 3.5
#: An entry of several words that the text has less often is left out.
_SEEN: Final = 2
_WORD: Final = re.compile(r"[a-z][a-z'.]*")
#: Steps up to a wider word, what each after the first leaves of the strength, and how near the
#: vectors must be where there are more than three.
_STEPS: Final = 8
_STEP: Final = 0.85
_SURE_STEPS: Final = 3
_NEAR: Final = 0.3
#: The least strength of a narrower word.
_NARROWER: Final = 0.25
_TAXONOMIC: Final = (Kind.NARROWER, Kind.WIDER)
#: How much less of a class sisters must share for each rank down PPDB's list.
_RANK: Final = 0.15

Floats = npt.NDArray[np.floating[Any]]


def links(path: Path) -> dict[str, set[Pair]]:
    """Return the pairs of WordNet by relation, as the table spells words."""
    by_relation: defaultdict[str, set[Pair]] = defaultdict(set)
    for word, relation, other in relations(path):
        pair = (lexical_key(word), lexical_key(other))
        if pair[0] != pair[1]:
            by_relation[relation].add(pair)
    return dict(by_relation)


def vocabulary(
    words: Iterable[str], builtin: Collection[str], zipf: Callable[[str], float], text: str
) -> list[str]:
    """Return those of ``words`` to list: frequent ones, and entries of several that a text has."""
    listed = set(words)
    joined = {word for word in listed if "_" in word}
    seen = count_entries(text, joined)
    single = (word for word in listed - joined if _WORD.fullmatch(word))
    frequent = {word for word in single if word in builtin or zipf(word) >= _LEAST_ZIPF}
    return sorted(frequent | {word for word in joined if word in builtin or seen[word] >= _SEEN})


def narrower(
    ancestors: Mapping[str, Mapping[Class, Ancestor]],
    taxonomy: Taxonomy,
    cosine: Callable[[Pair], float],
) -> Strengths:
    """Return pairs of a narrower and a wider word of the vocabulary, the keys of ``ancestors``.

    A pair whose vectors have nothing in common is one of rare senses.
    """
    pairs: Strengths = {}
    for word, classes in ancestors.items():
        for names, (share, depth) in classes.items():
            for name in names:
                if name not in ancestors or name == word:
                    continue
                near = cosine((min(word, name), max(word, name)))
                if depth <= _SURE_STEPS or near >= _NEAR:
                    fit = min(max(0.4 + 2 * near, 0.0), 1.0) * taxonomy.fit(name, names)
                    strength = share * _STEP ** (depth - 1) * fit
                    if strength >= _NARROWER:
                        pairs[word, name] = max(strength, pairs.get((word, name), 0.0))
    return pairs


def resolve(
    sources: Sources,
    wider: Strengths,
    beside: Mapping[Pair, Sisterhood],
    judged: Mapping[Pair, str] | None = None,
) -> dict[Pair, tuple[Kind, float]]:
    """Return one relation for each pair, of the lower to the higher word.

    ``wider`` are pairs of a narrower and a wider word, ``beside`` are sisters. Direct opposites
    come first, then members of closed classes; a derivation is one even among synonyms; a synonym
    of WordNet is no hyponym. A paraphrase that PPDB has far down its list may be a sister. What
    readers have ``judged`` is so.
    """
    similar, synonyms = lexical_pairs.similar(sources), lexical_pairs.synonyms(sources)
    resolved = {pair: (Kind.SISTER, sister.strength) for pair, sister in beside.items()}
    near = sources.listed("similar", "synonym") | set(sources.sure)
    for pair, strength in similar.items():
        least = 1 - _RANK * sources.ranks.get(pair, 0)
        if pair in near or pair not in beside or beside[pair].shared < least:
            resolved[pair] = (Kind.SIMILAR, strength)
    alike = {pair: strength for pair, strength in similar.items() if pair in near} | synonyms
    for pair, strength in lexical_pairs.transferred_antonyms(sources, alike).items():
        resolved[pair] = (Kind.ANTONYM, strength)
    for (word, high), strength in sorted(wider.items()):
        pair = (min(word, high), max(word, high))
        known = resolved.get(pair, (Kind.NONE, 0.0))
        if known[0] not in _TAXONOMIC or known[1] < strength:
            resolved[pair] = (Kind.NARROWER if pair[0] == word else Kind.WIDER, strength)
    listed, direct = sources.listed("synonym"), sources.listed("antonym")
    for pair, strength in synonyms.items():
        if pair in listed or resolved.get(pair, (Kind.NONE, 0.0))[0] not in _TAXONOMIC:
            resolved[pair] = (Kind.SYNONYM, strength)
    for kind, strengths in (
        (Kind.DERIVED, lexical_pairs.derivations(sources)),
        (Kind.SISTER, lexical_pairs.exclusions(sources)),
    ):
        resolved |= {pair: (kind, strength) for pair, strength in strengths.items()}
    for pair, strength in lexical_pairs.antonyms(sources).items():
        if pair in direct or pair not in listed:
            resolved[pair] = (Kind.ANTONYM, strength)
    for pair, judgement in (judged or {}).items():
        resolved[pair] = judged_relation(judgement, *resolved.get(pair, (Kind.NONE, 0.0)))
    return {pair: found for pair, found in resolved.items() if found[0] != Kind.NONE}


def assemble(words: Sequence[str], pairs: Mapping[Pair, tuple[Kind, float]]) -> Relations:
    """Return the table of ``words`` (sorted) with these pairs."""
    row = {word: i for i, word in enumerate(words)}
    stored = sorted((row[a], row[b], kind, strength) for (a, b), (kind, strength) in pairs.items())
    first = np.array([pair[0] for pair in stored], dtype=np.int64)
    counts = np.bincount(first, minlength=len(words))
    strengths = np.array([pair[3] for pair in stored], dtype=float)
    arrays = RelationArrays.of(
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        others=np.array([pair[1] for pair in stored], dtype=np.int32),
        kinds=np.array([pair[2] for pair in stored], dtype=np.int8),
        strengths=np.rint(np.clip(strengths, 1 / 255, 1) * 255).astype(np.uint8),
    )
    return Relations(words, arrays)


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
    judged: Mapping[Pair, str] | None = None,
) -> Relations:
    """Return the table of ``words`` (sorted).

    ``vectors`` (unit length) and ``zipf`` have these words and all words above them, ``parts`` the
    parts of speech of words that are known, ``judged`` the pairs that readers have judged.
    """
    above: defaultdict[str, set[str]] = defaultdict(set)
    for word, high in sources.links.get("hypernym", ()):
        if word in vectors:
            above[word].add(high)
    taxonomy = Taxonomy(above, sources.neighbours("synonym"), vectors, zipf, parts)
    ancestors = {word: taxonomy.ancestors(word, _STEPS) for word in words}
    within = _within(sources, set(words))
    shares = inherit(
        class_shares(ancestors, specificity(ancestors)), lexical_pairs.derivations(within)
    )
    beside = sisters(shares, ancestors, np.stack([vectors[word] for word in shares]))
    wider = narrower(ancestors, taxonomy, sources.cosine)
    return assemble(words, resolve(within, wider, beside, judged))


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
        [set(members) & set(words) for members in sources.closed],
        sources.cosine,
    )


def counts(table: Relations) -> dict[str, int]:
    """Return how many pairs of each relation are stored."""
    numbers = Counter(table.arrays.kinds.tolist())
    return {kind.name.lower(): numbers[kind] for kind in Kind if numbers[kind]}


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
    tables = read_tables()
    rest = unlisted_words(builtin.split(), listed, lexicons, tables, frequency)
    words = vocabulary({*listed, *rest}, set(builtin.split()), frequency, text)
    above: defaultdict[str, set[str]] = defaultdict(set)
    for word, high in table["hypernym"]:
        above[word].add(high)
    reached = sorted(upward(words, above))
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
        closed_classes(out / CLOSED),
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
        {pair: how for pair, how in read_judged().items() if known.issuperset(pair)},
    )
    about = {
        "recipe": "compsim.weights.build_relations",
        "sources": {
            "relations, words": "Open English WordNet, CC BY 4.0",
            "paraphrases": "PPDB 1.0 XL, CC BY 3.0",
            "synonyms, antonyms, exclusions": "counter-fitting, Apache-2.0",
            "judgements": "this project, Apache-2.0",
            "weights": "all-MiniLM-L6-v2, Apache-2.0",
        },
        "words": len(relations),
        "pairs": counts(relations),
    }
    write_relations(out, relations, about)
    size = (out / "relations.npz").stat().st_size
    typer.echo(f"{out}: {len(relations)} words, {about['pairs']}, {size / 1e6:.2f} MB")


def unlisted_words(
    builtin: Iterable[str],
    listed: Collection[str],
    folder: Path,
    tables: Tables,
    zipf: Callable[[str], float],
) -> set[str]:
    """Return the frequent words of PPDB that WordNet lacks and that are no names: towards."""
    names = (files("compsim.weights") / "names.txt").read_text(encoding="utf-8").lower().split()
    paraphrased = {word for word, _ in paraphrases.rows(folder / paraphrases.PARAPHRASES)}
    more = {
        word
        for word in paraphrased.intersection(builtin).difference(listed, names)
        if _WORD.fullmatch(word) and zipf(word) >= _UNLISTED_ZIPF
    }
    return more - {form for form, _ in forms(sorted({*more, *listed}), tables)}


def closed_classes(path: Path) -> list[set[str]]:
    """Return the members of each class in the table of closed classes."""
    members: defaultdict[str, set[str]] = defaultdict(set)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            members[row["class"]].add(row["word"])
    return [members[name] for name in sorted(members)]


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
    lemmas: dict[str, str] = {}
    for form, lemma in forms(sorted(listed | set(words)), tables):
        if lemma in words:
            lemmas.setdefault(form, lemma)
    return lemmas


if __name__ == "__main__":
    typer.run(main)
