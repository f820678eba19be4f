"""Direct calls: functions of the arguments that run a trace without a key and without a search.

Once a trace has run, function.py calls it by a function that is written here for the kinds of its
arguments (direct_arguments.py), of the state that it carries and of its results.  Machine code is
given Python's numbers and collections as they are, and gives such; kernels take and give arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from autograph import staging
from runtime.eager.tensor import Tensor
from runtime.engine.llvm import kernel_types as ir
from runtime.functions.array_arguments import has_effects
from runtime.functions.cache_key import codec_of, flatten_arguments, may_change
from runtime.functions.call_source import CallSource
from runtime.functions.carried_state import LEAF, SLOTS_LOCK
from runtime.functions.direct_arguments import MACHINE_TYPES, DirectArguments, native_layout
from runtime.functions.number_arguments import StagedNumber, holds_tensors
from runtime.functions.results import CallerObject, Constant, as_array
from runtime.functions.signature import BoundCall
from runtime.graph.operation import SymbolicTensor
from runtime.ops.python.call_python import python_value
from runtime.staging.values.lists import Layout, ListSpec
from runtime.types import treedef
from runtime.types.dtypes import string
from runtime.types.promotion import KINDS
from runtime.types.python_source import MISS
from runtime.types.settings import SETTINGS

MOST_LEAVES = 300
"""Arguments of more parts go the general way: Python compiles 4,000 lines a second."""

LARGE = 500
"""Arrays of fewer items are copied, changed and copied back sooner than code is compiled."""


def direct_call(
    trace: Any, call: BoundCall, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Callable[..., Any] | None:
    """Return the function of the arguments that runs a trace, or None.

    ``call`` is a call of the trace by the arguments ``args`` and ``kwargs``; the function takes
    them all by position.
    """
    if trace.graph.never_returns or (trace.variant is not None and trace.variant.arguments):
        return None
    if trace.carries_state and (trace.changes_arguments or trace.carried.returned):
        return None
    if trace.arrays.changes and not trace.returns_numbers or len(call.leaves) > MOST_LEAVES:
        return None
    if trace.returns_numbers and any(map(holds_tensors, call.leaves)):
        return None  # tensors go out
    values, keywords, native = [*args, *kwargs.values()], list(kwargs), trace.executable.native
    if native is not None:
        function = DirectCall(trace, native).function(call, values, keywords)
        if function is not None:
            return function
    if trace.changes_arguments or trace.results.returns_arguments:
        return None
    return DirectCall(trace).function(call, values, keywords)


def call_of_tensors(trace: Any) -> Callable[..., Any]:
    """Return the function of as many tensors as the graph has inputs that runs a trace by kernels.

    It gives MISS for tensors of other types, and where the general way has to be taken.
    """
    direct, names = DirectCall(trace), [f"a{k}" for k in range(len(trace.graph.inputs))]
    takes_tensors = not (trace.returns_numbers or trace.carries_state or trace.graph.captures)
    if takes_tensors and not trace.changes_arguments and direct.takes_tensors(names):
        return direct.source.compile("call_of_tensors", names)
    return lambda *tensors: MISS


class DirectCall:
    """Text of the function that runs a trace: it takes arguments, makes the call, writes what that
    changes and returns the result.

    ``native`` is the machine code that is called; without it, kernels run the graph.
    """

    def __init__(self, trace: Any, native: Any = None) -> None:
        self._trace = trace
        self._native = native
        self._gives: Sequence[ir.Type] | None = None
        """The types of what machine code gives."""
        self._has_kernels = True
        """Whether a run calls kernels of NumPy's, which warn."""
        if native is not None:
            from runtime.engine.llvm.native import calls_kernels  # loaded by now

            self._gives = native.module.entry.gives
            self._has_kernels = calls_kernels(native.module)
        self._used = 0
        """How many of the values that a run gives are used."""
        self.source = CallSource(count=trace.calls.add)
        self._arguments = DirectArguments(trace, self.source, native)

    def function(
        self, call: BoundCall, args: Sequence[Any], keywords: list[str]
    ) -> Callable[..., Any] | None:
        """Return the function; None where an argument or result is of no kind that is written."""
        source, arguments, count = self.source, self._arguments, len(args) - len(keywords)
        names = [f"a{number}" for number in range(len(args))]
        by_label = {name: count + number for number, name in enumerate(keywords)}
        source.miss_if(f"settings.generation != {SETTINGS.generation}")
        for number, ((label, _), staged) in enumerate(zip(call.labels, call.values)):
            place = number if number < count else by_label.get(label)
            if place is None:  # a default
                if not _is_constant(staged):
                    return None
            elif not arguments.add(names[place], args[place], staged):
                return None
        arguments.check_changes()
        source.check_links(self._trace.links)
        if not self._reads_state() or not arguments.are_complete or not self._runs_and_returns():
            return None
        return source.compile("direct_call", names)

    def takes_tensors(self, names: Sequence[str]) -> bool:
        """Add the lines of a run for tensors with names; whether its result is written out."""
        for name in names:
            self._arguments.give_tensor(name)
        return self._runs_and_returns()

    # -- state ------------------------------------------------------------------------------------

    def _reads_state(self) -> bool:
        """Add the lines that read the slots that calls carry; whether all are plain."""
        for state in self._trace.carried.slots if self._trace.carries_state else ():
            name, content = self.source.read_slot(state.slot), state.read()
            staged = content.leaves[0] if content.structure == LEAF and content.leaves else None
            is_plain = type(staged) in (Tensor, StagedNumber)
            if not is_plain or not self._arguments.add(name, content.value, staged):
                return False
        return True

    def _writes_state(self) -> bool:
        """Add the lines that write back the slots; whether all are plain."""
        if not self._trace.carries_state:
            return True
        texts = [self._slot_text(value.structure) for value in self._trace.carried.written]
        return self.source.write_slots(self._trace.carried.written, texts, SLOTS_LOCK)

    def _slot_text(self, like: Any) -> str | None:
        """Return the expression of what the next value is in a slot; None for other than plain."""
        if not isinstance(like, SymbolicTensor) or not self._has_next:
            return None
        return self._number(like) if like.weak else f"wrap({self._array()})"

    # -- the run ----------------------------------------------------------------------------------

    def _runs_and_returns(self) -> bool:
        """Add the lines that run the trace, write changes and slots and return the result."""
        source, trace, arguments = self.source, self._trace, self._arguments
        native, takes_python = self._native, trace.returns_numbers
        if native is not None and not takes_python and native.takes is not None:
            return False
        changed = [arguments.inputs[number] for number in trace.arrays.written]
        if native is not None and takes_python:
            self._tries_code(changed)
        else:
            run = trace.executable if native is None else native.function
            source.lines_of(["count()", *self._run(run)])
        return self._returns(changed)

    def _run(self, function: Callable[..., Any]) -> list[str]:
        """Return the lines that call a function, and save what the state is where it raises."""
        carries_state, arguments = self._trace.carries_state, self._arguments.text
        if carries_state and self._native is not None:
            function = _of_sequence(function)
        if carries_state or self._native is None:
            arguments = f"[{arguments}]"
        run = self.source.known(function, "f")
        if carries_state:
            arguments = f"{run}, {arguments}"
            run = self.source.known(self._trace.carried.run_saving, "s")
        if not self._has_kernels:
            return [f"v = {run}({arguments})"]
        if self._trace.graph.stateful:  # the user's code may be called, in its own context
            return ["with errstate(all='ignore'):", f"    v = {run}({arguments})"]
        return [f"v = copy().run({run}, {arguments})"]

    def _tries_code(self, changed: Sequence[str]) -> None:
        """Add the lines that call machine code; it changes large arrays in place where it can."""
        source, trace, depth = self.source, self._trace, 1
        size = sum([prod(self._arguments.arrays[name].shape) for name in changed])
        if size >= LARGE and not trace.containers.written:
            in_place = self._native.in_place(trace.arrays.written, as_array, lambda *_: MISS)
            if in_place is not None:
                # the changes until an exception are those that Python makes one by one, too
                text = f"v = {source.known(in_place, 'f')}({self._arguments.text})"
                self._tries([text], has_changes=False)
                source.line("if v is MISS:")
                depth = 2
        has_changes = trace.changes_arguments and not has_effects(trace.graph)
        self._tries(self._run(self._native.with_own_results(as_array)), has_changes, depth)
        source.line("count()")

    def _tries(self, run: Sequence[str], has_changes: bool, depth: int = 1) -> None:
        """Add lines, and what is done about exceptions."""
        lines = ["try:", *["    " + text for text in run]]
        if has_changes:  # the general way leaves in the arguments what Python leaves
            lines += ["except Exception:", "    return MISS"]
        else:
            fits = self._arguments.check_sizes()
            lines += ["except (TypeError, OverflowError):"]  # of an argument: it did not run
            lines += [f"    if not {fits}: return MISS", "    count()", "    raise"]
        self.source.lines_of([*lines, "except BaseException:", "    count()", "    raise"], depth)

    # -- results ----------------------------------------------------------------------------------

    @property
    def _has_next(self) -> bool:
        """Whether a run gives another value."""
        return self._gives is None or self._used < len(self._gives)

    def _value(self) -> str:
        """Return the expression of the next value that a run gives."""
        self._used += 1
        return "v" if self._gives is not None and len(self._gives) == 1 else f"v[{self._used - 1}]"

    def _array(self) -> str:
        """Return the expression of the next value as an array, or a scalar of NumPy."""
        if self._gives is None:
            return self._value()
        type_, convert = self._gives[self._used], self._native.gives[self._used]
        text = self._value()
        if isinstance(type_, ir.Scalar):
            return self._numpy_number(type_, text)
        return text if convert is None else f"{self.source.known(convert, 'c')}({text})"

    def _numpy_number(self, type: ir.Scalar, text: str) -> str:
        from runtime.engine.llvm.callbacks import numpy_type  # loaded by now

        return self.source.numpy_number(numpy_type(type), text)

    def _number(self, like: SymbolicTensor) -> str | None:
        """Return the expression of the Python number or text that the next value stands for."""
        type_ = ir.OBJECT if self._gives is None else self._gives[self._used]
        text = self._value()
        if type_ is not ir.OBJECT:
            return text if MACHINE_TYPES.get(like.dtype) == type_ else None
        if like.dtype is string:
            return f"{self.source.known(python_value, 't')}({text})"
        return f"{text}.item()" if self._gives is None else None

    def _returns(self, changed: Sequence[str]) -> bool:
        """Add the lines that write changes, also of the arrays with names, and slots, and return
        the result; whether all are of kinds that are written.
        """
        source, trace, structure = self.source, self._trace, self._trace.structured_outputs
        is_tensor = (
            isinstance(structure, SymbolicTensor) and not trace.returns_numbers
            and structure.dtype is not string and self._has_next
        )  # fmt: skip
        result = self._array() if is_tensor else self._text(structure)
        if result is None and self._gives is None:
            self._used = len(trace.graph.outputs) - trace.state_size
            result = f"{source.known(trace.pack, 'p')}(v[:{self._used}])"
        changes = zip(trace.containers.written, trace.changed.structure, strict=True)
        for number, contents in changes:
            text = self._text(contents)
            if text is None:
                return False
            self._arguments.write(number, text)
        for name in changed:
            contents = self._value()
            source.line(f"if {contents} is not {name}: {name}[...] = {contents}")
        if result is None or not self._writes_state():
            return False
        if self._gives is not None and not 0 < len(self._gives) == self._used:
            return False
        if is_tensor:  # as ``wrap`` does, without a call
            source.lines_of(["tensor = new(Tensor)", f"tensor._array = {result}"])
        source.line(f"return {'tensor' if is_tensor else result}")
        return True

    def _text(self, structure: Any) -> str | None:
        """Return the expression of a result; None where it takes more than the run's values."""
        leaves, layout = treedef.flatten(structure, expand_composites=True)
        return self.source.nest(layout, [self._leaf(leaf) for leaf in leaves])

    def _leaf(self, leaf: Any) -> str | None:
        """Return the expression of a leaf of the result; None for one that is not written out."""
        is_tensor = isinstance(leaf, SymbolicTensor) and self._has_next
        if not self._trace.returns_numbers:
            return f"wrap({self._array()})" if is_tensor else "None" if leaf is None else None
        if isinstance(leaf, Constant):
            return self.source.known(leaf.value, "c")
        if isinstance(leaf, CallerObject):
            names = self._arguments.inputs if leaf.is_array else [*self._arguments.containers]
            return names[leaf.number]
        if isinstance(leaf, staging.JoinedNumber):
            return self._joint_number(leaf)
        if isinstance(leaf, staging.StagedVariant):
            return self._of_kinds(leaf)
        if isinstance(leaf, staging.StagedList) and self._gives is not None and self._has_next:
            layout = _layout_of(leaf)
            is_given = layout is not None and layout == native_layout(self._gives[self._used])
            return self._value() if is_given else None
        if not is_tensor:
            return None
        return self._number(leaf) if leaf.weak else self._own_array(leaf)

    def _own_array(self, like: SymbolicTensor) -> str | None:
        """Return the expression of the array or NumPy scalar that the next value stands for."""
        results = self._trace.results
        if self._gives is None:
            decode, _ = results.decoder(())
            of_value = f"{self._value()}, {self.source.known(like, 'l')}"
            return f"{self.source.known(decode, 'd')}({of_value})"
        type_, text = self._gives[self._used], self._value()
        if isinstance(type_, ir.Scalar):
            text = self._numpy_number(type_, text)
            is_scalar = not results.keeps_array(like)
            return text if is_scalar else f"{self.source.known(np.array, 'n')}({text})"
        is_own = like.shape.rank != 0 or not results.keeps_array(like)
        is_array = type_ is ir.OBJECT and np.dtype(like.dtype.as_numpy_dtype).kind in "biufc"
        return text if is_own and is_array and not results.reads_tensors else None

    def _joint_number(self, number: staging.JoinedNumber) -> str | None:
        """Return the expression of the value that a joined number has."""
        kind, *values = [self._leaf(number) for number in staging.number_parts(number)]
        if kind is None or None in values:
            return None
        chosen = self.source.known(number.ag__chosen, "j")
        return f"{chosen}({kind}, ({', '.join(filter(None, values))},))"

    def _of_kinds(self, variant: staging.StagedVariant) -> str | None:
        """Return the expression of the value of the kind that a variant has."""
        index = self._leaf(variant.ag__index)
        values = [self._text(alternative) for alternative in variant.ag__alternatives]
        if index is None or None in values:
            return None
        *tested, text = values
        for number, value in reversed([*enumerate(tested)]):
            text = f"({value} if {index} == {number} else {text})"
        return text


