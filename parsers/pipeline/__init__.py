"""Text to dependency trees, by the shipped pipeline or one of spaCy."""
