"""Direct calls of machine code: Python's numbers and lists go in and out as they are.

Once a trace of ``runtime.jit`` runs as machine code, function.py calls it by a function that is
written out here, without arrays between.  That function gives MISS wherever the general way has to
be taken, which gives the same result or raises the error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from autograph import staging
from autograph.staging import JoinedNumber, StagedList, kind_of, number_parts
from runtime.eager.tensor import silent_copy
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.callbacks import numpy_type
from runtime.engine.llvm.native import NativeCode, calls_kernels, non_escaping_params
from runtime.functions.array_arguments import ARRAY, READ_ONLY, SCALAR, TENSOR, has_effects
from runtime.functions.list_layouts import layout_of
from runtime.functions.number_arguments import FixedArgument, ListArgument, StagedNumber, refill
from runtime.functions.number_results import GIVEN, Constant, GivenArray, NumberTrace, as_array
from runtime.functions.output_packing import has_text, node_text, number_text
from runtime.functions.signature import BoundCall
from runtime.functions.state_guard import MISS, add_link_checks
from runtime.graph.operation import SymbolicTensor
from runtime.graph.staged_list import Layout, ListSpec
from runtime.types import treedef
from runtime.types.dtypes import bool_, float64, int64
from runtime.types.python_source import PythonSource
from runtime.types.settings import SETTINGS

_TYPES = {bool_: ir.BOOL, int64: ir.INT64, float64: ir.FLOAT64}
"""By dtype of a weak tensor: the type of the machine number that is the Python number."""

_NAMED = {"bool": ir.BOOL, "int": ir.INT64, "float": ir.FLOAT64}
_CLASSES = {ir.BOOL: bool, ir.INT64: int, ir.FLOAT64: float}


def direct_call(
    trace: NumberTrace, call: BoundCall, args: Sequence[Any], native: NativeCode
) -> Callable[..., Any] | None:
    """Return the function of the arguments that calls the machine code of a trace, or None.

    ``call`` is a call of the trace by the positional arguments ``args``.
    """
    if len(args) != len(call.leaves):
        return None
    variant: Any = trace.variant
    if trace.carries_state or (variant is not None and variant.arguments):
        return None
    if trace.graph.never_returns or any(
        isinstance(leaf, FixedArgument) for leaf in call.leaves
    ):
        return None
    takes = [register.type for register in native.module.entry.block.params]
    kinds: Sequence[int] = trace.arrays.pattern or [TENSOR] * len(takes)
    if not len(takes) == len(call.leaves) == len(kinds):
        return None
    layouts: list[Any] = [
        _layout(leaf, type) for leaf, type in zip(call.leaves, takes, strict=True)
    ]
    for position, kind in enumerate(kinds):
        if kind == SCALAR:
            layouts[position] = _scalar_layout(call.arrays[position], takes[position])
    arrays = non_escaping_params(native.module) if call.arrays else ()
    for position in arrays:
        layouts[position] = _array_layout(call.arrays[position], kinds[position])
    if None in layouts:
        return None
    return _Writer(trace, native, layouts).function()


def _layout(leaf: Any, type: ir.Type) -> Layout | None:
    """Return the layout of an argument that machine code takes as it is; None for others."""
    if isinstance(leaf, ListArgument):
        return leaf.layout if _takes_list(leaf.layout, type) else None
    if isinstance(leaf, StagedNumber) and isinstance(type, ir.Scalar):
        if _TYPES.get(leaf.dtype) == type:
            return _CLASSES[type].__name__
    return None


class ArrayLayout(NamedTuple):
    """Dtype and shape of an array that machine code reads.

    kind says whether it must be one that may be changed, or may not.
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    kind: int


class ScalarLayout(NamedTuple):
    """Class of a scalar of NumPy's that machine code takes as a Python number."""

    cls: type


def _scalar_layout(scalar: Any, type: ir.Type) -> ScalarLayout | None:
    known = type in _CLASSES and ir.NUMBERS.get(scalar.dtype) == type
    return ScalarLayout(scalar.__class__) if known else None


