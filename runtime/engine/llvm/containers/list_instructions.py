"""Code of operations on lists in a function: what they own, and where they go if they fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm import python_code
from runtime.engine.llvm.builder import Builder
from runtime.engine.llvm.containers import list_operations
from runtime.engine.llvm.list_handles import ListOperation
from runtime.engine.llvm.references import LastUses, consumed_counts, managed

if TYPE_CHECKING:
    from runtime.engine.llvm.function_code import FunctionCode


class ListInstructions:
    """Code of the operations of a function on lists."""

    def __init__(self, code: FunctionCode) -> None:
        self._code = code
        self.text = code.text
        self.references = code.references
        self.views = code.views

    def emit(self, instruction: ir.Compute, uses: LastUses, position: int) -> None:
        """Emit a list operation; where it gives up, its kernel raises."""
        text = self.text
        dying, counts = uses.last_used_args(instruction, position), consumed_counts(instruction)
        extra: list[ir.Register] = []
        moves = {value.number for value in dying if counts[value.number]}
        for value in managed(instruction.args):
            copies = counts[value.number] - (value.number in moves)
            for _ in range(copies):
                self.references.retain(value.type, self._code.name(value))
                extra.append(value)
        names = [self._code.name(value) for value in instruction.args]
        fail, good = text.label("slow"), text.label("good")
        failure = self.references.failure()
        for value in dying:
            if value.number in moves:
                self.references.hand_over(value)
        code = Builder(text)
        operation = ListOperation(code, self.references, instruction, names, fail, good)
        emitted = list_operations.emit(operation)
        if emitted.may_fail:
            text.start(fail)
            assert instruction.site is not None
            self._code.tries.shortcut(instruction.site, instruction.opcode, names)
            clean = text.label("clean") if extra else failure
            python_code.call_raising_site(text, instruction.site, names, clean)
            if extra:
                text.start(clean)
                for value in extra:
                    self.references.drop(value.type, self._code.name(value))
                text.jump(failure)
            text.start(good)
        self._code.release([value for value in dying if value.number not in moves])
        for value, name in zip(instruction.results, emitted.results, strict=True):
            self._code.define(value, name)
