"""What a score is made of, as rows, and these rows as text, JSON and HTML."""

from compsim.explanation.rows import Explanation, FrameRow, RoleRow
from compsim.explanation.word_matrix import MatrixWord, WordMatrix

__all__ = ["Explanation", "FrameRow", "MatrixWord", "RoleRow", "WordMatrix"]
