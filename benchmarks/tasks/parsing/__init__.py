"""Evaluation of parsers against gold roles and gold meaning graphs."""
