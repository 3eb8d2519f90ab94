"""Batches on disk, caches, downloads, and where all of it lies."""
