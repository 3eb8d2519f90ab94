"""What belongs to a query, sought among many: ranks, nDCG, MAP and MRR."""
