"""Layers that make one tensor of several."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from typing import Any

from runtime.keras.layers.base.layer import Layer
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import cast
from runtime.ops.array.shape import expand_dims, squeeze, transpose
from runtime.ops.linalg.products import matmul
from runtime.ops.math import elementwise
from runtime.ops.math.logical import logical_and
from runtime.ops.nn.activations_losses import l2_normalize
from runtime.types.dtypes import bool_

__all__ = [
    "Add", "Average", "Concatenate", "Dot", "Maximum", "Minimum", "Multiply", "Subtract",
]  # fmt: skip


class _Merge(Layer):
    """Base of layers that take a list of tensors, whose shapes broadcast."""

    least = 1
    broadcasts = True

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Look at the shapes; ValueError for what is no list of enough tensors that fit."""
        shapes = input_shape
        if not isinstance(shapes, list) or shapes and not isinstance(shapes[0], list | tuple):
            raise ValueError(
                f"A `{type(self).__name__}` layer should be called on a list of inputs. Received: "
                f"input_shape={shapes} (not a list of shapes)"
            )
        if len(shapes) < self.least:
            raise ValueError(
                f"A `{type(self).__name__}` layer should be called on a list of at least "
                f"{self.least} inputs. Received {len(shapes)} inputs."
            )
        known = [shape for shape in shapes if shape is not None]
        if self.broadcasts and len({shape[0] for shape in known if shape} - {None}) > 1:
            raise ValueError(
                "Cannot merge tensors with different batch sizes. Received tensors with shapes "
                f"{shapes}"
            )
        for first, second in pairwise(known if self.broadcasts else []):
            for a, b in zip(first[:0:-1], second[:0:-1], strict=False):
                if a != b and None not in (a, b) and 1 not in (a, b):
                    raise ValueError(
                        f"Inputs have incompatible shapes. Received shapes {first[1:]} and "
                        f"{second[1:]}"
                    )

    def call(self, inputs: Any) -> Any:
        """Combine the tensors, aligned at the axis of the batch."""
        rank = max([t.shape.rank for t in inputs])
        aligned = []
        for tensor in inputs:
            for _ in range(rank - tensor.shape.rank):
                tensor = expand_dims(tensor, 1)
            aligned.append(tensor)
        return self._merged(aligned)

    def _merged(self, inputs: Sequence[Any]) -> Any:
        raise NotImplementedError

    def compute_mask(self, inputs: Any, previous_mask: Any) -> Any:
        """Return the mask of the result: where all inputs count."""
        if not isinstance(previous_mask, list | tuple):
            return None
        masks = [cast(one, bool_) for one in previous_mask if one is not None]
        return reduce(logical_and, masks) if masks else None


class Add(_Merge):
    """Sum of the inputs."""

    def _merged(self, inputs: Sequence[Any]) -> Any:
        return reduce(lambda a, b: a + b, inputs)


class Subtract(_Merge):
    """Difference of two inputs; ValueError for another number of them."""

    least = 2

    def build(self, input_shape: Any) -> None:
        """Look at the shapes."""
        super().build(input_shape)
        if len(input_shape) != 2:
            raise ValueError(
                f"A `Subtract` layer should be called on exactly 2 inputs. Received: "
                f"input_shape={input_shape}"
            )

    def _merged(self, inputs: Sequence[Any]) -> Any:
        return inputs[0] - inputs[1]


class Multiply(_Merge):
    """Product of the inputs, element by element."""

    def _merged(self, inputs: Sequence[Any]) -> Any:
        return reduce(lambda a, b: a * b, inputs)


class Average(_Merge):
    """Mean of the inputs."""

    def _merged(self, inputs: Sequence[Any]) -> Any:
        return reduce(lambda a, b: a + b, inputs) / len(inputs)


class Maximum(_Merge):
    """Greatest of the inputs, element by element."""

    def _merged(self, inputs: Sequence[Any]) -> Any:
        return reduce(elementwise.maximum, inputs)


