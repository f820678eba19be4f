"""Code of operations on lists.

Base of the code generator (codegen.py), which owns the names and references of values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm import python_code
from runtime.engine.llvm.containers import list_operations
from runtime.engine.llvm.references import LastUses, References, managed, taken
from runtime.engine.llvm.text import FunctionText


class ListInstructions:
    """Base of the code of a function: operations on lists."""

    text: FunctionText
    references: References
    _name: Callable[[ir.Register], str]
    _define: Callable[[ir.Register, str], None]
    _release: Callable[[Sequence[ir.Register]], None]
    _shortcut: Callable[[ir.Site, str, Sequence[str]], None]

    def _list(self, instruction: ir.Compute, uses: LastUses, position: int) -> None:
        """Emit a list operation; where it gives up, its kernel raises."""
        text = self.text
        last, counts = uses.owned(instruction, position), taken(instruction)
        extra: list[ir.Register] = []
        moves = {value.number for value in last if counts[value.number]}
        for value in managed(instruction.args):
            copies = counts[value.number] - (value.number in moves)
            for _ in range(copies):
                self.references.retain(value.type, self._name(value))
                extra.append(value)
        names = [self._name(value) for value in instruction.args]
        fail, good = text.label("slow"), text.label("good")
        failure = self.references.failure()
        for value in last:
            if value.number in moves:
                self.references.moved(value)
        found = list_operations.emit(text, self.references, instruction, names, fail, good)
        if found.may_fail:
            text.start(fail)
            assert instruction.site is not None
            self._shortcut(instruction.site, instruction.opcode, names)
            clean = text.label("clean") if extra else failure
            python_code.call_raising_site(text, instruction.site, names, clean)
            if extra:
                text.start(clean)
                for value in extra:
                    self.references.drop(value.type, self._name(value))
                text.line(f"br label %{failure}")
            text.start(good)
        self._release([value for value in last if value.number not in moves])
        for value, name in zip(instruction.results, found.results, strict=True):
            self._define(value, name)
