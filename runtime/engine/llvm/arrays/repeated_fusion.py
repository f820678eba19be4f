"""Loops that do nothing but compute their arrays anew, element by element:

    for _ in range(100):
        x, y = x * x - y * y + a, 2 * x * y + b

An element depends on those at its own place alone.  So a block of elements may run through all
turns before the next block begins: it stays in registers meanwhile (repeated_code.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from autograph.named_tuples import NamedTuple
from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import Fusion
from runtime.engine.llvm.arrays.loop_nest import LoopNest
from runtime.engine.llvm.loop_code import Counter
from runtime.engine.llvm.text import literal

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
