"""LLVM code of the workspace: memory of arrays, lists and scratch that native code is done with,
kept for the next that needs as much, in code that all modules share (support_code.py).

Values of native code are released at their last use, so that what is kept is the plan of a call's
memory by liveness: the same call finds it all the next time.  NumPy frees arrays of such memory by
functions of this file, too; so an array that somebody refers to is never in the workspace.

The blocks that are kept stand in a table, the oldest first.  Threads without Python's lock ask,
too: where another one is at the table, memory is the system's.  So nobody waits, also not in the
child of a process that forked meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from runtime.engine.llvm.builder import SIZE, Address, Builder, CodeVariable
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.values import LaneValue

__all__ = ["FUNCTIONS", "GIVE", "LEAST", "TAKE", "declare_workspace"]

TAKE, GIVE = "rt_take", "rt_give"
"""Functions that give so many bytes, null without memory; and that take them back."""
LEAST = 1 << 13
"""Fewest bytes that are kept: less memory costs malloc less."""
_MOST_BLOCKS = 256
_LINE = 64
"""Larger blocks begin at such addresses, as vectors do."""
_HEADER = 16
"""Bytes before a block: its address for ``free``, and its size."""
_VARIABLES = ("busy", "count", "kept", "bound")
"""Whether a thread is at the table; its blocks, their bytes, and the most bytes."""


def declare_workspace(module: FunctionText) -> None:
    """Add the variables of the workspace, and what moves and clears memory."""
    for name in _VARIABLES:
        module.declared[f"workspace_{name}"] = f"@workspace_{name} = private global i64 0"
    for name in ("sizes", "blocks"):
        table = f"[{_MOST_BLOCKS} x i64]"
        module.declared[f"workspace_{name}"] = (
            f"@workspace_{name} = private global {table} zeroinitializer"
        )
    declaration = "declare void @llvm.mem{}.p0.{}i64(ptr, {}, i64, i1)"
    for function, of, kind in (("move", "p0.", "ptr"), ("cpy", "p0.", "ptr"), ("set", "", "i8")):
        module.declared[f"mem{function}"] = declaration.format(function, of, kind)


class _Workspace:
    """Code of a function of the workspace."""

    def __init__(self, text: FunctionText) -> None:
        self.text = text
        self.code = code = Builder(text)
        self.busy, self.count, self.kept, self.bound = (
            code.address(f"@workspace_{name}") for name in _VARIABLES
        )
        self.sizes = code.address("@workspace_sizes")
        self.blocks = code.address("@workspace_blocks")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Run the lines that are added meanwhile unless another thread is at the table."""
        old = self.text.value("atomicrmw xchg ptr @workspace_busy, i64 1 acquire")
        with self.text.only_if(self.text.value(f"icmp eq i64 {old}, 0")):
            yield
            self.leave()

    def leave(self) -> None:
        """Let others come to the table."""
        self.text.line("store atomic i64 0, ptr @workspace_busy release, align 8")

    def take_out(self, place: LaneValue) -> None:
        """Take the block at a place out of the table."""
        self.count.store(self.count.load() - 1)
        self.kept.store(self.kept.load() - self.sizes.element(SIZE, place).load())
        bytes_after = (self.count.load() - place) * 8
        for table in (self.sizes, self.blocks):
            entry = table.element(SIZE, place)
            self.code.run("llvm.memmove.p0.p0.i64", entry, entry + 8, bytes_after, "i1 false")

    def free_down_to(self, bytes: LaneValue, count: int) -> None:
        """Free the oldest blocks until those that stay are at most so many, of so many bytes."""

        def is_full() -> LaneValue:
            return (self.kept.load() > bytes) | (self.count.load() > count)

        with self.code.repeat_while(is_full):
            oldest = self.blocks.load_address()
            self.text.call("void", "free", f"ptr {(oldest + -_HEADER).load_address()}")
            self.take_out(self.code.value(0))


def _write_take(text: FunctionText) -> None:
    """Write the function that gives a block: of those that are at most twice as large the smallest,
    and the newest of these; else a new one.
    """
    workspace = _Workspace(text)
    code, size = workspace.code, workspace.code.value("%size")
    with text.leaving((size < LEAST).name, likely=None):
        code.finish(f"ptr {_new_block(code, size, _HEADER)}")
    # eight sizes for each power of two: nearly equal ones serve each other
    bits = code.value(text.call("i64", "llvm.ctlz.i64", f"i64 {size - 1}", "i1 true"))
    step = code.value(text.value(f"lshr i64 {1 << 60}, {bits}"))
    size = (size + step - 1) & (step.constant(0) - step)
    block = text.slot("ptr", "null")
    with workspace.alone():
        place, best = CodeVariable(code, SIZE), CodeVariable(code, SIZE)
        least = CodeVariable(code, SIZE)
        place.set(workspace.count.load())
        least.set(size * 2 + 1)
        with code.repeat_while(lambda: (place.get() != 0) & (least.get() != size)):
            place.add(place.get().constant(-1))
            room = workspace.sizes.element(SIZE, place.get()).load()
            with code.only_if((room >= size) & (room < least.get())):
                least.set(room)
                best.set(place.get())
        with code.only_if(least.get() <= size * 2):
            best_block = workspace.blocks.element(SIZE, best.get()).load_address()
            text.line(f"store ptr {best_block}, ptr {block}")
            workspace.take_out(best.get())
    with code.only_if(code.address(block).load_address().is_null()):
        text.line(f"store ptr {_new_block(code, size, _LINE)}, ptr {block}")
    code.finish(f"ptr {code.address(block).load_address()}")