def _array_layout(array: Any, kind: int) -> ArrayLayout | None:
    plain = type(array) is np.ndarray and array.dtype.isnative
    return ArrayLayout(array.dtype, array.shape, kind) if plain else None


def _takes_list(layout: Layout, type: ir.Type) -> bool:
    """Return whether a native list has the layout of a list of numbers, of tuples of them, or of
    such lists.
    """
    if not isinstance(type, ir.NativeList) or not layout:
        return False
    (item,) = layout
    if isinstance(item, list):
        return len(type.fields) == 1 and _takes_list(item, type.fields[0])
    parts = item[1:] if isinstance(item, tuple) else (item,)
    if isinstance(item, tuple) and len(parts) < 2 or not all(isinstance(p, str) for p in parts):
        return False
    return tuple([_NAMED.get(part) for part in parts]) == type.fields


def _gives_list(value: StagedList, type: ir.Type) -> bool:
    """Return whether the list that machine code gives is the one that a staged list stands for."""
    prefix = staging.as_staged_list(value).prefix
    if not isinstance(type, ir.NativeList) or prefix.item is None or kind_of(value) is tuple:
        return False
    specs, entry = prefix.item.specs(), prefix.spec.entry
    item = prefix.lift(specs)
    if isinstance(item, StagedList):
        is_entry = len(entry) == 1 and staging.as_staged_list(item).prefix.handle is specs[0]
        return is_entry and _gives_list(item, type.fields[0])
    if any(isinstance(spec, ListSpec) or not spec.weak for spec in entry):
        return False
    if tuple([_TYPES.get(spec.dtype) for spec in entry]) != type.fields:
        return False
    if len(specs) == 1:
        return item is specs[0]
    return _is_class(item, tuple) and list(map(id, item)) == list(map(id, specs))


def _depth(layout: Layout) -> int:
    """Return how deep lists are nested."""
    return 1 + _depth(layout[0]) if isinstance(layout, list) else 0


def _holds_items(value: Any, depth: int) -> bool:
    """Return whether lists, nested so deep, hold any item that is no list."""
    if depth == 1:
        return bool(value)
    return any(type(item) is list and _holds_items(item, depth - 1) for item in value)


def _ids_of_lists(value: Any, depth: int) -> Iterator[int]:
    """Yield the identities of a list, nested so deep, and of the lists in it."""
    yield id(value)
    if depth == 2:
        yield from map(id, value)
    elif depth > 2:
        for item in value:
            if type(item) is list:
                yield from _ids_of_lists(item, depth - 1)


def _are_repeated(ids: list[int]) -> bool:
    return len(set(ids)) < len(ids)


def _is_class(value: Any, cls: type) -> bool:
    return type(value) is cls


LARGE = 500
"""Arrays of fewer items are copied, changed and copied back sooner than code is compiled."""


def _miss(*_: Any) -> Any:
    return MISS


