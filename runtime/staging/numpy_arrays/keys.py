"""Keys of symbolic arrays: their parts, and whether NumPy gives a view for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.diagnostics.runtime_exceptions import raise_as_python
from runtime.graph.operation import SymbolicTensor, read
from runtime.graph.python_values import as_python_value
from runtime.ops import dispatch
from runtime.ops.array import shape
from runtime.types.dtypes import int64
from runtime.types.value import Value


def parts_of(key: Any) -> tuple[Any, ...]:
    """The parts of a key."""
    return key if isinstance(key, tuple) else (key,)


def bounds_of(entry: Any) -> tuple[Any, ...]:
    """The values in a part of a key."""
    return (entry.start, entry.stop, entry.step) if isinstance(entry, slice) else (entry,)


def is_basic(key: Any) -> bool:
    """Whether NumPy gives a view for a key, rather than a copy."""
    return all(
        isinstance(entry, slice) or entry is None or entry is Ellipsis or _is_number(entry)
        for entry in parts_of(key)
    )


def check_key(key: Any) -> None:
    """IndexError or TypeError, as NumPy's arrays raise for a key that is none."""
    for entry in parts_of(key):
        if isinstance(entry, slice):
            if not all(map(_may_be_key, bounds_of(entry))):
                raise_as_python(TypeError(_NO_BOUND))
        elif not _may_be_key(entry):
            is_array = isinstance(entry, Value | np.ndarray) and _rank(entry) != 0
            raise_as_python(IndexError(_NO_ARRAY if is_array else _NO_KEY))


def _rank(entry: Any) -> int | None:
    return entry.ndim if isinstance(entry, np.ndarray) else entry.shape.rank


def _may_be_key(entry: Any) -> bool:
    """Whether NumPy may index arrays by this."""
    if isinstance(entry, Value | np.ndarray | np.generic):
        dtype: Any = entry.dtype  # type: ignore[union-attr]
        return np.dtype(getattr(dtype, "as_numpy_dtype", dtype)).kind in "iub"
    if type(entry) in (list, tuple):
        return all(map(_may_be_key, entry))
    return not isinstance(entry, float | complex | str | bytes | dict | set)


_NO_KEY = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean "
    "arrays are valid indices"
)
_NO_ARRAY = "arrays used as indices must be of integer (or boolean) type"
_NO_BOUND = "slice indices must be integers or None or have an __index__ method"


def _is_number(entry: Any) -> bool:
    if isinstance(entry, Value):
        dtype: Any = entry.dtype  # type: ignore[attr-defined]
        return entry.shape.rank == 0 and not dtype.is_bool  # type: ignore[attr-defined]
    if isinstance(entry, bool | np.bool_ | np.ndarray | list):
        return False
    return hasattr(entry, "__index__")


def fixed_key(key: Any) -> Any:
    """Return a key whose arrays stay what they are now."""
    if isinstance(key, tuple):
        return tuple([fixed_key(entry) for entry in key])
    if isinstance(key, slice):
        return slice(read(key.start), read(key.stop), read(key.step))
    if isinstance(key, np.ndarray):
        return key.copy()
    if isinstance(key, list):
        staged = any(isinstance(entry, Value) for entry in key)
        return dispatch.convert([*map(read, key)], int64) if staged else [*key]
    return read(key)


def sizes_of(tensor: SymbolicTensor) -> list[Any]:
    """The sizes along the axes, as Python ints that are staged where they are unknown."""
    dims = tensor.shape.dims
    assert dims is not None
    if None not in dims:
        return list(dims)
    sizes = shape.shape(tensor, int64)
    return [as_python_value(sizes[k]) if size is None else size for k, size in enumerate(dims)]
