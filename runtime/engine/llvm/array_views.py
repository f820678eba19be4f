"""LLVM code that finds the elements of NumPy's arrays.

Where an array is defined, its data, sizes and strides are read once from the array object: its
*view*.  The view of an array of another dtype or rank than the graph expects has no items, so that
each read and write goes to the kernel.  What stores an array in a stack slot, as loops do with
their state, stores the view beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm.array_code import (
    DATA,
    SIZES,
    STRIDES,
    check_kind,
    elements_of,
    is_own,
    is_own_array,
    word,
)
from runtime.engine.llvm.python_code import array_class
from runtime.engine.llvm.text import FunctionText

if TYPE_CHECKING:
    from runtime.engine.llvm.row_layouts import KnownLayouts, RowLayout


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
        self._view_cells: dict[str, dict[Key | RowLayout, str]] = {}
        """By slot: the cells that hold the views of what it holds; of arrays that have a layout the
        address of the elements."""
        self._layouts: dict[str, RowLayout] = {}
        """By name of an object: what is known of it without looking."""
        self._expected: dict[str, RowLayout] = {}
        """By name of an object: the layout that it has, or its elements cannot be used."""
        self._in_place: set[str] = set()
        """Names of objects that may change though others refer to them."""
        self._row_by_row: dict[str, int] = {}
        """By name of an array whose items lie row by row: the size of an item."""

    def know(self, name: str, layout: RowLayout | None) -> None:
        """Note the layout of an object that is about to be defined, if it is known."""
        if layout is not None:
            self._layouts[name] = layout

    def expect(self, name: str, layout: RowLayout | None) -> None:
        """Note the layout that an object, which is about to be defined, should have.  If it has
        another one, it has no items.
        """
        if layout is not None:
            self._expected[name] = layout

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
        layout = self._layouts.get(name)
        return layout if layout is not None and layout.key == key else None

    def lies_row_by_row(self, name: str, item: int) -> None:
        """Note of an array that was defined just now that its items lie row by row."""
        self._row_by_row[name] = item

    def note_definition(self, name: str, slot: str = "") -> None:
        """Note that an object was defined just now, or loaded from a slot; the first time counts.
        """
        if name not in self._places:
            self._places[name] = self._free_line()
            if slot:
                self._slots[name] = slot

    def note_store(self, slot: str, name: str) -> None:
        """Note that an object was stored in a slot just now."""
        store = name, self._free_line()
        self._stores.setdefault(slot, []).append(store)
        for key, cells in self._view_cells.get(slot, {}).items():
            self._store(*store, key, cells)

    def of(self, name: str, key: Key) -> View:
        """Return the view of an array."""
        slot, layout = self._slots.get(name), self.layout_of(name, key)
        expected = self._expected.get(name)
        if layout is not None or expected is None or expected.key != key:
            expected = None
        cells = None if slot is None else self._cells_beside(slot, expected or key)
        if (name, key) not in self._views:
            with self._lines_at(self._places[name]):
                if expected is not None:
                    view = self._as_expected(name, expected, cells)
                elif layout is None:
                    view = self._load_view(cells or self._read(name, key), key[1])
                else:
                    view = self._view_of_layout(name, layout)
                if name in self._row_by_row:
                    view = self._without_gaps(view, self._row_by_row[name])
                self._views[name, key] = view
        return self._views[name, key]

    def _view_of_layout(self, name: str, layout: RowLayout) -> View:
        """Return the view of an array whose layout is known."""
        return self._constant(name, layout, word(self._text, name, DATA, "ptr"))

    def _as_expected(self, name: str, layout: RowLayout, cell: str | None) -> View:
        """Return the view of an array that has a layout, or no items."""
        data = elements_of(self._text, name, layout) if cell is None else self._text.load(cell)
        return self._constant(name, layout, data)

    def _constant(self, name: str, layout: RowLayout, data: str) -> View:
        sizes, strides = ([*map(str, words)] for words in (layout.sizes, layout.strides))
        owns_memory = is_own_array(self._text, name)
        return View(data, sizes, strides, self._text.value(f"zext i1 {owns_memory} to i64"))

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

    def _cells_beside(self, slot: str, key: Key | RowLayout) -> str:
        """Return the cells for views of what a slot holds; all stores in the slot fill them."""
        cells_by_key = self._view_cells.setdefault(slot, {})
        if key not in cells_by_key:
            is_view = len(key) == 2
            cells_by_key[key] = self._text.slot(_cells_type(key[1]) if is_view else "ptr")
            for name, place in list(self._stores[slot]):
                self._store(name, place, key, cells_by_key[key])
        return cells_by_key[key]

    def _store(self, name: str, place: int, key: Key | RowLayout, cells: str) -> None:
        if len(key) == 3:
            data = self._elements_of(name, key)
            with self._lines_at(place):
                self._text.line(f"store ptr {data}, ptr {cells}")
            return
        data, *words = _flat(self.of(name, key))
        with self._lines_at(place):
            _store(self._text, cells, [("ptr", data), *(("i64", word) for word in words)])

    def _elements_of(self, name: str, layout: RowLayout) -> str:
        """Return the address of the elements of an array; null if it has not the layout."""
        if layout in (self._layouts.get(name), self._expected.get(name)):
            return self.of(name, layout.key).data
        with self._lines_at(self._places[name]):
            return elements_of(self._text, name, layout)

    def _read(self, name: str, key: Key) -> str:
        """Return cells with the view of an array, which is read now."""
        text, function = self._text, _view_function(self._text, *key)
        cells = text.slot(_cells_type(key[1]))
        cls = array_class(text)
        text.line(f"call void @{function}(ptr {name}, ptr {cls}, ptr {cells})")
        return cells

    def _load_view(self, cells: str, rank: int) -> View:
        text = self._text
        words = [word(text, cells, 8 * n) for n in range(1, 2 + 2 * rank)]
        data = word(text, cells, 0, "ptr")
        return View(data, words[:rank], words[rank:-1], words[-1])


def _cells_type(rank: int) -> str:
    return f"[{2 + 2 * rank} x i64]"


def _flat(view: View) -> list[str]:
    return [view.data, *view.sizes, *view.strides, view.is_own]


def _view_function(text: FunctionText, number: int, rank: int) -> str:
    """Return the function that fills the cells of a view; zeros for another array."""

    def write(inner: FunctionText) -> None:
        check_kind(inner, "%array", number, rank, "none")
        tables = [word(inner, "%array", at, "ptr") for at in (SIZES, STRIDES)]
        words = [word(inner, table, 8 * axis) for table in tables for axis in range(rank)]
        words.append(is_own(inner, "%array"))
        data = word(inner, "%array", DATA, "ptr")
        _store(inner, "%view", [("ptr", data), *(("i64", w) for w in words)])
        inner.line("ret void")
        inner.start("none")
        _store(inner, "%view", [("ptr", "null"), *([("i64", "0")] * (2 * rank + 1))])
        inner.line("ret void")

    params = "ptr %array, ptr %class, ptr nocapture %view"
    return text.define(f"view.{number}.{rank}", "void", params, write)


def _store(text: FunctionText, cells: str, words: Sequence[tuple[str, str]]) -> None:
    for position, (kind, value) in enumerate(words):
        place = text.gep(cells, 8 * position)
        text.line(f"store {kind} {value}, ptr {place}")
