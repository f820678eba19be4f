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
``config``, ``data``, ``debugging``, ``distribute``, ``dtypes``, ``errors``, ``export``,
``image``, ``initializers``, ``io``, ``keras``,
``layers``, ``linalg``, ``losses``, ``math``, ``metrics``, ``nest``, ``nn``, ``optimizer``,
``optimizers``, ``random``, ``saved_model``, ``signal``, ``sparse``, ``strings``, ``summary``,
``test`` and ``train``.
``docs/surface.md`` lists all names, ``docs/ops.md`` says what each op takes, ``docs/extras.md``
what needs a library.
``autograph`` is the package of that name.
"""

# This file only gathers: each module says in its ``__all__`` which of its names are public.
# What operators do not need is in op_names.py, what only graphs need in graph_names.py: they come
# with the first name that is not here.

# ruff: noqa: F403, F405 - what a star brings is what the module's __all__ says

import importlib as _importlib
from types import ModuleType as _ModuleType
from typing import TYPE_CHECKING

try:
    from autograph.collection_pause import without_collection as _without_collection
    from autograph.errors import unknown_name as _unknown_name
    from autograph.tracing import announce as _announce
except ImportError:
    _found = getattr(_importlib.import_module("autograph"), "__file__", None)
    _parent = __file__.removesuffix("runtime/__init__.py").removesuffix("runtime\\__init__.py")
    if _found is None or str(_found).startswith(f"{_parent}autograph"):
        raise
    raise ImportError(
        f"{_found} hides the package 'autograph', which runtime needs: rename it"
    ) from None

with _without_collection():
    from runtime import dtypes as dtypes
    from runtime import errors as errors
    from runtime import nest as nest
    from runtime import ops as _ops
    from runtime.eager.costly_kernels import compile_by as _compile_by
    from runtime.eager.tensor import *
    from runtime.ops.array.concat_split import *
    from runtime.ops.array.constants import *
    from runtime.ops.array.creation import *
    from runtime.ops.array.gather_scatter import *
    from runtime.ops.array.indexing import *
    from runtime.ops.array.shape import *
    from runtime.ops.array.where import *
    from runtime.ops.dispatch import *
    from runtime.ops.linalg.products import *
    from runtime.ops.math.comparison import *
    from runtime.ops.math.elementary import *
    from runtime.ops.math.elementwise import *
    from runtime.ops.math.logical import *
    from runtime.ops.math.reduction import *
    from runtime.types.annexes import add_names as _add_names
    from runtime.types.annexes import explained as _explained
    from runtime.types.annexes import is_missing_annex as _is_missing_annex
    from runtime.types.dtypes import *
    from runtime.types.shapes import *

if TYPE_CHECKING:
    import autograph as autograph
    from runtime import array_api as array_api
    from runtime import autodiff as autodiff
    from runtime import bitwise as bitwise
    from runtime import config as config
    from runtime import data as data
    from runtime import debugging as debugging
    from runtime import distribute as distribute
    from runtime import experimental as experimental
    from runtime import export as export
    from runtime import image as image
    from runtime import initializers as initializers
    from runtime import io as io
    from runtime import keras as keras
    from runtime import layers as layers
    from runtime import linalg as linalg
    from runtime import lookup as lookup
    from runtime import losses as losses
    from runtime import math as math
    from runtime import metrics as metrics
    from runtime import nn as nn
    from runtime import optimizer as optimizer
    from runtime import optimizers as optimizers
    from runtime import profiler as profiler
    from runtime import queue as queue
    from runtime import ragged as ragged
    from runtime import random as random
    from runtime import saved_model as saved_model
    from runtime import signal as signal
    from runtime import sparse as sparse
    from runtime import strings as strings
    from runtime import summary as summary
    from runtime import test as test
    from runtime import train as train
    from runtime.graph_names import *
    from runtime.op_names import *
    from runtime.types.dtypes import bfloat16 as bfloat16

__version__ = "0.1.0"

bool = dtypes.bool
newaxis = None


def _array_namespace(self: Tensor, *, api_version: str | None = None) -> object:
    """The functions of the array API standard; ValueError for a version that is not known."""
    space = _importlib.import_module("runtime.array_api")
    space.check_version(api_version)
    return space


def _copied_to(self: Tensor, device: str) -> object:
    """A copy of an eager tensor on a device, by its name."""
    return _importlib.import_module("runtime.devices.interpreter").copied_to(self, device)


# The roof says what stands above tensors: the functions of the standard, and devices.
setattr(Tensor, "__array_namespace__", _array_namespace)  # noqa: B010 - typed as a method
setattr(Tensor, "_copied_to", _copied_to)  # noqa: B010 - typed as a method

_ops.add_families(
    "runtime.composite.images.files", "runtime.composite.ngrams_ops",
    "runtime.composite.sparse.sparse_kernels",
    "runtime.composite.string_split_ops", "runtime.containers.accumulator_ops",
    "runtime.containers.hash_table_ops",
    "runtime.containers.queue_ops", "runtime.containers.string_hash_ops",
    "runtime.data.formats.csv", "runtime.data.formats.parse_example",
    "runtime.data.formats.tensor_bytes", "runtime.distribute.process_ops",
    "runtime.summaries.summary_ops",
)  # fmt: skip

_add_names("runtime.train", "runtime.compat.v1.training")
_add_names("diagrams", "runtime.graph.task_diagrams")
_add_names("runtime.Session", "runtime.distribute.sessions.session_target")
_add_names("runtime.functions.shown_trace", "runtime.export.pickles")

_SUBMODULES = (
    "array_api", "autodiff", "bitwise", "config", "data", "debugging", "distribute", "dtypes",
    "errors", "experimental", "export", "image", "initializers", "io", "keras", "layers", "linalg",
    "lookup", "losses", "math", "metrics", "nest", "nn", "optimizer", "optimizers", "profiler",
    "queue", "ragged", "random", "saved_model", "signal", "sparse", "strings", "summary", "test",
    "train",
)  # fmt: skip
_SEARCHED = (
    "bitwise", "config", "debugging", "dtypes", "errors", "io", "linalg", "math", "nest", "nn",
    "random", "signal", "strings",
)  # fmt: skip
_FIRST = {
    "function": "runtime.functions.decorator", "jit": "runtime.functions.decorator",
    "GradientTape": "runtime.autodiff.tape", "Variable": "runtime.state.variable",
}  # fmt: skip
"""Names of graph_names.py that programs begin with, and their modules: these come alone."""


_LATER = ("op_names", "graph_names")


def _load_names(module: str) -> None:
    """Bring the names of a module."""
    with _without_collection():
        names = vars(_importlib.import_module(f"runtime.{module}"))
    globals().update({k: v for k, v in names.items() if not k.startswith("_")})


if not TYPE_CHECKING:  # type checkers read the imports above, and find what is misspelt

    def __getattr__(name: str) -> object:
        if name in _FIRST:
            with _without_collection():
                module = _importlib.import_module(_FIRST[name])
            globals()[name] = getattr(module, name)
            return globals()[name]
        if name == "autograph":
            return _importlib.import_module("autograph")
        if name == "bfloat16":  # in no list of names: it needs an extra
            return dtypes.bfloat16
        if name in _SUBMODULES:
            try:
                return _importlib.import_module(f"runtime.{name}")
            except ModuleNotFoundError as error:
                if not _is_missing_annex(error):
                    raise
                text = f"module 'runtime' has no attribute {name!r}: {error.name} is not installed"
                raise AttributeError(text) from None
        if name.startswith("_") and name != "__all__":  # asked for by tools; no name is like it
            raise AttributeError(f"module 'runtime' has no attribute {name!r}")
        for module in _LATER:
            _load_names(module)
            if name in globals():
                return globals()[name]
        if name == "__all__":
            return _public()
        raise _unknown_name("runtime", name, [*_names_of_submodules(), *_public()])

    __getattr__ = _explained("runtime", __getattr__)


def _public() -> list[str]:
    """The public names: what modules export, and the public modules."""
    flat = {
        name
        for name, value in globals().items()
        if not name.startswith("_") and not isinstance(value, _ModuleType)
    }
    return sorted((flat - {"TYPE_CHECKING"}).union(_SUBMODULES, {"autograph"}))


def _names_of_submodules() -> list[str]:
    """The public names of the submodules, in full, for names that are looked for in vain."""
    modules = (_importlib.import_module(f"runtime.{name}") for name in _SEARCHED)
    return [f"{module.__name__}.{name}" for module in modules for name in dir(module)]


def __dir__() -> list[str]:
    for module in _LATER:
        _load_names(module)
    return _public()


_compile_by(lambda: _importlib.import_module("runtime.engine.native_kernels").native_kernel)
_announce(lambda: _importlib.import_module("runtime.staging.backend"))
