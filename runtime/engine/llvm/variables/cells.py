"""Variables that are numbers, as stack slots of a function, which LLVM turns into registers.

A *cell* holds the value of a variable while no code but the function's runs.  Before a kernel is
called, other threads may run, or the function ends, the values of changed variables are stored in
their arrays; afterwards they are read again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.element_code import store_element
from runtime.engine.llvm.text import FunctionText, llvm_type
from runtime.engine.llvm.variables.access import Place, VariableAccess
from runtime.engine.llvm.variables.storage_code import declare_function, take_number


class Cell(NamedTuple):
    """Stack slots of a variable that is a number.

    value    its value
    address  where the value is kept; null if the cell holds nothing
    """

    type: ir.Scalar
    value: str
    address: str
    is_written: bool


class VariableCells:
    """Cells of the variables of one function that are numbers."""

    def __init__(self, text: FunctionText, function: ir.KernelFunction) -> None:
        self._text = text
        self._cells: dict[Place, Cell] = {}
        found = [one for one, _ in ir.instructions(function.block)]
        accesses = [one for one in found if isinstance(one, VariableAccess)]
        written = {one.place for one in accesses if one.writes}
        for one in accesses:
            type = one.number
            if type is not None and one.place not in self._cells:
                slots = text.slot(llvm_type(type)), text.slot("ptr", "null")
                self._cells[one.place] = Cell(type, *slots, one.place in written)

    def __len__(self) -> int:
        return len(self._cells)

    def of(self, access: VariableAccess) -> Cell:
        """Return the cell of a variable."""
        return self._cells[access.place]

    def give_back(self) -> None:
        """Store the values where they are kept: from here on others may see and change them."""
        text, args = self._text, []
        for cell in self._cells.values():
            if cell.is_written:
                kind, address = llvm_type(cell.type), text.value(f"load ptr, ptr {cell.address}")
                value = text.value(f"load {kind}, ptr {cell.value}")
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
        returns, name = _taking(text, self._cells)
        found = text.value(f"call {returns} @{name}(ptr %ctx)")
        for number, cell in enumerate(self._cells.values()):
            for part, (kind, slot) in enumerate(((cell.type, cell.value), (None, cell.address))):
                value = text.value(f"extractvalue {returns} {found}, {2 * number + part}")
                text.line(f"store {'ptr' if kind is None else llvm_type(kind)} {value}, ptr {slot}")


def _storing(text: FunctionText, types: Sequence[ir.Scalar]) -> str:
    """Return the name of the function that stores values of some types at addresses.

    It is no part of the code around, which stores all values before each call of a kernel.
    """
    name = f"variables.store.{'.'.join(map(str, types))}"
    if name not in text.declared:
        params = [f"ptr %a{n}, {llvm_type(type)} %v{n}" for n, type in enumerate(types)]
        inner = FunctionText(f"define internal void @{name}({', '.join(params)}) noinline")
        unread = inner.slot("i64")  # for values that are stored nowhere
        for number, type in enumerate(types):
            empty = inner.value(f"icmp eq ptr %a{number}, null")
            place = inner.value(f"select i1 {empty}, ptr {unread}, ptr %a{number}")
            store_element(inner, place, type, f"%v{number}")
        inner.line("ret void")
        declare_function(text, name, inner)
    return name


def _taking(text: FunctionText, cells: Mapping[Place, Cell]) -> tuple[str, str]:
    """Return the type of the values and addresses of variables, and the name of the function that
    finds them.
    """
    parts = [f"{llvm_type(cell.type)}, ptr" for cell in cells.values()]
    returns = f"{{{', '.join(parts)}}}"
    places = [f"{p.storage}{'w' if cell.is_written else ''}" for p, cell in cells.items()]
    name = f"variables.take.{'.'.join(places)}"
    if name not in text.declared:
        inner = FunctionText(f"define internal {returns} @{name}(ptr %ctx) noinline")
        found = "undef"
        for number, (place, cell) in enumerate(cells.items()):
            value, address = take_number(inner, place, cell.type, cell.is_written)
            kind, position = llvm_type(cell.type), 2 * number
            found = inner.value(f"insertvalue {returns} {found}, {kind} {value}, {position}")
            found = inner.value(f"insertvalue {returns} {found}, ptr {address}, {position + 1}")
        inner.line(f"ret {returns} {found}")
        declare_function(text, name, inner)
    return returns, name
