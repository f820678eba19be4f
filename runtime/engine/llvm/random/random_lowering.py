"""Lowering of random numbers: draws of numbers, and of arrays of known sizes, by parameters that
are numbers.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.engine.error_location import call_located
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.joining import layout_of
from runtime.engine.llvm.random.draw import Draw, Skip, is_drawing_known
from runtime.engine.llvm.variables.access import is_storage_known
from runtime.engine.llvm.variables.variable_lowering import place_of

if TYPE_CHECKING:
    from runtime.engine.llvm.lowering import Lowering

SEEDS = (ir.INT32, ir.INT64)
"""Types of the words of seeds."""
MOST = 1 << 16
"""Largest array that native code draws: other threads do not run meanwhile."""


def draw(
    opcode: str, lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers
) -> ir.Results:
    """Lower a draw: of ``uniform`` or ``normal`` numbers, of ``truncated`` ones, which are normal
    and within two deviations, or of ``whole`` ones, all of a dtype equally likely.
    """
    node = step.operation
    (spec,) = [tensor.spec for tensor in node.outputs]
    layout, (_, *params) = layout_of(spec), args
    words = step.attrs.get("words", 0)
    seed = layout_of(node.inputs[-1].spec) if words else None
    if layout is None or layout.dtype not in ir.NUMBERS or None in layout.dims:
        return None
    if not is_drawing_known():
        return None
    sizes = [int(size or 0) for size in layout.dims]
    numbers = params[:-1] if words else params
    if any(value.type != layout.element for value in numbers) or np.prod(sizes) > MOST:
        return None
    if words and (seed is None or len(seed.dims) != 1 or seed.element not in SEEDS):
        return None
    shape = np.array(sizes, node.inputs[0].dtype.as_numpy_dtype)
    kernel = partial(call_located, step, shape)
    site = ir.Site(step._replace(kernel=kernel, attrs={}), order=())
    (result,) = lowering.results_of(node)
    source = None if words else lowering.object_index(step.attrs["stream"])
    kind = ir.INT64 if seed is None else seed.element
    block.add(Draw(opcode, params, result, site, layout, source, words, kind))
    return [result]


def draw_truncated(
    lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers
) -> ir.Results:
    """Lower a draw of a truncated number; None for arrays, which draw all their numbers anew until
    all of them fit.
    """
    is_number = step.operation.outputs[0].spec.shape.dims == ()
    return draw("truncated", lowering, block, step, args) if is_number else None


def skip_draws(lowering: Lowering, block: ir.Block, step: Any, args: ir.Registers) -> ir.Results:
    """Lower the advance of the counter of a generator."""
    layout, storage = layout_of(step.operation.outputs[0].spec), step.attrs["storage"]
    is_state = layout is not None and (layout.element, layout.dims) == (ir.INT64, (3,))
    if not is_state or args[0].type != ir.INT64 or not is_storage_known():
        return None
    result = lowering.new(ir.OBJECT)
    place = place_of(lowering, storage)
    block.add(Skip(place, args[0], result, ir.Site(step)))
    return [result]
