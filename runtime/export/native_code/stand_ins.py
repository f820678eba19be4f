"""Stand-ins: LLVM functions under the names of Python's, NumPy's and the runtime's that code calls.
They are written in stand_ins.ll, with names of constants after dollar signs.

Arrays are objects with NumPy's offsets, of memory that the caller's functions give.  The context is
a row of words: the caller's structure, the status, then what code asks for by number.
"""

from __future__ import annotations

from pathlib import Path
from string import Template

from runtime.engine.llvm import array_code
from runtime.engine.llvm.array_code import ALIGNED, OWNS_DATA, WRITEABLE
from runtime.engine.llvm.python_code import TOO_DEEP
from runtime.export.native_code.failures import BOOL, INT, TEXT, UNSIGNED
from runtime.export.native_code.memory_layout import HEADER, IMMORTAL, ObjectLayout

_FILE = Path(__file__).with_suffix(".ll")
CALL = "%autograph_call"
"""LLVM's name of the caller's structure."""
STATUS = 5
"""Word of the context in which the status stands: code asks for nothing there."""
OK, RAISED, NO_MEMORY, INVALID, TOO_SMALL = 0, 1, 2, 3, 4
"""Values of the status."""
MESSAGE_BYTES = 256
"""Bytes of a message, with the 0 at its end."""
ALLOCATE, RELEASE, MEMORY, EXCEPTION, FILE, LINE, MESSAGE = range(7)
"""Fields of the caller's structure."""
RECURSION_SITE = -1
"""In place of the number of a site: a recursion is too deep."""
ALL_OWN = ALIGNED | WRITEABLE | OWNS_DATA
"""Flags of new arrays, beside ``ROW_BY_ROW``."""
_ALIGNMENT = 64
"""Blocks begin at such addresses, as the longest vectors do."""
RENAMED = ("memcpy", "memmove", "memcmp", "free", "calloc", "malloc")
"""Functions of C that have stand-ins with ``rt_`` before their names."""

_CONSTANTS = {
    **{
        name: getattr(array_code, name)
        for name in (
            "BASE", "DATA", "DTYPE", "FLAGS", "HANDLER", "RANK", "ROW_BY_ROW", "SIZES", "STRIDES",
            "TYPE_NUMBER",
        )
    },
    "ALLOCATE": ALLOCATE, "RELEASE": RELEASE, "MEMORY": MEMORY, "EXCEPTION": EXCEPTION,
    "FILE": FILE, "LINE": LINE, "MESSAGE": MESSAGE, "STATUS": STATUS, "NO_MEMORY": NO_MEMORY,
    "RECURSION_SITE": RECURSION_SITE, "TOO_DEEP": TOO_DEEP, "ALL_OWN": ALL_OWN,
    "HEADER": HEADER, "IMMORTAL": IMMORTAL, "INT": INT, "TEXT": TEXT, "BOOL": BOOL,
    "UNSIGNED": UNSIGNED,
}  # fmt: skip


def call_type() -> str:
    """Return the definition of the caller's structure."""
    return f"{CALL} = type {{ptr, ptr, ptr, ptr, ptr, i32, [{MESSAGE_BYTES} x i8]}}"


def stand_ins(layout: ObjectLayout, recursion_limit: int) -> str:
    """Return the functions, in LLVM IR."""
    size = layout.size_type
    is_wide = layout.pointer_bits == 64
    return Template(_FILE.read_text(encoding="ascii")).substitute(
        call_type=call_type(), CALL=CALL, size=size, limit=recursion_limit,
        ROOM=MESSAGE_BYTES - 1, ROOM_OF_POINT=MESSAGE_BYTES - 4,
        fits="true" if is_wide else "%fits64",
        narrow="add i64 %total, 0" if is_wide else f"trunc i64 %total to {size}",
        ROUND=_ALIGNMENT - 1, EXTRA=_ALIGNMENT + 16, ALIGNMENT=_ALIGNMENT,
        **_CONSTANTS,
    )  # fmt: skip
