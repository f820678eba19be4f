"""Eager tensors: values that are computed at once, and their exchange with other libraries."""

import runtime.eager.operators  # noqa: F401 - defines the operators of Tensor
