"""``experimental.numpy.random``: random numbers with NumPy's names, of the global seed."""

from __future__ import annotations

from typing import Any

from runtime.experimental.numpy.docstrings import complete
from runtime.experimental.numpy.promotion import array, default_float
from runtime.ops.random import sampling
from runtime.ops.random.sampling import set_seed
from runtime.types.dtypes import as_dtype, int64

__all__ = ["poisson", "rand", "randint", "randn", "random", "seed", "standard_normal", "uniform"]


def seed(s: int) -> None:
    """Set the seed of all random numbers that follow."""
    set_seed(s)


def _sizes(size: Any) -> list[Any]:
    if size is None:
        return []
    return [size] if isinstance(size, int) else list(size)


def _floats() -> Any:
    return as_dtype(default_float())


def randn(*args: int) -> Any:
    """Return normal numbers, in a shape."""
    return standard_normal(args)


def standard_normal(size: Any = None) -> Any:
    """Return normal numbers of mean 0 and deviation 1."""
    return sampling.normal(_sizes(size), dtype=_floats())


def rand(*size: int) -> Any:
    """Return numbers between 0 and 1, in a shape."""
    return uniform(0.0, 1.0, size)


def random(size: Any = None) -> Any:
    """Return numbers between 0 and 1."""
    return uniform(0.0, 1.0, size)


def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    """Return numbers between two bounds, which broadcast if there is no size."""
    first, end = array(low, default_float()), array(high, default_float())
    sizes = (first + end).shape if size is None else _sizes(size)
    return sampling.uniform(sizes, dtype=_floats()) * (end - first) + first


def randint(low: Any, high: Any = None, size: Any = None, dtype: Any = int64) -> Any:
    """Return whole numbers from ``low`` to below ``high``; from 0 if it is left out.

    ValueError: the dtype is neither int32 nor int64.
    """
    first, end = (0, low) if high is None else (low, high)
    kind = as_dtype(dtype if dtype is not int else int64)
    if kind.name not in ("int32", "int64"):
        raise ValueError(f"Only np.int32 or np.int64 types are supported, got {kind.name}")
    return sampling.uniform(_sizes(size), first, end, dtype=kind)


def poisson(lam: Any = 1.0, size: Any = None) -> Any:
    """Return numbers of events, of a mean."""
    return sampling.poisson(_sizes(size), array(lam, default_float()), dtype=int64)


complete(globals()[name] for name in __all__)


def __dir__() -> list[str]:
    return __all__
