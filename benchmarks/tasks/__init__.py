"""The evaluations, one file each."""
