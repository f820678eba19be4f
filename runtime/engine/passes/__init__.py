"""Passes: what is done to a graph between its trace and its run.  Each file is one of them."""
