"""Calls of NumPy's functions on staged tensors: recorded as ops that mean the same (rules/),
or as the op ``call_numpy``.

The types of the results come from rules (result_types.py).
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError, EffectError
from autograph.staging import JoinedNumber, StagedList, StagedVariant
from runtime.eager.tensor import Tensor
from runtime.graph.operation import read
from runtime.ops import dispatch
from runtime.ops.array.constants import cast_op, convert_to_tensor
from runtime.ops.array.indexing import KeyInput
from runtime.ops.array.shape import reshape
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.python.call_numpy import (
    CHANGING,
    FLAT,
    FUNCTIONS,
    POSSIBLE_VIEWS,
    VIEWS,
    array_items,
)
from runtime.ops.python.call_numpy import call_numpy as call_numpy_op
from runtime.staging.numpy_arrays.lists import ListInput, kind_of, list_input
from runtime.staging.numpy_arrays.result_rules.operands import ArrayType
from runtime.staging.numpy_arrays.result_types import (
    gives_array,
    refusal,
    result_type,
    spec_of,
)
from runtime.staging.numpy_arrays.rules.operands import constant_unless_array, cut_off
from runtime.staging.numpy_arrays.rules.table import equivalent
from runtime.staging.numpy_arrays.symbolic_array import METHODS, SymbolicArray
from runtime.staging.python_numbers.calls import of_joined_number
from runtime.staging.values.lists import holds_joined_numbers, staged_list_of
from runtime.types.dtypes import DTYPE_OF_NUMPY, int64
from runtime.types.promotion import WEAK_DTYPE
from runtime.types.shapes import TensorSpec

_CHANGES_ITS_ARGUMENT = "out"
_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def call_numpy(name: str, *args: Any, **kwargs: Any) -> Any:
    """The result of a function of NumPy: tensors of NumPy's dtypes.

    Staged Python numbers among the arguments count as Python numbers.  ConcreteValueError where
    the type of the result cannot be known before a run.
    """
    joined = of_joined_number(call_numpy, name, args, kwargs)
    if joined is not NotImplemented:
        return joined
    place = _place_of_out(name)
    if place is not None and place < len(args):
        out = args[place:]
        if out[0] is not None:
            args, kwargs = args[:place], {**kwargs, _CHANGES_ITS_ARGUMENT: out}
        elif len(out) == 1:
            args = args[:place]
    if kwargs.get(_CHANGES_ITS_ARGUMENT) is not None:
        return _written_to(name, args, kwargs)
    staged: list[Any] = []
    template = _template((*args, *kwargs.values()), staged)
    inputs: list[Any] = [
        list_input(operand) if isinstance(operand, StagedList) else constant_unless_array(operand)
        for operand in staged
    ]
    if name.rpartition(".")[2] in FLAT:
        inputs = [x if isinstance(x, ListInput) else cut_off(x) for x in inputs]
    keywords = tuple(kwargs)
    kinds = tuple([kind_of(operand) for operand in inputs])
    scalars = {n for n, x in enumerate(staged) if type(x) is SymbolicArray and x.storage is None}
    outputs = equivalent(name, args, kwargs)
    if outputs is not None:
        is_scalar = outputs.shape.rank == 0
        is_array = is_scalar and gives_array(name, template, keywords, inputs, scalars)
        return _array(outputs, name, args, kwargs, is_array)
    result = result_type(name, template, keywords, inputs, scalars)
    results = (result,) if isinstance(result, ArrayType) else result
    specs = tuple([spec_of(name, part) for part in results])
    outputs = dispatch.apply(
        call_numpy_op, [x.handle if isinstance(x, ListInput) else x for x in inputs],
        {"function": name, "args": template, "keywords": keywords, "kinds": kinds,
         "specs": specs},
    )  # fmt: skip
    shared = [None if x.source is None else _memory_of(staged[x.source]) for x in results]
    if isinstance(result, ArrayType):
        if result.python is not None:
            return _python_number(outputs)
        return _array(outputs, name, args, kwargs, result.is_array, shared[0])
    arrays = [
        _shared_view(base, output, name) if base is not None
        else SymbolicArray.fresh(output, part.is_array or part.dims != ())
        for output, part, base in zip(
            [outputs] if len(specs) == 1 else outputs, results, shared, strict=True
        )
    ]  # fmt: skip
    return type(result)._make(arrays) if hasattr(result, "_make") else tuple(arrays)


def _memory_of(value: Any) -> SymbolicArray | None:
    """An argument, if it is an array with memory."""
    return value if type(value) is SymbolicArray and value.storage is not None else None


@functools.cache
def _place_of_out(name: str) -> int | None:
    """Where the array stands among the arguments that a function writes its result to."""
    function: Any = FUNCTIONS.get(name)
    if isinstance(function, np.ufunc):
        return function.nin
    owner, _, of_method = name.rpartition(".")
    if owner == "ndarray":  # a method takes what the function of its name takes
        function = getattr(np, of_method, function)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    places = [p.name for p in signature.parameters.values() if p.kind in _BY_PLACE]
    return places.index(_CHANGES_ITS_ARGUMENT) if _CHANGES_ITS_ARGUMENT in places else None


def _written_to(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The array that is given as ``out``, with the result of a function in it."""
    out = kwargs.pop(_CHANGES_ITS_ARGUMENT)
    out = out[0] if isinstance(out, tuple) and len(out) == 1 else out
    array = _changing(out, name)
    if "where" in kwargs:
        raise refusal(name, "it would write its result into an array, 'out'")
    result = call_numpy(name, *args, **kwargs)
    if not isinstance(FUNCTIONS[name], np.ufunc):
        _check_same_type(name, read(array).spec, read(result).spec)
    dtype, result_dtype = [np.dtype(operand.dtype.as_numpy_dtype) for operand in (array, result)]
    if not np.can_cast(result_dtype, dtype, "same_kind"):
        FUNCTIONS[name](*[np.ones((), result_dtype)] * len(args), out=np.empty((), dtype))
        raise TypeError(f"Cannot cast the output of {name}() from {result_dtype} to {dtype}")
    array.assign(Ellipsis, result)
    return array


