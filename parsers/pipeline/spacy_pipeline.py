"""Trees by a pipeline of spaCy, which the ``spacy`` extra installs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from compsim.errors import DataError, MissingExtraError
from compsim.missing import require
from compsim.parsers.pipeline.language import LanguageSource
from compsim.parsers.pipeline.tree import Tree, parts_of
from compsim.storage.reading import expanded

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = ["SpacyPipeline", "missing_pipeline", "tree_of"]

#: Characters of texts that a pipeline reads before its vocabulary is looked at.
_CHARACTERS = 100_000


class SpacyPipeline:
    """Makes the trees of texts by a pipeline of spaCy: one that is installed, or in a folder.

    Nothing is loaded before the first text. Raises MissingExtraError when it is not installed, and
    DataError when it has no parser or is damaged.
    """

    def __init__(self, name: str) -> None:
        self._language = LanguageSource(partial(_load, name))

    def trees(self, texts: Sequence[str], count: int = 0) -> list[Tree]:
        """One tree for each text."""
        trees: list[Tree] = []
        for some in parts_of(texts, _CHARACTERS):
            trees += map(tree_of, self._language.current().pipe(some, batch_size=512))
        return trees

    def warm_up(self) -> None:
        """Do nothing: there is no faster way."""

    @cached_property
    def irregular_verbs(self) -> dict[str, list[str]]:
        """Lemmas of irregular verb forms, none where the lemmatizer has no such table."""
        return dict(self._lemma_table("lemma_exc").get("verb", {}))

    @cached_property
    def dictionary(self) -> dict[str, frozenset[str]]:
        """Lemmas of adjectives and nouns, none where the lemmatizer has no such table."""
        table = self._lemma_table("lemma_index")
        return {pos: frozenset(table.get(pos, ())) for pos in ("adj", "noun")}

    def _lemma_table(self, table: str) -> Mapping[str, Any]:
        for name, component in self._language.current().pipeline:
            lookups = getattr(component, "lookups", None)
            if name == "lemmatizer" and lookups is not None and lookups.has_table(table):
                result: Mapping[str, Any] = lookups.get_table(table)
                return result
        return {}


def tree_of(doc: Doc) -> Tree:
    """Return the tree of a document that is parsed already."""
    strings = doc.vocab.strings
    offsets = doc.to_array(["IDX", "LENGTH"]).astype("int64")
    rows = doc.to_array(["HEAD", "DEP", "TAG", "POS", "LEMMA"])
    names = {int(key): strings[int(key)] for key in set(rows[:, 1:].ravel().tolist())}
    deps, tags, pos, lemmas = ([names[key] for key in column] for column in rows[:, 1:].T.tolist())
    return Tree(
        doc.text,
        offsets[:, 0].tolist(),
        offsets.sum(axis=1).tolist(),
        [i + head for i, head in enumerate(rows[:, 0].astype("int64").tolist())],
        deps,
        tags,
        pos,
        [lemma.lower() for lemma in lemmas],
    )


def _load(pipeline: str) -> Language:
    """The pipeline of this name or folder, loaded."""
    require("spacy", "spacy")
    import spacy

    from compsim.parsers.pipeline.long_words import PieceTokenizer

    source = expanded(pipeline)
    if not source.exists() and find_spec(str(source).partition(".")[0]) is None:
        raise missing_pipeline(pipeline)
    try:
        nlp = spacy.load(str(source), exclude=["ner", "senter"])
    except (OSError, ValueError) as error:
        raise DataError(
            f"the spaCy pipeline {str(source)!r} does not load ({error}): reinstall it"
        ) from error
    if "parser" not in nlp.pipe_names:
        raise DataError(
            f"the spaCy pipeline {str(source)!r} has no dependency parser, and roles are read off "
            "dependencies: name another pipeline"
        )
    _quicken(nlp)
    nlp.tokenizer = PieceTokenizer(nlp.tokenizer, nlp.vocab)
    return nlp


def missing_pipeline(pipeline: str) -> MissingExtraError:
    """Return the error for a pipeline that is not installed."""
    return MissingExtraError(
        f"the spaCy pipeline {pipeline!r} is not installed: run `python -m spacy download "
        f"{pipeline}`, or leave the pipeline out to use the one that compsim ships"
    )


def _quicken(nlp: Language) -> None:
    """Let the lemmatizer find a word in its lists of base forms without reading them through."""
    for name, component in nlp.pipeline:
        lookups = getattr(component, "lookups", None)
        if name == "lemmatizer" and lookups is not None and lookups.has_table("lemma_index"):
            index = lookups.get_table("lemma_index")
            for pos in list(index):
                index[pos] = frozenset(index[pos])
