"""What layers that move windows over the inner axes share: their arguments, and the sizes left."""

from __future__ import annotations

from typing import Any

from runtime.keras.layers.base.input_spec import InputSpec
from runtime.keras.layers.base.layer import Layer
from runtime.keras.layers.reshaping import data_format_of

Sizes = tuple[int | None, ...]


def one_an_axis(value: Any, rank: int, name: str, least: int = 1) -> tuple[int, ...]:
    """Return ``rank`` ints, from one or as many; ValueError for others, and for lesser ones."""
    try:
        entries = (int(value),) * rank if hasattr(value, "__index__") else tuple(value)
        ints = tuple([int(n) for n in entries])
    except (TypeError, ValueError):
        ints = ()
    if len(ints) != rank or min(ints) < least:
        wrong = {n for n in ints if n < least}
        bound = f"> {least - 1}" if least == 1 else f">= {least}"
        but = f", including values {wrong} that do not satisfy `value {bound}`" if wrong else ""
        raise ValueError(
            f"The `{name}` argument must be a tuple of {rank} integers. Received {name}="
            f"{value!r}{but}"
        )
    return ints


def chosen(value: Any, allowed: tuple[str, ...], name: str, layer: str) -> str:
    """Return a text in small letters that must be one of several; ValueError for others."""
    text = value.lower() if isinstance(value, str) else value
    if text not in allowed:
        raise ValueError(
            f"The `{name}` argument of {layer} must be one of {allowed}. Received: {name}={value!r}"
        )
    return str(text)


def window_sizes(
    sizes: Sizes, window: Sizes, strides: Sizes, padding: str, dilation: Sizes
) -> Sizes:
    """Return how many windows there are along each axis; None where the size is not known."""
    counts: list[int | None] = []
    for size, width, step, rate in zip(sizes, window, strides, dilation, strict=True):
        if size is None or width is None or step is None or rate is None:
            counts.append(None)
            continue
        span = 1 if padding != "valid" else (width - 1) * rate + 1
        counts.append((size - span) // step + 1)
    return tuple(counts)


class Windowed(Layer):
    """Base of layers with windows: ``rank`` inner axes, and channels last or first."""

    rank = 0
    data_format: str

    def _set_axes(self, data_format: str | None) -> None:
        self.data_format = data_format_of(data_format, type(self).__name__)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    @property
    def _channels_first(self) -> bool:
        return self.data_format == "channels_first"

    @property
    def _channel_axis(self) -> int:
        return 1 if self._channels_first else self.rank + 1

    @property
    def _layout(self) -> str:
        """The data format as operations call it."""
        inner = "DHW"[3 - self.rank :]
        return f"NC{inner}" if self._channels_first else f"N{inner}C"

    def _inner(self, shape: Any) -> Sizes:
        """Return the sizes of the inner axes."""
        return tuple(shape[2:] if self._channels_first else shape[1:-1])

    def _around(self, shape: Any, inner: Sizes, channels: int | None) -> Sizes:
        """Return the shape of a batch with these inner sizes; ValueError where one is not positive.
        """
        if any(size is not None and size < 1 for size in inner):
            raise ValueError(
                f"Computed output size would be zero or negative. The windows of layer "
                f"{self.name!r} ({type(self).__name__}) are greater than its input. Received: "
                f"inputs shape={tuple(shape)}, for which the sizes would be {inner}"
            )
        sizes = (channels, *inner) if self._channels_first else (*inner, channels)
        return (shape[0], *sizes)
