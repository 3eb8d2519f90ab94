"""A vector for every phrase, whatever its words: the encoder of everyday text.

Word vectors alone leave holes: stop words, pronouns, names, numbers. Here each word has a vector, a
phrase is the mean of its words, each by how much it says (:mod:`compsim.vectors.rarity`), and
nothing but an empty phrase is without one:

- a word that the table holds, at unit length;
- pronouns by their features (:mod:`compsim.vectors.pronouns`), or as the noun of the same text that
  the parser says they stand for;
- numbers by their value (:mod:`compsim.vectors.numbers`), however many words they have
  (:mod:`compsim.vectors.numerals`);
- days, months and lengths of time by which of them they are (:mod:`compsim.vectors.dates`);
- other words by their spelling (:mod:`compsim.vectors.axes`).

A predicate is its lemma, with its particle, mixed with the form that stands in the text. What a
phrase is about, its head, may count for more than its other words: the father of the bride is not
the bride of the father.

>>> import numpy as np
>>> from compsim.vectors import WordVectors
>>> encoder = AllWords(WordVectors.open("builtin"))
>>> love, her, zorblat = encoder.texts(["love", "her", "Zorblat"])
>>> bool(zorblat @ encoder.texts(["Zorblat's"])[0] > 0.8)
True
>>> encoder.how("Zorblat"), encoder.how("her"), encoder.how("1,200"), encoder.how("love")
('spelling', 'pronoun', 'number', '')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from compsim.kernels.locks import SharedLock
from compsim.vectors.axes import spelled
from compsim.vectors.dates import calendar_name, date_vector
from compsim.vectors.means import stretch_means
from compsim.vectors.numbers import number, value_vector
from compsim.vectors.numerals import in_digits
from compsim.vectors.pronouns import PRONOUNS, pronoun_vector
from compsim.vectors.rarity import rarity
from compsim.vectors.words import spellings, stop_words

if TYPE_CHECKING:
    from compsim.graph import Node, RoleGraph
    from compsim.vectors.word_vectors import WordVectors

__all__ = ["AllWords"]

Floats = npt.NDArray[np.float32]

#: Words that are kept ready; then the table begins anew.
_KEPT: Final = 1 << 16
#: Texts between two looks at how many are kept.
_CHUNK: Final = 1 << 12

#: Quantifiers and prepositions that are no stop words (closed classes).
_QUANTIFIERS: Final = frozenset(("many", "much", "every", "several"))
_PREPOSITIONS: Final = frozenset((
    "across", "along", "although", "behind", "beneath", "beside", "despite", "inside", "like",
    "near", "notwithstanding", "onto", "outside", "past", "since", "though", "till", "toward",
    "towards", "underneath", "unlike", "upon", "within", "without",
))  # fmt: skip
#: Question words that open a clause as often as they ask (a closed class).
_CONJUNCTIONS: Final = frozenset(("where", "when", "why", "how"))
#: What is left of the weight of articles, quantifiers, prepositions, auxiliaries: enough for a
#: phrase of nothing else. What they say is in the features of a phrase.
_EMPTY: Final = 0.01
#: Letters with points, which may spell a pronoun, and what "US" beside small letters stands for.
_ABBREVIATION: Final = re.compile(r"\b(?:[^\W\d_]\.){2}|\b[^\W\d_]\.[^\W\d_]\b")
_COUNTRY: Final = "U.S."
#: What joins words that are heads together (a closed class).
_JOINING: Final = frozenset(("and", "or", "nor", "&", "but"))
#: What a particle weighs beside a verb that the table does not have with it.
_PARTICLE: Final = 0.5


class AllWords:
    """A ``PhraseEncoder`` over a table of word vectors.

    ``form`` is the share of the form of a predicate that stands in the text beside its lemma: 0
    makes "bit" and "bites" one verb, 1 looks up "bit" alone. ``head`` is the share of a phrase that
    its head has by itself, beside what it has among the words.
    """

    def __init__(self, vectors: WordVectors, form: float = 0.5, head: float = 0.0) -> None:
        self.vectors = vectors
        self.form = form
        self.head = head
        self.name = vectors.name
        self.dim = vectors.dim
        self.space = f"{vectors.space} all words, form {form:g}"
        self.space += f", head {head:g}" if head else ""
        self._table = _WordTable(self.dim)

    def __repr__(self) -> str:
        return f"AllWords({self.vectors!r})"

    def phrases(
        self, graphs: Sequence[RoleGraph], nodes: Sequence[Sequence[Node]]
    ) -> npt.NDArray[np.float32]:
        """The vectors of the nodes of each graph, one graph's behind another's: (n, dim)."""
        # Most phrases of a batch occur in it more than once: "he", the roles of another reading.
        place: dict[tuple[str, str, str], int] = {}
        known: dict[tuple[str, Any, str | None], int] = {}
        rows: list[int] = []
        for node in chain.from_iterable(nodes):
            key = node.label, node.features, node.sense
            row = known.get(key)
            if row is None:
                row = known[key] = place.setdefault(_named(node), len(place))
            rows.append(row)
        labels, lemmas, heads = zip(*place, strict=True) if place else ((), (), ())
        texts = self.texts(labels)
        verbs = [i for i, lemma in enumerate(lemmas) if lemma]
        if verbs:
            base = self._lemmas([lemmas[i] for i in verbs])
            share = np.array([self._share(labels[i], lemmas[i]) for i in verbs], dtype=np.float32)
            texts[verbs] = share[:, None] * _unit(texts[verbs]) + (1 - share)[:, None] * base
        if self.head:
            about = [i for i, head in enumerate(heads) if head]
            own, whole = _unit(self.texts([heads[i] for i in about])), _unit(texts[about])
            texts[about] = np.float32(self.head) * own + np.float32(1 - self.head) * whole
        return texts[rows]

    def texts(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """The weighted means (n, dim) of the words of whole texts; zeros for one without words."""
        parts = [
            self._means(texts[start : start + _CHUNK]) for start in range(0, len(texts), _CHUNK)
        ]
        if len(parts) == 1:
            return parts[0]
        return np.concatenate([np.zeros((0, self.dim), dtype=np.float32), *parts])

    def _means(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return the weighted means of some texts."""
        # One table for all of them: another thread may begin a new one meanwhile.
        table = self._word_table()
        known = table.row
        rows: list[int] = []
        ends = np.zeros(len(texts) + 1, dtype=np.int64)
        for i, text in enumerate(texts):
            tokens = in_digits(text).split()
            if "US" in tokens and text != text.upper():
                tokens = [_COUNTRY if token == "US" else token for token in tokens]
            for token in tokens:
                row = known.get(token)
                if row is None:
                    row = self._add(table, token)
                if row >= 0:
                    rows.append(row)
            ends[i + 1] = len(rows)
        index = np.array(rows, dtype=np.int64)
        # Read last: they hold every row that was met above.
        matrix, weight = table.matrix, table.weight
        return stretch_means(matrix, index, ends, weight[index])

    def _share(self, form: str, lemma: str) -> float:
        """The share of a form beside its lemma: none of "'s" beside "be", or beside a particle."""
        return 0.0 if "_" in lemma or _plain(form) in stop_words() else self.form

    def how(self, token: str) -> str:
        """By what a word is compared, if not by the table alone.

        "pronoun", "number", "date" or "spelling"; empty for a word of the table, and for bare
        punctuation.
        """
        table = self._word_table()
        row = table.row.get(token)
        if row is None:
            row = self._add(table, token)
        return table.how[row] if row >= 0 else ""

    def _word_table(self) -> _WordTable:
        """Return the table of the words that are ready, a new one where that has become long."""
        table = self._table
        if len(table.row) > _KEPT:
            table = self._table = _WordTable(self.dim)
        return table

    def _add(self, table: _WordTable, token: str) -> int:
        """Give a token a row of its own, or -1 for one without a letter or digit."""
        word = _plain(token)
        if not word:
            return table.add(token)
        vector, how = self._word(word, token)
        empty = word in _empty_words()
        empty = empty and (how not in ("pronoun", "number") or word in _CONJUNCTIONS)
        return table.add(token, vector, how, rarity(token) * (_EMPTY if empty else 1.0))

    def _word(self, word: str, token: str) -> tuple[Floats, str]:
        """The unit vector of a word that is not empty, and by what it is compared."""
        if word in PRONOUNS and _ABBREVIATION.search(token):
            known = self._known("usa") if word == "us" else None
            return (spelled(token, self.dim), "spelling") if known is None else (known, "")
        pronoun = pronoun_vector(word, self.dim, self._known)
        if pronoun is not None:
            return pronoun, "pronoun"
        value = number(word)
        if value is not None:
            return value_vector(value, self.dim), "number"
        date = calendar_name(token)
        known = self._known(date or token)
        if known is None:
            return spelled(word, self.dim), "spelling"
        return (date_vector(date, known), "date") if date else (known, "")

    def _known(self, token: str) -> Floats | None:
        row = self.vectors.rows([token])
        vector = self.vectors.take(row)[0]
        length = float(np.linalg.norm(vector))
        return vector / np.float32(length) if row[0] >= 0 and length > 0 else None

    def _lemmas(self, lemmas: Sequence[str]) -> Floats:
        """Unit vectors (n, dim) of predicates; of one that is not in the table its words'.

        A particle that the table does not know with its verb is meant as it is said: who drifts up
        does not drift down.
        """
        known = self.vectors.rows(lemmas) >= 0
        names = [x if ok else x.partition("_")[0] for x, ok in zip(lemmas, known, strict=True)]
        unit = _unit(self.texts(names))
        for i in np.flatnonzero(~known).tolist():
            for particle in lemmas[i].split("_")[1:]:
                added = self._known(particle)
                if added is not None:
                    unit[i] += np.float32(_PARTICLE) * added
        return _unit(unit)


