"""Errors of operations that fail: TensorFlow's classes, with the user's source location.

Used by the engines after a kernel raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.engine.python_scalar_kernels import is_pythons
from runtime.graph.operation import Operation
from runtime.ops import inputs as op_inputs
from runtime.ops.array.constants import placeholder_op
from runtime.ops.control_flow.cond_while import cond_op, truth, while_op
from runtime.ops.op import RAISES
from runtime.types.conversion import ambiguous_truth
from runtime.types.dtypes import NARROW, float16
from runtime.types.errors import InternalError, InvalidArgumentError, OpError

_WHERE = "in operation "


def located(error: Exception, node: Operation, arrays: Sequence[Any]) -> Exception:
    """Return the error to raise for an operation that failed on ``arrays``.

    Its message names the operation, the user's lines that made it and the types of its inputs.
    Exceptions that the user's program raises keep their message and get a note.  Errors of inner
    graphs have their location already.
    """
    notes = getattr(error, "__notes__", ())
    if getattr(error, "op", None) is not None or any(n.startswith(_WHERE) for n in notes):
        return error
    if type(error) is ValueError and node.op_def in _CONDITIONS:
        error = _ambiguous(error, node, arrays)
    user = node.origin or node  # the recorded operation, which a pass may have replaced
    arrays = _as_recorded(node, user, arrays)
    where = _where(node, user, arrays)
    mine = isinstance(error, OpError | ValueError | TypeError | IndexError | ArithmeticError)
    if _is_programs(node, error) or is_pythons(node) or not mine:
        error.add_note(where)
        if isinstance(error, OpError):
            error.op = user
        return error
    failure = op_inputs.kernel_error(node.op_def, error, arrays, node.attrs, types=False)
    if node.op_def is placeholder_op:
        failure = InvalidArgumentError(
            f"You must feed a value for placeholder tensor {user.name!r} with dtype "
            f"{node.attrs['dtype'].name} and shape {node.attrs['shape']}: pass "
            f"feed_dict={{{user.name}: ...}}"
        )
    failure.op = user
    failure.message = f"{failure.message}\n  {where}"
    return failure


def call_located(step: Any, *arrays: Any) -> Any:
    """Return what the kernel of a step gives; its errors name the operation and the user's lines.
    """
    try:
        return step.kernel(*arrays, **step.attrs)
    except Exception as error:
        raise located(error, step.operation, arrays) from error.__cause__


_CONDITIONS = (cond_op, while_op, truth)


def _ambiguous(error: ValueError, node: Operation, arrays: Sequence[Any]) -> ValueError:
    """The error in a tensor's terms when a condition has more or fewer elements than one.

    NumPy's own speaks of arrays.  Errors of a sub-graph never come here: they have notes.
    """
    if node.op_def is while_op:  # its condition is computed inside
        return ambiguous_truth(None) if "is ambiguous" in str(error) else error
    condition = np.asarray(arrays[0])
    return error if condition.size == 1 else ambiguous_truth(condition.shape)


def _as_recorded(node: Operation, user: Operation, arrays: Sequence[Any]) -> Sequence[Any]:
    """The arrays as the recorded operation has them, if a pass has widened its dtype."""
    if node is user or node.op_def is not user.op_def or len(arrays) != len(user.inputs):
        return arrays
    narrow = (float16, *NARROW)
    return [
        x.astype(t.dtype.as_numpy_dtype) if t.dtype in narrow and isinstance(x, np.ndarray) else x
        for x, t in zip(arrays, user.inputs, strict=True)
    ]


def _is_programs(node: Operation, error: Exception) -> bool:
    """Return whether the user's program raises just this exception."""
    if isinstance(error, OpError) and node.attrs.keys().isdisjoint(("fail", "make")):
        return False
    return RAISES in node.op_def.traits


def _where(node: Operation, user: Operation, arrays: Sequence[Any]) -> str:
    created, *callers = user.location.chain() or [user.location.described()]
    lines = [f"{_WHERE}{user.name!r} ({node.op_def.name}), made at {created}"]
    lines += [f"called at {caller}" for caller in callers]
    if arrays:
        named = zip(_names(node), arrays, strict=True)
        lines.append("inputs: " + ", ".join(f"{n} {op_inputs.describe(a)}" for n, a in named))
    return "\n  ".join(lines)


def _names(node: Operation) -> list[str]:
    """Return the names of the inputs: ``a``, ``b``; ``inputs[0]`` for variadic ones."""
    names = [name for name in node.op_def.inputs if not name.startswith("*")]
    variadic = next((name[1:] for name in node.op_def.inputs if name.startswith("*")), "inputs")
    return names + [f"{variadic}[{n}]" for n in range(len(node.inputs) - len(names))]


def checked(result: Any, node: Operation) -> Any:
    """Return a kernel's result; InternalError when it differs from the inferred types."""
    results = result if type(result) is tuple else (result,)
    for value, tensor in zip(results, node.outputs, strict=True):
        if not isinstance(value, np.ndarray | np.generic):
            continue
        if value.dtype != tensor.dtype._dtype or not tensor.shape.is_compatible_with(value.shape):
            raise InternalError(
                f"the kernel of {node.op_def.name!r} gave {value.dtype}{list(value.shape)}, but "
                f"{tensor.dtype.name}{tensor.shape} was inferred"
            )
    return result
