"""State that outlives a call: what a traced function writes with staged values to older objects.

An attribute, item, closure variable or global that a call writes with a staged value is a *carried
slot*.  Tracing discovers it; the function is then traced again with the slot holding inputs of the
graph (``StateTrace``), until nothing new is found.  Each call reads the slots, runs the graph, and
writes back what the graph gives for them, also when it raises (carrying_function.py).
"""

from __future__ import annotations

import copy
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograph import staging
from autograph.named_tuples import NamedTuple
from runtime.eager.tensor import wrap
from runtime.functions.cache_key import (
    CONTENTS,
    KeyBuilder,
    LeafCodec,
    codec_of,
    is_tensor_argument,
)
from runtime.functions.number_arguments import stage
from runtime.functions.results import GraphOutput, SlotResults, as_tensor, exceeds_64_bits
from runtime.functions.trace_lock import TraceLock
from runtime.functions.type_format import spec_of
from runtime.graph.func_graph import FuncGraph
from runtime.graph.operation import SymbolicTensor
from runtime.graph.python_values import PYTHON_KINDS
from runtime.staging.values import optional_nest
from runtime.types import treedef
from runtime.types.dtypes import DTYPE_OF_NUMPY
from runtime.types.errors import UnfitArgumentError
from runtime.types.promotion import is_weak
from runtime.types.shapes import TensorShape
from runtime.types.treedef import Path, TreeDef
from runtime.types.value import Value

LEAF = TreeDef((None,), ())
_COLLECTIONS = staging.StagedList | staging.StagedMap | staging.JoinedNumber


def flat_contents(value: Any) -> tuple[list[Any], TreeDef]:
    """Flatten the contents of a slot; a value that is no nest is one leaf."""
    try:
        return treedef.flatten(value, expand_composites=True)
    except (TypeError, ValueError):  # keys of two kinds; a list that contains itself
        return [value], LEAF


def slot_codec(leaf: Any) -> LeafCodec:
    """Return the codec of a leaf of a slot; arrays whose dtype no tensor has are constants."""
    is_array = isinstance(leaf, np.ndarray | np.generic)
    return CONTENTS if is_array and leaf.dtype not in DTYPE_OF_NUMPY else codec_of(leaf)


class SlotInput(NamedTuple):
    """Contents of a carried slot at the start of a call, staged as arguments are.

    key      equal for calls that may share a trace
    value    the value itself; UNDEFINED where there is nothing
    tensors  those that the graph takes as inputs, and the shapes to trace for
    arrays   for each tensor the array that the slot holds, or None; empty when all are None
    leaves, structure  the value, flattened
    """

    key: Hashable
    value: Any
    tensors: Sequence[Any] = ()
    shapes: Sequence[TensorShape] = ()
    arrays: Sequence[Any] = ()
    leaves: Sequence[Any] = ()
    structure: TreeDef = LEAF

    @classmethod
    def of(
        cls, value: Any, leaves: Sequence[Any], structure: TreeDef = LEAF,
        shapes: Mapping[int, TensorShape] | None = None, type_: Any = None,
    ) -> SlotInput:  # fmt: skip
        """Return a value of a type, taken apart; ``shapes``: those of leaves that change."""
        builder, keys = KeyBuilder(), []
        for number, leaf in enumerate(leaves):
            if shapes and number in shapes:
                builder.relaxed_shapes[len(builder.tensors)] = shapes[number]
            keys.append(slot_codec(leaf).key(leaf, builder))
        key = type_, structure.skeleton, tuple(keys), builder.shapes
        return cls(key, value, builder.tensors, builder.shapes, builder.arrays(), leaves, structure)


UNCHANGED = object()
"""What a slot has to be given after a call that leaves it as it was."""


