"""What vectors keep to without any rating: analogies, and adjectives with nouns."""
