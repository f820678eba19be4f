"""Patches of images, by strided slices; composed of ops, so differentiable."""

from __future__ import annotations

from typing import Any

from runtime.ops.array.concat_split import pad, stack
from runtime.ops.array.indexing import getitem
from runtime.ops.array.shape import of_rank, reshape, sizes_of
from runtime.ops.nn.convolution import edges_of, span_of
from runtime.ops.rules.static_arguments import static_ints
from runtime.types.aliases import TensorLike

__all__: list[str] = []


def _two(numbers: Any, role: str) -> tuple[int, int]:
    """The numbers for height and width out of four, one a dimension."""
    entries = static_ints(numbers, role)
    if len(entries) != 4 or entries[0] != 1 or entries[3] != 1 or min(entries) < 1:
        raise ValueError(f"{role} must be positive, [1, height, width, 1], got {numbers!r}")
    return entries[1], entries[2]


def _patches(x: Any, window: Any, strides: Any, rates: Any, padding: Any) -> Any:
    """(batch, height, width, places of the window, channels): each window of the padded images."""
    if padding not in ("SAME", "VALID"):
        raise ValueError(f"padding must be 'SAME' or 'VALID', got {padding!r}")
    spans = [span_of(w, r) for w, r in zip(window, rates, strict=True)]
    if padding == "SAME":
        image_sizes = x.shape.dims[1:3]
        if None in image_sizes:
            raise ValueError(f"padding 'SAME' needs images of known size, got shape {x.shape}")
        edges = [edges_of(n, w, s, "SAME", 0) for n, w, s in zip(image_sizes, spans, strides)]
        x = pad(x, [[0, 0], *map(list, edges), [0, 0]])
    sizes = sizes_of(x)[1:3]
    for size, span in zip(sizes, spans):
        if isinstance(size, int) and size < span:
            raise ValueError(f"the window covers {span} elements of an axis of size {size}")
    moved = [
        getitem(x, (slice(None), *(
            slice(i * r, size - span + i * r + 1, s)
            for i, r, s, size, span in zip(at, rates, strides, sizes, spans)
        )))
        for at in ((i, j) for i in range(window[0]) for j in range(window[1]))
    ]  # fmt: skip
    return stack(moved, 3)


def extract_patches(images: TensorLike, sizes: Any, strides: Any, rates: Any, padding: str,
                    name: str | None = None) -> Any:  # fmt: skip
    """Lay out the windows of images in the channels, as ``image.extract_patches``.

    Args:
        images: tensor of shape (batch, height, width, channels), whose channels are known.
        sizes: four ints, 1, height, width, 1: the size of a window.
        strides: four ints, 1, rows, columns, 1: how far windows are apart.
        rates: four ints, 1, rows, columns, 1: how far the pixels of a window are apart.
        padding: ``VALID`` or ``SAME``.
    Returns:
        Tensor of shape (batch, rows, columns, height * width * channels) of a window.
    Raises:
        ValueError: the number of channels is not known.
    """
    x = of_rank(images, 4)
    window = _two(sizes, "sizes")
    patches = _patches(x, window, _two(strides, "strides"), _two(rates, "rates"), padding)
    shape = sizes_of(patches)
    channels = x.shape[3]
    if channels is None:
        raise ValueError(f"extract_patches: the number of channels is not known: {x.shape}")
    return reshape(patches, [*shape[:3], window[0] * window[1] * channels], name=name)
