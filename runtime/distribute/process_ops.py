"""Op definitions of what the processes of a job do together: sums, gathers, broadcasts.

The kernels call the group of this process; in a process that is alone they return their inputs.
processes.py records these ops.  They keep their place in program order, since all processes have
to come to them in the same order.
"""

from __future__ import annotations

from typing import Any

from runtime.distribute.process_world import WORLD
from runtime.ops.op import NUMERIC, RAISES, STATEFUL, Missing, define
from runtime.ops.rules.inference import same
from runtime.ops.rules.lowering import ByKernel
from runtime.ops.rules.samples import case, spread
from runtime.types.dtypes import Array
from runtime.types.errors import OpError
from runtime.types.shapes import TensorShape, TensorSpec

__all__: list[str] = []

WAITS = ByKernel("it waits for other processes")


def _sums(*values: Array, mean: bool) -> tuple[Array, ...]:
    group = WORLD.others
    return values if group is None else tuple(group.sums(values, mean))


def _sums_grad(*values: Any, mean: bool) -> tuple[Any, ...]:
    count = len(values) // 3  # inputs, outputs, gradients
    return tuple(process_sums_op(*values[2 * count :], mean=mean))


process_sums_op: Any = define(
    "process_sums",
    inputs="*values",
    same_dtype_inputs=None,
    kernel=_sums,
    infer=lambda *values, mean: tuple(same(value) for value in values),
    dtype_kinds=NUMERIC,
    grad=_sums_grad,
    node_name="ProcessAllReduce",
    traits=(STATEFUL, RAISES),
    raises=(OpError,),
    lower=WAITS,
    samples=lambda: [case(spread(-3, 3, 2, 3), mean=mean) for mean in (False, True)],
    doc="Sums of values over the processes of the job, or their ``mean``; each process gets them.",
)


def _gathered(value: Array, *, axis: int) -> Array:
    group = WORLD.others
    return value if group is None else group.gathered(value, axis)


def _first(value: Array) -> Array:
    group = WORLD.others
    return value if group is None else group.first(value)


def _gathered_infer(value: TensorSpec, *, axis: int) -> TensorSpec:
    dims = value.shape.dims
    if dims is None:
        return TensorSpec(None, value.dtype)
    sizes = list(dims)
    sizes[axis] = None
    return TensorSpec(TensorShape(sizes), value.dtype)


process_gather_op: Any = define(
    "process_gather",
    kernel=_gathered,
    infer=_gathered_infer,
    dtype_kinds=f"{NUMERIC}b",
    grad=Missing("each process' share of the gradient is not cut out yet"),
    node_name="ProcessGather",
    traits=(STATEFUL, RAISES),
    raises=(OpError,),
    lower=WAITS,
    samples=lambda: [case(spread(-3, 3, 2, 3), axis=1)],
    doc="Values of all processes of the job along an axis, in their order; sizes may differ there.",
)

process_first_op: Any = define(
    "process_first",
    kernel=_first,
    infer=same,
    dtype_kinds=f"{NUMERIC}b",
    grad=Missing("the other processes' values have no part in it"),
    node_name="ProcessBroadcast",
    traits=(STATEFUL, RAISES),
    raises=(OpError,),
    lower=WAITS,
    samples=lambda: [case(spread(-3, 3, 2, 3))],
    doc="Value of the first process of the job; each process gets it.",
)
