"""Ranking data: collections with relevant documents, EvalRank, role contrasts."""