def _check_same_type(name: str, out: TensorSpec, result: TensorSpec) -> None:
    """Refuse an array that a result would be converted to, by rules of each function's own."""
    dims = out.shape.dims
    if out.dtype is not result.dtype or dims is None or None in dims or dims != result.shape.dims:
        raise refusal(
            name, "it would write its result into an array, 'out', of another dtype or size"
        )


def _changing(array: Any, name: str) -> SymbolicArray:
    """An array that a function changes; EffectError for one of Python's, which is a constant."""
    if type(array) is SymbolicArray and array.storage is not None:
        return array
    if isinstance(array, np.ndarray):
        raise EffectError(
            f"{name}() would write a staged value to an array that tracing found as a constant",
            where=user_line(),
            help="pass the array as an argument, or change a copy: x.copy()",
        ).of(array)
    raise refusal(name, "what it changes is no array")


def change_array(name: str, array: Any, *args: Any, **kwargs: Any) -> None:
    """Call a function of NumPy's that changes an array."""
    changed = _changing(array, name)
    args = tuple([_listed(arg) if isinstance(arg, list) else arg for arg in args])
    result = read(call_numpy(f"changed.{name}", changed, *args, **kwargs))
    changed.assign(Ellipsis, SymbolicArray.fresh(result))


def _listed(items: list[Any]) -> Any:
    """The array of a list among the arguments: as an index, a list is no tuple."""
    inputs: list[Any] = []
    _template(items, inputs)
    return call_numpy("numpy.array", items) if inputs else np.array(items)


def _as_list(x: SymbolicArray) -> Any:
    """The list of the Python numbers that an array holds."""
    rank = x.shape.rank
    if rank == 0:
        return _as_number(x)
    if rank is None:
        raise refusal("ndarray.tolist", "the number of its axes is known only at run time")
    graph: Any = dispatch.current()
    kind = _KINDS[x.dtype.kind]
    handle = array_items(cast_op(graph.as_local(x.current()), dtype=WEAK_DTYPE[kind]), rank=rank)
    layout: Any = kind
    for _ in range(rank):
        layout = [layout]
    return staged_list_of(layout, handle)


def _as_number(x: SymbolicArray) -> Any:
    """The Python number that an array of one element holds."""
    if x.shape.rank != 0:
        raise refusal("ndarray.item", "the array has more than one axis: index it first")
    graph: Any = dispatch.current()
    return _python_number(graph.as_local(x.current()))


def _python_number(scalar: Any) -> Any:
    """The Python number that a scalar of a graph holds."""
    tensor = cast_op(scalar, dtype=WEAK_DTYPE[_KINDS[scalar.dtype.kind]])
    return dispatch.current().strengthen(tensor, tensor.dtype, weak=True)  # type: ignore[attr-defined]


_KINDS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}


METHODS.update({
    name.partition(".")[2]: functools.partial(call_numpy, name)
    for name in FUNCTIONS if name.startswith("ndarray.")
})  # fmt: skip
METHODS.update({
    name.partition(".")[2]: functools.partial(change_array, name)
    for name in CHANGING if name.startswith("ndarray.")
})  # fmt: skip
def _conjugated(x: SymbolicArray) -> Any:
    """``x.conj()``: of real numbers the array itself."""
    return call_numpy("ndarray.conj", x) if x.dtype.kind == "c" else x


