"""Op definitions of summaries: values are written when the graph runs, in program order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.graph.default_graph import get_current_name_scope
from runtime.ops import dispatch
from runtime.ops.op import RAISES, STATEFUL, Missing, define
from runtime.ops.rules.inference import nothing
from runtime.summaries import defaults
from runtime.summaries.messages import summary_field
from runtime.types.dtypes import bool_, string
from runtime.types.errors import InvalidArgumentError
from runtime.types.shapes import SCALAR_SHAPE, TensorSpec

__all__: list[str] = []

_NO_SAMPLES = Missing("it writes to files")
_FALSE, _TRUE = np.bool_(False), np.bool_(True)


def _write(
    data: Any, *inputs: Any, values: Callable[[str, Any], list[bytes]], writer: Any, tag: str,
    scoped: bool, has_step: bool, has_condition: bool,
) -> Any:  # fmt: skip
    """Write ``values(tag, data)``; return whether they were written."""
    tensors = list(inputs)
    step = tensors.pop(0) if has_step else None
    condition = tensors.pop(0) if has_condition else None
    with dispatch.executing():
        target = writer or defaults.running("writer")
        if target is None or target.file is None:
            return _FALSE
        if not _holds(condition if has_condition else defaults.running("recording")):
            return _FALSE
        number = _whole(defaults.running("step") if step is None else step)
        scope = get_current_name_scope() if scoped else ""
    name = f"{scope}/{tag}" if scope else tag
    for value in values(name, data):
        target.file.add(number, summary_field(value))
    return _TRUE


def _holds(condition: Any) -> bool:
    holds = condition() if callable(condition) else condition
    return bool(np.all(np.asarray(getattr(holds, "numpy", lambda: holds)())))


def _whole(step: Any) -> int:
    if step is None:
        raise ValueError(
            "No step set. Please specify one either through the `step` argument or through "
            "summary.experimental.set_step()"
        )
    value = np.asarray(step.numpy() if hasattr(step, "numpy") else step)
    if value.shape or value.dtype.kind not in "iub":
        raise InvalidArgumentError(f"the step of a summary must be an int, got {step!r}")
    return int(value)


write_op = define(
    "write_summary",
    inputs="data *given",
    same_dtype_inputs=None,
    kernel=_write,
    infer=lambda data, *given, **attrs: TensorSpec(SCALAR_SHAPE, bool_),
    grad=None,
    node_name="WriteSummary",
    traits=(STATEFUL, RAISES),
    samples=_NO_SAMPLES,
    doc="""Write ``values(tag, data)`` to the event file of ``writer``, or of the default writer.

Args:
    data: an array.
    given: the step, if ``has_step``, and the condition, if ``has_condition``.
Returns:
    Whether it was written.
""",
)


def _flush(*, writer: Any, closes: bool) -> tuple[()]:
    target = writer or defaults.running("writer")
    if target is not None and target.file is not None:
        target.file.close() if closes else target.file.flush()
    return ()


flush_op = define(
    "flush_summaries",
    inputs="",
    same_dtype_inputs=None,
    kernel=_flush,
    infer=nothing,
    grad=None,
    node_name="FlushSummaryWriter",
    traits=(STATEFUL, RAISES),
    samples=_NO_SAMPLES,
    doc="Write what waits in ``writer``, or in the default writer; close it if ``closes``.",
)


def _serialize(data: Any, *, values: Callable[[str, Any], list[bytes]], tag: str) -> Any:
    return b"".join(values(tag, data))


serialize_op = define(
    "serialize_summary",
    inputs="data",
    same_dtype_inputs=None,
    kernel=_serialize,
    infer=lambda data, **attrs: TensorSpec(SCALAR_SHAPE, string),
    grad=None,
    node_name="Summary",
    samples=_NO_SAMPLES,
    doc="Encode ``values(tag, data)`` as a Summary message, for a ``FileWriter``.",
)


def _merge(*summaries: Any) -> Any:
    arrays = [np.asarray(summary, object) for summary in summaries]
    return b"".join(item for array in arrays for item in array.reshape(-1))


merge_op = define(
    "merge_summaries",
    inputs="*summaries",
    dtype_kinds="O",
    same_dtype_inputs=None,
    kernel=_merge,
    infer=lambda *summaries: TensorSpec(SCALAR_SHAPE, string),
    grad=None,
    node_name="MergeSummary",
    samples=_NO_SAMPLES,
    doc="Join Summary messages to one.",
)

