"""Semantic textual similarity: sentence pairs with people's ratings, in any file."""
