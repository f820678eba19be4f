"""Conversion of functions and modules: the converted versions of a function, and their cache."""
