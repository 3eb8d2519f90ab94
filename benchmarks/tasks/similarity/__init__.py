"""Scores against people's ratings of pairs, and how far people agree on these."""
