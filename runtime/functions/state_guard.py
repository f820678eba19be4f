"""Fast calls of traces that depend on state: generated checks, reads and writes.

fast_dispatch.py keeps a ``GuardedTrace`` in place of a trace that reads or carries attributes,
items or variables of Python's.  Its checks compare what the trace depends on by identity; where one
of them fails, the call takes the general way (carrying_function.py), which gives the same result.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph import staging
from runtime.eager.tensor import Tensor, wrap
from runtime.functions.carrying_function import SLOTS_LOCK
from runtime.functions.output_packing import runner
from runtime.graph.operation import SymbolicTensor
from runtime.types.dtypes import bool_, float64, int64
from runtime.types.python_source import PythonSource

MISS = object()
"""What a guarded trace gives where the general way has to be taken."""

_NUMBERS: dict[Any, tuple[type, Callable[[Any], Any]]] = {
    bool_: (bool, np.bool_), int64: (int, np.int64), float64: (float, np.float64),
}  # fmt: skip
"""By dtype of a weak input: the class of the number, and what makes an array of it."""


class GuardedTrace:
    """Trace with generated code that checks and reads its state, and writes it back."""

    def __init__(self, trace: Any, links: Any, compute: Callable[[Sequence[Any]], Any]) -> None:
        self.graph = trace.graph
        self.links = links
        self.compute = compute


def guarded(trace: Any) -> GuardedTrace | None:
    """The guarded trace for a trace that ran before; None where there are no fast checks for it."""
    variant = trace.variant
    if trace.runs < 2 or variant.arguments:
        return None
    known: GuardedTrace | None = trace.guard
    if known is None or known.links is not variant.links:
        compute = _StateSource(trace).compute()
        known = trace.guard = GuardedTrace(trace, variant.links, compute) if compute else None
    return known


def add_link_checks(trace: Any, source: PythonSource) -> None:
    """Add lines that give MISS where what a trace depends on refers to other objects by now."""
    if trace.variant is not None:
        _StateSource(trace, source).check_links()


class _StateSource:
    """Text of the function that calls a trace."""

    def __init__(self, trace: Any, source: PythonSource | None = None) -> None:
        self._trace = trace
        self._source = source or PythonSource(MISS=MISS, wrap=wrap, lock=SLOTS_LOCK)
        self._holders: dict[int, str] = {}
        self._inputs: list[str] = []

    def compute(self) -> Callable[[Sequence[Any]], Any] | None:
        """The function of the arrays of the arguments; None where a slot is none of the plain."""
        source, trace = self._source, self._trace
        self.check_links()
        if not trace.carries_state:
            run = runner(trace.graph, trace.result_packer(), trace.calls.add)
            source.line(f"return {source.known(run, 'f')}(arrays)")
            return source.compile("guarded", ["arrays"])
        if not all(map(self._read, trace.slots)):
            return None
        return source.compile("guarded", ["arrays"]) if self._step() else None

    def check_links(self) -> None:
        """Add lines that give MISS where a link refers to another object by now."""
        for link in self._trace.variant.links:
            self._source.line(f"if not ({self._holds(link)}): return MISS")

    def _dict_of(self, slot: Any) -> str | None:
        """The name of the dict that holds a slot; None where it is held otherwise."""
        holder = slot.holder()
        if holder is None or type(slot.key) is not str:
            return None
        name = self._holders.get(id(holder))
        if name is None:
            if type(holder) is dict:
                name = self._source.known(holder, "d")
            elif not _has_plain_dict(holder, slot.key):
                return None
            else:
                name, holding = self._source.fresh("d"), self._source.fresh("h")
                reference = self._source.known(weakref.ref(holder), "r")
                self._source.line(f"{holding} = {reference}()")
                self._source.line(f"if {holding} is None: return MISS")
                self._source.line(f"{name} = {holding}.__dict__")
            self._holders[id(holder)] = name
        return name

    def _holds(self, link: Any) -> str:
        """The expression that tells whether a link refers to what it did."""
        empty = getattr(link, "empty", None)
        if empty is not None:
            return f"not {self._source.known(empty, 'd')}"
        general = f"{self._source.known(link, 'l')}.holds"
        if not isinstance(link, staging.Link) or not link.holds:
            return general
        slot: Any = link.slot
        held, value = self._dict_of(slot), slot.read()
        if held is None:
            return general
        if value is staging.UNDEFINED:
            return f"{slot.key!r} not in {held}"
        found, known = f"{held}.get({slot.key!r}, MISS)", self._source.known
        if type(value) in _COUNTED or value is not link.target:
            return f"{found} is {known(value, 'v')} or {general}"  # an equal number may be there
        try:
            return f"{found} is {known(weakref.ref(value), 't')}()"
        except TypeError:
            return f"{found} is {known(value, 'v')}"

    def _read(self, state: Any) -> bool:
        """Add lines that append what a slot holds to the arrays; whether there are such."""
        held, source = self._dict_of(state.slot), self._source
        given = state.read()
        if held is None or len(given.places) != 1 or given.leaves[0] is not given.value:
            return False
        ((spec, weak),) = given.specs
        value, array = source.fresh("v"), source.fresh("a")
        source.line(f"{value} = {held}.get({state.slot.key!r})")
        if weak and spec.dtype in _NUMBERS and type(given.value) is _NUMBERS[spec.dtype][0]:
            cls, make = _NUMBERS[spec.dtype]
            source.line(f"if type({value}) is not {source.known(cls, 'k')}: return MISS")
            if cls is int:
                source.line(f"if not -{2**63} <= {value} < {2**63}: return MISS")
            source.line(f"{array} = {source.known(make, 'm')}({value})")
        elif type(given.value) is Tensor and spec.shape.is_fully_defined():
            shape = source.known(tuple(spec.shape.dims or ()), "s")
            dtype = source.known(given.value._array.dtype, "k")
            source.line(f"if type({value}) is not {source.known(Tensor, 'k')}: return MISS")
            source.line(f"{array} = {value}._array")
            source.line(f"if {array}.dtype != {dtype} or {array}.shape != {shape}: return MISS")
        else:
            return False
        self._inputs.append(array)
        return True

    def _step(self) -> bool:
        """Add lines that run the graph, write the state back and pack the result."""
        source, trace = self._source, self._trace
        run = runner(trace.graph, list, trace.calls.add)
        source.line(
            f"outputs = {source.known(trace.run_saving, 'f')}"
            f"({source.known(run, 'f')}, [*arrays, {', '.join(self._inputs)}])"
        )
        count = sum(len(one.tensors) for one in trace.written_slots)
        size = len(trace.graph.outputs)
        source.line("lock.enter()")
        source.line("try:")
        source.line("pass", 2)
        for number, written in enumerate(trace.written_slots, size - count):
            held, like = self._dict_of_known(written.slot), written.structure
            if held is None or not isinstance(like, SymbolicTensor) or written.writes_arrays:
                return False
            if like.weak and like.dtype not in _NUMBERS:
                return False
            text = f"outputs[{number}].item()" if like.weak else f"wrap(outputs[{number}])"
            source.line(f"{held}[{written.slot.key!r}] = {text}", 2)
        source.line("finally:")
        source.line("lock.leave()", 2)
        pack = source.known(trace.result_packer(), "p")
        source.line(f"return {pack}(outputs[:{size - count}])")
        return True

    def _dict_of_known(self, slot: Any) -> str | None:
        return self._holders.get(id(slot.holder()))


_COUNTED = (int, float, complex, str, bytes, bool, type(None))


def _has_plain_dict(holder: Any, key: str) -> bool:
    """Whether an attribute is in the object's dict, and its class has no slot of that name."""
    cls = type(holder)
    if isinstance(holder, type) or "__dict__" not in dir(cls) and not hasattr(holder, "__dict__"):
        return False
    try:
        weakref.ref(holder)
        held = object.__getattribute__(holder, "__dict__")
    except (TypeError, AttributeError):
        return False
    return type(held) is dict and holder.__dict__ is held and not any(
        key in getattr(base, "__slots__", ()) for base in cls.__mro__
    )
