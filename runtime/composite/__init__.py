"""Composite tensors: values made of several tensors, such as ragged tensors, and their specs."""
