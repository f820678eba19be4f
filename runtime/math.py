"""``runtime.math``: the public names of arithmetic, comparison and reduction, as in TensorFlow."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from runtime.ops.comparison import *
from runtime.ops.elementwise import *
from runtime.ops.reduction import *
