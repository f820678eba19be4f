"""Traces of ``runtime.jit``: their results are Python numbers, texts, lists and NumPy arrays.

What a trace made of a list or an array among its arguments is written back into that after each
run, as the caller of plain Python would see it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from autograph.diagnostics.user_frame import user_line
from autograph.errors import AutoGraphError, EffectError
from autograph.staging import StagedText, given_containers
from runtime.eager.tensor import Tensor, wrap
from runtime.functions.array_arguments import call_in_place, is_swapped, lose_changes
from runtime.functions.cache_key import flatten_arguments
from runtime.functions.concrete_function import ConcreteFunction
from runtime.functions.container_contents import are_distinct, contents_held, is_same, items_of
from runtime.functions.graph_output import GraphOutput, as_tensor
from runtime.functions.mutation_check import check_copies
from runtime.functions.number_arguments import (
    containers,
    holds_tensors,
    refill,
    stage_all,
)
from runtime.functions.output_packing import check_array
from runtime.functions.returned_objects import IMMUTABLE
from runtime.functions.signature import BoundCall, FunctionSignature
from runtime.functions.state_trace import StateTrace
from runtime.functions.type_format import NumberSpec
from runtime.graph.operation import SymbolicTensor
from runtime.graph.python_values import PYTHON_KINDS, weak_constant
from runtime.graph.raise_tracking import observed
from runtime.ops.python.call_python import python_value
from runtime.ops.resource.lists import ListValue
from runtime.staging.numpy_arrays.symbolic_array import SymbolicArray
from runtime.types import nest, treedef
from runtime.types.dtypes import string
from runtime.types.errors import MissingGradientError
from runtime.types.node_types import NODE_TYPES
from runtime.types.shapes import TensorSpec


class Constant:
    """Result, or part of one, that is the same object on every call."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class GivenArray:
    """Result, or part of one, that is an array of the caller's: the number of the tensor."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


class GivenContainer:
    """Result, or part of one, that is a list, dict or set of the caller's: its number."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


GIVEN = GivenArray, GivenContainer


