"""State of staged statements: the user's variables, attributes and items, read and written."""
