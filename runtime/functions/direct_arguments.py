"""Arguments of direct calls: the checks of them, and the arrays that a run is given.

A rule for each kind of argument adds lines that take the general way (call_source.py) unless the
argument is as the one of the call that the text is made for; collections are taken apart by them.
"""

from __future__ import annotations

import weakref
from collections import Counter, OrderedDict, defaultdict, deque
from typing import Any

import numpy as np

from runtime.eager.tensor import Tensor
from runtime.functions.array_arguments import ARRAY, READ_ONLY, TENSOR
from runtime.functions.cache_key import EQUAL, OBJECT, codec_of
from runtime.functions.call_source import CallSource
from runtime.functions.number_arguments import (
    DequeArgument,
    FixedArgument,
    ListArgument,
    StagedNumber,
)
from runtime.types.node_types import NODE_TYPES

_SEQUENCES = (list, tuple, deque)
_MAPS = (dict, OrderedDict, defaultdict, Counter)


class DirectArguments:
    """The arguments of one direct call, and the slots that it reads.

    inputs  the names of the arguments, or parts of them, that go in as tensors
    expressions  of what the run is given for them
    arrays  by name, the arrays that the call has
    containers  by name, how deep the lists, dicts and deques are nested, their items not counted
                where these have names of their own
    """

    def __init__(self, trace: Any, source: CallSource) -> None:
        self.inputs: list[str] = []
        self.expressions: list[str] = []
        self.arrays: dict[str, Any] = {}
        self.containers: dict[str, int] = {}
        self._trace = trace
        self._source = source
        self._count = len(trace.graph.inputs)
        """How many values a run takes."""

    @property
    def are_complete(self) -> bool:
        """Whether a run is given all that it takes."""
        return len(self.expressions) == self._count

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

    def give(self, name: str, text: str) -> bool:
        """Let the run be given an expression for what has a name."""
        self.inputs.append(name)
        self.expressions.append(text)
        return True

    # -- kinds of arguments -----------------------------------------------------------------------

    def _literal(self, name: str, value: Any, staged: Any) -> bool:
        if value is staged:
            self._source.check_literal(name, staged)
        return value is staged

    def _number(self, name: str, value: Any, staged: StagedNumber) -> bool:
        """Give the array of a Python number or text."""
        cls = type(value)
        self._source.check_class(name, cls)
        if cls is int:
            self._source.miss_if(f"not {-(2**63)} <= {name} < {2**63}")
        return self.give(name, self._source.array_of(cls, name))

    def _tensor(self, name: str, value: Any, staged: Tensor) -> bool:
        array = staged._array
        if value is not staged or not self._fits(array):
            return False
        text = self._source.fresh("x")
        self._source.check_class(name, Tensor)
        self._source.line(f"{text} = {name}._array")
        dims = self._trace.graph.inputs[len(self.expressions)].shape.dims
        self._source.check_array(text, array.dtype, dims, dims == ())
        return self.give(name, text)

    def _fits(self, array: Any) -> bool:
        """Whether the next input is for arrays of such a dtype."""
        if self.are_complete:
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
            return self.give(name, name)
        position, kinds = len(self.expressions), self._trace.arrays.pattern
        kind = TENSOR if kinds is None else kinds[position]
        text = self._array_text(name, position)
        dims = self._trace.graph.inputs[position].shape.dims
        self._source.check_array(name, array.dtype, dims, False)
        if kind in (ARRAY, READ_ONLY):
            self._source.check_writeable(name, kind == ARRAY)
        self.arrays[name] = array
        return text is not None and self.give(name, text)

    def _array_text(self, name: str, position: int) -> str | None:
        """The expression of what stands for an array of the caller's; None if nothing does."""
        return f"{name}.copy()"  # a result must not show what the caller writes to it later

    def _list(self, name: str, value: Any, staged: ListArgument) -> bool:
        """Give a list of any length, which only machine code takes as it is."""
        return False

    _items = _list

    def _container(self, name: str, value: Any, staged: FixedArgument) -> bool:
        self._source.check_class(name, type(value))
        if hasattr(value, "default_factory"):
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
        children, data, metadata = node.flatten(staged)
        keys, constant = range(len(children)), self._source.known
        if metadata is not None or node.composite:
            return False
        if type(value) in _MAPS:
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
            other_arrays = [array for array in self.arrays if array != name]
            self._source.check_apart(name, [*other_arrays, *outside])
        if trace.containers.written:
            self._source.check_distinct(self.containers)


_RULES: dict[type, str] = {
    **dict.fromkeys((int, bool, str, bytes, float, type(None)), "_literal"),
    Tensor: "_tensor", StagedNumber: "_number", ListArgument: "_list", FixedArgument: "_container",
    DequeArgument: "_deque",
}  # fmt: skip
"""By class of what stands for an argument: what checks it."""
