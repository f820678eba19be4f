"""Keys of symbolic arrays: their parts, and whether NumPy gives a view for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.types.value import Value


def parts_of(key: Any) -> tuple[Any, ...]:
    """The parts of a key."""
    return key if isinstance(key, tuple) else (key,)


def bounds_of(part: Any) -> tuple[Any, ...]:
    """The values in a part of a key."""
    return (part.start, part.stop, part.step) if isinstance(part, slice) else (part,)


def is_basic(key: Any) -> bool:
    """Whether NumPy gives a view for a key, rather than a copy."""
    return all(
        isinstance(part, slice) or part is None or part is Ellipsis or _is_number(part)
        for part in parts_of(key)
    )


def _is_number(part: Any) -> bool:
    if isinstance(part, Value):
        dtype: Any = part.dtype  # type: ignore[attr-defined]
        return part.shape.rank == 0 and not dtype.is_bool  # type: ignore[attr-defined]
    if isinstance(part, bool | np.bool_ | np.ndarray | list):
        return False
    return hasattr(part, "__index__")
