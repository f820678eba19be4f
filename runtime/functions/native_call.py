"""Direct calls of machine code: a function of the arguments that makes no arrays, and no key.

Once a trace runs as machine code, function.py calls it by a function that is written here for the
kinds of its arguments and results (call_source.py).  Python's numbers and lists go in and out as
they are, tensors and NumPy's arrays by their memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np

from autograph import staging
from autograph.staging import JoinedNumber, StagedList, kind_of, number_parts
from runtime.eager.tensor import Tensor
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.callbacks import numpy_type
from runtime.engine.llvm.native import NativeCode, calls_kernels, non_escaping_params
from runtime.functions.array_arguments import ARRAY, READ_ONLY, SCALAR, TENSOR, has_effects
from runtime.functions.cache_key import is_tensor_argument
from runtime.functions.call_source import MISS, CallSource
from runtime.functions.list_layouts import layout_of
from runtime.functions.number_arguments import ListArgument, StagedNumber
from runtime.functions.number_results import GIVEN, Constant, GivenArray, as_array
from runtime.functions.signature import BoundCall
from runtime.graph.operation import SymbolicTensor
from runtime.staging.values.lists import Layout, ListSpec
from runtime.types import treedef
from runtime.types.composite import composite_of
from runtime.types.dtypes import bool_, float64, int64

_TYPES = {bool_: ir.BOOL, int64: ir.INT64, float64: ir.FLOAT64}
"""By dtype of a weak tensor: the type of the machine number that is the Python number."""

_NAMED = {"bool": ir.BOOL, "int": ir.INT64, "float": ir.FLOAT64}
_CLASSES = {ir.BOOL: bool, ir.INT64: int, ir.FLOAT64: float}

_LITERALS = (int, bool, str, type(None))
"""Classes of arguments that a trace is for the value of, and that are compared here."""

LARGE = 500
"""Arrays of fewer items are copied, changed and copied back sooner than code is compiled."""


def direct_call(
    trace: Any, call: BoundCall, args: Sequence[Any], native: NativeCode
) -> Callable[..., Any] | None:
    """Return the function of the arguments that calls the machine code of a trace, or None.

    ``call`` is a call of the trace by the positional arguments ``args``.
    """
    variant = trace.variant
    if trace.carries_state or (variant is not None and variant.arguments):
        return None
    if trace.graph.never_returns or (trace.arrays.changes and not trace.returns_numbers):
        return None
    defaults = call.leaves[len(args) :]
    if len(call.leaves) < len(args) or any(map(_is_input, defaults)):
        return None
    writer = _NumberCall if trace.returns_numbers else _TensorCall
    return writer(trace, native).function(call, args)


def _is_input(leaf: Any) -> bool:
    """Whether a leaf of the arguments is no constant of a trace."""
    return is_tensor_argument(leaf) or composite_of(leaf) is not None


class _NativeCall:
    """Text of the function that calls machine code, for traces of any kind."""

    def __init__(self, trace: Any, native: NativeCode) -> None:
        self._trace = trace
        self._native = native
        self._takes = [register.type for register in native.module.entry.block.params]
        self._gives: Sequence[ir.Type] = native.module.entry.gives
        self._used = 0
        """How many of the values that the code gives are used."""
        self._inputs: list[str] = []
        """The names of the arguments that go in."""
        self._given: list[str] = []
        """The expressions of what the code is given, one for each input."""
        self._source = CallSource(count=trace.calls.add)

    def function(self, call: BoundCall, args: Sequence[Any]) -> Callable[..., Any] | None:
        """Return the function; None where an argument or result is of no kind that is written."""
        source, names = self._source, [f"a{number}" for number in range(len(args))]
        source.check_settings()
        for name, arg, leaf in zip(names, args, call.leaves):
            if is_input := _is_input(leaf):
                if len(self._given) == len(self._takes):
                    return None
                self._inputs.append(name)
                text = self._input(name, arg, leaf, call)
            else:
                text = name if arg is leaf and type(leaf) in _LITERALS else None
                source.check_literal(name, leaf) if text else None
            if text is None:
                return None
            self._given += [text] if is_input else []
        if len(self._given) != len(self._takes) or not self._writes():
            return None
        return source.compile("native_call", names)

    def _input(self, name: str, arg: Any, leaf: Any, call: BoundCall) -> str | None:
        """Add lines that give MISS unless an argument is as the one of the call; return the
        expression of what the code is given for it.
        """
        raise NotImplementedError

    def _writes(self) -> bool:
        """Add the lines that call the code and return its result; whether there are such."""
        raise NotImplementedError

    def _run(self, function: str, arguments: str) -> list[str]:
        """Return the lines that call the code."""
        if not calls_kernels(self._native.module):
            return [f"v = {function}({arguments})"]
        if self._trace.graph.stateful:  # the user's code may be called, in its own context
            return ["with errstate(all='ignore'):", f"    v = {function}({arguments})"]
        return [f"v = copy().run({function}, {arguments})"]

    def _value(self) -> str:
        """Return the expression of the next value that the code gives."""
        self._used += 1
        return "v" if len(self._gives) == 1 else f"v[{self._used - 1}]"


class _TensorCall(_NativeCall):
    """Direct call of a trace of ``function``: tensors and arrays go in, tensors come out."""

    def _input(self, name: str, arg: Any, leaf: Any, call: BoundCall) -> str | None:
        placeholder = self._trace.graph.inputs[len(self._given)]
        array = arg._array if type(arg) is Tensor else arg
        if type(array) is not np.ndarray and not isinstance(array, np.generic):
            return None
        dtype = array.dtype
        if dtype != placeholder.dtype.as_numpy_dtype or dtype.kind not in "biufc":
            return None
        self._source.check_class(name, type(arg))
        if isinstance(arg, np.generic):
            return name
        text, is_tensor = name, type(arg) is Tensor
        if is_tensor:
            text = self._source.fresh("x")
            self._source.line(f"{text} = {name}._array")
        dims = placeholder.shape.dims
        self._source.check_array(text, dtype, dims, is_tensor and dims == ())
        return text if is_tensor else f"{text}.copy()"  # which the caller may change

    def _writes(self) -> bool:
        source, trace = self._source, self._trace
        source.check_links(trace.links)
        source.line("count()")
        array = self._plain_result()
        if array is None:
            run, pack = source.known(self._native, "f"), source.known(trace.result_packer(), "p")
            source.lines_of(self._run(run, f"({', '.join([*self._given, ''])})"))
            source.line(f"return {pack}(v)")
        else:
            run = source.known(self._native.function, "f")
            source.lines_of(self._run(run, ", ".join(self._given)))
            source.return_tensor(array)
        return True

    def _plain_result(self) -> str | None:
        """Return the expression of the array of a result that is one tensor; None for others, or
        where kernels are called.
        """
        output = self._trace.structured_outputs
        if type(output) is not SymbolicTensor or output.weak or len(self._native.gives) != 1:
            return None
        if self._native.takes is not None or calls_kernels(self._native.module):
            return None
        (type_,) = self._gives
        if isinstance(type_, ir.Scalar):
            return self._source.numpy_number(numpy_type(type_), "v")
        (convert,) = self._native.gives
        return "v" if convert is None else f"{self._source.known(convert, 'c')}(v)"


class _NumberCall(_NativeCall):
    """Direct call of a trace of ``runtime.jit``: Python's values go in, and come out."""

    def __init__(self, trace: Any, native: NativeCode) -> None:
        super().__init__(trace, native)
        self._kept = non_escaping_params(native.module)
        self._layouts: dict[str, Layout] = {}
        """Of the numbers and lists among the arguments, by name."""
        self._arrays: dict[str, Any] = {}
        """The arrays that the call has, by name."""
        self._depths: dict[str, int] = {}
        """How deep the lists among the arguments are nested."""

    def _input(self, name: str, arg: Any, leaf: Any, call: BoundCall) -> str | None:
        position = len(self._given)
        type_, kinds = self._takes[position], self._trace.arrays.pattern
        kind = TENSOR if kinds is None else kinds[position]
        array = call.arrays[position] if call.arrays else None
        if kind == SCALAR:
            return self._scalar(name, array, type_)
        if array is not None and position in self._kept:
            return self._array(name, array, kind)
        if isinstance(leaf, ListArgument) and _takes_list(leaf.layout, type_):
            self._layouts[name], self._depths[name] = leaf.layout, _depth(leaf.layout)
            self._source.check_class(name, list)
            self._source.check_items(name, self._depths[name])
            return name
        if not isinstance(leaf, StagedNumber) or not isinstance(type_, ir.Scalar):
            return None
        if _TYPES.get(leaf.dtype) != type_:
            return None
        self._layouts[name] = _CLASSES[type_].__name__
        self._source.check_class(name, _CLASSES[type_])
        return name

    def _scalar(self, name: str, scalar: Any, type_: ir.Type) -> str | None:
        if type_ not in _CLASSES or ir.NUMBERS.get(scalar.dtype) != type_:
            return None
        self._source.check_class(name, type(scalar))
        return f"{name}.item()"

    def _array(self, name: str, array: Any, kind: int) -> str | None:
        if type(array) is not np.ndarray or not array.dtype.isnative:
            return None
        self._arrays[name] = array
        self._source.check_class(name, np.ndarray)
        self._source.check_array(name, array.dtype, array.shape, False)
        if kind in (ARRAY, READ_ONLY):
            self._source.check_writeable(name, kind == ARRAY)
        return name

    def _writes(self) -> bool:
        source, trace, lists = self._source, self._trace, [*self._depths]
        changed = [self._inputs[number] for number in trace.arrays.written]
        outside = [f"{source.known(reference, 'r')}()" for reference in trace.arrays.outside]
        for name in changed:
            source.check_apart(
                name, [*[array for array in self._arrays if array != name], *outside]
            )
        if trace.written:
            source.check_distinct(self._depths)
        source.check_links(trace.links)
        self._call(changed)
        result = self._text(trace.structured_outputs)
        for number, contents in zip(trace.written, trace.changed, strict=True):
            text = self._text(contents)
            if text is None:
                return False
            source.write_list(lists[number], text, self._depths[lists[number]] > 1)
        for name in changed:
            source.write_array(name, self._value())
        if result is None or self._used != len(self._gives) or not self._gives:
            return False
        source.line(f"return {result}")
        return True

    def _call(self, changed: Sequence[str]) -> None:
        """Add the lines that call the code; it changes large arrays in place where it can."""
        source, trace, depth = self._source, self._trace, 1
        arguments = ", ".join(self._given)
        if sum([prod(self._arrays[name].shape) for name in changed]) >= LARGE and not trace.written:
            in_place = self._native.in_place(trace.arrays.written, as_array, lambda *_: MISS)
            if in_place is not None:
                # the changes until an exception are those that Python makes one by one, too
                self._try([f"v = {source.known(in_place, 'f')}({arguments})"], has_changes=False)
                source.line("if v is MISS:")
                depth = 2
        changes = bool(trace.written) or trace.arrays.changes or trace.raises_after_changes
        native = source.known(self._native.with_own_results(as_array), "f")
        self._try(self._run(native, arguments), changes and not has_effects(trace.graph), depth)
        source.line("count()")

    def _try(self, run: Sequence[str], has_changes: bool, depth: int = 1) -> None:
        """Add lines, and what is done about exceptions."""
        lines = ["try:", *["    " + text for text in run]]
        if has_changes:  # the general way leaves in the arguments what Python leaves
            lines += ["except Exception:", "    return MISS"]
        else:
            fits = self._source.known(partial(_fit, list(self._layouts.values())), "f")
            lines += ["except (TypeError, OverflowError):"]  # of an argument: it did not run
            lines += [f"    if not {fits}(({', '.join([*self._layouts, ''])})): return MISS"]
            lines += ["    count()", "    raise"]
        self._source.lines_of([*lines, "except BaseException:", "    count()", "    raise"], depth)

    # -- results ----------------------------------------------------------------------------------

    def _text(self, structure: Any) -> str | None:
        """Return the expression of a result; None where it takes more than the code's values."""
        leaves, layout = treedef.flatten(structure, expand_composites=True)
        return self._source.nest(layout, [self._leaf(leaf) for leaf in leaves])

    def _leaf(self, leaf: Any) -> str | None:
        if isinstance(leaf, Constant):
            return self._source.known(leaf.value, "c")
        if isinstance(leaf, GIVEN):
            return (self._inputs if isinstance(leaf, GivenArray) else [*self._depths])[leaf.number]
        if isinstance(leaf, JoinedNumber):
            return self._joined(leaf)
        if isinstance(leaf, staging.StagedVariant):
            return self._of_kinds(leaf)
        if self._used == len(self._gives):
            return None
        type, text = self._gives[self._used], self._value()
        if isinstance(leaf, StagedList):
            return text if _gives_list(leaf, type) else None
        if not isinstance(leaf, SymbolicTensor):
            return None
        if isinstance(type, ir.Scalar):
            if leaf.weak:
                return text if _TYPES.get(leaf.dtype) == type else None
            text = self._source.numpy_number(numpy_type(type), text)
            is_scalar = not self._trace.keeps_array(leaf)
            return text if is_scalar else f"{self._source.known(np.array, 'n')}({text})"
        if leaf.shape.rank == 0 and self._trace.keeps_array(leaf):
            return None
        is_array = type is ir.OBJECT and np.dtype(leaf.dtype.as_numpy_dtype).kind in "biufc"
        if leaf.weak or self._trace.reads_tensors or not is_array:
            return None
        return text

    def _joined(self, number: JoinedNumber) -> str | None:
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


