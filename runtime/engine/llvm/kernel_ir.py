"""Kernel IR: the small typed language between graphs and LLVM.

A module holds functions, a function one block.  A block is a list of instructions in static single
assignment form; ``Switch`` and ``WhileLoop`` hold blocks of their own, which see nothing of the
blocks around them but their parameters.  So the last use of a value is visible in its block alone,
and codegen.py can count references.

Values are machine numbers, native lists, or references to Python objects.  An instruction that
native code cannot finish for some inputs (an overflow, a division by zero) has a *site*: the call
of the operation's kernel in Python, which gives the result or raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.engine.llvm.kernel_types import BFLOAT as BFLOAT
from runtime.engine.llvm.kernel_types import BOOL as BOOL
from runtime.engine.llvm.kernel_types import ELEMENTS as ELEMENTS
from runtime.engine.llvm.kernel_types import FLOAT64 as FLOAT64
from runtime.engine.llvm.kernel_types import HALF as HALF
from runtime.engine.llvm.kernel_types import INT32 as INT32
from runtime.engine.llvm.kernel_types import INT64 as INT64
from runtime.engine.llvm.kernel_types import NARROW as NARROW
from runtime.engine.llvm.kernel_types import NUMBERS as NUMBERS
from runtime.engine.llvm.kernel_types import OBJECT as OBJECT
from runtime.engine.llvm.kernel_types import TEXT as TEXT
from runtime.engine.llvm.kernel_types import NativeList as NativeList
from runtime.engine.llvm.kernel_types import Object as Object
from runtime.engine.llvm.kernel_types import Scalar as Scalar
from runtime.engine.llvm.kernel_types import Type as Type


class Register:
    """Result of an instruction, or parameter of a block; ``number`` is unique in its function."""

    __slots__ = ("number", "type")

    def __init__(self, type: Type, number: int) -> None:
        self.type = type
        self.number = number

    def __repr__(self) -> str:
        return f"%{self.number}"


Registers = Sequence[Register]
Results = Registers | None
"""Registers of the results of a step; None if its kernel has to compute it."""


class Site:
    """Call of an operation's kernel from native code.

    step   the step of the execution plan
    index  number of the site in its module
    takes  the types of its inputs
    gives  the types of its outputs
    order  where the operation's inputs are among the arguments, if these are not the inputs
    raises whether it always raises
    """

    __slots__ = ("gives", "index", "order", "raises", "step", "takes")

    def __init__(self, step: Any, order: Sequence[int] | None = None) -> None:
        self.step = step
        self.order = order
        self.index = -1
        self.takes: tuple[Type, ...] = ()
        self.gives: tuple[Type, ...] = ()
        self.raises = False


class Instruction:
    """Instruction: ``args`` are the values that it reads, ``results`` those that it defines."""

    __slots__ = ("args", "results")

    def __init__(self, args: Registers, results: Registers) -> None:
        self.args = tuple(args)
        self.results = tuple(results)

    def blocks(self) -> Sequence[Block]:
        """Return the blocks that the instruction holds."""
        return ()

    def consumes(self, position: int) -> bool:
        """Return whether it takes over the reference of an argument."""
        return False


class Number(Instruction):
    """Machine number known when the module is made."""

    __slots__ = ("value",)

    def __init__(self, value: Any, result: Register) -> None:
        super().__init__((), (result,))
        self.value = value


class ObjectConstant(Instruction):
    """Python object known when the module is made: entry ``index`` of the module's objects."""

    __slots__ = ("index",)

    def __init__(self, index: int, result: Register) -> None:
        super().__init__((), (result,))
        self.index = index


class TextConstant(Instruction):
    """Text known when the module is made."""

    __slots__ = ("value",)

    def __init__(self, value: str, result: Register) -> None:
        super().__init__((), (result,))
        self.value = value


