"""Op that gives a value, or calls the kernel of another op where the value does not hold.

Native code has it where it computes an op by others (``Composes`` in rules/lowering.py) and the op
raises for some inputs.
"""

from __future__ import annotations

from typing import Any

from runtime.ops.op import Missing, OpDef, define
from runtime.ops.rules.inference import same
from runtime.ops.rules.lowering import Control
from runtime.types.shapes import TensorSpec

__all__: list[str] = []


def _guarded(holds: Any, value: Any, *inputs: Any, op: OpDef, attrs: dict[str, Any]) -> Any:
    return value if holds else op.kernel(*inputs, **attrs)


def _infer(holds: TensorSpec, value: TensorSpec, *_: TensorSpec, **attrs: Any) -> TensorSpec:
    return same(value)


guarded_op = define(
    "guarded",
    inputs="holds value *inputs",
    same_dtype_inputs=None,
    kernel=_guarded,
    infer=_infer,
    grad=None,
    never_raises=False,
    lower=Control("guarded"),
    samples=Missing("native code alone records it, with another op"),
    doc="Return ``value`` where the scalar ``holds`` is true, else what another op's kernel gives.",
)
