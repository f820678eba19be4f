"""Arguments of direct calls: the checks of them, and what a run is given for them.

A rule for each kind of argument adds lines that take the general way (call_source.py) unless the
argument is as the one of the call that the text is made for; collections are taken apart by them.
Machine code is given Python's numbers and lists as they are, kernels are given arrays.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from runtime.eager.tensor import Tensor
from runtime.engine.llvm import kernel_types as ir
from runtime.functions.array_arguments import ARRAY, READ_ONLY, TENSOR
from runtime.functions.cache_key import EQUAL, OBJECT, codec_of
from runtime.functions.call_source import CallSource
from runtime.functions.list_layouts import depth_of, layout_of
from runtime.functions.number_arguments import (
    MAPS,
    FixedArgument,
    ListArgument,
    StagedNumber,
    refill,
)
from runtime.staging.values.lists import Layout
from runtime.types.dtypes import DType, bool_, float64, int64, string
from runtime.types.node_types import NODE_TYPES

MACHINE_TYPES: dict[DType, ir.Type] = {
    bool_: ir.BOOL, int64: ir.INT64, float64: ir.FLOAT64, string: ir.TEXT,
}  # fmt: skip
"""By dtype of a weak tensor: the type of the machine number that is the Python number."""

_CLASSES: dict[ir.Type | None, type] = {
    ir.BOOL: bool, ir.INT64: int, ir.FLOAT64: float, ir.TEXT: str,
}  # fmt: skip
_SEQUENCES = (list, tuple, deque)


class DirectArguments:
    """The arguments of one direct call, and the slots that it reads.

    inputs  the names of the arguments, or parts of them, that go in as tensors
    expressions  of what the run is given for them
    arrays  by name, the arrays that the call has
    containers  by name, how deep the lists, dicts and deques are nested, their items not counted
    """

    def __init__(self, trace: Any, source: CallSource, native: Any) -> None:
        """Begin without arguments; ``native`` is the machine code that is called, if any."""
        self.inputs: list[str] = []
        self.expressions: list[str] = []
        self.arrays: dict[str, np.ndarray[Any, Any]] = {}
        self.containers: dict[str, int] = {}
        self._trace = trace
        self._source = source
        self._takes: Sequence[ir.Type] | None = None
        """The types of what machine code is given."""
        self._borrowed: Collection[int] = ()
        """Positions of the arrays that the code neither keeps nor gives back."""
        self._layouts: dict[str, Layout] = {}
        """Of the numbers and lists that are given to machine code, by name."""
        self._count = len(trace.graph.inputs)
        """How many values a run takes."""
        if native is not None:
            from runtime.engine.llvm.native import non_escaping_params  # loaded by now

            self._takes = [register.type for register in native.module.entry.block.params]
            self._count = len(self._takes)
            if trace.returns_numbers:
                self._borrowed = non_escaping_params(native.module)

    @property
    def are_complete(self) -> bool:
        """Whether a run is given all that it takes."""
        return len(self.expressions) == self._count

    @property
    def text(self) -> str:
        """The expressions, as those of a call."""
        return ", ".join(self.expressions)

    def add(self, name: str, value: Any, staged: Any) -> bool:
        """Check an argument, or a part of one, which is ``staged`` as the trace takes it; whether
        it is of a kind that is written out.
        """
        if type(staged) is Tensor and isinstance(value, np.ndarray | np.generic):
            staged = value  # it was converted to the type that is declared
        if type(staged) is np.ndarray or isinstance(staged, np.generic):
            return self._array(name, staged)
        rule = _RULES.get(type(staged))
        if rule is None:
            rule = "_object" if NODE_TYPES[type(staged)] is None else "_nest"
        is_written: bool = getattr(self, rule)(name, value, staged)
        return is_written

    def _give(self, name: str, text: str) -> bool:
        """Let the run be given an expression for what has a name."""
        self.inputs.append(name)
        self.expressions.append(text)
        return True

    @property
    def _next(self) -> ir.Type | None:
        """The type of what machine code is given next; None for kernels, and after the last."""
        return None if self._takes is None or self.are_complete else self._takes[len(self.inputs)]

    # -- kinds of arguments -----------------------------------------------------------------------

    def _literal(self, name: str, value: Any, staged: Any) -> bool:
        if value is staged:
            self._source.check_literal(name, staged)
        return value is staged

    def _number(self, name: str, value: Any, staged: StagedNumber) -> bool:
        """Give a Python number or text, or the array of it."""
        cls, type_ = type(value), self._next
        self._source.check_class(name, cls)
        if self._takes is not None and not (type_ is ir.OBJECT and cls is str):
            self._layouts[name] = cls.__name__
            return _CLASSES.get(type_) is cls and self._give(name, name)
        if cls is int:
            self._source.miss_if(f"not {-(2**63)} <= {name} < {2**63}")
        return self._give(name, self._source.array_of(cls, name))

    def _tensor(self, name: str, value: Any, staged: Tensor) -> bool:
        array = staged._array
        if value is not staged or not self._fits(array):
            return False
        return self.give_tensor(name)

    def give_tensor(self, name: str) -> bool:
        """Give the array of a tensor of the type of the next input."""
        text = self._source.fresh("x")
        self._source.check_class(name, Tensor)
        self._source.line(f"{text} = {name}._array")
        placeholder = self._trace.graph.inputs[len(self.expressions)]
        dims, dtype = placeholder.shape.dims, np.dtype(placeholder.dtype.as_numpy_dtype)
        self._source.check_array(text, dtype, dims, dims == ())
        return self._give(name, text)

    def _fits(self, array: Any) -> bool:
        """Whether the next input is for arrays of such a dtype."""
        if self.are_complete or self._takes is not None and array.dtype.kind not in "biufc":
            return False
        placeholder = self._trace.graph.inputs[len(self.expressions)]
        is_same: bool = array.dtype == placeholder.dtype.as_numpy_dtype
        return is_same and array.dtype.isnative

    def _array(self, name: str, array: Any) -> bool:
        """Give an array or a scalar of NumPy."""
        if not self._fits(array) or array.dtype.kind not in "biufc":
            return False
        self._source.check_class(name, type(array))
        if not isinstance(array, np.ndarray):
            return self._give(name, name)
        position, kinds = len(self.expressions), self._trace.arrays.pattern
        kind = TENSOR if kinds is None else kinds[position]
        dims = self._trace.graph.inputs[position].shape.dims
        self._source.check_array(name, array.dtype, dims, False)
        if kind in (ARRAY, READ_ONLY):
            self._source.miss_if(f"{'not ' if kind == ARRAY else ''}{name}.flags.writeable")
        self.arrays[name] = array
        if self._takes is None or not self._trace.returns_numbers:
            return self._give(name, f"{name}.copy()")  # a result must not show later writes to it
        return position in self._borrowed and self._give(name, name)

    def _list(self, name: str, value: Any, staged: ListArgument) -> bool:
        """Give machine code a list or deque of any length."""
        items, type_ = self._items(name, value), self._next
        if not staged.layout or staged.layout != native_layout(type_):
            return False
        self._layouts[items], self.containers[name] = staged.layout, staged.depth
        self._source.check_items(items, staged.depth)
        return self._give(name, items)

    def _items(self, name: str, value: Any) -> str:
        """Check the class of a collection; return the name of it, or of the list of a deque."""
        self._source.check_class(name, type(value))
        if type(value) is not deque:
            return name
        self._source.miss_if(f"{name}.maxlen != {value.maxlen}")
        items = self._source.fresh("i")
        self._source.line(f"{items} = [*{name}]")
        return items

    def _container(self, name: str, value: Any, staged: FixedArgument) -> bool:
        items = self._items(name, value)
        if hasattr(value, "default_factory"):
            factory = self._source.known(value.default_factory, "f")
            self._source.miss_if(f"{name}.default_factory is not {factory}")
        self.containers[name] = 1
        return self._parts(items, value, staged.staged_items())

    def _nest(self, name: str, value: Any, staged: Any) -> bool:
        self._source.check_class(name, type(staged))
        return type(value) is type(staged) and self._parts(name, value, staged)

    def _parts(self, name: str, value: Any, staged: Any) -> bool:
        """Check the parts of a collection; its class is checked."""
        node: Any = NODE_TYPES[type(staged)]
        children, data, metadata = node.flatten(staged)
        keys, constant = range(len(children)), self._source.known
        if metadata is not None or node.composite:
            return False
        if type(value) in MAPS:
            order, kinds = constant(tuple(value), "o"), constant([*map(type, value)], "k")
            self._source.miss_if(f"tuple({name}) != {order} or [*map(type, {name})] != {kinds}")
            keys = node.keys(data, len(children))
        elif type(value) in _SEQUENCES or hasattr(value, "_make"):
            self._source.miss_if(f"len({name}) != {len(children)}")
            value = [*value]
        else:
            flat = self._source.fresh("n")
            self._source.line(f"{flat} = {constant(node.flatten, 'f')}({name})")
            self._source.miss_if(f"{flat}[1] != {constant(data, 'd')} or {flat}[2] is not None")
            self._source.miss_if(f"len({flat}[0]) != {len(children)}")
            name, value = f"{flat}[0]", node.flatten(value)[0]
        for key, child in zip(keys, children, strict=True):
            item = self._source.fresh("i")
            index = key if type(key) is int else constant(key, "c")
            self._source.line(f"{item} = {name}[{index}]")
            if not self.add(item, value[key], child):
                return False
        return True

    def _object(self, name: str, value: Any, staged: Any) -> bool:
        """Check an object by its identity, if calls need not keep it."""
        if value is not staged or codec_of(value) not in (OBJECT, EQUAL):
            return False
        try:
            reference = weakref.ref(value)
        except TypeError:
            return False
        self._source.check_class(name, type(value))  # so it is not None, as of an object that died
        self._source.miss_if(f"{name} is not {self._source.known(reference, 't')}()")
        return True

    # -- the rest of a call -----------------------------------------------------------------------

    def check_changes(self) -> None:
        """Take the general way where what the trace changes may be another argument, too."""
        trace = self._trace
        outside = [f"{self._source.known(ref, 'r')}()" for ref in trace.arrays.outside]
        for name in map(self.inputs.__getitem__, trace.arrays.written):
            for neighbour in [*[array for array in self.arrays if array != name], *outside]:
                shares = self._source.known(np.may_share_memory, "f")
                self._source.miss_if(f"{shares}({name}, {neighbour})")
        if trace.containers.written:
            self._source.check_distinct(self.containers)

    def check_sizes(self) -> str:
        """The expression that tells whether the code took all arguments: it is asked where the code
        raises an error as it does for arguments that do not fit.
        """
        fits = self._source.known(_Fit([*self._layouts.values()]), "f")
        return f"{fits}(({', '.join([*self._layouts, ''])}))"

    def write(self, number: int, contents: str) -> None:
        """Let a container among the arguments, given by its number, hold other contents."""
        name = [*self.containers][number]
        if depth_of(self._layouts.get(name, "")) == 1:
            self._source.line(f"{name}[:] = {contents}")
        else:
            self._source.line(f"{self._source.known(refill, 'f')}({name}, {contents})")


_RULES: dict[type, str] = {
    **dict.fromkeys((int, bool, str, bytes, float, type(None)), "_literal"),
    Tensor: "_tensor", StagedNumber: "_number", ListArgument: "_list", FixedArgument: "_container",
}  # fmt: skip
"""By class of what stands for an argument: what checks it."""


def native_layout(type: ir.Type | None) -> Layout | None:
    """Return the layout of the Python numbers, texts and lists of a type of machine code; None for
    other types.
    """
    if type in _CLASSES:  # a text, too, is a native list
        return _CLASSES[type].__name__
    if not isinstance(type, ir.NativeList):
        return None
    fields = [native_layout(field) for field in type.fields]
    if len(fields) == 1:
        return None if None in fields else fields
    return [(tuple, *fields)] if all(isinstance(field, str) for field in fields) else None


class _Fit:
    """Whether machine code took all arguments: their layouts fit, ints have 64 bits."""

    def __init__(self, layouts: Sequence[Layout]) -> None:
        self._layouts = layouts

    def __call__(self, values: Sequence[Any]) -> bool:
        """Compare the values with the layouts."""
        pairs = zip(self._layouts, values, strict=True)
        return all(layout_of(value) == layout and _are_short(value) for layout, value in pairs)


def _are_short(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_are_short, value))
    return not isinstance(value, int) or -(2**63) <= value < 2**63