class Compute(Instruction):
    """Native instruction on numbers (scalar_code.py), lists (list_code.py) or elements of arrays
    (element_code.py).

    With a ``site``, the native code may give up, and the site gives the result or raises.
    """

    __slots__ = ("opcode", "site")

    def __init__(self, opcode: str, args: Registers, results: Registers, site: Site | None) -> None:
        super().__init__(args, results)
        self.opcode = opcode
        self.site = site

    def reads_array(self) -> bool:
        """Return whether it reads an element, or a size, of the array that is its first argument.
        """
        return self.opcode.startswith(("array.item", "array.check", "array.size"))

    def writes_array(self) -> bool:
        """Return whether it writes an element of the array that is its first argument."""
        return self.opcode.startswith("array.set")

    @property
    def is_known(self) -> bool:
        """Whether the code before made the array native, and its own (loop_arrays.py)."""
        return self.opcode.endswith(".known")

    def consumes(self, position: int) -> bool:
        """Return whether it takes over the array, list or entry that it is given."""
        return self.opcode in CONSUMING


PREPARATIONS = ("array.own", "array.native")
"""Opcodes that make an array native, and its own, before a loop; see loop_arrays.py."""

CONSUMING = frozenset({
    "array.own", "array.set", "array.set.known",
    "list.new", "list.push", "list.set", "list.pop", "list.without", "list.splice", "list.add",
    "list.put", "list.array_write", "list.array_read", "list.text_concat",
})  # fmt: skip
"""Operations that change an array or list in place when nobody else refers to it."""


RAISING = frozenset({
    "add.checked", "sub.checked", "mul.checked", "neg.checked", "abs.checked", "position",
})  # fmt: skip
"""Opcodes of Python's arithmetic and indexes whose kernels raise wherever native code gives up."""


def only_raises(instruction: Instruction) -> bool:
    """Return whether the site of an instruction gives no result: it raises, or native code works.
    """
    if not isinstance(instruction, Compute):
        return isinstance(instruction, Call)
    if instruction.is_known:
        return instruction.reads_array() or _always_fits(instruction)
    if instruction.opcode == "cast.exact":
        values = (*instruction.args, *instruction.results)
        return all(isinstance(v.type, Scalar) and v.type.kind == "i" for v in values)
    return instruction.opcode in RAISING or instruction.opcode.startswith("list.")


def _always_fits(write: Compute) -> bool:
    """Return whether the value that is written to an element is a number of its type."""
    value, element = write.args[1].type, element_type(write)
    return element.kind in "bf" or value in (element, BOOL)


def element_type(instruction: Compute) -> Scalar:
    """Return the type of the elements of the array that an instruction is about."""
    return ELEMENTS[layout_of(instruction)[0]]


def layout_of(instruction: Compute) -> tuple[np.dtype[Any], int]:
    """Return the dtype and rank of the array that an instruction is about."""
    assert instruction.site is not None
    step = instruction.site.step
    if "rank" in step.attrs:
        return step.attrs["dtype"], step.attrs["rank"]
    spec = step.operation.outputs[0].spec
    indices = len(instruction.args) - 1 if instruction.reads_array() else 0
    return np.dtype(spec.dtype.as_numpy_dtype), spec.shape.rank + indices


class Callback(Instruction):
    """Call of a kernel in Python."""

    __slots__ = ("site",)

    def __init__(self, site: Site, args: Registers, results: Registers) -> None:
        super().__init__(args, results)
        self.site = site


