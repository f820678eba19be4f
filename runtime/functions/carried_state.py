"""State that outlives a call: what a traced function writes with staged values to older objects.

An attribute, item, closure variable or global that a call writes with a staged value is a *carried
slot*.  Tracing discovers it; the function is then traced again with the slot holding inputs of the
graph (``StateTrace``), until nothing new is found.  Each call reads the slots, runs the graph, and
writes back what the graph gives for them, also when it raises (carrying_function.py).
"""

from __future__ import annotations

import copy
from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph import staging
from autograph.named_tuples import NamedTuple
from autograph.staging import (
    JoinedNumber,
    StagedList,
    StagedMap,
    StagedOptional,
)
from runtime.eager.tensor import Tensor, wrap
from runtime.functions.cache_key import key_of
from runtime.functions.graph_output import GraphOutput
from runtime.functions.result_codecs import SlotResults
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.python_values import PYTHON_KINDS, weak_array
from runtime.staging.values import optional_nest
from runtime.types import treedef
from runtime.types.dtypes import DTYPE_OF_NUMPY
from runtime.types.promotion import WEAK_DTYPE
from runtime.types.shapes import SCALAR_SHAPE, TensorShape, TensorSpec
from runtime.types.treedef import Path, TreeDef
from runtime.types.value import Value

if TYPE_CHECKING:
    from autograph.staging import ContentsLink, Link, OutlivingSlot, TraceHeap

_LEAF = TreeDef((None,), ())
_ROOT: list[Path] = [()]


def flatten(value: Any) -> tuple[list[Any], TreeDef]:
    """Flatten the contents of a slot; a value that is no nest is one leaf."""
    try:
        return treedef.flatten(value, expand_composites=True)
    except (TypeError, ValueError):  # keys of two kinds; a list that contains itself
        return [value], _LEAF


class SlotInput(NamedTuple):
    """Contents of a carried slot at the start of a call.

    key      equal for calls that may share a trace
    value    the value itself; UNDEFINED where there is nothing
    places   the positions of the leaves that the graph takes as inputs
    leaves, structure  the value, flattened
    specs    the types of the inputs, and whether they stand for Python numbers
    """

    key: Hashable
    value: Any
    places: Sequence[int]
    leaves: Sequence[Any]
    structure: TreeDef
    specs: Sequence[tuple[TensorSpec, bool]]

    def tensors(self) -> list[Any]:
        """Return the inputs as eager tensors."""
        return [_tensor(self.leaves[index]) for index in self.places]


UNCHANGED = object()
"""What a slot has to be given after a call that leaves it as it was."""


class CarriedSlot:
    """What calls read from one slot and write to it: the codec of its contents.

    links  the references that lead to its holder, where the codec knows them
    """

    links: Sequence[Link] = ()

    def __init__(self, slot: OutlivingSlot) -> None:
        self.slot = slot

    def read(self) -> SlotInput:
        """Return the present contents of the slot."""
        return self.inputs_of(self.slot.read())

    def inputs_of(self, value: Any) -> SlotInput:
        """Return contents of the slot as inputs of a graph, and what is the same in all calls."""
        raise NotImplementedError

    def enter(self, inputs: Sequence[Any]) -> None:
        """Let what the function reads lead to inputs of a graph, before it is looked at."""

    def final(self, at_start: Any) -> Any:
        """Return what the slot holds when the function has run; UNCHANGED where that is as it was,
        ``at_start`` being what tracing put there.
        """
        raise NotImplementedError

    def learn(self, before: SlotInput, written: Any) -> bool:
        """Record how a written value differs from the one before; return whether this is new."""
        return False


