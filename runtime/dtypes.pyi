"""Types of the names of ``runtime.dtypes``, for editors and type checkers.

Written by `pytest tests/editors --update-golden` from the module itself: do not edit.
"""

# ruff: noqa

from runtime import DType as DType
from runtime import as_dtype as as_dtype
from runtime import bool as bool
from runtime import cast as cast
from runtime import complex as complex
from runtime import complex128 as complex128
from runtime import complex64 as complex64
from runtime import double as double
from runtime import float16 as float16
from runtime import float32 as float32
from runtime import float64 as float64
from runtime import half as half
from runtime import int16 as int16
from runtime import int32 as int32
from runtime import int64 as int64
from runtime import int8 as int8
from runtime import resource as resource
from runtime import saturate_cast as saturate_cast
from runtime import string as string
from runtime import uint16 as uint16
from runtime import uint32 as uint32
from runtime import uint64 as uint64
from runtime import uint8 as uint8
from runtime import variant as variant
from typing import Any


