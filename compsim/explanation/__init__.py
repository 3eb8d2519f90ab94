"""What a score is made of, as rows, and these rows as text, JSON and HTML."""

from compsim.explanation.rows import Conflict, Explanation, RoleRow
from compsim.explanation.word_matrix import MatrixWord, WordMatrix

__all__ = ["Conflict", "Explanation", "MatrixWord", "RoleRow", "WordMatrix"]
