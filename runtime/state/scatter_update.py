"""Updates of parts of a variable: rows, single entries and slices.

Base of ``Variable``.  An update is one operation, which reads the value, applies an op to it and
writes the result: an effect in program order, in all modes.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable
from typing import Any

from runtime.eager.tensor import Reference, Tensor
from runtime.graph.default_graph import control_dependencies
from runtime.graph.operation import SymbolicTensor
from runtime.ops import dispatch
from runtime.ops.array import gather_scatter
from runtime.ops.array.constants import convert_to_tensor
from runtime.ops.array.indexing import setitem_op, split_key
from runtime.ops.op import OpDef
from runtime.ops.resource.variable import count_up_to_op
from runtime.ops.resource.variable_scatter import (
    assign_changed_op,
    batch_scatter_op,
    scatter_rows_op,
)
from runtime.ops.rules.static_arguments import whole_numbers
from runtime.state.indexed_slices import IndexedSlices
from runtime.types.aliases import TensorLike

__all__ = [
    "VariableAggregation", "VariableSynchronization", "batch_scatter_update", "scatter_add",
    "scatter_div", "scatter_max", "scatter_min", "scatter_mul", "scatter_nd_add", "scatter_nd_sub",
    "scatter_nd_update", "scatter_sub", "scatter_update",
]  # fmt: skip


class VariableSynchronization(enum.Enum):
    """Synchronization of the copies of a distributed variable."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(enum.Enum):
    """Aggregation of what replicas assign to a variable."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3


class Updates:
    """Methods of a variable that change or read a part of it."""

    dtype: Any
    _storage: Any

    def read_value(self) -> Tensor:
        """Read the value."""
        raise NotImplementedError

    def assign(
        self, value: TensorLike, use_locking: bool = False, name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Replace the value."""
        raise NotImplementedError

    def experimental_ref(self) -> Any:
        """Return ``ref()``: TensorFlow's older name."""
        return self.ref()

    def ref(self) -> Reference:
        """Return a hashable reference: ``d[variable.ref()]``."""
        return Reference(self)

    def count_up_to(self, limit: int) -> Any:
        """Add 1 unless the value is ``limit``; return the value before.

        OutOfRangeError when the limit is reached; TypeError unless it is an integer scalar.
        """
        return count_up_to_op(storage=self._storage, limit=int(limit))

    # -- rows, by their numbers along the first axis --------------------------------------------

    def _scatter(self, how: str, sparse_delta: Any, name: str | None) -> Any:
        values, indices = _rows(sparse_delta, f"scatter_{how}")
        updates = convert_to_tensor(values, self.dtype)
        return self._changed(scatter_rows_op, (updates, indices), {"how": how}, name)

    def _changed(
        self, op_def: OpDef, inputs: tuple[Any, ...], options: dict[str, Any],
        name: str | None = None
    ) -> Any:
        """Assign the result of an op on the value, atomically."""
        if dispatch.THREAD.replica_update is not None:
            dispatch.THREAD.replica_update(self, op_def.name, None)
        result = assign_changed_op(
            *inputs, storage=self._storage, change=op_def.name, options=options, name=name
        )
        return value_or_operation(result, True, self)

    def scatter_add(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Add the rows ``sparse_delta`` (an IndexedSlices); return what ``assign`` returns.

        TypeError for anything but IndexedSlices, InvalidArgumentError for an index out of range.
        """
        return self._scatter("add", sparse_delta, name)

    def scatter_sub(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Subtract rows from rows; see ``scatter_add``."""
        return self._scatter("sub", sparse_delta, name)

    def scatter_mul(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Multiply rows by rows; see ``scatter_add``."""
        return self._scatter("mul", sparse_delta, name)

    def scatter_div(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Divide rows by rows; see ``scatter_add``."""
        return self._scatter("div", sparse_delta, name)

    def scatter_max(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replace rows by the element-wise maximum of old and new; see ``scatter_add``."""
        return self._scatter("max", sparse_delta, name)

    def scatter_min(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replace rows by the element-wise minimum of old and new; see ``scatter_add``."""
        return self._scatter("min", sparse_delta, name)

    def scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replace rows, by the last one of equal indices; see ``scatter_add``."""
        return self._scatter("update", sparse_delta, name)

    def batch_scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replace entries along the last axis of the indices, in each batch of the axes before."""
        values, indices = _rows(sparse_delta, "batch_scatter_update")
        updates = convert_to_tensor(values, self.dtype)
        return self._changed(batch_scatter_op, (updates, indices), {}, name)

    # -- places, by all their numbers -----------------------------------------------------------

    def _scatter_nd(self, op: OpDef, indices: Any, updates: Any, name: str | None) -> Any:
        entries = convert_to_tensor(updates, self.dtype)
        return self._changed(op, (entries, whole_numbers(indices, "indices")), {}, name)

    def scatter_nd_update(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Any:
        """Replace entries or slices: ``indices`` has shape (..., depth), its last axis an index.

        ``updates`` has the shape of the batch of ``indices`` followed by that of a slice.  Returns
        what ``assign`` returns; InvalidArgumentError for an index out of range.
        """
        return self._scatter_nd(gather_scatter.update_op, indices, updates, name)

    def scatter_nd_add(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Any:
        """Add to entries or slices; see ``scatter_nd_update``."""
        return self._scatter_nd(gather_scatter.add_op, indices, updates, name)

    def scatter_nd_sub(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Any:
        """Subtract from entries or slices; see ``scatter_nd_update``."""
        return self._scatter_nd(gather_scatter.sub_op, indices, updates, name)

    def scatter_nd_max(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Any:
        """Replace entries or slices by the maximum; see ``scatter_nd_update``."""
        return self._scatter_nd(gather_scatter.max_op, indices, updates, name)

    def scatter_nd_min(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Any:
        """Replace entries or slices by the minimum; see ``scatter_nd_update``."""
        return self._scatter_nd(gather_scatter.min_op, indices, updates, name)

    # -- reading parts --------------------------------------------------------------------------

    def sparse_read(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Gather rows: the slices of these indices along the first axis."""
        return gather_scatter.gather(self.read_value(), indices, name=name)

    def gather_nd(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Gather entries or slices; ``indices`` has shape (..., depth)."""
        return gather_scatter.gather_nd(self.read_value(), indices, name=name)

    def __getitem__(self, key: Any) -> Tensor:
        """Read a part; ``v[key].assign(value)`` changes that part of the variable."""
        elements = self.read_value()[key]
        elements._source = (self, key)
        return elements

    def assign_part(self, key: Any, value: TensorLike, name: str | None = None) -> Any:
        """Assign a part, as ``v[key].assign(value)``; return the variable or its new value."""
        template, tensors = split_key(key)
        inputs = (convert_to_tensor(value, self.dtype), *tensors)
        return self._changed(setitem_op, inputs, {"key": template}, name)


_WHOLE = object()
"""Key of the whole variable, which an assignment returned."""


def _method_of(name: str) -> property:
    """Make the method ``name`` of ``variable[key]`` and of ``variable.assign(value)``."""

    def found(tensor: Tensor) -> Any:
        variable, key = getattr(tensor, "_source", (None, None))
        if variable is not None and key is _WHOLE:
            return functools.partial(_after, tensor, getattr(variable, name))
        if variable is not None and name == "assign":
            return functools.partial(variable.assign_part, key)
        raise AttributeError(
            f"a tensor has no attribute {name!r}: it cannot change. Assign to a Variable, or to a "
            "part of one: variable[key].assign(value)"
        )

    return property(found)


def _after(tensor: Tensor, method: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a method of a variable after the assignment that returned ``tensor``."""
    with control_dependencies([tensor]):
        return method(*args, **kwargs)


def _install_methods() -> None:
    Tensor.assign = _method_of("assign")  # type: ignore[attr-defined]
    changes = [name for name in vars(Updates) if "scatter" in name and not name.startswith("_")]
    for name in ("assign_add", "assign_sub", *changes):
        setattr(SymbolicTensor, name, _method_of(name))


_install_methods()


def _rows(sparse_delta: Any, what: str) -> tuple[Any, Any]:
    if not isinstance(sparse_delta, IndexedSlices):
        raise TypeError(
            f"Argument `sparse_delta` of {what} must be a `tf.IndexedSlices`. Received: "
            f"{sparse_delta!r}. Use IndexedSlices(values, indices)."
        )
    return sparse_delta.values, whole_numbers(sparse_delta.indices, "indices")


def value_or_operation(result: Any, read_value: bool, variable: Any) -> Any:
    """Return the result of an assignment: new value or variable; else operation or None."""
    if isinstance(result, SymbolicTensor):
        result._source = (variable, _WHOLE)
        return result if read_value else result.op
    return variable if read_value else None


# -- TensorFlow 1's functions ---------------------------------------------------------------------


SCATTER = """Call ``ref.{}({})``, with TensorFlow 1's name and arguments.

Args:
    ref: variable.
    indices: tensor of an integer dtype, the indices of {}.
    updates: tensor of the dtype of ``ref``.
    use_locking: ignored; assignments are atomic.
Returns:
    What the method returns.
Raises:
    InvalidArgumentError: an index is out of bounds, or the shapes do not fit.
    ValueError: ``updates`` is a tensor of another dtype.
"""


def _of_rows(how: str) -> Callable[..., Any]:
    def scatter(ref: Any, indices: Any, updates: Any, use_locking: bool = False,
                name: str | None = None) -> Any:  # fmt: skip
        return getattr(ref, how)(IndexedSlices(updates, indices), name=name)

    scatter.__name__ = scatter.__qualname__ = how
    scatter.__doc__ = SCATTER.format(how, "IndexedSlices(updates, indices)", "rows of ``ref``")
    return scatter


def _of_places(how: str) -> Callable[..., Any]:
    def scatter(ref: Any, indices: Any, updates: Any, use_locking: bool = False,
                name: str | None = None) -> Any:  # fmt: skip
        return getattr(ref, how)(indices, updates, name=name)

    scatter.__name__ = scatter.__qualname__ = how
    scatter.__doc__ = SCATTER.format(how, "indices, updates", "elements or slices of ``ref``")
    return scatter


scatter_add, scatter_sub = _of_rows("scatter_add"), _of_rows("scatter_sub")
scatter_mul, scatter_div = _of_rows("scatter_mul"), _of_rows("scatter_div")
scatter_min, scatter_max = _of_rows("scatter_min"), _of_rows("scatter_max")
scatter_update = _of_rows("scatter_update")
batch_scatter_update = _of_rows("batch_scatter_update")
scatter_nd_update = _of_places("scatter_nd_update")
scatter_nd_add, scatter_nd_sub = _of_places("scatter_nd_add"), _of_places("scatter_nd_sub")
