"""LLVM code that finds the elements of NumPy's arrays.

Where an array is defined, its data, sizes and strides are read once from the array object: its
*view*.  The view of an array of another dtype or rank than the graph expects has no items, so that
each read and write goes to the kernel.  What stores an array in a stack slot, as loops do with
their state, stores the view beside it.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from runtime.engine.llvm.python_code import ARRAY_CLASS, context_entry
from runtime.engine.llvm.text import FunctionText

if TYPE_CHECKING:
    from runtime.engine.llvm.row_layouts import KnownLayouts, RowLayout

HEAD = object.__basicsize__
CLASS = HEAD - 8
DATA, RANK, SIZES, STRIDES = HEAD, HEAD + 8, HEAD + 16, HEAD + 24
BASE, DTYPE, FLAGS = HEAD + 32, HEAD + 40, HEAD + 48
"""Offsets in ``PyArrayObject``, which begins with the count of references."""
BYTE_ORDER, TYPE_NUMBER = HEAD + 10, HEAD + 12
"""Offsets in ``PyArray_Descr``."""
ROW_BY_ROW, OWNS_DATA, ALIGNED, WRITEABLE = 0x1, 0x4, 0x100, 0x400
"""Flags of arrays."""

TYPE_NUMBERS = {
    np.dtype(name).type: np.dtype(name).num
    for name in (
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "float32", "float64",
    )
}  # fmt: skip
"""NumPy's numbers of the dtypes whose elements are read and written."""


NUMPY_FUNCTIONS = {"PyArray_NewCopy": 85, "PyArray_New": 93}
"""Functions of NumPy's C API that native code calls: their numbers in it."""


@cache
def numpy_functions() -> dict[str, int]:
    """Return the addresses of NumPy's C functions that native code calls, by name."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    table = pointer(import_module("numpy._core._multiarray_umath")._ARRAY_API, None)
    return {
        name: ctypes.c_int64.from_address(table + 8 * place).value
        for name, place in NUMPY_FUNCTIONS.items()
    }


@cache
def is_layout_known() -> bool:
    """Return whether arrays lie in memory as this code expects."""
    if sys.byteorder != "little" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    owners = [np.arange(6.0)]
    array = owners[0].reshape(2, 3)[:, ::2]

    def word(address: int, kind: type[ctypes.c_int64 | ctypes.c_int32] = ctypes.c_int64) -> int:
        return kind.from_address(address).value

    def flags(array: object) -> int:
        return word(id(array) + FLAGS, ctypes.c_int32) & (OWNS_DATA | WRITEABLE)

    sizes, strides, dtype = (word(id(array) + at) for at in (SIZES, STRIDES, DTYPE))
    counts = [word(id(owners[0]))]  # it and its view refer to it
    found = (
        word(id(array) + CLASS), word(id(array) + DATA), word(id(array) + RANK, ctypes.c_int32),
        *(word(start + 8 * axis) for start in (sizes, strides) for axis in range(2)),
        dtype, word(dtype + TYPE_NUMBER, ctypes.c_int32),
        ctypes.c_char.from_address(dtype + BYTE_ORDER).value,
        word(id(array) + BASE), word(id(owners[0]) + BASE), flags(array), flags(owners[0]),
    )  # fmt: skip
    expected = (
        id(np.ndarray), array.ctypes.data, 2, *array.shape, *array.strides, id(array.dtype),
        array.dtype.num, b"=", id(owners[0]), 0, WRITEABLE, OWNS_DATA | WRITEABLE,
    )  # fmt: skip
    del array
    counts.append(word(id(owners[0])))
    return found == expected and counts == [2, 1]


class View(NamedTuple):
    """Names of an array's data, sizes and strides.

    is_own says whether the array may be written, its items lie row by row, and its memory is its
    own: whoever else reads the memory refers to the array.
    """

    data: str
    sizes: Sequence[str]
    strides: Sequence[str]
    is_own: str


Key = tuple[int, int]
"""What the elements of an array are taken for: NumPy's number of the dtype, and the rank."""


