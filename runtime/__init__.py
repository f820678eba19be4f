"""The runtime: a small, fast dataflow runtime with TensorFlow's names (``import runtime as tf``).

This file only gathers: each module says in its ``__all__`` which of its names are public.  Flat
names come first, then the modules that are public by themselves.
"""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says

from runtime import bitwise as bitwise
from runtime import config as config
from runtime import debugging as debugging
from runtime import dtypes as dtypes
from runtime import errors as errors
from runtime import linalg as linalg
from runtime import math as math
from runtime import nest as nest
from runtime import nn as nn
from runtime import random as random
from runtime import strings as strings
from runtime.branches import *
from runtime.defaults import *
from runtime.dtypes import *
from runtime.eager import *
from runtime.folds import *
from runtime.function import *
from runtime.graph import *
from runtime.interpreter import *
from runtime.loops import *
from runtime.ops.clipping import *
from runtime.ops.comparison import *
from runtime.ops.constants import *
from runtime.ops.creation import *
from runtime.ops.effects import *
from runtime.ops.elementwise import *
from runtime.ops.functions import *
from runtime.ops.gathering import *
from runtime.ops.indexing import *
from runtime.ops.joining import *
from runtime.ops.linalg import *
from runtime.ops.logical import *
from runtime.ops.matrices import *
from runtime.ops.random import *
from runtime.ops.reduction import *
from runtime.ops.scans import *
from runtime.ops.selection import *
from runtime.ops.shape import *
from runtime.ops.sorting import *
from runtime.ops.strings import as_string as as_string
from runtime.session import *
from runtime.staging import *
from runtime.symbolic import *
from runtime.types import *
from runtime.variables import *

bool = dtypes.bool_
newaxis = None
