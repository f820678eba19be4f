"""LLVM code of reads and updates of variables.

Base of the code generator (codegen.py), which owns the names and references of values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm import python_code
from runtime.engine.llvm.array_code import ArrayViews
from runtime.engine.llvm.references import LastUses, References
from runtime.engine.llvm.scalar_code import OPCODES
from runtime.engine.llvm.text import FunctionText, literal, llvm_type
from runtime.engine.llvm.variables.access import VariableAccess
from runtime.engine.llvm.variables.cells import Cell, VariableCells
from runtime.engine.llvm.variables.storage_code import assign_array, current_array


class VariableCode:
    """Base of the code of a function: variables."""

    text: FunctionText
    references: References
    views: ArrayViews
    cells: VariableCells
    _name: Callable[[ir.Register], str]
    _define: Callable[[ir.Register, str], None]
    _release: Callable[[Sequence[ir.Register]], None]
    _store: Callable[[Sequence[ir.Register], Sequence[str], Sequence[str]], None]
    _load: Callable[[Sequence[ir.Register], Sequence[str]], list[str]]

    def _variable(self, access: VariableAccess, uses: LastUses, position: int) -> None:
        """Emit a read or an update; where native code cannot do it, its site is called."""
        if access.number is not None:
            self._number_access(access)
        elif access.writes:
            self._assign(access, uses, position)
        else:
            self._read_array(access)

    def _number_access(self, access: VariableAccess) -> None:
        """Emit an access to a cell."""
        text, cell, site = self.text, self.cells.of(access), access.site
        assert site is not None
        names = [self._name(value) for value in access.args]
        fast, slow, done = text.label("fast"), text.label("slow"), text.label("done")
        address = text.value(f"load ptr, ptr {cell.address}")
        text.branch(text.value(f"icmp ne ptr {address}, null"), fast, slow, likely=True)
        text.start(fast)
        value = _computed(text, access, cell, names, slow)
        text.line(f"br label %{done}")
        usual, fail = text.current, self.references.failure()
        text.start(slow)
        if not access.results:
            python_code.call_site(text, site, names, fail)
            text.line(f"br label %{done}")
            text.start(done)
            return
        found = python_code.call_rare_site(text, site, names, done, fail)
        asked = text.current
        text.start(done)
        kind = llvm_type(cell.type)
        name = text.value(f"phi {kind} [{value}, %{usual}], [{found}, %{asked}]")
        self._define(access.results[0], name)

    def _read_array(self, access: VariableAccess) -> None:
        text, (result,), slot = self.text, access.results, self.text.slot("ptr")
        found, slow, done = text.label("found"), text.label("slow"), text.label("done")
        array = current_array(text, access.place)
        text.branch(text.value(f"icmp ne ptr {array}, null"), found, slow, likely=True)
        text.start(slow)
        if access.site is None:
            other = python_code.object_constant(text, access.place.storage)
            self.references.retain(ir.OBJECT, other)
        else:
            (other,) = python_code.call_site(text, access.site, (), self.references.failure())
        self.views.defined(other)
        self._store([result], [other], [slot])
        text.line(f"br label %{done}")
        text.start(found)
        self.references.retain(ir.OBJECT, array)
        self.views.defined(array)
        self._store([result], [array], [slot])
        text.line(f"br label %{done}")
        text.start(done)
        self._load([result], [slot])

    def _assign(self, access: VariableAccess, uses: LastUses, position: int) -> None:
        text, (value,) = self.text, access.args
        assert access.site is not None
        slow, done = text.label("slow"), text.label("done")
        assigned = assign_array(text, access.place, self._name(value))
        text.branch(assigned, done, slow, likely=True)
        text.start(slow)
        names = [self._name(value)]
        python_code.call_site(text, access.site, names, self.references.failure())
        text.line(f"br label %{done}")
        text.start(done)
        self._release(uses.owned(access, position))


def _computed(
    text: FunctionText, access: VariableAccess, cell: Cell, names: Sequence[str], slow: str
) -> str:
    """Emit an access to a cell that holds a value; return the result."""
    type, kind = cell.type, llvm_type(cell.type)
    what = access.opcode.removeprefix("variable.")
    if what == "write":
        text.line(f"store {kind} {names[0]}, ptr {cell.value}")
        return ""
    before = text.value(f"load {kind}, ptr {cell.value}")
    if what == "read":
        return before
    if what == "count":
        limit = literal(access.limit, type)
        less = text.value(f"icmp {'s' if type.kind == 'i' else 'u'}lt {kind} {before}, {limit}")
        count = text.label("count")
        text.branch(less, count, slow, likely=True)
        text.start(count)
        text.line(f"store {kind} {text.value(f'add {kind} {before}, 1')}, ptr {cell.value}")
        return before
    after, _ = OPCODES[what](text, [type, type], type, [before, names[0]])
    text.line(f"store {kind} {after}, ptr {cell.value}")
    return after
