"""A small, fast dataflow runtime with TensorFlow's names: ``import runtime as tf``.

Tensors are immutable arrays of one dtype; ops compute at once::

    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    tf.reduce_sum(tf.matmul(x, x), axis=0)          # tf.Tensor([22. 32.], shape=(2,), ...)

Python numbers take the dtype of the tensor they meet; tensors of different dtypes are never
converted on their own (``tf.cast``).  Where TensorFlow has a name, it means the same here.

``tf.function`` traces a Python function into a graph, with its ``if``, ``for`` and ``while``
on tensors staged (the package ``autograph``)::

    @tf.function
    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

``tf.Graph``, ``tf.placeholder`` and ``tf.Session`` build and run graphs by hand.

Flat names are below; more are in the submodules ``array_api``
(the array API standard), ``autodiff``, ``bitwise``,
``config``, ``data``, ``debugging``, ``dtypes``, ``errors``, ``io``, ``linalg``, ``math``, ``nest``,
``nn``, ``random``, ``signal``, ``strings`` and ``test``.  ``docs/surface.md``
compares all of them with TensorFlow's names, ``docs/ops.md`` says what each op takes.
``autograph`` is the package of that name.
"""

# This file only gathers: each module says in its ``__all__`` which of its names are public.
# What only graphs need is in later.py and comes with the first name that is not here.

# ruff: noqa: F403, F405 - what a star brings is what the module's __all__ says

import importlib as _importlib
import sys as _sys
from importlib.machinery import PathFinder as _PathFinder
from types import ModuleType as _ModuleType
from typing import TYPE_CHECKING

from autograph import staging as _staging
from runtime import dtypes as dtypes
from runtime import errors as errors
from runtime import nest as nest
from runtime.dtypes import *
from runtime.eager import *
from runtime.interpreter import *
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
from runtime.ops.shuffling import *
from runtime.ops.sorting import *
from runtime.ops.strings import *
from runtime.ops.strings import as_string as as_string
from runtime.types import *

if TYPE_CHECKING:
    import autograph as autograph
    from runtime import array_api as array_api
    from runtime import autodiff as autodiff
    from runtime import bitwise as bitwise
    from runtime import config as config
    from runtime import data as data
    from runtime import debugging as debugging
    from runtime import experimental as experimental
    from runtime import io as io
    from runtime import linalg as linalg
    from runtime import lookup as lookup
    from runtime import math as math
    from runtime import nn as nn
    from runtime import queue as queue
    from runtime import ragged as ragged
    from runtime import random as random
    from runtime import signal as signal
    from runtime import strings as strings
    from runtime import test as test
    from runtime.later import *

bool = dtypes.bool_
newaxis = None


def _array_namespace(self: Tensor, *, api_version: str | None = None) -> object:
    """The functions of the array API standard; ValueError for a version that is not known."""
    space = _importlib.import_module("runtime.array_api")
    space.check_version(api_version)
    return space


# The roof says what stands above tensors and dtypes: the standard's functions, and three ops that
# TensorFlow has among the dtypes, too.
setattr(Tensor, "__array_namespace__", _array_namespace)  # noqa: B010 - typed as a method
vars(dtypes).update(cast=cast, complex=complex, saturate_cast=saturate_cast)
dtypes.__all__ += ["cast", "complex", "saturate_cast"]

_SUBMODULES = (
    "array_api", "autodiff", "bitwise", "config", "data", "debugging", "dtypes", "errors",
    "experimental", "io", "linalg", "lookup", "math", "nest", "nn", "queue", "ragged", "random",
    "signal", "strings", "test",
)  # fmt: skip


def _load_later() -> None:
    """Bring the names of later.py."""
    later = vars(_importlib.import_module("runtime.later"))
    globals().update({k: v for k, v in later.items() if not k.startswith("_")})


def __getattr__(name: str) -> object:
    if name == "autograph":
        return _importlib.import_module("autograph")
    if name in _SUBMODULES:
        return _importlib.import_module(f"runtime.{name}")
    internal = name != "function" and _PathFinder.find_spec(f"runtime.{name}", __path__)
    if not internal and (name == "__all__" or not name.startswith("__")):
        _load_later()
        if name == "__all__":
            return _public()
        if name in globals():
            return globals()[name]
    raise AttributeError(f"module 'runtime' has no attribute {name!r}")


def _public() -> list[str]:
    """The public names: what modules export, and the public modules."""
    flat = {
        name
        for name, value in globals().items()
        if not name.startswith("_") and not isinstance(value, _ModuleType)
    }
    return sorted((flat - {"TYPE_CHECKING"}).union(_SUBMODULES, {"autograph"}))


def __dir__() -> list[str]:
    _load_later()
    return _public()


class _Runtime(_ModuleType):
    """Keeps ``runtime.function`` the decorator also when its module is imported first."""

    def __setattr__(self, name: str, value: object) -> None:
        if name != "function" or not isinstance(value, _ModuleType):
            super().__setattr__(name, value)


_sys.modules[__name__].__class__ = _Runtime
_staging.announce(lambda: _importlib.import_module("runtime.staging"))