class ArrayViews:
    """Views of the arrays of one LLVM function, each read where its array is defined.

    Which views there are is known at the end of the function: each definition and each store
    leaves a line free for what later lines need.
    """

    def __init__(self, text: FunctionText) -> None:
        self._text = text
        self._places: dict[str, int] = {}
        """By name of an object: the line that its definition left free."""
        self._slots: dict[str, str] = {}
        """By name of an object that was loaded from a stack slot: the slot."""
        self._views: dict[tuple[str, Key], View] = {}
        self._stores: dict[str, list[tuple[str, int]]] = {}
        """By slot: the objects that are stored in it, and the lines that were left free."""
        self._beside: dict[str, dict[Key, str]] = {}
        """By slot: the cells that hold the views of what it holds."""
        self._layouts: dict[str, RowLayout] = {}
        """By name of an object: what is known of it without looking."""
        self._in_place: set[str] = set()
        """Names of objects that may change though others refer to them."""
        self._row_by_row: dict[str, int] = {}
        """By name of an array whose items lie row by row: the size of an item."""

    def know(self, name: str, layout: RowLayout | None) -> None:
        """Note the layout of an object that is about to be defined, if it is known."""
        if layout is not None:
            self._layouts[name] = layout

    def know_param(self, name: str, position: int, layouts: KnownLayouts) -> None:
        """Note what is known of a parameter."""
        self.know(name, layouts.params.get(position))
        if position in layouts.in_place:
            self._in_place.add(name)

    def is_own(self, name: str) -> bool:
        """Return whether an object may change without looking who refers to it."""
        return name in self._in_place

    def layout_of(self, name: str, key: Key) -> RowLayout | None:
        """Return the layout of an array, if it is known."""
        found = self._layouts.get(name)
        return found if found is not None and found.key == key else None

    def lies_row_by_row(self, name: str, item: int) -> None:
        """Note of an array that was defined just now that its items lie row by row."""
        self._row_by_row[name] = item

    def defined(self, name: str, slot: str = "") -> None:
        """Note that an object was defined just now, or loaded from a slot; the first time counts.
        """
        if name not in self._places:
            self._places[name] = self._free_line()
            if slot:
                self._slots[name] = slot

    def stored(self, slot: str, name: str) -> None:
        """Note that an object was stored in a slot just now."""
        store = name, self._free_line()
        self._stores.setdefault(slot, []).append(store)
        for key, cells in self._beside.get(slot, {}).items():
            self._store(*store, key, cells)

    def of(self, name: str, key: Key) -> View:
        """Return the view of an array."""
        slot = self._slots.get(name)
        cells = None if slot is None else self._cells_beside(slot, key)
        if (name, key) not in self._views:
            layout = self.layout_of(name, key)
            with self._lines_at(self._places[name]):
                if layout is None:
                    view = self._loaded(cells or self._read(name, key), key[1])
                else:
                    view = self._known(name, layout)
                if name in self._row_by_row:
                    view = self._without_gaps(view, self._row_by_row[name])
                self._views[name, key] = view
        return self._views[name, key]

    def _known(self, name: str, layout: RowLayout) -> View:
        """Return the view of an array whose layout is known."""
        data = word(self._text, name, DATA, "ptr")
        sizes, strides = ([*map(str, words)] for words in (layout.sizes, layout.strides))
        return View(data, sizes, strides, _is_own(self._text, name))

    def _without_gaps(self, view: View, item: int) -> View:
        """Return a view with the strides that its sizes mean."""
        strides = [str(item)]
        for size in view.sizes[:0:-1]:
            strides.insert(0, self._text.value(f"mul i64 {strides[0]}, {size}"))
        return view._replace(strides=strides)

    def _free_line(self) -> int:
        self._text.lines.append("")
        return len(self._text.lines) - 1

    @contextmanager
    def _lines_at(self, place: int) -> Iterator[None]:
        """Add the lines that are written meanwhile at a line that was left free."""
        lines, self._text.lines = self._text.lines, []
        yield
        lines[place] = "\n".join([line for line in (lines[place], *self._text.lines) if line])
        self._text.lines = lines

    def _cells_beside(self, slot: str, key: Key) -> str:
        """Return the cells for views of what a slot holds; all stores in the slot fill them."""
        found = self._beside.setdefault(slot, {})
        if key not in found:
            found[key] = self._text.slot(_cells_type(key[1]))
            for name, place in list(self._stores[slot]):
                self._store(name, place, key, found[key])
        return found[key]

    def _store(self, name: str, place: int, key: Key, cells: str) -> None:
        data, *words = _flat(self.of(name, key))
        with self._lines_at(place):
            _store(self._text, cells, [("ptr", data), *(("i64", word) for word in words)])

    def _read(self, name: str, key: Key) -> str:
        """Return cells with the view of an array, which is read now."""
        text, function = self._text, f"view.{key[0]}.{key[1]}"
        if function not in text.declared:
            text.declared[function] = _view_function(function, *key)
        cells = text.slot(_cells_type(key[1]))
        cls = context_entry(text, str(ARRAY_CLASS))
        text.line(f"call void @{function}(ptr {name}, ptr {cls}, ptr {cells})")
        return cells

    def _loaded(self, cells: str, rank: int) -> View:
        text = self._text
        words = [word(text, cells, 8 * n) for n in range(1, 2 + 2 * rank)]
        data = word(text, cells, 0, "ptr")
        return View(data, words[:rank], words[rank:-1], words[-1])


def _cells_type(rank: int) -> str:
    return f"[{2 + 2 * rank} x i64]"


def _flat(view: View) -> list[str]:
    return [view.data, *view.sizes, *view.strides, view.is_own]


def word(text: FunctionText, base: str, offset: int, kind: str = "i64") -> str:
    """Return the word at an offset."""
    place = text.moved(base, offset)
    return text.value(f"load {kind}, ptr {place}")


