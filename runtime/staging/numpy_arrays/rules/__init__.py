"""Ops that mean exactly what calls of NumPy's functions mean; table.py lists them."""
