"""Speed tasks: on this machine, and as a service."""
