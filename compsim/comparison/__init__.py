"""Role graphs of concepts compared: what agrees, what is missing, what is in conflict."""
