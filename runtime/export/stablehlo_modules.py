"""``export.stablehlo``: a function as one module for CPUs, CUDA and TPUs, by ``jax.export``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from runtime.engine.executable import plan_of
from runtime.engine.xla.jax_library import missing
from runtime.export.traced import check_exportable, trace_of
from runtime.types.atomic_files import file_errors, replacing
from runtime.types.dtypes import string, variant
from runtime.types.errors import UnimplementedError

PLATFORMS = ("cpu", "cuda", "tpu")
"""What a module is lowered for."""


def stablehlo(
    fn: Any, path: str | os.PathLike[str], *args: Any, platforms: Sequence[str] = PLATFORMS,
    **kwargs: Any,
) -> bool:  # fmt: skip
    """Write a function as StableHLO: it needs the extra ``xla``.

    A file ``*.mlir`` holds the module as text; any other what ``jax.export.deserialize`` reads.
    Variables that are read become constants.  Where a run may fail as the function raises, or
    a list outgrow its room of 256 entries, the module has one more result, the last one: an int32
    that is 0 if the others count.  See docs/onnx.md.

    Args:
        fn: function of ``runtime.function`` or plain Python, a concrete function, or a model of
            Keras (its call with ``training=False``).
        path: the file.
        args: arguments, or TensorSpecs of known sizes in place of tensors.
        platforms: ``"cpu"``, ``"cuda"``, ``"rocm"`` or ``"tpu"``.
        kwargs: further arguments.

    Returns:
        Whether the last result is the status of a run.

    Raises:
        UnimplementedError: XLA cannot do what the function does; the message has the line.
        ValueError: the arguments' types are not known, or there is no such platform.
        OpError: the one that fits the error of the file system.
        ModuleNotFoundError: JAX is not installed.
    """
    why_not = missing()
    if why_not:
        raise ModuleNotFoundError(f"export.stablehlo: {why_not}")
    from runtime.engine.xla.interpreter import XLARefusal
    from runtime.engine.xla.portable_module import portable_module

    trace, _ = trace_of(fn, args, kwargs)
    title = f"{trace.name}()"
    check_exportable(trace, title, "StableHLO")
    shapes = []
    for tensor in trace.inputs:
        dims = tensor.shape.dims
        if dims is None or None in dims or tensor.dtype in (string, variant):
            raise UnimplementedError(
                f"{title} cannot be written as StableHLO: its argument {tensor.op.name!r}, "
                f"{tensor.dtype.name}{tensor.shape}, is no array of numbers of known sizes. Give "
                "TensorSpecs with all sizes"
            )
        shapes.append((dims, tensor.dtype.as_numpy_dtype))
    try:
        module, has_status = portable_module(plan_of(trace.graph), plan_of, shapes, platforms)
    except XLARefusal as refusal:
        raise UnimplementedError(f"{title} cannot be written as StableHLO: {refusal}") from None
    name = os.fsdecode(path)
    is_text = name.endswith(".mlir")
    data = str(module.mlir_module()).encode() if is_text else bytes(module.serialize())
    with file_errors(name), replacing(name) as file:
        file.write(data)
    return has_status
