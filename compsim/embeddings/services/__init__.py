"""Sentence vectors from services: requests, limits, tokens, and a cache of what was paid for."""
