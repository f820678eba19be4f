"""New tensors, with NumPy's names; floats are of dtype ``floatx``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.keras.config import floatx
from runtime.keras.ops.promotion import as_float, promoted
from runtime.keras.ops.shapes import expand_dims, linspace
from runtime.ops.array import creation
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.docstrings import documented
from runtime.ops.math import elementary, elementwise
from runtime.ops.numpy_names import FILLED, NumpyName, rows_of
from runtime.types.dtypes import as_dtype

_DTYPE = "dtype; None: ``floatx``"


def _filled(row: NumpyName) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The functions of a row: of a shape, and of the shape of another tensor."""
    name = row.keras[0]
    make, make_like = getattr(creation, name), getattr(creation, f"{name}_like")

    @documented("Tensor", shape="the shape", dtype=_DTYPE)
    def filled(shape: Any, dtype: Any = None) -> Any:
        return make(shape, dtype or floatx())

    @documented("Tensor of the shape of ``x``", x="tensor", dtype="dtype; None: that of ``x``")
    def filled_like(x: Any, dtype: Any = None) -> Any:
        return make_like(convert_to_tensor(x), dtype)

    filled.__name__ = filled.__qualname__ = name
    filled_like.__name__ = filled_like.__qualname__ = f"{name}_like"
    filled.__doc__ = f"Make a tensor of {name}.{filled.__doc__}"
    filled_like.__doc__ = f"Make {name} like a tensor.{filled_like.__doc__}"
    return filled, filled_like


globals().update({
    function.__name__: function
    for row in rows_of(FILLED) if row.keras for function in _filled(row)
})  # fmt: skip

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


@documented("Tensor", shape="the shape", fill_value="the value", dtype="dtype; None: the value's")
def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """Make a tensor of one value."""
    value = convert_to_tensor(fill_value)
    return creation.fill(shape, value if dtype is None else cast(value, dtype))


@documented("Tensor of the shape of ``x``", x="tensor", fill_value="the value",
            dtype="dtype; None: that of ``x``")  # fmt: skip
def full_like(x: Any, fill_value: Any, dtype: Any = None) -> Any:
    """Fill a tensor like another with one value."""
    like = creation.ones_like(convert_to_tensor(x), dtype)
    return like * cast(convert_to_tensor(fill_value), like.dtype)


@documented("Matrix", N="number of rows", M="number of columns; None: as many",
            k="diagonal of the ones", dtype=_DTYPE)  # fmt: skip
def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Any:
    """Make a matrix with ones on a diagonal."""
    rows, columns = creation.range(N), creation.range(N if M is None else M)
    return cast((columns - k)[None, :] == rows[:, None], dtype or floatx())


@documented("Vector", start="first value, or the end if there is no ``stop``", stop="end",
            step="distance", dtype="dtype; None: int32, or ``floatx`` for floats")  # fmt: skip
def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    """Make values from ``start`` up to, but not with, ``stop``."""
    begin, end = (0, start) if stop is None else (start, stop)
    if dtype is None:
        dtypes = [convert_to_tensor(v).dtype for v in (begin, end, step)]
        floats = any(d.is_floating for d in dtypes)
        dtype = floatx() if floats else next((d for d in dtypes if d.size == 8), "int32")
    return creation.range(begin, end, step, dtype=as_dtype(dtype))


@documented("Tensor", x="tensor, array or number", dtype="dtype; None: its own")
def array(x: Any, dtype: Any = None) -> Any:
    """Convert a value to a tensor."""
    tensor = convert_to_tensor(x)
    return tensor if dtype is None else cast(tensor, dtype)


@documented("Tensor", shape="the shape", dtype=_DTYPE)
def empty(shape: Any, dtype: Any = None) -> Any:
    """Make a tensor whose elements have no meaning: zeros."""
    return creation.zeros(shape, dtype or floatx())


@documented("Tensor of the shape of ``x``", x="tensor", dtype="dtype; None: that of ``x``")
def empty_like(x: Any, dtype: Any = None) -> Any:
    """Make a tensor like another whose elements have no meaning: zeros."""
    return creation.zeros_like(convert_to_tensor(x), dtype)


@documented("Matrix", n="number of rows and columns", dtype=_DTYPE)
def identity(n: int, dtype: Any = None) -> Any:
    """Make a matrix with ones on the diagonal."""
    return eye(n, dtype=dtype)


@documented("Matrix", N="number of rows", M="number of columns; None: as many",
            k="last diagonal with ones", dtype=_DTYPE)  # fmt: skip
def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = None) -> Any:
    """Make a matrix with ones on and below a diagonal."""
    rows, columns = creation.range(N), creation.range(N if M is None else M)
    return cast((columns - k)[None, :] <= rows[:, None], dtype or floatx())


@documented("Matrix of the dtype of ``x``", x="vector", N="number of columns; None: as many",
            increasing="whether the powers rise")  # fmt: skip
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """Make a matrix whose columns are powers of a vector."""
    x = convert_to_tensor(x)
    count = creation.range(x.shape[0] if N is None else N)
    powers = count if increasing else count[::-1]
    base = as_float(x)[:, None]
    return cast(elementwise.pow(base, cast(powers, base.dtype)), x.dtype)


_SPACED = {
    "num": "number of values", "endpoint": "whether ``stop`` is one of them",
    "dtype": "dtype of the result", "axis": "place of the new axis",
}  # fmt: skip


@documented("Tensor with a new axis", start="power of the first value",
            stop="power of the last value", base="the base", **_SPACED)  # fmt: skip
def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10,
    dtype: Any = None, axis: int = 0,
) -> Any:  # fmt: skip
    """Make powers whose exponents are at equal distances."""
    powers = linspace(start, stop, num, endpoint, axis=axis)
    values = elementwise.pow(cast(convert_to_tensor(base), powers.dtype), powers)
    return values if dtype is None else cast(values, dtype)


@documented("Tensor with a new axis", start="first value", stop="last value", **_SPACED)
def geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    """Make values whose neighbours have equal quotients; both ends are of one sign."""
    begin, end = (as_float(v) for v in promoted(start, stop))
    logs = [elementary.log(elementwise.abs(v)) for v in (begin, end)]
    sizes = elementary.exp(linspace(logs[0], logs[1], num, endpoint, axis=axis))
    values = sizes * expand_dims(elementwise.sign(begin), axis)
    return values if dtype is None else cast(values, dtype)
