"""Code of the instructions on arrays: reads and writes of elements, and fusions.

Base of the code generator (codegen.py), which owns the names and references of values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.engine.llvm import element_code, python_code
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_loops.array_loop import ArrayLoop
from runtime.engine.llvm.array_loops.loop_code import emit as emit_loop
from runtime.engine.llvm.array_loops.loop_frame import LoopFrame
from runtime.engine.llvm.array_views import ArrayViews
from runtime.engine.llvm.arrays.allocation import allocate
from runtime.engine.llvm.arrays.assembly import NewArray
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.arrays.fusion_code import FusionCode
from runtime.engine.llvm.arrays.product import Product
from runtime.engine.llvm.arrays.product_code import ProductCode
from runtime.engine.llvm.arrays.repeated_code import RepeatedCode, lanes
from runtime.engine.llvm.arrays.repeated_fusion import repeated_fusion
from runtime.engine.llvm.arrays.selected_code import check_view
from runtime.engine.llvm.arrays.selection import ViewCheck
from runtime.engine.llvm.arrays.windowed import Windowed
from runtime.engine.llvm.arrays.windowed_code import WindowedCode
from runtime.engine.llvm.loop_code import Counter, Fuel, Strip
from runtime.engine.llvm.references import LastUses, References
from runtime.engine.llvm.row_layouts import RowLayout
from runtime.engine.llvm.text import FunctionText, llvm_type

OF_ARRAYS = (NewArray, Product, Windowed, ArrayLoop)
"""Instructions that make whole arrays, besides fusions."""


class ArrayInstructions:
    """Base of the code of a function: what it does with arrays."""

    text: FunctionText
    references: References
    views: ArrayViews
    _fuel: Fuel
    _names: dict[int, str]
    _rows: dict[int, RowLayout]
    _name: Callable[[ir.Register], str]
    _define: Callable[[ir.Register, str], None]
    _release: Callable[[Sequence[ir.Register]], None]
    _enter: Callable[[ir.Block, Sequence[str]], None]
    _block: Callable[[ir.Block], list[str]]
    _store: Callable[[Sequence[ir.Register], Sequence[str], Sequence[str]], None]
    _load: Callable[[Sequence[ir.Register], Sequence[str]], list[str]]

    def _element(self, instruction: ir.Compute, uses: LastUses, position: int) -> None:
        """Emit the read of an element, or the check that a row exists; else its site is called."""
        names = [self._name(value) for value in instruction.args]
        fail = self.references.failure()
        if isinstance(instruction, ViewCheck):
            check_view(self.text, self.views, instruction, names, fail)
            found = []
        else:
            found = element_code.emit_read(self.text, self.views, instruction, names, fail)
        for value, name in zip(instruction.results, found, strict=True):
            self._names[value.number] = name
        self._release(uses.owned(instruction, position))

    def _array(self, instruction: ir.Compute, uses: LastUses, position: int) -> None:
        """Emit what gives an array: the write of an element, or what prepares an array."""
        array, (result,) = instruction.args[0], instruction.results
        names = [self._name(value) for value in instruction.args]
        last, slot = uses.ends_at(array, position), self.text.slot("ptr")
        name = element_code.emit_array(
            self.text, self.references, self.views, instruction, names, last, slot
        )
        if last:
            self.references.moved(array)
        if name:
            self._define(result, name)
            return
        (name,) = self._load([result], [slot])
        if instruction.opcode == "array.own":
            self.views.lies_row_by_row(name, ir.layout_of(instruction)[0].itemsize)

    def _of_arrays(
        self, instruction: NewArray | Product | Windowed | ArrayLoop, uses: LastUses,
        position: int,
    ) -> None:  # fmt: skip
        """Emit an instruction that makes a whole array."""
        if isinstance(instruction, NewArray):
            self._new_array(instruction)
        else:
            self._multiply(instruction, uses, position)

    def _new_array(self, instruction: NewArray) -> None:
        """Emit a new array; where there is no memory for it, its site raises."""
        text, slot = self.text, self.text.slot("ptr")
        slow, done = text.label("slow"), text.label("done")
        sizes = [str(size) for size in instruction.layout.dims]
        allocate(text, instruction.layout.element, sizes, slot, slow)
        self._put_result(instruction, text.value(f"load ptr, ptr {slot}"), slot)
        text.line(f"br label %{done}")
        text.start(slow)
        assert instruction.site is not None
        (made,) = python_code.call_site(text, instruction.site, (), self.references.failure())
        self._put_result(instruction, made, slot)
        text.line(f"br label %{done}")
        text.start(done)
        self._load(instruction.results, [slot])

    def _put_result(self, instruction: NewArray, name: str, slot: str) -> None:
        self.views.defined(name)
        self._store(instruction.results, [name], [slot])

    def _fuse(self, fusion: Fusion, uses: LastUses, position: int) -> None:
        """Emit a fusion; where it gives up, the kernels are called one after the other."""
        text = self.text
        slots = [text.slot(llvm_type(value.type)) for value in fusion.results]
        slow, end = text.label("slow"), text.label("end")
        last = uses.owned(fusion, position)
        names = [self._name(value) for value in fusion.args]
        code = FusionCode(text, self.references, self.views, fusion, names)
        self._fuel.note(code.iterations(), self.references.failure())
        failure = self.references.failure()
        code.emit(frozenset(map(fusion.args.index, last)), slots, slow, failure)
        text.line(f"br label %{end}")
        text.start(slow)
        found = python_code.call_site(text, fusion.site, names, self.references.failure())
        for result, name in zip(fusion.results, found, strict=True):
            if result.type is ir.OBJECT:
                self.views.defined(name)
        self._store(fusion.results, found, slots)
        text.line(f"br label %{end}")
        text.start(end)
        self._release(last)
        self._load(fusion.results, slots)

    def _repeat(
        self, loop: ir.WhileLoop, counter: Counter, strip: Strip, state: Sequence[str],
        captures: Sequence[str], slots: Sequence[str], head: str,
    ) -> bool:  # fmt: skip
        """Emit turns of a loop whose body is a fusion, block by block, which go on at ``head``; at
        ``strip.turn`` where that cannot be done.  Return False for another loop.

        ``slots`` hold the state; ``captures`` are those of the body.
        """
        text, found = self.text, repeated_fusion(loop, counter)
        if found is None or lanes(found.fusion) < 2:
            return False
        fusion, given = found.fusion, [*state, *captures]
        names = [given[one] if isinstance(one, int) else one for one in found.sources]
        new, failure = [text.slot("ptr") for _ in fusion.results], self.references.failure()
        code = RepeatedCode(text, self.references, self.views, found, names)
        turns = code.turns(strip, strip.turn)
        self._fuel.spend(code.iterations_of(turns), failure)
        code.emit(found.changing, new, strip.turn, failure)
        for value, slot, place in zip(fusion.results, new, found.targets, strict=True):
            name = text.value(f"load ptr, ptr {slot}")
            self.views.expect(name, self._rows.get(value.number))
            self.views.defined(name, slot)
            self.references.drop(ir.OBJECT, state[place])
            text.line(f"store ptr {name}, ptr {slots[place]}")
            self.views.stored(slots[place], name)
        after = text.value(f"add nsw i64 {strip.start}, {turns}")
        text.line(f"store i64 {after}, ptr {slots[counter.state]}")
        text.line(f"br label %{head}")
        return True

    def _multiply(
        self, product: Product | Windowed | ArrayLoop, uses: LastUses, position: int
    ) -> None:
        """Emit a product, convolution, pooling or loop; where native code cannot compute it, its
        site is called.
        """
        text, results = self.text, product.results
        assert product.site is not None
        slots = [text.slot(llvm_type(result.type)) for result in results]
        slow, end = text.label("slow"), text.label("end")
        names = [self._name(value) for value in product.args]
        failure = self.references.failure()
        if isinstance(product, ArrayLoop):
            frame = LoopFrame(text, self.views, product, names)
            self._fuel.note(frame.iterations(), failure)
            emit_loop(frame, slots, slow)
        else:
            code = (
                ProductCode(text, self.views, product, names) if isinstance(product, Product)
                else WindowedCode(text, product, names)
            )  # fmt: skip
            code.emit(slots[0], slow, self._fuel, failure)
        for result, slot in zip(results, slots, strict=True):
            if result.type is ir.OBJECT:
                name = text.value(f"load ptr, ptr {slot}")
                self.views.defined(name)
                self.views.stored(slot, name)
        text.line(f"br label %{end}")
        text.start(slow)
        found = python_code.call_site(text, product.site, names, self.references.failure())
        for result, name in zip(results, found, strict=True):
            if result.type is ir.OBJECT:
                self.views.defined(name)
        self._store(results, found, slots)
        text.line(f"br label %{end}")
        text.start(end)
        self._release(uses.owned(product, position))
        self._load(results, slots)
