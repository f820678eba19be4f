"""``runtime.dtypes``: dtypes, and the functions that convert to them, as in TensorFlow."""

# ruff: noqa: F403 - what a star brings is what the module's __all__ says
from typing import TYPE_CHECKING

from autograph.errors import unknown_name
from runtime.ops.array.constants import cast as cast
from runtime.ops.math.clipping import saturate_cast as saturate_cast
from runtime.ops.math.elementary import complex as complex
from runtime.types import dtypes as _dtypes
from runtime.types.annexes import explained as _explained
from runtime.types.dtypes import *
from runtime.types.dtypes import bool_

if TYPE_CHECKING:
    from runtime.types.dtypes import bfloat16 as bfloat16

bool = bool_

__all__: list[str] = []
__all__ += _dtypes.__all__


def __dir__() -> list[str]:
    return [*__all__, "bool", "cast", "complex", "saturate_cast"]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """``bfloat16``, which needs an extra."""
        if name == "bfloat16":
            return _dtypes.bfloat16
        raise unknown_name("runtime.dtypes", name, __dir__())

    __getattr__ = _explained(__name__, __getattr__)
