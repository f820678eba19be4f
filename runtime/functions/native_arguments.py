"""Arguments of direct calls of machine code: the checks of them, and what the code is given.

A rule for each kind of argument adds lines that take the general way (call_source.py) unless the
argument is as the one of the call that the text is made for; collections are taken apart by them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.eager.tensor import Tensor
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.native import NativeCode, non_escaping_params
from runtime.functions.array_arguments import ARRAY, READ_ONLY, TENSOR
from runtime.functions.call_source import CallSource
from runtime.functions.list_layouts import layout_of
from runtime.functions.number_arguments import (
    DequeArgument,
    FixedArgument,
    ListArgument,
    MapArgument,
    StagedNumber,
)
from runtime.staging.values.lists import Layout
from runtime.types.conversion import to_array
from runtime.types.dtypes import DType, bool_, float64, int64, string
from runtime.types.node_types import NODE_TYPES

MACHINE_TYPES: dict[DType, ir.Type] = {
    bool_: ir.BOOL, int64: ir.INT64, float64: ir.FLOAT64, string: ir.TEXT,
}  # fmt: skip
"""By dtype of a weak tensor: the type of the machine number that is the Python number."""

_NAMED = {"bool": ir.BOOL, "int": ir.INT64, "float": ir.FLOAT64, "str": ir.TEXT}
_CLASSES: dict[ir.Type | None, type] = {
    ir.BOOL: bool, ir.INT64: int, ir.FLOAT64: float, ir.TEXT: str,
}  # fmt: skip

_KEYS = (str, int, bool)
"""Classes of the keys by which items of a dict are written out."""


class NativeArguments:
    """The arguments of one direct call.

    inputs  the names of the arguments, or parts of them, that go in as tensors
    expressions  of what the code is given for them
    arrays  by name, the arrays that the call has
    containers  by name, how deep the lists, dicts and deques are nested, their items not counted
                where these have names of their own
    """

    def __init__(self, trace: Any, native: NativeCode, source: CallSource) -> None:
        self.inputs: list[str] = []
        self.expressions: list[str] = []
        self.arrays: dict[str, Any] = {}
        self.containers: dict[str, int] = {}
        self._flat_lists: set[str] = set()
        """Names of lists of numbers, or of tuples of them, of any length."""
        self._layouts: dict[str, Layout] = {}
        """Of the numbers and lists, by name."""
        self._trace = trace
        self._takes = [register.type for register in native.module.entry.block.params]
        self._kept = non_escaping_params(native.module) if trace.returns_numbers else ()
        self._source = source

    @property
    def are_complete(self) -> bool:
        """Whether the code is given something for all of its parameters."""
        return len(self.expressions) == len(self._takes)

    def add(self, name: str, value: Any, staged: Any) -> bool:
        """Check an argument, or a part of one, which is ``staged`` as the trace takes it; whether
        it is of a kind that is written out.
        """
        rule = _RULES.get(type(staged))
        if rule is None and isinstance(staged, np.generic):
            rule = NativeArguments._scalar
        elif rule is None and isinstance(staged, tuple) and hasattr(staged, "_make"):
            rule = NativeArguments._nest
        return rule is not None and rule(self, name, value, staged)

    def give(self, name: str, text: str) -> bool:
        """Let the code be given an expression for what has a name."""
        self.inputs.append(name)
        self.expressions.append(text)
        return True

    def give_number(self, name: str, cls: type) -> bool:
        """Let the code be given the Python number of a class that has a name, if it fits."""
        type_ = self._next
        if type_ not in _CLASSES or _CLASSES[type_] is not cls:
            return False
        self._layouts[name] = cls.__name__
        return self.give(name, name)

    @property
    def _next(self) -> ir.Type | None:
        """The type of the next parameter; None after the last one."""
        return None if self.are_complete else self._takes[len(self.expressions)]

    @property
    def _is_own(self) -> bool:
        """Whether the next argument is an array that the code neither keeps nor gives back."""
        return len(self.expressions) in self._kept

    # -- kinds of arguments -----------------------------------------------------------------------

    def _literal(self, name: str, value: Any, staged: Any) -> bool:
        if value is staged:
            self._source.check_literal(name, staged)
        return value is staged

    def _number(self, name: str, value: Any, staged: StagedNumber) -> bool:
        self._source.check_class(name, type(value))
        if self._next is not ir.OBJECT:
            return self.give_number(name, type(value))
        if staged.dtype is not string:
            return False
        return self.give(name, f"{self._source.known(_text_array, 'f')}({name})")

    def _tensor(self, name: str, value: Any, staged: Tensor) -> bool:
        array = staged._array
        if self._trace.returns_numbers or not self._fits(array):
            return False
        text = self._source.fresh("x")
        self._source.check_class(name, Tensor)
        self._source.line(f"{text} = {name}._array")
        dims = self._trace.graph.inputs[len(self.expressions)].shape.dims
        self._source.check_array(text, array.dtype, dims, dims == ())
        return self.give(name, text)

    def _fits(self, array: Any) -> bool:
        """Whether the next parameter of the code is for arrays of such a dtype."""
        if self.are_complete:
            return False
        placeholder = self._trace.graph.inputs[len(self.expressions)]
        is_same = array.dtype == placeholder.dtype.as_numpy_dtype
        return is_same and array.dtype.isnative and array.dtype.kind in "biufc"

    def _scalar(self, name: str, value: Any, staged: np.generic) -> bool:
        if not self._fits(staged):
            return False
        self._source.check_class(name, type(staged))
        return self.give(name, name)

    def _array(self, name: str, value: Any, staged: np.ndarray[Any, Any]) -> bool:
        if not self._fits(staged):
            return False
        kinds = self._trace.arrays.pattern
        kind = TENSOR if kinds is None else kinds[len(self.expressions)]
        numbers = self._trace.returns_numbers
        if numbers and not self._is_own:
            return False
        dims = self._trace.graph.inputs[len(self.expressions)].shape.dims
        self._source.check_class(name, np.ndarray)
        self._source.check_array(name, staged.dtype, staged.shape if numbers else dims, False)
        if kind in (ARRAY, READ_ONLY):
            self._source.check_writeable(name, kind == ARRAY)
        self.arrays[name] = staged
        # a tensor that goes out must not show what the caller writes to the array later
        return self.give(name, name if numbers else f"{name}.copy()")

    def _list(self, name: str, value: Any, staged: ListArgument) -> bool:
        self._source.check_class(name, list)
        if _depth(staged.layout) == 1:
            self._flat_lists.add(name)
        return self._items(name, name, staged)

    def _items(self, name: str, items: str, staged: ListArgument) -> bool:
        """Check the list ``items`` of a list or deque."""
        type_ = self._next
        if type_ is None or not _takes_list(staged.layout, type_):
            return False
        self._layouts[items], depth = staged.layout, _depth(staged.layout)
        self.containers[name] = depth
        self._source.check_items(items, depth)
        return self.give(name, items)

    def _container(self, name: str, value: Any, staged: FixedArgument) -> bool:
        self._source.check_class(name, type(value))
        if type(staged) is MapArgument and hasattr(value, "default_factory"):
            factory = self._source.known(value.default_factory, "f")
            self._source.miss_if(f"{name}.default_factory is not {factory}")
        self.containers[name] = 1
        return self._parts(name, value, staged.staged_items())

    def _deque(self, name: str, value: deque[Any], staged: DequeArgument) -> bool:
        self._source.check_class(name, deque)
        self._source.miss_if(f"{name}.maxlen != {value.maxlen}")
        items = self._source.fresh("i")
        self._source.line(f"{items} = [*{name}]")
        if isinstance(staged.items, ListArgument):
            return self._items(name, items, staged.items)
        self.containers[name] = 1
        return self._parts(items, [*value], staged.items.staged_items())

    def _nest(self, name: str, value: Any, staged: Any) -> bool:
        self._source.check_class(name, type(staged))
        return type(value) is type(staged) and self._parts(name, value, staged)

    def _parts(self, name: str, value: Any, staged: Any) -> bool:
        """Check the parts of a collection; its class is checked."""
        node: Any = NODE_TYPES[type(staged)]
        children, data, _ = node.flatten(staged)
        keys = node.keys(data, len(children))
        if isinstance(value, dict):
            if not all(type(key) in _KEYS for key in value):
                return False
            order, kinds = tuple(value), [*map(type, value)]
            self._source.miss_if(
                f"tuple({name}) != {order!r} or [*map(type, {name})] != "
                f"{self._source.known(kinds, 'k')}"
            )
        else:
            self._source.miss_if(f"len({name}) != {len(children)}")
            value, keys = [*value], range(len(children))
        for key, child in zip(keys, children, strict=True):
            item = self._source.fresh("i")
            self._source.line(f"{item} = {name}[{key!r}]")
            if not self.add(item, value[key], child):
                return False
        return True

    # -- the rest of a call -----------------------------------------------------------------------

    def check_changes(self) -> None:
        """Take the general way where what the trace changes may be another argument, too."""
        trace = self._trace
        outside = [f"{self._source.known(ref, 'r')}()" for ref in trace.arrays.outside]
        for name in map(self.inputs.__getitem__, trace.arrays.written):
            other_arrays = [array for array in self.arrays if array != name]
            self._source.check_apart(name, [*other_arrays, *outside])
        if trace.containers.written:
            self._source.check_distinct(self.containers)

    def write(self, number: int, contents: str) -> None:
        """Let a container among the arguments, given by its number, hold other contents."""
        name = [*self.containers][number]
        self._source.write_list(name, contents, name not in self._flat_lists)

    def check_sizes(self) -> str:
        """The expression that tells whether the code took all arguments: it is asked where the code
        raises an error as it does for arguments that do not fit.
        """
        fits = self._source.known(_Fit([*self._layouts.values()]), "f")
        return f"{fits}(({', '.join([*self._layouts, ''])}))"


_RULES: dict[type, Any] = {
    int: NativeArguments._literal, bool: NativeArguments._literal,
    str: NativeArguments._literal, type(None): NativeArguments._literal,
    Tensor: NativeArguments._tensor, StagedNumber: NativeArguments._number,
    np.ndarray: NativeArguments._array, ListArgument: NativeArguments._list,
    FixedArgument: NativeArguments._container, MapArgument: NativeArguments._container,
    DequeArgument: NativeArguments._deque, tuple: NativeArguments._nest,
    list: NativeArguments._nest, dict: NativeArguments._nest,
}  # fmt: skip
"""By class of what stands for an argument: what checks it."""


def _text_array(text: str) -> Any:
    return to_array(text, string)


def _takes_list(layout: Layout, type: ir.Type) -> bool:
    """Return whether a native list has the layout of a list of numbers, of tuples of them, or of
    such lists.
    """
    if not isinstance(type, ir.NativeList) or not layout:
        return False
    (item,) = layout
    if isinstance(item, list):
        return len(type.fields) == 1 and _takes_list(item, type.fields[0])
    fields = item[1:] if isinstance(item, tuple) else (item,)
    if isinstance(item, tuple) and len(fields) < 2 or not all(isinstance(f, str) for f in fields):
        return False
    return tuple([_NAMED.get(field) for field in fields]) == type.fields


def _depth(layout: Layout) -> int:
    """Return how deep lists are nested."""
    return 1 + _depth(layout[0]) if isinstance(layout, list) else 0


class _Fit:
    """Whether machine code took all arguments: their layouts fit, ints have 64 bits."""

    def __init__(self, layouts: Sequence[Layout]) -> None:
        self._layouts = layouts

    def __call__(self, values: Sequence[Any]) -> bool:
        """Compare the values with the layouts."""
        return all(
            layout_of(value) == layout and _are_short(value)
            for layout, value in zip(self._layouts, values, strict=True)
        )


def _are_short(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_are_short, value))
    return not isinstance(value, int) or -(2**63) <= value < 2**63
