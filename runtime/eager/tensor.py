"""Eager execution: Tensor, which holds an array, and the interpreter that computes at once.

Python's operators come from the ``overloads`` of the op definitions (operators.py).
"""

from __future__ import annotations

import contextvars
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from runtime import ops
from runtime.eager.costly_kernels import kernel_of
from runtime.eager.interop import ArrayProtocol
from runtime.eager.kernel_calls import KernelCalls
from runtime.ops import dispatch
from runtime.ops import inputs as op_inputs
from runtime.ops.dispatch import ACTIVE, notify
from runtime.ops.narrow_floats import computes_wide, wide_kernel
from runtime.ops.op import HIGHER_ORDER, RAISES, OpDef
from runtime.types import formatting, promotion
from runtime.types.aliases import ShapeLike, TensorLike
from runtime.types.conversion import INT32_MAX, INT32_MIN, as_object_scalar, to_array, truth
from runtime.types.device_spec import CPU_NAME
from runtime.types.dtypes import DTYPE_OF_NUMPY, NARROW, Array, DType
from runtime.types.errors import OpError
from runtime.types.reference import Reference as Reference
from runtime.types.shapes import TensorShape
from runtime.types.value import Value

__all__ = ["Tensor"]

# Kernels run where NumPy's warnings are off: overflow and division follow IEEE silently.  Entering
# a context costs a tenth of ``np.errstate``.
_silent = contextvars.copy_context()
_silent.run(np.seterr, all="ignore")
_new = object.__new__

FLOATS = frozenset(map(np.dtype, (np.float16, np.float32, np.float64)))
WIDE_INTEGERS = frozenset(map(np.dtype, (np.int32, np.int64)))
"""Dtypes that take a Python number beside a tensor without checks: these, ints of 32 bits."""
silent_run, silent_copy = _silent.run, _silent.copy  # the copy may run at the same time elsewhere


def call_kernel(kernel: Callable[..., Any], *args: Any, **attrs: Any) -> Any:
    """Call a kernel without NumPy's floating-point warnings."""
    with np.errstate(all="ignore"):
        return kernel(*args, **attrs)


class Tensor(ArrayProtocol, Value):
    """Immutable multi-dimensional array of one dtype."""

    __slots__ = ("__weakref__", "_array", "_source")
    __array_priority__ = 100  # NumPy arrays on the left leave operators to us

    _array: Array
    _interpreter: Any  # of subclasses: what applies ops to them
    _source: tuple[Any, Any]  # the variable and the key that it was taken by, see scatter_update.py

    def __new__(cls, *args: Any, **kwargs: Any) -> Tensor:  # noqa: D102
        raise TypeError("Tensors are made by ops; use runtime.constant(value)")

    # -- what it is -------------------------------------------------------------------------

    @property
    def dtype(self) -> DType:
        """Type of the elements."""
        return DTYPE_OF_NUMPY[self._array.dtype]

    @property
    def shape(self) -> TensorShape:
        """Shape; all dimensions are known."""
        shape = _new(TensorShape)
        shape.dims = self._array.shape
        return shape

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self._array.ndim

    @property
    def device(self) -> str:
        """Name of the device."""
        return CPU_NAME

    @property
    def name(self) -> str:
        """AttributeError: eager tensors have no name."""
        raise AttributeError("Tensor.name is undefined when eager execution is enabled.")

    @property
    def graph(self) -> Any:
        """AttributeError: eager tensors belong to no graph."""
        raise AttributeError("Tensor.graph is undefined when eager execution is enabled.")

    @property
    def op(self) -> Any:
        """AttributeError: eager tensors are not outputs of operations."""
        raise AttributeError("Tensor.op is undefined when eager execution is enabled.")

    def get_shape(self) -> TensorShape:
        """Return the shape."""
        return self.shape

    def set_shape(self, shape: ShapeLike) -> None:
        """Raise ValueError unless the tensor's shape is compatible with ``shape``."""
        if not self.shape.is_compatible_with(shape):
            raise ValueError(f"Tensor's shape {self.shape} is not compatible with {shape}")

    def ref(self) -> Reference:
        """Return a hashable reference: ``d[tensor.ref()]``."""
        return Reference(self)

    # -- to Python and NumPy ------------------------------------------------------------------

    def numpy(self) -> Any:
        """Return the value as a new NumPy array, or as a NumPy scalar."""
        array = self._array
        return array.copy() if array.ndim else array[()]

    def _concrete(self) -> Any:
        """Return the array or scalar; symbolic tensors raise an error."""
        return self._array[()]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        value = self._concrete()
        array = as_object_scalar(value) if type(value) is bytes else np.asarray(value)
        if copy or (dtype is not None and np.dtype(dtype) != array.dtype):
            return np.array(array, dtype)
        view = array.view()
        view.flags.writeable = False
        return view

    def __bool__(self) -> bool:
        return truth(self._concrete())

    def __int__(self) -> int:
        self._refuse_complex("int")
        return int(self._concrete())

    def __float__(self) -> float:
        self._refuse_complex("float")
        return float(self._concrete())

    def __complex__(self) -> complex:
        return complex(self._concrete())

    def __index__(self) -> int:
        value = self._concrete()
        if self.dtype.is_integer and value.ndim == 0:
            return int(value)
        raise TypeError(f"Only integer scalar tensors can be used as an index, got {self!r}")

    def __len__(self) -> int:
        if self.shape.rank == 0:
            raise TypeError("Scalar tensor has no `len()`")
        return len(self._concrete())

    def __iter__(self) -> Iterator[Tensor]:
        array = self._array
        if array.ndim == 0:
            raise TypeError("Cannot iterate over a scalar tensor.")
        if ACTIVE and len(array):  # somebody may watch
            return iter(ops.concat_split.unstack_op(self, num=len(array), axis=0))
        return map(wrap, array)

    def __hash__(self) -> int:
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def __getitem__(self, key: Any) -> Tensor:
        return ops.indexing.getitem(self, key)

    def __format__(self, spec: str) -> str:
        return format(self._concrete(), spec)

    def __divmod__(self, other: Any) -> tuple[Tensor, Tensor]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Tensor, Tensor]:
        return other // self, other % self

    def __round__(self, ndigits: int | None = None) -> Tensor:
        rounded = ops.elementwise.round
        return rounded(self) if not ndigits else rounded(self * 10.0**ndigits) / 10.0**ndigits

    def __str__(self) -> str:
        return formatting.eager_str(self._array, self.dtype)

    def __repr__(self) -> str:
        return formatting.eager_repr(self._array, self.dtype)

    def __copy__(self) -> Tensor:
        return self

    def __deepcopy__(self, memo: Any) -> Tensor:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return wrap, (np.asarray(self._concrete()),)


