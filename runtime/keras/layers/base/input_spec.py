"""What a layer expects of its inputs, and the check of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.types import nest
from runtime.types.dtypes import as_dtype


class InputSpec:
    """Expected dtype, rank and sizes of an input of a layer.

    ``shape`` has None for free sizes, ``axes`` maps axes (also negative ones) to their sizes;
    ``allow_last_axis_squeeze`` takes inputs without a last axis of size one.  TypeError for sizes
    that are no ints.
    """

    def __init__(
        self, dtype: Any = None, shape: Sequence[int | None] | None = None,
        ndim: int | None = None, max_ndim: int | None = None, min_ndim: int | None = None,
        axes: dict[int, int | None] | None = None, allow_last_axis_squeeze: bool = False,
        name: str | None = None, optional: bool = False,
    ) -> None:  # fmt: skip
        self.dtype = None if dtype is None else as_dtype(dtype).name
        self.shape = None if shape is None else tuple(shape)
        self.ndim = len(self.shape) if self.shape is not None else ndim
        self.max_ndim = max_ndim
        self.min_ndim = min_ndim
        self.axes = {int(axis): size for axis, size in (axes or {}).items()}
        self.allow_last_axis_squeeze = allow_last_axis_squeeze
        self.name = name
        self.optional = optional

    def __repr__(self) -> str:
        fields = {n: value for n, value in vars(self).items() if value not in (None, {}, False)}
        shown = [f"{name}={value!r}" for name, value in fields.items()]
        return f"InputSpec({', '.join(shown)})"

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return dict(vars(self))

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> InputSpec:
        """Make a spec from its arguments."""
        return cls(**config)

    def fault(self, shape: tuple[int | None, ...] | None, dtype: Any) -> str | None:
        """Return what is wrong with an input, or None."""
        if shape is None:
            return None
        full = f"Full shape received: {shape}"
        if self.ndim is not None and len(shape) != self.ndim:
            squeezed = self.allow_last_axis_squeeze and shape and shape[-1] == 1
            if not (squeezed and len(shape) - 1 == self.ndim):
                return f"expected ndim={self.ndim}, found ndim={len(shape)}. {full}"
        if self.max_ndim is not None and len(shape) > self.max_ndim:
            return f"expected max_ndim={self.max_ndim}, found ndim={len(shape)}. {full}"
        if self.min_ndim is not None and len(shape) < self.min_ndim:
            return f"expected min_ndim={self.min_ndim}, found ndim={len(shape)}. {full}"
        if self.dtype is not None and as_dtype(dtype).name != self.dtype:
            return f"expected dtype={self.dtype}, found dtype={as_dtype(dtype).name}"
        for axis, size in self.axes.items():
            if size is not None and -len(shape) <= axis < len(shape):
                if shape[axis] not in (size, None):
                    return (
                        f"expected axis {axis} of input shape to have value {size}, but received "
                        f"input with shape {shape}"
                    )
        if self.shape is not None:
            for expected, size in zip(self.shape, shape, strict=False):
                if None not in (expected, size) and expected != size:
                    return f"expected shape={self.shape}, found shape={shape}"
        return None


def check_inputs(spec: Any, inputs: Any, layer_name: str) -> None:
    """Raise ValueError unless the inputs of a layer fit its spec, or specs."""
    if spec is None:
        return
    specs, values = nest.flatten(spec), nest.flatten(inputs)
    if isinstance(spec, dict) and isinstance(inputs, dict):
        specs, values = [spec[name] for name in spec], [inputs.get(name) for name in spec]
    if len(specs) != len(values):
        raise ValueError(
            f"Layer {layer_name!r} expects {len(specs)} input(s), but it received {len(values)}."
        )
    for number, (input_spec, value) in enumerate(zip(specs, values, strict=True)):
        shape = getattr(value, "shape", None)
        if input_spec is None or shape is None or (value is None and input_spec.optional):
            continue
        dims = None if shape.rank is None else tuple(shape.as_list())
        fault = input_spec.fault(dims, value.dtype)
        if fault:
            raise ValueError(
                f"Input {number} of layer {layer_name!r} is incompatible with the layer: {fault}"
            )