# -- layouts of lists -----------------------------------------------------------------------------


def _takes_list(layout: Layout, type: ir.Type) -> bool:
    """Return whether a native list has the layout of a list of numbers, of tuples of them, or of
    such lists.
    """
    if not isinstance(type, ir.NativeList) or not layout:
        return False
    (item,) = layout
    if isinstance(item, list):
        return len(type.fields) == 1 and _takes_list(item, type.fields[0])
    fields = item[1:] if isinstance(item, tuple) else (item,)
    if isinstance(item, tuple) and len(fields) < 2 or not all(isinstance(f, str) for f in fields):
        return False
    return tuple([_NAMED.get(field) for field in fields]) == type.fields


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
    if tuple([_TYPES.get(spec.dtype) for spec in entry]) != native.fields:
        return False
    if len(specs) == 1:
        return item is specs[0]
    return type(item) is tuple and list(map(id, item)) == list(map(id, specs))


def _depth(layout: Layout) -> int:
    """Return how deep lists are nested."""
    return 1 + _depth(layout[0]) if isinstance(layout, list) else 0


def _fit(layouts: Sequence[Layout], values: Sequence[Any]) -> bool:
    """Return whether machine code took all arguments: their layouts fit, ints have 64 bits."""
    return all(
        layout_of(value) == layout and _are_short(value)
        for layout, value in zip(layouts, values, strict=True)
    )


def _are_short(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_are_short, value))
    return not isinstance(value, int) or -(2**63) <= value < 2**63
