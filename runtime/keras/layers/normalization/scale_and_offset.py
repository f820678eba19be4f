"""``Normalizing``: base of layers with the weights ``gamma`` and ``beta``."""

from __future__ import annotations

from typing import Any

from runtime.keras import constraints, initializers, regularizers
from runtime.keras.layers.base.layer import Layer
from runtime.ops.array.constants import cast
from runtime.types.dtypes import float32


class Normalizing(Layer):
    """Base of layers with the weights ``gamma``, if ``scale``, and ``beta``, if ``center``."""

    _takes_floats = True

    gamma: Any
    beta: Any

    def _set_scale_and_offset(self, center: bool, scale: bool, **weights: Any) -> None:
        self.center = center
        self.scale = scale
        modules: dict[str, Any] = {
            "initializer": initializers, "regularizer": regularizers, "constraint": constraints,
        }  # fmt: skip
        for name, value in weights.items():
            setattr(self, name, modules[name.rpartition("_")[2]].get(value))

    def _add_scale_and_offset(self, shape: tuple[int, ...]) -> None:
        for name, is_used in ("gamma", self.scale), ("beta", self.center):
            weight = None
            if is_used:
                weight = self.add_weight(
                    shape, getattr(self, f"{name}_initializer"), name=name,
                    regularizer=getattr(self, f"{name}_regularizer"),
                    constraint=getattr(self, f"{name}_constraint"), autocast=False,
                )  # fmt: skip
            setattr(self, name, weight)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return tuple(input_shape)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = {**super().get_config(), "center": self.center, "scale": self.scale}
        modules: dict[str, Any] = {
            "initializer": initializers, "regularizer": regularizers, "constraint": constraints,
        }  # fmt: skip
        for kind, module in modules.items():
            for weight in "beta", "gamma":
                value = getattr(self, f"{weight}_{kind}")
                config[f"{weight}_{kind}"] = None if value is None else module.serialize(value)
        return config


def positive_axes(axis: Any, rank: int, layer: str) -> tuple[int, ...]:
    """Return axes counted from the front; ValueError for those that are none."""
    positive = []
    for number in axis if isinstance(axis, list | tuple) else [axis]:
        if not isinstance(number, int) or not -rank <= number < rank:
            raise ValueError(f"{layer} has the axis {number!r}, but its input has rank {rank}")
        positive.append(number % rank)
    return tuple(positive)


def known_sizes(shape: Any, axes: Any, layer: str) -> tuple[int, ...]:
    """Return the sizes of a shape along axes; ValueError for an unknown one."""
    sizes = [shape[axis] for axis in axes]
    if None in sizes:
        raise ValueError(
            f"Axes {list(axes)} of the input tensor should have a defined dimension but the layer "
            f"received an input with shape {tuple(shape)}: {layer} has weights of these sizes."
        )
    return tuple(sizes)


def widened(x: Any) -> Any:
    """Return floats of half precision as float32: sums of their squares would overflow."""
    return cast(x, float32) if x.dtype.size < 4 else x