new_tensor: Callable[[], Any] = functools.partial(object.__new__, Tensor)
"""Make a tensor, which is to get its array: sooner than ``object.__new__`` itself does."""


def wrap(array: Any) -> Tensor:
    """Make an eager tensor of an array or NumPy scalar that nobody will write to."""
    tensor: Tensor = new_tensor()
    tensor._array = as_object_scalar(array) if type(array) is bytes else array
    return tensor


def wrap_all(result: Any, wrapped: Callable[[Any], Any] = wrap) -> Any:
    """Make what an op returns of what its kernel returned; ``wrapped`` makes a tensor of each."""
    return wrapped(result) if type(result) is not tuple else tuple(map(wrapped, result)) or None


_calls = KernelCalls(Tensor, new_tensor, silent_run)


def _elsewhere(values: Sequence[Any]) -> Any:
    """Return the interpreter of the first tensor that has another one, or None: of a symbolic
    tensor its graph, of one on a device that of the device.
    """
    for value in values:
        if isinstance(value, Tensor) and type(value) is not Tensor:
            return value._interpreter
    return None


_KERNEL_ERRORS = (OpError, ValueError, TypeError, IndexError, ArithmeticError)
"""What kernels raise; of ops without the trait RAISES the interpreter words it."""


def _with_numbers(op: OpDef, inputs: Sequence[Any]) -> Sequence[Any]:
    """Make tensors of Python numbers that meet an eager tensor and certainly fit its dtype.

    Where there are others, the inputs are returned.
    """
    if op.same_dtype_inputs is None:
        return inputs
    shared = range(len(inputs))[op.same_dtype_inputs]
    dtype = next((inputs[n]._array.dtype for n in shared if type(inputs[n]) is Tensor), None)
    is_float = dtype in FLOATS
    if not is_float and dtype not in WIDE_INTEGERS:
        return inputs
    values = list(inputs)
    for n, value in enumerate(inputs):
        if type(value) is Tensor:
            continue
        fits = is_float if type(value) is float else type(value) is int and (
            is_float or INT32_MIN <= value <= INT32_MAX
        )  # fmt: skip
        if not fits or n not in shared:
            return inputs
        values[n] = number = new_tensor()
        number._array = silent_run(np.asarray, value, dtype)
    return values


