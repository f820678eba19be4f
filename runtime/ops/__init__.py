"""The rows, one family a file; importing this package fills the table.

MODULES is the one list of families: ``runtime`` exports each one's ``__all__``.  Those in LATER
are imported when somebody asks for one of them or goes through the table.
"""

from importlib import import_module
from types import ModuleType

from runtime.ops.array import backprop as adjoints
from runtime.ops.array import concat_split as joining
from runtime.ops.array import constants, creation, indexing, shape, sorting
from runtime.ops.array import gather_scatter as gathering
from runtime.ops.array import where as selection
from runtime.ops.control_flow import cond_while as control_flow
from runtime.ops.control_flow import custom_gradient as custom
from runtime.ops.control_flow import print_assert as effects
from runtime.ops.control_flow import recursive_call as recursion
from runtime.ops.control_flow import try_except as tries
from runtime.ops.linalg import matrices
from runtime.ops.linalg import products as linalg
from runtime.ops.math import clipping, comparison, elementwise, logical, reduction, scans
from runtime.ops.math import elementary as functions
from runtime.ops.math import polygamma as special
from runtime.ops.nn import activations_losses as nn
from runtime.ops.random import sampling as random
from runtime.ops.random import shuffling
from runtime.ops.resource import dataset as datasets
from runtime.ops.resource import list_gradients, lists
from runtime.ops.resource import tensor_array as arrays
from runtime.ops.resource import tensor_array_gradients as array_gradients
from runtime.ops.resource import variable as state
from runtime.ops.resource import variable_scatter as scattering
from runtime.ops.string import strings

FIRST = (
    constants, elementwise, functions, special, logical, comparison, selection, reduction, scans,
    clipping, creation, shape, joining, indexing, gathering, scattering, sorting, linalg, matrices,
    nn, random, strings, adjoints, effects, control_flow, tries, recursion, state, lists, arrays,
    array_gradients, list_gradients, custom, shuffling, datasets,
)  # fmt: skip

LATER = (
    "math.floating",
    "math.special_statistics",
    "linalg.decompositions",
    "math.fft",
    "array.partitions",
    "nn.convolution",
    "nn.convolution_backprop",
    "math.composites",
    "control_flow.assertions",
    "control_flow.py_function",
    "string.hashing",
    "resource.files",
    "string.regex",
    "resource.queue",
    "string.split_join",
    "resource.hash_table",
)  # fmt: skip


def load_later() -> tuple[ModuleType, ...]:
    """The families of LATER, imported."""
    return tuple(import_module(f"runtime.ops.{name}") for name in LATER)


def __getattr__(name: str) -> tuple[ModuleType, ...]:
    if name == "MODULES":
        return (*FIRST, *load_later())
    raise AttributeError(f"module 'runtime.ops' has no attribute {name!r}")
