"""Arguments of ``runtime.jit``: Python numbers, texts and lists of them as staged values.

A number or text becomes a ``StagedNumber``, which a trace takes as a weak tensor: a tensor that
computes as Python does.  A list whose items are alike becomes a ``ListArgument``, which a trace
takes as a staged list of any length.  Any other list or dict becomes a ``FixedArgument``, whose
items are staged one by one.
"""

from __future__ import annotations

import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from autograph import staging
from runtime.eager.tensor import Tensor, wrap
from runtime.functions.cache_key import KeyBuilder, WeakIdKey, flatten_arguments, replace_tensors
from runtime.functions.list_layouts import depth_of, hashable, is_open, layout_of, text_of
from runtime.functions.mutation_check import inner_nests
from runtime.graph.python_values import PYTHON_KINDS, weak_array
from runtime.staging.values.lists import Layout, list_value, staged_list_of
from runtime.types.composite import Composite, CompositeSpec
from runtime.types.dtypes import DType, variant
from runtime.types.promotion import KINDS
from runtime.types.shapes import SCALAR_SHAPE, TensorShape, TensorSpec


class StagedNumber(Tensor):
    """Python number or text that a trace takes as a weak tensor."""

    __slots__ = ()
    weak = True

    def __repr__(self) -> str:
        return f"<{KINDS[self.dtype]} {self._array[()]!r}>"


class ListHandle(Tensor):
    """Eager value of a staged list."""

    __slots__ = ()

    @property
    def dtype(self) -> DType:
        """``variant``: the items are no array."""
        return variant

    @property
    def shape(self) -> TensorShape:
        """The shape of a scalar."""
        return SCALAR_SHAPE


EAGER = (Tensor, StagedNumber, ListHandle)
"""The classes of tensors whose arrays a run takes as they are."""


def as_operand(tensor: Any) -> Any:
    """Return a tensor of a call as operations of a graph or a tape take it."""
    return wrap(tensor._array) if isinstance(tensor, StagedNumber | ListHandle) else tensor


def eager(cls: type, array: Any) -> Any:
    """An eager tensor of a class."""
    tensor: Any = object.__new__(cls)
    tensor._array = array
    return tensor


class ContainerArgument(Composite):
    """Python list, deque, dict or set among the arguments; a trace may change it.

    value  the caller's object
    depth  how deep the lists in it nest that are no containers of their own
    proxy  the object that stands for it in the trace that is being made
    before  what that held when the trace began
    """

    depth = 1

    def __init__(self, value: Any) -> None:
        self.value = value
        self._kind = type(value), getattr(value, "maxlen", None)
        self.proxy: Any = None
        self.before: Any = None
        self._proxy_tensors: Sequence[Any] = ()
        self.copies: Sequence[tuple[str, Any, Any]] = ()
        """Copies of the records in it: where they are, as they were, and what a trace got."""

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        if all(isinstance(tensor, TensorSpec) for tensor in tensors) and tensors:
            return self._make(tensors)
        if self.proxy is None or not _are_same(tensors, self._proxy_tensors):
            self.proxy, self._proxy_tensors = self._make(tensors), tensors
        return self.proxy

    def _make(self, tensors: Sequence[Any]) -> Any:
        """The object for such tensors; of TensorSpecs, its spec."""
        raise NotImplementedError

    def _holder_of(self, items: Any) -> Any:
        """What stands for the list or deque of items."""
        cls, maxlen = self._kind
        return staging.traced_deque(items, maxlen) if cls is deque else items

    def containers(self) -> Iterator[ContainerArgument]:
        """Yield this container and those in it."""
        yield self


def _are_same(tensors: Sequence[Any], known_tensors: Sequence[Any]) -> bool:
    return len(tensors) == len(known_tensors) and all(map(operator.is_, tensors, known_tensors))


class ListArgument(ContainerArgument):
    """Python list or deque of numbers, texts, or tuples and lists of them, all of one layout."""

    def __init__(self, layout: Layout, value: list[Any] | deque[Any]) -> None:
        super().__init__(value)
        self.layout = layout
        self.depth = depth_of(layout)

    def __repr__(self) -> str:
        return text_of(self.layout)

    def _tensors(self) -> list[Any]:
        return [eager(ListHandle, list_value(self.layout, _as_list(self.value)))]

    def _type_key(self) -> Hashable:
        return ListArgument, self._kind, hashable(self.layout)

    def _make(self, tensors: Sequence[Any]) -> Any:
        (handle,) = tensors
        if isinstance(handle, TensorSpec):
            return ListArgumentSpec(self.layout, [])
        return self._holder_of(staged_list_of(self.layout, handle))


def _as_list(value: list[Any] | deque[Any]) -> list[Any]:
    return value if isinstance(value, list) else [*value]


class ListArgumentSpec(ListArgument, CompositeSpec):
    """Type of a list argument."""

    def _tensors(self) -> list[Any]:
        return [TensorSpec(SCALAR_SHAPE, variant)]

    def _with_tensors(self, tensors: Sequence[Any]) -> Any:
        return self


