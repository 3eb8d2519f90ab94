"""Word vectors: their files and tables, the words of a phrase, the vector of a phrase."""

from compsim.vectors.word_vectors import BuiltinVectorsWarning, KeyedVectors, WordVectors

__all__ = ["BuiltinVectorsWarning", "KeyedVectors", "WordVectors"]