class NumberTrace(ConcreteFunction):
    """Concrete function of ``runtime.jit``."""

    returns_numbers = True

    def __init__(
        self, name: str, call: BoundCall, python: StateTrace, parameters: FunctionSignature
    ) -> None:
        self._parameters = parameters
        self._array_outputs: dict[int, bool] = {}  # or, where False, scalars of NumPy
        self._before: list[tuple[Any, Any]] = []
        super().__init__(name, call, python)

    def _specs_of(self, call: BoundCall, symbolic: list[SymbolicTensor]) -> list[TensorSpec]:
        specs = super()._specs_of(call, symbolic)
        return [
            NumberSpec(spec.shape, spec.dtype, spec.name) if tensor.weak else spec
            for tensor, spec in zip(symbolic, specs, strict=True)
        ]

    def _call_python(
        self, call: BoundCall, symbolic: list[SymbolicTensor], python: Callable[..., Any]
    ) -> Any:
        for container in containers(call.leaves):
            container.made = None  # an earlier trace of the call may have changed it
        try:
            with given_containers([]), observed(partial(self._note_raise, call)):
                result = super()._call_python(call, symbolic, python)
                self._check_copies(call, python)
                return result
        except (AutoGraphError, MissingGradientError):
            raise
        except Exception as error:  # the program's own, after changes of whatever it reaches
            lose_changes(error)
            raise

    def _note_raise(self, call: BoundCall, error: BaseException) -> None:
        """Note whether arguments may have changed where the program raises an exception."""
        self.raises_after_changes |= (
            self.arrays.may_have_changed
            or any(map(_is_object, call.values))
            or any(not is_same(contents_held(proxy), before) for proxy, before in self._before)
        )

    def _check_copies(self, call: BoundCall, python: Callable[..., Any]) -> None:
        """Refuse changes of the records in lists and dicts: they are copies."""
        before = {id(proxy): contents for proxy, contents in self._before}
        for (name, _), value in zip(call.labels, call.values, strict=True):
            for container in containers(flatten_arguments(value)[0]):
                if container.copies:
                    proxy = container.made
                    is_written = not is_same(contents_held(proxy), before[id(proxy)])
                    check_copies(self._name, name, container.copies, is_written, python)

    def _note_arguments(self, call: BoundCall) -> None:
        """Record what the lists and dicts among the arguments hold before the function runs."""
        self._key = call.own_key
        proxies = [container.made for container in containers(call.leaves)]
        self._before = [(proxy, contents_held(proxy)) for proxy in proxies]
        given_containers.value.extend(proxies)

    def _set_result(self, result: Any) -> Sequence[SymbolicTensor]:
        self.written = [
            number for number, (container, before) in enumerate(self._before)
            if not is_same(contents_held(container), before)
        ]  # fmt: skip
        changed = [items_of(self._before[number][0]) for number in self.written]
        result = _with_given(result, [container for container, _ in self._before])
        self._before = []
        self.output = GraphOutput((result, changed), self._encode)
        self.structured_outputs, self.changed = self.output.structure
        return self.output.tensors

    @cached_property
    def reads_tensors(self) -> bool:
        """Whether calls read tensors that are no arguments: then tensors go out."""
        return bool(self.graph.variables or self.graph.eager_tensors())

    def _encode(self, leaf: Any) -> Any:
        """Convert a returned value to a tensor of the graph (weak for a number) or a Constant."""
        number = self.arrays.number_of(leaf) if type(leaf) is SymbolicArray else None
        if number is not None:
            leaf = GivenArray(number)
        if isinstance(leaf, GIVEN):
            self.returns_arguments = True
            return leaf
        if type(leaf) is SymbolicArray:
            tensor = self.graph.as_local(self.arrays.returned(leaf))
            self._array_outputs[id(tensor)] = leaf.storage is not None
            return tensor
        if isinstance(leaf, Tensor):
            return self.graph.as_local(leaf)
        kind = PYTHON_KINDS.get(type(leaf))
        if kind is not None and not (kind == "int" and leaf.bit_length() > 63):
            return weak_constant(self.graph, leaf)
        if leaf is None or isinstance(leaf, (*PYTHON_KINDS, *IMMUTABLE)):
            return Constant(leaf)
        if is_array := isinstance(leaf, np.ndarray):
            check_array(leaf, self._name)
        tensor = super()._encode(leaf)
        if is_array:  # one without axes stays an array
            tensor = self.graph.strengthen(tensor, tensor.dtype, weak=False)
            self._array_outputs[id(tensor)] = True
        is_text = isinstance(leaf, StagedText)
        return self.graph.strengthen(tensor, tensor.dtype, weak=True) if is_text else tensor

    def result_packer(self) -> Callable[[Sequence[Any]], Any]:
        """The function that makes the result of the arrays that a run gives."""
        result = self.structured_outputs
        if isinstance(result, SymbolicTensor) and result.weak and len(self.output.leaves) == 1:
            return _pack_text if result.dtype is string else _pack_number
        return self.packed

    def packed(self, outputs: Sequence[Any]) -> Any:
        """The result of a call without arguments that are returned or changed."""
        return _for_caller(self._decoded(outputs, self.reads_tensors)[0], (), ())

    def _decoded(self, outputs: Sequence[Any], gives_tensors: bool) -> Any:
        """The result, and the contents of changed lists and dicts."""
        strong = as_tensor if gives_tensors else as_array

        def decode(value: Any, like: Any) -> Any:
            return self._python(value, like, strong)

        return self.output.decoded(iter(outputs), decode, decode)

    def _python(self, value: Any, like: Any, strong: Callable[[Any], Any]) -> Any:
        """Convert a value of a run for the caller: to a Python number or text where ``like`` is
        weak, to an array where the function returned one.
        """
        array = _content(value)
        if isinstance(array, ListValue):
            return wrap(array)
        if like.weak:
            return python_value(array)
        if self.keeps_array(like):
            return np.array(array)
        return as_array(array) if id(like) in self._array_outputs else strong(value)

    def keeps_array(self, like: Any) -> bool:
        """Return whether a result is an array even where it has no axes, no scalar."""
        return self._array_outputs.get(id(like), False)

    def run_call(self, call: BoundCall, plain: Callable[[], Any] | None = None) -> Any:
        """Run a call under eager execution, and write changed lists back to the caller's."""
        result = self._result_of(call, plain)
        returned = () if self.carried is None else self.carried.returned
        return returned[0].read() if returned else result

    def _result_of(self, call: BoundCall, plain: Callable[[], Any] | None) -> Any:
        if plain is not None and self._array_outputs and any(map(is_swapped, call.arrays)):
            return plain()
        if not (self.written or self._loses_changes(call)):
            return self._run_refilling(call)[0]
        if self.written and not are_distinct(c.value for c in containers(call.leaves)):
            if plain is not None:
                return plain()
            raise self._shared()
        return call_in_place(self, call.arrays, lambda: self._run_refilling(call), plain)

    def _loses_changes(self, call: BoundCall) -> bool:
        """Whether a run may raise, and its arguments may have changed before that."""
        if self.raises_after_changes or self.arrays.changes:
            return True
        return self.graph.never_returns and bool(call.arrays or [*containers(call.leaves)])

    def _run_refilling(self, call: BoundCall) -> tuple[Any, Sequence[Any]]:
        """The result, and what the arrays hold that are changed; lists are written back."""
        outputs = self._outputs_for(call.tensors, call.state)
        gives_tensors = self.reads_tensors or any(map(holds_tensors, call.leaves))
        result, changed = self._decoded(outputs, gives_tensors)
        containers_given: list[Any] = []
        if self.written or self.returns_arguments:
            containers_given = [container.value for container in containers(call.leaves)]
        for number, contents in zip(self.written, changed, strict=True):
            refill(containers_given[number], _for_caller(contents, call.arrays, containers_given))
        return _for_caller(result, call.arrays, containers_given), self._array_contents(outputs)

    def _array_contents(self, outputs: Sequence[Any]) -> Sequence[Any]:
        return [*map(_content, super()._array_contents(outputs))]

    def _shared(self) -> EffectError:
        return EffectError(
            f"{self._name}() changes a list or dict among its arguments, but one list or dict "
            "is passed twice, and a change of the one would not be seen in the other",
            where=user_line(),
            help="pass copies: list(x), or [list(row) for row in x]",
        )

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the graph for arguments of the types that it was traced for; else TypeError."""
        call = self._parameters.call(*stage_all(args, kwargs, self._parameters))
        if call.own_key != self._key or not self.accepts(call.shapes):
            raise TypeError(
                f"{self._name}() was traced for {self.pretty_printed_signature(verbose=False)}, "
                "and these arguments are of other types"
            )
        return self.run_call(call)


def _is_object(value: Any) -> bool:
    """Whether an argument is an object that a trace takes apart, and works on a copy of."""
    return NODE_TYPES[type(value)] is not None


def _pack_number(outputs: Sequence[Any]) -> Any:
    return outputs[0].item()


def _pack_text(outputs: Sequence[Any]) -> Any:
    return python_value(outputs[0])


def _with_given(result: Any, proxies: Sequence[Any]) -> Any:
    """A result with a GivenContainer for each list, dict or set that stands for an argument."""
    numbers = {id(proxy): number for number, proxy in enumerate(proxies)}
    if not numbers:
        return result
    leaves, layout = treedef.flatten(result, lambda value: id(value) in numbers)
    return layout.unflatten([
        GivenContainer(numbers[id(leaf)]) if id(leaf) in numbers else leaf for leaf in leaves
    ])  # fmt: skip


def _for_caller(value: Any, arrays: Sequence[Any], caller_containers: Sequence[Any]) -> Any:
    """A result with what stands for the same object on every call, or for one of the arguments:
    the arrays, or the lists, dicts and sets that are ``given``.
    """

    def for_caller(leaf: Any) -> Any:
        if isinstance(leaf, Constant):
            return leaf.value
        if isinstance(leaf, GivenArray):
            return arrays[leaf.number]
        return caller_containers[leaf.number] if isinstance(leaf, GivenContainer) else leaf

    return nest.map_structure(for_caller, value)


def _content(value: Any) -> Any:
    return value._array if isinstance(value, Tensor) else value


def as_array(value: Any) -> Any:
    """Return a result of a run as an array of its own, or a NumPy scalar."""
    value = _content(value)
    return value.copy() if isinstance(value, np.ndarray) and value.ndim else value[()]
