"""Word vectors: their files and tables, the words of a phrase, the vector of a phrase."""

from compsim.vectors.word_vectors import KeyedVectors, WordVectors

__all__ = ["KeyedVectors", "WordVectors"]
