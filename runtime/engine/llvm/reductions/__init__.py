"""Loops that add ints up: vectors of iterations, or one by one where vectors are not exact."""
