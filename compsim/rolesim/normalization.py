"""Names of the normalisations of RoleSim: see ``compsim.rolesim.scheme``."""

from __future__ import annotations

from typing import Literal, get_args

__all__ = ["NORMALIZATIONS", "Normalize"]

Normalize = Literal["matched", "union", "fixed"]
#: The default first.
NORMALIZATIONS: tuple[str, ...] = get_args(Normalize)
