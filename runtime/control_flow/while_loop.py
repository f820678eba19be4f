"""``while_loop``: loop over a nest of tensors.

Under eager execution it is a Python loop.  In a graph its condition and body are traced, and a
``while`` operation is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.control_flow.while_builder import Policy, WhileBuilder
from runtime.graph.operation import SymbolicTensor
from runtime.graph.trace import current_graph, recording_graph
from runtime.ops.array.constants import convert_to_tensor, stop_gradient
from runtime.staging.conversion import converted_in_turn
from runtime.state.indexed_slices import IndexedSlices
from runtime.state.variable import Variable
from runtime.types import nest, treedef
from runtime.types.composite import Composite, CompositeSpec
from runtime.types.node_types import NodeType
from runtime.types.shapes import TensorShape, TensorSpec
from runtime.types.treedef import StructureError, subscripts

__all__ = ["while_loop"]


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """Repeat ``loop_vars = body(*loop_vars)`` as long as ``cond(*loop_vars)`` is true.

    Args:
        cond: function of the loop variables that returns a scalar bool tensor.
        body: function of the loop variables that returns their next values, in the same structure.
            In a graph they must keep their dtypes and, but for ``shape_invariants``, their shapes.
        loop_vars: list, tuple or other nest of tensors, with at least one tensor.
        shape_invariants: nest of TensorShapes or TensorSpecs in the structure of ``loop_vars``;
            None stands for dimensions that may change.
        parallel_iterations: accepted for TensorFlow's sake; at least 1.
        back_prop: whether gradients flow through the result.
        swap_memory: accepted for TensorFlow's sake.
        maximum_iterations: limit of the number of iterations, an int or an integer scalar tensor.
        name: name of the operation.

    Returns:
        The final values of the loop variables, in the structure of ``loop_vars``.

    Raises:
        TypeError: ``cond`` or ``body`` is not callable, ``cond`` does not return a bool, or a
            dtype changes.
        ValueError: there is no loop variable, or a shape or the structure changes.  The message
            names the variable, such as ``loop_vars[0]['a']``.
    """
    for what, function in (("cond", cond), ("body", body)):
        if not callable(function):
            raise TypeError(f"{what} must be callable, got {function!r}")
    if not nest.is_nested(loop_vars) or not nest.flatten(loop_vars):
        raise ValueError(
            f"'loop_vars' must be a list, tuple or nest with at least one tensor, got {loop_vars!r}"
        )
    if parallel_iterations is not None and parallel_iterations < 1:
        raise TypeError("parallel_iterations must be a positive integer")
    symbolic = any(isinstance(v, SymbolicTensor) for v in _tensors_in(loop_vars))
    if current_graph() is None and not symbolic:
        result = _eagerly(cond, body, loop_vars, maximum_iterations)
    else:
        loop = _Loop(cond, body, loop_vars, shape_invariants)
        result = loop.record(maximum_iterations, name)
    return result if back_prop else nest.map_structure(
        stop_gradient, result, expand_composites=True
    )


def _arguments(values: Any) -> Sequence[Any]:
    """Return the arguments of ``cond`` and ``body``: entries of a sequence, or one nest."""
    return values if isinstance(values, list | tuple) else (values,)


def _returned(like: Any, result: Any) -> Any:
    """Bring the result of a body into the structure of the loop variables; else ValueError."""
    if isinstance(like, list | tuple) and len(like) == 1:
        alone = not isinstance(result, list | tuple) or (
            nest.is_nested(like[0]) and len(result) != 1
        )
        result = [result] if alone else result
    if isinstance(like, list | tuple) and isinstance(result, list | tuple):
        result = nest.rebuild(like, list(result)) if len(result) == len(like) else result
    try:
        nest.assert_same_structure(like, result)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"The body of a while_loop must return the structure of 'loop_vars': {error}"
        ) from None
    for before, after in zip(nest.flatten(like), nest.flatten(result), strict=True):
        if isinstance(before, Composite) or isinstance(after, Composite):
            _check_type(before, after)
    return result


def _check_type(before: Any, after: Any) -> None:
    """Raise ValueError unless two values made of tensors differ in their tensors only."""
    same = type(before) is type(after) and before._type_key() == after._type_key()
    if not same:
        raise ValueError(
            "The body of a while_loop must return the types of 'loop_vars': "
            f"{before!r} enters the loop, {after!r} comes after one iteration"
        )


def _tensors_in(values: Any) -> list[Any]:
    return nest.flatten(values, expand_composites=True)


def _eagerly(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, maximum: Any
) -> Any:
    iterations = 0
    values = _as_tensors(loop_vars)  # as they are in a graph
    while cond(*_arguments(values)) and (maximum is None or iterations < maximum):
        values = _returned(loop_vars, body(*_arguments(values)))
        values = _as_tensors(values)
        iterations += 1
    return values


def _as_tensors(values: Any) -> Any:
    return nest.map_structure(convert_to_tensor, values, expand_composites=True)


class _Loop:
    """Loop to be recorded: its variables and their types."""

    def __init__(
        self, cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, invariants: Any
    ) -> None:
        self.cond = converted_in_turn(cond)
        self.body = converted_in_turn(body)
        self.like = loop_vars
        self.paths = [
            path for path, leaf in nest.flatten_with_paths(loop_vars) for _ in _tensors_in(leaf)
        ]
        self.start = [_strong(value) for value in _tensors_in(loop_vars)]
        self.specs = [TensorSpec(t.shape, t.dtype) for t in self.start]
        if invariants is not None:
            self._relax(_invariants(invariants, loop_vars))

    def _name(self, number: int) -> str:
        return f"loop_vars{subscripts(self.paths[number])}"

    def _relax(self, invariants: list[TensorShape | TensorSpec]) -> None:
        for number, (spec, invariant) in enumerate(zip(self.specs, invariants, strict=True)):
            shape = invariant.shape if isinstance(invariant, TensorSpec) else invariant
            if isinstance(invariant, TensorSpec) and invariant.dtype is not spec.dtype:
                raise TypeError(
                    f"The shape invariant specified for {self._name(number)} has dtype "
                    f"{invariant.dtype.name}, but the loop variable has dtype {spec.dtype.name}."
                )
            if not spec.shape.is_subtype_of(shape):
                raise ValueError(
                    f"The shape invariant specified for {self._name(number)} is not compatible "
                    f"with the initial shape of the loop variable. It enters the loop with shape "
                    f"{spec.shape}, but the specified shape invariant is {shape}."
                )
            self.specs[number] = TensorSpec(shape, spec.dtype)

    def _pack(self, values: Sequence[Any]) -> Any:
        return nest.pack_sequence_as(self.like, values, expand_composites=True)

    def record(self, maximum: Any, name: str | None) -> Any:
        """Trace condition and body and record the loop; return the final loop variables."""
        builder = WhileBuilder(
            lambda: [(spec, False) for spec in self.specs], self._name, Policy.STRICT,
            {"maximum_iterations": maximum},
        )  # fmt: skip

        def test(_: Any, values: Sequence[Any]) -> Any:
            going_on = convert_to_tensor(self.cond(*_arguments(self._pack(values))))
            if not going_on.dtype.is_bool:
                raise TypeError(
                    f"'cond' must return a bool tensor, got dtype {going_on.dtype.name}"
                )
            return going_on

        def iteration(_: Any, values: Sequence[Any]) -> list[Any]:
            result = self.body(*_arguments(self._pack(values)))
            return [_strong(v) for v in _tensors_in(_returned(self.like, result))]

        with recording_graph(*self.start):
            test_graph = builder.trace_test(test, "cond")
            body_graph = builder.trace_body(iteration)
            return self._pack(builder.record(test_graph, body_graph, self.start, name))


def _strong(value: Any) -> Any:
    """Convert a value to a tensor of the current graph that does not stand for a Python number."""
    graph = current_graph()
    tensor = convert_to_tensor(value.read_value() if isinstance(value, Variable) else value)
    return graph.as_tensor(tensor) if graph is not None else tensor


def _invariants(invariants: Any, like: Any) -> list[TensorShape | TensorSpec]:
    """Flatten the shape invariants; ValueError unless they have the structure of the variables."""
    leaves, structure = treedef.flatten(like, nest.is_composite)
    try:
        entries = structure.flatten_up_to(invariants, _has_entries)
    except StructureError:
        raise ValueError("'shape_invariants' must have the structure of 'loop_vars'") from None
    flat: list[TensorShape | TensorSpec] = []
    for entry, value in zip(entries, leaves, strict=True):
        if isinstance(value, Composite):
            flat += _of_fields(entry, value)
        elif nest.is_composite(value):
            flat += _of_parts(entry, value)
        else:
            flat.append(entry if isinstance(entry, TensorSpec) else TensorShape(entry))
    return flat


def _of_fields(entry: Any, value: Composite) -> Sequence[TensorShape | TensorSpec]:
    """Return shape invariants for the tensors of a value that knows its types, from a spec."""
    if not isinstance(entry, CompositeSpec) or entry._call_key() != value._call_key():
        raise ValueError(f"'shape_invariants' must have a type spec for {value!r}, got {entry!r}")
    return entry._tensors()


def _has_entries(kind: NodeType, data: Any, arity: int, value: Any) -> bool:
    return len(nest.entries(value)) == arity


def _of_parts(entry: Any, value: Any) -> Sequence[TensorShape]:
    """Return shape invariants for the tensors of a composite value.

    The invariant of IndexedSlices is the shape of its values.  In other composites the size of the
    first dimension of each tensor may change.
    """
    tensors = [convert_to_tensor(tensor) for tensor in nest.flatten(value)]
    if isinstance(value, IndexedSlices):
        shape = entry.shape if isinstance(entry, TensorSpec) else TensorShape(entry)
        rank = shape.rank
        head = TensorShape(None) if rank is None else shape[:1]
        return [shape, head, TensorShape([rank])][: len(tensors)]
    dims = [tensor.shape.dims for tensor in tensors]
    return [TensorShape([None, *d[1:]] if d else d) for d in dims]