def _new_block(code: Builder, size: LaneValue, alignment: int) -> Address:
    """Return a block of the system's memory, null if there is none."""
    text = code.text
    memory = code.address(text.call("ptr", "malloc", f"i64 {size + (alignment + _HEADER)}"))
    end = text.value(f"ptrtoint ptr {memory + (alignment + _HEADER - 1)} to i64")
    block = code.address(text.value(f"inttoptr i64 {code.value(end) & -alignment} to ptr"))
    with code.only_if(~memory.is_null()):
        (block + -_HEADER).store(memory)
        (block + -8).store(size)
    return code.address(text.value(f"select i1 {memory.is_null()}, ptr null, ptr {block}"))


def _write_give(text: FunctionText) -> None:
    """Write the function that takes a block back, which may be null."""
    workspace = _Workspace(text)
    code, block = workspace.code, workspace.code.address("%block")
    with text.leaving(block.is_null().name, likely=None):
        code.finish()
    size, is_kept = (block + -8).load(), text.slot("i1", "false")
    fits = (size >= LEAST) & (size <= workspace.bound.load())
    with code.only_if(fits), workspace.alone():
        workspace.free_down_to(workspace.bound.load() - size, _MOST_BLOCKS - 1)
        workspace.sizes.element(SIZE, workspace.count.load()).store(size)
        workspace.blocks.element(SIZE, workspace.count.load()).store(block)
        workspace.count.store(workspace.count.load() + 1)
        workspace.kept.store(workspace.kept.load() + size)
        text.line(f"store i1 true, ptr {is_kept}")
    with text.only_if(text.load(is_kept, "i1"), holds=False):
        text.call("void", "free", f"ptr {(block + -_HEADER).load_address()}")
    code.finish()


def _write_bound(text: FunctionText) -> None:
    """Write the function that sets the most bytes that are kept, and gives how many were."""
    workspace = _Workspace(text)
    code, bytes_before = workspace.code, CodeVariable(workspace.code, SIZE, "0")
    bytes = code.value("%bytes")
    workspace.bound.store(bytes)
    with workspace.alone():
        bytes_before.set(workspace.kept.load())
        workspace.free_down_to(bytes, _MOST_BLOCKS)
    code.finish(f"i64 {bytes_before.get()}")


def _write_clear(text: FunctionText) -> None:
    """Write NumPy's function that gives memory of zeros."""
    code = Builder(text)
    size = code.value("%number") * code.value("%size")
    block = code.address(text.value(f"call ptr @{TAKE}(i64 {size})"))
    with code.only_if(~block.is_null()):
        code.run("llvm.memset.p0.i64", block, "i8 0", size, "i1 false")
    code.finish(f"ptr {block}")


def _write_renew(text: FunctionText) -> None:
    """Write NumPy's function that gives a block of another size with the same contents."""
    code, old = Builder(text), Builder(text).address("%block")
    new = code.address(text.value(f"call ptr @{TAKE}(i64 %size)"))
    with code.only_if(~(new.is_null() | old.is_null())):
        common = (old + -8).load().call("umin", code.value("%size"))
        code.run("llvm.memcpy.p0.p0.i64", new, old, common, "i1 false")
        code.run(GIVE, old)
    code.finish(f"ptr {new}")


def _write_numpy_take(text: FunctionText) -> None:
    text.line(f"ret ptr {text.value(f'call ptr @{TAKE}(i64 %size)')}")


def _write_numpy_give(text: FunctionText) -> None:
    text.line(f"call void @{GIVE}(ptr %block)")
    text.line("ret void")


FUNCTIONS = (
    (TAKE, "ptr", "i64 %size", _write_take),
    (GIVE, "void", "ptr %block", _write_give),
    ("rt_bound", "i64", "i64 %bytes", _write_bound),
    ("rt_numpy_take", "ptr", "ptr %ctx, i64 %size", _write_numpy_take),
    ("rt_numpy_clear", "ptr", "ptr %ctx, i64 %number, i64 %size", _write_clear),
    ("rt_numpy_renew", "ptr", "ptr %ctx, ptr %block, i64 %size", _write_renew),
    ("rt_numpy_give", "void", "ptr %ctx, ptr %block, i64 %size", _write_numpy_give),
)
"""Functions that the code of graphs, and NumPy, calls: name, result, parameters, and what writes
them."""
