"""Code of one function of kernel IR, which becomes an LLVM function.

It returns its results and, as the last field, whether it succeeded; when it did not, a Python
exception is set.  Variables of loops and branches are stack slots, which LLVM turns into registers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm import loop_code, python_code, speculation
from runtime.engine.llvm.array_loops.array_loop import ArrayLoop
from runtime.engine.llvm.array_views import ArrayViews
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.arrays.instructions import ArrayInstructions
from runtime.engine.llvm.arrays.product import Product
from runtime.engine.llvm.arrays.selection import ViewCheck
from runtime.engine.llvm.arrays.slice_writes import NewArray
from runtime.engine.llvm.arrays.windowed import Windowed
from runtime.engine.llvm.bounds import note_bounds
from runtime.engine.llvm.containers.list_operations import ListInstructions
from runtime.engine.llvm.exceptions.try_code import TryCode
from runtime.engine.llvm.exceptions.try_ir import Forget, Save, Try
from runtime.engine.llvm.random.draw import Draw, Skip
from runtime.engine.llvm.random.draw_code import DrawCode, Streams
from runtime.engine.llvm.reductions.strip_code import emit_sums
from runtime.engine.llvm.references import LastUses, References, managed
from runtime.engine.llvm.row_arrays import row_arrays
from runtime.engine.llvm.row_layouts import KnownLayouts
from runtime.engine.llvm.text import FunctionText, literal, llvm_type
from runtime.engine.llvm.texts.text_functions import text_constant
from runtime.engine.llvm.values import OPCODES
from runtime.engine.llvm.variables.access import VariableAccess
from runtime.engine.llvm.variables.cells import VariableCells
from runtime.engine.llvm.variables.variable_code import VariableCode

LONG = 500
"""Instructions of a function from which on raising sites share blocks: LLVM's time grows fast with
the exits of a loop, but it moves checks out of short loops only if each has an exit of its own."""


class FunctionCode:
    """Code of one function: the names that values have in the text, and where they are stored."""

    def __init__(self, function: ir.KernelFunction, layouts: KnownLayouts) -> None:
        self.function = function
        self._layouts = layouts
        self.rows = row_arrays(function, layouts) if ir.OBJECT in function.types() else {}
        self.text = FunctionText("")
        self.references = References(self.text)
        is_long = sum(1 for _ in ir.instructions(function.block)) > LONG
        self._shared = python_code.RaisingSites(self.text) if is_long else None
        self.views = ArrayViews(self.text)
        self._names: dict[int, str] = {}
        self.fuel = loop_code.Fuel(self.text)
        self._speculated = speculation.speculated_switches(function)
        self.cells = VariableCells(self.text, function)
        self.streams = Streams(self.text, function)
        self.text.held = [state for state in (self.cells, self.streams) if state]
        self.tries = TryCode(self)
        arrays, draws = ArrayInstructions(self), DrawCode(self)
        self._arrays = arrays
        self._lists = ListInstructions(self)
        self._emitters: dict[type, Callable[[Any, LastUses, int], None]] = {
            ir.Number: self._number, ir.ObjectConstant: self._object,
            ir.TextConstant: self._text, ir.Compute: self._compute,
            ir.Callback: self._call_kernel, ir.Switch: self._switch, ir.WhileLoop: self._loop,
            ir.Call: self._call, Fusion: arrays.fuse, NewArray: arrays.new_array,
            Product: arrays.make_array, Windowed: arrays.make_array, ArrayLoop: arrays.make_array,
            ViewCheck: arrays.element, VariableAccess: VariableCode(self).emit, Draw: draws.draw,
            Skip: draws.skip, Try: self.tries.emit, Save: self.tries.save,
            Forget: self.tries.forget,
        }  # fmt: skip

    def generate(self) -> str:
        """Return the text of the LLVM function."""
        text, function = self.text, self.function
        params = [f"{llvm_type(v.type)} %p{v.number}" for v in function.block.params]
        takes = ["ptr %ctx", *(["i64 %depth", "i64 %floor"] if function.recursive else []), *params]
        returns = python_code.returned_type(function.gives)
        text.head = f"define internal {returns} @{function.name}({', '.join(takes)})"
        for position, value in enumerate(function.block.params):
            self.views.know_param(f"%p{value.number}", position, self._layouts)
            self.define(value, f"%p{value.number}")
        if function.recursive:
            python_code.check_depth(text, self.references.failure())
        text.after_others()
        results = self.block(function.block)
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

    def block(self, block: ir.Block) -> list[str]:
        """Emit a block; return the names of its results, whose references go to the caller."""
        uses = LastUses(block)
        borrowed = {value.number for value in block.borrowed}
        for value in block.params:
            if value.number not in borrowed:
                self.references.acquire(value, self.name(value))
        self.release(uses.unused_values(block.params))
        for position, instruction in enumerate(block.instructions):
            self._instruction(instruction, uses, position)
            self.release(uses.unused_values(instruction.results))
        self.fuel.spend_noted(self.references.failure())
        self.take(block.results, uses, len(block.instructions))
        return [self.name(value) for value in block.results]

    def release(self, values: ir.Registers) -> None:
        """Drop the references of values."""
        for value in values:
            self.references.release(value, self.name(value))

    def take(self, values: ir.Registers, uses: LastUses, position: int) -> None:
        """Make a reference for each of some values, which then belong to another owner."""
        self.hand_over(values, values, lambda value: uses.ends_at(value, position))

    def hand_over(
        self, values: ir.Registers, inputs: ir.Registers,
        ends: Callable[[ir.Register], bool],
    ) -> None:  # fmt: skip
        """Give another owner a reference for each of its inputs, which are among some values; one
        whose use ends, and which is no input, is released.
        """
        for value in managed(values):
            is_last_use, count = ends(value), sum(operand is value for operand in inputs)
            if is_last_use and not count:
                self.references.release(value, self.name(value))
                continue
            for _ in range(count - is_last_use):
                self.references.retain(value.type, self.name(value))
            if is_last_use:
                self.references.hand_over(value)

    def name(self, value: ir.Register) -> str:
        """Return the name of a value in the text."""
        return self._names[value.number]

    def define(self, value: ir.Register, name: str, slot: str = "") -> None:
        """Define a value, which the function owns; ``slot`` is where it was loaded from."""
        self._names[value.number] = name
        if value.type is ir.OBJECT:
            self.views.expect(name, self.rows.get(value.number))
            self.views.note_definition(name, slot)
        self.references.acquire(value, name)

    def store(self, values: ir.Registers, names: Sequence[str], slots: Sequence[str]) -> None:
        """Store values, under these names, in stack slots."""
        for value, name, slot in zip(values, names, slots, strict=True):
            self.text.line(f"store {llvm_type(value.type)} {name}, ptr {slot}")
            if value.type is ir.OBJECT:
                self.views.note_store(slot, name)

    def load(self, values: ir.Registers, slots: Sequence[str]) -> list[str]:
        """Define values by what stack slots hold; return their names."""
        pairs = zip(values, slots, strict=True)
        names = [self.text.load(slot, llvm_type(v.type)) for v, slot in pairs]
        for value, name, slot in zip(values, names, slots, strict=True):
            self.define(value, name, slot)
        return names

    # -- instructions -----------------------------------------------------------------------------

    def _instruction(self, instruction: ir.Instruction, uses: LastUses, position: int) -> None:
        if instruction.blocks() and not isinstance(instruction, Fusion):
            self.fuel.spend_noted(self.references.failure())
        self._emitters[type(instruction)](instruction, uses, position)

    @contextmanager
    def or_site(
        self, instruction: Any, dying: ir.Registers = ()
    ) -> Iterator[tuple[list[str], str]]:
        """Run the lines that are added meanwhile, which put the results of an instruction in stack
        slots, or branch to a label: there its site is called, and what arrays the slots hold is
        released.  Then define the results; ``dying`` are arguments that nothing uses later.
        """
        text, values = self.text, instruction.results
        slots = [text.slot(llvm_type(value.type)) for value in values]
        arrays = [s for s, v in zip(slots, values, strict=True) if v.type is ir.OBJECT]
        for slot in arrays:
            text.line(f"store ptr null, ptr {slot}")
        for slow in text.attempt():
            if slow:
                yield slots, slow
                continue
            for slot in arrays:
                self.references.drop(ir.OBJECT, text.load(slot))
            args, fail = [self.name(value) for value in instruction.args], self.references.failure()
            names = python_code.call_site(text, instruction.site, args, fail)
            for name, value in zip(names, values, strict=True):
                if value.type is ir.OBJECT:
                    self.views.note_definition(name)
            self.store(values, names, slots)
        self.release(dying)
        self.load(values, slots)

    def note_arrays(self, instruction: Any, slots: Sequence[str]) -> None:
        """Note the new arrays that slots hold, which are results of an instruction."""
        for slot, value in zip(slots, instruction.results, strict=True):
            if value.type is ir.OBJECT:
                name = self.text.load(slot)
                self.views.note_definition(name)
                self.views.note_store(slot, name)

    def _number(self, instruction: ir.Number, uses: LastUses, position: int) -> None:
        result = instruction.results[0]
        assert isinstance(result.type, ir.Scalar)
        self._names[result.number] = literal(instruction.value, result.type)

    def _object(self, instruction: ir.ObjectConstant, uses: LastUses, position: int) -> None:
        name = python_code.object_constant(self.text, instruction.index)
        self.references.retain(ir.OBJECT, name)
        self.views.know(name, self._layouts.objects.get(instruction.index))
        self.define(instruction.results[0], name)

    def _text(self, instruction: ir.TextConstant, uses: LastUses, position: int) -> None:
        self.define(instruction.results[0], text_constant(self.text, instruction.value))

    def _call_kernel(self, instruction: ir.Callback, uses: LastUses, position: int) -> None:
        site, fail = instruction.site, self.references.failure()
        names = [self.name(value) for value in instruction.args]
        self.tries.shortcut(site, "", names)
        names = python_code.call_site(self.text, site, names, fail)
        self.release(uses.last_used_args(instruction, position))
        for value, name in zip(instruction.results, names, strict=True):
            self.define(value, name)

    def _compute(self, instruction: ir.Compute, uses: LastUses, position: int) -> None:
        text = self.text
        if instruction.opcode.startswith("list."):
            self._lists.emit(instruction, uses, position)
            return
        if instruction.reads_array():
            self._arrays.element(instruction, uses, position)
            return
        if instruction.opcode.startswith("array."):
            self._arrays.array(instruction, uses, position)
            return
        (result,) = instruction.results
        takes = [value.type for value in instruction.args]
        names = [self.name(value) for value in instruction.args]
        name, flag = OPCODES[instruction.opcode](text, takes, result.type, names)
        if result.type == ir.INT64:
            note_bounds(text, instruction.opcode, takes, result.type, names, name)
        if flag is None:
            self._names[result.number] = name
            return
        assert instruction.site is not None
        fail = self.references.failure()
        self._names[result.number] = name
        if self._shared and not instruction.site.gives:
            text.refuse(flag, self._shared.label(instruction.site, names, fail))
        elif not instruction.site.gives:
            with text.leaving(flag):
                self.tries.shortcut(instruction.site, instruction.opcode, names)
                python_code.call_raising_site(text, instruction.site, names, fail)
        else:
            done = text.join(llvm_type(result.type))
            done.bring_unless(flag, name)
            self.tries.shortcut(instruction.site, instruction.opcode, names)
            python_code.call_rare_site(text, instruction.site, names, done, fail)
            self._names[result.number] = done.value()

    def _switch(self, switch: ir.Switch, uses: LastUses, position: int) -> None:
        text = self.text
        slots = [text.slot(llvm_type(value.type)) for value in switch.results]
        labels = [text.label("branch") for _ in switch.branches]
        end = text.label("end")
        if switch in self._speculated:
            names = [self.name(value) for value in switch.args]
            names, flag = speculation.BranchFree(text).switch(switch, names)
            if flag is None:
                for value, name in zip(switch.results, names, strict=True):
                    self.define(value, name)
                return
            self.store(switch.results, names, slots)
            again = text.label("again")
            text.branch(flag, again, end, likely=False)
            text.start(again)
        chooser = switch.args[0]
        text.switch(llvm_type(chooser.type), self.name(chooser), labels)
        before = self.references.owned_values()
        for number, (label, branch) in enumerate(zip(labels, switch.branches, strict=True)):
            text.start(label)
            self.references.return_to(before)
            inputs = switch.inputs_of(number)
            self.hand_over(switch.args[1:], inputs, lambda value: uses.ends_at(value, position))
            self.enter(branch, [self.name(value) for value in inputs])
            self.store(branch.results, self.block(branch), slots)
            text.jump(end)
        text.start(end)
        self.load(switch.results, slots)

    def _loop(self, loop: ir.WhileLoop, uses: LastUses, position: int) -> None:
        text, count = self.text, len(loop.results)
        read = {value.number for value in loop.args[count:]}
        for value in loop.args[:count]:  # the state may change in place, what is read may not
            if value.type.managed and value.number in read:
                self.references.retain(value.type, self.name(value))
        self.take([v for v in loop.args[:count] if v.number not in read], uses, position)
        slots = [text.slot(llvm_type(value.type)) for value in loop.results]
        self.store(loop.results, [self.name(value) for value in loop.args[:count]], slots)
        head, body, end = text.label("head"), text.label("body"), text.label("end")
        text.jump(head)
        text.start(head)
        state = self.load(loop.results, slots)
        initial = [self.name(value) for value in loop.args[:count]]
        loop_code.note_steps(text, loop, initial, state)
        captures = [self.name(value) for value in loop.args[count:]]
        outside = self.references.owned_values()
        self.enter(loop.test, [*state, *captures[: loop.for_test]])
        (going,) = self.block(loop.test)
        text.branch(going, body, end)
        text.start(body)
        counter, strip, before = loop_code.counter_of(loop), None, state
        if counter is not None:
            first, body_captures = self.name(loop.args[counter.state]), captures[loop.for_test :]
            strip = loop_code.begin_strip(
                text, state[counter.state], self.name(counter.limit), first
            )
            if not (
                self._arrays.repeat(loop, counter, strip, state, body_captures, slots, head)
                or emit_sums(text, self.views, loop, counter, strip, state, body_captures, slots)
            ):
                text.jump(strip.turn)
        for value in managed(loop.results):
            self.references.hand_over(value)
        if counter is not None and strip is not None:
            types = [value.type for value in loop.results]
            before = loop_code.begin_turn(text, strip, counter, slots, types)
            loop_code.note_steps(text, loop, initial, before)
            for value, name, slot in zip(loop.results, before, slots, strict=True):
                if value.type is ir.OBJECT:
                    self.views.expect(name, self.rows.get(value.number))
                    self.views.note_definition(name, slot)
        self.enter(loop.body, [*before, *captures[loop.for_test :]])
        results = self.block(loop.body)
        self.store(loop.results, results, slots)
        for value, name in zip(loop.results, results, strict=True):
            self.references.acquire(value, name)
        if counter is not None and strip is not None:
            loop_code.end_strip(text, strip, results[counter.state])
        self.fuel.spend("1" if strip is None else strip.length, self.references.failure())
        text.jump(head)
        text.start(end)
        self.references.return_to(outside)
        for value, name in zip(loop.results, state, strict=True):
            self.define(value, name)
        self.release([v for v in managed(loop.args[count:]) if uses.ends_at(v, position)])

    def enter(self, block: ir.Block, names: Sequence[str]) -> None:
        """Name the parameters of a block."""
        for param, name in zip(block.params, names, strict=True):
            self._names[param.number] = name

    def _call(self, call: ir.Call, uses: LastUses, position: int) -> None:
        text = self.text
        self.take(call.args, uses, position)
        depth, floor = "0", "0"
        if self.function.recursive:
            depth, floor = text.value("sub i64 %depth, 1"), "%floor"
        else:
            depth, floor = python_code.stack_limits(text)
        names = [self.name(value) for value in call.args]
        takes = [value.type for value in call.args]
        results = python_code.call_function(
            text, call.function.name, takes, call.function.gives, names, self.references.failure(),
            before=("i64 " + depth, "i64 " + floor),
        )  # fmt: skip
        for value, name in zip(call.results, results, strict=True):
            self.define(value, name)
