"""Explanations: the parts of a score as rows, and as text, JSON and HTML."""

from compsim.explanation.rows import Conflict, Explanation, RoleRow
from compsim.explanation.word_matrix import MatrixWord, WordMatrix

__all__ = ["Conflict", "Explanation", "MatrixWord", "RoleRow", "WordMatrix"]
