"""``runtime.experimental.numpy``: NumPy's functions of tensors, with NumPy's dtypes.

``import runtime.experimental.numpy as tnp``: what its functions take and give are ordinary tensors,
eagerly and in functions, and gradients go through them.  Python's ints are int64 and its floats
float64.  ``experimental_enable_numpy_behavior`` lets operators of tensors do so, too.
"""

# The functions that are made of tables come by ``globals``: their names stand in __all__.

import numpy as _np

from runtime.eager.tensor import Tensor as _Tensor
from runtime.experimental.numpy import random as random
from runtime.experimental.numpy.arrangement import *  # noqa: F403
from runtime.experimental.numpy.arrangement import __all__ as _arrangement
from runtime.experimental.numpy.behavior import (
    experimental_enable_numpy_behavior as experimental_enable_numpy_behavior,
)
from runtime.experimental.numpy.composed import FUNCTIONS as _COMPOSED
from runtime.experimental.numpy.creation import *  # noqa: F403
from runtime.experimental.numpy.creation import __all__ as _creation
from runtime.experimental.numpy.creation import identity_matrix as _identity
from runtime.experimental.numpy.docstrings import complete as _complete
from runtime.experimental.numpy.elementwise import FUNCTIONS as _BY_ELEMENT
from runtime.experimental.numpy.reductions import *  # noqa: F403
from runtime.experimental.numpy.reductions import __all__ as _reductions

globals().update({**_BY_ELEMENT, **_COMPOSED})
ndarray, identity = _Tensor, _identity
_complete(globals()[name] for name in [*_arrangement, *_creation, *_reductions, *_COMPOSED])

bool_, object_, inexact = _np.bool_, _np.object_, _np.inexact
int8, int16, int32, int64 = _np.int8, _np.int16, _np.int32, _np.int64
uint8, uint16, uint32, uint64 = _np.uint8, _np.uint16, _np.uint32, _np.uint64
float16, float32, float64 = _np.float16, _np.float32, _np.float64
complex64, complex128 = _np.complex64, _np.complex128
float_, int_, complex_ = _np.float64, _np.int64, _np.complex128
string_, unicode_ = _np.bytes_, _np.str_
e, inf, pi, newaxis = _np.e, _np.inf, _np.pi, None

_DTYPES = (
    "bool_", "complex128", "complex64", "complex_", "float16", "float32", "float64", "float_",
    "inexact", "int16", "int32", "int64", "int8", "int_", "object_", "string_", "uint16", "uint32",
    "uint64", "uint8", "unicode_",
)  # fmt: skip

__all__ = [*sorted({  # noqa: PLE0604 - texts, all of them
    *_arrangement, *_creation, *_reductions, *_BY_ELEMENT, *_COMPOSED, *_DTYPES, "e",
    "experimental_enable_numpy_behavior", "identity", "inf", "ndarray", "newaxis", "pi", "random",
} - {"identity_matrix"})]  # fmt: skip


def __dir__() -> list[str]:
    return __all__
