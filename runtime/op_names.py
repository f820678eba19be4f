"""The flat names of ops that Python's operators do not need: loaded with the first of them."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from runtime.ops.array.sorting import *
from runtime.ops.control_flow.print_assert import *
from runtime.ops.linalg.matrices import *
from runtime.ops.math.clipping import *
from runtime.ops.math.scans import *
from runtime.ops.random.sampling import *
from runtime.ops.random.shuffling import *
from runtime.ops.string.strings import *
from runtime.ops.string.strings import as_string as as_string
