"""Reshaping in exports: what NumPy does by a view is a copy with other sizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.text import FunctionText
from runtime.ops.array.constants import constant_op
from runtime.ops.op import RESHAPES


def new_sizes(site: ir.Site) -> Sequence[int] | None:
    """Return the sizes that a site gives the array that it takes first, -1 for what is left of the
    elements; None if it does something else, or only the run knows several sizes.
    """
    if site.step is None or site.takes[:1] != (ir.OBJECT,) or site.gives != (ir.OBJECT,):
        return None
    node = site.step.operation
    if RESHAPES not in node.op_def.traits or node.inputs[0].dtype != node.outputs[0].dtype:
        return None
    dims = node.outputs[0].spec.shape.dims
    if np.dtype(node.outputs[0].dtype.as_numpy_dtype) not in ir.ELEMENTS or dims is None:
        return None
    sizes = [-1 if size is None else size for size in dims]
    if sizes.count(-1) > 1 or (-1 in sizes and not _leaves_one(node)):
        return None
    return sizes


def _leaves_one(node: object) -> bool:
    """Return whether the shape of an operation is a constant, so that -1 says what is left."""
    inputs = node.inputs[1:]  # type: ignore[attr-defined]
    return all(tensor.op.op_def is constant_op for tensor in inputs)


def add_reshapes(text: FunctionText, sites: Iterable[ir.Site]) -> None:
    """Add the lines of the function of sites that reshape; the others go on."""
    reshaping = [(site, sizes) for site in sites if (sizes := new_sizes(site)) is not None]
    if not reshaping:
        return
    labels = [text.label("reshape") for _ in reshaping]
    others = text.label("others")
    cases = " ".join(
        f"i64 {site.index}, label %{label}"
        for (site, _), label in zip(reshaping, labels, strict=True)
    )
    text.line(f"switch i64 %index, label %{others} [{cases}]")
    for (_, sizes), label in zip(reshaping, labels, strict=True):
        text.start(label)
        table = text.slot(f"[{max(len(sizes), 1)} x i64]")
        for axis, size in enumerate(sizes):
            text.line(f"store i64 {size}, ptr {text.gep(table, 8 * axis)}")
        args = "ptr %ctx", "ptr %p0", f"ptr {table}", f"i32 {len(sizes)}"
        array = text.call("ptr", "rt_reshaped", *args)
        text.branch(text.value(f"icmp eq ptr {array}, null"), others, f"{label}.done")
        text.start(f"{label}.done")
        given = text.value(f"insertvalue {{ptr, i1}} undef, ptr {array}, 0")
        text.line(f"ret {{ptr, i1}} {text.value(f'insertvalue {{ptr, i1}} {given}, i1 true, 1')}")
    text.start(others)
