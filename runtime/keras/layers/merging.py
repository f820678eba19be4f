"""Layers that make one tensor of several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any

from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.base.masks import mask_of
from runtime.ops.array.concat_split import concat
from runtime.ops.array.constants import cast
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.ops.array.shape import broadcast_to, expand_dims, reshape, squeeze, transpose
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.array.where import where
from runtime.ops.linalg.products import matmul
from runtime.ops.math import elementwise
from runtime.ops.math.logical import logical_and, logical_or
from runtime.ops.math.reduction import reduce_any
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
        if not isinstance(shapes, list | tuple) or shapes and not isinstance(
            shapes[0], list | tuple | None
        ):
            raise ValueError(
                f"A `{type(self).__name__}` layer should be called on a list of inputs. Received: "
                f"input_shape={shapes} (not a list of shapes)"
            )
        if len(shapes) < self.least:
            raise ValueError(
                f"A `{type(self).__name__}` layer should be called on a list of at least "
                f"{self.least} inputs. Received {len(shapes)} inputs."
            )
        known_shapes = [shape for shape in shapes if shape is not None]
        if self.broadcasts and len({shape[0] for shape in known_shapes if shape} - {None}) > 1:
            raise ValueError(
                "Cannot merge tensors with different batch sizes. Received tensors with shapes "
                f"{shapes}"
            )
        for first, second in pairwise(known_shapes if self.broadcasts else []):
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
        """Return the mask of the result: where any input counts; None if one has no mask.

        ValueError for what is no list of one mask, or None, for each input.
        """
        masks = self._masks(inputs, previous_mask)
        if not masks or any(mask is None for mask in masks):
            return None
        return reduce(logical_or, [cast(mask, bool_) for mask in masks])

    def _masks(self, inputs: Any, masks: Any) -> list[Any]:
        """Return the masks of the inputs; ValueError where they are none."""
        if masks is None:
            return []
        for name, value in ("mask", masks), ("inputs", inputs):
            if not isinstance(value, list | tuple):
                raise ValueError(f"`{name}` should be a list. Received: {name}={value}")
        if len(masks) != len(inputs):
            raise ValueError(
                "The lists `inputs` and `mask` should have the same length. Received: "
                f"{len(inputs)} inputs and {len(masks)} masks"
            )
        return list(masks)


class Add(_Merge):
    """Sum of the inputs."""

    def _merged(self, inputs: Sequence[Any]) -> Any:
        return reduce(lambda a, b: a + b, inputs)


class Subtract(_Merge):
    """Difference of two inputs; ValueError for another number of them."""

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
    """Product of the inputs, element by element, of those that their masks do not exclude."""

    def _merged(self, inputs: Sequence[Any]) -> Any:
        masks = [_mask_like(tensor) for tensor in inputs]
        factors = [
            tensor if mask is None else where(mask, tensor, ones_like(tensor))
            for tensor, mask in zip(inputs, masks, strict=True)
        ]
        product = reduce(lambda a, b: a * b, factors)
        if any(mask is None for mask in masks):
            return product
        return where(reduce(logical_or, masks), product, zeros_like(product))


class Average(_Merge):
    """Mean of the inputs."""

    def _merged(self, inputs: Sequence[Any]) -> Any:
        return reduce(lambda a, b: a + b, inputs) / len(inputs)


class Maximum(_Merge):
    """Greatest of the inputs, element by element, of those that their masks do not exclude."""

    def _merged(self, inputs: Sequence[Any]) -> Any:
        return _chosen(elementwise.maximum, inputs)


class Minimum(_Merge):
    """Least of the inputs, element by element, of those that their masks do not exclude."""

    def _merged(self, inputs: Sequence[Any]) -> Any:
        return _chosen(elementwise.minimum, inputs)


def _mask_like(tensor: Any) -> Any:
    """Return the mask of a tensor with the axis of its features; None if it has none."""
    mask = mask_of(tensor)
    if mask is None:
        return None
    return broadcast_to(expand_dims(cast(mask, bool_), -1), shape_of(tensor))


def _chosen(choose: Callable[[Any, Any], Any], inputs: Sequence[Any]) -> Any:
    """Reduce inputs by a function of two; where only one of them counts, it is the result."""
    result, result_mask = inputs[0], _mask_like(inputs[0])
    for tensor in inputs[1:]:
        mask = _mask_like(tensor)
        if mask is not None:
            tensor = where(mask, tensor, result)
        if result_mask is not None:
            result = where(result_mask, result, tensor)
        result_mask = None if mask is None or result_mask is None else logical_or(result_mask, mask)
        result = choose(result, tensor)
    return result


class Concatenate(_Merge):
    """Inputs one after the other along an axis; ValueError where other sizes differ."""

    broadcasts = False

    def __init__(self, axis: int = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = axis

    def build(self, input_shape: Any) -> None:
        """Look at the shapes; ValueError where they do not fit."""
        super().build(input_shape)
        known_shapes = [shape for shape in input_shape if shape is not None]
        if any(not -len(shape) <= self.axis < len(shape) for shape in known_shapes):
            raise ValueError(
                f"the axis {self.axis} of a `Concatenate` layer is none of its inputs': "
                f"{known_shapes}"
            )
        other_sizes = set()
        for shape in known_shapes:
            sizes = list(shape)
            del sizes[self.axis]
            other_sizes.add(tuple(sizes))
        ranks = {len(shape) for shape in known_shapes}
        by_axis = [{n for n in sizes if n is not None} for sizes in zip(*other_sizes, strict=False)]
        if len(ranks) > 1 or any(len(sizes) > 1 for sizes in by_axis):
            raise ValueError(
                f"A `Concatenate` layer requires inputs with matching shapes except for the "
                f"concatenation axis. Received: input_shape={input_shape}"
            )

    def call(self, inputs: Any) -> Any:
        """Concatenate."""
        return concat(list(inputs), self.axis)

    def compute_mask(self, inputs: Any, previous_mask: Any) -> Any:
        """Return the mask of the result: where any part counts; inputs without a mask count."""
        masks = self._masks(inputs, previous_mask)
        if all(any_mask is None for any_mask in masks):
            return None
        wide_masks = []
        for tensor, mask in zip(inputs, masks, strict=True):
            part_mask = ones_like(tensor, dtype=bool_)
            if mask is not None:
                mask = cast(mask, bool_)
                wide = mask.shape.rank < part_mask.shape.rank
                part_mask = logical_and(part_mask, expand_dims(mask, -1)) if wide else mask
            wide_masks.append(part_mask)
        return reduce_any(concat(wide_masks, self.axis), axis=-1)

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
        if max(a.shape.rank, b.shape.rank) > 3:
            return _products(a, b)
        flat = [a.shape.rank == 2, b.shape.rank == 2]
        a = expand_dims(a, 1) if flat[0] else a
        b = expand_dims(b, 2) if flat[1] else b
        product = matmul(a, b)
        if flat[1]:
            product = squeeze(product, [product.shape.rank - 1])
        if flat[0]:
            product = squeeze(product, [1])
        return expand_dims(product, 1) if product.shape.rank == 1 else product

    def compute_mask(self, inputs: Any, previous_mask: Any) -> Any:
        """Return None: the axes are others."""
        self._masks(inputs, previous_mask)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "axes": self.axes, "normalize": self.normalize}


def _products(a: Any, b: Any) -> Any:
    """Multiply a tensor by the axis before the others of another one, sample by sample."""
    sizes = [*_sizes(a)[:-1], *_sizes(b)[2:]]
    rows = reshape(a, [_sizes(a)[0], -1, _sizes(a)[-1]])
    columns = reshape(b, [_sizes(b)[0], _sizes(b)[1], -1])
    return reshape(matmul(rows, columns), sizes)


def _sizes(tensor: Any) -> list[Any]:
    """Return the sizes of a tensor, as ints where they are known."""
    static_sizes, all_sizes = tensor.shape.as_list(), shape_of(tensor)
    return [all_sizes[axis] if size is None else size for axis, size in enumerate(static_sizes)]
