"""Calls of NumPy's functions on staged tensors: recorded as the op ``call_numpy``.

The types of the results come from examples: the function is called on small arrays of the inputs'
dtypes and ranks, in two sets of sizes, which tells the sizes of the results that depend on none.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograph import staging
from autograph.errors import ConcreteValueError, EffectError
from autograph.staging import JoinedNumber, StagedList, user_line
from runtime.eager.tensor import Tensor
from runtime.graph.python_call import local_tensor, of_joined_number
from runtime.graph.staged_list import ListSpec, holds_joined_numbers, staged_list_of
from runtime.graph.symbolic_array import METHODS, SymbolicArray, read
from runtime.ops import dispatch
from runtime.ops.array.constants import cast_op, convert_to_tensor
from runtime.ops.array.indexing import KeyInput
from runtime.ops.array.shape import reshape
from runtime.ops.array.shape import shape as shape_of
from runtime.ops.python.call_numpy import (
    CHANGING,
    FUNCTIONS,
    POSSIBLE_VIEWS,
    VALUES_SHAPE,
    VIEWS,
    array_items,
    result_of,
)
from runtime.ops.python.call_numpy import call_numpy as call_numpy_op
from runtime.ops.python.call_python import python_value
from runtime.types.dtypes import DTYPE_OF_NUMPY, DType, int64, string, variant
from runtime.types.promotion import KINDS, WEAK_DTYPE
from runtime.types.shapes import SCALAR_SHAPE, UNKNOWN_SHAPE, TensorShape, TensorSpec

_EXACT = 8
"""Sizes up to this one stand in the examples as they are."""
_SIZES = ((9, 11, 13, 17, 19, 23), (10, 12, 15, 18, 21, 26))
"""What stands for larger and for unknown sizes, in either set of examples."""
_CHANGES_ITS_ARGUMENT = "out"
_NUMBERS: dict[str, Any] = {"bool": True, "float": 1.5, "complex": 1.5 + 1j}
"""What stands for staged Python numbers."""
_INTS = ((2, 4), (3, 1))
"""What may stand for staged ints: they may decide sizes, so the sets of examples have others."""


def call_numpy(name: str, *args: Any, **kwargs: Any) -> Any:
    """The result of a function of NumPy: tensors of NumPy's dtypes.

    Staged Python numbers among the arguments count as Python numbers.  ConcreteValueError where
    the type of the result cannot be known before a run.
    """
    joined = of_joined_number(call_numpy, name, args, kwargs)
    if joined is not NotImplemented:
        return joined
    inputs: list[Any] = []
    template = _template((*args, *kwargs.values()), inputs)
    keywords = tuple(kwargs)
    numbers = tuple([isinstance(part, _ListInput) or part.weak for part in inputs])
    count = getattr(FUNCTIONS.get(name), "nin", len(args))
    if len(args) > count:  # of NumPy's elementwise functions: where the result goes
        args, kwargs = args[:count], {**kwargs, _CHANGES_ITS_ARGUMENT: args[count:]}
    if kwargs.get(_CHANGES_ITS_ARGUMENT) is not None:
        return _written_to(name, args, kwargs)
    example, specs = _result_specs(name, template, keywords, inputs)
    found = dispatch.apply(
        call_numpy_op, [part.handle if isinstance(part, _ListInput) else part for part in inputs],
        {"function": name, "args": template, "keywords": keywords, "numbers": numbers,
         "specs": specs},
    )  # fmt: skip
    if type(example) in _PYTHONS:
        return _python_number(found)
    if not isinstance(example, tuple):
        return _array(found, name, args, kwargs)
    parts = [SymbolicArray.fresh(part) for part in ([found] if len(specs) == 1 else found)]
    return type(example)._make(parts) if hasattr(example, "_make") else tuple(parts)


def _written_to(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The array that is given as ``out``, with the result of a function in it."""
    out = kwargs.pop(_CHANGES_ITS_ARGUMENT)
    out = out[0] if isinstance(out, tuple) and len(out) == 1 else out
    array = _changing(out, name)
    if not isinstance(FUNCTIONS[name], np.ufunc) or "where" in kwargs:
        raise _refusal(name, "it would write its result into an array, 'out'")
    result = call_numpy(name, *args, **kwargs)
    own, made = [np.dtype(one.dtype.as_numpy_dtype) for one in (array, result)]
    if not np.can_cast(made, own, "same_kind"):
        FUNCTIONS[name](*[np.ones((), made)] * len(args), out=np.empty((), own))
        raise TypeError(f"Cannot cast the output of {name}() from {made} to {own}")
    array.assign(Ellipsis, result)
    return array


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
    raise _refusal(name, "what it changes is no array")