class _Writer:
    """Text of the function that calls machine code."""

    def __init__(
        self, trace: NumberTrace, native: NativeCode,
        layouts: Sequence[Layout | ArrayLayout | ScalarLayout],
    ) -> None:  # fmt: skip
        self._trace = trace
        self._native = native
        self._args = [f"a{number}" for number in range(len(layouts))]
        pairs = list(zip(self._args, layouts, strict=True))
        self._arrays = {a: layout for a, layout in pairs if isinstance(layout, ArrayLayout)}
        self._scalars = {a: layout for a, layout in pairs if isinstance(layout, ScalarLayout)}
        self._layouts: dict[str, Any] = {
            a: layout for a, layout in pairs if a not in self._arrays and a not in self._scalars
        }
        self._lists = [a for a, layout in self._layouts.items() if not isinstance(layout, str)]
        self._source = PythonSource(
            MISS=MISS, settings=SETTINGS, errstate=np.errstate, copy=silent_copy,
            native=native.with_own_results(as_array), count=trace.calls.add, array=np.ndarray,
            share=np.may_share_memory,
            holds_items=_holds_items, ids=_ids_of_lists, are_repeated=_are_repeated, refill=refill,
            fits=partial(_fit, list(self._layouts.values())),
        )  # fmt: skip
        self._gives: Sequence[ir.Type] = native.module.entry.gives
        self._next = 0
        """How many of the values that the code gives are used."""
        self._changed = [self._args[number] for number in trace.arrays.written]

    def function(self) -> Callable[..., Any] | None:
        """Return the function; None where results are not the numbers and lists of the code."""
        source = self._source
        source.line(f"if settings.generation != {SETTINGS.generation}: return MISS")
        for name, layout in self._arrays.items():
            source.line(f"if type({name}) is not array: return MISS")
            dtype = source.known(layout.dtype, "d")
            source.line(
                f"if {name}.dtype is not {dtype} or {name}.shape != {layout.shape}: return MISS"
            )
            if layout.kind in (ARRAY, READ_ONLY):
                other = "not " if layout.kind == ARRAY else ""
                source.line(f"if {other}{name}.flags.writeable: return MISS")
        for name, scalar in self._scalars.items():
            source.line(f"if type({name}) is not {source.known(scalar.cls, 't')}: return MISS")
        for name, layout in self._layouts.items():
            cls = layout if isinstance(layout, str) else "list"
            source.line(f"if type({name}) is not {cls}: return MISS")
        for name in self._lists:  # of an empty list, the types of items are not known
            depth = _depth(self._layouts[name])
            known = f"any({name})" if depth == 2 else f"holds_items({name}, {depth})"
            source.line(f"if not {name if depth == 1 else known}: return MISS")
        self._check_distinct()
        add_link_checks(self._trace, source)
        self._call()
        result = self._text(self._trace.layout[0])
        for number, contents in zip(self._trace.written, self._trace.layout[1], strict=True):
            changed = self._text(contents)
            if changed is None:
                return None
            name = self._lists[number]
            nests = _depth(self._layouts[name]) > 1
            source.line(f"refill({name}, {changed})" if nests else f"{name}[:] = {changed}")
        for name in self._changed:
            value = self._value()
            source.line(f"if {value} is not {name}: {name}[...] = {value}")
        if result is None or self._next != len(self._gives) or not self._gives:
            return None
        source.line(f"return {result}")
        return source.compile("native_call", self._args)

    def _check_distinct(self) -> None:
        """Take the general way where a list is given twice, and a list is changed, or an
        array that is changed may share memory with another.
        """
        for name in self._changed:
            for other in self._arrays:
                if other != name:
                    self._source.line(f"if share({name}, {other}): return MISS")
            for reference in self._trace.arrays.outside:
                outside = self._source.known(reference, "r")
                self._source.line(f"if share({name}, {outside}()): return MISS")
        if not self._trace.written:
            return
        depths = {name: _depth(self._layouts[name]) for name in self._lists}
        if max(depths.values()) > 1:
            ids = ", ".join([f"*ids({name}, {depth})" for name, depth in depths.items()])
            self._source.line(f"if are_repeated([{ids}]): return MISS")
            return
        for position, one in enumerate(self._lists):
            for other in self._lists[:position]:
                self._source.line(f"if {one} is {other}: return MISS")

    def _call(self) -> None:
        args = ", ".join([f"{a}.item()" if a in self._scalars else a for a in self._args])
        depth = 1
        in_place = self._in_place()
        if in_place is not None:
            run = [f"v = {self._source.known(in_place, 'i')}({args})"]
            self._try(run, has_changes=False)  # which Python makes one by one, too
            self._source.line("if v is MISS:")
            depth = 2
        if not calls_kernels(self._native.module):
            run = [f"v = native({args})"]
        elif self._trace.graph.stateful:  # the user's code may be called, in its own context
            run = ["with errstate(all='ignore'):", f"    v = native({args})"]
        else:
            run = [f"v = copy().run(native, {args})"]
        trace = self._trace
        changes = bool(trace.written) or trace.arrays.changes or trace.raises_after_changes
        self._try(run, changes and not has_effects(self._trace.graph), depth)
        self._source.line("count()")

    def _in_place(self) -> Callable[..., Any] | None:
        """Return the code that changes large arrays in place; None if it might raise meanwhile."""
        size = sum([prod(self._arrays[name].shape) for name in self._changed])
        if size < LARGE or self._trace.written:
            return None
        return self._native.in_place(self._trace.arrays.written, as_array, _miss)

    def _try(self, run: Sequence[str], has_changes: bool, depth: int = 1) -> None:
        """Add lines, and what is done about exceptions."""
        lines = ["try:", *["    " + text for text in run]]
        if has_changes:  # the general way leaves in the arguments what Python leaves
            lines += ["except Exception:", "    return MISS"]
        else:
            fits = f"fits(({', '.join([*self._layouts, ''])}))"
            lines += ["except (TypeError, OverflowError):"]
            lines += [f"    if not {fits}: return MISS", "    count()", "    raise"]  # did not run
        for text in [*lines, "except BaseException:", "    count()", "    raise"]:
            self._source.line(text, depth)

    def _text(self, structure: Any) -> str | None:
        """Return the expression of a result; None where it takes more than the code's values."""
        leaves, layout = treedef.flatten(structure, expand_composites=True)
        texts = [self._leaf(leaf) for leaf in leaves]
        if None in texts or not has_text(layout):
            return None
        found: str = layout.fold(texts, partial(node_text, self._source))
        return found

    def _leaf(self, leaf: Any) -> str | None:
        if isinstance(leaf, Constant):
            return self._source.known(leaf.value, "c")
        if isinstance(leaf, GIVEN):
            return (self._args if isinstance(leaf, GivenArray) else self._lists)[leaf.number]
        if isinstance(leaf, JoinedNumber):
            return self._joined(leaf)
        if isinstance(leaf, staging.StagedVariant):
            return self._of_kinds(leaf)
        if self._next == len(self._gives):
            return None
        type, text = self._gives[self._next], self._value()
        if isinstance(leaf, StagedList):
            return text if _gives_list(leaf, type) else None
        if not isinstance(leaf, SymbolicTensor):
            return None
        if isinstance(type, ir.Scalar):
            if leaf.weak:
                return text if _TYPES.get(leaf.dtype) == type else None
            text = number_text(self._source, numpy_type(type), text)
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
        kind, *values = [self._leaf(part) for part in number_parts(number)]
        if kind is None or None in values:
            return None
        chosen = self._source.known(number.ag__chosen, "j")
        return f"{chosen}({kind}, ({', '.join(filter(None, values))},))"

    def _of_kinds(self, variant: staging.StagedVariant) -> str | None:
        """Return the expression of the value of the kind that a variant has."""
        index = self._leaf(variant.ag__index)
        values = [self._text(one) for one in variant.ag__alternatives]
        if index is None or None in values:
            return None
        *tested, text = values
        for number, value in reversed([*enumerate(tested)]):
            text = f"({value} if {index} == {number} else {text})"
        return text

    def _value(self) -> str:
        """Return the expression of the next value that the code gives."""
        self._next += 1
        return "v" if len(self._gives) == 1 else f"v[{self._next - 1}]"


def _fit(layouts: Sequence[Layout], values: Sequence[Any]) -> bool:
    """Return whether machine code took all arguments: their layouts fit, ints have 64 bits."""
    return all(map(_fits, layouts, values))


def _fits(layout: Layout, value: Any) -> bool:
    return layout_of(value) == layout and _are_short(value)


def _are_short(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_are_short, value))
    return not isinstance(value, int) or -(2**63) <= value < 2**63
