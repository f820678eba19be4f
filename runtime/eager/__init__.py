"""Eager tensors: values that are computed at once, and their exchange with other libraries."""
