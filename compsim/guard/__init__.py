"""Same or not: a decision with a probability and reasons, see ``guard`` and ``calibration``."""
