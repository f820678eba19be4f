"""``runtime.linalg``: the public names of linear algebra, as in TensorFlow."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from runtime.ops.linalg import *
