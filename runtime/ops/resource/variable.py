"""Op definitions of variables, read and assign, and the storage of their values.

The storage of a variable is the attribute ``storage`` of its ops.  An eager variable has its value
in the storage itself; a variable of a graph has one value for each session that runs it.
"""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

import numpy as np

from runtime.ops.op import NUMERIC, RAISES, READS, STATEFUL, define
from runtime.ops.random_seed import RandomState, running_in
from runtime.ops.rules.kernels import checked
from runtime.ops.rules.lowering import Control
from runtime.ops.visible_lock import VisibleLock
from runtime.types.device_spec import CPU_NAME
from runtime.types.dtypes import Array, DType, bool_, variant
from runtime.types.errors import (
    CancelledError,
    DeadlineExceededError,
    FailedPreconditionError,
    IncompatibleShapesError,
    MismatchedTypesError,
    OutOfRangeError,
)
from runtime.types.shapes import TensorShape, TensorSpec

__all__: list[str] = []

Values = dict["VariableStorage", Array]


VALUES: ContextVar[Values | None] = ContextVar("values of the session that runs", default=None)
"""The values of the session that this thread is running, by the storage of a variable."""


def running_values() -> Values | None:
    """The values of the session that this thread is running, to hand on to another thread."""
    return VALUES.get()


_deadline: ContextVar[float | None] = ContextVar("when the run stops waiting", default=None)


def deadline() -> float | None:
    """When operations that wait for another thread give up, on ``time.monotonic``'s clock.

    None: never.
    """
    return _deadline.get()


_given_up: ContextVar[Callable[[], bool]] = ContextVar("no waiting", default=lambda: False)


def check_waiting(name: str) -> None:
    """Raise an error where an operation shall wait no longer for what ``name`` says.

    DeadlineExceededError at the deadline of the run, CancelledError when its session was closed.
    """
    limit = _deadline.get()
    if limit is not None and time.monotonic() > limit:
        raise DeadlineExceededError(f"Timed out waiting for {name}")
    if _given_up.get()():
        raise CancelledError(f"The session that waits for {name} was closed, or its process ended")


@contextlib.contextmanager
def values_of_session(
    values: Values, timeout_in_ms: int = 0, given_up: Callable[[], bool] | None = None
) -> Iterator[None]:
    """Within the block, variables of graphs have these values, and operations wait so long at most.

    0: as long as the block around lets them.  ``given_up`` says whether nobody waits any more.
    """
    before = VALUES.set(values)
    no_more = None if given_up is None else _given_up.set(given_up)
    until = _deadline.set(time.monotonic() + timeout_in_ms / 1000) if timeout_in_ms else None
    world: Any = values.get(_STREAMS)
    if world is None:
        world = values.setdefault(_STREAMS, RandomState())  # type: ignore[arg-type]
    try:
        with running_in(world):
            yield
    finally:
        VALUES.reset(before)
        if no_more is not None:
            _given_up.reset(no_more)
        if until is not None:
            _deadline.reset(until)


class VariableStorage:
    """Where the value of one variable is kept."""

    __slots__ = (
        "array", "dtype", "lock", "name", "number", "per_session", "shape", "trainable", "variable",
    )  # fmt: skip
    _numbers = itertools.count()
    home: Any = None
    """Interpreter of the device where the value is kept; None: the CPU."""

    def __init__(self, name: str, dtype: DType, shape: TensorShape, per_session: bool) -> None:
        self.name = name
        self.dtype = dtype
        self.shape = shape
        self.per_session = per_session
        self.array: Array | None = None
        self.lock = VisibleLock()
        """Held while the value is changed in steps: several threads may add to it."""
        self.number = next(self._numbers)
        """Count storages in the order in which they are made."""
        self.trainable = False
        """Whether gradient tapes watch the variable when it is read."""
        self.variable: Callable[[], Any] = lambda: None
        """Gives the variable, as long as it lives."""

    def _value(self) -> Array | None:
        if not self.per_session:
            return self.array
        values = VALUES.get()
        return None if values is None else values.get(self)

    @property
    def device(self) -> str:
        """Name of the device where the value is kept."""
        return CPU_NAME

    @property
    def differentiable(self) -> bool:
        """Whether the variable can have a gradient."""
        return self.dtype.is_floating or self.dtype.is_complex

    @property
    def is_initialized(self) -> bool:
        """Whether there is a value."""
        return self._value() is not None

    def read(self) -> Array:
        """The value; FailedPreconditionError when there is none yet."""
        value = self._value()
        if value is None:
            raise FailedPreconditionError(
                f"Could not read the variable {self.name!r}: it has no value yet. Run "
                "runtime.global_variables_initializer() (or its own `initializer`) in this session "
                "first."
            )
        return value

    def held(self) -> Any:
        """The value as it is kept: on a device an array of JAX."""
        return self.read()

    def write(self, value: Array) -> None:
        """Replace the value; ValueError when the shape does not fit."""
        if not self.shape.is_compatible_with(value.shape):
            raise shape_mismatch(self.name, self.shape, TensorShape(value.shape))
        if type(value) is np.ndarray and not value.flags.c_contiguous:
            value = value.copy()  # graphs read variables again and again, row by row
        if not self.per_session:
            self.array = value
            return
        values = VALUES.get()
        if values is None:
            raise FailedPreconditionError(
                f"The variable {self.name!r} belongs to a graph: assign to it in a session."
            )
        values[self] = value


_STREAMS = VariableStorage("random streams", variant, TensorShape(()), True)
"""Where a session keeps the streams of its random numbers."""


