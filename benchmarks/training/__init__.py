"""Training on ratings: role weights, and studies of fine-tuning."""
