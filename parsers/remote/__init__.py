"""Parsers behind a network service."""
