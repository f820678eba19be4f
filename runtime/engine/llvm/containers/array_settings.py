"""Settings of native tensor arrays: what their entries are, and how they are read and grow.

An entry of a native tensor array is a number and its state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.ops.resource.tensor_array import CLEARED, ArrayValue, Config
from runtime.types.shapes import SCALAR_SHAPE, TensorShape

EMPTY, WRITTEN, GIVEN_UP = 0, 1, 2
"""States of an entry."""
STATE = ir.Scalar("u", 8)


class ArraySettings(NamedTuple):
    """Settings of a tensor array; ``config`` is None where they are not known."""

    entry: Any
    """Kernel type of the entries."""
    config: Config | None = None
    is_scalar: bool = False
    """Whether it was made for scalars; else the first entry that is written tells its shape."""
    conflict: bool = False

    def fields(self) -> list[Any]:
        """Return the fields of the native list."""
        return [self.entry, STATE]

    def are_complete(self) -> bool:
        """Return whether native code can be made."""
        return self.config is not None and not self.conflict

    @property
    def code(self) -> str:
        """Letters that tell these settings from others."""
        config = self.config
        assert config is not None
        flags = config.dynamic, config.clear, config.infer, self.is_scalar
        return "".join(str(int(flag)) for flag in flags)


def settings_of(config: Config, element: TensorShape) -> ArraySettings | None:
    """Return the settings of arrays of numbers; None for other arrays."""
    dtype = np.dtype(config.dtype.as_numpy_dtype)
    if (dtype.kind not in "biuf" or dtype.itemsize not in (1, 2, 4, 8) or dtype == np.float16
            or element.rank not in (None, 0)):  # fmt: skip
        return None
    entry = ir.BOOL if dtype.kind == "b" else ir.Scalar(dtype.kind, dtype.itemsize * 8)
    return ArraySettings(entry, config, element.rank == 0)


def joint_settings(x: ArraySettings | None, y: ArraySettings | None) -> ArraySettings | None:
    """Return what is known of one array from two sides."""
    if x is None or y is None:
        return x or y
    if x.config is None or y.config is None:
        specific = y if x.config is None else x
        return specific._replace(conflict=x.conflict or y.conflict or x.entry != y.entry)
    return x._replace(conflict=x != y)


def to_array(settings: ArraySettings) -> Callable[[Any], ArrayValue]:
    """Return the function from pairs of numbers and states to a tensor array."""
    config = settings.config
    assert config is not None
    dtype = np.dtype(config.dtype.as_numpy_dtype)

    def convert(entries: Sequence[tuple[Any, int]]) -> ArrayValue:
        numbers = np.array([value for value, _ in entries], dtype)
        states = [state for _, state in entries]
        items: list[Any] = list(numbers)
        if any(state != WRITTEN for state in states):
            items = [
                number if state == WRITTEN else CLEARED if state == GIVEN_UP else None
                for number, state in zip(numbers, states, strict=True)
            ]
        is_scalar = settings.is_scalar or (config.infer and any(states))
        element = SCALAR_SHAPE if is_scalar else TensorShape(None)
        return ArrayValue(items, len(items), element, config)

    return convert


def from_array(settings: ArraySettings, foreign: type[Exception]) -> Callable[[Any], Any]:
    """Return the function from a tensor array to pairs; it raises for other settings."""
    config = settings.config
    assert config is not None
    dtype = np.dtype(config.dtype.as_numpy_dtype)

    def pair(item: Any) -> tuple[Any, int]:
        if item is None or item is CLEARED:
            return dtype.type(0).item(), EMPTY if item is None else GIVEN_UP
        if item.dtype != dtype or item.ndim:
            raise foreign
        return item.item(), WRITTEN

    def convert(value: ArrayValue) -> list[tuple[Any, int]]:
        if type(value) is not ArrayValue or value.config != config:
            raise foreign
        pairs = [pair(item) for item in value.items()]
        is_scalar = settings.is_scalar or (config.infer and any(state for _, state in pairs))
        if pairs and (value.element.rank == 0) is not is_scalar:
            raise foreign
        return pairs

    return convert