def change_array(name: str, array: Any, *args: Any, **kwargs: Any) -> None:
    """Call a function of NumPy's that changes an array."""
    changed = _changing(array, name)
    result = read(call_numpy(f"changed.{name}", changed, *args, **kwargs))
    changed.assign(Ellipsis, SymbolicArray.fresh(result))


def _as_list(x: SymbolicArray) -> Any:
    """The list of the Python numbers that an array holds."""
    rank = x.shape.rank
    if rank == 0:
        return _as_number(x)
    if rank is None:
        raise _refusal("ndarray.tolist", "the number of its axes is known only at run time")
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
        raise _refusal("ndarray.item", "the array has more than one axis: index it first")
    graph: Any = dispatch.current()
    return _python_number(graph.as_local(x.current()))


def _python_number(scalar: Any) -> Any:
    """The Python number that a scalar of a graph holds."""
    tensor = cast_op(scalar, dtype=WEAK_DTYPE[_KINDS[scalar.dtype.kind]])
    return dispatch.current().strengthen(tensor, tensor.dtype, weak=True)  # type: ignore[attr-defined]


_PYTHONS = (bool, int, float, complex)
_KINDS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}


METHODS.update({
    name.partition(".")[2]: functools.partial(call_numpy, name)
    for name in FUNCTIONS if name.startswith("ndarray.")
})  # fmt: skip
METHODS.update({
    name.partition(".")[2]: functools.partial(change_array, name)
    for name in CHANGING if name.startswith("ndarray.")
})  # fmt: skip
METHODS["item"] = _as_number
METHODS["tolist"] = _as_list


