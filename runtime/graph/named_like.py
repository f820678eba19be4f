"""Finds the public operation that does on tensors what a function of a library does on numbers.

Asked for the remedy of an error, when such a function was given a symbolic tensor.
"""

from __future__ import annotations

import sys
from typing import Any

from runtime.ops.numpy_names import FILLED, ROWS

_LIBRARIES = ("math", "cmath", "numpy", "operator", "_operator")
# of truediv, the runtime has NumPy's name, too: divide
_OTHER_NAMES = {
    **{
        row.numpy: row.op for row in ROWS
        if row.section != FILLED and row.numpy and row.op not in (row.numpy, "truediv")
    },
    "amax": "reduce_max", "amin": "reduce_min", "clip": "clip_by_value", "concatenate": "concat",
    "fabs": "abs", "fsum": "reduce_sum", "phase": "angle",
}  # fmt: skip
_MODULES = ("math", "linalg", "bitwise")


def op_like(function: Any) -> str | None:
    """The public name of the operation, such as ``runtime.sqrt``; None when there is none."""
    library = getattr(function, "__module__", None) or getattr(
        type(getattr(function, "__self__", None)), "__module__", None
    )
    name = getattr(function, "__name__", None)
    if not isinstance(name, str) or str(library).partition(".")[0] not in _LIBRARIES:
        return None
    name = _OTHER_NAMES.get(name, name)
    package = sys.modules[__name__.partition(".")[0]]  # the roof, which no room imports
    if callable(getattr(package, name, None)):
        return f"{package.__name__}.{name}"
    for module in _MODULES:
        if callable(getattr(getattr(package, module), name, None)):
            return f"{package.__name__}.{module}.{name}"
    return None
