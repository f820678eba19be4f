"""Sparse tensors: values and their indices, the type of these, and what is computed of them."""