def _view_function(name: str, number: int, rank: int) -> str:
    """Return the function that fills the cells of a view; zeros for another array."""
    text = FunctionText(
        f"define internal void @{name}(ptr %array, ptr %class, ptr nocapture %view) noinline"
    )
    check_kind(text, "%array", number, rank)
    text.start("fill")
    tables = [word(text, "%array", at, "ptr") for at in (SIZES, STRIDES)]
    words = [word(text, table, 8 * axis) for table in tables for axis in range(rank)]
    words.append(_is_own(text, "%array"))
    data = word(text, "%array", DATA, "ptr")
    _store(text, "%view", [("ptr", data), *(("i64", w) for w in words)])
    text.line("ret void")
    text.start("none")
    _store(text, "%view", [("ptr", "null"), *([("i64", "0")] * (2 * rank + 1))])
    text.line("ret void")
    return text.text()


def check_kind(text: FunctionText, array: str, number: int, rank: int) -> None:
    """Branch to "fill" if an array is of the class and has a dtype and rank, else to "none"."""
    cls = word(text, array, CLASS, "ptr")
    text.branch(text.value(f"icmp eq ptr {cls}, %class"), "known", "none")
    text.start("known")
    axes = word(text, array, RANK, "i32")
    dtype = word(text, array, DTYPE, "ptr")
    kind = word(text, dtype, TYPE_NUMBER, "i32")
    order = word(text, dtype, BYTE_ORDER, "i8")
    conditions = [
        text.value(f"icmp eq i32 {axes}, {rank}"), text.value(f"icmp eq i32 {kind}, {number}"),
        text.value(f"icmp ne i8 {order}, {ord('>')}"),
    ]  # fmt: skip
    both = text.value(f"and i1 {conditions[0]}, {conditions[1]}")
    text.branch(text.value(f"and i1 {both}, {conditions[2]}"), "fill", "none")


def layout_check(text: FunctionText, layout: RowLayout) -> str:
    """Return the name of the function that tells whether an array has a layout."""
    name = "_".join(["lies", str(layout.number), *map(str, layout.sizes)])
    if name in text.declared:
        return name
    inner = FunctionText(f"define internal i1 @{name}(ptr %array, ptr %class) noinline")
    check_kind(inner, "%array", *layout.key)
    inner.start("fill")
    flags = inner.value(f"and i32 {word(inner, '%array', FLAGS, 'i32')}, {ROW_BY_ROW | ALIGNED}")
    good = inner.value(f"icmp eq i32 {flags}, {ROW_BY_ROW | ALIGNED}")
    sizes = word(inner, "%array", SIZES, "ptr")
    for axis, size in enumerate(layout.sizes):
        same = inner.value(f"icmp eq i64 {word(inner, sizes, 8 * axis)}, {size}")
        good = inner.value(f"and i1 {good}, {same}")
    inner.line(f"ret i1 {good}")
    inner.start("none")
    inner.line("ret i1 false")
    text.declared[name] = inner.text()
    return name


def _is_own(text: FunctionText, array: str) -> str:
    """Return 1 if the array may be written, and is as ``array.own`` gives it; else 0."""
    own = _has_own_memory(text, array, ROW_BY_ROW | OWNS_DATA | WRITEABLE)
    return text.value(f"zext i1 {own} to i64")


def _has_own_memory(text: FunctionText, array: str, wanted: int) -> str:
    """Return whether the memory of an array is no other object's, and it has all wanted flags."""
    base = text.value(f"icmp eq ptr {word(text, array, BASE, 'ptr')}, null")
    flags = text.value(f"and i32 {word(text, array, FLAGS, 'i32')}, {wanted}")
    flagged = text.value(f"icmp eq i32 {flags}, {wanted}")
    return text.value(f"and i1 {base}, {flagged}")


def is_plain(text: FunctionText, array: str) -> str:
    """Return whether an array is as NumPy makes new ones: with axes, memory of its own, row by row.
    """
    axes = text.value(f"icmp ne i32 {word(text, array, RANK, 'i32')}, 0")
    own = _has_own_memory(text, array, ROW_BY_ROW | OWNS_DATA | ALIGNED | WRITEABLE)
    return text.value(f"and i1 {axes}, {own}")


def is_sole_number(text: FunctionText, array: str) -> str:
    """Return whether an array without axes has memory of its own, and one object refers to it."""
    own = _has_own_memory(text, array, OWNS_DATA | ALIGNED | WRITEABLE)
    alone = text.value(f"icmp eq i64 {text.value(f'load i64, ptr {array}')}, 1")
    return text.value(f"and i1 {own}, {alone}")


def _store(text: FunctionText, cells: str, words: Sequence[tuple[str, str]]) -> None:
    for position, (kind, value) in enumerate(words):
        place = text.moved(cells, 8 * position)
        text.line(f"store {kind} {value}, ptr {place}")
