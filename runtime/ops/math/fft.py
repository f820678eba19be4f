"""Op definitions of Fourier transforms along one axis or several, and their shifts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops import dispatch
from runtime.ops.array.shape import known_rank, roll, shape
from runtime.ops.op import OpDef, define
from runtime.ops.rules.inference import normal_axis
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.lazy_gradient import lazy_gradient
from runtime.ops.rules.samples import OpSample, spread
from runtime.ops.rules.static_arguments import static_ints
from runtime.types.aliases import AxisLike, TensorLike
from runtime.types.dtypes import Array, complex64, complex128, float32, float64
from runtime.types.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.types.shapes import UNKNOWN_SHAPE, TensorSpec

__all__: list[str] = []

NORMS = ("backward", "ortho", "forward")


def _axes(caller: str, x: TensorSpec, axes: tuple[int, ...], lengths: Any) -> Any:
    """The axes counted from the front, and the lengths; None for both when the rank is unknown."""
    dims = x.shape.dims
    if dims is None:
        return None, None
    if len(dims) < len(axes):
        raise IncompatibleShapesError(
            f"{caller}: Input must have rank of at least {len(axes)} but got: {len(dims)}"
        )
    at = [normal_axis(a, len(dims)) for a in axes]
    if len(set(at)) < len(at):
        raise InvalidArgumentError(f"{caller}: the axes must differ, got {list(axes)}")
    return at, [dims[a] for a in at] if lengths is None else list(lengths)


def _transformed(caller: str, change: str) -> Callable[..., TensorSpec]:
    """``change``: what becomes of the last length and of the dtype (full, half or whole)."""

    def infer(
        x: TensorSpec, *, axes: tuple[int, ...], lengths: tuple[int, ...] | None, norm: str
    ) -> TensorSpec:
        wide = x.dtype is float64 or x.dtype is complex128
        dtype = (float64 if wide else float32) if change == "whole" else (
            complex128 if wide else complex64
        )  # fmt: skip
        at, sizes = _axes(caller, x, axes, lengths)
        if at is None:
            return TensorSpec(UNKNOWN_SHAPE, dtype)
        dims = list(x.shape)
        if change == "whole" and lengths is None and sizes[-1] is not None:
            sizes[-1] = 2 * (sizes[-1] - 1)
        if any(s is not None and s < 1 for s in sizes):
            raise InvalidArgumentError(f"{caller}: the lengths must be positive, got {sizes}")
        for a, size in zip(at, sizes, strict=True):
            dims[a] = size
        if change == "half" and sizes[-1] is not None:
            dims[at[-1]] = sizes[-1] // 2 + 1
        return TensorSpec(dims, dtype)

    return infer


def _transform(name: str, function: Any, change: str, dtype_kinds: str, doc: str) -> OpDef:
    infer = _transformed(name, change)

    def kernel(
        x: Array, *, axes: tuple[int, ...], lengths: tuple[int, ...] | None, norm: str
    ) -> Any:
        result = function(x, lengths, axes, norm)
        return result.astype(infer(TensorSpec(x.shape, x.dtype), axes=axes, lengths=lengths,
                                   norm=norm).dtype.as_numpy_dtype)  # fmt: skip

    def samples() -> list[OpSample]:
        x = spread(-1, 1, 2, 3, 4)
        x = x.astype(np.complex64) if "c" in dtype_kinds else x
        y = x[0].astype(np.complex128 if "c" in dtype_kinds else np.float64)
        return [
            OpSample((x,), {"axes": (-1,), "lengths": None, "norm": "backward"}),
            OpSample((x,), {"axes": (-2, -1), "lengths": (5, 6), "norm": "ortho"}),
            OpSample((y,), {"axes": (0,), "lengths": (3,), "norm": "forward"}),
        ]

    return define(
        name, inputs="input", kernel=checked(kernel, infer), infer=infer, dtype_kinds=dtype_kinds,
        samples=samples, doc=doc, grad=lazy_gradient(f"fft.{name}"),
    )  # fmt: skip


fft_op = _transform("fftn", np.fft.fftn, "full", "c", "Compute the Fourier transform along axes.")
ifft_op = _transform("ifftn", np.fft.ifftn, "full", "c", "Invert ``fftn``.")
rfft_op = _transform(
    "rfftn", np.fft.rfftn, "half", "f",
    "Compute the Fourier transform of real numbers along axes, without the redundant half.",
)  # fmt: skip
irfft_op = _transform("irfftn", np.fft.irfftn, "whole", "c", "Invert ``rfftn``.")


def _along(op: OpDef, x: Any, lengths: Any, axes: tuple[int, ...], norm: Any, name: Any) -> Any:
    norm = norm or "backward"
    if norm not in NORMS:
        raise ValueError(f"norm must be one of {NORMS} or None, got {norm!r}")
    sizes = None if lengths is None else static_ints(lengths, "fft_length")
    if sizes is not None and len(sizes) != len(axes):
        raise ValueError(f"fft_length must have {len(axes)} entries, got {list(sizes)}")
    return op(x, axes=axes, lengths=sizes, norm=norm, name=name)


def _named(function: Any, name: str, doc: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


SOURCE = """By NumPy's pocketfft: Cooley and Tukey: An Algorithm for the Machine Calculation of
Complex Fourier Series (1965); for large prime factors Bluestein's algorithm (1970)."""
COMPLEX = """{verb} the Fourier transform along the last axis or axes: {count}.

{source}

Args:
    input: tensor of a complex dtype, of rank {count} or more.
Returns:
    Tensor of the shape and dtype of ``input``.
Raises:
    InvalidArgumentError: the dtype is another one (also a TypeError), or the rank is less (also a
        ValueError).
"""
REAL = """{verb} the Fourier transform of real numbers along the last axis or axes: {count}.

{source}

Args:
    input_tensor: tensor of a {kind} dtype, of rank {count} or more.
    fft_length: lengths to which the axes{of} are cut or filled with zeros;
        {default}.
Returns:
    {result}
Raises:
    ValueError: ``fft_length`` has another number of entries, or the rank is less than {count}.
    InvalidArgumentError: the dtype is another one (also a TypeError), or a length is less than 1.
"""
MANY = """{doc}

{source}

Args:
    input_tensor: tensor of a {kind} dtype.
    fft_length: lengths to which the axes are cut or filled with zeros; by default their own.
    axes: axes of the transform; by default the last ones, as many as lengths, or all.
    norm: 'backward' (the default), 'ortho' or 'forward': where the scale is applied.
Returns:
    Tensor of the rank of ``input_tensor``, of the complex or real dtype of the transform.
Raises:
    ValueError: ``norm`` is unknown, or there are not as many lengths as axes.
    InvalidArgumentError: the dtype is another one (also a TypeError), or an axis is out of range
        (also a ValueError).
"""


