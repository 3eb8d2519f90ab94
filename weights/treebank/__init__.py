"""A treebank made by rule: plain sentences whose trees are known from the way they are made."""
