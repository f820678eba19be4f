"""Code generator: a module of kernel IR becomes LLVM IR.

A kernel function becomes an LLVM function that returns its results and, as the last field, whether
it succeeded; when it did not, a Python exception is set.  Variables of loops and branches are stack
slots, which LLVM turns into registers.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import (
    checked_code,
    comparison_code,
    conversion_code,
    entry_code,
    formula_code,
    libm_code,
    list_code,
    loop_code,
    python_code,
    python_number_code,
    range_code,
    speculation,
)
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_views import ArrayViews
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.arrays.instructions import OF_ARRAYS, ArrayInstructions
from runtime.engine.llvm.bounds import note_bounds
from runtime.engine.llvm.containers import list_operations
from runtime.engine.llvm.containers.list_instructions import ListInstructions
from runtime.engine.llvm.exceptions.try_code import TryCode
from runtime.engine.llvm.random.draw import Draw, Skip
from runtime.engine.llvm.random.draw_code import DrawCode, Streams
from runtime.engine.llvm.reductions.strip_code import emit_sums
from runtime.engine.llvm.references import LastUses, References, managed
from runtime.engine.llvm.row_arrays import row_arrays
from runtime.engine.llvm.row_layouts import NONE_KNOWN, KnownLayouts, known_layouts
from runtime.engine.llvm.scalar_code import OPCODES
from runtime.engine.llvm.text import METADATA, FunctionText, literal, llvm_type
from runtime.engine.llvm.variables.access import VariableAccess
from runtime.engine.llvm.variables.cells import VariableCells
from runtime.engine.llvm.variables.variable_code import VariableCode

__all__ = ["generate"]
_FAMILIES = (
    checked_code, comparison_code, conversion_code, formula_code, libm_code, python_number_code,
    range_code,
)  # fmt: skip
"""Modules that enter their opcodes when they are imported."""

LONG = 500
"""Instructions of a function from which on raising sites share blocks: LLVM's time grows fast with
the exits of a loop, but it moves checks out of short loops only if each has an exit of its own."""


def generate(module: ir.KernelModule, layouts: KnownLayouts | None = None) -> str:
    """Return the LLVM IR of a module; its function ``entry`` is called from Python.

    ``layouts`` are those of arrays that it may take for granted; None takes all that are known.
    """
    layouts = known_layouts(module) if layouts is None else layouts
    declared: dict[str, str] = {}
    constants: dict[str, str] = {}
    texts: list[str] = []
    for function in module.functions:
        code = _FunctionCode(function, layouts if function is module.entry else NONE_KNOWN)
        texts.append(code.generate())
        declared.update(code.text.declared)
        constants.update(code.text.constants)
    texts.append(entry_code.entry_function(module.entry, layouts, declared))
    for type in list_code.list_types(module):
        texts += list_operations.type_functions(type, declared)
    texts += [
        f'{name} = private constant [{len(value)} x i8] c"{value}"'
        for value, name in constants.items() if value
    ]  # fmt: skip
    heads = sorted(declared.values(), key=lambda text: not text.startswith("declare"))
    return "\n".join([*heads, *texts, METADATA])


class _FunctionCode(ArrayInstructions, ListInstructions, VariableCode, DrawCode, TryCode):
    """Code of one function."""

    def __init__(self, function: ir.KernelFunction, layouts: KnownLayouts) -> None:
        super().__init__()
        self.function = function
        self._layouts = layouts
        self._rows = row_arrays(function, layouts)
        self.text = FunctionText("")
        self.references = References(self.text)
        is_long = sum(1 for _ in ir.instructions(function.block)) > LONG
        self._shared = python_code.RaisingSites(self.text) if is_long else None
        self.views = ArrayViews(self.text)
        self._names: dict[int, str] = {}
        self._fuel = loop_code.Fuel(self.text)
        self._speculated = speculation.speculated(function)
        self.cells = VariableCells(self.text, function)
        self.streams = Streams(self.text, function)
        self.text.held = [state for state in (self.cells, self.streams) if state]

    def generate(self) -> str:
        """Return the text of the LLVM function."""
        text, function = self.text, self.function
        params = [f"{llvm_type(v.type)} %p{v.number}" for v in function.block.params]
        takes = ["ptr %ctx", *(["i64 %depth", "i64 %floor"] if function.recursive else []), *params]
        returns = python_code.returned_type(function.gives)
        text.head = f"define internal {returns} @{function.name}({', '.join(takes)})"
        for position, value in enumerate(function.block.params):
            self.views.know_param(f"%p{value.number}", position, self._layouts)
            self._define(value, f"%p{value.number}")
        if function.recursive:
            python_code.check_depth(text, self.references.failure())
        text.after_others()
        results = self._block(function.block)
        text.before_others()
        python_code.return_values(text, function.gives, results)
        if self._shared:
            self._shared.write()
        self.references.write_cleanups()
        text.start("fail")
        text.before_others()
        text.line(f"ret {returns} zeroinitializer")
        return text.text()

    # -- blocks -----------------------------------------------------------------------------------

    def _block(self, block: ir.Block) -> list[str]:
        """Emit a block; return the names of its results, whose references go to the caller."""
        uses = LastUses(block)
        borrowed = {value.number for value in block.borrowed}
        for value in block.params:
            if value.number not in borrowed:
                self.references.own(value, self._name(value))
        self._release(uses.unused(block.params))
        for position, instruction in enumerate(block.instructions):
            self._instruction(instruction, uses, position)
            self._release(uses.unused(instruction.results))
        self._fuel.spend_noted(self.references.failure())
        self._take(block.results, uses, len(block.instructions))
        return [self._name(value) for value in block.results]

    def _release(self, values: Sequence[ir.Register]) -> None:
        for value in values:
            self.references.release(value, self._name(value))

    def _take(self, values: Sequence[ir.Register], uses: LastUses, position: int) -> None:
        """Make a reference for each of some values, which then belong to another owner."""
        for value in managed(values):
            last = uses.ends_at(value, position)
            count = sum(other is value for other in values)
            for _ in range(count - last):
                self.references.retain(value.type, self._name(value))
            if last:
                self.references.moved(value)

    def _name(self, value: ir.Register) -> str:
        return self._names[value.number]

    def _define(self, value: ir.Register, name: str, slot: str = "") -> None:
        """Define a value, which the function owns; ``slot`` is where it was loaded from."""
        self._names[value.number] = name
        if value.type is ir.OBJECT:
            self.views.expect(name, self._rows.get(value.number))
            self.views.defined(name, slot)
        self.references.own(value, name)

    def _store(
        self, values: Sequence[ir.Register], names: Sequence[str], slots: Sequence[str]
    ) -> None:
        """Store values, under these names, in stack slots."""
        for value, name, slot in zip(values, names, slots, strict=True):
            self.text.line(f"store {llvm_type(value.type)} {name}, ptr {slot}")
            if value.type is ir.OBJECT:
                self.views.stored(slot, name)

    def _load(self, values: Sequence[ir.Register], slots: Sequence[str]) -> list[str]:
        """Define values by what stack slots hold; return their names."""
        pairs = zip(values, slots, strict=True)
        names = [self.text.value(f"load {llvm_type(v.type)}, ptr {slot}") for v, slot in pairs]
        for value, name, slot in zip(values, names, slots, strict=True):
            self._define(value, name, slot)
        return names

    # -- instructions -----------------------------------------------------------------------------

    def _instruction(self, instruction: ir.Instruction, uses: LastUses, position: int) -> None:
        if instruction.blocks() and not isinstance(instruction, Fusion):
            self._fuel.spend_noted(self.references.failure())
        match instruction:
            case ir.Number():
                result = instruction.results[0]
                assert isinstance(result.type, ir.Scalar)
                self._names[result.number] = literal(instruction.value, result.type)
            case ir.ObjectConstant():
                name = python_code.object_constant(self.text, instruction.index)
                self.references.retain(ir.OBJECT, name)
                self.views.know(name, self._layouts.objects.get(instruction.index))
                self._define(instruction.results[0], name)
            case ir.Compute() if isinstance(instruction, OF_ARRAYS):
                self._of_arrays(instruction, uses, position)
            case VariableAccess():
                self._variable(instruction, uses, position)
            case Draw():
                self._draw(instruction, uses, position)
            case Skip():
                self._skip(instruction)
            case ir.Compute():
                self._compute(instruction, uses, position)
            case ir.Callback():
                site, fail = instruction.site, self.references.failure()
                names = [self._name(value) for value in instruction.args]
                self._shortcut(site, "", names)
                names = python_code.call_site(self.text, site, names, fail)
                self._release(uses.owned(instruction, position))
                for value, name in zip(instruction.results, names, strict=True):
                    self._define(value, name)
            case ir.Switch():
                self._switch(instruction, uses, position)
            case ir.WhileLoop():
                self._loop(instruction, uses, position)
            case Fusion():
                self._fuse(instruction, uses, position)
            case ir.Call():
                self._call(instruction, uses, position)
            case _:
                self._of_try(instruction, uses, position)

    def _compute(self, instruction: ir.Compute, uses: LastUses, position: int) -> None:
        text = self.text
        if instruction.opcode.startswith("list."):
            self._list(instruction, uses, position)
            return
        if instruction.reads_array():
            self._element(instruction, uses, position)
            return
        if instruction.opcode.startswith("array."):
            self._array(instruction, uses, position)
            return
        (result,) = instruction.results
        takes = [value.type for value in instruction.args]
        names = [self._name(value) for value in instruction.args]
        name, flag = OPCODES[instruction.opcode](text, takes, result.type, names)
        note_bounds(text, instruction.opcode, takes, result.type, names, name)
        if flag is None:
            self._names[result.number] = name
            return
        assert instruction.site is not None
        usual, fail, done = text.current, self.references.failure(), text.label("done")
        if self._shared and not instruction.site.gives:
            text.branch(flag, self._shared.label(instruction.site, names, fail), done, likely=False)
            text.start(done)
            self._names[result.number] = name
            return
        slow = text.label("slow")
        text.branch(flag, slow, done, likely=False)
        text.start(slow)
        self._shortcut(instruction.site, instruction.opcode, names)
        if not instruction.site.gives:
            python_code.call_raising_site(text, instruction.site, names, fail)
            text.start(done)
            self._names[result.number] = name
            return
        found = python_code.call_rare_site(text, instruction.site, names, done, fail)
        asked = text.current
        text.start(done)
        self._names[result.number] = text.value(
            f"phi {llvm_type(result.type)} [{name}, %{usual}], [{found}, %{asked}]"
        )

    def _switch(self, switch: ir.Switch, uses: LastUses, position: int) -> None:
        text = self.text
        slots = [text.slot(llvm_type(value.type)) for value in switch.results]
        labels = [text.label("branch") for _ in switch.branches]
        end = text.label("end")
        if switch in self._speculated:
            names = [self._name(value) for value in switch.args]
            names, flag = speculation.emit_switch(text, switch, names)
            if flag is None:
                for value, name in zip(switch.results, names, strict=True):
                    self._define(value, name)
                return
            self._store(switch.results, names, slots)
            again = text.label("again")
            text.branch(flag, again, end, likely=False)
            text.start(again)
        self._jump(switch, labels)
        given, before = managed(switch.args[1:]), self.references.owned()
        for number, (label, branch) in enumerate(zip(labels, switch.branches, strict=True)):
            text.start(label)
            self.references.return_to(before)
            inputs = switch.inputs_of(number)
            for value in given:
                last = uses.ends_at(value, position)
                count = sum(other is value for other in inputs)
                if last and not count:
                    self.references.release(value, self._name(value))
                    continue
                for _ in range(count - last):
                    self.references.retain(value.type, self._name(value))
                if last:
                    self.references.moved(value)
            for param, value in zip(branch.params, inputs, strict=True):
                self._names[param.number] = self._name(value)
            self._store(branch.results, self._block(branch), slots)
            text.line(f"br label %{end}")
        text.start(end)
        self._load(switch.results, slots)

    def _jump(self, switch: ir.Switch, labels: Sequence[str]) -> None:
        chooser = switch.args[0]
        if chooser.type == ir.BOOL:
            self.text.branch(self._name(chooser), labels[0], labels[-1])
            return
        kind = llvm_type(chooser.type)
        cases = " ".join(f"{kind} {n}, label %{label}" for n, label in enumerate(labels))
        self.text.line(f"switch {kind} {self._name(chooser)}, label %{labels[-1]} [{cases}]")

    def _loop(self, loop: ir.WhileLoop, uses: LastUses, position: int) -> None:
        text, count = self.text, len(loop.results)
        read = {value.number for value in loop.args[count:]}
        for value in loop.args[:count]:  # the state may change in place, what is read may not
            if value.type.managed and value.number in read:
                self.references.retain(value.type, self._name(value))
        self._take([v for v in loop.args[:count] if v.number not in read], uses, position)
        slots = [text.slot(llvm_type(value.type)) for value in loop.results]
        self._store(loop.results, [self._name(value) for value in loop.args[:count]], slots)
        head, body, end = text.label("head"), text.label("body"), text.label("end")
        text.line(f"br label %{head}")
        text.start(head)
        state = self._load(loop.results, slots)
        given = [self._name(value) for value in loop.args[:count]]
        loop_code.note_steps(text, loop, given, state)
        captures = [self._name(value) for value in loop.args[count:]]
        outside = self.references.owned()
        self._enter(loop.test, [*state, *captures[: loop.for_test]])
        (going,) = self._block(loop.test)
        text.branch(going, body, end)
        text.start(body)
        counter, strip, before = loop_code.counter_of(loop), None, state
        if counter is not None:
            first, rest = self._name(loop.args[counter.state]), captures[loop.for_test :]
            strip = loop_code.begin_strip(
                text, state[counter.state], self._name(counter.limit), first
            )
            if not (
                self._repeat(loop, counter, strip, state, rest, slots, head)
                or emit_sums(text, self.views, loop, counter, strip, state, rest, slots)
            ):
                text.line(f"br label %{strip.turn}")
        for value in managed(loop.results):
            self.references.moved(value)
        if counter is not None and strip is not None:
            types = [value.type for value in loop.results]
            before = loop_code.begin_turn(text, strip, counter, slots, types)
            loop_code.note_steps(text, loop, given, before)
            for value, name, slot in zip(loop.results, before, slots, strict=True):
                if value.type is ir.OBJECT:
                    self.views.expect(name, self._rows.get(value.number))
                    self.views.defined(name, slot)
        self._enter(loop.body, [*before, *captures[loop.for_test :]])
        results = self._block(loop.body)
        self._store(loop.results, results, slots)
        for value, name in zip(loop.results, results, strict=True):
            self.references.own(value, name)
        if counter is not None and strip is not None:
            loop_code.end_strip(text, strip, results[counter.state])
        self._fuel.spend("1" if strip is None else strip.length, self.references.failure())
        text.line(f"br label %{head}")
        text.start(end)
        self.references.return_to(outside)
        for value, name in zip(loop.results, state, strict=True):
            self._define(value, name)
        self._release([v for v in managed(loop.args[count:]) if uses.ends_at(v, position)])

    def _enter(self, block: ir.Block, names: Sequence[str]) -> None:
        for param, name in zip(block.params, names, strict=True):
            self._names[param.number] = name

    def _call(self, call: ir.Call, uses: LastUses, position: int) -> None:
        text = self.text
        self._take(call.args, uses, position)
        depth, floor = "0", "0"
        if self.function.recursive:
            depth, floor = text.value("sub i64 %depth, 1"), "%floor"
        else:
            depth, floor = python_code.stack_limits(text)
        names = [self._name(value) for value in call.args]
        takes = [value.type for value in call.args]
        results = python_code.call_function(
            text, call.function.name, takes, call.function.gives, names, self.references.failure(),
            before=("i64 " + depth, "i64 " + floor),
        )  # fmt: skip
        for value, name in zip(call.results, results, strict=True):
            self._define(value, name)
