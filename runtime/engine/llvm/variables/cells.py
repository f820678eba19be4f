"""Variables that are numbers, as stack slots of a function, which LLVM turns into registers.

A *cell* holds the value of a variable while no code but the function's runs.  Before a kernel is
called, other threads may run, or the function ends, the values of changed variables are stored in
their arrays; afterwards they are read again.

Each place where that happens costs code for each cell.  A function that works on arrays, and has no
loop over numbers alone that uses variables, gains nothing from registers: its cells stay in memory,
where functions store and read all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.element_code import store_element
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.variables.access import Place, VariableAccess
from runtime.engine.llvm.variables.storage_code import take_number


class Cell(NamedTuple):
    """Stack slots of a variable that is a number.

    value    its value
    address  where the value is kept; null if the cell holds nothing
    """

    type: ir.Scalar
    value: str
    address: str
    is_written: bool


_OF_NUMBERS = (ir.Number, ir.Compute, ir.Switch, ir.WhileLoop)
"""Instructions of loops over numbers alone."""
_FEW = 100
"""Product of cells and places where others run, up to which registers cost little code."""


class VariableCells:
    """Cells of the variables of one function that are numbers."""

    def __init__(self, text: FunctionText, function: ir.KernelFunction) -> None:
        self._text = text
        self._cells: dict[Place, Cell] = {}
        self._memory = ""
        """Address of the memory that holds all cells; empty if they have stack slots."""
        instructions = [instruction for instruction, _ in ir.instructions(function.block)]
        accesses = [access for access in instructions if isinstance(access, VariableAccess)]
        if not accesses:
            return
        written = {access.place for access in accesses if access.writes}
        types = {access.place: access.number for access in accesses if access.number is not None}
        instruction_count = sum(
            1 for instruction in instructions if not isinstance(instruction, ir.Number)
        )
        # Slots become registers, which are stored and read again around each call of other code:
        # written out there, that grew with the product of variables and calls.
        if len(types) * instruction_count > _FEW and not any(
            map(_counts_in_variables, instructions)
        ):
            self._memory = text.slot(f"[{2 * len(types)} x i64]", "zeroinitializer")
        for number, (place, type) in enumerate(types.items()):
            if self._memory:
                value = text.constant_offset(self._memory, 16 * number)
                address = text.constant_offset(self._memory, 16 * number + 8)
            else:
                value, address = text.slot(llvm_type(type)), text.slot("ptr", "null")
            self._cells[place] = Cell(type, value, address, place in written)

    def __len__(self) -> int:
        return len(self._cells)

    def of(self, access: VariableAccess) -> Cell:
        """Return the cell of a variable."""
        return self._cells[access.place]

    def give_back(self) -> None:
        """Store the values where they are kept: from here on others may see and change them."""
        if self._memory:
            name = _function(self._text, "store", self._cells, _store_all)
            self._text.line(f"call void @{name}(ptr %ctx, ptr {self._memory})")
            return
        text, args = self._text, []
        for cell in self._cells.values():
            if cell.is_written:
                kind, address = llvm_type(cell.type), text.load(cell.address)
                value = text.load(cell.value, kind)
                args += [f"ptr {address}", f"{kind} {value}"]
            text.line(f"store ptr null, ptr {cell.address}")
        if args:
            types = [cell.type for cell in self._cells.values() if cell.is_written]
            text.line(f"call void @{_storing(text, types)}({', '.join(args)})")

    def take(self) -> None:
        """Read the values: from here on nobody else changes them."""
        if not self._cells:
            return
        text = self._text
        if self._memory:
            name = _function(text, "read", self._cells, _read_all)
            text.line(f"call void @{name}(ptr %ctx, ptr {self._memory})")
            return
        returns, name = _taking(text, self._cells)
        aggregate = text.value(f"call {returns} @{name}(ptr %ctx)")
        for number, cell in enumerate(self._cells.values()):
            for position, (kind, slot) in enumerate(
                ((cell.type, cell.value), (None, cell.address))
            ):
                value = text.value(f"extractvalue {returns} {aggregate}, {2 * number + position}")
                text.line(f"store {'ptr' if kind is None else llvm_type(kind)} {value}, ptr {slot}")


def _counts_in_variables(instruction: ir.Instruction) -> bool:
    """Return whether an instruction is a loop over numbers alone that uses variables."""
    if not isinstance(instruction, ir.WhileLoop):
        return False
    inside = [nested for block in instruction.blocks() for nested, _ in ir.instructions(block)]
    if not any(isinstance(nested, VariableAccess) and nested.number for nested in inside):
        return False
    return all(type(nested) in (*_OF_NUMBERS, VariableAccess) for nested in inside)


_Body = Callable[[FunctionText, Mapping[Place, Cell]], None]


def _function(text: FunctionText, action: str, cells: Mapping[Place, Cell], body: _Body) -> str:
    """Return the name of a function of the context and the memory of cells."""
    places = [
        f"{place.storage}{cell.type}{'w' if cell.is_written else ''}"
        for place, cell in cells.items()
    ]
    name = f"variables.{action}.{'.'.join(places)}"

    def write(inner: FunctionText) -> None:
        body(inner, cells)
        inner.line("ret void")

    return text.define(name, "void", "ptr %ctx, ptr %cells", write, "noinline cold")


def _store_all(text: FunctionText, cells: Mapping[Place, Cell]) -> None:
    unread = text.slot("i64")  # for values that are stored nowhere
    for number, cell in enumerate(cells.values()):
        address_at = text.gep("%cells", 16 * number + 8)
        if cell.is_written:
            address = text.load(address_at)
            empty = text.is_null(address)
            place = text.value(f"select i1 {empty}, ptr {unread}, ptr {address}")
            value_at = text.gep("%cells", 16 * number)
            value = text.load(value_at, llvm_type(cell.type))
            store_element(text, place, cell.type, value)
        text.line(f"store ptr null, ptr {address_at}")


def _read_all(text: FunctionText, cells: Mapping[Place, Cell]) -> None:
    for number, (place, cell) in enumerate(cells.items()):
        value, address = take_number(text, place, cell.type, cell.is_written)
        text.line(f"store {llvm_type(cell.type)} {value}, ptr {text.gep('%cells', 16 * number)}")
        text.line(f"store ptr {address}, ptr {text.gep('%cells', 16 * number + 8)}")


def _storing(text: FunctionText, types: Sequence[ir.Scalar]) -> str:
    """Return the name of the function that stores values of some types at addresses.

    It is no part of the code around, which stores all values before each call of a kernel.
    """

    def write(inner: FunctionText) -> None:
        unread = inner.slot("i64")  # for values that are stored nowhere
        for number, type in enumerate(types):
            empty = inner.value(f"icmp eq ptr %a{number}, null")
            place = inner.value(f"select i1 {empty}, ptr {unread}, ptr %a{number}")
            store_element(inner, place, type, f"%v{number}")
        inner.line("ret void")

    params = [f"ptr %a{n}, {llvm_type(type)} %v{n}" for n, type in enumerate(types)]
    name = f"variables.store.{'.'.join(map(str, types))}"
    return text.define(name, "void", ", ".join(params), write)


def _taking(text: FunctionText, cells: Mapping[Place, Cell]) -> tuple[str, str]:
    """Return the type of the values and addresses of variables, and the name of the function that
    finds them.
    """
    fields = [f"{llvm_type(cell.type)}, ptr" for cell in cells.values()]
    returns = f"{{{', '.join(fields)}}}"
    places = [f"{p.storage}{'w' if cell.is_written else ''}" for p, cell in cells.items()]
    name = f"variables.take.{'.'.join(places)}"

    def write(inner: FunctionText) -> None:
        aggregate = "undef"
        for number, (place, cell) in enumerate(cells.items()):
            value, address = take_number(inner, place, cell.type, cell.is_written)
            fields = f"{llvm_type(cell.type)} {value}", f"ptr {address}"
            for position, field in enumerate(fields, 2 * number):
                aggregate = inner.value(f"insertvalue {returns} {aggregate}, {field}, {position}")
        inner.line(f"ret {returns} {aggregate}")

    return returns, text.define(name, returns, "ptr %ctx", write)
