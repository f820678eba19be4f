"""LLVM code of reads and updates of variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm import python_code
from runtime.engine.llvm.array_views import View
from runtime.engine.llvm.arrays.allocation import dtype_number
from runtime.engine.llvm.element_code import (
    element_address,
    is_not_own,
    positions,
    store_element,
)
from runtime.engine.llvm.references import LastUses
from runtime.engine.llvm.text import FunctionText, literal, llvm_type
from runtime.engine.llvm.values import OPCODES
from runtime.engine.llvm.variables.access import VariableAccess
from runtime.engine.llvm.variables.cells import Cell
from runtime.engine.llvm.variables.storage_code import assign_array, copied_array, current_array

if TYPE_CHECKING:
    from runtime.engine.llvm.function_code import FunctionCode


class VariableCode:
    """Code of the reads and updates of variables in a function."""

    def __init__(self, code: FunctionCode) -> None:
        self._code = code
        self.text = code.text
        self.references = code.references
        self.views = code.views
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
        names = [self._code.name(value) for value in access.args]
        slow, done = text.label("slow"), text.label("done")
        address = text.value(f"load ptr, ptr {cell.address}")
        text.require(text.value(f"icmp ne ptr {address}, null"), slow)
        value = _compute(text, access, cell, names, slow)
        text.line(f"br label %{done}")
        usual, fail = text.current, self.references.failure()
        text.start(slow)
        if not access.results:
            python_code.call_site(text, site, names, fail)
            text.line(f"br label %{done}")
            text.start(done)
            return
        slow_value = python_code.call_rare_site(text, site, names, done, fail)
        slow_end = text.current
        text.start(done)
        kind = llvm_type(cell.type)
        name = text.value(f"phi {kind} [{value}, %{usual}], [{slow_value}, %{slow_end}]")
        self._code.define(access.results[0], name)

    def _read_array(self, access: VariableAccess) -> None:
        text, (result,), slot = self.text, access.results, self.text.slot("ptr")
        present, slow, done = text.label("found"), text.label("slow"), text.label("done")
        array = current_array(text, access.place)
        text.branch(text.value(f"icmp ne ptr {array}, null"), present, slow, likely=True)
        text.start(slow)
        if access.site is None:
            value = python_code.object_constant(text, access.place.storage)
            self.references.retain(ir.OBJECT, value)
        else:
            (value,) = python_code.call_site(text, access.site, (), self.references.failure())
        self.views.note_definition(value)
        self._code.store([result], [value], [slot])
        text.line(f"br label %{done}")
        text.start(present)
        self.references.retain(ir.OBJECT, array)
        self.views.note_definition(array)
        self._code.store([result], [array], [slot])
        text.line(f"br label %{done}")
        text.start(done)
        self._code.load([result], [slot])

    def _assign(self, access: VariableAccess, uses: LastUses, position: int) -> None:
        text, (value,) = self.text, access.args
        assert access.site is not None
        slow, done = text.label("slow"), text.label("done")
        assigned = assign_array(text, access.place, self._code.name(value))
        text.branch(assigned, done, slow, likely=True)
        text.start(slow)
        names = [self._code.name(value)]
        python_code.call_site(text, access.site, names, self.references.failure())
        text.line(f"br label %{done}")
        text.start(done)
        self._code.release(uses.last_used_args(access, position))


    def _set_element(self, access: VariableAccess) -> None:
        """Emit the write of an element, in the array itself if only the variable refers to it."""
        text, (value, *indices) = self.text, access.args
        assert isinstance(value.type, ir.Scalar)
        names = [self._code.name(arg) for arg in access.args]
        slot, key = text.slot("ptr"), (dtype_number(value.type), len(indices))
        present, inside, copy, in_place, slow, done = (
            text.label(name) for name in ("there", "inside", "copy", "own", "slow", "done")
        )
        array = current_array(text, access.place)
        text.branch(text.value(f"icmp ne ptr {array}, null"), present, slow, likely=True)
        text.start(present)
        self.views.note_definition(array)
        view = self.views.of(array, key)
        places, good = positions(text, view, indices, names[1:])
        text.branch(good, inside, slow, likely=True)
        text.start(inside)
        text.branch(is_not_own(text, view, array), copy, in_place)
        text.start(copy)
        copied = copied_array(text, access.place, array, slow)
        self.views.note_definition(copied)
        self._put_element(access, self.views.of(copied, key), places, copied, slot, done)
        text.start(in_place)
        self.references.retain(ir.OBJECT, array)
        self._put_element(access, view, places, array, slot, done)
        self._code.by_site(access, names, [slot], slow, done)
        self._code.load(access.results, [slot])

    def _put_element(
        self, access: VariableAccess, view: View, places: Sequence[str], array: str, slot: str,
        done: str,
    ) -> None:  # fmt: skip
        """Write the element, put the array in the slot, and branch."""
        value = access.args[0]
        assert isinstance(value.type, ir.Scalar)
        address = element_address(self.text, view, places)
        store_element(self.text, address, value.type, self._code.name(value))
        self._code.store(access.results, [array], [slot])
        self.text.line(f"br label %{done}")


def _compute(
    text: FunctionText, access: VariableAccess, cell: Cell, names: Sequence[str], slow: str
) -> str:
    """Emit an access to a cell that holds a value; return the result."""
    type, kind = cell.type, llvm_type(cell.type)
    action = access.opcode.removeprefix("variable.")
    if action == "write":
        text.line(f"store {kind} {names[0]}, ptr {cell.value}")
        return ""
    before = text.value(f"load {kind}, ptr {cell.value}")
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
