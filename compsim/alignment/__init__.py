"""The best one-to-one alignment of two graphs, proven within a budget."""

from compsim.alignment.alignment import NODES, STEPS, Alignment, EdgeMatch, align_graphs

__all__ = ["NODES", "STEPS", "Alignment", "EdgeMatch", "align_graphs"]
