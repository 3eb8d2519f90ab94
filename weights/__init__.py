"""What compsim ships (role weights, vectors, pipeline, role model), and the recipes for it."""
