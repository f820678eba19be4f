"""Direct calls of machine code: Python's numbers and collections go in and out as they are, tensors
and NumPy's arrays by their memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from autograph import staging
from autograph.staging import JoinedNumber, StagedList, kind_of, number_parts
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.callbacks import numpy_type
from runtime.engine.llvm.native import calls_kernels
from runtime.functions.array_arguments import has_effects
from runtime.functions.direct_call import DirectCall
from runtime.functions.native_arguments import MACHINE_TYPES, NativeArguments
from runtime.functions.result_codecs import CallerObject, Constant, as_array
from runtime.functions.signature import BoundCall
from runtime.graph.operation import SymbolicTensor
from runtime.ops.python.call_python import python_value
from runtime.staging.values.lists import ListSpec
from runtime.types import treedef
from runtime.types.dtypes import string
from runtime.types.python_source import MISS

LARGE = 500
"""Arrays of fewer items are copied, changed and copied back sooner than code is compiled."""


class NativeCall(DirectCall):
    """Text of the function that calls machine code."""

    _arguments: NativeArguments

    def __init__(self, trace: Any, call: BoundCall) -> None:
        self._native = trace.executable.native
        self._gives: Sequence[ir.Type] = self._native.module.entry.gives
        self._has_kernels = calls_kernels(self._native.module)
        super().__init__(trace, call)

    def _make_arguments(self) -> NativeArguments:
        return NativeArguments(self._trace, self._native, self._source)

    def _slot_text(self, like: Any) -> str | None:
        if not isinstance(like, SymbolicTensor) or self._used == len(self._gives):
            return None
        if like.weak:
            is_number = self._gives[self._used] == MACHINE_TYPES.get(like.dtype)
            return self._value() if is_number else None
        return f"wrap({self._array()})"

    def _value(self) -> str:
        text = super()._value()
        return "v" if len(self._gives) == 1 else text

    def _runs(self) -> list[str]:
        return self._run(self._native.function, ", ".join(self._arguments.expressions))

    def _packs(self) -> list[str] | None:
        return None  # the values are no arrays

    def _returns(self) -> bool:
        if self._trace.returns_numbers:
            return self._returns_numbers()
        return self._native.takes is None and super()._returns()

    # -- the call of the code ---------------------------------------------------------------------

    def _run(self, function: Callable[..., Any], arguments: str) -> list[str]:
        if not self._trace.carries_state:
            return super()._run(function, arguments)
        return super()._run(lambda inputs: function(*inputs), f"[{arguments}]")

    def _runs_numbers(self, changed: Sequence[str]) -> None:
        """Add the lines that call the code; it changes large arrays in place where it can."""
        source, trace, depth = self._source, self._trace, 1
        expressions, arrays = self._arguments.expressions, self._arguments.arrays
        size = sum([prod(arrays[name].shape) for name in changed])
        if size >= LARGE and not trace.containers.written:
            in_place = self._native.in_place(trace.arrays.written, as_array, lambda *_: MISS)
            if in_place is not None:
                # the changes until an exception are those that Python makes one by one, too
                text = f"v = {source.known(in_place, 'f')}({', '.join(expressions)})"
                self._tries([text], has_changes=False)
                source.line("if v is MISS:")
                depth = 2
        native = self._native.with_own_results(as_array)
        has_changes = trace.changes_arguments and not has_effects(trace.graph)
        self._tries(self._run(native, ", ".join(expressions)), has_changes, depth)
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
        self._source.lines_of([*lines, "except BaseException:", "    count()", "    raise"], depth)

    # -- results ----------------------------------------------------------------------------------

    def _array(self) -> str:
        type_, convert = self._gives[self._used], self._native.gives[self._used]
        text = self._value()
        if isinstance(type_, ir.Scalar):
            return self._source.numpy_number(numpy_type(type_), text)
        return text if convert is None else f"{self._source.known(convert, 'c')}({text})"

    def _returns_numbers(self) -> bool:
        """Add the lines that call the code, write changes and slots, and return Python's values."""
        source, trace, arguments = self._source, self._trace, self._arguments
        changed = [arguments.inputs[number] for number in trace.arrays.written]
        self._runs_numbers(changed)
        result = self._text(trace.structured_outputs)
        changes = () if trace.changed is None else trace.changed.structure
        for number, contents in zip(trace.containers.written, changes, strict=True):
            text = self._text(contents)
            if text is None:
                return False
            arguments.write(number, text)
        for name in changed:
            source.write_array(name, self._value())
        if not self._writes_state():
            return False
        if result is None or self._used != len(self._gives) or not self._gives:
            return False
        source.line(f"return {result}")
        return True

    def _text(self, structure: Any) -> str | None:
        """Return the expression of a result; None where it takes more than the code's values."""
        leaves, layout = treedef.flatten(structure, expand_composites=True)
        return self._source.nest(layout, [self._leaf(leaf) for leaf in leaves])

    def _leaf(self, leaf: Any) -> str | None:
        if isinstance(leaf, Constant):
            return self._source.known(leaf.value, "c")
        if isinstance(leaf, CallerObject):
            names = self._arguments.inputs if leaf.is_array else [*self._arguments.containers]
            return names[leaf.number]
        if isinstance(leaf, JoinedNumber):
            return self._joint_number(leaf)
        if isinstance(leaf, staging.StagedVariant):
            return self._of_kinds(leaf)
        if self._used == len(self._gives):
            return None
        type_, text = self._gives[self._used], self._value()
        if isinstance(leaf, StagedList):
            return text if _gives_list(leaf, type_) else None
        if not isinstance(leaf, SymbolicTensor):
            return None
        if type_ == ir.TEXT:
            return text if leaf.weak else None
        if isinstance(type_, ir.Scalar):
            if leaf.weak:
                return text if MACHINE_TYPES.get(leaf.dtype) == type_ else None
            text = self._source.numpy_number(numpy_type(type_), text)
            is_scalar = not self._trace.results.keeps_array(leaf)
            return text if is_scalar else f"{self._source.known(np.array, 'n')}({text})"
        if leaf.weak and leaf.dtype is string and type_ is ir.OBJECT:
            return f"{self._source.known(python_value, 't')}({text})"
        if leaf.shape.rank == 0 and self._trace.results.keeps_array(leaf):
            return None
        is_array = type_ is ir.OBJECT and np.dtype(leaf.dtype.as_numpy_dtype).kind in "biufc"
        if leaf.weak or self._trace.results.reads_tensors or not is_array:
            return None
        return text

    def _joint_number(self, number: JoinedNumber) -> str | None:
        """Return the expression of the value that a joined number has."""
        kind, *values = [self._leaf(number) for number in number_parts(number)]
        if kind is None or None in values:
            return None
        chosen = self._source.known(number.ag__chosen, "j")
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


def _gives_list(value: StagedList, native: ir.Type) -> bool:
    """Return whether the list that machine code gives is the one that a staged list stands for."""
    prefix = staging.as_staged_list(value).prefix
    if not isinstance(native, ir.NativeList) or prefix.item is None or kind_of(value) is tuple:
        return False
    specs, entry = prefix.item.specs(), prefix.spec.entry
    item = prefix.lift(specs)
    if isinstance(item, StagedList):
        is_entry = len(entry) == 1 and staging.as_staged_list(item).prefix.handle is specs[0]
        return is_entry and _gives_list(item, native.fields[0])
    if any(isinstance(spec, ListSpec) or not spec.weak for spec in entry):
        return False
    if tuple([MACHINE_TYPES.get(spec.dtype) for spec in entry]) != native.fields:
        return False
    if len(specs) == 1:
        return item is specs[0]
    return type(item) is tuple and list(map(id, item)) == list(map(id, specs))
