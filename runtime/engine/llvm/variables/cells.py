"""Variables that are numbers, as stack slots of a function, which LLVM turns into registers.

A *cell* holds the value of a variable while no code but the function's runs.  Before a kernel is
called, other threads may run, or the function ends, the values of changed variables are stored in
their arrays; afterwards they are read again.
"""

from __future__ import annotations

from typing import NamedTuple

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
        self._unread = text.slot("i64") if written else ""
        """Slot for values that are stored nowhere."""

    def __len__(self) -> int:
        return len(self._cells)

    def of(self, access: VariableAccess) -> Cell:
        """Return the cell of a variable."""
        return self._cells[access.place]

    def give_back(self) -> None:
        """Store the values where they are kept: from here on others may see and change them."""
        text = self._text
        for cell in self._cells.values():
            if cell.is_written:
                address = text.value(f"load ptr, ptr {cell.address}")
                empty = text.value(f"icmp eq ptr {address}, null")
                place = text.value(f"select i1 {empty}, ptr {self._unread}, ptr {address}")
                value = text.value(f"load {llvm_type(cell.type)}, ptr {cell.value}")
                store_element(text, place, cell.type, value)
            text.line(f"store ptr null, ptr {cell.address}")

    def take(self) -> None:
        """Read the values: from here on nobody else changes them."""
        text = self._text
        for place, cell in self._cells.items():
            value, address = take_number(text, place, cell.type, cell.is_written)
            text.line(f"store {llvm_type(cell.type)} {value}, ptr {cell.value}")
            text.line(f"store ptr {address}, ptr {cell.address}")
