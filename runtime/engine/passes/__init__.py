"""Passes: rewrites of a copied graph between its trace and its run; one file for each."""
