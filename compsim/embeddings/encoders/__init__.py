"""Sentence encoders that are no transformers of the hub.

InferSent, Skip-Thought, Quick-Thought, GenSen and the Universal Sentence Encoder.
"""