def _array(tensor: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The array that a function gives: a view of its first argument, if it is one for NumPy."""
    short = name.rpartition(".")[2]
    base = args[0] if args else None
    is_view = short in VIEWS or short in POSSIBLE_VIEWS
    if "copy" not in kwargs and len(args) <= _COPIES.get(short, 0):
        is_view = False
    if not is_view or type(base) is not SymbolicArray or base.storage is None:
        made = SymbolicArray.fresh(tensor)
        made.is_packed = short in _PACKED and "order" not in kwargs
        return made
    if short == "nan_to_num":
        raise _refusal(name, "it would change its argument: 'copy'")
    if base.is_packed and short in ("ravel", "reshape") and not {*kwargs} - {"shape"}:
        if name.startswith("ndarray.") or len(args) <= 2:
            return _reshaped(base, tensor, lambda now: call_numpy(name, now, *args[1:], **kwargs))

    def derived(now: Any) -> Any:
        if short in POSSIBLE_VIEWS:
            raise _lost_view(name)
        return read(call_numpy(name, now, *args[1:], **kwargs))

    def changed(now: Any, part: Any) -> Any:
        raise _lost_view(name)

    return SymbolicArray.view_of(base, tensor, (derived, changed))


def _reshaped(base: SymbolicArray, tensor: Any, reshaped: Callable[[Any], Any]) -> Any:
    """The view of an array without gaps that has another shape."""
    view = (
        lambda now: read(reshaped(now)),
        lambda now, part: reshape(part, shape_of(now, int64)),
    )
    made = SymbolicArray.view_of(base, tensor, view)
    made.is_packed = True
    return made


_COPIES = {"array": 9, "astype": 2, "clip": 9, "nan_to_num": 1}
"""The functions among the possible views that copy: the number of arguments by place that may not
say otherwise."""
_PACKED = ("arange", "empty", "eye", "full", "identity", "linspace", "ones", "zeros")


def _lost_view(name: str) -> EffectError:
    return EffectError(
        f"an array is changed that {name}() shares memory with, or may share memory with",
        where=user_line(),
        help=f"copy the result of {name}(): add .copy()",
    )


def _refusal(name: str, why: str) -> ConcreteValueError:
    return ConcreteValueError(
        f"{name}() of staged values cannot be staged: {why}",
        where=user_line(),
        help="use an operation of runtime that does the same, or call it outside of the function",
    )


def _unknown_dtype() -> ConcreteValueError:
    return ConcreteValueError(
        "an array would be made of a number that is an int on one path and a float on another, so "
        "that its dtype would depend on a staged value",
        where=user_line(),
        help="convert the number: float(x)",
    )


def _template(part: Any, inputs: list[Any]) -> Any:
    """Arguments with their staged values taken out; sequences in them become tuples."""
    if isinstance(part, JoinedNumber) or holds_joined_numbers(part):
        raise _unknown_dtype()
    if isinstance(part, StagedList):
        prefix = staging.as_staged_list(part).prefix
        inputs.append(_ListInput(prefix.handle, prefix.spec))
        return KeyInput(len(inputs) - 1)
    part = read(part)
    if isinstance(part, Tensor):
        inputs.append(local_tensor(part))
        return KeyInput(len(inputs) - 1)
    if isinstance(part, slice):
        return slice(*[_template(b, inputs) for b in (part.start, part.stop, part.step)])
    if isinstance(part, list | tuple):
        return tuple([_template(item, inputs) for item in part])
    if isinstance(part, np.ndarray):
        return _template(convert_to_tensor(part), inputs)
    return part


class _ListInput(NamedTuple):
    """Staged list among the inputs."""

    handle: Any
    spec: ListSpec
    dtype: DType = variant
    shape: TensorShape = SCALAR_SHAPE

    def example(self, count: int) -> list[Any]:
        """A list of ``count`` items; TypeError for a list of tuples of different kinds."""
        (entry,) = self.spec.entry
        if isinstance(entry, ListSpec):
            return [_ListInput(self.handle, entry).example(count)] * count
        if not entry.weak:
            return [np.ones(entry.shape.as_list(), entry.dtype.as_numpy_dtype)] * count
        return [_NUMBERS.get(KINDS[entry.dtype], count)] * count


# -- the types of results --------------------------------------------------------------------------


def _result_specs(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any]
) -> tuple[Any, tuple[TensorSpec, ...]]:
    """An example of what a function gives, and the types."""
    if any(tensor.dtype is string or tensor.shape.rank is None for tensor in inputs):
        raise _refusal(name, "it is given texts, or a tensor of unknown rank")
    sizes = [_stand_ins(inputs, numbers) for numbers in _SIZES]
    found, error = _examples(name, template, keywords, inputs, sizes)
    if found is None and all(None not in known for known in sizes):
        sizes = [{}, {}]  # the sizes as they are: they may have to fit numbers among the arguments
        found, error = _examples(name, template, keywords, inputs, sizes)
        if error is not None:
            raise error  # as NumPy would
    if found is None:
        raise _refusal(name, f"no example tells the type of its result ({error})")
    parts = [result if isinstance(result, tuple) else (result,) for result in found]
    pairs = zip(*parts, strict=True)
    return found[0], tuple([_spec(name, one, other, sizes) for one, other in pairs])


def _examples(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any],
    sizes: Sequence[dict[Any, int]],
) -> tuple[list[Any] | None, Exception | None]:  # fmt: skip
    """The results for both sets of examples, or why there are none."""
    found = []
    for number, stand_ins in enumerate(sizes):
        result, error = _example_result(name, template, keywords, inputs, stand_ins, number)
        if result is None:
            return None, error
        found.append(result)
    return found, None


def _stand_ins(inputs: Sequence[Any], numbers: Sequence[int]) -> dict[Any, int]:
    """What stands for each size that is not taken as it is; all unknown sizes are taken as one."""
    sizes = {size for tensor in inputs for size in tensor.shape.dims}
    known = sorted(size for size in sizes if size is not None and size > _EXACT)
    chosen = itertools.chain(numbers, itertools.count(29 + numbers[0] % 2, 2))
    return {size: next(chosen) for size in [*known, *([None] if None in sizes else [])]}


def _example_result(
    name: str, template: tuple[Any, ...], keywords: tuple[str, ...], inputs: Sequence[Any],
    stand_ins: dict[Any, int], number: int,
) -> tuple[Any, Exception | None]:  # fmt: skip
    """The result for examples, or why there is none."""
    error: Exception | None = None
    for fill, whole in itertools.product(_FILLINGS, _INTS[number]):
        values = [_example(tensor, stand_ins, fill, whole) for tensor in inputs]
        try:
            with np.errstate(all="ignore"):
                return result_of(name, template, keywords, values), None
        except Exception as failure:  # NumPy's own, of a call that the user's program makes
            error = error or failure
    return None, error


def _example(
    tensor: Any, stand_ins: dict[Any, int], fill: Callable[..., Any], whole: int
) -> Any:
    """A value of a tensor's type; the value itself, if it is known."""
    if isinstance(tensor, _ListInput):
        return tensor.example(whole)
    if tensor.spec.value is not None:
        value = np.asarray(tensor.spec.value)
        return python_value(value) if tensor.weak else value
    dtype = tensor.dtype.as_numpy_dtype
    shape = tuple([stand_ins.get(size, size) for size in tensor.shape.dims])
    if tensor.weak:
        return _NUMBERS.get(KINDS[tensor.dtype], whole)
    return fill(shape, np.dtype(dtype))


def _regular(shape: tuple[int, ...], dtype: Any) -> Any:
    """Numbers of which most matrices are regular."""
    count = int(np.prod(shape))
    numbers = (np.arange(count) * 7 % 11 + 1.25) / 4
    return numbers.reshape(shape).astype(dtype) if dtype.kind in "fc" else (
        (np.arange(count) % 3).reshape(shape).astype(dtype)
    )


def _identity(shape: tuple[int, ...], dtype: Any) -> Any:
    """Identity matrices, which are positive definite; small numbers else."""
    if len(shape) < 2:
        return np.ones(shape, dtype)
    return np.broadcast_to(np.eye(*shape[-2:], dtype=dtype), shape).copy()


_FILLINGS = (_regular, _identity)


def _spec(name: str, one: Any, other: Any, sizes: Sequence[dict[Any, int]]) -> TensorSpec:
    """The type of a result: sizes that both sets of examples explain, else unknown ones."""
    first, second = np.asarray(one), np.asarray(other)
    dtype = DTYPE_OF_NUMPY.get(first.dtype)
    if dtype is None or first.dtype != second.dtype or isinstance(one, list):
        raise _refusal(name, "its result is no array of a fixed dtype")
    if name.rpartition(".")[2] in VALUES_SHAPE:
        return TensorSpec(TensorShape([None] * first.ndim), dtype)
    if first.ndim != second.ndim:
        return TensorSpec(UNKNOWN_SHAPE, dtype)
    dims = list(_explained(first.shape, second.shape, sizes))
    return TensorSpec(TensorShape(dims), dtype)


def _explained(
    first: Sequence[int], second: Sequence[int], sizes: Sequence[dict[Any, int]]
) -> Iterator[int | None]:
    pairs = {(number, sizes[1][size]): size for size, number in sizes[0].items()}
    for pair in zip(first, second, strict=True):
        if pair in pairs:
            yield pairs[pair]
        else:
            yield pair[0] if pair[0] == pair[1] else None
