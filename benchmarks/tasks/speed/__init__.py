"""How fast it is: alone on this machine, and as a service."""
