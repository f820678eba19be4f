"""LLVM code of reads and updates of variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm import python_code
from runtime.engine.llvm.arrays.allocation import dtype_number
from runtime.engine.llvm.element_code import element_address, is_not_own, positions, store_element
from runtime.engine.llvm.references import FunctionPart, LastUses
from runtime.engine.llvm.text import FunctionText, literal, llvm_type
from runtime.engine.llvm.values import OPCODES
from runtime.engine.llvm.variables.access import VariableAccess
from runtime.engine.llvm.variables.cells import Cell
from runtime.engine.llvm.variables.storage_code import assign_array, copied_array, current_array

if TYPE_CHECKING:
    from runtime.engine.llvm.function_code import FunctionCode


class VariableCode(FunctionPart):
    """Code of the reads and updates of variables in a function."""

    def __init__(self, code: FunctionCode) -> None:
        super().__init__(code)
        self._cells = code.cells

    def emit(self, access: VariableAccess, uses: LastUses, position: int) -> None:
        """Emit a read or an update; where native code cannot do it, its site is called."""
        if access.number is not None:
            self._number_access(access)
        elif access.opcode == "variable.set":
            self._set_element(access)
        elif access.writes:
            self._assign(access, uses, position)
        else:
            self._read_array(access)

    def _number_access(self, access: VariableAccess) -> None:
        """Emit an access to a cell."""
        text, cell, site = self.text, self._cells.of(access), access.site
        assert site is not None
        names, fail = [self._code.name(value) for value in access.args], self.references.failure()
        address = text.load(cell.address)
        exists = text.value(f"icmp ne ptr {address}, null")
        if not access.results:
            for slow in text.attempt():
                if slow:
                    text.require(exists, slow)
                    _compute(text, access, cell, names, slow)
                else:
                    python_code.call_site(text, site, names, fail)
            return
        slow, done = text.label("slow"), text.join(llvm_type(cell.type))
        text.require(exists, slow)
        done.bring(_compute(text, access, cell, names, slow))
        text.start(slow)
        python_code.call_rare_site(text, site, names, done, fail)
        self._code.define(access.results[0], done.value())

    def _read_array(self, access: VariableAccess) -> None:
        text, slot = self.text, self.text.slot("ptr")
        array = current_array(text, access.place)
        for is_missing in text.either(text.is_null(array), likely=False):
            value = array
            if is_missing and access.site is not None:
                (value,) = python_code.call_site(text, access.site, (), self.references.failure())
            else:
                if is_missing:
                    value = python_code.object_constant(text, access.place.storage)
                self.references.retain(ir.OBJECT, value)
            self.views.note_definition(value)
            self._code.store(access.results, [value], [slot])
        self._code.load(access.results, [slot])

    def _assign(self, access: VariableAccess, uses: LastUses, position: int) -> None:
        text, name = self.text, self._code.name(access.args[0])
        assert access.site is not None
        assigned = assign_array(text, access.place, name)
        with text.only_if(assigned, likely=True, holds=False):
            python_code.call_site(text, access.site, [name], self.references.failure())
        self._code.release(uses.last_used_args(access, position))

    def _set_element(self, access: VariableAccess) -> None:
        """Emit the write of an element, in the array itself if only the variable refers to it."""
        text, (value, *indices) = self.text, access.args
        assert isinstance(value.type, ir.Scalar)
        names = [self._code.name(arg) for arg in access.args]
        key = dtype_number(value.type), len(indices)
        with self._code.or_site(access) as ((slot,), slow):
            array = current_array(text, access.place)
            text.require(text.value(f"icmp ne ptr {array}, null"), slow)
            self.views.note_definition(array)
            view = self.views.of(array, key)
            places, good = positions(text, view, indices, names[1:])
            text.require(good, slow)
            for copies in text.either(is_not_own(text, view, array)):
                if copies:
                    owned = copied_array(text, access.place, array, slow)
                    self.views.note_definition(owned)
                    view = self.views.of(owned, key)
                else:
                    owned, view = array, self.views.of(array, key)
                    self.references.retain(ir.OBJECT, owned)
                address = element_address(text, view, places)
                store_element(text, address, value.type, names[0])
                self._code.store(access.results, [owned], [slot])


def _compute(
    text: FunctionText, access: VariableAccess, cell: Cell, names: Sequence[str], slow: str
) -> str:
    """Emit an access to a cell that holds a value; return the result."""
    type, kind = cell.type, llvm_type(cell.type)
    action = access.opcode.removeprefix("variable.")
    if action == "write":
        text.line(f"store {kind} {names[0]}, ptr {cell.value}")
        return ""
    before = text.load(cell.value, kind)
    if action == "read":
        return before
    if action == "count":
        limit = literal(access.limit, type)
        less = text.value(f"icmp {'s' if type.kind == 'i' else 'u'}lt {kind} {before}, {limit}")
        text.require(less, slow)
        text.line(f"store {kind} {text.value(f'add {kind} {before}, 1')}, ptr {cell.value}")
        return before
    after, _ = OPCODES[action](text, [type, type], type, [before, names[0]])
    text.line(f"store {kind} {after}, ptr {cell.value}")
    return after