def shape_mismatch(
    name: str, variable_shape: TensorShape, value_shape: TensorShape
) -> IncompatibleShapesError:
    """The error for a value that a variable of the shape ``variable_shape`` cannot take."""
    return IncompatibleShapesError(
        f"Cannot assign value to variable '{name}': Shape mismatch. The variable shape "
        f"{variable_shape}, "
        f"and the assigned value shape {value_shape} are incompatible. Make the variable with "
        "shape=TensorShape(None) to let its shape change."
    )


def to_variable(*_: Any, **__: Any) -> Any:
    """The gradient of a variable's value goes to the variable: autodiff/backprop.py sees to it."""
    raise NotImplementedError("runtime/autodiff/backprop.py finds the variable by its storage")


def _read_infer(*, storage: VariableStorage) -> TensorSpec:
    return TensorSpec(storage.shape, storage.dtype)


read_op = define(
    "read_variable",
    inputs="",
    kernel=lambda *, storage: storage.read(),
    infer=_read_infer,
    grad=to_variable,
    node_name="ReadVariableOp",
    traits=(STATEFUL, READS, RAISES),
    lower=Control("read_variable"),
    doc="Read the variable in ``storage``.",
)


def _assign(value: Array, *, storage: VariableStorage) -> Array:
    with storage.lock:
        storage.write(np.asarray(value))
    return value


def _assign_infer(value: TensorSpec, *, storage: VariableStorage) -> TensorSpec:
    if not storage.shape.is_compatible_with(value.shape):
        raise shape_mismatch(storage.name, storage.shape, value.shape)
    return TensorSpec(value.shape, value.dtype)


assign_op = define(
    "assign_variable",
    inputs="value",
    kernel=_assign,
    infer=_assign_infer,
    grad=to_variable,
    node_name="AssignVariableOp",
    traits=(STATEFUL, RAISES),
    raises=(),
    lower=Control("assign_variable"),
    doc="Writes the value to the variable kept in ``storage``; gives the value.",
)


def _assign_sum(delta: Array, *, storage: VariableStorage, negative: bool) -> Array:
    with storage.lock:
        before = storage.read()
        if np.shape(before) != np.shape(delta):
            raise _sum_mismatch(TensorShape(np.shape(before)), TensorShape(np.shape(delta)))
        value = np.subtract(before, delta) if negative else np.add(before, delta)
        storage.write(np.asarray(value))
    return value


def _sum_mismatch(variable_shape: TensorShape, value_shape: TensorShape) -> IncompatibleShapesError:
    return IncompatibleShapesError(
        f"Cannot update variable with shape {variable_shape} using a Tensor with shape "
        f"{value_shape}, shapes "
        "must be equal. Use runtime.broadcast_to, or assign the sum."
    )


def _assign_sum_infer(delta: TensorSpec, *, storage: VariableStorage, negative: bool) -> TensorSpec:
    if not storage.shape.is_compatible_with(delta.shape):
        raise _sum_mismatch(storage.shape, delta.shape)
    return TensorSpec(storage.shape if delta.shape.rank is None else delta.shape, delta.dtype)


assign_sum_op = define(
    "assign_sum",
    inputs="delta",
    kernel=checked(_assign_sum, _assign_sum_infer),
    infer=_assign_sum_infer,
    dtype_kinds=NUMERIC,
    grad=to_variable,
    node_name="AssignAddVariableOp",
    traits=(STATEFUL, RAISES),
    lower=Control("assign_sum"),
    doc="Adds to the variable kept in ``storage``, or subtracts, at once; gives the new value.",
)


value_or_op = define(
    "initialized_value",
    inputs="initial_value",
    kernel=lambda initial_value, *, storage: (
        storage.read() if storage.is_initialized else initial_value
    ),
    infer=lambda initial_value, *, storage: TensorSpec(storage.shape, storage.dtype),
    node_name="InitializedValue",
    traits=(STATEFUL, READS),
    doc="Read the variable in ``storage``, or its initial value if it has none yet.",
)


def _count_up_to(*, storage: VariableStorage, limit: int) -> Array:
    with storage.lock:
        before = storage.read()
        if before >= limit:
            raise OutOfRangeError(f"Reached limit of {limit}")
        storage.write(np.asarray(before + np.asarray(1, before.dtype), before.dtype))
    return before


def _count_infer(*, storage: VariableStorage, limit: int) -> TensorSpec:
    if not storage.dtype.is_integer or storage.shape.dims not in (None, ()):
        raise MismatchedTypesError(
            f"count_up_to needs a variable that is a whole number; {storage.name!r} has dtype "
            f"{storage.dtype.name} and shape {storage.shape}"
        )
    return TensorSpec((), storage.dtype)


count_up_to_op = define(
    "count_up_to",
    inputs="",
    kernel=checked(_count_up_to, _count_infer),
    infer=_count_infer,
    grad=None,
    node_name="CountUpTo",
    traits=(STATEFUL, RAISES),
    lower=Control("count_up_to"),
    doc="Adds 1 to the variable kept in ``storage``; gives the value before.",
)


def _is_initialized_infer(*, storage: VariableStorage) -> TensorSpec:
    return TensorSpec((), bool_)


is_initialized_op = define(
    "is_variable_initialized",
    inputs="",
    kernel=lambda *, storage: np.bool_(storage.is_initialized),
    infer=_is_initialized_infer,
    grad=None,
    node_name="VarIsInitializedOp",
    traits=(STATEFUL, READS),
    doc="Test whether the variable in ``storage`` has a value.",
)