class StateSlot(CarriedSlot):
    """Carried slot of a function, with the types of the values that its calls leave in it."""

    def __init__(self, slot: OutlivingSlot) -> None:
        super().__init__(slot)
        self.staged: set[Path] = set()
        """Where in the value a Python number or text changes from call to call."""
        self.shapes: dict[Path, TensorShape] = {}
        """Where in the value the shape of a tensor changes, what of it stays."""

    def final(self, at_start: Any) -> Any:
        """Return what the slot holds; UNCHANGED if it is what tracing put there."""
        value = self.slot.read()
        return UNCHANGED if value is at_start else value

    def inputs_of(self, value: Any) -> SlotInput:
        """Return the contents of the slot, flattened."""
        if value is staging.UNDEFINED:
            return SlotInput(staging.UNDEFINED, value, (), (), _LEAF, ())
        if type(value) is Tensor:  # as below, in fewer steps
            leaves, structure, paths = [value], _LEAF, _ROOT
        else:
            leaves, structure = flatten(value)
            paths = structure.paths()
        places: list[int] = []
        specs: list[tuple[TensorSpec, bool]] = []
        keys: list[Hashable] = []
        for index, (path, leaf) in enumerate(zip(paths, leaves, strict=True)):
            spec_weak = self._spec(path, leaf)
            if spec_weak is None:
                keys.append(key_of(leaf))
                continue
            places.append(index)
            specs.append(spec_weak)
            spec, weak = spec_weak
            keys.append((spec.dtype, spec.shape.dims, weak))
        key = structure.skeleton, tuple(keys)
        return SlotInput(key, value, places, leaves, structure, specs)

    def _spec(self, path: Path, leaf: Any) -> tuple[TensorSpec, bool] | None:
        """Return the type of the input for a leaf; None for a constant."""
        if type(leaf) in PYTHON_KINDS:
            if path not in self.staged:
                return None
            return TensorSpec(SCALAR_SHAPE, WEAK_DTYPE[PYTHON_KINDS[type(leaf)]]), True
        if not _is_tensor(leaf):
            return None
        dtype = DTYPE_OF_NUMPY[leaf.dtype] if isinstance(leaf, _ARRAYS) else leaf.dtype
        shape, wide = TensorShape(leaf.shape), self.shapes.get(path)
        if wide is not None and shape.is_subtype_of(wide):
            shape = wide
        return TensorSpec(shape, dtype), getattr(leaf, "weak", False)

    def learn(self, before: SlotInput, written: Any) -> bool:
        """Record how a written value differs from the one before; return whether this is new."""
        if isinstance(written, staging.MaybeValue):
            written = written.ag__value
        before_count = len(self.staged), dict(self.shapes)
        leaves, structure = flatten(written)
        now = dict(zip(structure.paths(), leaves, strict=True))
        for path, leaf in zip(before.structure.paths(), before.leaves):
            new = now.get(path, staging.UNDEFINED)
            if type(leaf) in PYTHON_KINDS and not _is_same_constant(leaf, new):
                self.staged.add(path)
            spec_weak = self._spec(path, leaf)
            if spec_weak is None or not isinstance(new, SymbolicTensor) or new.weak or spec_weak[1]:
                continue
            spec = spec_weak[0]
            if new.dtype is spec.dtype and not new.shape.is_subtype_of(spec.shape):
                self.shapes[path] = spec.shape.most_specific_compatible_shape(new.shape)
        return before_count != (len(self.staged), self.shapes)


class WrittenValue:
    """Final contents of a slot after a trace: layout, and tensors of the graph."""

    def __init__(self, slot: OutlivingSlot, value: Any, graph: FuncGraph) -> None:
        self.slot = slot
        self._may_be_absent = isinstance(value, staging.MaybeValue)
        """Whether the run decides if the slot has a value."""
        if self._may_be_absent:
            value = StagedOptional((value.ag__value,), value.ag__present, value.ag__backend)
        self.structure: Any = value
        self._has_maps = staging.has_maps(value)
        self._results = SlotResults(graph)
        self._output: GraphOutput | None = None
        self.tensors: Sequence[SymbolicTensor] = ()
        if value is not staging.UNDEFINED:
            self._output = GraphOutput(value, self._results.encode)
            self.structure, self.tensors = self._output.structure, self._output.tensors
        self._has_copies = any(isinstance(leaf, _COPIED) for leaf in self.parts())

    @property
    def writes_arrays(self) -> bool:
        """Whether NumPy arrays are among what is written."""
        return bool(self._results.array_outputs)

    def parts(self) -> Iterator[Any]:
        """Values that are neither tensors nor collections, those that may be absent among them."""
        if self.structure is not staging.UNDEFINED:
            yield from _parts(self.structure)

    def write(self, outputs: Iterator[Any]) -> None:
        """Write the value to the slot, with results in place of the tensors."""
        value: Any = staging.UNDEFINED
        if self._output is not None:
            value = self._output.decode(outputs, *self._results.decoder(()))
        if self._has_copies:
            value = optional_nest.map_inside(_copy_leaf, value)
        if self._may_be_absent:
            value = _content(value)
        self.slot.write(staging.plain(value, {}) if self._has_maps else value)


