"""Documents parsed and encoded once, kept on disk, and searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compsim.lazy import lazy_names

if TYPE_CHECKING:
    from compsim.corpus.corpus import Corpus
else:
    __getattr__, __dir__ = lazy_names(__name__, {"compsim.corpus.corpus": ("Corpus",)})

__all__ = ["Corpus"]
