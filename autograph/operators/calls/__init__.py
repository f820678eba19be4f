"""Calls: what a callable is, and what is called in place of functions and methods in C."""
