"""Scores as neural cross-encoders give them: after an activation, and as a tensor of PyTorch.

>>> converted(np.array([0.5, 1.0], dtype=np.float32), convert_to_numpy=False)
[0.5, 1.0]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["activated", "converted"]


def activated(
    scores: npt.NDArray[Any], activation_fn: Callable[[Any], Any]
) -> npt.NDArray[np.float32]:
    """Return float32 scores (n,) after an activation, a function of a tensor of PyTorch."""
    import torch

    given = activation_fn(torch.from_numpy(scores.astype(np.float32)))
    out: npt.NDArray[np.float32] = given.numpy()
    return out


def converted(
    scores: npt.NDArray[np.float32],
    *,
    single: bool = False,
    convert_to_numpy: bool = True,
    convert_to_tensor: bool = False,
) -> Any:
    """Return scores (n,) as a tensor, an array or a list of floats; of one pair, a number.

    Args:
        scores: The scores, float32 (n,).
        single: Whether the one score of one pair is wanted.
        convert_to_numpy: Whether an array is wanted; otherwise a list.
        convert_to_tensor: Whether a tensor of PyTorch is wanted, which goes before an array.
    """
    if convert_to_tensor:
        import torch

        tensor = torch.from_numpy(scores)
        return tensor[0] if single else tensor
    if single:
        return float(scores[0])
    return scores if convert_to_numpy else scores.tolist()
