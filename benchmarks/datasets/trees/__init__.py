"""Syntax trees: gold ones of dependencies with roles, and trees of phrases."""
