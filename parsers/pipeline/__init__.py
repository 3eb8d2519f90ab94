"""Text to dependency trees, through spaCy or in bulk through the shipped pipeline."""
