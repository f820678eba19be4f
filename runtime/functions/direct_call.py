"""Direct calls: functions of the arguments that run a trace without a key and without a search.

Once a trace has run, function.py calls it by a function that is written here for the kinds of its
arguments (direct_arguments.py) and of the state that it carries.  ``native_call.py`` writes those
of machine code, into which Python's numbers and collections go as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.eager.tensor import Tensor
from runtime.functions.cache_key import codec_of, flatten_arguments, may_change
from runtime.functions.call_source import CallSource
from runtime.functions.carried_slots import SLOTS_LOCK
from runtime.functions.direct_arguments import DirectArguments
from runtime.functions.number_arguments import StagedNumber, stage
from runtime.functions.signature import BoundCall
from runtime.graph.operation import SymbolicTensor
from runtime.types.dtypes import bool_, float64, int64


def _is_constant(value: Any) -> bool:
    """Whether a default is the same in all calls of a trace."""
    return not may_change(value) and all(
        codec_of(leaf).kind != "tensor" for leaf in flatten_arguments(value)[0]
    )


class DirectCall:
    """Text of the function that runs a trace: it takes arguments, makes the call, writes what that
    changes and returns the result.
    """

    _has_kernels = True
    """Whether a run calls kernels of NumPy's, which warn."""

    def __init__(self, trace: Any, call: BoundCall) -> None:
        self._trace = trace
        self._call = call
        self._used = 0
        """How many of the values that a run gives are used."""
        self._source = CallSource(count=trace.calls.add)
        self._arguments = self._make_arguments()

    def _make_arguments(self) -> DirectArguments:
        return DirectArguments(self._trace, self._source)

    def function(self, args: Sequence[Any], keywords: list[str]) -> Callable[..., Any] | None:
        """Return the function; None where an argument or result is of no kind that is written."""
        source, arguments, count = self._source, self._arguments, len(args) - len(keywords)
        names = [f"a{number}" for number in range(len(args))]
        by_label = {name: count + number for number, name in enumerate(keywords)}
        source.check_settings()
        for number, ((label, _), staged) in enumerate(zip(self._call.labels, self._call.values)):
            place = number if number < count else by_label.get(label)
            if place is None:  # a default
                if not _is_constant(staged):
                    return None
            elif not arguments.add(names[place], args[place], staged):
                return None
        arguments.check_changes()
        source.check_links(self._trace.links)
        if not self._reads_state() or not arguments.are_complete or not self._returns():
            return None
        return source.compile("direct_call", names)

    # -- state ------------------------------------------------------------------------------------

    def _reads_state(self) -> bool:
        """Add the lines that read the slots that calls carry; whether all are plain."""
        for state in self._trace.carried.slots if self._trace.carries_state else ():
            name, content = self._source.read_slot(state.slot), state.read()
            if len(content.places) != 1 or content.leaves[0] is not content.value:
                return False
            ((_, weak),) = content.specs
            value = stage(content.value) if weak else content.value
            is_plain = type(value) in (Tensor, StagedNumber)
            if not is_plain or not self._arguments.add(name, content.value, value):
                return False
        return True

    def _writes_state(self) -> bool:
        """Add the lines that write back the slots; whether all are plain."""
        if not self._trace.carries_state:
            return True
        written = self._trace.carried.written
        texts = [self._slot_text(value.structure) for value in written]
        return self._source.write_slots(written, texts, SLOTS_LOCK)

    def _slot_text(self, like: Any) -> str | None:
        """Return the expression of what the next value is in a slot; None for other than plain."""
        if not isinstance(like, SymbolicTensor):
            return None
        if like.weak:
            return f"{self._value()}.item()" if like.dtype in (bool_, int64, float64) else None
        return f"wrap({self._value()})"

    def _value(self) -> str:
        """Return the expression of the next value that a run gives."""
        self._used += 1
        return f"v[{self._used - 1}]"

    # -- the run ----------------------------------------------------------------------------------

    def _run(self, function: Callable[..., Any], arguments: str) -> list[str]:
        """Return the lines that call a function, and save what the state is where it raises."""
        run = self._source.known(function, "f")
        if self._trace.carries_state:
            arguments = f"{run}, {arguments}"
            run = self._source.known(self._trace.carried.run_saving, "s")
        if not self._has_kernels:
            return [f"v = {run}({arguments})"]
        if self._trace.graph.stateful:  # the user's code may be called, in its own context
            return ["with errstate(all='ignore'):", f"    v = {run}({arguments})"]
        return [f"v = copy().run({run}, {arguments})"]

    def _runs(self) -> list[str]:
        """Return the lines that run the graph."""
        arrays = ", ".join(self._arguments.expressions)
        return self._run(self._trace.executable, f"[{arrays}]")

    def _array(self) -> str:
        """Return the expression of the next value as an array, or a scalar of NumPy."""
        return self._value()

    def _packs(self) -> list[str] | None:
        """Return the lines that return the result of all values but those of slots."""
        trace = self._trace
        self._used = len(trace.graph.outputs) - (trace.carried.size if trace.carries_state else 0)
        return [f"return {self._source.known(trace.packer, 'p')}(v[:{self._used}])"]

    def _returns(self) -> bool:
        """Add the lines that run the graph, write slots and return the result."""
        source, trace, result = self._source, self._trace, None
        source.line("count()")
        source.lines_of(self._runs())
        if not trace.returns_numbers:
            result = source.tensor_lines(trace.structured_outputs, self._array)
        result = result or self._packs()
        if result is None or not self._writes_state():
            return False
        source.lines_of(result)
        return True
