"""Layers that change shapes, repeat, pad and crop."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from runtime.keras.layers.base.input_spec import InputSpec
from runtime.keras.layers.base.layer import Layer
from runtime.ops.array.concat_split import pad, tile
from runtime.ops.array.shape import expand_dims, reshape, transpose
from runtime.ops.array.shape import shape as shape_of

__all__ = [
    "Cropping1D", "Cropping2D", "Cropping3D", "Flatten", "Permute", "RepeatVector", "Reshape",
    "ZeroPadding1D", "ZeroPadding2D", "ZeroPadding3D",
]  # fmt: skip


def data_format_of(value: str | None, layer: str) -> str:
    """Return 'channels_last' or 'channels_first'; ValueError for others."""
    from runtime.keras.backend import image_data_format

    data_format = (value or image_data_format()).lower()
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError(
            f"data_format of {layer} must be 'channels_last' or 'channels_first', got {value!r}"
        )
    return data_format


class Flatten(Layer):
    """Layer that makes one axis of all but the first; (batch,) becomes (batch, 1)."""

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = data_format_of(data_format, "Flatten")
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Any) -> Any:
        """Reshape."""
        rank = inputs.shape.rank
        if self.data_format == "channels_first" and rank and rank > 2:
            inputs = transpose(inputs, [0, *range(2, rank), 1])
        sizes = inputs.shape.as_list()[1:] if rank else [None]
        if None not in sizes:
            return reshape(inputs, [-1, math.prod(sizes)])
        return reshape(inputs, [shape_of(inputs)[0], -1])

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        sizes = input_shape[1:]
        return input_shape[0], None if None in sizes else math.prod(sizes)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "data_format": self.data_format}


class Reshape(Layer):
    """Layer that gives each sample another shape; one size may be -1.

    ValueError where the numbers of elements differ.
    """

    def __init__(self, target_shape: Sequence[int], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.target_shape = tuple(target_shape)
        if any(n < -1 for n in self.target_shape) or self.target_shape.count(-1) > 1:
            raise ValueError(
                "There can be at most one unknown dimension (-1) in `target_shape`, and each other "
                "size must be a non-negative integer, or -1. "
                f"Received: target_shape={self.target_shape}"
            )

    def call(self, inputs: Any) -> Any:
        """Reshape."""
        sizes: list[Any] = inputs.shape.as_list()[1:] if inputs.shape.rank else [None]
        target = list(self.target_shape)
        if None not in sizes:
            target = list(self._resolved(math.prod(sizes)))
        batch = inputs.shape[0] if inputs.shape.rank else None
        if batch is None:
            batch = shape_of(inputs)[0] if target.count(-1) else -1
        return reshape(inputs, [batch, *target])

    def _resolved(self, size: int) -> tuple[int, ...]:
        product = math.prod([n for n in self.target_shape if n != -1])
        if self.target_shape.count(-1) == 1 and product and size % product == 0:
            return tuple([size // product if n == -1 else n for n in self.target_shape])
        if -1 in self.target_shape or product != size:
            raise ValueError(
                f"The total size of the tensor must be unchanged: layer {self.name!r} cannot "
                f"reshape samples of {size} elements. Received: target_shape={self.target_shape}"
            )
        return self.target_shape

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        sizes = input_shape[1:]
        if None in sizes:
            return (input_shape[0], *[None if n == -1 else n for n in self.target_shape])
        return (input_shape[0], *self._resolved(math.prod(sizes)))

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "target_shape": self.target_shape}


class Permute(Layer):
    """Layer that permutes the axes of samples, which are counted from 1.

    ValueError unless ``dims`` has each of them once.
    """

    def __init__(self, dims: Sequence[int], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.dims = tuple(dims)
        if sorted(self.dims) != list(range(1, len(self.dims) + 1)):
            raise ValueError(
                f"Invalid permutation argument `dims` for Permute Layer: {dims}. The set of "
                "indices in `dims` must be consecutive and start from 1."
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs: Any) -> Any:
        """Transpose."""
        return transpose(inputs, [0, *self.dims])

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs."""
        return (input_shape[0], *[input_shape[axis] for axis in self.dims])

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "dims": self.dims}


