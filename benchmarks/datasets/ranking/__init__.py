"""What is sought among many: collections with relevant documents, EvalRank, role contrasts."""
