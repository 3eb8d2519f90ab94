"""Training tasks: fine-tuning on pairs, and the diversity of their sentences."""
