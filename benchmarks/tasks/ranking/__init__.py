"""Retrieval tasks: ranks, nDCG, MAP and MRR of items that belong to a query."""
