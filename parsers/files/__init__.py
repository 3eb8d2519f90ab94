"""Parses that lie in files: role phrases, AMRs, dependency trees."""
