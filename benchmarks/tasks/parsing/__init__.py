"""How near parsers come to given roles and meaning graphs."""