class FixedArgument(ContainerArgument):
    """Python list, deque or dict whose number of items, or whose keys, are a part of its type."""

    def __init__(self, value: Any, items: Any) -> None:
        super().__init__(value)
        self.leaves, self._structure = flatten_arguments(items)
        self._keys = KeyBuilder()
        self._factory = getattr(value, "default_factory", None)
        factory = None if self._factory is None else WeakIdKey(self._factory)
        self._key = self._kind, self._keys.key(self.leaves, self._structure), factory

    def staged_items(self) -> Any:
        """The list or dict of its items, as they are staged."""
        return self._structure.unflatten(self.leaves)

    def _tensors(self) -> list[Any]:
        return self._keys.tensors

    def _caller_arrays(self) -> Mapping[int, Any]:
        return self._keys.caller_arrays

    def _type_key(self) -> Hashable:
        return self._key

    def _make(self, tensors: Sequence[Any]) -> Any:
        items, before = (
            replace_tensors(self.leaves, self._structure, iter(tensors)) for _ in range(2)
        )
        self.copies = [*inner_nests(before, items)]
        if isinstance(items, list):
            return self._holder_of(staging.TracedList(items))
        traced: Any = staging.MAP_KINDS.get(type(self.value), OrderedDict)()
        if self._factory is not None:
            traced.default_factory = self._factory
        for key, item in items.items():
            traced[key] = item
        return traced

    def containers(self) -> Iterator[ContainerArgument]:
        """Yield this container and those in it."""
        yield self
        yield from containers(self.leaves)


def holds_tensors(leaf: Any) -> bool:
    """Return whether a leaf of a call is a tensor of the caller's, or holds one."""
    if isinstance(leaf, FixedArgument):
        return any(map(holds_tensors, leaf.leaves))
    return type(leaf) is Tensor


class SetArgument(ContainerArgument):
    """Python set of numbers, texts or tuples of them, which are a part of its type."""

    def _tensors(self) -> list[Any]:
        return []

    def _type_key(self) -> Hashable:
        return SetArgument, *((repr(item), type(item)) for item in self.value)

    def _make(self, tensors: Sequence[Any]) -> Any:
        return staging.TracedSet(self.value)


def containers(leaves: Iterable[Any]) -> Iterator[ContainerArgument]:
    """Return the lists and dicts among the leaves of a call, and in them."""
    for leaf in leaves:
        if isinstance(leaf, ContainerArgument):
            yield from leaf.containers()


def refill(value: Any, contents: Any) -> None:
    """Let a list, deque, dict or set hold other contents; the lists in it stay the same objects."""
    if isinstance(value, set):
        value.difference_update([item for item in value if item not in contents])
        for item in contents:
            value.add(item)  # one by one, as the function did: that decides their order
    elif isinstance(value, dict):
        before = dict(value)
        value.clear()
        for key, new in contents.items():
            value[key] = _refill_item(before.get(key), new)
    else:
        items = [*map(_refill_item, value, contents), *contents[len(value) :]]
        value.clear()
        value.extend(items)


def _refill_item(old: Any, new: Any) -> Any:
    if type(old) is not list or type(new) is not list:
        return new
    refill(old, new)
    return old


MAPS = (dict, OrderedDict, defaultdict, Counter)


# -- from Python to a trace ------------------------------------------------------------------------


def stage(value: Any) -> Any:
    """Stage the numbers, texts and lists of an argument.

    OverflowError for an int of more than 64 bits.
    """
    kind = type(value)
    if kind in PYTHON_KINDS:
        return eager(StagedNumber, _array(value))
    if kind is list or kind is deque:
        layout = layout_of(_as_list(value))
        if layout is None or is_open(layout):
            return FixedArgument(value, [stage(item) for item in value])
        return ListArgument(layout, value)
    if kind is tuple:
        return tuple([stage(item) for item in value])
    if kind in MAPS:
        return FixedArgument(value, {key: stage(item) for key, item in value.items()})
    if kind is set and all(layout_of(item) is not None for item in value):
        return SetArgument(value)
    if isinstance(value, tuple) and hasattr(kind, "_make"):
        return kind._make(map(stage, value))
    return value


def stage_argument(function: str, name: str, value: Any) -> Any:
    """Stage an argument of a function; an error about it names the parameter."""
    try:
        return stage(value)
    except (OverflowError, RecursionError) as error:
        deep = isinstance(error, RecursionError)
        remedy = "pass a flat one" if deep else "pass a float or a text"
        reason = "the argument contains itself or is nested too deeply" if deep else str(error)
        text = f"{reason}, in '{name}' of {function}(): {remedy}, or call the function"
        raise type(error)(f"{text} without runtime.jit") from None


def _array(value: Any) -> Any:
    try:
        return weak_array(value)
    except OverflowError:
        raise OverflowError(
            f"runtime.jit holds Python ints in 64 bits, but an argument is {value}"
        ) from None
