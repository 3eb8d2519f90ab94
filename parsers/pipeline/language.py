"""A spaCy pipeline whose vocabulary stays small, however many words it reads.

spaCy keeps each word that it meets, with its shape, prefix and so on, as long as its vocabulary
lives. Here a pipeline that has met many words is loaded anew: what holds the old one may go on with
it, and its memory is free when nothing does. (``Language.memory_zone`` frees the words of one
batch, but not while another thread reads with the same pipeline.)

>>> import spacy
>>> source = LanguageSource(lambda: spacy.blank("en"), words=2)
>>> first = source.current()
>>> len(first("Cats chase mice.")), source.current() is first
(4, False)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from compsim.errors import CompsimError
from compsim.kernels.locks import SharedLock

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["LanguageSource"]

#: Words that a pipeline may meet: some 20 MB, after which loading one takes 0.2 s.
_WORDS: Final = 50_000


class LanguageSource:
    """Loads a pipeline when it is first asked for, and again after it has met ``words`` words.

    ``load`` returns a new pipeline, each time the same. One that can not be loaded again, or is
    another one by now, is used on.
    """

    def __init__(self, load: Callable[[], Language], words: int | None = None) -> None:
        self._load = load
        self._words = _WORDS if words is None else words
        self._language: Language | None = None
        self._most = 0
        self._lock = SharedLock()

    def __reduce__(self) -> tuple[type[LanguageSource], tuple[Callable[[], Language], int]]:
        return LanguageSource, (self._load, self._words)

    def current(self) -> Language:
        """Return the pipeline, for a text or a few. Raises what ``load`` raises at first."""
        language = self._language
        if language is not None and len(language.vocab) <= self._most:
            return language
        with self._lock:
            if self._language is None or self._language is language:
                self._language = self._renewed(language)
                self._most = len(self._language.vocab) + self._words
            return self._language

    def _renewed(self, language: Language | None) -> Language:
        """Return a new pipeline, or the old one where there is no other like it."""
        try:
            new = self._load()
        except (CompsimError, OSError, ValueError):
            if language is None:
                raise
            return language
        return new if language is None or new.meta == language.meta else language
