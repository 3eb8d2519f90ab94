"""What kernels share: numba, threads, ragged arrays, cosines, assignment, transport."""