class EagerInterpreter:
    """Interpreter that computes each op at once, by its kernel."""

    eager = True
    temporary = False

    def convert(self, value: TensorLike, dtype: DType | None, name: str | None) -> Any:
        """Convert a value to a tensor; symbolic tensors are converted by their graph."""
        value = op_inputs.convert_input(value, dtype)
        if not isinstance(value, Tensor):
            return wrap(to_array(value, dtype))
        if type(value) is not Tensor:
            return value._interpreter.convert(value, dtype, name)
        if dtype is not None:
            op_inputs.check_dtype(value, dtype, name)
        return value

    def call_of(self, op: OpDef) -> Callable[..., Any]:
        """Return a function that applies a plain op to inputs and all its attributes, in order."""
        return _calls.by_position(op)

    def apply(
        self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], name: str | None
    ) -> Any:
        """Compute an op; return its outputs as tensors.

        The common case stands here: a plain op of eager tensors.  Whatever goes wrong in it goes
        wrong again, with a proper message, in ``_apply_any``, which handles all cases.
        """
        if not op.plain or NARROW:
            return self._apply_any(op, inputs, attrs, name)
        values = inputs
        try:
            result = _calls[op](values, attrs)
            if result is NotImplemented:
                values = _with_numbers(op, inputs)
                result = NotImplemented if values is inputs else _calls[op](values, attrs)
        except Exception:
            return self._apply_any(op, inputs, attrs, name)
        if result is NotImplemented:
            return self._apply_any(op, inputs, attrs, name)
        if type(result) is tuple or type(result) is bytes:
            outputs = wrap_all(result)
        else:
            outputs = new_tensor()
            outputs._array = result
        if ACTIVE:
            notify(op, tuple(values), attrs, outputs)
        return outputs

    def _apply_any(
        self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], name: str | None
    ) -> Any:
        """Compute any op of any inputs."""
        arrays = [v._array for v in inputs if type(v) is Tensor]
        if len(arrays) == len(inputs):
            if arrays and op.same_dtype_inputs is not None:
                self._check(op, arrays if op.shares_all else arrays[op.same_dtype_inputs])
        else:
            home = _elsewhere(inputs)
            if home is not None:  # asked first: the graph resolves the other inputs itself
                return home.apply_outside(op, inputs, attrs, name)
            values = op_inputs.convert_inputs(op, inputs)
            home = _elsewhere(values)
            if home is not None:
                return home.apply_outside(op, values, attrs, name)
            arrays = self._arrays(op, values)
            inputs = values
        if "storage" in attrs and (home := attrs["storage"].home) is not None:
            return home.apply_outside(op, inputs, attrs, name)
        visible = None
        if ACTIVE:
            inputs = [v if type(v) is Tensor else wrap(a) for v, a in zip(inputs, arrays)]
            if not op.plain and HIGHER_ORDER in op.traits:
                before, attrs = attrs, dispatch.attrs_for_listeners(op, inputs, attrs)
                visible = None if attrs is before else len(op.infer(**before))
        outputs = wrap_all(self._result_of(op, arrays, attrs))
        if ACTIVE:
            notify(op, inputs, attrs, outputs)
        return outputs if visible is None else outputs[:visible]

    def _result_of(self, op: OpDef, arrays: list[Any], attrs: dict[str, Any]) -> Any:
        """Return what the kernel gives; its errors name the op and its inputs."""
        try:
            return self._compute(op, arrays, attrs)
        except _KERNEL_ERRORS as error:
            if RAISES in op.traits:
                raise
            raise op_inputs.kernel_error(op, error, arrays, attrs) from None

    def _compute(self, op: OpDef, arrays: list[Any], attrs: dict[str, Any]) -> Any:
        kernel = kernel_of(op)
        if NARROW and computes_wide(op, [getattr(array, "dtype", None) for array in arrays]):
            kernel = wide_kernel(op)
        if not op.plain:
            if HIGHER_ORDER in op.traits:
                return call_kernel(kernel, *arrays, run=dispatch.run_graph, **attrs)
            return kernel(*arrays, **attrs)  # it may call the user's code: no context for it
        try:
            return silent_run(kernel, *arrays, **attrs)
        except RuntimeError:  # another thread is inside the silent context
            return call_kernel(kernel, *arrays, **attrs)

    def _check(self, op: OpDef, shared: Sequence[Any]) -> None:
        """Raise MismatchedTypesError unless the arrays share a dtype that the op takes."""
        dtype = shared[0].dtype
        if op.dtype_kinds and dtype.kind not in op.dtype_kinds:  # so also of bfloat16: kind V
            op_inputs.check_dtype_kind(op, DTYPE_OF_NUMPY[dtype])
        for array in shared:
            if array.dtype is not dtype and array.dtype != dtype:
                found = [DTYPE_OF_NUMPY[a.dtype] for a in shared]
                raise promotion.mismatch(op.name, op.inputs, found)

    def _arrays(self, op: OpDef, values: list[Any]) -> list[Any]:
        """Convert the inputs to arrays, those that share a dtype to that dtype."""
        group = values[op.same_dtype_inputs] if op.same_dtype_inputs is not None else []
        if not group:
            return [v._array if type(v) is Tensor else to_array(v) for v in values]
        dtype, _ = promotion.shared_dtype(group, keep_weak=False)
        op_inputs.check_dtype_kind(op, dtype)
        shared = [v._array if type(v) is Tensor else to_array(v, dtype) for v in group]
        self._check(op, shared)
        end = op.first + len(group)
        before = [v._array if type(v) is Tensor else to_array(v) for v in values[: op.first]]
        after = [v._array if type(v) is Tensor else to_array(v) for v in values[end:]]
        return before + shared + after


EAGER = EagerInterpreter()
dispatch.install(EAGER)
