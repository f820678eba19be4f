"""Functions of loops over whole arrays, which are written with values (values.py).

    function = LoopFunction(frame)
    x, count = function.array("x", elements), function.number("count", size)
    with function.each_vector(count) as number:
        x[number] = x[number] * 2
    function.call()

Parameters and what they are given in the call stand together.  Accesses in a loop that LLVM
vectorises are marked: no other turn depends on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.elements import apply_opcode, stored_size, stored_type
from runtime.engine.llvm.element_code import load_element, store_element
from runtime.engine.llvm.text import PARALLEL, VECTOR_LOOP, FunctionText, llvm_type
from runtime.engine.llvm.values import Value, Writer

SIZE = ir.Scalar("u", 64)
"""Type of sizes and positions."""


class LoopCode:
    """Code that values are added to: that of a function, or of what stands around its call."""

    def __init__(self, text: FunctionText) -> None:
        self.text = text
        self.writer = Writer(text, apply_opcode)
        self.mark = ""
        """How accesses of elements end."""

    def value(self, name: object, type: ir.Scalar = SIZE) -> Value:
        """Return the value of a name."""
        return Value(self.writer, type, str(name))

    def memory(self, type: ir.Scalar, count: int) -> Elements:
        """Return so many elements on the stack."""
        return Elements(self, type, self.text.slot(f"[{count} x {stored_type(type)}]"))

    @contextmanager
    def each(self, stop: object, start: object = 0) -> Iterator[Value]:
        """Run the lines that are added meanwhile for each number from start up to stop."""
        with self.text.counted_loop(str(stop), str(start)) as counter:
            yield self.value(counter)

    @contextmanager
    def each_vector(self, stop: object, start: object = 0) -> Iterator[Value]:
        """As ``each``; no turn depends on another, and LLVM makes vectors of several."""
        with self.text.counted_loop(str(stop), str(start), VECTOR_LOOP) as counter:
            self.mark = PARALLEL
            yield self.value(counter)
            self.mark = ""

    def each_column(self, inner: Value | None) -> AbstractContextManager[Value | int]:
        """As ``each_vector``; of a single column, without a loop."""
        return nullcontext(0) if inner is None else self.each_vector(inner)

    @contextmanager
    def each_chunk(self, count: Value, size: int) -> Iterator[tuple[Value, Value]]:
        """Run the lines that are added meanwhile for each chunk of so many of all numbers."""
        with self.each((count + (size - 1)) // size) as number:
            start = number * size
            yield start, (start + size).call("umin", count)

    def only_if(self, condition: Value) -> Any:
        """Run the lines that are added meanwhile if a condition holds."""
        return self.text.only_if(condition.name)


class Elements:
    """Elements that lie side by side: ``x[i]`` adds a load, ``x[i] = value`` a store."""

    def __init__(self, code: LoopCode, type: ir.Scalar, address: str) -> None:
        self.code = code
        self.type = type
        self.address = address

    def at(self, index: Value | int) -> str:
        """Return the address of an element."""
        return self.code.text.value(
            f"getelementptr {stored_type(self.type)}, ptr {self.address}, i64 {index}"
        )

    def __getitem__(self, index: Value | int) -> Value:
        name = load_element(self.code.text, self.at(index), self.type, self.code.mark)
        return self.code.value(name, self.type)

    def __setitem__(self, index: Value | int, value: Value) -> None:
        name = value.to(self.type).name
        store_element(self.code.text, self.at(index), self.type, name, self.code.mark)

    def constant(self, value: float) -> Value:
        """Return a number of the type of the elements."""
        return self.code.value("", self.type).constant(value)

    def clear(self, count: int) -> None:
        """Set so many elements to zeros."""
        args = f"ptr {self.address}", "i8 0", f"i64 {count * stored_size(self.type)}", "i1 false"
        self.code.text.call("void", "llvm.memset.p0.i64", *args)

    def as_type(self, type: ir.Scalar) -> Elements:
        """Return the same memory as elements of another type."""
        return Elements(self.code, type, self.address)


class Variable:
    """Number on the stack of a function; one with an initial value has it from the begin on."""

    def __init__(self, code: LoopCode, type: ir.Scalar, initial: str | None = None) -> None:
        self._code = code
        self._type = type
        self._kind = llvm_type(type)
        self._slot = code.text.slot(self._kind, initial)

    def get(self) -> Value:
        """Add a load."""
        return self._code.value(
            self._code.text.value(f"load {self._kind}, ptr {self._slot}"), self._type
        )

    def set(self, value: object) -> None:
        """Add a store."""
        self._code.text.line(f"store {self._kind} {value}, ptr {self._slot}")


class LoopFunction(LoopCode):
    """Function of a loop, which is called where the loop stands."""

    def __init__(self, frame: Any, suffix: str = "", gives: str = "void") -> None:
        super().__init__(FunctionText(""))
        self._frame = frame
        self._name = frame.name(suffix)
        self._gives = gives
        self._params: list[str] = []
        self._args: list[str] = []

    def number(self, name: str, value: object, type: ir.Scalar = SIZE) -> Value:
        """Return a number that the function is given."""
        self._params.append(f"{llvm_type(type)} %{name}")
        self._args.append(f"{llvm_type(type)} {value}")
        return self.value(f"%{name}", type)

    def array(self, name: str, elements: Elements) -> Elements:
        """Return the elements of an array that the function is given."""
        self._params.append(f"ptr %{name}")
        self._args.append(f"ptr {elements.address}")
        return Elements(self, elements.type, f"%{name}")

    def extents(self, sizes: Sequence[str], axis: int) -> tuple[Value, Value, Value]:
        """Return how many elements there are before, along and after an axis."""
        product = self._frame.product
        before, after = product(sizes[:axis]), product(sizes[axis + 1 :])
        along = self.number("outer", before), self.number("n", sizes[axis])
        return *along, self.number("inner", after)

    def by_columns(self, inner: Value) -> Iterator[Value | None]:
        """Run the lines that are added meanwhile for one column, whose number is constant (None),
        and again for several.
        """
        for is_single in self.text.either((inner == 1).name):
            yield None if is_single else inner

    def call(self, result: object = "") -> str:
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
