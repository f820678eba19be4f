"""Op shelf of Python's own functions on staged Python numbers and texts."""
