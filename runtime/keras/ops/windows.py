"""Windows of ``keras.ops`` by which signals are weighted."""

from __future__ import annotations

import math
from typing import Any

from runtime.keras.config import floatx
from runtime.ops.array.constants import cast, convert_to_tensor
from runtime.ops.array.creation import range as range_op
from runtime.ops.docstrings import documented
from runtime.ops.math import elementary, elementwise
from runtime.ops.math.special_statistics import bessel_i0

_WINDOW = "Vector of dtype ``floatx``"
_SIZE = "number of values"


def _turns(size: Any) -> Any:
    """Return positions from 0 to 1; a window of one value has its middle."""
    size = cast(convert_to_tensor(size), "int32")
    places = cast(range_op(size), floatx())
    steps = cast(elementwise.maximum(size - 1, 1), floatx())
    return places / steps + cast(size == 1, floatx()) * 0.5


def _cosines(size: Any, *weights: float) -> Any:
    """Return a sum of cosines over the window, with these weights."""
    turns = _turns(size) * (2 * math.pi)
    return sum((w * elementary.cos(turns * k) for k, w in enumerate(weights[1:], 1)), weights[0])


@documented(_WINDOW, x=_SIZE)
def bartlett(x: Any) -> Any:
    """Make Bartlett's window: a triangle."""
    return 1.0 - elementwise.abs(_turns(x) * 2.0 - 1.0)


@documented(_WINDOW, x=_SIZE)
def blackman(x: Any) -> Any:
    """Make Blackman's window."""
    return _cosines(x, 0.42, -0.5, 0.08)


@documented(_WINDOW, x=_SIZE)
def hamming(x: Any) -> Any:
    """Make Hamming's window."""
    return _cosines(x, 0.54, -0.46)


@documented(_WINDOW, x=_SIZE)
def hanning(x: Any) -> Any:
    """Make Hann's window."""
    return _cosines(x, 0.5, -0.5)


@documented(_WINDOW, x=_SIZE, beta="how steep it is")
def kaiser(x: Any, beta: float) -> Any:
    """Make Kaiser's window."""
    beta = cast(convert_to_tensor(beta), floatx())
    across = 1.0 - elementwise.square(_turns(x) * 2.0 - 1.0)
    return bessel_i0(beta * elementwise.sqrt(elementwise.maximum(across, 0.0))) / bessel_i0(beta)
