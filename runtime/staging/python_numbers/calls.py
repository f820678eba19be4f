"""Calls of Python's functions on staged numbers and texts, recorded as the op ``call_python``.

symbolic_numbers.py uses them for the methods of tensors that stand for Python values, and the room
``staging`` for the functions that converted code calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph import staging
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.staging import JoinedNumber, StagedList, StagedText, StagedUnion
from runtime.eager.tensor import Tensor
from runtime.graph.python_values import as_python_value, weak_constant
from runtime.ops import dispatch
from runtime.ops.array.constants import cast_op
from runtime.ops.array.indexing import KeyInput, map_key
from runtime.ops.python.call_python import call_python as call_python_op
from runtime.ops.python_functions import FUNCTIONS, METHODS
from runtime.ops.resource.lists import list_new
from runtime.staging.values.lists import holds_joined_numbers, staged_list_of
from runtime.types.dtypes import bool_, float64, int64, string
from runtime.types.promotion import KINDS

_STAGED = (Tensor, StagedText, StagedUnion)


def call_python(name: str, *args: Any, **kwargs: Any) -> Any:
    """Record a call of a function of the table ``FUNCTIONS``; return weak tensors.

    TypeError for a tensor that is no Python number where the function takes none.
    """
    outputs = of_joined_number(call_python, name, args, kwargs)
    if outputs is not NotImplemented:
        return outputs
    for arg in args:
        is_known = isinstance(arg, list | tuple) and not isinstance(arg, StagedList)
        inside = is_known and any(isinstance(item, JoinedNumber) for item in arg)
        if holds_joined_numbers(arg) or inside:
            raise ConcreteValueError(
                f"{name}() takes a list of numbers of one type, and these are an int on one path "
                "and a float on another",
                where=user_line(),
                help="convert the numbers, float(x), or write a loop",
            )
    function = FUNCTIONS[name]
    inputs: list[Any] = []
    kinds: list[str] = []

    def leaf(argument: Any) -> Any:
        if type(argument) is tuple and any(isinstance(item, _STAGED) for item in argument):
            return tuple(map(leaf, argument))
        value = _as_input(name, argument, function.strong)
        if value is None:  # a list as it is now: the program may change it
            return [*list.__iter__(argument)] if isinstance(argument, list) else argument
        inputs.append(value)
        return KeyInput(len(inputs) - 1)

    template: list[Any] = []
    for argument in (*args, *kwargs.values()):
        (filled,) = map_key((argument,), leaf)
        template.append(filled)
        kinds += _kinds(argument, inputs[filled.index] if isinstance(filled, KeyInput) else None)
    if not inputs:
        return function.function(*args, **kwargs)
    results = function.kinds(kinds)
    outputs = dispatch.apply(
        call_python_op, inputs,
        {"function": name, "args": tuple(template), "keywords": tuple(kwargs), "results": results},
    )  # fmt: skip
    if len(results) == 1:
        return _result(outputs, results[0])
    return tuple([_result(argument, kind) for argument, kind in zip(outputs, results, strict=True)])


def of_joined_number(
    call: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Make a call for each type of its first joined number; NotImplemented if it has none."""
    first = next((n for n, arg in enumerate(args) if isinstance(arg, JoinedNumber)), None)
    if first is None:
        return NotImplemented
    before, after = args[:first], args[first + 1 :]
    joined = args[first]
    return joined.ag__apply_to_each(lambda x: call(name, *before, x, *after, **kwargs))


def local_tensor(value: Any) -> Any:
    """Return a symbolic tensor as one of the graph that is being recorded, or of its own."""
    current: Any = dispatch.current()
    return (value.graph if current.eager else current).as_local(value)


def method(x: Any, name: str) -> Callable[..., Any] | None:
    """Return the bound method of a staged Python value; None if the table has none."""
    kind = KINDS[x.dtype]
    if name not in METHODS.get(kind, ()):
        return None
    return lambda *args, **kwargs: call_python(f"{kind}.{name}", x, *args, **kwargs)


def _as_input(name: str, value: Any, strong: bool) -> Any:
    """Convert a staged argument to an input of the op; return None for a constant."""
    if isinstance(value, StagedText):
        value = value.staged()
    if isinstance(value, StagedUnion):
        value = value.ag__operand()
    of_texts = name in ("str.startswith", "str.endswith")
    if of_texts and isinstance(value, StagedList) and staging.kind_of(value) is tuple:
        raise ConcreteValueError(
            f"{name.removeprefix('str.')}() takes a tuple of texts whose number is known",
            where=user_line(),
            help="loop over the texts, or ask any(s.startswith(x) for x in texts)",
        )
    if isinstance(value, StagedList):
        return staging.as_staged_list(value).prefix.handle
    if isinstance(value, list) and any(isinstance(item, Tensor) for item in value):
        items = [_as_input(name, item, strong) for item in value]
        graph = dispatch.current()  # as an item, a number would become a narrower tensor
        items = [
            weak_constant(graph, number) if item is None else item
            for number, item in zip(value, items)
        ]
        return list_new(*items, width=1, count=len(items))
    if not isinstance(value, Tensor):
        return None
    tensor = local_tensor(value)
    if tensor.weak:
        return tensor
    if not strong or tensor.dtype is string or tensor.dtype.is_complex:
        raise ConcreteValueError(
            f"{name}() takes Python values, and was given a tensor of dtype {tensor.dtype.name}",
            where=user_line(),
            help="use an operation of runtime, or runtime.jit, where numbers stay Python's",
        )
    if tensor.shape.rank != 0:
        raise TypeError(
            f"{name}() takes one number, and was given a tensor of shape {tensor.shape}: "
            "only length-1 arrays can be converted to Python scalars"
        )
    kind = bool_ if tensor.dtype.is_bool else int64 if tensor.dtype.is_integer else float64
    return as_python_value(cast_op(tensor, dtype=kind))


def _kinds(value: Any, tensor: Any) -> list[str]:
    """Return the name of the Python class of an argument, or of the items of a list."""
    if isinstance(value, StagedList):
        return [KINDS[spec.dtype] for spec in staging.as_staged_list(value).prefix.spec.entry]
    if isinstance(value, list | tuple):
        return [kind for item in value for kind in _kinds(item, item)]
    is_staged = isinstance(tensor, Tensor)
    return [KINDS.get(tensor.dtype, "float") if is_staged else type(value).__name__]


def _result(value: Any, kind: str) -> Any:
    return staged_list_of(["str"], value) if kind == "list" else as_python_value(value)
