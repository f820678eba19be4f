"""New tensors, with NumPy's names; floats are of dtype ``floatx``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.keras.config import floatx
from runtime.ops.array import creation
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.docstrings import documented
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