class _WordTable:
    """Words that are ready: the row of each token, in arrays that grow by doubling.

    A row is never changed and a token comes last, so that a thread may read while another adds:
    the ``matrix`` and the ``weight`` that it reads after ``row`` have all rows that it met there.
    """

    def __init__(self, dim: int) -> None:
        self.row: dict[str, int] = {}
        self.how: list[str] = []
        self.weight: Floats = np.zeros(1024, dtype=np.float32)
        self.matrix: Floats = np.zeros((1024, dim), dtype=np.float32)
        self._lock = SharedLock()

    def add(
        self, token: str, vector: Floats | None = None, how: str = "", weight: float = 0.0
    ) -> int:
        """Return the row of a token, -1 for one without a vector; a new one if it has none yet."""
        if vector is None:
            return self.row.setdefault(token, -1)
        with self._lock:
            known = self.row.get(token)
            if known is not None:
                return known
            row = len(self.how)
            if row == len(self.matrix):
                self.weight, self.matrix = _doubled(self.weight), _doubled(self.matrix)
            self.matrix[row], self.weight[row] = vector, weight
            self.how.append(how)
            self.row[token] = row
            return row


def _doubled(array: Floats) -> Floats:
    """Return the array with as many rows again, which take no memory before they are written."""
    grown = np.zeros((2 * len(array), *array.shape[1:]), dtype=array.dtype)
    grown[: len(array)] = array
    return grown


