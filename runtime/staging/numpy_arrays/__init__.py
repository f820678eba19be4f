"""NumPy's arrays in graphs: symbolic arrays, their operators, and calls of NumPy's functions."""
