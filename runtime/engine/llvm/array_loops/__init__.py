"""Loops over whole arrays: along an axis, and to computed places."""