@cache
def _empty_words() -> frozenset[str]:
    """Articles, quantifiers, prepositions, auxiliaries; pronouns and numbers are among them."""
    return frozenset(stop_words()) | _QUANTIFIERS | _PREPOSITIONS


def _plain(token: str) -> str:
    """The token in lower case without what surrounds the word, as pronouns and numbers have it."""
    forms = spellings(token)
    if not forms:
        return ""
    bare = _bare(token).lower()
    return bare if number(bare) is not None else forms[0]


def _bare(token: str) -> str:
    """The token without the marks around it, unless it is nothing else."""
    marks = ".,;:!?\"'()[]{}\u2018\u2019\u201c\u201d\u2026-\u2013\u2014"
    return token.strip(marks) or token


def _named(node: Node) -> tuple[str, str, str]:
    """The words of a phrase, or of the noun that it stands for, the lemma of a predicate, a head.

    The lemma is that of its features, else of its roleset; empty for a phrase. The head is the one
    that a phrase of several words has; empty where words that are joined share in it.
    """
    label, lemma, head = node.label, "", ""
    for name, value in node.features:
        if name == "antecedent":
            label = value
        elif name == "lemma":
            lemma = value
        elif name == "head" and " " in label:
            head = value
    if head and (label is not node.label or not _JOINING.isdisjoint(label.lower().split())):
        head = ""  # that of a pronoun, or one of several
    if not lemma and node.sense is not None:
        lemma = node.sense.rsplit(".", 1)[0]
    return label, lemma, "" if lemma else head


def _unit(rows: npt.NDArray[np.float32]) -> Floats:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(length > 0, length, 1), dtype=np.float32)
