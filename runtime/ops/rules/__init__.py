"""The words that rows are written with; nothing in here names an op (but for conj)."""
