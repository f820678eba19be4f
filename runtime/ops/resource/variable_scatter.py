"""Op definitions that write into rows of a tensor, and into rows or parts of a variable at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.gather_scatter import check_bounds
from runtime.ops.narrow_floats import computes_wide, wide_kernel
from runtime.ops.op import NUMERIC, RAISES, STATEFUL, Missing, define, lookup
from runtime.ops.resource.variable import VariableStorage, to_variable
from runtime.ops.rules import loops
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.lowering import Control, OnArrays
from runtime.ops.rules.samples import OpSample, array, case, spread
from runtime.types.dtypes import Array
from runtime.types.errors import IncompatibleShapesError, MismatchedTypesError
from runtime.types.shapes import TensorShape, TensorSpec

__all__: list[str] = []


def _divide(dividend: Array, divisor: Array) -> Any:
    """A quotient of the same dtype; that of whole numbers is cut towards zero."""
    if dividend.dtype.kind not in "iu":
        return np.divide(dividend, divisor)
    quotient = np.abs(dividend) // np.abs(divisor)
    return (np.sign(dividend) * np.sign(divisor) * quotient).astype(dividend.dtype)


_AT: dict[str, np.ufunc] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "min": np.minimum, "max": np.maximum,
}  # fmt: skip


def _scatter(value: Array, updates: Array, indices: Array, *, how: str) -> Any:
    check_bounds(indices, value.shape[0], f"the first axis of the shape {list(value.shape)}")
    result = value.copy()
    if how == "update":
        result[indices] = updates
    elif how == "div":
        rows = np.broadcast_to(updates, indices.shape + value.shape[1:])
        for index in np.ndindex(indices.shape):  # an index may stand there more than once
            op_def = int(indices[index])
            result[op_def] = _divide(result[op_def], rows[index])
    else:
        _AT[how].at(result, indices, updates)
    return result


def _infer(
    value: TensorSpec, updates: TensorSpec, indices: TensorSpec, *, how: str
) -> TensorSpec:
    v, u, n = value.shape, updates.shape, indices.shape
    if how != "update" and value.dtype.kind not in NUMERIC:
        raise MismatchedTypesError(f"scatter_{how} does not take dtype {value.dtype.name}")
    if v.dims == ():
        raise IncompatibleShapesError("a variable without axes has no rows to be scattered to")
    if v.dims is not None and n.dims is not None:
        update_shape = TensorShape([*n.dims, *v.dims[1:]])
        if u.dims != () and not update_shape.is_compatible_with(u):
            raise IncompatibleShapesError(
                f"Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = "
                f"[], got updates.shape {u}, indices.shape {n}, params.shape {v}"
            )
    return TensorSpec(v, value.dtype)


def _samples() -> list[OpSample]:
    hows = ("add", "sub", "mul", "div", "min", "max", "update")
    rows = array([2, 0, 2])
    return [
        *[case(spread(1, 4, 3, 2), spread(1, 3, 3, 2), rows, how=how) for how in hows],
        *[case(array([7, -8, 9]), array(2), array([[1], [0]]), how=how) for how in hows],
    ]


scatter_rows_op = define(
    "scatter_rows",
    inputs="value updates indices",
    same_dtype_inputs=np.s_[0:2],
    kernel=checked(_scatter, _infer),
    infer=_infer,
    grad=Missing("it makes what a variable is assigned, whose past is not followed"),
    node_name="ResourceScatter", lower=OnArrays(plan=loops.rows_changed),
    samples=_samples,
    doc="Combine rows of a value with updates, one after the other where an index recurs.",
)


def _batch_update(value: Array, updates: Array, indices: Array) -> Any:
    axis = indices.ndim - 1
    size = value.shape[axis]
    check_bounds(indices, size, f"axis {axis} of the shape {list(value.shape)}")
    result = value.copy()
    batch = np.indices(indices.shape)[:-1]
    result[(*batch, indices)] = updates
    return result


def _batch_infer(value: TensorSpec, updates: TensorSpec, indices: TensorSpec) -> TensorSpec:
    v, n = value.shape.dims, indices.shape.dims
    if v is not None and n is not None:
        if not n or len(n) > len(v) or not TensorShape(v[: len(n) - 1]).is_compatible_with(n[:-1]):
            raise IncompatibleShapesError(
                f"batch_scatter_update: the indices' shape {indices.shape} must start as the "
                f"variable's shape {value.shape} does, all but the last dimension"
            )
        update_shape = TensorShape([*n, *v[len(n) :]])
        if not update_shape.is_compatible_with(updates.shape):
            raise IncompatibleShapesError(
                f"batch_scatter_update: updates must have shape {update_shape}, got {updates.shape}"
            )
    return TensorSpec(value.shape, value.dtype)


batch_scatter_op = define(
    "batch_scatter_rows",
    inputs="value updates indices",
    same_dtype_inputs=np.s_[0:2],
    kernel=checked(_batch_update, _batch_infer),
    infer=_batch_infer,
    grad=Missing("it makes what a variable is assigned, whose past is not followed"),
    node_name="BatchScatterUpdate",
    samples=lambda: [
        case(spread(0, 1, 2, 4), spread(5, 6, 2, 2), array([[0, 3], [2, 1]])),
        case(spread(0, 1, 2, 4, 2), spread(5, 6, 2, 1, 2), array([[3], [0]])),
        case(spread(0, 1, 4), spread(5, 6, 2), array([1, 3])),
    ],
    doc="Replace entries along the last axis of the indices, in each batch.",
)


# -- at once --------------------------------------------------------------------------------------


def _assign_changed(
    *inputs: Array, storage: VariableStorage, change: str, options: dict[str, Any]
) -> Any:
    op_def = lookup(change)
    with storage.lock:
        value_before = storage.read()
        kernel = (
            wide_kernel(op_def) if computes_wide(op_def, [value_before.dtype]) else op_def.kernel
        )
        value = np.asarray(kernel(value_before, *inputs, **options))
        storage.write(value)
    return value


def _assign_changed_infer(
    *inputs: TensorSpec, storage: VariableStorage, change: str, options: dict[str, Any]
) -> TensorSpec:
    op_def = lookup(change)
    if op_def.dtype_kinds and storage.dtype.kind not in op_def.dtype_kinds:
        raise MismatchedTypesError(
            f"the variable {storage.name!r} has dtype {storage.dtype.name}, which {change} does "
            "not take"
        )
    spec = op_def.infer(TensorSpec(storage.shape, storage.dtype), *inputs, **options)
    return TensorSpec(spec.shape, spec.dtype)


assign_changed_op = define(
    "assign_changed",
    inputs="*inputs",
    same_dtype_inputs=None,
    kernel=checked(_assign_changed, _assign_changed_infer),
    infer=_assign_changed_infer,
    grad=to_variable,
    node_name="ResourceScatter",
    traits=(STATEFUL, RAISES),
    lower=Control("assign_changed"),
    doc="Apply the op ``change`` to the variable in ``storage`` and assign the result, at once.",
)
