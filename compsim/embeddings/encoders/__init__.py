"""Sentence encoders that are no transformers of the hub: InferSent, Universal Sentence Encoder."""
