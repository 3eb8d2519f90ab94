"""Smatch: the triples that two meaning graphs share under the best mapping of variables."""

from compsim.amr.smatch.score import (
    NODES,
    PairScores,
    SmatchResult,
    smatch,
    smatch_pairwise,
    warm_up,
)

__all__ = ["NODES", "PairScores", "SmatchResult", "smatch", "smatch_pairwise", "warm_up"]