class RepeatVector(Layer):
    """Layer that repeats each vector ``n`` times: (batch, size) becomes (batch, n, size)."""

    def __init__(self, n: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not isinstance(n, int):
            raise TypeError(f"Expected an integer value for `n`, got {type(n)}.")
        if n < 1:
            raise ValueError(f"Argument `n` should be a positive integer. Received: n={n}")
        self.n = n
        self.input_spec = InputSpec(ndim=2)

    def call(self, inputs: Any) -> Any:
        """Repeat."""
        return tile(expand_dims(inputs, 1), [1, self.n, 1])

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        return {**super().get_config(), "n": self.n}


def _pairs(padding: Any, rank: int, name: str) -> tuple[tuple[int, int], ...]:
    """Return the numbers before and after each axis; ValueError for other forms."""
    entries = [padding] * rank if isinstance(padding, int) else list(padding)
    if rank == 1 and len(entries) == 2 and all(isinstance(n, int) for n in entries):
        entries = [tuple(entries)]
    single = rank > 1 or isinstance(padding, int)
    pairs: Any = [(n, n) if isinstance(n, int) and single else n for n in entries]
    numbers = all(
        isinstance(pair, list | tuple) and len(pair) == 2
        and all(isinstance(n, int) and n >= 0 for n in pair)
        for pair in pairs
    )  # fmt: skip
    if len(pairs) != rank or not numbers:
        raise ValueError(
            f"`{name}` must be an int not less than 0, or have {rank} parts: ints or pairs of "
            f"ints. Received: {name}={padding!r}"
        )
    return tuple([(pair[0], pair[1]) for pair in pairs])


class Spatial(Layer):
    """Base of layers that change the sizes of the inner axes."""

    rank = 0
    takes_format = True

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not self.takes_format:
            data_format = "channels_last"
        self.data_format = data_format_of(data_format, type(self).__name__)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    @property
    def _axes(self) -> range:
        first = 1 if self.data_format == "channels_last" else 2
        return range(first, first + self.rank)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        config = super().get_config()
        return {**config, "data_format": self.data_format} if self.takes_format else config


class _ZeroPadding(Spatial):
    def __init__(self, padding: Any = 1, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(data_format, **kwargs)
        self.padding = _pairs(padding, self.rank, "padding")

    def call(self, inputs: Any) -> Any:
        """Pad."""
        widths = [[0, 0] for _ in range(self.rank + 2)]
        for axis, pair in zip(self._axes, self.padding, strict=True):
            widths[axis] = list(pair)
        return pad(inputs, widths)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        padding = self.padding[0] if self.rank == 1 else self.padding
        return {**super().get_config(), "padding": padding}


class ZeroPadding1D(_ZeroPadding):
    """Layer that puts zeros before and after the steps: ``padding`` is an int or a pair."""

    rank = 1


class ZeroPadding2D(_ZeroPadding):
    """Layer that puts zeros around images: an int, two of them, or two pairs."""

    rank = 2

    def __init__(
        self, padding: Any = (1, 1), data_format: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(padding, data_format, **kwargs)


class ZeroPadding3D(_ZeroPadding):
    """Layer that puts zeros around volumes: an int, three of them, or three pairs."""

    rank = 3

    def __init__(
        self, padding: Any = ((1, 1), (1, 1), (1, 1)), data_format: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(padding, data_format, **kwargs)


class _Cropping(Spatial):
    def __init__(self, cropping: Any = 1, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(data_format, **kwargs)
        self.cropping = _pairs(cropping, self.rank, "cropping")

    def call(self, inputs: Any) -> Any:
        """Slice."""
        key: list[Any] = [slice(None)] * (self.rank + 2)
        for axis, (before, after) in zip(self._axes, self.cropping, strict=True):
            size = inputs.shape[axis]
            if size is not None and before + after >= size:
                raise ValueError(self._too_large(inputs.shape))
            key[axis] = slice(before, -after if after else None)
        return inputs[tuple(key)]

    def _too_large(self, shape: Any) -> str:
        if self.rank == 1:
            return (
                "`cropping` parameter of `Cropping1D` layer must be smaller than the number of "
                f"steps. Received: input_shape={tuple(shape)}, cropping={self.cropping[0]}"
            )
        return (
            "Values in `cropping` argument should be smaller than the corresponding spatial "
            f"dimension of the input. Received: inputs.shape={tuple(shape)}, "
            f"cropping={self.cropping}"
        )

    def get_config(self) -> dict[str, Any]:
        """Return the arguments."""
        cropping = self.cropping[0] if self.rank == 1 else self.cropping
        return {**super().get_config(), "cropping": cropping}


class Cropping1D(_Cropping):
    """Layer that takes steps away before and after: an int or a pair."""

    rank = 1
    takes_format = False

    def __init__(self, cropping: Any = (1, 1), **kwargs: Any) -> None:
        super().__init__(cropping, **kwargs)


class Cropping2D(_Cropping):
    """Layer that takes rows and columns of images away: an int, two of them, or two pairs."""

    rank = 2

    def __init__(
        self, cropping: Any = ((0, 0), (0, 0)), data_format: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(cropping, data_format, **kwargs)


class Cropping3D(_Cropping):
    """Layer that takes the outside of volumes away: an int, three of them, or three pairs."""

    rank = 3

    def __init__(
        self, cropping: Any = ((1, 1), (1, 1), (1, 1)), data_format: str | None = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(cropping, data_format, **kwargs)
