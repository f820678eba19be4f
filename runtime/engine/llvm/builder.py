"""Builder of code with values: numbers, places in memory and loops in place of lines of text.

    code = Builder(FunctionText(head))
    x, count = Elements(code, type, "%x"), code.value("%count")
    with code.each_vector(count) as number:
        x[number] = x[number] * 2

Accesses in a loop that LLVM vectorises are marked: no other turn depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.element_code import load_element, store_element, stored_size, stored_type
from runtime.engine.llvm.loop_facts import PARALLEL, VECTOR_LOOP
from runtime.engine.llvm.size_code import all_hold
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.values import Apply, LaneValue, Writer, apply_to_numbers

SIZE = ir.Scalar("u", 64)
"""Type of sizes and positions."""


class Builder:
    """Code of a function that values are added to; ``apply`` says how opcodes are applied."""

    def __init__(
        self, text: FunctionText, apply: Apply = apply_to_numbers, has_fma: bool | None = None
    ) -> None:
        self.text = text
        self.writer = Writer(text, apply, has_fma=has_fma)
        self.mark = ""
        """How accesses of elements end."""

    # -- values -----------------------------------------------------------------------------------

    def value(self, name: object, type: ir.Scalar = SIZE) -> LaneValue:
        """Return the value of a name, or of an int."""
        return LaneValue(self.writer, type, str(name))

    def constant(self, value: float | bool, type: ir.Scalar) -> LaneValue:
        """Return a number of a type."""
        return self.value("", type).constant(value)

    def all_hold(self, conditions: Sequence[LaneValue]) -> LaneValue:
        """Return whether all conditions hold."""
        return self.value(all_hold(self.text, [c.name for c in conditions]), ir.BOOL)

    def lanes_below(self, type: ir.Scalar, count: LaneValue, first: int = 0) -> LaneValue:
        """Return which lanes of a vector are among so many; the first lane has a number."""
        lane = ir.Scalar("u", type.bits)
        limits = count.to(lane).spread(type.lanes)
        if type.lanes == 1:
            return limits.constant(first) < limits
        numbers = ", ".join(f"i{type.bits} {first + n}" for n in range(type.lanes))
        return self.value(f"<{numbers}>", limits.type) < limits

    def address(self, name: object) -> Address:
        """Return the address of a name."""
        return Address(self, str(name))

    def pointer(self, initial: str | None = None) -> Address:
        """Return where an address stands on the stack."""
        return Address(self, self.text.slot("ptr", initial))

    def memory(self, type: ir.Scalar, count: int) -> ArrayElements:
        """Return so many elements on the stack."""
        return ArrayElements(self, type, self.text.slot(f"[{count} x {stored_type(type)}]"))

    # -- calls of functions of the module; ``extern`` ones, of C and LLVM, are declared ------------

    def call(
        self, function: str, *args: object, gives: ir.Scalar = SIZE, extern: bool = False
    ) -> LaneValue:
        """Call a function that gives a number."""
        return self.value(self._call(llvm_type(gives), function, args, extern), gives)

    def call_address(self, function: str, *args: object, extern: bool = False) -> Address:
        """Call a function that gives an address."""
        return self.address(self._call("ptr", function, args, extern))

    def run(self, function: str, *args: object, extern: bool = False) -> None:
        """Call a function that gives nothing."""
        self._call("void", function, args, extern)

    def _call(self, gives: str, function: str, args: Sequence[object], extern: bool) -> str:
        call = self.text.call if extern else self.text.invoke
        return call(gives, function, *typed_all(*args))

    def give(self, result: object = "void") -> None:
        """Return a result, which has its type."""
        self.text.line(f"ret {typed(result)}")

    def give_if(
        self, condition: LaneValue, result: object, likely: bool | None = False, holds: bool = True
    ) -> None:
        """Return a result if a condition holds, or does not."""
        self.text.give_if(condition.name, str(typed(result)), likely, holds)

    # -- the flow ---------------------------------------------------------------------------------

    @contextmanager
    def each(self, stop: object, start: object = 0) -> Iterator[LaneValue]:
        """Run the lines that are added meanwhile for each number from start up to stop."""
        with self.text.counted_loop(str(stop), str(start)) as counter:
            yield self.value(counter)

    @contextmanager
    def each_vector(self, stop: object, start: object = 0) -> Iterator[LaneValue]:
        """As ``each``; no turn depends on another, and LLVM makes vectors of several."""
        with self.text.counted_loop(str(stop), str(start), VECTOR_LOOP) as counter:
            outer_mark, self.mark = self.mark, PARALLEL
            yield self.value(counter)
            self.mark = outer_mark

    def each_column(self, inner: LaneValue | None) -> AbstractContextManager[LaneValue | int]:
        """As ``each_vector``; of a single column, without a loop."""
        return nullcontext(0) if inner is None else self.each_vector(inner)

    @contextmanager
    def each_chunk(self, count: LaneValue, size: int) -> Iterator[tuple[LaneValue, LaneValue]]:
        """Run the lines that are added meanwhile for each chunk of so many of all numbers."""
        with self.each(count.divided_up(size)) as number:
            start = number * size
            yield start, (start + size).call("umin", count)

    def only_if(
        self, condition: LaneValue, likely: bool | None = None
    ) -> AbstractContextManager[None]:
        """Run the lines that are added meanwhile if a condition holds."""
        return self.text.only_if(condition.name, likely)

    def repeat_while(self, condition: Callable[[], LaneValue]) -> AbstractContextManager[None]:
        """Run the lines that are added meanwhile as long as a condition holds, whose lines the
        function adds.
        """
        return self.text.repeat_while(lambda: condition().name)

    def finish(self, result: str = "void") -> str:
        """End the function with a result and its type; return its text."""
        self.give(result)
        return self.text.text()


def typed(arg: object) -> object:
    """Return an argument of a call with its type; texts have theirs, ints are of 64 bits."""
    if isinstance(arg, LaneValue):
        return f"{arg.kind} {arg}"
    if isinstance(arg, int):
        return f"i64 {arg}"
    return f"ptr {arg}" if isinstance(arg, Address) else arg


def typed_all(*args: object) -> list[str]:
    """Return arguments of a call with their types."""
    return [str(typed(arg)) for arg in args]


class Address:
    """Address in memory: adding a number adds bytes."""

    __slots__ = ("code", "name")

    def __init__(self, code: Builder, name: str) -> None:
        self.code = code
        self.name = name

    def __str__(self) -> str:
        return self.name

    def is_null(self) -> LaneValue:
        """Return whether it is no address."""
        return self.code.value(self.code.text.is_null(self.name), ir.BOOL)

    def require(self, otherwise: str) -> None:
        """Branch away if it is no address."""
        self.code.text.refuse(self.is_null().name, otherwise)

    def exists(self) -> LaneValue:
        """Return whether it is an address."""
        return self.code.value(self.code.text.value(f"icmp ne ptr {self}, null"), ir.BOOL)

    def __add__(self, offset: LaneValue | int) -> Address:
        return Address(self.code, self.code.text.gep(self.name, str(offset)))

    def element(self, type: ir.Scalar, index: LaneValue | int) -> Address:
        """Return the address of an element of a type."""
        return self.item(stored_type(type), index)

    def item(self, kind: str, index: object) -> Address:
        """Return the address of an item of one of LLVM's types."""
        where = f"getelementptr {kind}, ptr {self}, i64 {index}"
        return Address(self.code, self.code.text.value(where))

    def load(self, type: ir.Scalar = SIZE, align: int = 0) -> LaneValue:
        """Return what stands there."""
        aligned = f", align {align}" if align else ""
        name = self.code.text.value(f"load {llvm_type(type)}, ptr {self}{aligned}")
        return self.code.value(name, type)

    def load_address(self) -> Address:
        """Return the address that stands there."""
        return Address(self.code, self.load_as("ptr"))

    def load_as(self, kind: str) -> str:
        """Return the name of what stands there, of one of LLVM's types."""
        return self.code.text.load(self.name, kind)

    def store(self, value: LaneValue | Address | str, align: int = 0) -> None:
        """Put a value there; a text has its type."""
        aligned = f", align {align}" if align else ""
        self.code.text.line(f"store {typed(value)}, ptr {self}{aligned}")

    def load_lanes(self, type: ir.Scalar, mask: LaneValue) -> LaneValue:
        """Return the lanes of a mask, zeros for the others."""
        kind, name, text = _vector(type), _masked("load", type), self.code.text
        call = f"call {kind} @{name}(ptr {self}, i32 {type.bits // 8}, {_as_vector(mask)}, "
        lanes = text.value(f"{call}{kind} zeroinitializer)")
        if type.lanes == 1:
            lanes = text.value(f"extractelement {kind} {lanes}, i64 0")
        return self.code.value(lanes, type)

    def store_lanes(self, value: LaneValue, mask: LaneValue) -> None:
        """Put the lanes of a mask there."""
        stored, flags, align = _as_vector(value), _as_vector(mask), f"i32 {value.type.bits // 8}"
        self.code.run(_masked("store", value.type), stored, self, align, flags)


