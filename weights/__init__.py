"""Shipped artefacts (role weights, vectors, pipeline, role model), and their recipes."""