def _parts(structure: Any) -> Iterator[Any]:
    """Leaves of a nest that are no tensors, and those of what may be None."""
    for leaf in treedef.flatten(structure, expand_composites=True)[0]:
        if isinstance(leaf, StagedOptional):
            yield from _parts(leaf.ag__value)
        elif not isinstance(leaf, Value | StagedList | StagedMap | JoinedNumber):
            yield leaf


def _copy_leaf(leaf: Any) -> Any:
    return copy.copy(leaf) if isinstance(leaf, _COPIED) else leaf


def _content(value: Any) -> Any:
    """What to write to a slot: the item of a tuple, or nothing for None."""
    if isinstance(value, StagedOptional):
        return staging.MaybeValue(value.ag__value[0], value.ag__present, value.ag__backend)
    return staging.UNDEFINED if value is None else value[0]


_MAPS = (defaultdict, Counter)
_CHANGEABLE = (list, dict, set, deque)
_COPIED = (np.ndarray, bytearray, set, deque, *_MAPS)
"""Objects that may change once they are written: each call writes a new one."""


_ARRAYS = (np.ndarray, np.generic)


def _is_tensor(leaf: Any) -> bool:
    if isinstance(leaf, _ARRAYS):
        return leaf.dtype in DTYPE_OF_NUMPY
    return isinstance(leaf, Tensor)


def _tensor(leaf: Any) -> Any:
    if isinstance(leaf, Tensor):
        return leaf
    if isinstance(leaf, _ARRAYS):
        return wrap(np.array(leaf))  # the caller may change it meanwhile
    return wrap(weak_array(leaf))


def changed_numbers(link: Link | ContentsLink) -> list[OutlivingSlot | None]:
    """The slots by whose numbers a link differs; None for any other difference."""
    if isinstance(link, staging.Link):
        slot: Any = link.slot
        return [slot if _are_numbers(link.target, slot.read()) else None]
    keys, now = link.changed(), link.slot.read()
    if keys is None or len(keys) > MOST_ITEMS:
        return [None]
    if not all(_are_numbers(link.before[key], now[key]) for key in keys):
        return [None]
    holder, label = link.slot.holder, link.slot.label
    return [staging.OutlivingSlot(holder, key, f"{label}[{key!r}]") for key in keys]


def number_slot(slot: OutlivingSlot) -> StateSlot:
    """Slot with a number that changes from call to call."""
    state = StateSlot(slot)
    state.staged.add(())
    return state


def _are_numbers(old: Any, new: Any) -> bool:
    return type(old) in _CHANGING and type(new) in _CHANGING


_CHANGING = (int, float, complex)
"""Classes of values that become inputs when they change; others are traced again."""

MOST_ITEMS = 20
"""So many changed items of one collection at most become inputs."""


def _is_same_constant(constant: Any, written_leaf: Any) -> bool:
    return type(constant) is type(written_leaf) and repr(constant) == repr(written_leaf)


def check_carriable(written: WrittenValue, heap: TraceHeap) -> None:
    """Return the EffectError for a value with staged parts that is no collection."""
    for leaf in written.parts():
        if not heap.holds_staged(leaf):
            continue
        raise heap.refusal(written.slot.label, f"which is given a {type(leaf).__name__}")
    for leaf in written.parts():
        if isinstance(leaf, _MAPS) and any(isinstance(v, _CHANGEABLE) for v in leaf.values()):
            change = f"which is given a {type(leaf).__name__} of collections"
            raise heap.refusal(written.slot.label, change)
