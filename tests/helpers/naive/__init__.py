"""Slow, obvious twins of what is fast in the package."""
