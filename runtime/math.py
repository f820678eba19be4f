"""``runtime.math``: the public names of arithmetic, comparison and reduction, as in TensorFlow."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from runtime.ops.comparison import *
from runtime.ops.elementwise import *
from runtime.ops.functions import *
from runtime.ops.logical import *
from runtime.ops.nn import l2_normalize as l2_normalize
from runtime.ops.nn import zero_fraction as zero_fraction
from runtime.ops.reduction import *
from runtime.ops.scans import *
from runtime.ops.sorting import in_top_k as in_top_k
from runtime.ops.sorting import invert_permutation as invert_permutation
from runtime.ops.sorting import top_k as top_k
