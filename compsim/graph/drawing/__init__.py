"""Role graphs as pictures: where nodes and edges go, and the SVG or DOT of them."""
