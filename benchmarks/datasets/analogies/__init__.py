"""Sentence analogies: reading relations, and making those of Zhu and de Melo (2020) anew."""
