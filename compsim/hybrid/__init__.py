"""Whole-sentence vectors and roles in one score: right on ordinary pairs and on swapped roles."""
