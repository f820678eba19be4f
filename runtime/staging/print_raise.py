"""Texts of staged values, made at run time: for ``print`` and for exceptions.

A value with staged parts becomes a *template*: a function from the parts' arrays to the value that
eager execution would have.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.diagnostics.runtime_exceptions import (
    actual,
    attributes_of,
    is_stand_in,
    is_transient,
    like,
)
from autograph.diagnostics.user_frame import user_line
from autograph.errors import ConcreteValueError
from autograph.staging import (
    JoinedNumber,
    StagedChoice,
    StagedList,
    StagedMap,
    StagedOptional,
    StagedText,
    StagedUnion,
    StagedVariant,
    as_staged_list,
    dismantle,
    kind_of,
    number_parts,
)
from runtime.eager.tensor import wrap
from runtime.graph import raise_tracking
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import Operation, SymbolicTensor
from runtime.graph.python_values import as_python_value
from runtime.graph.text_templates import JoinedText
from runtime.ops import dispatch
from runtime.ops.control_flow.print_assert import (
    ExceptionMaker,
    StandardStream,
    print_op,
    raise_op,
)
from runtime.ops.string.strings import text_op
from runtime.staging.numpy_arrays.symbolic_array import SymbolicArray
from runtime.staging.values import maps as staged_map
from runtime.staging.values.descriptions import Undescribed, described, described_exception
from runtime.staging.values.lists import python_list
from runtime.state.variable import Variable
from runtime.types.dtypes import string
from runtime.types.promotion import is_weak
from runtime.types.source_location import raised_location
from runtime.types.value import Value

Template = Callable[[list[Any]], Any]


def concrete(array: Any, weak: bool) -> Any:
    """Return the value that an array stands for at run time: a tensor, or a Python number or text.
    """
    if not weak:
        return wrap(array)
    value = array.item() if hasattr(array, "item") else array
    return value.decode() if isinstance(value, bytes) else value


class _Verbatim:
    """Text of a value, taken when it was printed, as eager execution takes it."""

    def __init__(self, plain: str, quoted: str) -> None:
        self.plain, self.quoted = plain, quoted

    @classmethod
    def of(cls, value: Any) -> _Verbatim:
        """Take the texts of a value."""
        return cls(str(value), repr(value))

    def __str__(self) -> str:
        return self.plain

    def __repr__(self) -> str:
        return self.quoted


def _is_staged(value: Any) -> bool:
    if isinstance(value, Variable):
        return not value.is_concrete
    return isinstance(value, SymbolicTensor | StagedText | StagedUnion | StagedList | StagedMap)


def template(value: Any, tensors: list[Value], leaf: Callable[[Any], Any]) -> Template:
    """Make the template of a value; its staged parts are appended to ``tensors``.

    ``leaf`` converts a leaf that is not staged to what the template holds of it.
    """
    if is_stand_in(value):
        return _caught(value, tensors)
    if _is_staged(value):
        return _place(value, tensors)
    apart = dismantle(value, _is_staged, leaf)
    if apart is None:
        return _constant(leaf(value))
    places = [_place(item, tensors) for item in apart.leaves]
    rebuild = apart.rebuild
    return lambda arrays: rebuild([read(arrays) for read in places])


def _caught(stand_in: BaseException, tensors: list[Value]) -> Template:
    """The exception that a handler handles; machine code, which makes none where it can do without
    one, gives the handler what the exception holds.
    """
    args = [template(arg, tensors, _as_it_is) for arg in stand_in.args]
    attributes = {
        name: template(value, tensors, _as_it_is)
        for name, value in attributes_of(stand_in).items()
    }

    def exception(arrays: list[Any]) -> BaseException:
        handled: BaseException = actual(stand_in)
        if handled is not stand_in:
            return handled
        values = {name: read(arrays) for name, read in attributes.items()}
        return like(stand_in, [read(arrays) for read in args], values)

    return exception


def _text(text: StagedText, tensors: list[Value]) -> Template:
    fields = [template(value, tensors, _as_it_is) for value in text.values()]
    return lambda arrays: text.format_with([field(arrays) for field in fields])


def _optional(value: StagedOptional, tensors: list[Value]) -> Template:
    present = template(value.ag__present, tensors, _as_it_is)
    inner = template(value.ag__value, tensors, _Verbatim.of)
    return lambda arrays: inner(arrays) if present(arrays) else None


def _number(value: JoinedNumber, tensors: list[Value]) -> Template:
    places = [_place(number, tensors) for number in number_parts(value)]

    def chosen(arrays: list[Any]) -> Any:
        kind, *values = [read(arrays) for read in places]
        return value.ag__chosen(kind, values)

    return chosen


def _list(value: StagedList, tensors: list[Value]) -> Template:
    prefix = as_staged_list(value).prefix
    number = len(tensors)
    tensors.append(prefix.handle)
    kind = kind_of(value)
    return lambda arrays: kind(
        python_list(prefix, arrays[number], lambda v, s: concrete(v, s.weak))
    )


def _map(value: StagedMap, tensors: list[Value]) -> Template:
    own_map = staged_map.with_handles(value, staged_map.handles(value))
    start = len(tensors)
    tensors += staged_map.handles(own_map)
    end = len(tensors)
    return lambda arrays: staged_map.python_map(
        own_map, arrays[start:end], lambda v, s: concrete(v, s.weak)
    )


def _array(value: SymbolicArray, number: int) -> Template:
    """NumPy's array or scalar."""
    if value.dtype is string:
        raise ConcreteValueError(
            "the text of an array of texts is not staged: whether they are str or bytes is not "
            "known at run time",
            where=user_line(),
            help="print runtime.convert_to_tensor(x), or do it outside of the staged function",
        )
    key = () if value.storage is None else Ellipsis
    return lambda arrays: np.asarray(arrays[number])[key]


