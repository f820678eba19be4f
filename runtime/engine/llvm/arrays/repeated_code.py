"""LLVM code of loops that do nothing but compute their arrays anew, element by element:

    for _ in range(100):
        x, y = x * x - y * y + a, 2 * x * y + b

An element depends on those at its own place alone.  So a block of elements runs through all turns
before the next block begins.  A block is as large as some vectors.  It is copied to memory of the
function of its own, which LLVM turns into registers: nothing there is addressed by a number known
at run time alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.array_views import ArrayViews
from runtime.engine.llvm.arrays.elements import compute
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.arrays.fusion_code import ELEMENTS_LOG2, FusionCode
from runtime.engine.llvm.arrays.fusion_tasks import cost
from runtime.engine.llvm.arrays.inner_loop import lanes_of
from runtime.engine.llvm.arrays.loop_nest import LoopNest
from runtime.engine.llvm.builder import ArrayElements, Builder, CodeVariable
from runtime.engine.llvm.element_code import stored_size, stored_type
from runtime.engine.llvm.loop_code import Counter, Strip, iterations
from runtime.engine.llvm.loop_facts import RARE_LOOP, vector_loop
from runtime.engine.llvm.references import References
from runtime.engine.llvm.size_code import product
from runtime.engine.llvm.text import FunctionText, literal
from runtime.engine.llvm.values import LaneValue

MOST_MEMBERS = 50
"""Longer fusions have more values than registers, and spend their time on computing anyway."""


class RepeatedFusion(NamedTuple):
    """Fusion that is the body of a loop.

    sources  by argument of the fusion: the position of the body's parameter, or a constant
    targets  by output of the fusion: its position in the state
    """

    fusion: Fusion
    sources: Sequence[int | str]
    targets: Sequence[int]

    @property
    def changing(self) -> frozenset[int]:
        """Arguments that are different in each turn."""
        numbered = enumerate(self.sources)
        return frozenset([number for number, source in numbered if source in self.targets])

    def argument_of(self, output: int) -> int | None:
        """Return the argument that an output is in the next turn; None if nothing reads it."""
        target = self.targets[output]
        return self.sources.index(target) if target in self.sources else None


def repeated_fusion(loop: ir.WhileLoop, counter: Counter) -> RepeatedFusion | None:
    """Return the fusion that a counted loop repeats; None if its body is anything else."""
    body, fusion = loop.body, None
    constants: dict[int, str] = {}
    for instruction in body.instructions:
        if isinstance(instruction, ir.Number):
            (result,) = instruction.results
            assert isinstance(result.type, ir.Scalar)
            constants[result.number] = literal(instruction.value, result.type)
        elif isinstance(instruction, Fusion) and fusion is None:
            fusion = instruction
        elif instruction.results != (body.results[counter.state],):
            return None
    if fusion is None or not _is_element_wise(fusion):
        return None
    positions = {value.number: place for place, value in enumerate(body.params)}
    sources = [positions.get(v.number, constants.get(v.number)) for v in fusion.args]
    targets = _targets(loop, counter, fusion)
    if targets is None or counter.state in sources or None in sources:
        return None
    repeated = RepeatedFusion(
        fusion, [instruction for instruction in sources if instruction is not None], targets
    )
    return repeated if _fits(repeated) else None


def _is_element_wise(fusion: Fusion) -> bool:
    """Return whether a fusion computes each element of elements at its own place."""
    return not (
        fusion.is_number or fusion.reductions or any(fusion.computed)
        or fusion.target is not None or fusion.update is not None
        or any(member.opcode in ("axis", "extent", "load") for member in fusion.members)
        or len(fusion.members) > MOST_MEMBERS or LoopNest(fusion, "").may_give_up
    )  # fmt: skip


def _targets(loop: ir.WhileLoop, counter: Counter, fusion: Fusion) -> list[int] | None:
    """Return where the outputs of a fusion are in the state, if all else of it stays the same."""
    body, target_of = loop.body, dict[int, int]()
    for place, (param, value) in enumerate(zip(body.params, body.results, strict=False)):
        if value in fusion.results and value.number not in target_of:
            target_of[value.number] = place
        elif value is not param and place != counter.state:
            return None
    if len(target_of) < len(fusion.results):
        return None
    return [target_of[value.number] for value in fusion.results]


def _fits(repeated: RepeatedFusion) -> bool:
    """Return whether all that changes is as large as the space, and of the type that it gets."""
    fusion, changing = repeated.fusion, repeated.changing
    types: dict[int | str, ir.Scalar] = dict(
        zip(repeated.targets, map(fusion.type_of, fusion.outputs), strict=True)
    )
    places = {repeated.sources[number] for number in changing}
    return len(places) == len(changing) and all(
        (layout := fusion.layouts[number]) is not None
        and len(layout.dims) == len(fusion.dims)
        and None not in layout.axes(fusion.dims)
        and layout.element == types[repeated.sources[number]]
        and number not in fusion.selected
        for number in changing
    )


VECTORS = 4
"""Vectors in a block: while an operation on one waits for its operands, others go on."""
WORK = 1 << 27
"""Elements times turns times what a turn costs, between two looks at signals: some milliseconds."""


class RepeatedNest(LoopNest):
    """Function of a fusion that is repeated: it takes the number of turns, too."""

    def __init__(self, repeated: RepeatedFusion, fusion: Fusion, name: str) -> None:
        super().__init__(fusion, f"{name}_turns")
        self._repeated = repeated

    def params(self) -> list[str]:
        """Return the parameters, with their types."""
        params = super().params()
        place = params.index("i1 %unit") + 1
        return [*params[:place], "i64 %turns", *params[place:]]

    def _may_turn(self) -> bool:
        return False  # it has blocks of its own

    def _rows(
        self, code: Builder, counters: Sequence[str], gave_up: CodeVariable | None,
        block: tuple[LaneValue, LaneValue] | None = None,
    ) -> None:  # fmt: skip
        """Emit the blocks of a row along the last axis."""
        fusion = self.fusion
        begins = [self._begin(code.text, number, counters) for number in range(len(fusion.args))]
        ends = [
            self._result(code.text, number, output, counters)
            for number, output in enumerate(fusion.outputs)
        ]
        length = code.value(f"%n{len(self.axes) - 1}")
        _BlocksOfRow(code, self._repeated, self.axes[-1], begins, ends, self._unit).emit(length)


class RepeatedCode(FusionCode):
    """Code of a fusion that is repeated, in the function that holds it."""

    def __init__(
        self, text: FunctionText, references: References, views: ArrayViews,
        repeated: RepeatedFusion, names: Sequence[str],
    ) -> None:  # fmt: skip
        fusion = repeated.fusion
        super().__init__(text, references, views, fusion, names, partial(RepeatedNest, repeated))

    def turns(self, strip: Strip, otherwise: str) -> str:
        """Return how many turns of a strip run now (an int64); branch away where blocks do not pay.
        """
        text = self._text
        work = product(text, *self._sizes, str(cost(self._fusion)))
        work = text.call("i64", "llvm.umax.i64", f"i64 {work}", "i64 1")
        most = text.value(f"udiv i64 {WORK}, {work}")
        length = text.value(f"sub i64 {strip.stop}, {strip.start}")
        turns = text.call("i64", "llvm.umin.i64", f"i64 {most}", f"i64 {length}")
        pays = text.value(f"icmp ugt i64 {turns}, 1")
        flat, row = self._is_flat(), self._sizes[self._nest.axes[-1]]
        if flat != "true":
            long = text.value(f"icmp uge i64 {row}, {VECTORS * lanes_of(self._fusion) // 2}")
            pays = text.value(f"and i1 {pays}, {text.value(f'or i1 {flat}, {long}')}")
        text.require(pays, otherwise, None)
        self._nest.extra_args = (f"i64 {turns}",)
        return turns

    def iterations_of(self, turns: str) -> str:
        """Return how many iterations of a loop over numbers take as long (an int32)."""
        return iterations(self._text, product(self._text, turns, *self._sizes), ELEMENTS_LOG2)


class _BlocksOfRow:
    """Blocks of a row.

    begins   addresses of the arguments' first elements; of numbers, their names
    results  addresses of the first elements of the results
    unit     whether the elements of the arguments follow one another
    """

    def __init__(
        self, code: Builder, repeated: RepeatedFusion, axis: int, begins: Sequence[str],
        results: Sequence[str], unit: str,
    ) -> None:  # fmt: skip
        self._code = code
        self._fusion = fusion = repeated.fusion
        self._unit = code.value(unit, ir.BOOL)
        self._lanes = lanes_of(fusion)
        self._size = VECTORS * self._lanes
        self._invariants: dict[int, str] = {}
        """By number of an argument that is the same all along the row: its element."""
        self._rows: dict[int, ArrayElements] = {}
        """By number of any other argument: its elements along the row."""
        self._block_copies: dict[int, ArrayElements] = {}
        """By number of such an argument: the copy of a block."""
        for number, layout in enumerate(fusion.layouts):
            along = None if layout is None else layout.axes(fusion.dims)[axis]
            if layout is None:
                self._invariants[number] = begins[number]
            elif along is None:
                element = ArrayElements(code, layout.element, begins[number])
                self._invariants[number] = element.first().name
            else:
                stride = code.value(f"%a{number}s{along}")
                self._block_copies[number] = self._memory(layout.element)
                self._rows[number] = ArrayElements(code, layout.element, begins[number], stride)
        self._outputs: list[tuple[ArrayElements, ArrayElements]] = []
        """Copies of the blocks of results, and the results.  The copy of one that is an argument in
        the next turn is that of the argument."""
        for number, address in enumerate(results):
            type, argument = fusion.result_type(number), repeated.argument_of(number)
            copied = self._memory(type) if argument is None else self._block_copies[argument]
            self._outputs.append((copied, ArrayElements(code, type, address)))

    def _memory(self, type: ir.Scalar) -> ArrayElements:
        kind = f"[{self._size} x {stored_type(type)}]"
        return ArrayElements(self._code, type, self._code.text.slot(kind, "zeroinitializer"))

    def emit(self, length: LaneValue) -> None:
        """Emit the loop over the blocks of a row of so many elements."""
        code, text, size = self._code, self._code.text, self._size
        with code.each(length.divided_up(size)) as block:
            first = block * size
            remaining = length - first
            count = remaining.call("umin", remaining.constant(size))
            is_whole = count == size
            for number, copied in self._block_copies.items():
                row = self._rows[number].after(first)
                self._take(row, copied, count, is_whole & self._unit)
            facts = vector_loop(self._lanes)
            with text.counted_loop("%turns"), text.counted_loop(str(size), "0", facts) as counter:
                self._element(code.value(counter))
            for copied, results in self._outputs:
                self._give(copied, results.after(first), count, is_whole)

    def _element(self, counter: LaneValue) -> None:
        fusion = self._fusion
        values = [
            self._invariants[number] if number in self._invariants
            else self._block_copies[number][counter].name
            for number in range(len(fusion.args))
        ]  # fmt: skip
        compute(self._code.text, fusion, values)
        for (copied, _), output in zip(self._outputs, fusion.outputs, strict=True):
            copied[counter] = self._code.value(values[output], copied.type)

    def _copy_elements(
        self, target: ArrayElements, source: ArrayElements, count: LaneValue
    ) -> None:
        """Copy so many elements, one by one."""
        with self._code.text.counted_loop(count.name, metadata=RARE_LOOP) as counter:
            number = self._code.value(counter)
            target[number] = source[number]

    def _take(
        self, row: ArrayElements, copied: ArrayElements, count: LaneValue, is_whole: LaneValue
    ) -> None:
        """Copy a block of an argument; one that has gaps, or is the rest of a row, by elements."""
        block = self._direct(row, is_whole, lambda aside: self._copy_elements(aside, row, count))
        self._copy(copied, block)

    def _give(
        self, copied: ArrayElements, result: ArrayElements, count: LaneValue, is_whole: LaneValue
    ) -> None:
        """Copy a block to a result."""
        block = self._direct(result, is_whole, lambda aside: None)
        self._copy(block, copied)
        with self._code.only_if(~is_whole):
            self._copy_elements(result, block, count)

    def _direct(
        self,
        elements: ArrayElements,
        is_whole: LaneValue,
        otherwise: Callable[[ArrayElements], None],
    ) -> ArrayElements:
        """Return the elements of a block, or, if it is not whole, memory beside."""
        code, aside = self._code, self._memory(elements.type)
        place = code.address(code.text.slot("ptr"))
        place.store(code.address(elements.address))
        with code.only_if(~is_whole):
            otherwise(aside)
            place.store(code.address(aside.address))
        return ArrayElements(code, elements.type, place.load_address().name)

    def _copy(self, target: ArrayElements, source: ArrayElements) -> None:
        size = self._size * stored_size(target.type)
        addresses = f"ptr {target.address}", f"ptr {source.address}"
        name = "llvm.memcpy.p0.p0.i64"
        self._code.text.call("void", name, *addresses, f"i64 {size}", "i1 false")
