"""Adjectives by class with nouns, and the phrases that are made of them."""
