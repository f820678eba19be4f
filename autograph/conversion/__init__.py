"""Conversion of a function: its source to its converted version, and the cache of conversions."""
