"""Kernel IR of random numbers, and the C functions of NumPy that draw them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from runtime.engine.llvm import kernel_ir as ir
from runtime.engine.llvm.arrays.fusion import KnownLayout
from runtime.engine.llvm.random.philox_code import is_state_known
from runtime.engine.llvm.variables.access import Place, offset
from runtime.engine.plan import PlanStep
from runtime.ops.random_seed import RandomStream, generator


class Draw(ir.Compute):
    """Draw from a stream of random numbers; where native code cannot draw, the kernel does.

    layout  dtype and sizes of the result; a number has no sizes
    source  number of the source of the stream among the objects of the module; None if the last
            argument is a seed
    words   number of the seed's words, and ``seed`` their type
    lookup  site that gives the streams of all draws of the function, once lowering is finished
    """

    __slots__ = ("layout", "lookup", "seed", "source", "words")

    def __init__(
        self, opcode: str, args: ir.Registers, result: ir.Register, site: ir.Site,
        layout: KnownLayout, source: int | None, words: int = 0,
        seed: ir.Scalar = ir.INT64,
    ) -> None:  # fmt: skip
        super().__init__(f"random.{opcode}", args, (result,), site)
        self.layout = layout
        self.source = source
        self.words = words
        self.seed = seed
        self.lookup: ir.Site | None = None


class Skip(ir.Compute):
    """Advance of the counter of a ``runtime.random.Generator``, whose state is a variable.

    It takes the number of draws, and gives the state before.
    """

    __slots__ = ("place",)

    def __init__(
        self, place: Place, count: ir.Register, result: ir.Register, site: ir.Site
    ) -> None:
        super().__init__("random.skip", (count,), (result,), site)
        self.place = place


def share_lookups(module: ir.KernelModule) -> None:
    """Let all draws of a function look their streams up at one site."""
    for function in module.functions:
        draws = _draws(function)
        if not draws:
            continue
        sources = tuple([module.objects[number] for number in sources_of(function)])
        assert draws[0].site is not None
        node = draws[0].site.step.operation
        site = ir.Site(PlanStep(_streams, {"sources": sources}, (), (), (), node), order=())
        for draw in draws:
            draw.lookup = site
        module.number(site, [], [ir.OBJECT] * len(sources))


def sources_of(function: ir.KernelFunction) -> list[int]:
    """Return the sources from which a function draws."""
    sources = [draw.source for draw in _draws(function) if draw.source is not None]
    return list(dict.fromkeys(sources))


def _draws(function: ir.KernelFunction) -> list[Draw]:
    """Return the draws of a function from streams."""
    instructions = [instruction for instruction, _ in ir.instructions(function.block)]
    return [
        instruction
        for instruction in instructions
        if isinstance(instruction, Draw) and instruction.source is not None
    ]


def _streams(*, sources: Sequence[Any]) -> tuple[RandomStream, ...]:
    return tuple([source.current() for source in sources])


MARK = b"random_"
"""Beginning of the names, in object files, of NumPy's functions that draw."""

TEMPLATE = "random_structure"
"""Name of the C structure of some generator, from which addresses of functions are taken."""

_NAMES = (
    "random_standard_uniform", "random_standard_normal", "random_standard_normal_f",
    "random_standard_normal_fill", "random_standard_normal_fill_f",
    *(f"random_bounded_uint{bits}_fill" for bits in (8, 16, 32, 64)),
)  # fmt: skip


@cache
def random_functions() -> dict[str, int]:
    """Return the addresses of NumPy's C functions that draw, by name; none where they are not seen.

    They are for use by compilers: see "Extending" in the documentation of ``numpy.random``.
    """
    module: Any = import_module("numpy.random._generator")
    try:
        library = ctypes.CDLL(module.__file__)
        pointers = {name: ctypes.cast(getattr(library, name), ctypes.c_void_p) for name in _NAMES}
    except (OSError, AttributeError):
        return {}
    return {
        **{name: pointer.value or 0 for name, pointer in pointers.items()},
        TEMPLATE: _template().bit_generator.ctypes.bit_generator.value,
    }


@cache
def _template() -> Any:
    """Return the generator whose C structure native code knows; it stays in memory."""
    return generator(0)


@cache
def is_drawing_known() -> bool:
    """Return whether native code can draw from streams."""
    return bool(
        is_state_known() and random_functions()
        and offset(RandomStream, "lock") and offset(RandomStream, "address")
    )
