"""Check of the Python objects that a traced function returns: calls may only share what is shared.

A call runs the graph and no Python, so an object that the function makes would be the same one on
every call, and hold what tracing put into it.  Used by state_trace.py.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from autograph import staging
from autograph.errors import ConcreteValueError, EffectError
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.types import treedef
from runtime.types.value import Value

IMMUTABLE = (
    bytes, range, type, enum.Enum, Fraction, Decimal, types.FunctionType,
    types.BuiltinFunctionType, types.EllipsisType, types.NotImplementedType, np.dtype,
)  # fmt: skip


def check_result(result: Any, heap: staging.TraceHeap, python: Any) -> Any:
    """Return a result; ConcreteValueError if it holds an object or a function made in the trace.

    Objects in nests of known size are refused where these become tensors (results.py).
    """
    try:
        leaves, layout = treedef.flatten(result)
    except EffectError as error:  # the function has returned: this line is its caller's
        error.where = staging.changed_line(result) or _line_of(python)
        raise
    if any(map(heap.holds_staged, layout.metadata)):
        raise _other_attributes(python)
    for leaf in leaves:
        if isinstance(leaf, staging.StagedList | staging.StagedMap):
            leaf = staging.without_references(leaf)
        if isinstance(leaf, staging.StagedArray):
            _check_known(leaf)
        elif isinstance(leaf, staging.StagedList):
            handle = staging.as_staged_list(leaf).prefix.handle
            for shared in _same_objects(leaf, handle.op):
                is_deque = staging.is_traced_deque(shared)
                if is_deque or not (heap.knows(shared) or _is_constant(shared)):
                    raise _made_while_tracing(shared, python)
        elif staging.is_traced_deque(leaf):
            check_result(leaf.items, heap, python)
        elif isinstance(leaf, staging.StagedMap):
            check_result([*map(staging.as_staged_list, staging.settled_map(leaf))], heap, python)
        elif isinstance(leaf, staging.StagedChoice | staging.StagedVariant):
            check_result(leaf.ag__alternatives, heap, python)
        elif isinstance(leaf, staging.StagedOptional):
            check_result(leaf.ag__value, heap, python)
        elif isinstance(leaf, types.FunctionType) and not (heap.knows(leaf) or _is_constant(leaf)):
            raise _made_while_tracing(leaf, python)
    return result


def _check_known(array: staging.StagedArray) -> None:
    """Raise the error of an array whose contents were known if an array of Python's were staged."""
    storage = array.storage
    if storage is None:
        return
    content = storage.content
    if isinstance(content, staging.StaleContent) and content.array is not None:
        storage.read(array)


def _same_objects(items: staging.StagedList, op: Operation) -> Iterator[Any]:
    """The Python objects that are the same ones in all items of a list, or in some.

    What stands for the values of an item is called an output of ``op``.
    """
    prefix = staging.as_staged_list(items).prefix
    if prefix.item is not None:
        item, next_item = (
            prefix.lift(
                [SymbolicTensor(op, 0, spec.tensor_spec, spec.weak) for spec in prefix.spec.entry]
            )
            for _ in range(2)
        )
        yield from _in_both(item, next_item, op)


def _in_both(item: Any, next_item: Any, op: Operation, in_attribute: bool = False) -> Iterator[Any]:
    """The objects in an item of a list that another item holds, too; and attributes that are
    unions, which nothing resolves when the list is made.
    """
    pairs = zip(treedef.flatten(item)[0], treedef.flatten(next_item)[0], strict=True)
    for mine, its in pairs:
        if isinstance(mine, staging.StagedUnion) and in_attribute:
            yield mine
        elif isinstance(mine, staging.StagedOptional):
            yield from _in_both(mine.ag__value, its.ag__value, op)
        elif isinstance(mine, staging.StagedVariant):
            yield from _in_both(mine.ag__alternatives, its.ag__alternatives, op)
        elif isinstance(mine, staging.StagedList):
            yield from _same_objects(mine, op)
        elif isinstance(mine, staging.StagedChoice):
            yield from mine.ag__alternatives
        elif mine is its or staging.is_traced_deque(mine):
            yield mine
        elif isinstance(attributes := getattr(mine, "__dict__", None), dict):
            for name, value in attributes.items():
                yield from _in_both(value, getattr(its, name), op, True)


def _is_constant(value: Any) -> bool:
    """Whether it makes no difference that calls share an object."""
    if isinstance(value, SymbolicTensor):
        return False  # an attribute of an object that is the same one in all items
    if isinstance(value, types.FunctionType):
        return not set(value.__code__.co_freevars) - {"ag__"} and not value.__defaults__
    return value is None or isinstance(value, (bool, int, float, complex, str, Value, *IMMUTABLE))


def _line_of(python: Any) -> tuple[str, int] | None:
    """Return the line where a function is defined; None if it is not written in Python."""
    code = getattr(python, "__code__", None)
    return None if code is None else (code.co_filename, code.co_firstlineno)


def _other_attributes(python: Any) -> ConcreteValueError:
    name = getattr(python, "__name__", "the function")
    return ConcreteValueError(
        f"{name}() returns an object with a staged attribute that is no field of its class",
        where=_line_of(python),
        help=f"make it a field, or return its value beside the object, or set it after {name}()",
    )


def _made_while_tracing(value: Any, python: Any) -> ConcreteValueError:
    name = getattr(python, "__name__", "the function")
    description = (
        "an object with an attribute that a staged value chooses"
        if isinstance(value, staging.StagedUnion)
        else "an object with staged attributes in a list or dict of staged length"
        if isinstance(value, SymbolicTensor)
        else f"a function, {value.__name__}, that uses variables of the call"
        if isinstance(value, types.FunctionType)
        else f"an object of class {type(value).__name__} that it makes"
    )
    return ConcreteValueError(
        f"{name}() returns {description}, and a call that runs the trace makes no new one",
        where=_line_of(python),
        help=f"return the values in it, as a tuple, or make it outside of {name}()",
    )
