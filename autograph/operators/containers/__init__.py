"""Containers: staged lists, dicts, sets and texts, and their items."""
