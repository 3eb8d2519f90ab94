"""What is learned from ratings: role weights, and studies of fine-tuning."""
