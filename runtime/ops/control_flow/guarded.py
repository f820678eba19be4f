"""Op that gives a value, or calls the kernel of another op where the value does not hold.

Native code has it where it computes an op by others (``Composes`` in rules/lowering.py) and the op
raises for some inputs.
"""

from __future__ import annotations

from typing import Any

from runtime.ops.op import OpDef, define
from runtime.ops.rules.inference import same
from runtime.ops.rules.lowering import Control
from runtime.ops.rules.samples import OpSample, array
from runtime.types.shapes import TensorSpec

__all__: list[str] = []


def _guarded(holds: Any, value: Any, *inputs: Any, op: OpDef, attrs: dict[str, Any]) -> Any:
    return value if holds else op.kernel(*inputs, **attrs)


def _infer(holds: TensorSpec, value: TensorSpec, *_: TensorSpec, **attrs: Any) -> TensorSpec:
    return same(value)


def _cases() -> list[OpSample]:
    from runtime.ops.math.elementwise import square

    inputs = (array([1.0, 4.0]), array([1.0, 2.0]))
    attrs = {"op": square, "attrs": {}}
    return [OpSample((array(holds), *inputs), attrs) for holds in (True, False)]


guarded_op = define(
    "guarded",
    inputs="holds value *inputs",
    same_dtype_inputs=None,
    kernel=_guarded,
    infer=_infer,
    grad=None,
    never_raises=False,
    lower=Control("guarded"),
    samples=_cases,
    doc="Return ``value`` where the scalar ``holds`` is true, else what another op's kernel gives.",
)
