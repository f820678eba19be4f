"""Slots that the calls of a trace carry: read before its graph runs, written back after it.

A concrete function has one ``CarriedSlots`` if calls of it carry state; state_trace.py found what
the slots are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from runtime.eager.tensor import wrap
from runtime.functions.carried_state import CarriedSlot, SlotInput, WrittenValue
from runtime.functions.graph_output import as_tensor
from runtime.functions.state_trace import StateTrace
from runtime.functions.trace_lock import TraceLock
from runtime.types.errors import UnfitArgumentError

SLOTS_LOCK = TraceLock()
"""Who has it may let slots hold inputs of a graph, or write results to them."""


class CarriedSlots:
    """The slots of one trace, and the values that a run writes to them.

    key       the key of what the slots hold when a call starts
    written   what a run that ends leaves in them
    returned  the carried container that the function returns, if it does
    """

    def __init__(self, name: str, tracing: StateTrace) -> None:
        self._name = name
        self.slots: list[CarriedSlot] = list(tracing.slots.values())
        self.key = tuple([content.key for content in tracing.inputs])
        self.written: list[WrittenValue] = tracing.written
        self.size = sum([len(value.tensors) for value in self.written])
        """How many of the outputs of a run these are, the last ones."""
        self.returned = tracing.returned
        assert tracing.saved is not None
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
        inputs = [tensor for content in state for tensor in content.tensors()]
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