def _vector(type: ir.Scalar) -> str:
    """Return LLVM's type of a vector, also of one lane, which is a number elsewhere."""
    return f"<{type.lanes} x {llvm_type(type.lane)}>"


def _as_vector(value: LaneValue) -> str:
    """Return a value as an argument for what takes vectors alone."""
    kind, name = _vector(value.type), value.name
    if value.type.lanes == 1:
        name = value.text.value(f"insertelement {kind} poison, {typed(value)}, i64 0")
    return f"{kind} {name}"


def _masked(name: str, type: ir.Scalar) -> str:
    return f"llvm.masked.{name}.v{type.lanes}f{type.bits}.p0"


def masked_declarations(type: ir.Scalar) -> list[str]:
    """Return the declarations of what loads and stores lanes of a mask."""
    kind, flags = _vector(type), _vector(ir.BOOL.with_lanes(type.lanes))
    return [
        f"declare {kind} @{_masked('load', type)}(ptr, i32, {flags}, {kind})",
        f"declare void @{_masked('store', type)}({kind}, ptr, i32, {flags})",
    ]


class ArrayElements:
    """Elements of an array: ``x[i]`` adds a load, ``x[i] = value`` a store.

    They lie side by side, or as many bytes apart as a stride says.
    """

    def __init__(
        self, code: Builder, type: ir.Scalar, address: str, stride: LaneValue | None = None
    ) -> None:
        self.code = code
        self.type = type
        self.address = address
        self.stride = stride

    def at(self, index: LaneValue) -> str:
        """Return the address of an element."""
        text = self.code.text
        if self.stride is not None:
            return text.gep(self.address, (index * self.stride).name)
        kind = stored_type(self.type)
        return text.value(f"getelementptr {kind}, ptr {self.address}, i64 {index.name}")

    def load(self, address: str) -> LaneValue:
        """Return the element at an address."""
        name = load_element(self.code.text, address, self.type, self.code.mark)
        return self.code.value(name, self.type)

    def store(self, address: str, value: LaneValue) -> None:
        """Put an element at an address."""
        store_element(self.code.text, address, self.type, value.name, self.code.mark)

    def __getitem__(self, index: LaneValue) -> LaneValue:
        return self.load(self.at(index))

    def __setitem__(self, index: LaneValue, value: LaneValue) -> None:
        element = value.to(self.type)
        self.store(self.at(index), element)

    def first(self) -> LaneValue:
        """Return the first element."""
        return self.load(self.address)

    def put(self, value: LaneValue) -> None:
        """Put the first element."""
        self.store(self.address, value)

    def after(self, index: LaneValue) -> ArrayElements:
        """Return the elements from one on."""
        return ArrayElements(self.code, self.type, self.at(index), self.stride)

    def clear(self, count: int) -> None:
        """Set so many elements to zeros."""
        args = f"ptr {self.address}", "i8 0", f"i64 {count * stored_size(self.type)}", "i1 false"
        self.code.text.call("void", "llvm.memset.p0.i64", *args)

    def constant(self, value: float) -> LaneValue:
        """Return a number of the type of the elements."""
        return self.code.constant(value, self.type)

    def as_type(self, type: ir.Scalar) -> ArrayElements:
        """Return the same memory as elements of another type."""
        return ArrayElements(self.code, type, self.address)


class CodeVariable:
    """Number on the stack of a function; one with an initial value has it from the begin on."""

    def __init__(self, code: Builder, type: ir.Scalar, initial: str | None = None) -> None:
        self._code = code
        self._type = type
        self._kind = llvm_type(type)
        self.address = code.text.slot(self._kind, initial)

    def get(self) -> LaneValue:
        """Add a load."""
        name = self._code.text.load(self.address, self._kind)
        return self._code.value(name, self._type)

    def set(self, value: object) -> None:
        """Add a store."""
        self._code.text.line(f"store {self._kind} {value}, ptr {self.address}")

    def add(self, value: LaneValue) -> None:
        """Add a value to what it was."""
        self.set(self.get() + value)
