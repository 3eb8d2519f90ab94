"""The grammar: rules as data that turn a dependency tree into a role graph of concepts."""
