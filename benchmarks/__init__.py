"""Evaluations: how well the roles are found, how well scores fit people's, how fast it all is."""