class Switch(Instruction):
    """Run the branch that the first argument chooses; the last one when it is out of range.

    A bool chooses branch 0 when it is true.  ``splits`` counts the arguments of each branch;
    ``is_guard`` says that the last branch runs rarely: the kernel of what others compose.
    """

    __slots__ = ("branches", "is_guard", "splits")

    def __init__(
        self, args: Registers, results: Registers, branches: Sequence[Block],
        splits: Sequence[int], is_guard: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(args, results)
        self.is_guard = is_guard
        self.branches = tuple(branches)
        self.splits = tuple(splits)

    def blocks(self) -> Sequence[Block]:
        """Return the branches."""
        return self.branches

    def consumes(self, position: int) -> bool:
        """Return True: the branch that runs takes over what it is given."""
        return position > 0

    def inputs_of(self, branch: int) -> tuple[Register, ...]:
        """Return the arguments of a branch."""
        start = 1 + sum(self.splits[:branch])
        return self.args[start : start + self.splits[branch]]

    def params_of(self, position: int) -> list[tuple[Block, Register]]:
        """Return the parameters that stand for an argument, with their blocks."""
        start = 1
        for branch, split in zip(self.branches, self.splits, strict=True):
            if start <= position < start + split:
                return [(branch, branch.params[position - start])]
            start += split
        return []


class WhileLoop(Instruction):
    """Run ``body`` on the state while ``test`` of it is true.

    The arguments are the initial state, what the test reads besides, and what the body reads
    besides.
    """

    __slots__ = ("body", "for_test", "test")

    def __init__(
        self, args: Registers, results: Registers, test: Block, body: Block,
        for_test: int,
    ) -> None:  # fmt: skip
        super().__init__(args, results)
        self.test = test
        self.body = body
        self.for_test = for_test

    def blocks(self) -> Sequence[Block]:
        """Return the test and the body."""
        return self.test, self.body

    def consumes(self, position: int) -> bool:
        """Return whether an argument is a part of the initial state."""
        return position < len(self.results)

    def params_of(self, position: int) -> list[tuple[Block, Register]]:
        """Return the parameters that stand for an argument, with their blocks."""
        test, body = (self.test, position), (self.body, position)
        count = len(self.results)
        blocks = [test, body]
        if position >= count + self.for_test:
            blocks = [(self.body, position - self.for_test)]
        elif position >= count:
            blocks = [test]
        return [(block, block.params[number]) for block, number in blocks]


class Call(Instruction):
    """Call of a function of the module, which may call itself."""

    __slots__ = ("function", "site")

    def __init__(
        self, function: KernelFunction, args: Registers, results: Registers,
        site: Site,
    ) -> None:  # fmt: skip
        super().__init__(args, results)
        self.function = function
        self.site = site

    def consumes(self, position: int) -> bool:
        """Return True: the function owns its parameters."""
        return True


class Block:
    """Sequence of instructions on ``params``, with the values that it gives."""

    __slots__ = ("borrowed", "instructions", "params", "results")

    def __init__(self, params: Registers, borrowed: Registers = ()) -> None:
        self.params = tuple(params)
        self.borrowed = frozenset(borrowed)
        """Parameters whose references belong to the block around, as a loop's captures do."""
        self.instructions: list[Instruction] = []
        self.results: tuple[Register, ...] = ()

    def add(self, instruction: Instruction) -> None:
        """Add an instruction."""
        self.instructions.append(instruction)


class KernelFunction:
    """Function of a module: a block, and the types of its results."""

    __slots__ = ("block", "gives", "name", "recursive")

    def __init__(self, name: str, recursive: bool = False) -> None:
        self.name = name
        self.recursive = recursive
        """Whether it may call itself."""
        self.block = Block(())
        self.gives: tuple[Type, ...] = ()

    def types(self) -> list[Type]:
        """Return the types of all values, each once, in the order of the code."""
        blocks, types = [self.block], dict[Type, None]()
        while blocks:
            block = blocks.pop()
            types.update(dict.fromkeys([value.type for value in block.params]))
            for instruction in block.instructions:
                types.update(dict.fromkeys([value.type for value in instruction.results]))
                blocks += instruction.blocks()
        return list(types)


class KernelModule:
    """Functions, the first of which is the entry, with their sites and Python objects."""

    __slots__ = ("_registers", "functions", "objects", "sites", "specs")

    def __init__(self, specs: Sequence[Any]) -> None:
        self._registers = 0
        self.specs = specs
        """What the graph says of the arguments of the entry."""
        self.functions: list[KernelFunction] = []
        self.sites: list[Site] = []
        self.objects: list[Any] = []

    def new(self, type: Any) -> Register:
        """Return a new register."""
        self._registers += 1
        return Register(type, self._registers)

    def number(self, site: Site, takes: Sequence[Type], gives: Sequence[Type]) -> None:
        """Give a site the next number; say what it takes and gives."""
        site.index = len(self.sites)
        site.takes, site.gives = tuple(takes), tuple(gives)
        self.sites.append(site)

    @property
    def entry(self) -> KernelFunction:
        """The function that a run calls."""
        return self.functions[0]


def instructions(block: Block, in_loop: bool = False) -> Iterator[tuple[Instruction, bool]]:
    """Yield all instructions of a block and the blocks in it, and whether each is in a loop."""
    for instruction in block.instructions:
        yield instruction, in_loop
        for inner in instruction.blocks():
            yield from instructions(inner, in_loop or isinstance(instruction, WhileLoop))
