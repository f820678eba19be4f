"""LLVM code around a loop over whole arrays: what it reads lies row by row, results are allocated.

An argument that is laid out otherwise is copied first.  Whatever does not fit goes to the kernel,
and leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_code import ALIGNED, DATA, FLAGS, ROW_BY_ROW, word
from runtime.engine.llvm.array_loops.array_loop import ArrayLoop
from runtime.engine.llvm.array_views import ArrayViews, View
from runtime.engine.llvm.arrays.allocation import allocate
from runtime.engine.llvm.arrays.elements import apply_opcode
from runtime.engine.llvm.arrays.windowed import Windowed
from runtime.engine.llvm.builder import SIZE, ArrayElements, Builder
from runtime.engine.llvm.element_code import ROW_BY_ROW as NEW_ROW_BY_ROW
from runtime.engine.llvm.element_code import stored_size
from runtime.engine.llvm.loop_code import POLL_EVERY
from runtime.engine.llvm.python_code import require_object
from runtime.engine.llvm.size_code import all_hold, equal, is_constant
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.values import LaneValue

ELEMENTS_LOG2 = 4
"""Logarithm of the elements that a loop handles in the time of an iteration over numbers."""


class LoopFrame(Builder):
    """Code of one loop in the function that holds it: sizes, arguments, results, ways out."""

    def __init__(
        self, text: FunctionText, views: ArrayViews, loop: ArrayLoop | Windowed,
        names: Sequence[str],
    ) -> None:  # fmt: skip
        super().__init__(text, apply_opcode)
        self.loop = loop
        self.names = names
        self._views: dict[int, View] = {}
        for number, layout in enumerate(loop.layouts):
            if layout.dims:
                key = layout.dtype.num, len(layout.dims)
                self._views[number] = views.of(names[number], key)
        self.undo = ""
        """Label of the way to the kernel."""
        self._slots: Sequence[str] = ()
        self._copies: list[str] = []

    def iterations(self) -> str:
        """Return how many iterations of a loop over numbers take as long."""
        text, total = self.text, "0"
        for view in self._views.values():
            count = self.product(view.sizes)
            total = count if total == "0" else text.value(f"add i64 {total}, {count}")
        scaled = text.value(f"lshr i64 {total}, {ELEMENTS_LOG2}")
        most = text.call("i64", "llvm.umin.i64", f"i64 {scaled}", f"i64 {POLL_EVERY}")
        return text.value(f"trunc i64 {most} to i32")

    def begin(self, slots: Sequence[str]) -> None:
        """Begin: arguments have the dtypes and sizes that the graph says."""
        text, conditions = self.text, []
        self._slots, self.undo = slots, text.label("undo")
        for number, view in self._views.items():
            self._copies.append(text.slot("ptr"))
            text.line(f"store ptr null, ptr {self._copies[-1]}")
            conditions.append(text.value(f"icmp ne ptr {view.data}, null"))
            conditions += [
                equal(text, size, str(static_size))
                for size, static_size in zip(view.sizes, self.loop.layouts[number].dims)
                if static_size is not None
            ]
        self.require(all_hold(text, conditions))

    def end(self, slow: str) -> None:
        """End: the copies are released, where the loop fits or not."""
        text, done = self.text, self.text.label("done")
        for label, following in (("", done), (self.undo, slow)):
            if label:
                text.start(label)
            for slot in self._copies:
                text.call("void", "Py_DecRef", f"ptr {text.load(slot)}")
            text.jump(following)
        text.start(done)

    def release_copies(self) -> None:
        """Release the copies before the end."""
        for slot in self._copies:
            self.text.call("void", "Py_DecRef", f"ptr {self.text.load(slot)}")
            self.text.line(f"store ptr null, ptr {slot}")

    def require(self, condition: str) -> None:
        """Leave the loop to the kernel unless a condition holds."""
        self.text.require(condition, self.undo)

    def refuse(self, condition: str) -> None:
        """Leave the loop to the kernel if a condition holds."""
        self.require(self.text.value(f"xor i1 {condition}, true"))

    def equal(self, x: str, y: str) -> None:
        """Leave the loop to the kernel unless two sizes are equal."""
        if x != y:
            self.require(self.text.value(f"icmp eq i64 {x}, {y}"))

    def all_equal(self, xs: Sequence[str], ys: Sequence[str]) -> None:
        """Leave the loop to the kernel unless sizes are equal, one by one."""
        for x, y in zip(xs, ys, strict=True):
            self.equal(x, y)

    def not_negative(self, number: LaneValue) -> str:
        """Leave the loop to the kernel unless a number is 0 or more; return its name."""
        self.require((number >= 0).name)
        return number.name

    # -- arguments and results --------------------------------------------------------------------

    def element(self, number: int) -> ir.Scalar:
        """Return the type of the elements of an argument."""
        return self.loop.layouts[number].element

    def number(self, number: int) -> LaneValue:
        """Return an argument that is a number, as an int64."""
        return self.value(self.names[number], self.element(number)).to(ir.INT64)

    def size(self, number: int, axis: int) -> str:
        """Return a size: a constant where the graph knows it."""
        static_size = self.loop.layouts[number].dims[axis]
        return self._views[number].sizes[axis] if static_size is None else str(static_size)

    def sizes(self, number: int) -> list[str]:
        """Return the sizes of an argument."""
        return [self.size(number, axis) for axis in range(len(self.loop.layouts[number].dims))]

    def product(self, sizes: Sequence[str]) -> str:
        """Return the product of sizes."""
        product = "1"
        for size in sizes:
            product = size if product == "1" else self.text.value(f"mul i64 {product}, {size}")
        return product

    def array(self, number: int) -> ArrayElements:
        """Return the elements of an argument, row by row.

        Strides are compared here: a function that looks at the flags took 10 ns, a tenth of a loop
        over three elements.
        """
        text, view, item = self.text, self._views[number], stored_size(self.element(number))
        if _lies_row_by_row(view, item):
            return self.own_array(number)
        dense_stride, fits = str(item), "true"
        for stride, size in zip(reversed(view.strides), reversed(view.sizes), strict=True):
            same = text.value(f"icmp eq i64 {stride}, {dense_stride}")
            single = text.value(f"icmp ule i64 {size}, 1")
            either = text.value(f"or i1 {same}, {single}")
            fits = text.value(f"and i1 {fits}, {either}")
            dense_stride = text.value(f"mul i64 {dense_stride}, {size}")
        address = self.pointer()
        address.store(self.address(view.data))
        with text.only_if(fits, likely=True, holds=False):
            args = f"ptr {self.names[number]}", f"i32 {NEW_ROW_BY_ROW}"
            dense = self._note_copy(number, text.call("ptr", "PyArray_NewCopy", *args))
            require_object(text, dense, self.undo)
            address.store(self.address(word(text, dense, DATA, "ptr")))
        return ArrayElements(self, self.element(number), address.load_address().name)

    def array_by_function(self, number: int) -> ArrayElements:
        """As ``array``; a function looks how it lies, which makes less code of each use."""
        text = self.text
        if _lies_row_by_row(self._views[number], stored_size(self.element(number))):
            return self.own_array(number)
        args = f"ptr {self.names[number]}"
        dense = self._note_copy(number, text.invoke("ptr", _row_by_row(text), args))
        self.refuse(text.is_null(dense))
        return ArrayElements(self, self.element(number), word(text, dense, DATA, "ptr"))

    def _note_copy(self, number: int, array: str) -> str:
        """Note an array that is released in the end; return it."""
        self.text.line(f"store ptr {array}, ptr {self._copies[list(self._views).index(number)]}")
        return array

    def own_array(self, number: int) -> ArrayElements:
        """Return the elements of an argument that is changed in place."""
        return ArrayElements(self, self.element(number), self._views[number].data)

    def result(self, number: int, sizes: Sequence[str]) -> ArrayElements:
        """Allocate a result; return its elements."""
        slot, type = self._slots[number], self.loop.gives[number].element
        if self.loop.results[number].type is not ir.OBJECT:
            return ArrayElements(self, type, slot)
        allocate(self.text, type, sizes, slot, self.undo)
        array = self.text.load(slot)
        return ArrayElements(self, type, word(self.text, array, DATA, "ptr"))

    def give_argument(self, number: int, argument: int) -> None:
        """Give an argument as a result."""
        self.text.call("void", "Py_IncRef", f"ptr {self.names[argument]}")
        self.text.line(f"store ptr {self.names[argument]}, ptr {self._slots[number]}")

    def name(self, suffix: str = "") -> str:
        """Return the name of a function of the loop."""
        assert self.loop.site is not None
        return f"{self.loop.opcode}{suffix}{self.loop.site.index}"


def _lies_row_by_row(view: View, item: int) -> bool:
    """Return whether it is known that the items of an array lie without gaps."""
    for stride, size in zip(reversed(view.strides), reversed(view.sizes), strict=True):
        if not (is_constant(stride) and is_constant(size)):
            return False
        if int(stride) != item and int(size) > 1:
            return False
        item *= int(size)
    return True


def _row_by_row(text: FunctionText) -> str:
    """Return the name of the function that gives a new reference to an array, or to a copy of it
    whose elements lie row by row; null if there is no memory.
    """

    def write(inner: FunctionText) -> None:
        code, array = Builder(inner), Builder(inner).address("%array")
        required = ROW_BY_ROW | ALIGNED
        flags = (array + FLAGS).load(ir.INT32) & required
        with inner.leaving((flags == required).name, likely=None):
            code.run("Py_IncRef", array, extern=True)
            code.give(array)
        copy = code.call_address("PyArray_NewCopy", array, f"i32 {NEW_ROW_BY_ROW}", extern=True)
        with code.only_if(copy.is_null()):
            code.run("PyErr_Clear", extern=True)
        code.give(copy)

    return text.define("row_by_row", "ptr", "ptr %array", write)


class LoopFunction(Builder):
    """Function of a loop, which is called where the loop stands."""

    def __init__(self, frame: Any, suffix: str = "", gives: str = "void") -> None:
        super().__init__(FunctionText(""), apply_opcode)
        self._frame = frame
        self._name = frame.name(suffix)
        self._gives = gives
        self._params: list[str] = []
        self._args: list[str] = []

    def number(self, name: str, value: object, type: ir.Scalar = SIZE) -> LaneValue:
        """Return a number that the function is given."""
        self._params.append(f"{llvm_type(type)} %{name}")
        self._args.append(f"{llvm_type(type)} {value}")
        return self.value(f"%{name}", type)

    def array(self, name: str, elements: ArrayElements) -> ArrayElements:
        """Return the elements of an array that the function is given."""
        self._params.append(f"ptr %{name}")
        self._args.append(f"ptr {elements.address}")
        return ArrayElements(self, elements.type, f"%{name}")

    def extents(self, sizes: Sequence[str], axis: int) -> tuple[LaneValue, LaneValue, LaneValue]:
        """Return how many elements there are before, along and after an axis."""
        product = self._frame.product
        before, after = product(sizes[:axis]), product(sizes[axis + 1 :])
        along = self.number("outer", before), self.number("n", sizes[axis])
        return *along, self.number("inner", after)

    def by_columns(self, inner: LaneValue) -> Iterator[LaneValue | None]:
        """Run the lines that are added meanwhile for one column, whose number is constant (None),
        and again for several.
        """
        for is_single in self.text.either((inner == 1).name):
            yield None if is_single else inner

    def finish_and_call(self, result: object = "") -> str:
        """End the function with a result; add it, and a call of it.  Return what that gives."""
        self.text.line(f"ret {self._gives} {result}".rstrip())
        head = f"define internal {self._gives} @{self._name}({', '.join(self._params)}) noinline"
        outer = self._frame.text
        self.text.head = head
        outer.declared.update(self.text.declared)
        outer.declared[self._name] = self.text.text()
        call = f"call {self._gives} @{self._name}({', '.join(self._args)})"
        if self._gives == "void":
            outer.line(call)
            return ""
        return str(outer.value(call))