class Minimum(_Merge):
    """Least of the inputs, element by element."""

    def _merged(self, inputs: Sequence[Any]) -> Any:
        return reduce(elementwise.minimum, inputs)


class Concatenate(_Merge):
    """Inputs one after the other along an axis; ValueError where other sizes differ."""

    broadcasts = False

    def __init__(self, axis: int = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def build(self, input_shape: Any) -> None:
        """Look at the shapes; ValueError where they do not fit."""
        super().build(input_shape)
        known = [shape for shape in input_shape if shape is not None]
        if any(not -len(shape) <= self.axis < len(shape) for shape in known):
            raise ValueError(
                f"the axis {self.axis} of a `Concatenate` layer is none of its inputs': {known}"
            )
        others = set()
        for shape in known:
            sizes = list(shape)
            del sizes[self.axis]
            others.add(tuple(sizes))
        ranks = {len(shape) for shape in known}
        by_axis = [{n for n in sizes if n is not None} for sizes in zip(*others, strict=False)]
        if len(ranks) > 1 or any(len(sizes) > 1 for sizes in by_axis):
            raise ValueError(
                f"A `Concatenate` layer requires inputs with matching shapes except for the "
                f"concatenation axis. Received: input_shape={input_shape}"
            )

    def call(self, inputs: Any) -> Any:
        """Concatenate."""
        return concat(list(inputs), self.axis)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "axis": self.axis}


class Dot(_Merge):
    """Products of two inputs, summed along an axis of each, sample by sample.

    ``axes`` is an int, or one for each input, counted with the batch; ``normalize`` scales vectors
    along them to length one first.  TypeError for other axes.
    """

    least = 2
    broadcasts = False

    def __init__(self, axes: Any, normalize: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not isinstance(axes, int) and not (isinstance(axes, list | tuple) and len(axes) == 2):
            wrong = ValueError if isinstance(axes, list | tuple) else TypeError
            raise wrong(f"`axes` of a Dot layer must be an int or two, got {axes!r}")
        self.axes = axes
        self.normalize = normalize

    def build(self, input_shape: Any) -> None:
        """Look at the shapes; ValueError where the sizes along the axes differ."""
        super().build(input_shape)
        axes = [self.axes] * 2 if isinstance(self.axes, int) else list(self.axes)
        shapes = list(zip(input_shape, axes, strict=False))
        inside = [(s, n) for s, n in shapes if s is not None and -len(s) <= n < len(s)]
        sizes = [shape[axis] for shape, axis in inside]
        if len(sizes) < len(shapes) and None not in input_shape:
            raise ValueError(f"the axes {self.axes} are none of the inputs': {input_shape}")
        if len(set(sizes) - {None}) > 1:
            raise ValueError(
                f"Incompatible input shapes: axis values {sizes[0]} (at axis {axes[0]}) != "
                f"{sizes[1]} (at axis {axes[1]}). Full input shapes: {input_shape}"
            )

    def call(self, inputs: Any) -> Any:
        """Multiply."""
        a, b = inputs
        axes = [self.axes] * 2 if isinstance(self.axes, int) else list(self.axes)
        first, second = [axis % t.shape.rank for axis, t in zip(axes, inputs, strict=True)]
        if self.normalize:
            a, b = l2_normalize(a, first), l2_normalize(b, second)
        a = transpose(a, [*[n for n in range(a.shape.rank) if n != first], first])
        b = transpose(b, [0, second, *[n for n in range(1, b.shape.rank) if n != second]])
        flat = [a.shape.rank == 2, b.shape.rank == 2]
        a = expand_dims(a, 1) if flat[0] else a
        b = expand_dims(b, 2) if flat[1] else b
        found = matmul(a, b)
        if flat[1]:
            found = squeeze(found, [found.shape.rank - 1])
        if flat[0]:
            found = squeeze(found, [1])
        return expand_dims(found, 1) if found.shape.rank == 1 else found

    def compute_mask(self, inputs: Any, previous_mask: Any) -> Any:
        """Return None: the axes are others."""

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "axes": self.axes, "normalize": self.normalize}