class CarriedSlot:
    """What calls read from one slot and write to it: the codec of its contents.

    links  the references that lead to its holder, where the codec knows them
    """

    links: Sequence[staging.Link] = ()

    def __init__(self, slot: staging.OutlivingSlot) -> None:
        self.slot = slot

    def read(self) -> SlotInput:
        """Return the present contents of the slot."""
        return self.inputs_of(self.slot.read())

    def inputs_of(self, value: Any) -> SlotInput:
        """Return contents of the slot as inputs of a graph, and what is the same in all calls."""
        raise NotImplementedError

    def enter(self, leaves: Sequence[Any]) -> None:
        """Let what the function reads lead to leaves of a graph, before it is looked at."""

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

    def __init__(self, slot: staging.OutlivingSlot) -> None:
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
        """Return the contents of the slot, flattened; numbers that change are staged."""
        if value is staging.UNDEFINED:
            return SlotInput(staging.UNDEFINED, value)
        leaves, structure = flat_contents(value)
        shapes = {}
        for number, path in enumerate(structure.paths() if self.staged or self.shapes else ()):
            leaf = leaves[number]
            if path in self.staged and type(leaf) in PYTHON_KINDS and not exceeds_64_bits(leaf):
                leaves[number] = stage(leaf)
            if path in self.shapes and is_tensor_argument(leaf):
                shapes[number] = self._shape(path, leaf)
        return SlotInput.of(value, leaves, structure, shapes)

    def _shape(self, path: Path, leaf: Any) -> TensorShape:
        """Return the shape of the input for a tensor."""
        shape, wide = TensorShape(leaf.shape), self.shapes.get(path)
        return wide if wide is not None and shape.is_subtype_of(wide) else shape

    def learn(self, before: SlotInput, written: Any) -> bool:
        """Record how a written value differs from the one before; return whether this is new."""
        if isinstance(written, staging.MaybeValue):
            written = written.ag__value
        before_count = len(self.staged), dict(self.shapes)
        leaves, structure = flat_contents(written)
        now = dict(zip(structure.paths(), leaves, strict=True))
        for path, leaf in zip(before.structure.paths(), before.leaves):
            new = now.get(path, staging.UNDEFINED)
            if type(leaf) in PYTHON_KINDS and not _is_same_constant(leaf, new):
                self.staged.add(path)
            is_tensor = isinstance(new, SymbolicTensor) and is_tensor_argument(leaf)
            if not is_tensor or new.weak or is_weak(leaf):
                continue
            shape = self._shape(path, leaf)
            if new.dtype is spec_of(leaf).dtype and not new.shape.is_subtype_of(shape):
                self.shapes[path] = shape.most_specific_compatible_shape(new.shape)
        return before_count != (len(self.staged), self.shapes)


class WrittenValue:
    """Final contents of a slot after a trace: layout, and tensors of the graph."""

    def __init__(self, slot: staging.OutlivingSlot, value: Any, graph: FuncGraph) -> None:
        self.slot = slot
        self._may_be_absent = isinstance(value, staging.MaybeValue)
        """Whether the run decides if the slot has a value."""
        if self._may_be_absent:
            value = staging.StagedOptional((value.ag__value,), value.ag__present, value.ag__backend)
        self._has_maps = staging.has_maps(value)
        self._results = SlotResults(graph)
        self._output = GraphOutput(value, self._results.encode)
        self.structure, self.tensors = self._output.structure, self._output.tensors
        self._has_copies = any(isinstance(leaf, _COPIED) for leaf in self.parts())

    @property
    def writes_arrays(self) -> bool:
        """Whether NumPy arrays are among what is written."""
        return bool(self._results.array_outputs)

    def parts(self) -> Iterator[Any]:
        """Values that are neither tensors nor collections, those that may be absent among them."""
        yield from _parts(self.structure)

    def write(self, outputs: Iterator[Any]) -> None:
        """Write the value to the slot, with results in place of the tensors."""
        value = self._output.decode(outputs, *self._results.decoder(()))
        if self._has_copies:
            value = optional_nest.map_inside(_copy_leaf, value)
        if self._may_be_absent:
            value = _slot_content(value)
        self.slot.write(staging.plain(value, {}) if self._has_maps else value)


def _parts(structure: Any) -> Iterator[Any]:
    """Leaves of a nest that are no tensors, and those of what may be None."""
    for leaf in treedef.flatten(structure, expand_composites=True)[0]:
        if isinstance(leaf, staging.StagedOptional):
            yield from _parts(leaf.ag__value)
        elif not isinstance(leaf, Value | _COLLECTIONS):
            yield leaf


def _copy_leaf(leaf: Any) -> Any:
    return copy.copy(leaf) if isinstance(leaf, _COPIED) else leaf


