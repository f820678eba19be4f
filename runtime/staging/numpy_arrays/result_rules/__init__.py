"""Rules for the types of what NumPy's functions give, by the types of their arguments."""