def _as_it_is(value: Any) -> Any:
    return value


def _constant(constant: Any) -> Template:
    return lambda arrays: constant


def _place(value: Any, tensors: list[Value]) -> Template:
    if isinstance(value, StagedText):
        return _text(value, tensors)
    if isinstance(value, StagedOptional):
        return _optional(value, tensors)
    if isinstance(value, JoinedNumber):
        return _number(value, tensors)
    if isinstance(value, StagedList):
        return _list(value, tensors)
    if isinstance(value, StagedMap):
        return _map(value, tensors)
    if isinstance(value, StagedChoice | StagedVariant):
        index = template(value.ag__index, tensors, _as_it_is)
        sides = [template(side, tensors, _as_it_is) for side in value.ag__alternatives]
        return lambda arrays: sides[index(arrays)](arrays)
    number = len(tensors)
    if isinstance(value, Variable):
        tensors.append(value.read_value())
        return lambda arrays: _Verbatim(*[value.described(arrays[number])] * 2)
    tensors.append(value)
    if isinstance(value, SymbolicArray):
        return _array(value, number)
    weak = is_weak(value)
    return lambda arrays: concrete(arrays[number], weak)


def text_tensor(text: StagedText) -> SymbolicTensor:
    """Record a text once in a graph, as a tensor that stands for a Python ``str``."""
    home = dispatch.current()
    if text.kept is None or text.kept[0] is not home:
        tensors: list[Value] = []
        text_of_arrays = _text(text, tensors)
        render: Callable[..., str]
        try:
            render = JoinedText((described(text, iter(range(len(tensors)))),), "", "")
        except Undescribed:

            def render(*arrays: Any) -> str:
                with dispatch.executing():
                    result: str = text_of_arrays(list(arrays))
                    return result

        tensor: SymbolicTensor = text_op(*tensors, render=render)
        text.kept = home, as_python_value(tensor)
    result: SymbolicTensor = text.kept[1]
    return result


def _as_tensor(value: StagedText, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
    return text_tensor(value) if dtype in (None, string) else NotImplemented


dispatch.register_tensor_conversion_function(StagedText, _as_tensor)


def print_values(values: Sequence[Any], sep: Any, end: Any, file: Any) -> None:
    """Record a print of what Python's ``print`` would print of the concrete values.

    ``sep`` and ``end`` are texts, which may be staged.
    """
    if type(sep) is not str or type(end) is not str:
        around = [sep] * (2 * len(values) - 1)
        around[::2] = values
        values, sep, end = [*around, end], "", ""
    tensors: list[Value] = []
    templates = [template(value, tensors, _Verbatim.of) for value in values]

    def render(*arrays: Any) -> str:
        with dispatch.executing():
            return sep.join([str(text(list(arrays))) for text in templates]) + end

    numbers, shown = iter(range(len(tensors))), [_as_shown(value) for value in values]
    try:
        text: Any = JoinedText(tuple([described(v, numbers) for v in shown]), sep, end)
    except Undescribed:
        text = render
    stream = StandardStream("stdout") if file is sys.stdout else file  # which may be redirected
    print_op(*tensors, render=text, stream=stream)


def _as_shown(value: Any) -> Any:
    """Return a value that is staged, or the text that print shows of others."""
    staged = _is_staged(value) or is_stand_in(value) or dismantle(value, _is_staged, str)
    return value if staged else str(value)


def raise_exception(exception: BaseException) -> None:
    """Record the raising of an exception of the same class and arguments, made concrete."""
    graph: Any = dispatch.current()
    raise_tracking.record_raise(graph, exception)
    if is_transient(exception):
        _mark_transient(graph)
    tensors: list[Value] = []
    templates = [template(arg, tensors, lambda value: value) for arg in exception.args]
    attributes = {
        name: template(value, tensors, lambda value_of: value_of)
        for name, value in exception.__dict__.items()
    }

    is_known = not is_stand_in(exception)

    def make(*arrays: Any) -> BaseException:
        if not is_known:
            concrete: BaseException = actual(exception)
            return concrete
        values = list(arrays)
        attribute_values = {name: value_of(values) for name, value_of in attributes.items()}
        return like(exception, [value_of(values) for value_of in templates], attribute_values)

    maker: ExceptionMaker | None = described_exception(exception, tensors) if is_known else None
    if maker is None:
        maker = ExceptionMaker(make, exception if is_known else None, tensors)
    node = raise_op(*tensors, make=maker)
    if isinstance(node, Operation):
        node.location = raised_location(exception)


def _mark_transient(graph: Any) -> None:
    """Note that a graph, and those around it, hold an exception of the outside world."""
    while isinstance(graph, FuncGraph):
        graph.transient = True
        graph = graph.outer
