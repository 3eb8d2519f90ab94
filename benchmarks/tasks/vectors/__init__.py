"""Tests of vectors without ratings: analogies, and adjectives with nouns."""
