"""Weisfeiler-Leman kernels over meaning graphs: label counts (WLK) and node vectors (WWLK)."""
