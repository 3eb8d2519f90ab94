"""Semantic role labelling: from dependency trees to PropBank frames and VerbNet-style roles."""