def _is_constant(value: Any) -> bool:
    """Whether a default is the same in all calls of a trace."""
    return not may_change(value) and all(
        codec_of(leaf).kind != "tensor" for leaf in flatten_arguments(value)[0]
    )


def _of_sequence(function: Callable[..., Any]) -> Callable[[Sequence[Any]], Any]:
    return lambda inputs: function(*inputs)


def _layout_of(value: staging.StagedList) -> Layout | None:
    """Return the layout of a staged list of numbers and texts, of tuples of them, or of such lists;
    None for other lists.
    """
    prefix = staging.as_staged_list(value).prefix
    if prefix.item is None or staging.kind_of(value) is tuple:
        return None
    specs, entry = prefix.item.specs(), prefix.spec.entry
    item = prefix.lift(specs)
    if isinstance(item, staging.StagedList):
        is_entry = len(entry) == 1 and staging.as_staged_list(item).prefix.handle is specs[0]
        inner = _layout_of(item) if is_entry else None
        return None if inner is None else [inner]
    if any(isinstance(spec, ListSpec) or not spec.weak for spec in entry):
        return None
    names = [KINDS[spec.dtype] for spec in entry]
    if len(specs) == 1:
        return names if item is specs[0] else None
    is_tuple = type(item) is tuple and [*map(id, item)] == [*map(id, specs)]
    return [(tuple, *names)] if is_tuple else None
