"""Correlations, agreement of raters, folds that share no sentence."""
