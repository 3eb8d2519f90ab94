"""Lexicons that move word vectors: synonyms, antonyms, forms."""
