"""Basics of kernels: numba, threads, ragged arrays, cosines, assignment, transport."""