METHODS["item"] = _as_number
METHODS["conj"] = METHODS["conjugate"] = _conjugated
METHODS["tolist"] = _as_list


def _array(
    tensor: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], is_array: bool,
    shared: SymbolicArray | None = None,
) -> Any:  # fmt: skip
    """The array that a function gives: a view of its first argument, if it is one for NumPy.

    Without axes it is a scalar, unless ``is_array``.  ``shared`` is the argument whose memory it
    may share although the function is none of those that give views.
    """
    short = name.rpartition(".")[2]
    base = args[0] if args else None
    is_scalar = tensor.shape.rank == 0 and not is_array
    is_view = not is_scalar and (short in VIEWS or short in POSSIBLE_VIEWS)
    if "copy" not in kwargs and len(args) <= _COPIES.get(short, 0):
        is_view = False
    if not is_view and shared is not None:
        return _shared_view(shared, tensor, name)
    if not is_view or type(base) is not SymbolicArray or base.storage is None:
        array = SymbolicArray.fresh(tensor, is_array)
        array.is_packed = short in _PACKED and "order" not in kwargs
        return array
    if short == "nan_to_num":
        raise refusal(name, "it would change its argument: 'copy'")
    if base.is_packed and short in ("ravel", "reshape") and not {*kwargs} - {"shape"}:
        if name.startswith("ndarray.") or len(args) <= 2:
            return _reshaped(base, tensor, lambda now: call_numpy(name, now, *args[1:], **kwargs))

    if short in POSSIBLE_VIEWS:
        return _shared_view(base, tensor, name)

    def derived(now: Any) -> Any:
        return read(call_numpy(name, now, *args[1:], **kwargs))

    def changed(now: Any, view_contents: Any) -> Any:
        raise _lost_view(name)

    return SymbolicArray.view_of(base, tensor, (derived, changed))


def _shared_view(base: SymbolicArray, tensor: Any, name: str) -> SymbolicArray:
    """What may share memory with an array: it is usable until one of both is changed."""

    def lost(*_: Any) -> Any:
        raise _lost_view(name)

    return SymbolicArray.view_of(base, tensor, (lost, lost))


def _reshaped(base: SymbolicArray, tensor: Any, reshaped: Callable[[Any], Any]) -> Any:
    """The view of an array without gaps that has another shape."""
    view = (
        lambda now: read(reshaped(now)),
        lambda now, view_contents: reshape(view_contents, shape_of(now, int64)),
    )
    reshaped_view = SymbolicArray.view_of(base, tensor, view)
    reshaped_view.is_packed = True
    return reshaped_view


_COPIES = {"array": 9, "astype": 2, "clip": 9, "nan_to_num": 1}
"""The functions among the possible views that copy: the number of arguments by place that may not
say otherwise."""
_PACKED = ("arange", "empty", "eye", "full", "identity", "linspace", "ones", "zeros")


def _lost_view(name: str) -> EffectError:
    return EffectError(
        f"an array is changed that {name}() shares memory with, or may share memory with",
        where=user_line(),
        help=f"change the array itself, by its own indices, and call {name}() after the change",
    )


def _unknown_dtype() -> ConcreteValueError:
    return ConcreteValueError(
        "an array would be made of a number that is an int on one path and a float on another, or "
        "of a value of several kinds, so that its dtype would depend on a staged value",
        where=user_line(),
        help="convert the number: float(x)",
    )


def _template(operand: Any, inputs: list[Any]) -> Any:
    """Arguments with their staged values taken out; sequences in them become tuples."""
    if isinstance(operand, JoinedNumber | StagedVariant) or holds_joined_numbers(operand):
        raise _unknown_dtype()
    if isinstance(operand, StagedList | Tensor):
        inputs.append(operand)
        return KeyInput(len(inputs) - 1)
    if isinstance(operand, slice):
        return slice(*[_template(b, inputs) for b in (operand.start, operand.stop, operand.step)])
    if isinstance(operand, list | tuple):
        return tuple([_template(item, inputs) for item in operand])
    if isinstance(operand, np.ndarray):
        return _template(convert_to_tensor(operand), inputs)
    return operand


def own_array(graph: Any, value: Any) -> Any:
    """What stands for a new array of Python's; itself if its dtype has no tensors."""
    if value.dtype not in DTYPE_OF_NUMPY:
        return value
    array = SymbolicArray.argument(graph.constant(value))
    array.is_packed = value.flags.c_contiguous
    return array
