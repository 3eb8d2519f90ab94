"""What can be learned from a set of pairs, and how varied its sentences are."""