def _slot_content(value: Any) -> Any:
    """What to write to a slot: the item of a tuple, or nothing for None."""
    if isinstance(value, staging.StagedOptional):
        return staging.MaybeValue(value.ag__value[0], value.ag__present, value.ag__backend)
    return staging.UNDEFINED if value is None else value[0]


_MAPS = (defaultdict, Counter)
_CHANGEABLE = (list, dict, set, deque)
_COPIED = (np.ndarray, bytearray, set, deque, *_MAPS)
"""Objects that may change once they are written: each call writes a new one."""


def changed_numbers(link: Any) -> list[staging.OutlivingSlot | None]:
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


def number_slot(slot: staging.OutlivingSlot) -> StateSlot:
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


def check_carriable(written: WrittenValue, heap: staging.TraceHeap) -> None:
    """Return the EffectError for a value with staged parts that is no collection."""
    for leaf in written.parts():
        change = f"which is given a {type(leaf).__name__}"
        if heap.holds_staged(leaf):
            raise heap.refusal(written.slot.label, change)
        if isinstance(leaf, _MAPS) and any(isinstance(v, _CHANGEABLE) for v in leaf.values()):
            raise heap.refusal(written.slot.label, f"{change} of collections")


# -- the slots of a trace -------------------------------------------------------------------------

SLOTS_LOCK = TraceLock()
"""Who has it may let slots hold inputs of a graph, or write results to them."""


class CarriedSlots:
    """The slots of one trace, and the values that a run writes to them.

    key       the key of what the slots hold when a call starts
    written   what a run that ends leaves in them
    returned  the carried container that the function returns, if it does
    """

    def __init__(self, name: str, tracing: Any) -> None:
        self._name = name
        self.slots: list[CarriedSlot] = list(tracing.slots.values())
        self.key = tuple([content.key for content in tracing.inputs])
        self.written: list[WrittenValue] = tracing.written
        self.size = sum([len(value.tensors) for value in self.written])
        """How many of the outputs of a run these are, the last ones."""
        self.returned = tracing.returned
        self._raised, self._saved = tracing.raised, tracing.saved

    def fit(self, state: Sequence[SlotInput]) -> bool:
        """Whether calls may start from a state."""
        return tuple([content.key for content in state]) == self.key

    def read(self, links: Sequence[Any]) -> list[SlotInput]:
        """What the slots hold now; UnfitArgumentError if the trace was not made for that, or if
        links lead to other objects.
        """
        with SLOTS_LOCK.acquire():  # so that no slot holds an input of another thread's trace
            state = [slot.read() for slot in self.slots]
        broken = [link.slot.label for link in links if not link.holds]
        if broken:
            raise UnfitArgumentError(
                f"{self._name}(): {', '.join(broken)} refers to another object by now than this "
                "trace was made for; call the function itself, which traces again"
            )
        if not self.fit(state):
            raise UnfitArgumentError(
                f"{self._name}(): the state that it carries from call to call, "
                f"{', '.join(s.slot.label for s in self.slots)}, has other types by now than this "
                "trace was made for; call the function itself, which traces again"
            )
        return state

    def run(
        self, state: Sequence[SlotInput], run: Callable[[list[Any]], Sequence[Any]]
    ) -> Sequence[Any]:
        """What a run gives for the state, which is written back when it ends or raises."""
        inputs = [tensor for content in state for tensor in content.tensors]
        outputs = self.run_saving(run, inputs)
        count = len(outputs) - self.size
        _write(self.written, map(as_tensor, outputs[count:]))
        return outputs[:count]

    def run_saving(
        self, run: Callable[[list[Any]], Sequence[Any]], inputs: list[Any]
    ) -> Sequence[Any]:
        """What a run gives; when it raises, the state that it leaves is written back."""
        self._saved.stack.append(None)
        try:
            outputs = run(inputs)
        except BaseException:
            saved = self._saved.stack.pop()
            if saved is not None:
                number, *arrays = saved
                _write(self._raised.layouts[int(number)], map(wrap, arrays))
            raise
        self._saved.stack.pop()
        return outputs


def _write(written: Sequence[WrittenValue], outputs: Iterator[Any]) -> None:
    with SLOTS_LOCK.acquire():
        for value in written:
            value.write(outputs)
