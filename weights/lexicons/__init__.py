"""What lexicons say of words, and how it moves their vectors: synonyms, antonyms, forms."""
