"""Finding a transformer, running it, and reading the states of its tokens."""