def _complex_family(public: str, op: OpDef, count: int, verb: str) -> Callable[..., Any]:
    axes = tuple(range(-count, 0))

    def transform(input: TensorLike, name: str | None = None) -> Any:
        return _along(op, input, None, axes, None, name)

    doc = COMPLEX.format(verb=verb, count=count, source=SOURCE)
    return _named(transform, public, doc)


def _real_family(public: str, op: OpDef, count: int) -> Callable[..., Any]:
    axes = tuple(range(-count, 0))

    def transform(input_tensor: TensorLike, fft_length: Any = None, name: str | None = None) -> Any:
        return _along(op, input_tensor, fft_length, axes, None, name)

    if op is rfft_op:
        words = {
            "verb": "Compute", "kind": "floating", "of": "", "default": "by default their own",
            "result": "Tensor of a complex dtype; the last axis has its length // 2 + 1 entries.",
        }  # fmt: skip
    else:
        words = {
            "verb": "Invert", "kind": "complex", "of": " of the result",
            "default": "by default 2 * (size - 1) for the last one, their own for the others",
            "result": "Tensor of dtype float32, or float64 of complex128.",
        }  # fmt: skip
    doc = REAL.format(count=count, source=SOURCE, **words)
    return _named(transform, public, doc)


def _many_family(public: str, op: OpDef, doc: str, kind: str) -> Callable[..., Any]:
    def transform(input_tensor: TensorLike, fft_length: Any = None, axes: AxisLike | None = None,
                  norm: Any = None, name: str | None = None) -> Any:  # fmt: skip
        x = dispatch.convert(input_tensor)
        if axes is None:
            count = known_rank(x, op.name)
            if fft_length is not None:
                count = len(static_ints(fft_length, "fft_length"))
            axes = tuple(range(-count, 0))
        return _along(op, x, fft_length, static_ints(axes, "axes"), norm, name)

    return _named(transform, public, MANY.format(doc=doc, source=SOURCE, kind=kind))


fft = _complex_family("fft", fft_op, 1, "Compute")
fft2d = _complex_family("fft2d", fft_op, 2, "Compute")
fft3d = _complex_family("fft3d", fft_op, 3, "Compute")
ifft = _complex_family("ifft", ifft_op, 1, "Invert")
ifft2d = _complex_family("ifft2d", ifft_op, 2, "Invert")
ifft3d = _complex_family("ifft3d", ifft_op, 3, "Invert")
rfft = _real_family("rfft", rfft_op, 1)
rfft2d = _real_family("rfft2d", rfft_op, 2)
rfft3d = _real_family("rfft3d", rfft_op, 3)
irfft = _real_family("irfft", irfft_op, 1)
irfft2d = _real_family("irfft2d", irfft_op, 2)
irfft3d = _real_family("irfft3d", irfft_op, 3)
fftnd = _many_family("fftnd", fft_op, "Compute the Fourier transform along axes.", "complex")
ifftnd = _many_family("ifftnd", ifft_op, "Invert the Fourier transform along axes.", "complex")
rfftnd = _many_family(
    "rfftnd", rfft_op, "Compute the Fourier transform of real numbers along axes.", "floating"
)
irfftnd = _many_family(
    "irfftnd", irfft_op, "Invert the Fourier transform of real numbers along axes.", "complex"
)


def _shifted(x: Any, axes: Any, inverse: bool, name: str | None) -> Any:
    x = dispatch.convert(x)
    rank = known_rank(x, "fftshift")
    at = tuple(range(rank)) if axes is None else static_ints(axes, "axes")
    static_sizes = [x.shape[a] for a in at]
    sizes: list[Any] = [
        shape(x)[a] if n is None else n for a, n in zip(at, static_sizes, strict=True)
    ]
    steps = [-(n // 2) if inverse else n // 2 for n in sizes]
    return roll(x, steps, list(at), name=name) if at else x


def fftshift(x: TensorLike, axes: AxisLike | None = None, name: str | None = None) -> Any:
    """Move frequency 0 to the middle of axes.

    Args:
        x: tensor of any dtype, of known rank.
        axes: axes to shift; by default all.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        ValueError: the rank is not known.
    """
    return _shifted(x, axes, False, name)


def ifftshift(x: TensorLike, axes: AxisLike | None = None, name: str | None = None) -> Any:
    """Undo ``fftshift``.

    Args:
        x: tensor of any dtype, of known rank.
        axes: axes to shift; by default all.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        ValueError: the rank is not known.
    """
    return _shifted(x, axes, True, name)
