"""Interpreter of a device: it computes each op by JAX, compiled once for each type of its inputs.

A scope enters it; an op of a tensor on a device that is applied outside of any scope comes here,
too.  What XLA does not do is computed by the kernel, on the CPU.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from autograph.named_tuples import NamedTuple
from runtime.devices.device_tensor import DeviceTensor, on_device
from runtime.eager.tensor import EAGER, EagerInterpreter, Tensor, wrap, wrap_all
from runtime.engine.device_registry import CPU, REGISTRY, Device, placement
from runtime.engine.executable import plan_of
from runtime.engine.xla.compiled_request import RunFailure, Trace
from runtime.engine.xla.device_request import DeviceRequest, no_number_on, request_on
from runtime.engine.xla.interpreter import XLARefusal
from runtime.graph import raise_tracking
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import SymbolicTensor, graphs_in
from runtime.graph.run_request import RunRequest
from runtime.graph.side_table import SideTable
from runtime.ops import dispatch
from runtime.ops import inputs as op_inputs
from runtime.ops.math.elementwise import add, subtract
from runtime.ops.op import FORWARD, HIGHER_ORDER, OpDef
from runtime.ops.resource.lists import ListValue
from runtime.types import promotion
from runtime.types.conversion import INT32_MAX, literal_key, to_array
from runtime.types.device_spec import DeviceSpec
from runtime.types.dtypes import DTYPE_OF_NUMPY, DType, variant
from runtime.types.errors import InvalidArgumentError
from runtime.types.settings import SETTINGS
from runtime.types.shapes import SCALAR_SHAPE, TensorShape, TensorSpec

NUMBERS = "biufcV"
"""Kind letters of the dtypes that devices take: numbers, bools and bfloat16."""
MOST_OPERATIONS = 10_000
"""Compiled operations that are kept; then they are compiled anew."""
SMALL = 1024
"""Bytes up to which the copy of a new tensor on the CPU is kept: it may decide about shapes."""


class DeviceInterpreter(EagerInterpreter):
    """Interpreter that computes each op on a device."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._no_number = no_number_on(device)
        self._direct: dict[Any, Trace] = {}
        """Traces of ops with one output, by ops, attributes, types of inputs, and the settings."""
        self._numbers: dict[Any, Any] = {}
        """Tensors of Python numbers that were operands."""
        self._compiled: dict[Any, CompiledOperation | XLARefusal] = {}

    def convert(self, value: Any, dtype: Any, name: str | None) -> Any:
        """Convert a value to a tensor on the device; tensors stay where they are."""
        value = op_inputs.convert_input(value, dtype)
        if type(value) is DeviceTensor:
            if dtype is not None:
                op_inputs.check_dtype(value, dtype, name)
            return value
        is_tensor = isinstance(value, Tensor)
        tensor = super().convert(value, dtype, name)
        return tensor if is_tensor else self.placed(tensor)

    def placed(self, tensor: Any) -> Any:
        """Copy an eager tensor of numbers to the device; any other value is returned as it is."""
        if type(tensor) is DeviceTensor:
            if tensor._home is self:
                return tensor
            array = jax.device_put(tensor._on_device, self.device.jax_device)
            return on_device(array, self, tensor._copy_on_cpu)
        if type(tensor) is not Tensor:
            return tensor
        return self._wrapped(tensor._array)

    def _wrapped(self, value: Any) -> Any:
        """Make a tensor of an array: of numbers on the device, else on the CPU."""
        if isinstance(value, jax.Array):
            return on_device(value, self)
        if not isinstance(value, np.ndarray | np.generic) or value.dtype.kind not in NUMBERS:
            return wrap(value)
        with jax.enable_x64(True):
            array = jax.device_put(np.asarray(value), self.device.jax_device)
        return on_device(array, self, value if value.nbytes <= SMALL else None)

    def call_of(self, op: OpDef) -> Any:
        """Return a function that applies a plain op to inputs and all its attributes, in order."""
        return EAGER.call_of(op)

    def apply_outside(
        self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], name: str | None
    ) -> Any:
        """Apply an op to tensors of which some are on this device, in a thread of the CPU's.

        As in TensorFlow, it runs where the scope says, or on the first device of this one's type.
        """
        device = placement(dispatch.THREAD.device)
        if device is None:
            same_type = (d for d in REGISTRY.devices if d.device_type == self.device.device_type)
            device = next(same_type)
        if device is not CPU:
            return interpreter_of(device).apply(op, inputs, attrs, name)
        return self._apply(op, inputs, attrs, name, on_cpu=True)

    def apply(
        self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], name: str | None
    ) -> Any:
        """Compute an op; return its outputs as tensors.

        The common case stands here: a plain op that was computed before, of tensors on the device.
        """
        if op.shares_all and len(inputs) == 2:
            inputs = self._with_number(*inputs)
        key = self._key(op, inputs, attrs) if op.plain else None
        run = None if key is None else self._direct.get(key)
        if run is None:
            return self._apply(op, inputs, attrs, name, on_cpu=False)
        with jax.enable_x64(True), jax.default_matmul_precision("highest"):
            results, _, status = run.run(
                [tensor._on_device for tensor in inputs], (), self._no_number
            )
            if run.has_guards and np.asarray(status):
                return self._apply(op, inputs, attrs, name, on_cpu=False)
        output = on_device(results[0], self)
        dispatch.notify(op, tuple(inputs), attrs, output)
        return output

    def _with_number(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Return two operands, a Python number beside a tensor as a tensor of its dtype."""
        if type(x) is DeviceTensor and type(y) in (int, float):
            return x, self._number(y, x._on_device.dtype)
        if type(y) is DeviceTensor and type(x) in (int, float):
            return self._number(x, y._on_device.dtype), y
        return x, y

    def _number(self, value: float, dtype: Any) -> Any:
        """Return a tensor of a number, or the number itself where its fit has to be checked."""
        is_small = type(value) is int and abs(value) < INT32_MAX
        if dtype.kind != "f" and not (is_small and dtype.kind == "i" and dtype.itemsize >= 4):
            return value
        key = type(value), repr(value), dtype
        tensor = self._numbers.get(key)
        if tensor is None:
            if len(self._numbers) >= MOST_OPERATIONS:
                self._numbers.clear()
            tensor = self._numbers[key] = self._wrapped(np.array(value, dtype))
        return tensor

    def _key(self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any]) -> Any:
        """Return the key of an op of tensors on the device; None for other operands."""
        key: list[Any] = [op, SETTINGS.generation]
        for tensor in inputs:
            if type(tensor) is not DeviceTensor or tensor._home is not self:
                return None
            key.append(tensor._on_device.aval)
        for name, value in attrs.items():
            sign = _sign(value)
            if sign is None:
                return None
            key += (name, sign)
        return tuple(key)

    def _apply(self, op: OpDef, inputs: Sequence[Any], attrs: dict[str, Any], name: str | None,
               on_cpu: bool) -> Any:  # fmt: skip
        values = op_inputs.convert_inputs(op, inputs)
        symbol = next((v for v in values if isinstance(v, SymbolicTensor)), None)
        if symbol is not None:
            return symbol._interpreter.apply_outside(op, values, attrs, name)
        arrays = self._arrays(op, values)
        tensors = [v if isinstance(v, Tensor) else wrap(a) for v, a in zip(values, arrays)]
        visible = None
        if HIGHER_ORDER in op.traits:
            before, attrs = attrs, dispatch.attrs_for_listeners(op, tensors, attrs)
            visible = None if attrs is before else len(op.infer(**before))
        if "storage" in attrs:
            outputs = self._on_variable(op, tensors, attrs, on_cpu)
        elif on_cpu:
            outputs = self._on_cpu(op, tensors, attrs, wrap)
        else:
            outputs = self._on_device(op, tensors, arrays, attrs)
        dispatch.notify(op, tensors, attrs, outputs)
        return outputs if visible is None else outputs[:visible]

    def _arrays(self, op: OpDef, values: list[Any]) -> list[Any]:
        """Convert the inputs to arrays, those on a device to such on this one."""
        shared = op.same_dtype_inputs or slice(0)
        among = () if op.same_dtype_inputs is None else range(len(values))[shared]
        dtype = None
        if among:
            dtype, _ = promotion.shared_dtype(values[shared], keep_weak=False)
            op_inputs.check_dtype_kind(op, dtype)
        arrays = [self._array(v, dtype if n in among else None) for n, v in enumerate(values)]
        if among:
            self._check(op, arrays[shared])
        return arrays

    def _array(self, value: Any, dtype: Any) -> Any:
        if type(value) is DeviceTensor:
            return self.placed(value)._on_device
        return value._array if type(value) is Tensor else to_array(value, dtype)

    def _on_cpu(
        self, op: OpDef, tensors: Sequence[Any], attrs: dict[str, Any], wrapped: Callable[..., Any]
    ) -> Any:
        """Compute an op by its kernel; ``wrapped`` makes tensors of what the kernel returns."""
        return wrap_all(self._result_of(op, [x._array for x in tensors], attrs), wrapped)

    def _on_device(
        self, op: OpDef, tensors: Sequence[Any], arrays: Sequence[Any], attrs: dict[str, Any]
    ) -> Any:
        """Compute an op on the device, or on the CPU where that is impossible."""
        if FORWARD in op.traits and len(tensors) == 1 and not isinstance(arrays[0], ListValue):
            return self._wrapped(arrays[0])
        operation = self._operation(op, arrays, attrs)
        results: Any = operation
        if isinstance(operation, CompiledOperation):
            results = operation.request(arrays)
            if isinstance(results, list):
                self._remember(op, tensors, attrs, operation)
                outputs = tuple(map(self._wrapped, results))
                return outputs[0] if operation.is_single else outputs or None
        if isinstance(results, RunFailure) or "stream" in attrs or not arrays:
            return self._on_cpu(op, tensors, attrs, self._wrapped)
        if not REGISTRY.soft_placement and all(a.dtype.kind in NUMBERS for a in arrays):
            raise InvalidArgumentError(
                f"Could not satisfy device specification '{self.device.name}'. "
                "enable_soft_placement=0. Supported device types [CPU]. All available devices "
                f"[{REGISTRY.names()}]. [Op:{op.name}] {results}"
            )
        return self._on_cpu(op, tensors, attrs, wrap)

    def _remember(
        self, op: OpDef, tensors: Sequence[Any], attrs: dict[str, Any], operation: CompiledOperation
    ) -> None:
        """Let ``apply`` take the short way from now on, if it may."""
        trace = operation.request.only_trace() if operation.is_single and op.plain else None
        key = None if trace is None else self._key(op, tensors, attrs)
        if trace is not None and key is not None:
            if len(self._direct) >= MOST_OPERATIONS:
                self._direct.clear()
            self._direct[key] = trace

    def _on_variable(
        self, op: OpDef, tensors: Sequence[Any], attrs: dict[str, Any], on_cpu: bool
    ) -> Any:
        """Compute an op of a variable where its value is; what it gives is copied to the device."""
        storage, apply = attrs["storage"], _AT_HOME.get(op.name)
        home: DeviceInterpreter | None = storage.home
        outputs = None
        if home is not None and apply is not None and storage.is_initialized:
            outputs = apply(home, tensors, **attrs)
        if outputs is None:
            return self._on_cpu(op, tensors, attrs, wrap if on_cpu else self._wrapped)
        return wrap(outputs._array) if on_cpu else self.placed(outputs)

    def _operation(
        self, op: OpDef, arrays: Sequence[Any], attrs: dict[str, Any]
    ) -> CompiledOperation | XLARefusal:
        """Return an op compiled for the types of its inputs, or why it is none of XLA's."""
        graphs: tuple[Any, ...] = tuple(graphs_in(attrs))
        if any(a.dtype.kind not in NUMBERS for a in arrays if not isinstance(a, ListValue)):
            return XLARefusal("its inputs are not numbers")
        if not op.plain and not graphs:
            return XLARefusal("it has effects that XLA knows nothing of")
        types = tuple([_type(a) for a in arrays])
        signs = tuple([(name, _sign(value)) for name, value in attrs.items()])
        if any(sign is None for _, sign in signs):
            return XLARefusal("an attribute counts by identity")
        table = self._compiled if not graphs else _OF_GRAPHS.setdefault(graphs[0], {})
        key = op, self.device, types, signs, SETTINGS.generation
        operation = table.get(key)
        if operation is None:
            if len(table) >= MOST_OPERATIONS:
                table.clear()
            operation = table[key] = self._compile(op, types, attrs)
        return operation

    def _compile(
        self, op: OpDef, types: Sequence[Any], attrs: dict[str, Any]
    ) -> CompiledOperation | XLARefusal:
        with raise_tracking.suspended():
            graph = FuncGraph(op.name, outer=EAGER)
            with dispatch.only_listeners(()), dispatch.as_current(graph):
                inputs = [graph.add_input(spec) for spec in types]
                try:
                    result = graph.apply(op, inputs, attrs, None)
                except Exception as error:  # the kernel words it
                    return XLARefusal(f"it raises {type(error).__name__}: {error}")
            is_single = isinstance(result, SymbolicTensor)
            outputs = [result] if is_single else [*result] if isinstance(result, tuple) else []
            graph.freeze(outputs)
        request = RunRequest(graph, outputs, inputs, [graph.operations[-1]])
        compiled = request_on(self.device, request, plan_of)
        return CompiledOperation(compiled, is_single)


_AT_HOME: dict[str, Callable[..., Any]] = {}
"""Name of an op of a variable -> what it is on the device where the variable lives; None is given
for what the kernel refuses.
"""


def _at_home(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function what an op is on the device where its variable lives."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        _AT_HOME[name] = function
        return function

    return enter


@_at_home("read_variable")
def _read_at_home(home: DeviceInterpreter, tensors: Sequence[Any], *, storage: Any) -> Any:
    return home._wrapped(storage.held())


@_at_home("assign_variable")
def _assign_at_home(
    home: DeviceInterpreter, tensors: Sequence[Any], *, storage: Any, **_: Any
) -> Any:
    value = home.placed(tensors[0])
    with storage.lock:
        storage.write(value._on_device)
    return value


@_at_home("assign_sum")
def _assign_sum_at_home(
    home: DeviceInterpreter, tensors: Sequence[Any], *, storage: Any, negative: bool
) -> Any:
    if tensors[0].shape != storage.held().shape:
        return None
    with storage.lock:
        arrays = [storage.held(), home.placed(tensors[0])._on_device]
        operands = [on_device(array, home) for array in arrays]
        value = home._on_device(subtract if negative else add, operands, arrays, {})
        storage.write(value._on_device)
    return value


class CompiledOperation(NamedTuple):
    """Op compiled for a device, and whether it has one output, which is no tuple."""

    request: DeviceRequest
    is_single: bool


_OF_GRAPHS: SideTable[dict[Any, Any]] = SideTable()
"""Compiled operations that hold graphs, with the first of these."""


def _type(value: Any) -> TensorSpec:
    """Return the type of an input."""
    if isinstance(value, ListValue):
        return TensorSpec(SCALAR_SHAPE, variant)
    return TensorSpec(TensorShape(value.shape), DTYPE_OF_NUMPY[value.dtype])


def _sign(value: Any) -> Any:
    """Return a key of an attribute's value; None for values that count by identity."""
    if value is None or hasattr(value, "operations"):
        return (value,)
    if isinstance(value, tuple | list) and any(hasattr(item, "operations") for item in value):
        return tuple(map(_sign, value))
    return value if isinstance(value, DType) else literal_key(value)


@functools.cache
def interpreter_of(device: Device) -> DeviceInterpreter:
    """Return the interpreter of a device."""
    return DeviceInterpreter(device)


def copied_to(tensor: Any, name: str) -> Any:
    """Copy an eager tensor to a device; RuntimeError if there is none of that name."""
    device = REGISTRY.find(DeviceSpec.from_string(name))
    if device is None:
        raise RuntimeError(f"{name.removeprefix('/device:')} unknown device.")
    if device is CPU:
        return tensor if type(tensor) is Tensor else wrap(tensor._array)
    return interpreter_of(device).placed(tensor)
