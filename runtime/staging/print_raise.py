"""Texts of staged values, made at run time: for ``print`` and for exceptions.

A value with staged parts becomes a *template*: a function from the parts' arrays to the value that
eager execution would have.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.diagnostics.runtime_exceptions import actual, is_stand_in, is_transient, like
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


def template(value: Any, parts: list[Value], leaf: Callable[[Any], Any]) -> Template:
    """Make the template of a value; its staged parts are appended to ``parts``.

    ``leaf`` converts a leaf that is not staged to what the template holds of it.
    """
    if is_stand_in(value):
        return lambda arrays: actual(value)
    if _is_staged(value):
        return _place(value, parts)
    apart = dismantle(value, _is_staged, leaf)
    if apart is None:
        return _constant(leaf(value))
    places = [_place(item, parts) for item in apart.leaves]
    rebuild = apart.rebuild
    return lambda arrays: rebuild([read(arrays) for read in places])


def _text(text: StagedText, parts: list[Value]) -> Template:
    fields = [template(value, parts, lambda kept: kept) for value in text.values()]
    return lambda arrays: text.format_with([field(arrays) for field in fields])


def _optional(value: StagedOptional, parts: list[Value]) -> Template:
    present = template(value.ag__present, parts, lambda kept: kept)
    inner = template(value.ag__value, parts, _Verbatim.of)
    return lambda arrays: inner(arrays) if present(arrays) else None


def _number(value: JoinedNumber, parts: list[Value]) -> Template:
    places = [_place(part, parts) for part in number_parts(value)]

    def chosen(arrays: list[Any]) -> Any:
        kind, *values = [read(arrays) for read in places]
        return value.ag__chosen(kind, values)

    return chosen


def _list(value: StagedList, parts: list[Value]) -> Template:
    prefix = as_staged_list(value).prefix
    number = len(parts)
    parts.append(prefix.handle)
    kind = kind_of(value)
    return lambda arrays: kind(
        python_list(prefix, arrays[number], lambda v, s: concrete(v, s.weak))
    )


def _map(value: StagedMap, parts: list[Value]) -> Template:
    kept = staged_map.with_handles(value, staged_map.handles(value))
    start = len(parts)
    parts += staged_map.handles(kept)
    end = len(parts)
    return lambda arrays: staged_map.python_map(
        kept, arrays[start:end], lambda v, s: concrete(v, s.weak)
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


def _constant(kept: Any) -> Template:
    return lambda arrays: kept


def _place(value: Any, parts: list[Value]) -> Template:
    if isinstance(value, StagedText):
        return _text(value, parts)
    if isinstance(value, StagedOptional):
        return _optional(value, parts)
    if isinstance(value, JoinedNumber):
        return _number(value, parts)
    if isinstance(value, StagedList):
        return _list(value, parts)
    if isinstance(value, StagedMap):
        return _map(value, parts)
    if isinstance(value, StagedChoice | StagedVariant):
        index = template(value.ag__index, parts, lambda kept: kept)
        sides = [template(one, parts, lambda kept: kept) for one in value.ag__alternatives]
        return lambda arrays: sides[index(arrays)](arrays)
    number = len(parts)
    if isinstance(value, Variable):
        parts.append(value.read_value())
        return lambda arrays: _Verbatim(*[value.described(arrays[number])] * 2)
    parts.append(value)
    if isinstance(value, SymbolicArray):
        return _array(value, number)
    weak = is_weak(value)
    return lambda arrays: concrete(arrays[number], weak)


def text_tensor(text: StagedText) -> SymbolicTensor:
    """Record a text once in a graph, as a tensor that stands for a Python ``str``."""
    home = dispatch.current()
    if text.kept is None or text.kept[0] is not home:
        parts: list[Value] = []
        made = _text(text, parts)
        render: Callable[..., str]
        try:
            render = JoinedText((described(text, iter(range(len(parts)))),), "", "")
        except Undescribed:

            def render(*arrays: Any) -> str:
                with dispatch.executing():
                    result: str = made(list(arrays))
                    return result

        tensor: SymbolicTensor = text_op(*parts, render=render)
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
    parts: list[Value] = []
    templates = [template(value, parts, _Verbatim.of) for value in values]

    def render(*arrays: Any) -> str:
        with dispatch.executing():
            return sep.join([str(made(list(arrays))) for made in templates]) + end

    numbers, shown = iter(range(len(parts))), [_as_shown(value) for value in values]
    try:
        text: Any = JoinedText(tuple([described(v, numbers) for v in shown]), sep, end)
    except Undescribed:
        text = render
    stream = StandardStream("stdout") if file is sys.stdout else file  # which may be redirected
    print_op(*parts, render=text, stream=stream)


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
    parts: list[Value] = []
    templates = [template(arg, parts, lambda value: value) for arg in exception.args]
    attributes = {
        name: template(value, parts, lambda kept: kept)
        for name, value in exception.__dict__.items()
    }

    known = not is_stand_in(exception)

    def make(*arrays: Any) -> BaseException:
        if not known:
            found: BaseException = actual(exception)
            return found
        values = list(arrays)
        given = {name: made(values) for name, made in attributes.items()}
        return like(exception, [made(values) for made in templates], given)

    maker: ExceptionMaker | None = described_exception(exception, parts) if known else None
    if maker is None:
        maker = ExceptionMaker(make, exception if known else None, parts)
    node = raise_op(*parts, make=maker)
    if isinstance(node, Operation):
        node.location = raised_location(exception)


def _mark_transient(graph: Any) -> None:
    """Note that a graph, and those around it, hold an exception of the outside world."""
    while isinstance(graph, FuncGraph):
        graph.transient = True
        graph = graph.outer
