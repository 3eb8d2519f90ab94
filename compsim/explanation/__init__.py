"""What a score is made of, as rows, and these rows as text, JSON and HTML."""

from compsim.explanation.rows import Explanation, FrameRow, RoleRow

__all__ = ["Explanation", "FrameRow", "RoleRow"]
