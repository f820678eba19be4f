"""Code of the instructions on arrays: reads and writes of elements, and fusions.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.engine.llvm import element_code
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.array_loop import ArrayLoop
from runtime.engine.llvm.array_loops.loop_code import emit as emit_loop
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame
from runtime.engine.llvm.arrays.allocation import allocate
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.arrays.fusion_code import FusionCode
from runtime.engine.llvm.arrays.inner_loop import lanes_of
from runtime.engine.llvm.arrays.product import Product
from runtime.engine.llvm.arrays.product_code import ProductCode
from runtime.engine.llvm.arrays.repeated_code import RepeatedCode, repeated_fusion
from runtime.engine.llvm.arrays.selected_code import check_view
from runtime.engine.llvm.arrays.selection import ViewCheck
from runtime.engine.llvm.arrays.slice_writes import NewArray
from runtime.engine.llvm.arrays.windowed import Windowed
from runtime.engine.llvm.arrays.windowed_code import emit_windows
from runtime.engine.llvm.loop_code import Counter, Strip
from runtime.engine.llvm.references import FunctionPart, LastUses

OF_ARRAYS = (NewArray, Product, Windowed, ArrayLoop)
"""Instructions that make whole arrays, besides fusions."""


class ArrayInstructions(FunctionPart):
    """Code of what a function does with arrays."""

    def element(self, instruction: ir.Compute, uses: LastUses, position: int) -> None:
        """Emit the read of an element, or the check that a row exists; else its site is called."""
        names = [self._code.name(value) for value in instruction.args]
        fail = self.references.failure()
        if isinstance(instruction, ViewCheck):
            check_view(self.text, self.views, instruction, names, fail)
            results = []
        else:
            results = element_code.emit_read(self.text, self.views, instruction, names, fail)
        for value, name in zip(instruction.results, results, strict=True):
            self._code.define(value, name)
        self._code.release(uses.last_used_args(instruction, position))

    def array(self, instruction: ir.Compute, uses: LastUses, position: int) -> None:
        """Emit what gives an array: the write of an element, or what prepares an array."""
        array, (result,) = instruction.args[0], instruction.results
        names = [self._code.name(value) for value in instruction.args]
        is_last_use, slot = uses.ends_at(array, position), self.text.slot("ptr")
        name = element_code.emit_array(
            self.text, self.references, self.views, instruction, names, is_last_use, slot
        )
        if is_last_use:
            self.references.hand_over(array)
        if name:
            self._code.define(result, name)
            return
        (name,) = self._code.load([result], [slot])
        if instruction.opcode == "array.own":
            self.views.lies_row_by_row(name, ir.layout_of(instruction)[0].itemsize)

    def new_array(self, instruction: NewArray, uses: LastUses, position: int) -> None:
        """Emit a new array; where there is no memory for it, its site raises."""
        sizes = [str(size) for size in instruction.layout.dims]
        with self._code.or_site(instruction) as (slots, slow):
            allocate(self.text, instruction.layout.element, sizes, slots[0], slow)
            self._code.note_arrays(instruction, slots)

    def fuse(self, fusion: Fusion, uses: LastUses, position: int) -> None:
        """Emit a fusion; where it gives up, the kernels are called one after the other."""
        dying, failure = uses.last_used_args(fusion, position), self.references.failure()
        names = [self._code.name(value) for value in fusion.args]
        code = FusionCode(self.text, self.references, self.views, fusion, names)
        self._code.fuel.note(code.iterations(), failure)
        with self._code.or_site(fusion, dying) as (slots, slow):
            code.emit(frozenset(map(fusion.args.index, dying)), slots, slow, failure)

    def repeat(
        self, loop: ir.WhileLoop, counter: Counter, strip: Strip, state: Sequence[str],
        captures: Sequence[str], slots: Sequence[str], head: str,
    ) -> bool:  # fmt: skip
        """Emit turns of a loop whose body is a fusion, block by block, which go on at ``head``; at
        ``strip.turn`` where that cannot be done.  Return False for another loop.

        ``slots`` hold the state; ``captures`` are those of the body.
        """
        text, repeated = self.text, repeated_fusion(loop, counter)
        if repeated is None or lanes_of(repeated.fusion) < 2:
            return False
        fusion, values = repeated.fusion, [*state, *captures]
        names = [
            values[source] if isinstance(source, int) else source for source in repeated.sources
        ]
        new, failure = [text.slot("ptr") for _ in fusion.results], self.references.failure()
        code = RepeatedCode(text, self.references, self.views, repeated, names)
        undo = text.label("undo")
        for slot in new:
            text.line(f"store ptr null, ptr {slot}")
        turns = code.turns(strip, strip.turn)
        self._code.fuel.spend(code.iterations_of(turns), failure)
        code.emit(repeated.changing, new, undo, failure)
        for value, slot, place in zip(fusion.results, new, repeated.targets, strict=True):
            name = text.load(slot)
            self.views.expect(name, self._code.rows.get(value.number))
            self.views.note_definition(name, slot)
            self.references.drop(ir.OBJECT, state[place])
            text.line(f"store ptr {name}, ptr {slots[place]}")
            self.views.note_store(slots[place], name)
        after = text.value(f"add nsw i64 {strip.start}, {turns}")
        text.line(f"store i64 {after}, ptr {slots[counter.state]}")
        text.jump(head)
        text.start(undo)
        for slot in new:
            self.references.drop(ir.OBJECT, text.load(slot))
        text.jump(strip.turn)
        return True

    def make_array(
        self, product: Product | Windowed | ArrayLoop, uses: LastUses, position: int
    ) -> None:
        """Emit a product, convolution, pooling or loop; where native code cannot compute it, its
        site is called.
        """
        text, failure, fuel = self.text, self.references.failure(), self._code.fuel
        names = [self._code.name(value) for value in product.args]
        with self._code.or_site(product, uses.last_used_args(product, position)) as (slots, slow):
            if isinstance(product, Product):
                ProductCode(text, self.views, product, names).emit(slots[0], slow, fuel, failure)
            else:
                frame = LoopFrame(text, self.views, product, names)
                if isinstance(product, Windowed):
                    emit_windows(frame, product.work, slots, slow, fuel, failure)
                else:
                    fuel.note(frame.iterations(), failure)
                    emit_loop(frame, product.plan, slots, slow)
            self._code.note_arrays(product, slots)
