"""Memory of texts, in code that all modules share (support_code.py).

Memory of the smallest size is kept for the next texts, in a list whose links stand in the first
word: malloc and free, which they replace, took half of the time of splitting a text into words.
Native code runs under Python's lock.
"""

from __future__ import annotations

from runtime.engine.llvm.builder import Builder
from runtime.engine.llvm.text import FunctionText
from runtime.engine.llvm.workspace_code import GIVE, TAKE

__all__ = ["FUNCTIONS", "declare_pool"]

_ROOM = 10
"""Characters that fit the smallest memory of a text, 64 bytes."""
_MOST = 8192
"""Most of these memories that are kept."""
_HEADER = 24


def declare_pool(module: FunctionText) -> None:
    """Add the variables of the memory that is kept."""
    module.declared["pool"] = "@pool = private global ptr null"
    module.declared["pooled"] = "@pooled = private global i64 0"


def _write_make(text: FunctionText) -> None:
    """Write the function that gives a text without characters, with room for so many; null without
    memory.
    """
    code = Builder(text)
    count, pool, pooled = code.value("%count"), code.address("@pool"), code.address("@pooled")
    kept = pool.load_address()
    with text.leaving(((count <= _ROOM) & ~kept.is_null()).name, likely=None):
        pool.store(kept.load_address())
        pooled.store(pooled.load() - 1)
        kept.store(code.value(1))
        (kept + 8).store(code.value(0))
        code.give(kept)
    room = count.call("umax", code.value(_ROOM))
    size = (room << 2) + _HEADER
    new = code.call_address(TAKE, size)
    with code.only_if(~new.is_null()):
        for place, word in ((new, 1), (new + 8, 0), (new + 16, room)):
            place.store(code.value(word))
    code.give(new)


def _write_free(text: FunctionText) -> None:
    """Write the function that frees a text."""
    code = Builder(text)
    gone, pool, pooled = code.address("%text"), code.address("@pool"), code.address("@pooled")
    is_small = (gone + 16).load() == _ROOM
    with text.leaving((is_small & (pooled.load() < _MOST)).name, likely=None):
        gone.store(pool.load_address())
        pool.store(gone)
        pooled.store(pooled.load() + 1)
        code.give()
    code.run(GIVE, gone)
    code.give()


FUNCTIONS = (
    ("rt_text_make", "ptr", "i64 %count", _write_make),
    ("rt_text_free", "void", "ptr %text", _write_free),
)
"""Functions that the code of graphs calls: name, result, parameters, and what writes them."""
