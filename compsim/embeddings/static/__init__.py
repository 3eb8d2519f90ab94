"""Sentence vectors as sums of token vectors of a table: the shipped one, or model2vec's."""
