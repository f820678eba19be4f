"""``runtime.nn``: the public names of neural networks, as in TensorFlow."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from runtime.ops.nn import *
from runtime.ops.sorting import in_top_k as in_top_k
from runtime.ops.sorting import top_k as top_k
