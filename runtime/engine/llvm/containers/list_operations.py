"""Operations on native lists in a function, and the functions of their types, for codegen.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm import list_boxing, list_code, python_code
from runtime.engine.llvm.builder import Builder
from runtime.engine.llvm.containers import key_index, map_code, tensor_array_code
from runtime.engine.llvm.list_handles import Emitted, ListOperation
from runtime.engine.llvm.references import FunctionPart, LastUses, consumed_counts, managed
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.texts import text_changes, text_code, text_functions

_EMITTERS: dict[str, Callable[[ListOperation], Emitted]] = {
    "list.new": list_code.emit_new,
    "list.slice": list_code.emit_slice,
    "list.splice": list_code.emit_splice,
    **map_code.EMITTERS,
    **tensor_array_code.EMITTERS,
    **text_code.EMITTERS,
}
"""By opcode: the function that emits it; ``list_code`` emits all others."""


def emit(operation: ListOperation) -> Emitted:
    """Emit a list operation."""
    return _EMITTERS.get(operation.instruction.opcode, list_code.emit)(operation)


@cache
def functions_of(type: ir.NativeList) -> Mapping[str, str]:
    """Return the functions of a list type, and what they need, by name.

    They are written once for a process: those of texts take as long as the rest of a short module.
    """
    module = FunctionText("")
    list_code.define_list_functions(module, type)
    list_boxing.define_conversions(module, type)
    if type.text:
        text_functions.define_functions(module)
        text_changes.define_changes(module)
    if type.keyed:
        key_index.define_key_functions(module, type)
        map_code.define_set_functions(module, type)
    return module.declared


class ListInstructions(FunctionPart):
    """Code of the operations of a function on lists."""

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
        emitted = emit(operation)
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
