"""Arguments of direct calls of machine code: Python's numbers and lists go in as they are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.native import NativeCode, non_escaping_params
from runtime.functions.call_source import CallSource
from runtime.functions.direct_arguments import DirectArguments
from runtime.functions.list_layouts import depth_of, layout_of
from runtime.functions.number_arguments import ListArgument, StagedNumber
from runtime.staging.values.lists import Layout
from runtime.types.dtypes import DType, bool_, float64, int64, string

MACHINE_TYPES: dict[DType, ir.Type] = {
    bool_: ir.BOOL, int64: ir.INT64, float64: ir.FLOAT64, string: ir.TEXT,
}  # fmt: skip
"""By dtype of a weak tensor: the type of the machine number that is the Python number."""

_NAMED = {"bool": ir.BOOL, "int": ir.INT64, "float": ir.FLOAT64, "str": ir.TEXT}
_CLASSES: dict[ir.Type | None, type] = {
    ir.BOOL: bool, ir.INT64: int, ir.FLOAT64: float, ir.TEXT: str,
}  # fmt: skip


class NativeArguments(DirectArguments):
    """The arguments of one direct call of machine code."""

    def __init__(self, trace: Any, native: NativeCode, source: CallSource) -> None:
        super().__init__(trace, source)
        self._flat_lists: set[str] = set()
        """Names of lists of numbers, or of tuples of them, of any length."""
        self._layouts: dict[str, Layout] = {}
        """Of the numbers and lists, by name."""
        self._takes = [register.type for register in native.module.entry.block.params]
        self._count = len(self._takes)
        self._borrowed: Collection[int] = ()
        """Positions of the arrays that the code neither keeps nor gives back."""
        if trace.returns_numbers:
            self._borrowed = non_escaping_params(native.module)

    @property
    def _next(self) -> ir.Type | None:
        """The type of the next parameter; None after the last one."""
        return None if self.are_complete else self._takes[len(self.expressions)]

    # -- kinds of arguments -----------------------------------------------------------------------

    def _number(self, name: str, value: Any, staged: StagedNumber) -> bool:
        cls, type_ = type(value), self._next
        if type_ is ir.OBJECT:
            return cls is str and super()._number(name, value, staged)
        self._source.check_class(name, cls)
        self._layouts[name] = cls.__name__
        return type_ in _CLASSES and _CLASSES[type_] is cls and self.give(name, name)

    def _fits(self, array: Any) -> bool:
        return super()._fits(array) and array.dtype.kind in "biufc"

    def _array_text(self, name: str, position: int) -> str | None:
        if not self._trace.returns_numbers:
            return super()._array_text(name, position)
        return name if position in self._borrowed else None

    def _list(self, name: str, value: Any, staged: ListArgument) -> bool:
        self._source.check_class(name, list)
        if depth_of(staged.layout) == 1:
            self._flat_lists.add(name)
        return self._items(name, name, staged)

    def _items(self, name: str, items: str, staged: ListArgument) -> bool:
        """Check the list ``items`` of a list or deque."""
        type_ = self._next
        if type_ is None or not _takes_list(staged.layout, type_):
            return False
        self._layouts[items], depth = staged.layout, depth_of(staged.layout)
        self.containers[name] = depth
        self._source.check_items(items, depth)
        return self.give(name, items)

    # -- the rest of a call -----------------------------------------------------------------------

    def write(self, number: int, contents: str) -> None:
        """Let a container among the arguments, given by its number, hold other contents."""
        name = [*self.containers][number]
        self._source.write_list(name, contents, name not in self._flat_lists)

    def check_sizes(self) -> str:
        """The expression that tells whether the code took all arguments: it is asked where the code
        raises an error as it does for arguments that do not fit.
        """
        fits = self._source.known(_Fit([*self._layouts.values()]), "f")
        return f"{fits}(({', '.join([*self._layouts, ''])}))"


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


class _Fit:
    """Whether machine code took all arguments: their layouts fit, ints have 64 bits."""

    def __init__(self, layouts: Sequence[Layout]) -> None:
        self._layouts = layouts

    def __call__(self, values: Sequence[Any]) -> bool:
        """Compare the values with the layouts."""
        return all(
            layout_of(value) == layout and _are_short(value)
            for layout, value in zip(self._layouts, values, strict=True)
        )


def _are_short(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_are_short, value))
    return not isinstance(value, int) or -(2**63) <= value < 2**63
