"""Machine code of single operations, for eager execution (eager/costly_kernels.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.engine.executable import plan_of
from runtime.engine.llvm.engine import Promotion
from runtime.graph.func_graph import FuncGraph
from runtime.ops import dispatch
from runtime.ops.op import OpDef
from runtime.types.shapes import TensorSpec

_PROMOTION = Promotion()


def native_kernel(
    op: OpDef, attrs: dict[str, Any], dtype: Any, rank: int
) -> Callable[[Any], Any] | None:
    """Compile an op of one array of a dtype and a rank; return None if that does not pay.

    What is returned takes an array that lies without gaps, and gives a new one.
    """
    with dispatch.only_listeners(()):
        graph = FuncGraph(op.name)
        with graph.as_default():
            x = graph.add_input(TensorSpec([None] * rank, dtype))
            graph.set_outputs([op(x, **attrs)])
        native = _PROMOTION.plan(
            plan_of(graph), plan_of, lambda arrays: [op.kernel(*arrays, **attrs)]
        )
    if isinstance(native, str) or native.takes is not None:
        return None
    function, (convert,) = native.function, native.gives
    return function if convert is None else lambda x: convert(function(x))
